//! Which header word and which records make up a packet of a type.

use super::{Dialect, ObjectForms, Precision};
use crate::schema::{Declared, Field, Meaning, Occurs};
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

const fn field<T: Declared>(name: &'static str, doc: &'static str, occurs: Occurs) -> Field {
    Field { name, doc, shape: T::SHAPE, occurs, meaning: Meaning::Plain, inline: false }
}

/// A field whose own fields count as the packet's.
const fn inline<T: Declared>(name: &'static str, doc: &'static str, occurs: Occurs) -> Field {
    Field { inline: true, ..field::<T>(name, doc, occurs) }
}

const fn once<T: Declared>() -> [Field; 1] {
    [inline::<T>("value", "", Occurs::Once)]
}

/// A number or vector in two widths, told apart by the header's flag.
const fn either<N: Declared, W: Declared>() -> [Field; 2] {
    [
        inline::<N>("value", "In 32 bits.", Occurs::If("!header.flag_64()")),
        inline::<W>("value", "In 64 bits.", Occurs::If("header.flag_64()")),
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

const BOOL: &[Field] = &[Field {
    meaning: Meaning::Named(&["false", "true"]),
    ..inline::<u32>("value", "0 or 1; engines take any other number for true.", Occurs::Once)
}];

const OBJECT: &[Field] = &[
    inline::<InstanceId>("value", "The stand-in form.", Occurs::If("header.as_id()")),
    inline::<ObjectClass<'static>>("object", "The full form.", Occurs::If("!header.as_id()")),
    inline::<ObjectProperties>(
        "stored",
        "The full form, unless the class is empty.",
        Occurs::If("!header.as_id() && object.class.length > 0"),
    ),
];

const TYPED_ARRAY: &[Field] = &[
    field::<ElementId>(
        "element_type",
        "The elements' built-in type.",
        Occurs::If("header.element_kind() == 1"),
    ),
    field::<ElementName<'static>>(
        "element_type",
        "The elements' class or script.",
        Occurs::If("header.element_kind() > 1"),
    ),
    inline::<ArrayRecord>("value", "", Occurs::Once),
];

const TYPED_DICTIONARY: &[Field] = &[
    field::<ElementId>(
        "key_type",
        "The keys' built-in type.",
        Occurs::If("header.key_kind() == 1"),
    ),
    field::<ElementName<'static>>(
        "key_type",
        "The keys' class or script.",
        Occurs::If("header.key_kind() > 1"),
    ),
    field::<ElementId>(
        "value_type",
        "The values' built-in type.",
        Occurs::If("header.value_kind() == 1"),
    ),
    field::<ElementName<'static>>(
        "value_type",
        "The values' class or script.",
        Occurs::If("header.value_kind() > 1"),
    ),
    inline::<DictionaryRecord>("value", "", Occurs::Once),
];

const PANDEMONIUM_TYPED_ARRAY: &[Field] = &[
    field::<ElementWord>("element_type", "The elements' type.", Occurs::Once),
    field::<ElementClass>(
        "element_class",
        "The elements' class.",
        Occurs::If("element_type.type_id() == 23 && !header.as_id()"),
    ),
    inline::<ArrayRecord>("value", "", Occurs::Once),
];

const INPUT_EVENT: &[Field] = &[
    inline::<InputEventHead>("event", "", Occurs::Once),
    field::<KeyEvent>("key", "", Occurs::If("event.event_type == 1")),
    field::<NumberedEvent>("button", "", Occurs::If("event.event_type == 3")),
    field::<AxisEvent>("motion", "", Occurs::If("event.event_type == 4")),
    field::<NumberedEvent>("button", "", Occurs::If("event.event_type == 5")),
    field::<NumberedEvent>("touch", "", Occurs::If("event.event_type == 6")),
];

const INPUT_EVENT_2_0: &[Field] = &[
    inline::<InputEventHead>("event", "", Occurs::Once),
    field::<KeyEvent>("key", "", Occurs::If("event.event_type == 1")),
    field::<NumberedEvent>("button", "", Occurs::If("event.event_type == 3")),
    field::<NumberedEvent>("motion", "The axis.", Occurs::If("event.event_type == 4")),
    field::<NumberedEvent>("button", "", Occurs::If("event.event_type == 5")),
    field::<NumberedEvent>("touch", "", Occurs::If("event.event_type == 6")),
];
