//! Declares the header word and the records of a packet of each type.

use super::{Dialect, ObjectForms};
use crate::packet::{
    ArrayRecord, AxisEvent, DictionaryRecord, ElementClass, ElementId, ElementName, ElementWord,
    Header, ImageRecord, InputEventHead, InstanceId, KeyEvent, NodePathRecord, NumberedEvent,
    ObjectClass, ObjectProperties, PackedArray, PackedBytes, PackedStrings, SignalRecord, Text,
};
use crate::{OwnType, VariantType, for_each_type};
use formwork::Schema;
use formwork::schema::{Expression, Field, Meaning, Operator, numbered};

/// The layout of a packet: a header word, then fields. The fields' conditions may name the header's flags
/// (`header.flag_64()`) and earlier fields.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// The header word.
    pub header: Header,
    /// The fields after it.
    pub payload: &'static [Field],
}

const fn field<T: Schema>(
    name: &'static str,
    doc: &'static str,
    when: Option<Expression>,
) -> Field {
    let size = if when.is_some() { None } else { T::SIZE };
    Field { name, doc, layout: T::layout, when, size, ..Field::EMPTY }
}

/// A field whose own fields count as the packet's.
const fn inline<T: Schema>(
    name: &'static str,
    doc: &'static str,
    when: Option<Expression>,
) -> Field {
    Field { inline: true, ..field::<T>(name, doc, when) }
}

pub(crate) const fn once<T: Schema>() -> [Field; 1] {
    [inline::<T>("value", "", None)]
}

/// Returns the fields of a number or vector in two widths, distinguished by the header's flag.
const fn either<N: Schema, W: Schema>() -> [Field; 2] {
    [
        inline::<N>("value", "In 32 bits.", Some(Expression::Not(&FLAG_64))),
        inline::<W>("value", "In 64 bits.", Some(FLAG_64)),
    ]
}

/// The fields of a type that consists of numbers only.
enum NumberFields {
    /// Numbers of one width.
    Fixed(&'static [Field]),
    /// Real numbers: in 32 bits, in 64, and in either depending on the header's flag.
    Real { single: &'static [Field], double: &'static [Field], either: &'static [Field] },
}

impl NumberFields {
    const fn fixed<T: Schema>() -> Self {
        Self::Fixed(const { &once::<T>() })
    }

    const fn real<N: Schema, W: Schema>() -> Self {
        Self::Real {
            single: const { &once::<N>() },
            double: const { &once::<W>() },
            either: const { &either::<N, W>() },
        }
    }
}

macro_rules! number_fields {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => {
        /// Returns the fields of a type that consists of numbers only; `Err` for any other.
        const fn number_fields(variant_type: VariantType) -> Result<NumberFields, OwnType> {
            Ok(match variant_type {
                $( VariantType::$name => number_fields!(@$kind $name $($element)?), )+
            })
        }
    };
    (@own $name:ident) => { return Err(OwnType::$name) };
    (@real_math $name:ident $math:ident) => {
        NumberFields::real::<crate::$math<f32>, crate::$math<f64>>()
    };
    (@math $name:ident $math:ident) => { NumberFields::fixed::<crate::$math>() };
    (@packed_real_math $name:ident $math:ident) => {
        NumberFields::real::<
            PackedArray<'static, crate::$math<f32>>,
            PackedArray<'static, crate::$math<f64>>,
        >()
    };
    (@packed_math $name:ident $math:ident) => {
        NumberFields::fixed::<PackedArray<'static, crate::$math>>()
    };
    (@packed_numbers $name:ident $number:ident) => {
        NumberFields::fixed::<PackedArray<'static, $number>>()
    };
}
for_each_type!(number_fields);

/// Returns the fields of a type that consists of numbers only, without a header that gives their width; `Err` for
/// any other.
pub(crate) const fn numbers_alone(
    variant_type: VariantType,
    is_double: bool,
) -> Result<&'static [Field], OwnType> {
    match number_fields(variant_type) {
        Ok(NumberFields::Fixed(fields)) => Ok(fields),
        Ok(NumberFields::Real { double, .. }) if is_double => Ok(double),
        Ok(NumberFields::Real { single, .. }) => Ok(single),
        Err(own) => Err(own),
    }
}

/// Returns the layout of a packet of this type in this dialect.
pub(super) fn packet(dialect: Dialect, variant_type: VariantType) -> Packet {
    let quirks = dialect.quirks();
    let wide = |payload| Packet { header: Header::Wide, payload };
    let mut packet = match number_fields(variant_type) {
        Ok(NumberFields::Fixed(fields)) => plain(fields),
        Ok(NumberFields::Real { double, .. }) if dialect.lacks_real_flag(variant_type) => {
            plain(double)
        }
        Ok(NumberFields::Real { either, .. }) if quirks.real_flag => wide(either),
        Ok(NumberFields::Real { single, .. }) => plain(single),
        Err(OwnType::Nil | OwnType::Callable) => plain(&[]),
        Err(OwnType::Bool) => plain(BOOL),
        Err(OwnType::Int) if quirks.whole_header => plain(const { &once::<i32>() }),
        Err(OwnType::Int) => wide(const { &either::<i32, i64>() }),
        Err(OwnType::Float) if quirks.whole_header => plain(const { &once::<f32>() }),
        Err(OwnType::Float) => wide(const { &either::<f32, f64>() }),
        Err(OwnType::String | OwnType::StringName) => plain(const { &once::<Text<'static>>() }),
        Err(OwnType::NodePath) => plain(const { &once::<NodePathRecord<'static>>() }),
        Err(OwnType::Rid) if quirks.rid_id => plain(const { &once::<u64>() }),
        Err(OwnType::Rid) => plain(&[]),
        Err(OwnType::Object) if quirks.objects == ObjectForms::HeaderOnly => plain(&[]),
        Err(OwnType::Object) => Packet { header: Header::Object, payload: OBJECT },
        Err(OwnType::Signal) => plain(const { &once::<SignalRecord<'static>>() }),
        Err(OwnType::Dictionary) if quirks.typed_dictionaries => {
            Packet { header: Header::Dictionary, payload: TYPED_DICTIONARY }
        }
        Err(OwnType::Dictionary) => plain(const { &once::<DictionaryRecord>() }),
        Err(OwnType::Array) if quirks.typed_arrays => {
            Packet { header: Header::Array, payload: TYPED_ARRAY }
        }
        Err(OwnType::Array) => plain(const { &once::<ArrayRecord>() }),
        Err(OwnType::TypedArray | OwnType::PackedTypedArray) => {
            Packet { header: Header::Object, payload: PANDEMONIUM_TYPED_ARRAY }
        }
        Err(OwnType::PackedByteArray) => plain(const { &once::<PackedBytes<'static>>() }),
        Err(OwnType::PackedStringArray) => plain(const { &once::<PackedStrings<'static>>() }),
        Err(OwnType::Image) => plain(const { &once::<ImageRecord<'static>>() }),
        Err(OwnType::InputEvent) if !quirks.joystick_value => plain(INPUT_EVENT_2_0),
        Err(OwnType::InputEvent) => plain(INPUT_EVENT),
    };
    if quirks.whole_header {
        packet.header = Header::Whole;
    }
    packet
}

const fn plain(payload: &'static [Field]) -> Packet {
    Packet { header: Header::Plain, payload }
}

/// The header's flag that numbers are 64 bits wide.
const FLAG_64: Expression = Expression::Parameter(0, &["flag_64"], "header.flag_64");
/// The header's flag that an object is its number.
const AS_ID: Expression = Expression::Parameter(0, &["as_id"], "header.as_id");
const IN_FULL: Expression = Expression::Not(&AS_ID);
const HAS_CLASS: Expression = Expression::Binary(
    &Expression::Field(1, &["class", "length"], "object.class.length"),
    Operator::Gt,
    &Expression::Number(0),
);
const ELEMENT_KIND: Expression = Expression::Parameter(0, &["element_kind"], "header.element_kind");
const KEY_KIND: Expression = Expression::Parameter(0, &["key_kind"], "header.key_kind");
const VALUE_KIND: Expression = Expression::Parameter(0, &["value_kind"], "header.value_kind");
/// A typed array of Pandemonium 5 holds objects.
const OF_OBJECTS: Expression = Expression::Binary(
    &Expression::Field(0, &["type_id"], "element_type.type_id"),
    Operator::Eq,
    &Expression::Number(23),
);

/// The field occurs if the type of elements is a built-in one.
const fn built_in(kind: &'static Expression) -> Option<Expression> {
    Some(Expression::Binary(kind, Operator::Eq, &Expression::Number(1)))
}

/// The field occurs if the type of elements is a class or script.
const fn named(kind: &'static Expression) -> Option<Expression> {
    Some(Expression::Binary(kind, Operator::Gt, &Expression::Number(1)))
}

/// The field occurs if an input event is of a type.
const fn event(number: &'static Expression) -> Option<Expression> {
    const EVENT: Expression = Expression::Field(0, &["event_type"], "event.event_type");
    Some(Expression::Binary(&EVENT, Operator::Eq, number))
}

pub(crate) const BOOL: &[Field] = &[Field {
    meaning: Meaning::Names(const { &numbered(["false", "true"]) }),
    ..inline::<u32>("value", "0 or 1; engines take any other number for true.", None)
}];

const OBJECT: &[Field] = &[
    inline::<InstanceId>("value", "The stand-in form.", Some(AS_ID)),
    inline::<ObjectClass<'static>>("object", "The full form.", Some(IN_FULL)),
    inline::<ObjectProperties>(
        "stored",
        "The full form, unless the class is empty.",
        Some(Expression::Binary(&IN_FULL, Operator::And, &HAS_CLASS)),
    ),
];

const TYPED_ARRAY: &[Field] = &[
    field::<ElementId>("element_type", "The elements' built-in type.", built_in(&ELEMENT_KIND)),
    field::<ElementName<'static>>(
        "element_type",
        "The elements' class or script.",
        named(&ELEMENT_KIND),
    ),
    inline::<ArrayRecord>("value", "", None),
];

const TYPED_DICTIONARY: &[Field] = &[
    field::<ElementId>("key_type", "The keys' built-in type.", built_in(&KEY_KIND)),
    field::<ElementName<'static>>("key_type", "The keys' class or script.", named(&KEY_KIND)),
    field::<ElementId>("value_type", "The values' built-in type.", built_in(&VALUE_KIND)),
    field::<ElementName<'static>>("value_type", "The values' class or script.", named(&VALUE_KIND)),
    inline::<DictionaryRecord>("value", "", None),
];

const PANDEMONIUM_TYPED_ARRAY: &[Field] = &[
    field::<ElementWord>("element_type", "The elements' type.", None),
    field::<ElementClass>(
        "element_class",
        "The elements' class.",
        Some(Expression::Binary(&OF_OBJECTS, Operator::And, &IN_FULL)),
    ),
    inline::<ArrayRecord>("value", "", None),
];

const INPUT_EVENT: &[Field] = &[
    inline::<InputEventHead>("event", "", None),
    field::<KeyEvent>("key", "", event(&Expression::Number(1))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(3))),
    field::<AxisEvent>("motion", "", event(&Expression::Number(4))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(5))),
    field::<NumberedEvent>("touch", "", event(&Expression::Number(6))),
];

const INPUT_EVENT_2_0: &[Field] = &[
    inline::<InputEventHead>("event", "", None),
    field::<KeyEvent>("key", "", event(&Expression::Number(1))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(3))),
    field::<NumberedEvent>("motion", "The axis.", event(&Expression::Number(4))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(5))),
    field::<NumberedEvent>("touch", "", event(&Expression::Number(6))),
];
