//! The form of each value: a type that JSON has, or what comes after its tag.

#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;

use super::record::held;
use super::{is_usual, parse_path, type_members};
use crate::dialect::Dialect;
use crate::{
    Container, ElementType, Image, InputEvent, InputEventKind, NodePath, Numbers, Object, Payload,
    Real, Signal, VariantString, VariantType,
};

/// The form of a value.
pub(crate) enum Form<'v, R: Real> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'v VariantString),
    /// A value that holds others. It has a tag if it is not [plain](super::is_plain).
    Container(Container<'v, R>),
    /// Numbers, after the tag of their type.
    Numbers(Numbers<'v, R>),
    /// Any other content, after the tag of its type.
    Tagged(Shown<'v>),
}

impl<'v, R: Real> Form<'v, R> {
    /// Returns the form of a value.
    #[inline(always)]
    pub(crate) fn of(payload: Payload<'v, R>, dialect: Dialect) -> Self {
        Self::Tagged(match payload {
            Payload::Nil => return Self::Null,
            Payload::Bool(value) => return Self::Bool(value),
            Payload::Int(number) => return Self::Int(number),
            Payload::Float(number) => return Self::Float(number),
            Payload::String(text) => return Self::Text(text),
            Payload::Array(array) => return Self::Container(Container::Array(array)),
            Payload::TypedArray(typed) => return Self::Container(Container::TypedArray(typed)),
            Payload::PackedTypedArray(typed) => {
                return Self::Container(Container::PackedTypedArray(typed));
            }
            Payload::Dictionary(pairs) => return Self::Container(Container::Dictionary(pairs)),
            Payload::Object(Object::Full(object)) => {
                return Self::Container(Container::Object(object));
            }
            Payload::Numbers(numbers) => return Self::Numbers(numbers),
            Payload::Object(Object::Null) | Payload::Callable => Shown::Null,
            Payload::Object(Object::Id(id)) => Shown::Members(vec![("id", Shown::Number(*id))]),
            Payload::StringName(text) => Shown::Text(text),
            Payload::NodePath(path) => Shown::path(path, dialect),
            Payload::Rid(id) => Shown::Number(id),
            Payload::Signal(signal) => Shown::signal(signal),
            Payload::PackedByteArray(bytes) => Shown::Bytes(bytes),
            Payload::PackedStringArray(texts) => Shown::Texts(texts),
            Payload::Image(image) => Shown::image(image),
            Payload::InputEvent(event) => Shown::event(event),
        })
    }
}

/// The content after a tag, or a member of it.
pub(crate) enum Shown<'v> {
    Null,
    /// A string of an engine.
    Text(&'v VariantString),
    /// A list of strings.
    Texts(&'v [VariantString]),
    /// A text in Unicode.
    Word(Cow<'v, str>),
    /// Any of several keywords.
    Words(Vec<&'static str>),
    /// A number that is not negative.
    Number(u64),
    Bool(bool),
    /// Bytes, in base64.
    Bytes(&'v [u8]),
    Single(f32),
    Members(Members<'v>),
}

/// The members of a record, or those after the contents of a container.
pub(crate) type Members<'v> = Vec<(&'static str, Shown<'v>)>;

impl<'v> Shown<'v> {
    /// Returns the form of a path: its text, or the parts of a path that its text does not reproduce.
    pub(crate) fn path(path: &'v NodePath, dialect: Dialect) -> Self {
        let text = path.to_text();
        if parse_path(&text, dialect) == *path
            && let Ok(text) = text.into_string()
        {
            return Self::Word(text.into());
        }
        let mut members = vec![
            ("absolute", Self::Bool(path.absolute)),
            ("names", Self::Texts(&path.names)),
            ("subnames", Self::Texts(&path.subnames)),
        ];
        members.extend(path.property.as_ref().map(|text| ("property", Self::Text(text))));
        Self::Members(members)
    }

    /// Returns the members of a signal.
    pub(crate) fn signal(signal: &'v Signal) -> Self {
        let id = Self::Number(signal.object_id);
        Self::Members(vec![("name", Self::Text(&signal.name)), ("object_id", id)])
    }

    /// Returns the members of an image.
    pub(crate) fn image(image: &'v Image) -> Self {
        Self::Members(vec![
            ("format", Self::Number(image.format.into())),
            ("mipmaps", Self::Number(image.mipmaps.into())),
            ("width", Self::Number(image.width.into())),
            ("height", Self::Number(image.height.into())),
            ("data", Self::Bytes(&image.data)),
        ])
    }

    /// Returns the members of an input event.
    pub(crate) fn event(event: &InputEvent) -> Self {
        let number = |name, number: u32| vec![(name, Self::Number(number.into()))];
        let (kind, members) = match event.kind {
            InputEventKind::None => ("none", vec![]),
            InputEventKind::Key { modifiers, scancode } => {
                let mut members = vec![("modifiers", Self::Words(held(modifiers)))];
                members.extend(number("scancode", scancode));
                ("key", members)
            }
            InputEventKind::MouseMotion => ("mouse_motion", vec![]),
            InputEventKind::MouseButton { button } => ("mouse_button", number("button", button)),
            InputEventKind::JoystickMotion { axis, value } => {
                let mut members = number("axis", axis);
                members.extend(value.map(|value| ("value", Self::Single(value))));
                ("joystick_motion", members)
            }
            InputEventKind::JoystickButton { button } => {
                ("joystick_button", number("button", button))
            }
            InputEventKind::ScreenTouch { index } => ("screen_touch", number("index", index)),
            InputEventKind::ScreenDrag => ("screen_drag", vec![]),
            InputEventKind::Action => ("action", vec![]),
            InputEventKind::Other { number: kind } => ("other", number("number", kind)),
        };
        let mut all = vec![("type", Self::Word(kind.into()))];
        all.extend(number("device", event.device));
        all.extend(members);
        Self::Members(all)
    }

    /// Returns the form of an element type: the name of a built-in type, or an object with one member.
    pub(crate) fn element(element: &'v ElementType, dialect: Dialect) -> Self {
        Self::Members(vec![match element {
            ElementType::Builtin(builtin) => return Self::Word(dialect.type_name(*builtin).into()),
            ElementType::Class(class) => ("class", Self::Text(class)),
            ElementType::Script(path) => ("script", Self::Text(path)),
            ElementType::Unknown(id) => ("id", Self::Number((*id).into())),
        }])
    }
}

/// Returns the members after the contents of an array or a dictionary: its declared types, and Godot 2's mark.
pub(crate) fn attributes<'v>(
    variant_type: VariantType,
    types: [Option<&'v ElementType>; 2],
    shared: bool,
    dialect: Dialect,
) -> Members<'v> {
    let types = type_members(variant_type).into_iter().zip(types);
    let shown = |(name, element): (_, Option<&'v ElementType>)| {
        Some((name, Shown::element(element?, dialect)))
    };
    let mut members: Members<'_> = types.filter_map(shown).collect();
    if !is_usual(shared, dialect) {
        members.push(("shared", Shown::Bool(shared)));
    }
    members
}
