//! Packets of values: the type in the header says which record follows.

use formwork::schema::Layout;
use formwork::walk::{Name, Step, StepKind, Walk};
use formwork::wire::Number;
use formwork::{BinRead, BinWrite, Deferred, Family, Fields, Nested, Schema, ToEnd, binrw, record};
use formwork_godot::settings::{SettingRecord, SettingsFile, SettingsHead};
use formwork_records::schema::{TYPE_ID, VARIANT};
use formwork_records::wire::{Block, Padding};
use formwork_variant::frame::FrameHead;
use formwork_variant::packet::{
    ArrayHeader, ArrayRecord, AxisEvent, ContainerCount, DictionaryHeader, DictionaryRecord,
    ElementClass, ElementId, ElementName, ElementWord, ImageRecord, InputEventHead, InstanceId,
    KeyEvent, ModifierWord, NameCount, NodePathFlags, NodePathRecord, NumberedEvent, ObjectClass,
    ObjectHeader, ObjectProperties, PackedArray, PackedBytes, PackedStrings, Pair, PlainHeader,
    Property, SignalRecord, TerminatedText, Text, WholeHeader, WideHeader,
};
use formwork_variant::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D,
    Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

use super::{hold, sample};

/// What follows a header word.
const PAYLOAD: u16 = 100;

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
        if id == VARIANT {
            // The low byte is the type, whatever the rest of the word has.
            let name = fields.rest().first().and_then(|id| self.name(TYPE_ID, (*id).into()));
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

/// An object in full.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct ObjectRecord<'a> {
    pub class: Text<'a>,
    #[br(if(class.length > 0))]
    pub properties: Option<ObjectProperties>,
}

/// An array whose elements have one built-in type.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct TypedArrayRecord {
    #[schema(family = TYPE_ID)]
    pub element: u32,
    pub array: ArrayRecord,
}

/// Frames up to the end.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    pub frames: Deferred<ToEnd<FrameHead>>,
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
    hold::<WholeHeader>(godot4(), &[4, 0, 0, 0]);
    hold::<ObjectHeader>(godot4(), &[24, 0, 1, 0]);
    hold::<ContainerCount>(godot4(), &[3, 0, 0, 0x80]);
    hold::<ElementWord>(godot4(), &[4, 0, 0, 0]);
    hold::<NameCount>(godot4(), &[1, 0, 0, 0x80]);
    hold::<ModifierWord>(godot4(), &[0, 0, 0, 2]);
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
fn numbers_are_in_either_width() {
    macro_rules! hold_all {
        ($($name:ident)+) => { $(
            hold::<$name<f32>>(godot4(), &vec![0x3f; size_of::<$name<f32>>()]);
            hold::<$name<f64>>(godot4(), &vec![0x3f; size_of::<$name<f64>>()]);
        )+ };
    }
    hold_all!(Vector2 Rect2 Vector3 Vector4 Transform2D Plane Quaternion Aabb Basis);
    hold_all!(Transform3D Projection);
    hold::<Vector2i>(godot4(), &[7; 8]);
    hold::<Vector3i>(godot4(), &[7; 12]);
    hold::<Vector4i>(godot4(), &[7; 16]);
    hold::<Rect2i>(godot4(), &[7; 16]);
    hold::<Color>(godot4(), &[0x3f; 16]);
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
    hold::<ElementId>(godot4(), &[4, 0, 0, 0]);
    hold::<ElementName<'_>>(godot4(), b"\x04\0\0\0Node");
    hold::<ElementClass>(godot4(), b"\x15\0\0\0\x04\0\0\0Node");
    hold::<InstanceId>(godot4(), &[7; 8]);
    hold::<ObjectClass<'_>>(godot4(), b"\x04\0\0\0Node");
    hold::<ObjectProperties>(godot4(), b"\x01\0\0\0\x01\0\0\0a\0\0\0\0\0\0\0");
    hold::<Property<'_>>(godot4(), b"\x01\0\0\0a\0\0\0\0\0\0\0");
    hold::<Pair>(godot4(), &[0; 8]);
    hold::<DictionaryRecord>(godot4(), &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    hold::<ArrayRecord>(godot4(), &[1, 0, 0, 0, 0, 0, 0, 0]);
    hold::<ImageRecord<'_>>(godot4(), b"\x04\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x03\0\0\0rgb\0");
    hold::<InputEventHead>(godot4(), &[1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0]);
    hold::<KeyEvent>(godot4(), &[0, 0, 0, 2, 65, 0, 0, 0]);
    hold::<NumberedEvent>(godot4(), &[1, 0, 0, 0]);
    hold::<AxisEvent>(godot4(), &[1, 0, 0, 0, 0, 0, 0x80, 0x3f]);
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
        "offset 9 (0x9), padding: expected 3 bytes of padding, found 1 left; at least 2 more bytes needed"
    );
    let mut text = Text { bytes: Block(b"hi"[..].into()), ..value };
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
    hold::<SettingsHead>(godot4(), &file[..8]);
    hold::<SettingRecord<'_>>(godot4(), b"\x01\0\0\0a\x04\0\0\0\0\0\0\0");
    let dump = godot4().dump::<SettingsFile>(&file);
    assert!(
        dump.contains("InputEventJoypadButton") && dump.contains("type_id Object (24)"),
        "{dump}"
    );
    let cut = godot4().check::<SettingsFile>(&file[..72]).unwrap_err();
    assert_eq!((cut.path().to_string().as_str(), cut.offset()), ("settings[1]", 63));
    let godot = Godot(3);
    let file = sample("settings/samples/3.6.2.settings.binary");
    let odd = record::with(&godot).check::<SettingsFile>(&file).unwrap_err();
    assert_eq!(
        odd.to_string(),
        "offset 1032 (0x408), settings[8].payload.names[1].padding: expected a zero, found 42 \
         (malformed, rule record.zero)"
    );
}

#[test]
fn frames_hold_a_packet_each() {
    let godot = Godot(4);
    let with = record::with(&godot);
    hold::<FrameHead>(with, b"\x08\0\0\0\x02\0\0\0\x07\0\0\0");
    hold::<Frames>(with, b"\x08\0\0\0\x02\0\0\0\x07\0\0\0\x04\0\0\0\0\0\0\0");
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

/// Returns the next step of the walk of an inspector.
fn next_step(walk: &mut Walk<'_>) -> formwork::Result<Step> {
    loop {
        if let Some(step) = walk.advance()? {
            return Ok(step);
        }
        assert!(!walk.is_over());
    }
}

#[test]
fn an_inspector_sees_the_elements_before_the_cut() {
    let bytes = b"\x03\0\0\0\x07\0\0\0\x08\0";
    let layout = PackedArray::<i32>::LAYOUT;
    let mut walk = Walk::inspecting(layout, Name::Field("array"), bytes);
    let steps: Vec<_> = (0..3).map(|_| next_step(&mut walk).unwrap()).collect();
    let [record, count, elements] = &steps[..] else { unreachable!() };
    assert!(matches!(record.kind, StepKind::Record(_)));
    assert_eq!((count.bytes.clone(), count.missing), (0..4, 0));
    assert_eq!((elements.bytes.clone(), elements.missing), (4..8, 2));
    let mut again = walk.clone();
    assert_eq!(
        next_step(&mut walk).unwrap_err().to_string(),
        "offset 4 (0x4), array.elements: expected 3 elements of 4 bytes, found 6 left; at least 6 more bytes needed"
    );
    again.again(elements, i32::LAYOUT, 0);
    assert_eq!(next_step(&mut again).unwrap().bytes, 4..8);
    assert_eq!(next_step(&mut again).unwrap_err().path().to_string(), "array.elements[1]");
}

#[test]
fn an_inspector_enters_nested_places() {
    let bytes = [1, 0, 0, 0, 2, 0, 0, 0, 42, 0, 0, 0];
    let mut walk = Walk::inspecting(ArrayRecord::LAYOUT, Name::Same, &bytes);
    let nested = loop {
        let step = next_step(&mut walk).unwrap();
        if let StepKind::Nested(id) = step.kind {
            assert_eq!(id, VARIANT);
            break step;
        }
    };
    assert_eq!((nested.name, nested.bytes), (Name::Index(0), 4..4));
    walk.name(Name::Field("int"));
    walk.enter(WideHeader::LAYOUT, Name::Field("header"));
    assert_eq!(next_step(&mut walk).unwrap().bytes, 4..8);
    assert_eq!(walk.path().to_string(), "[0].int.header");
    walk.enter(i32::LAYOUT, Name::Same);
    assert_eq!(next_step(&mut walk).unwrap().bytes, 8..12);
    while !walk.is_over() {
        assert!(walk.advance().unwrap().is_none());
    }
}
