//! Declares the header word and the records of a packet of each type.

use super::Dialect;
use crate::packet::{
    ArrayRecord, AxisEvent, DictionaryRecord, ElementClass, ElementId, ElementName, ElementWord,
    Header, InputEventHead, InstanceId, KeyEvent, NumberedEvent, ObjectClass, ObjectProperties,
    PackedArray,
};
use crate::{OwnType, VariantType, for_each_type};
use std::marker::PhantomData;

use formwork::Schema;
use formwork::schema::{Expression, Field, Integer, Meaning, Operator, Record, numbered};

/// The layout of a packet: a header word, then fields. The fields' conditions may name the header's flags
/// (`header.flag_64()`) and earlier fields.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// The header word.
    pub header: Header,
    /// The record of the fields after it.
    pub payload: &'static Record,
}

/// Returns the record after a header word, which is the only parameter.
const fn payload(fields: &'static [Field]) -> Record {
    Record::of("payload", &[("header", Integer::ANY)], fields)
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

/// A field whose value conditions of other fields use.
const fn used(field: Field) -> Field {
    Field { used: true, ..field }
}

/// A payload that is a `T`.
#[derive(Debug)]
pub struct Once<T>(PhantomData<T>);

impl<T: Schema> Once<T> {
    const FIELDS: [Field; 1] = [inline::<T>("value", "", None)];
    /// The payload.
    pub const RECORD: Record = payload(&Self::FIELDS);
}

/// A payload that is a number or vector in one of two widths, distinguished by the header's flag.
pub(crate) struct Either<N, W>(PhantomData<(N, W)>);

impl<N: Schema, W: Schema> Either<N, W> {
    const FIELDS: [Field; 2] = [
        inline::<N>("value", "In 32 bits.", Some(Expression::Not(&FLAG_64))),
        inline::<W>("value", "In 64 bits.", Some(FLAG_64)),
    ];
    /// The payload.
    pub(crate) const RECORD: Record = payload(&Self::FIELDS);
}

/// The fields of a type that consists of numbers only.
enum NumberFields {
    /// Numbers of one width.
    Fixed(&'static Record),
    /// Real numbers: in 32 bits, in 64, and in either depending on the header's flag.
    Real { single: &'static Record, double: &'static Record, either: &'static Record },
}

impl NumberFields {
    const fn fixed<T: Schema>() -> Self {
        Self::Fixed(&Once::<T>::RECORD)
    }

    const fn real<N: Schema, W: Schema>() -> Self {
        Self::Real {
            single: &Once::<N>::RECORD,
            double: &Once::<W>::RECORD,
            either: &Either::<N, W>::RECORD,
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

/// Returns the payload of a type that consists of numbers only, without a header that gives their width; `Err` for
/// any other.
///
/// # Errors
///
/// Returns what the type is instead.
pub const fn numbers_alone(
    variant_type: VariantType,
    is_double: bool,
) -> Result<&'static Record, OwnType> {
    match number_fields(variant_type) {
        Ok(NumberFields::Fixed(fields)) => Ok(fields),
        Ok(NumberFields::Real { double, .. }) if is_double => Ok(double),
        Ok(NumberFields::Real { single, .. }) => Ok(single),
        Err(own) => Err(own),
    }
}

/// Returns the layout of a packet of a type that consists of numbers only, in this dialect; `Err` for any other.
pub(crate) fn of_numbers(dialect: Dialect, variant_type: VariantType) -> Result<Packet, OwnType> {
    let plain = |payload| Packet { header: Header::Plain, payload };
    Ok(match number_fields(variant_type)? {
        NumberFields::Fixed(fields) => plain(fields),
        NumberFields::Real { double, .. } if dialect.lacks_real_flag(variant_type) => plain(double),
        NumberFields::Real { either, .. } if dialect.quirks().real_flag => {
            Packet { header: Header::Wide, payload: either }
        }
        NumberFields::Real { single, .. } => plain(single),
    })
}

/// The payload of a type without one.
pub const EMPTY: &Record = &payload(&[]);

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

/// The payload of a bool.
pub const BOOL: &Record = &payload(&[Field {
    meaning: Meaning::Names(const { &numbered(["false", "true"]) }),
    ..inline::<u32>("value", "0 or 1; engines take any other number for true.", None)
}]);

/// The payload of an object.
pub(crate) const OBJECT: &Record = &payload(&[
    inline::<InstanceId>("value", "The stand-in form.", Some(AS_ID)),
    used(inline::<ObjectClass<'static>>("object", "The full form.", Some(IN_FULL))),
    inline::<ObjectProperties>(
        "stored",
        "The full form, unless the class is empty.",
        Some(Expression::Binary(&IN_FULL, Operator::And, &HAS_CLASS)),
    ),
]);

/// The payload of an array that may be typed.
pub(crate) const TYPED_ARRAY: &Record = &payload(&[
    field::<ElementId>("element_type", "The elements' built-in type.", built_in(&ELEMENT_KIND)),
    field::<ElementName<'static>>(
        "element_type",
        "The elements' class or script.",
        named(&ELEMENT_KIND),
    ),
    inline::<ArrayRecord>("value", "", None),
]);

/// The payload of a dictionary that may be typed.
pub(crate) const TYPED_DICTIONARY: &Record = &payload(&[
    field::<ElementId>("key_type", "The keys' built-in type.", built_in(&KEY_KIND)),
    field::<ElementName<'static>>("key_type", "The keys' class or script.", named(&KEY_KIND)),
    field::<ElementId>("value_type", "The values' built-in type.", built_in(&VALUE_KIND)),
    field::<ElementName<'static>>("value_type", "The values' class or script.", named(&VALUE_KIND)),
    inline::<DictionaryRecord>("value", "", None),
]);

/// The payload of a typed array of Pandemonium.
pub(crate) const PANDEMONIUM_TYPED_ARRAY: &Record = &payload(&[
    used(field::<ElementWord>("element_type", "The elements' type.", None)),
    field::<ElementClass>(
        "element_class",
        "The elements' class.",
        Some(Expression::Binary(&OF_OBJECTS, Operator::And, &IN_FULL)),
    ),
    inline::<ArrayRecord>("value", "", None),
]);

/// The payload of an input event.
pub(crate) const INPUT_EVENT: &Record = &payload(&[
    used(inline::<InputEventHead>("event", "", None)),
    field::<KeyEvent>("key", "", event(&Expression::Number(1))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(3))),
    field::<AxisEvent>("motion", "", event(&Expression::Number(4))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(5))),
    field::<NumberedEvent>("touch", "", event(&Expression::Number(6))),
]);

/// The payload of an input event of Godot 2.0.
pub(crate) const INPUT_EVENT_2_0: &Record = &payload(&[
    used(inline::<InputEventHead>("event", "", None)),
    field::<KeyEvent>("key", "", event(&Expression::Number(1))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(3))),
    field::<NumberedEvent>("motion", "The axis.", event(&Expression::Number(4))),
    field::<NumberedEvent>("button", "", event(&Expression::Number(5))),
    field::<NumberedEvent>("touch", "", event(&Expression::Number(6))),
]);
