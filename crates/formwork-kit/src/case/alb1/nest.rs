//! Fields in many others.

use formwork_alb1::terrain::{ITEM, KEY};
use formwork_alb1::{Document, Field, Value};

use super::small;

/// Constructs a value that holds a field; the number tells one object from the others.
pub(super) type Form = fn(u32, Field) -> Value;

pub(super) fn in_object(number: u32, inner: Field) -> Value {
    small::object(Document::FIRST_ADDRESS + 4 * number, vec![inner])
}

pub(super) fn in_array(_: u32, inner: Field) -> Value {
    Value::Array(vec![inner])
}

pub(super) fn in_pair(_: u32, inner: Field) -> Value {
    Value::Pair([small::field(KEY, Value::Empty), inner].into())
}

/// All of them.
pub(super) const FORMS: [Form; 3] = [in_object, in_array, in_pair];

/// Returns `inner` nested in `layers` other fields.
pub(super) fn nested(inner: Field, layers: u32, mut form: impl FnMut() -> Form) -> Field {
    (1..=layers).fold(inner, |field, number| small::field(ITEM, form()(number, field)))
}
