//! Packets of values: the type in the header says which record follows.

use formwork::modular_bitfield::prelude::*;
use formwork::schema::{Layout, numbered};
use formwork::wire::Number;
use formwork::{
    BinRead, BinWrite, Deferred, Each, Family, Fields, Nested, OrEnd, Padding, Schema, Slice,
    ToEnd, Within, binrw, record,
};

use super::{hold, sample};

pub const TYPE: u16 = 0;
pub const VALUE: u16 = 1;
pub const PAYLOAD: u16 = 2;

/// The values of a version of Godot.
pub struct Godot(pub u32);

type Types = &'static [(&'static str, fn(u64) -> Option<Layout>)];

fn single(layout: Layout) -> Option<Layout> {
    Some(layout)
}

fn either(flags: u64, narrow: Layout, wide: Layout) -> Option<Layout> {
    Some(if flags & 1 == 0 { narrow } else { wide })
}

const GODOT3: Types = &[
    ("Nil", |_| single(Nil::LAYOUT)),
    ("bool", |_| single(One::<u32>::LAYOUT)),
    ("int", |flags| either(flags, One::<i32>::LAYOUT, One::<i64>::LAYOUT)),
    ("float", |flags| either(flags, One::<f32>::LAYOUT, One::<f64>::LAYOUT)),
    ("String", |_| single(Text::LAYOUT)),
    ("Vector2", |_| single(Vector2::<f32>::LAYOUT)),
    ("Rect2", |_| single(<[Vector2<f32>; 2]>::LAYOUT)),
    ("Vector3", |_| single(<[f32; 3]>::LAYOUT)),
    ("Transform2D", |_| single(<[f32; 6]>::LAYOUT)),
    ("Plane", |_| single(<[f32; 4]>::LAYOUT)),
    ("Quat", |_| single(<[f32; 4]>::LAYOUT)),
    ("AABB", |_| single(<[f32; 6]>::LAYOUT)),
    ("Basis", |_| single(<[f32; 9]>::LAYOUT)),
    ("Transform", |_| single(<[f32; 12]>::LAYOUT)),
    ("Color", |_| single(<[f32; 4]>::LAYOUT)),
    ("NodePath", |_| single(NodePathRecord::LAYOUT)),
    ("RID", |_| None),
    ("Object", |flags| either(flags, ObjectRecord::LAYOUT, InstanceId::LAYOUT)),
    ("Dictionary", |_| single(DictionaryRecord::LAYOUT)),
    ("Array", |_| single(ArrayRecord::LAYOUT)),
    ("PoolByteArray", |_| single(PackedBytes::LAYOUT)),
    ("PoolIntArray", |_| single(PackedArray::<i32>::LAYOUT)),
    ("PoolRealArray", |_| single(PackedArray::<f32>::LAYOUT)),
    ("PoolStringArray", |_| single(PackedStrings::LAYOUT)),
    ("PoolVector2Array", |_| single(PackedArray::<Vector2<f32>>::LAYOUT)),
];

const GODOT4: Types = &[
    ("Nil", |_| single(Nil::LAYOUT)),
    ("bool", |_| single(One::<u32>::LAYOUT)),
    ("int", |flags| either(flags, One::<i32>::LAYOUT, One::<i64>::LAYOUT)),
    ("float", |flags| either(flags, One::<f32>::LAYOUT, One::<f64>::LAYOUT)),
    ("String", |_| single(Text::LAYOUT)),
    ("Vector2", |flags| either(flags, Vector2::<f32>::LAYOUT, Vector2::<f64>::LAYOUT)),
    ("Vector2i", |_| single(<[i32; 2]>::LAYOUT)),
    ("Rect2", |_| single(<[f32; 4]>::LAYOUT)),
    ("Rect2i", |_| single(<[i32; 4]>::LAYOUT)),
    ("Vector3", |_| single(<[f32; 3]>::LAYOUT)),
    ("Vector3i", |_| single(<[i32; 3]>::LAYOUT)),
    ("Transform2D", |_| single(<[f32; 6]>::LAYOUT)),
    ("Vector4", |_| single(<[f32; 4]>::LAYOUT)),
    ("Vector4i", |_| single(<[i32; 4]>::LAYOUT)),
    ("Plane", |_| single(<[f32; 4]>::LAYOUT)),
    ("Quaternion", |_| single(<[f32; 4]>::LAYOUT)),
    ("AABB", |_| single(<[f32; 6]>::LAYOUT)),
    ("Basis", |_| single(<[f32; 9]>::LAYOUT)),
    ("Transform3D", |_| single(<[f32; 12]>::LAYOUT)),
    ("Projection", |_| single(<[f32; 16]>::LAYOUT)),
    ("Color", |_| single(<[f32; 4]>::LAYOUT)),
    ("StringName", |_| single(Text::LAYOUT)),
    ("NodePath", |_| single(NodePathRecord::LAYOUT)),
    ("RID", |_| single(One::<u64>::LAYOUT)),
    ("Object", |flags| either(flags, ObjectRecord::LAYOUT, InstanceId::LAYOUT)),
    ("Callable", |_| single(Nil::LAYOUT)),
    ("Signal", |_| single(SignalRecord::LAYOUT)),
    ("Dictionary", |_| single(DictionaryRecord::LAYOUT)),
    ("Array", |flags| match flags & 3 {
        0 => Some(ArrayRecord::LAYOUT),
        1 => Some(TypedArrayRecord::LAYOUT),
        _ => None,
    }),
    ("PackedByteArray", |_| single(PackedBytes::LAYOUT)),
    ("PackedInt32Array", |_| single(PackedArray::<i32>::LAYOUT)),
    ("PackedInt64Array", |_| single(PackedArray::<i64>::LAYOUT)),
    ("PackedFloat32Array", |_| single(PackedArray::<f32>::LAYOUT)),
    ("PackedFloat64Array", |_| single(PackedArray::<f64>::LAYOUT)),
    ("PackedStringArray", |_| single(PackedStrings::LAYOUT)),
    ("PackedVector2Array", |_| single(PackedArray::<Vector2<f32>>::LAYOUT)),
];

impl Godot {
    const fn types(&self) -> Types {
        if self.0 == 3 { GODOT3 } else { GODOT4 }
    }
}

impl Family for Godot {
    fn nested(&self, id: u16, fields: &Fields<'_>) -> Option<Layout> {
        if id == VALUE {
            // The low byte is the type, whatever the rest of the word has.
            let name = fields.rest().first().and_then(|id| self.name(TYPE, (*id).into()));
            return Some(match name {
                Some("int" | "float" | "Vector2") | None => Value::<WideHeader>::LAYOUT,
                Some("Object") => Value::<ObjectHeader>::LAYOUT,
                Some("Array") => Value::<ArrayHeader>::LAYOUT,
                Some("Dictionary") => Value::<DictionaryHeader>::LAYOUT,
                Some(_) => Value::<PlainHeader>::LAYOUT,
            });
        }
        let word = fields.number("header")? as u64;
        self.types().get(usize::from(word as u8))?.1(word >> 16)
    }

    fn name(&self, _: u16, number: u64) -> Option<&str> {
        self.types().get(usize::try_from(number).ok()?).map(|it| it.0)
    }
}

const KINDS: &[(i128, &str)] = &numbered(["untyped", "built-in type", "class name", "script path"]);

macro_rules! words {
    ($( $(#[$doc:meta])* $name:ident: $raw:ident { $( $(#[$part:meta])* $field:ident: $width:ty, )+ } )+) => { $(
        $(#[$doc])*
        #[derive(BinRead, BinWrite, Schema)]
        #[bitfield]
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        #[br(map = |raw: $raw| Self::from(raw))]
        #[bw(map = |word: &Self| $raw::from(*word))]
        #[repr($raw)]
        pub struct $name { $( $(#[$part])* pub $field: $width, )+ }
    )+ };
}
pub(super) use words;

words! {
    /// Header of a type without flags.
    PlainHeader: u32 {
        /// Number of the type.
        #[schema(family = TYPE)] type_id: B8,
        #[schema(zero)] unused: B24,
    }
    /// Header of a type whose numbers have two widths.
    WideHeader: u32 {
        #[schema(family = TYPE)] type_id: B8,
        #[schema(zero)] unused: B8,
        /// Numbers have 64 bits.
        flag_64: bool,
        #[schema(zero)] unused_high: B15,
    }
    /// Header of an object.
    ObjectHeader: u32 {
        #[schema(family = TYPE)] type_id: B8,
        #[schema(zero)] unused: B8,
        as_id: bool,
        #[schema(zero)] unused_high: B15,
    }
    /// Header of an array.
    ArrayHeader: u32 {
        #[schema(family = TYPE)] type_id: B8,
        #[schema(zero)] unused: B8,
        #[schema(names = KINDS)] element_kind: B2,
        #[schema(zero)] unused_high: B14,
    }
    /// Header of a dictionary.
    DictionaryHeader: u32 {
        #[schema(family = TYPE)] type_id: B8,
        #[schema(zero)] unused: B8,
        #[schema(names = KINDS)] key_kind: B2,
        #[schema(names = KINDS)] value_kind: B2,
        #[schema(zero)] unused_high: B12,
    }
    /// How many elements or pairs a container has.
    ContainerCount: u32 {
        count: B31,
        shared: bool,
    }
    /// First word of a path.
    NameCount: u32 {
        count: B31,
        separate: bool,
    }
    /// The flags of a path.
    NodePathFlags: u32 {
        absolute: bool,
        property: bool,
        #[schema(zero)] unused: B30,
    }
}

/// A value: its header, and what the type in it says.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct Value<H>
where
    H: Schema + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
{
    pub header: H,
    pub payload: Nested<PAYLOAD>,
}

/// Nothing.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct Nil {}

/// One number.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct One<T: Number + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>> {
    pub value: T,
}

/// Numbers that a format has in two widths.
pub trait Real:
    Number + Default + PartialEq + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>
{
}

impl Real for f32 {}
impl Real for f64 {}

/// A point.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
#[brw(little)]
pub struct Vector2<T: Real = f32> {
    pub x: T,
    pub y: T,
}

impl<T: Real> Number for Vector2<T> {
    const BYTES: usize = 2 * T::BYTES;

    fn read(bytes: Vec<u8>, endian: binrw::Endian) -> Vec<Self> {
        let numbers = <T as Number>::read(bytes, endian);
        numbers.as_chunks().0.iter().map(|[x, y]| Self { x: *x, y: *y }).collect()
    }

    fn write<W: std::io::Write>(
        all: &[Self],
        endian: binrw::Endian,
        out: &mut W,
    ) -> std::io::Result<()> {
        let numbers: Vec<T> = all.iter().flat_map(|it| [it.x, it.y]).collect();
        <T as Number>::write(&numbers, endian, out)
    }
}

/// A string: its length, its bytes, zeros up to a multiple of four.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Text<'a> {
    pub length: u32,
    #[br(count = length)]
    #[schema(text)]
    pub bytes: Slice<'a>,
    #[br(args(length.into()))]
    pub padding: Padding<4>,
}

/// A string in an array of strings, whose zero is counted.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct TerminatedText<'a> {
    pub length: u32,
    #[br(count = length)]
    #[schema(terminated)]
    pub bytes: Slice<'a>,
    #[br(args(length.into()))]
    pub padding: Padding<4>,
}

/// Numbers of one kind.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct PackedArray<'a, T: Number> {
    pub count: u32,
    #[br(count = count)]
    pub elements: Slice<'a, T>,
}

/// Bytes, padded.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct PackedBytes<'a> {
    pub count: u32,
    #[br(count = count)]
    pub elements: Slice<'a>,
    #[br(args(count.into()))]
    pub padding: OrEnd<Padding<4>>,
}

/// Strings.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct PackedStrings<'a> {
    pub count: i32,
    #[br(count = count.max(0))]
    pub elements: Each<TerminatedText<'static>>,
    #[br(ignore)]
    #[bw(ignore)]
    pub life: std::marker::PhantomData<&'a ()>,
}

/// A path to a node or property.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct NodePathRecord<'a> {
    pub name_count: NameCount,
    pub subname_count: u32,
    pub flags: NodePathFlags,
    #[br(count = name_count.count())]
    pub names: Each<Text<'static>>,
    #[br(count = subname_count)]
    pub subnames: Each<Text<'static>>,
    #[br(if(flags.property()))]
    pub property: Option<Text<'a>>,
}

/// An object by its number.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct InstanceId {
    pub id: u64,
}

/// An object in full.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct ObjectRecord<'a> {
    pub class: Text<'a>,
    #[br(if(class.length > 0))]
    pub properties: Option<ObjectProperties>,
}

/// The properties of an object.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct ObjectProperties {
    pub property_count: i32,
    #[br(count = property_count.max(0))]
    pub properties: Deferred<Each<Property<'static>>>,
}

/// A property of an object.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Property<'a> {
    pub name: Text<'a>,
    pub value: Nested<VALUE>,
}

/// A signal of an object.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct SignalRecord<'a> {
    pub name: Text<'a>,
    pub object_id: u64,
}

/// An array.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct ArrayRecord {
    pub count: ContainerCount,
    #[br(count = count.count())]
    pub elements: Deferred<Each<Nested<VALUE>>>,
}

/// An array whose elements have one built-in type.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct TypedArrayRecord {
    #[schema(family = TYPE)]
    pub element: u32,
    pub array: ArrayRecord,
}

/// A dictionary.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct DictionaryRecord {
    pub count: ContainerCount,
    #[br(count = count.count())]
    pub pairs: Deferred<Each<Pair>>,
}

/// A key and its value.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub key: Nested<VALUE>,
    pub value: Nested<VALUE>,
}

/// A length, and a packet.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct FrameHead {
    pub length: u32,
    #[br(args { bytes: length })]
    pub packet: Deferred<Within<Nested<VALUE>>>,
}

/// Frames up to the end.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    pub frames: Deferred<ToEnd<FrameHead>>,
}

/// A file of settings.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct SettingsFile {
    pub head: SettingsHead,
    #[br(count = head.count)]
    pub settings: Deferred<Each<SettingRecord<'static>>>,
}

/// The start of a file of settings.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct SettingsHead {
    #[schema(letters)]
    pub magic: u32,
    pub count: u32,
}

/// A setting.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct SettingRecord<'a> {
    pub name_length: u32,
    #[br(count = name_length)]
    #[schema(text)]
    pub name: Slice<'a>,
    pub length: u32,
    #[br(args { bytes: length })]
    pub value: Deferred<Within<Nested<VALUE>>>,
}

fn godot4() -> record::With<'static> {
    record::with(&Godot(4))
}

#[test]
fn words_say_the_type_and_its_flags() {
    hold::<PlainHeader>(godot4(), &[4, 0, 0, 0]);
    hold::<WideHeader>(godot4(), &[2, 0, 1, 0]);
    hold::<ArrayHeader>(godot4(), &[28, 0, 1, 0]);
    hold::<DictionaryHeader>(godot4(), &[27, 0, 6, 0]);
    hold::<NodePathFlags>(godot4(), &[3, 0, 0, 0]);
    let dump = godot4().dump::<DictionaryHeader>(&[27, 0, 6, 0]);
    assert!(
        dump.contains(
            "type_id Dictionary (27), key_kind class name (2), value_kind built-in type (1)"
        ),
        "{dump}"
    );
    let error = godot4().check::<PlainHeader>(&[4, 0, 0, 8]).unwrap_err();
    assert_eq!(error.rule(), formwork::wire::rule::RECORD_ZERO);
}

#[test]
fn texts_are_padded() {
    hold::<Text<'_>>(godot4(), b"\x05\0\0\0hello\0\0\0");
    hold::<TerminatedText<'_>>(godot4(), b"\x05\0\0\0hell\0\0\0\0");
    hold::<PackedArray<'_, i32>>(godot4(), b"\x01\0\0\0\x07\0\0\0");
    hold::<PackedArray<'_, Vector2<f64>>>(godot4(), &[&[1, 0, 0, 0][..], &[0; 16]].concat());
    hold::<PackedBytes<'_>>(godot4(), b"\x01\0\0\0\x07\0\0\0");
    hold::<PackedBytes<'_>>(godot4(), b"\x01\0\0\0\x07");
    hold::<PackedStrings<'_>>(godot4(), b"\x01\0\0\0\x01\0\0\0\0\0\0\0");
    hold::<NodePathRecord<'_>>(
        godot4(),
        b"\x01\0\0\x80\0\0\0\0\x03\0\0\0\x01\0\0\0a\0\0\0\x02\0\0\0bc\0\0",
    );
    hold::<SignalRecord<'_>>(godot4(), b"\x01\0\0\0a\0\0\0\x07\0\0\0\0\0\0\0");
    let odd = b"\x05\0\0\0hello\0\x01\0";
    let value: Text<'_> = record::from_slice(odd).unwrap();
    assert!(!value.padding.is_zero());
    assert_eq!(record::to_vec(&value).as_deref(), Ok(&odd[..]));
    assert_eq!(
        record::check::<Text<'_>>(odd).unwrap_err().to_string(),
        "offset 10 (0xa), padding: expected a zero, found 1 (malformed, rule record.zero)"
    );
    let cut = record::from_slice::<Text<'_>>(b"\x05\0\0\0hello\0").unwrap_err();
    assert_eq!(
        cut.to_string(),
        "offset 9 (0x9), padding: expected 3 bytes, found 1 left; at least 2 more bytes needed"
    );
    let mut text = Text { bytes: Slice::from(&b"hi"[..]), ..value };
    record::settle(&mut text).unwrap();
    assert_eq!(record::to_vec(&text).as_deref(), Ok(&b"\x02\0\0\0hi\0\0"[..]));
    let wrong = Text { padding: Padding::after(0), ..text };
    assert_eq!(
        record::to_vec(&wrong).unwrap_err().to_string(),
        "padding: expected 2 bytes of padding, found 0 (inexpressible, rule record.agreement)"
    );
}

#[test]
fn a_file_of_settings_has_a_packet_in_each_of_them() {
    let file = sample("settings/samples/4.6.3.settings.binary");
    hold::<SettingsFile>(godot4(), &file);
    let dump = godot4().dump::<SettingsFile>(&file);
    assert!(
        dump.contains("InputEventJoypadButton") && dump.contains("type_id Object (24)"),
        "{dump}"
    );
    let cut = godot4().check::<SettingsFile>(&file[..72]).unwrap_err();
    assert_eq!((cut.path().to_string().as_str(), cut.offset()), ("settings[1].value", 63));
    let godot = Godot(3);
    let file = sample("settings/samples/3.6.2.settings.binary");
    let odd = record::with(&godot).check::<SettingsFile>(&file).unwrap_err();
    assert_eq!(
        odd.to_string(),
        "offset 1032 (0x408), settings[8].value.payload.names[1].padding: expected a zero, found 42 \
         (malformed, rule record.zero)"
    );
}

#[test]
fn frames_are_in_either_order() {
    let godot = Godot(4);
    let with = record::with(&godot);
    hold::<Frames>(with, b"\x08\0\0\0\x02\0\0\0\x07\0\0\0\x04\0\0\0\0\0\0\0");
    hold::<FrameHead>(with.big_endian(), b"\0\0\0\x08\x02\0\0\0\x07\0\0\0");
    assert!(with.check::<FrameHead>(b"\0\0\0\x08\x02\0\0\0\x07\0\0\0").is_err());
}

#[test]
fn containers_nest_to_a_limit() {
    // An array in an array, and no end.
    let deep = [28, 0, 0, 0, 1, 0, 0, 0].repeat(100_000);
    let error = godot4().check::<Value<ArrayHeader>>(&deep).unwrap_err();
    assert_eq!(error.rule(), formwork::Rule::DEPTH_LIMIT);
    hold::<Value<ArrayHeader>>(godot4(), &[28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let unknown = godot4().check::<Value<PlainHeader>>(&[99, 0, 0, 0]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "offset 4 (0x4), payload: expected what the format knows, found header = 99 (malformed, rule record.nested)"
    );
    let alone = record::check::<Value<PlainHeader>>(&[0, 0, 0, 0]).unwrap_err();
    assert_eq!(alone.rule(), formwork::wire::rule::RECORD_NESTED);
}
