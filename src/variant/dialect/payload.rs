//! Which header word and which records make up a packet of a type.

use super::{Dialect, ObjectForms, Precision};
use crate::schema::{Expression, Field, Meaning, Occurs, Operator, Schema, derived};
use crate::variant::packet::{
    ArrayRecord, AxisEvent, DictionaryRecord, ElementClass, ElementId, ElementName, ElementWord,
    Header, ImageRecord, InputEventHead, InstanceId, KeyEvent, NodePathRecord, NumberedEvent,
    ObjectClass, ObjectProperties, PackedArray, PackedBytes, PackedStrings, SignalRecord, Text,
};
use crate::variant::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D,
    VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// What a packet looks like: a header word, then fields. The fields' conditions may name the
/// header's flags (`header.flag_64()`) and earlier fields.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// The header word.
    pub header: Header,
    /// What follows it.
    pub payload: &'static [Field],
}

const fn field<T: Schema>(name: &'static str, doc: &'static str, occurs: Occurs) -> Field {
    Field {
        name,
        doc,
        shape: derived::shape::<T>,
        occurs,
        meaning: Meaning::Plain,
        inline: false,
        nested: false,
    }
}

/// A field whose own fields count as the packet's.
const fn inline<T: Schema>(name: &'static str, doc: &'static str, occurs: Occurs) -> Field {
    Field { inline: true, ..field::<T>(name, doc, occurs) }
}

const fn once<T: Schema>() -> [Field; 1] {
    [inline::<T>("value", "", Occurs::Once)]
}

/// A number or vector in two widths, told apart by the header's flag.
const fn either<N: Schema, W: Schema>() -> [Field; 2] {
    [
        inline::<N>("value", "In 32 bits.", Occurs::If(Expression::Not(&FLAG_64))),
        inline::<W>("value", "In 64 bits.", Occurs::If(FLAG_64)),
    ]
}

/// The packet of a math type of real numbers: with a flag in Godot 4, without one elsewhere.
macro_rules! real {
    ($dialect:ident, $($single:ty, $double:ty)?) => { $(
        if $dialect.rules().real_flag {
            Packet { header: Header::Wide, payload: const { &either::<$single, $double>() } }
        } else {
            Packet { header: Header::Plain, payload: const { &once::<$single>() } }
        }
    )? };
}

/// What a packet of this type looks like in this dialect.
pub(super) fn packet(dialect: Dialect, variant_type: VariantType) -> Packet {
    let rules = dialect.rules();
    let wide_without_flag = dialect.precision() == Precision::Double && rules.real_flag_missing;
    let mut packet = match variant_type {
        VariantType::Nil | VariantType::Callable => plain(&[]),
        VariantType::Bool => plain(BOOL),
        VariantType::Int if rules.whole_header => plain(const { &once::<i32>() }),
        VariantType::Int => {
            Packet { header: Header::Wide, payload: const { &either::<i32, i64>() } }
        }
        VariantType::Float if rules.whole_header => plain(const { &once::<f32>() }),
        VariantType::Float => {
            Packet { header: Header::Wide, payload: const { &either::<f32, f64>() } }
        }
        VariantType::String | VariantType::StringName => plain(const { &once::<Text<'static>>() }),
        VariantType::Vector2 => real!(dialect, Vector2<f32>, Vector2<f64>),
        VariantType::Rect2 => real!(dialect, Rect2<f32>, Rect2<f64>),
        VariantType::Vector3 => real!(dialect, Vector3<f32>, Vector3<f64>),
        VariantType::Vector4 if wide_without_flag => plain(const { &once::<Vector4<f64>>() }),
        VariantType::Vector4 => real!(dialect, Vector4<f32>, Vector4<f64>),
        VariantType::Transform2D => real!(dialect, Transform2D<f32>, Transform2D<f64>),
        VariantType::Plane => real!(dialect, Plane<f32>, Plane<f64>),
        VariantType::Quaternion => real!(dialect, Quaternion<f32>, Quaternion<f64>),
        VariantType::Aabb => real!(dialect, Aabb<f32>, Aabb<f64>),
        VariantType::Basis => real!(dialect, Basis<f32>, Basis<f64>),
        VariantType::Transform3D => real!(dialect, Transform3D<f32>, Transform3D<f64>),
        VariantType::Projection if wide_without_flag => plain(const { &once::<Projection<f64>>() }),
        VariantType::Projection => real!(dialect, Projection<f32>, Projection<f64>),
        VariantType::Vector2i => plain(const { &once::<Vector2i>() }),
        VariantType::Rect2i => plain(const { &once::<Rect2i>() }),
        VariantType::Vector3i => plain(const { &once::<Vector3i>() }),
        VariantType::Vector4i => plain(const { &once::<Vector4i>() }),
        VariantType::Color => plain(const { &once::<Color>() }),
        VariantType::NodePath => plain(const { &once::<NodePathRecord<'static>>() }),
        VariantType::Rid if rules.rid_id => plain(const { &once::<u64>() }),
        VariantType::Rid => plain(&[]),
        VariantType::Object if rules.objects == ObjectForms::HeaderOnly => plain(&[]),
        VariantType::Object => Packet { header: Header::Object, payload: OBJECT },
        VariantType::Signal => plain(const { &once::<SignalRecord<'static>>() }),
        VariantType::Dictionary if rules.typed_dictionaries => {
            Packet { header: Header::Dictionary, payload: TYPED_DICTIONARY }
        }
        VariantType::Dictionary => plain(const { &once::<DictionaryRecord>() }),
        VariantType::Array if rules.typed_arrays => {
            Packet { header: Header::Array, payload: TYPED_ARRAY }
        }
        VariantType::Array => plain(const { &once::<ArrayRecord>() }),
        VariantType::TypedArray | VariantType::PackedTypedArray => {
            Packet { header: Header::Object, payload: PANDEMONIUM_TYPED_ARRAY }
        }
        VariantType::PackedByteArray => plain(const { &once::<PackedBytes<'static>>() }),
        VariantType::PackedInt32Array => plain(const { &once::<PackedArray<'static, i32>>() }),
        VariantType::PackedInt64Array => plain(const { &once::<PackedArray<'static, i64>>() }),
        VariantType::PackedFloat32Array => plain(const { &once::<PackedArray<'static, f32>>() }),
        VariantType::PackedFloat64Array => plain(const { &once::<PackedArray<'static, f64>>() }),
        VariantType::PackedStringArray => plain(const { &once::<PackedStrings<'static>>() }),
        VariantType::PackedVector2Array => {
            real!(dialect, PackedArray<'static, Vector2<f32>>, PackedArray<'static, Vector2<f64>>)
        }
        VariantType::PackedVector3Array => {
            real!(dialect, PackedArray<'static, Vector3<f32>>, PackedArray<'static, Vector3<f64>>)
        }
        VariantType::PackedVector4Array => {
            real!(dialect, PackedArray<'static, Vector4<f32>>, PackedArray<'static, Vector4<f64>>)
        }
        VariantType::PackedVector2iArray => {
            plain(const { &once::<PackedArray<'static, Vector2i>>() })
        }
        VariantType::PackedVector3iArray => {
            plain(const { &once::<PackedArray<'static, Vector3i>>() })
        }
        VariantType::PackedVector4iArray => {
            plain(const { &once::<PackedArray<'static, Vector4i>>() })
        }
        VariantType::PackedColorArray => plain(const { &once::<PackedArray<'static, Color>>() }),
        VariantType::Image => plain(const { &once::<ImageRecord<'static>>() }),
        VariantType::InputEvent if !rules.joystick_value => plain(INPUT_EVENT_2_0),
        VariantType::InputEvent => plain(INPUT_EVENT),
    };
    if rules.whole_header {
        packet.header = Header::Whole;
    }
    packet
}

const fn plain(payload: &'static [Field]) -> Packet {
    Packet { header: Header::Plain, payload }
}

/// The header's flag that numbers are 64 bits wide.
const FLAG_64: Expression = Expression::Path(&["header", "flag_64"]);
/// The header's flag that an object is its number.
const AS_ID: Expression = Expression::Path(&["header", "as_id"]);
const IN_FULL: Expression = Expression::Not(&AS_ID);
const HAS_CLASS: Expression = Expression::Binary(
    &Expression::Path(&["object", "class", "length"]),
    Operator::More,
    &Expression::Number(0),
);
const ELEMENT_KIND: Expression = Expression::Path(&["header", "element_kind"]);
const KEY_KIND: Expression = Expression::Path(&["header", "key_kind"]);
const VALUE_KIND: Expression = Expression::Path(&["header", "value_kind"]);
/// A typed array of Pandemonium 5 holds objects.
const OF_OBJECTS: Expression = Expression::Binary(
    &Expression::Path(&["element_type", "type_id"]),
    Operator::Equal,
    &Expression::Number(23),
);

/// Where the type of elements is a built-in one.
const fn built_in(kind: &'static Expression) -> Occurs {
    Occurs::If(Expression::Binary(kind, Operator::Equal, &Expression::Number(1)))
}

/// Where the type of elements is a class or script.
const fn named(kind: &'static Expression) -> Occurs {
    Occurs::If(Expression::Binary(kind, Operator::More, &Expression::Number(1)))
}

/// Where an input event is of a type.
const fn event(number: &'static Expression) -> Occurs {
    const EVENT: Expression = Expression::Path(&["event", "event_type"]);
    Occurs::If(Expression::Binary(&EVENT, Operator::Equal, number))
}

const BOOL: &[Field] = &[Field {
    meaning: Meaning::Named(&["false", "true"]),
    ..inline::<u32>("value", "0 or 1; engines take any other number for true.", Occurs::Once)
}];

const OBJECT: &[Field] = &[
    inline::<InstanceId>("value", "The stand-in form.", Occurs::If(AS_ID)),
    inline::<ObjectClass<'static>>("object", "The full form.", Occurs::If(IN_FULL)),
    inline::<ObjectProperties>(
        "stored",
        "The full form, unless the class is empty.",
        Occurs::If(Expression::Binary(&IN_FULL, Operator::And, &HAS_CLASS)),
    ),
];

const TYPED_ARRAY: &[Field] = &[
    field::<ElementId>("element_type", "The elements' built-in type.", built_in(&ELEMENT_KIND)),
    field::<ElementName<'static>>(
        "element_type",
        "The elements' class or script.",
        named(&ELEMENT_KIND),
    ),
    inline::<ArrayRecord>("value", "", Occurs::Once),
];

const TYPED_DICTIONARY: &[Field] = &[
    field::<ElementId>("key_type", "The keys' built-in type.", built_in(&KEY_KIND)),
    field::<ElementName<'static>>("key_type", "The keys' class or script.", named(&KEY_KIND)),
    field::<ElementId>("value_type", "The values' built-in type.", built_in(&VALUE_KIND)),
    field::<ElementName<'static>>("value_type", "The values' class or script.", named(&VALUE_KIND)),
    inline::<DictionaryRecord>("value", "", Occurs::Once),
];

const PANDEMONIUM_TYPED_ARRAY: &[Field] = &[
    field::<ElementWord>("element_type", "The elements' type.", Occurs::Once),
    field::<ElementClass>(
        "element_class",
        "The elements' class.",
        Occurs::If(Expression::Binary(&OF_OBJECTS, Operator::And, &IN_FULL)),
    ),
    inline::<ArrayRecord>("value", "", Occurs::Once),
];

const INPUT_EVENT: &[Field] = &[
    inline::<InputEventHead>("event", "", Occurs::Once),
    field::<KeyEvent>("key", "", event(&Expression::Number(1))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(3))),
    field::<AxisEvent>("motion", "", event(&Expression::Number(4))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(5))),
    field::<NumberedEvent>("touch", "", event(&Expression::Number(6))),
];

const INPUT_EVENT_2_0: &[Field] = &[
    inline::<InputEventHead>("event", "", Occurs::Once),
    field::<KeyEvent>("key", "", event(&Expression::Number(1))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(3))),
    field::<NumberedEvent>("motion", "The axis.", event(&Expression::Number(4))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(5))),
    field::<NumberedEvent>("touch", "", event(&Expression::Number(6))),
];
