//! The types that hold no values: the one list of what each looks like behind its name.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use struson::reader::ValueType;

use super::number::NumberList;
use super::output::{Bracket, Output};
use super::source::{Source, shortened};
use crate::error::Result;
use crate::variant::dialect::Dialect;
use crate::variant::{
    Aabb, Basis, Color, Image, InputEvent, InputEventKind, Modifiers, NodePath, Plane, Projection,
    Quaternion, Real, Rect2, Rect2i, Signal, Transform2D, Transform3D, Variant, VariantString,
    VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// What to do with a value that is a list of numbers.
pub(super) trait WithNumbers {
    /// What comes out of it.
    type Output;

    fn take<T: NumberList>(self, list: &T) -> Self::Output;
}

/// Where the numbers of a value come from.
pub(super) trait FromNumbers {
    fn make<T: NumberList>(self) -> Result<T>;
}

macro_rules! number_lists {
    ($( $variant:ident($rust:ty); )+) => {
        /// Hands a value that is a list of numbers to `with`; [`None`] for any other.
        pub(super) fn with_numbers<R: Real, W: WithNumbers>(
            value: &Variant<R>,
            with: W,
        ) -> Option<W::Output> {
            match value {
                $( Variant::$variant(list) => Some(with.take::<$rust>(list)), )+
                _ => None,
            }
        }

        /// The value of a type that is a list of numbers; [`None`] for any other type.
        pub(super) fn from_numbers<R: Real>(
            variant_type: VariantType,
            numbers: impl FromNumbers,
        ) -> Option<Result<Variant<R>>> {
            Some(match variant_type {
                $( VariantType::$variant => {
                    numbers.make::<$rust>().map(|list| Variant::$variant(list.into()))
                } )+
                _ => return None,
            })
        }
    };
}

number_lists! {
    Vector2(Vector2<R>);
    Vector2i(Vector2i);
    Rect2(Rect2<R>);
    Rect2i(Rect2i);
    Vector3(Vector3<R>);
    Vector3i(Vector3i);
    Transform2D(Transform2D<R>);
    Vector4(Vector4<R>);
    Vector4i(Vector4i);
    Plane(Plane<R>);
    Quaternion(Quaternion<R>);
    Aabb(Aabb<R>);
    Basis(Basis<R>);
    Transform3D(Transform3D<R>);
    Projection(Projection<R>);
    Color(Color);
    PackedByteArray(Vec<u8>);
    PackedInt32Array(Vec<i32>);
    PackedInt64Array(Vec<i64>);
    PackedFloat32Array(Vec<f32>);
    PackedFloat64Array(Vec<f64>);
    PackedVector2Array(Vec<Vector2<R>>);
    PackedVector2iArray(Vec<Vector2i>);
    PackedVector3Array(Vec<Vector3<R>>);
    PackedVector3iArray(Vec<Vector3i>);
    PackedVector4Array(Vec<Vector4<R>>);
    PackedVector4iArray(Vec<Vector4i>);
    PackedColorArray(Vec<Color>);
}

/// What stands behind a type's name in the lossless form, written and read.
trait Payload: Sized {
    fn write(&self, out: &mut Output, dialect: Dialect);
    fn read<S: Read>(source: &mut Source<S>, dialect: Dialect) -> Result<Self>;
}

macro_rules! payloads {
    ($( $variant:ident($rust:ty); )+) => {
        /// Writes what stands behind the name of a type that holds no values.
        pub(super) fn write<R: Real>(value: &Variant<R>, out: &mut Output, dialect: Dialect) {
            match value {
                $( Variant::$variant(payload) => <$rust as Payload>::write(payload, out, dialect), )+
                // Nothing of it is stored.
                Variant::Callable => out.null(),
                other => {
                    with_numbers(other, WriteNumbers(out));
                }
            }
        }

        /// Reads what stands behind the name of a type that holds no values; [`None`] where that is
        /// not such a type.
        pub(super) fn read<R: Real, S: Read>(
            variant_type: VariantType,
            source: &mut Source<S>,
            dialect: Dialect,
        ) -> Option<Result<Variant<R>>> {
            Some(match variant_type {
                $( VariantType::$variant => <$rust as Payload>::read(source, dialect)
                    .map(|payload| Variant::$variant(payload.into())), )+
                VariantType::Callable => source.null().map(|()| Variant::Callable),
                other => return from_numbers(other, ReadNumbers(source)),
            })
        }
    };
}

payloads! {
    StringName(VariantString);
    NodePath(NodePath);
    Rid(u64);
    Signal(Signal);
    PackedByteArray(Vec<u8>);
    PackedStringArray(Vec<VariantString>);
    Image(Image);
    InputEvent(InputEvent);
}

struct WriteNumbers<'a>(&'a mut Output);

impl WithNumbers for WriteNumbers<'_> {
    type Output = ();

    fn take<T: NumberList>(self, list: &T) {
        self.0.numbers(list, Output::scalar);
    }
}

struct ReadNumbers<'a, S: Read>(&'a mut Source<S>);

impl<S: Read> FromNumbers for ReadNumbers<'_, S> {
    fn make<T: NumberList>(self) -> Result<T> {
        self.0.numbers()
    }
}

impl Payload for VariantString {
    fn write(&self, out: &mut Output, _: Dialect) {
        out.text(self);
    }

    fn read<S: Read>(source: &mut Source<S>, _: Dialect) -> Result<Self> {
        source.text()
    }
}

impl Payload for u64 {
    fn write(&self, out: &mut Output, _: Dialect) {
        out.number(*self);
    }

    fn read<S: Read>(source: &mut Source<S>, _: Dialect) -> Result<Self> {
        source.unsigned(ID)
    }
}

/// What the number of an object or resource is.
pub(super) const ID: &str = "a number from 0 to 18446744073709551615";

/// What most fields of the records of Godot 2 are.
const WORD: &str = "a number from 0 to 4294967295";

impl Payload for Vec<u8> {
    fn write(&self, out: &mut Output, _: Dialect) {
        out.string(&BASE64.encode(self));
    }

    fn read<S: Read>(source: &mut Source<S>, _: Dialect) -> Result<Self> {
        // What a person writes who has no base64 at hand.
        if source.peek()? == ValueType::Array {
            return source.numbers();
        }
        let text = source.string()?;
        BASE64
            .decode(&text)
            .map_err(|error| source.wrong(format!("base64 ({error})"), shortened(&text)))
    }
}

impl Payload for Vec<VariantString> {
    fn write(&self, out: &mut Output, _: Dialect) {
        out.open(Bracket::List);
        self.iter().for_each(|text| out.text(text));
        out.close();
    }

    fn read<S: Read>(source: &mut Source<S>, _: Dialect) -> Result<Self> {
        source.list(Source::text)
    }
}

/// The path that a text means in this dialect.
fn path_of(text: &VariantString, dialect: Dialect) -> NodePath {
    let path = NodePath::parse(text);
    if dialect.rules().node_path_property { path.with_property() } else { path }
}

fn write_names(names: &[VariantString], out: &mut Output) {
    out.open_flat(Bracket::List);
    names.iter().for_each(|name| out.text(name));
    out.close();
}

impl Payload for NodePath {
    fn write(&self, out: &mut Output, dialect: Dialect) {
        let text = self.to_text();
        if let Some(plain) = text.as_str()
            && path_of(&text, dialect) == *self
        {
            return out.string(plain);
        }
        out.open_flat(Bracket::Object);
        out.name("absolute");
        out.bool(self.absolute);
        out.name("names");
        write_names(&self.names, out);
        out.name("subnames");
        write_names(&self.subnames, out);
        if let Some(property) = &self.property {
            out.name("property");
            out.text(property);
        }
        out.close();
    }

    fn read<S: Read>(source: &mut Source<S>, dialect: Dialect) -> Result<Self> {
        if source.peek()? == ValueType::String {
            return Ok(path_of(&source.string()?.into(), dialect));
        }
        let mut path = Self::default();
        source.record(|source, member| {
            match member {
                "absolute" => path.absolute = source.bool()?,
                "names" => path.names = source.list(Source::text)?,
                "subnames" => path.subnames = source.list(Source::text)?,
                "property" if source.peek()? == ValueType::Null => source.null()?,
                "property" => path.property = Some(source.text()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(path)
    }
}

impl Payload for Signal {
    fn write(&self, out: &mut Output, _: Dialect) {
        out.open_flat(Bracket::Object);
        out.name("name");
        out.text(&self.name);
        out.name("object_id");
        out.number(self.object_id);
        out.close();
    }

    fn read<S: Read>(source: &mut Source<S>, _: Dialect) -> Result<Self> {
        let mut signal = Self::default();
        source.record(|source, member| {
            match member {
                "name" => signal.name = source.text()?,
                "object_id" => signal.object_id = source.unsigned(ID)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(signal)
    }
}

impl Payload for Image {
    fn write(&self, out: &mut Output, dialect: Dialect) {
        out.open_flat(Bracket::Object);
        let Self { format, mipmaps, width, height, data } = self;
        for (name, number) in
            [("format", format), ("mipmaps", mipmaps), ("width", width), ("height", height)]
        {
            out.name(name);
            out.number(*number);
        }
        out.name("data");
        data.write(out, dialect);
        out.close();
    }

    fn read<S: Read>(source: &mut Source<S>, dialect: Dialect) -> Result<Self> {
        let mut image = Self::default();
        source.record(|source, member| {
            match member {
                "format" => image.format = source.unsigned(WORD)?,
                "mipmaps" => image.mipmaps = source.unsigned(WORD)?,
                "width" => image.width = source.unsigned(WORD)?,
                "height" => image.height = source.unsigned(WORD)?,
                "data" => image.data = Payload::read(source, dialect)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(image)
    }
}

/// The fields of all kinds of input events; which of them there are depends on the kind.
#[derive(Default)]
struct EventFields {
    modifiers: Option<Modifiers>,
    scancode: Option<u32>,
    button: Option<u32>,
    axis: Option<u32>,
    value: Option<f32>,
    index: Option<u32>,
    number: Option<u32>,
}

/// The names of the modifier keys, with the keys.
fn modifier<'a>(modifiers: &'a mut Modifiers, name: &str) -> Option<&'a mut bool> {
    Some(match name {
        "shift" => &mut modifiers.shift,
        "alt" => &mut modifiers.alt,
        "meta" => &mut modifiers.meta,
        "control" => &mut modifiers.control,
        _ => return None,
    })
}

impl EventFields {
    fn of(kind: InputEventKind) -> (&'static str, Self) {
        let none = Self::default();
        match kind {
            InputEventKind::None => ("none", none),
            InputEventKind::Key { modifiers, scancode } => {
                ("key", Self { modifiers: Some(modifiers), scancode: Some(scancode), ..none })
            }
            InputEventKind::MouseMotion => ("mouse_motion", none),
            InputEventKind::MouseButton { button } => {
                ("mouse_button", Self { button: Some(button), ..none })
            }
            InputEventKind::JoystickMotion { axis, value } => {
                ("joystick_motion", Self { axis: Some(axis), value, ..none })
            }
            InputEventKind::JoystickButton { button } => {
                ("joystick_button", Self { button: Some(button), ..none })
            }
            InputEventKind::ScreenTouch { index } => {
                ("screen_touch", Self { index: Some(index), ..none })
            }
            InputEventKind::ScreenDrag => ("screen_drag", none),
            InputEventKind::Action => ("action", none),
            InputEventKind::Other { number } => ("other", Self { number: Some(number), ..none }),
        }
    }

    /// The kind of this name made of the fields, all of which it must have use for.
    fn kind(&mut self, name: &str) -> Option<InputEventKind> {
        let kind = match name {
            "none" => InputEventKind::None,
            "key" => InputEventKind::Key {
                modifiers: self.modifiers.take().unwrap_or_default(),
                scancode: self.scancode.take()?,
            },
            "mouse_motion" => InputEventKind::MouseMotion,
            "mouse_button" => InputEventKind::MouseButton { button: self.button.take()? },
            "joystick_motion" => {
                InputEventKind::JoystickMotion { axis: self.axis.take()?, value: self.value.take() }
            }
            "joystick_button" => InputEventKind::JoystickButton { button: self.button.take()? },
            "screen_touch" => InputEventKind::ScreenTouch { index: self.index.take()? },
            "screen_drag" => InputEventKind::ScreenDrag,
            "action" => InputEventKind::Action,
            "other" => InputEventKind::Other { number: self.number.take()? },
            _ => return None,
        };
        let used_up = self.modifiers.is_none()
            && self.value.is_none()
            && [self.scancode, self.button, self.axis, self.index, self.number] == [None; 5];
        used_up.then_some(kind)
    }
}

impl Payload for InputEvent {
    fn write(&self, out: &mut Output, _: Dialect) {
        let (kind, mut fields) = EventFields::of(self.kind);
        out.open_flat(Bracket::Object);
        out.name("type");
        out.string(kind);
        out.name("device");
        out.number(self.device);
        if let Some(modifiers) = &mut fields.modifiers {
            out.name("modifiers");
            out.open_flat(Bracket::List);
            for name in ["shift", "alt", "meta", "control"] {
                if modifier(modifiers, name).is_some_and(|held| *held) {
                    out.string(name);
                }
            }
            out.close();
        }
        for (name, number) in [
            ("scancode", fields.scancode),
            ("button", fields.button),
            ("axis", fields.axis),
            ("index", fields.index),
            ("number", fields.number),
        ] {
            if let Some(number) = number {
                out.name(name);
                out.number(number);
            }
        }
        if let Some(value) = fields.value {
            out.name("value");
            out.scalar(super::number::Scalar::Single(value));
        }
        out.close();
    }

    fn read<S: Read>(source: &mut Source<S>, _: Dialect) -> Result<Self> {
        let mut fields = EventFields::default();
        let mut device = 0;
        let mut kind = String::new();
        source.record(|source, member| {
            match member {
                "type" => kind = source.string()?,
                "device" => device = source.unsigned(WORD)?,
                "modifiers" => fields.modifiers = Some(read_modifiers(source)?),
                "scancode" => fields.scancode = Some(source.unsigned(WORD)?),
                "button" => fields.button = Some(source.unsigned(WORD)?),
                "axis" => fields.axis = Some(source.unsigned(WORD)?),
                "value" => fields.value = Some(source.scalar()?),
                "index" => fields.index = Some(source.unsigned(WORD)?),
                "number" => fields.number = Some(source.unsigned(WORD)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let kind = fields.kind(&kind).ok_or_else(|| {
            source.wrong("a type of input event with its own members", shortened(&kind))
        })?;
        Ok(Self { device, kind })
    }
}

fn read_modifiers<S: Read>(source: &mut Source<S>) -> Result<Modifiers> {
    let mut modifiers = Modifiers::default();
    source.list(|source| {
        let name = source.string()?;
        match modifier(&mut modifiers, &name) {
            Some(held) => *held = true,
            None => {
                let expected = "\"shift\", \"alt\", \"meta\" or \"control\"";
                return Err(source.wrong(expected, shortened(&name)));
            }
        }
        Ok(())
    })?;
    Ok(modifiers)
}
