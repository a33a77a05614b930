//! `Arbitrary` for the wire records: counts and padding agree with the contents.

use std::borrow::Cow;

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{Config, text};
use crate::dialect::Dialect;
use crate::frame::FrameHead;
use crate::packet::{
    ArrayHeader, ArrayRecord, AxisEvent, ContainerCount, DictionaryHeader, DictionaryRecord,
    ElementClass, ElementId, ElementName, ElementWord, ImageRecord, InputEventHead, InstanceId,
    KeyEvent, ModifierWord, NameCount, NodePathFlags, NodePathRecord, NumberedEvent, ObjectClass,
    ObjectHeader, ObjectProperties, PackedArray, PackedBytes, PackedStrings, Pair, PlainHeader,
    Property, SignalRecord, TerminatedText, Text, WholeHeader, WideHeader,
};
use crate::{Image, NodePath, VariantString};
use formwork::Schema;
use formwork_records::wire::{Block, Each, Element, Padding};

formwork_records::words! {
    ArrayHeader: u32
    ContainerCount: u32
    DictionaryHeader: u32
    ElementWord: u32
    ModifierWord: u32
    NameCount: u32
    NodePathFlags: u32
    ObjectHeader: u32
    PlainHeader: u32
    WholeHeader: u32
    WideHeader: u32
}

formwork_records::plain! {
    FrameHead { length, packet }
    ArrayRecord { count, elements }
    DictionaryRecord { count, pairs }
    Pair { key, value }
    ElementClass { class }
    InstanceId { id }
    ObjectProperties { property_count, properties }
    KeyEvent { modifiers, scancode }
    NumberedEvent { number }
    AxisEvent { axis, value }
}

/// The number of a type that some dialect has.
impl<'a> Arbitrary<'a> for ElementId {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let dialect = Dialect::arbitrary(u)?;
        Ok(Self { type_id: u.choose_index(dialect.rows().len())? as u32 })
    }
}

/// The length is that of the type of event in Godot 2.1.
impl<'a> Arbitrary<'a> for InputEventHead {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let event_type = u.int_in_range(0..=8)?;
        let rest = match event_type {
            1 | 4 => 8,
            3 | 5 | 6 => 4,
            _ => 0,
        };
        Ok(Self { event_type, device: u.arbitrary()?, length: 12 + rest })
    }
}

fn bytes_of(text: &VariantString) -> Vec<u8> {
    text.as_bytes().to_vec()
}

impl<'a> Arbitrary<'a> for Text<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::new(bytes_of(&u.arbitrary()?)))
    }
}

impl<'a> Arbitrary<'a> for TerminatedText<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::new(u.arbitrary::<VariantString>()?.as_bytes()))
    }
}

impl<'a, T> Arbitrary<'a> for PackedArray<'static, T>
where
    T: Element,
    T::Number: Schema,
{
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::new(Block::arbitrary(u)?.0))
    }
}

impl<'a> Arbitrary<'a> for PackedBytes<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::new(Block::arbitrary(u)?.0))
    }
}

impl<'a> Arbitrary<'a> for PackedStrings<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let elements: Each<TerminatedText<'static>> = u.arbitrary()?;
        Ok(Self { count: elements.len() as i32, elements })
    }
}

/// A path of Godot 2 or of Godot 4.
impl<'a> Arbitrary<'a> for NodePathRecord<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let dialect = if u.arbitrary()? { Dialect::GODOT2 } else { Dialect::GODOT4 };
        let NodePath { absolute, names, subnames, property } =
            text::node_path(u, dialect.quirks(), &Config::default())?;
        let texts = |list: &[VariantString]| {
            Each(list.iter().map(|text| Text::new(bytes_of(text))).collect::<Vec<_>>())
        };
        Ok(Self {
            name_count: NameCount::from(names.len() as u32).with_separate(true),
            subname_count: subnames.len() as u32,
            flags: NodePathFlags::new().with_absolute(absolute).with_property(property.is_some()),
            names: texts(&names),
            subnames: texts(&subnames),
            property: property.map(|text| Text::new(bytes_of(&text))),
        })
    }
}

impl<'a> Arbitrary<'a> for ImageRecord<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let Image { format, mipmaps, width, height, data } = u.arbitrary()?;
        Ok(Self {
            format,
            mipmaps,
            width,
            height,
            length: data.len() as i32,
            padding: Padding::or_end(data.len()),
            data: Block(Cow::Owned(data)),
        })
    }
}

/// Records that are one text, or start with one.
macro_rules! texts {
    ($( $record:ident { $text:ident $(, $field:ident)* } )+) => { $(
        impl<'a> Arbitrary<'a> for $record<'static> {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                Ok(Self { $text: u.arbitrary()? $(, $field: u.arbitrary()? )* })
            }
        }
    )+ };
}

texts! {
    ElementName { name }
    ObjectClass { class }
    Property { name, value }
    SignalRecord { name, object_id }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;
    use std::io;

    use binrw::{BinRead, BinWrite, Endian};

    use super::*;
    use crate::packet::{
        ArrayHeader, ContainerCount, DictionaryHeader, ElementWord, ModifierWord, ObjectHeader,
        PlainHeader, WholeHeader, WideHeader,
    };
    use crate::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D,
        Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
    };
    use formwork_alb1::record::{
        ArrayRecord as ArrayRecordOfAlb1, DoubleArrayRecord, FieldRecord, FloatArrayRecord, Header,
        IntArrayRecord, ObjectPointer, ObjectRecord, PairRecord, RawArrayRecord, RootRecord,
        ShortArrayRecord, StringRecord, TableEntry, TableRecord,
    };
    use formwork_alb1::tree::{BoundingBox, ChildMask, Colour, Group, Leaf, Node, Object};
    use formwork_records::schema::{Layout, Occurs};
    use formwork_records::wire::{Cursor, read_record};

    /// Checks a type, and adds its declared name. All types in one function take the compiler long.
    #[inline(never)]
    fn comes_back<T>(names: &mut BTreeSet<&'static str>)
    where
        T: for<'a> Arbitrary<'a>
            + for<'a> BinRead<Args<'a> = ()>
            + for<'a> BinWrite<Args<'a> = ()>
            + Schema
            + Debug,
    {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let name = std::any::type_name::<T>();
        names.extend(name_of(T::LAYOUT));
        for round in 0..500 {
            let mut seed = vec![0; round % 400];
            for byte in &mut seed {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                *byte = state as u8;
            }
            let record = T::arbitrary(&mut Unstructured::new(&seed)).expect(name);
            let mut bytes = io::Cursor::new(Vec::new());
            record.write_options(&mut bytes, Endian::Little, ()).expect(name);
            let bytes = bytes.into_inner();
            let mut input = Cursor::new(&bytes);
            let again: T = read_record(&mut input).expect(name);
            assert_eq!(input.left(), 0, "{name}: {record:?}");
            assert_eq!(format!("{again:?}"), format!("{record:?}"), "{name}");
            // The bytes too: a NaN's bits do not show in its text.
            let mut rewritten = io::Cursor::new(Vec::new());
            again.write_options(&mut rewritten, Endian::Little, ()).expect(name);
            assert_eq!(rewritten.into_inner(), bytes, "{name}: {record:?}");
            if let Some(size) = T::SIZE {
                assert_eq!(bytes.len(), size, "{name}");
            }
        }
    }

    const fn name_of(shape: Layout) -> Option<&'static str> {
        match shape {
            Layout::Record(record) => Some(record.name),
            Layout::Word(word) => Some(word.name),
            _ => None,
        }
    }

    /// The names of everything that is declared for a packet of some dialect, or for ALB1.
    fn declared() -> BTreeSet<&'static str> {
        let mut names = BTreeSet::new();
        let mut waiting = vec![Layout::Record(crate::frame::RECORD)];
        waiting.extend(formwork_alb1::FieldType::ALL.iter().filter_map(|one| one.layout()));
        for dialect in Dialect::all() {
            for row in dialect.rows() {
                let packet = dialect.packet(row.variant_type).expect("the dialect has the type");
                waiting.push(Layout::Word(packet.header.word()));
                waiting.extend(packet.payload.iter().map(|field| field.element()));
            }
        }
        while let Some(shape) = waiting.pop() {
            names.extend(name_of(shape));
            if let Layout::Record(record) = shape {
                waiting.extend(record.fields.iter().map(|field| field.element()));
            }
        }
        names
    }

    macro_rules! all {
        ($names:ident: $($record:ty),+ $(,)?) => { $( comes_back::<$record>(&mut $names); )+ };
    }

    #[test]
    fn every_declared_record_is_read_as_it_was_written() {
        let mut tested = BTreeSet::new();
        all!(
            tested: ElementWord,
            WholeHeader,
            PlainHeader,
            WideHeader,
            ObjectHeader,
            ArrayHeader,
            DictionaryHeader,
            ContainerCount,
            NameCount,
            NodePathFlags,
            ModifierWord,
            FrameHead,
            ArrayRecord,
            DictionaryRecord,
            Pair,
            ElementClass,
            ElementId,
            ElementName<'static>,
            Text<'static>,
            TerminatedText<'static>,
            PackedBytes<'static>,
            PackedStrings<'static>,
            NodePathRecord<'static>,
            ImageRecord<'static>,
            InputEventHead,
            KeyEvent,
            NumberedEvent,
            AxisEvent,
            InstanceId,
            ObjectClass<'static>,
            ObjectProperties,
            Property<'static>,
            SignalRecord<'static>,
        );
        all!(
            tested: PackedArray<'static, u8>,
            PackedArray<'static, i32>,
            PackedArray<'static, i64>,
            PackedArray<'static, f32>,
            PackedArray<'static, f64>,
            PackedArray<'static, Vector2<f32>>,
            PackedArray<'static, Vector2<f64>>,
            PackedArray<'static, Vector3<f32>>,
            PackedArray<'static, Vector3<f64>>,
            PackedArray<'static, Vector4<f32>>,
            PackedArray<'static, Vector4<f64>>,
            PackedArray<'static, Vector2i>,
            PackedArray<'static, Vector3i>,
            PackedArray<'static, Vector4i>,
            PackedArray<'static, Color>,
        );
        all!(
            tested: Vector2<f32>,
            Vector2<f64>,
            Vector2i,
            Rect2<f32>,
            Rect2<f64>,
            Rect2i,
            Vector3<f32>,
            Vector3<f64>,
            Vector3i,
            Transform2D<f32>,
            Transform2D<f64>,
            Vector4<f32>,
            Vector4<f64>,
            Vector4i,
            Plane<f32>,
            Plane<f64>,
            Quaternion<f32>,
            Quaternion<f64>,
            Aabb<f32>,
            Aabb<f64>,
            Basis<f32>,
            Basis<f64>,
            Transform3D<f32>,
            Transform3D<f64>,
            Projection<f32>,
            Projection<f64>,
            Color,
        );
        all!(
            tested: Header,
            TableRecord,
            TableEntry<'static>,
            FieldRecord,
            StringRecord<'static>,
            ArrayRecordOfAlb1,
            RawArrayRecord<'static>,
            ObjectRecord,
            RootRecord,
            ObjectPointer,
            PairRecord,
            ShortArrayRecord<'static>,
            IntArrayRecord<'static>,
            FloatArrayRecord<'static>,
            DoubleArrayRecord<'static>,
        );
        all!(
            tested: BoundingBox<f32>,
            BoundingBox<f64>,
            ChildMask,
            Colour,
            Node<f32>,
            Node<f64>,
            Leaf<f32>,
            Leaf<f64>,
            Group,
            Object,
        );
        let missed: Vec<_> = declared().difference(&tested).copied().collect();
        assert!(missed.is_empty(), "{missed:?} are declared too");
    }
}
