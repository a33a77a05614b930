//! Functions for the code that `#[derive(Schema)]` generates.

use super::{Expression, Repetition, Schema, Semantics, Shape, Stands, Word};

/// Returns the layout of a type, as a function to call later.
#[must_use]
pub const fn shape<T: Schema>() -> Shape {
    T::SHAPE
}

/// Returns the layout of a type whose numbers have their highest byte first.
#[must_use]
pub const fn big_endian<T: Schema>() -> Shape {
    match T::SHAPE {
        Shape::Integer { bytes: 1, .. } => T::SHAPE,
        Shape::Word(Word { bytes: 1, .. }) => T::SHAPE,
        Shape::Integer { .. } | Shape::Float { .. } | Shape::Word(_) => {
            Shape::BigEndian(const { &T::SHAPE })
        }
        shape => shape,
    }
}

/// Returns the repetition of a field for which the declaration has only its type and the arguments of the type's
/// reader.
#[must_use]
pub const fn occurs<T: Schema>(argument: Option<Expression>, or_end: bool) -> Repetition {
    match (T::STANDS, argument) {
        (Stands::Once | Stands::Elsewhere, _) => Repetition::Once,
        (Stands::Exactly(count), _) => Repetition::Times(Expression::Number(count as i128)),
        (Stands::Padding, Some(length)) if or_end => Repetition::AfterOrEnd(length),
        (Stands::Padding, Some(length)) => Repetition::After(length),
        (Stands::Padding, None) => {
            panic!("padding behind how many bytes? There are no `args` here")
        }
        (Stands::ToEnd, _) => Repetition::ToEnd,
        (Stands::Counted, _) => panic!("how many? There is no `count` here"),
        (Stands::Optional, _) => panic!("when? There is no `if` here"),
    }
}

/// Returns the meaning of `text` for a field of this type: in a place of fixed size, zeros pad the text.
#[must_use]
pub const fn text<T: Schema>() -> Semantics {
    match T::STANDS {
        Stands::Exactly(_) => Semantics::PaddedText,
        _ => Semantics::Text,
    }
}

/// Whether a field of this type is read elsewhere.
#[must_use]
pub const fn nested<T: Schema>() -> bool {
    matches!(T::STANDS, Stands::Elsewhere)
}

/// Checks that a field of this type has the part or field to which an expression refers.
pub const fn check<T: Schema>(part: &str) {
    let found = match T::SHAPE {
        Shape::Word(word) => {
            let (mut found, mut at) = (false, 0);
            while at < word.bits.len() {
                found |= same(word.bits[at].name, part);
                at += 1;
            }
            found
        }
        Shape::Record(record) => {
            let (mut found, mut at) = (false, 0);
            while at < record.fields.len() {
                found |= same(record.fields[at].name, part);
                at += 1;
            }
            found
        }
        Shape::Integer { .. } => same(part, "sum"),
        _ => true,
    };
    assert!(found, "the field has no such part: the schema cannot follow this expression");
}

/// Returns the offset in the record `T` of the field with this name. The fields before it must have constant sizes, and
/// it must have as many bytes as a `W`.
///
/// # Panics
///
/// Panics if there is no such field, or if its offset or size is not constant; in a constant, at compile time.
#[must_use]
pub const fn offset<T: Schema, W: Schema>(name: &str) -> usize {
    let (mut offset, mut at) = (0, 0);
    while at < T::SIZES.len() {
        let (Some(size), Some(wanted)) = (T::SIZES[at].1, W::SIZE) else {
            panic!("the field does not always stand in the same place")
        };
        if same(T::SIZES[at].0, name) {
            assert!(size == wanted, "the field has another size");
            return offset;
        }
        offset += size;
        at += 1;
    }
    panic!("the record has no such field")
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Returns the smallest total of fields with these sizes; a field without a constant size may be empty.
#[must_use]
pub const fn least(sizes: &[Option<usize>]) -> usize {
    let (mut least, mut at) = (0, 0);
    while at < sizes.len() {
        if let Some(size) = sizes[at] {
            least += size;
        }
        at += 1;
    }
    least
}

/// Returns the number of bytes of the fields before the first without a constant size.
#[must_use]
pub const fn head(sizes: &[(&str, Option<usize>)]) -> usize {
    let (mut head, mut at) = (0, 0);
    while at < sizes.len() {
        let Some(size) = sizes[at].1 else { break };
        head += size;
        at += 1;
    }
    head
}

/// Returns the sum of the sizes of fixed-size fields; [`None`] if one has no fixed size.
#[must_use]
pub const fn total(sizes: &[Option<usize>]) -> Option<usize> {
    let mut sum = 0;
    let mut at = 0;
    while at < sizes.len() {
        match sizes[at] {
            Some(size) => sum += size,
            None => return None,
        }
        at += 1;
    }
    Some(sum)
}
