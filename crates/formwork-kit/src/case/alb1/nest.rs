//! Fields in many others.

use arbitrary::{Result, Unstructured};
use formwork_alb1::terrain::{DATA, ITEM, KEY};
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

/// Returns a file with a field in so many others of any kind.
pub(crate) fn deep(u: &mut Unstructured<'_>, layers: u32) -> Result<Vec<u8>> {
    let forms: [u8; 4] = u.arbitrary()?;
    let forms = forms.map(|form| FORMS.iter().cycle().nth(form.into()));
    let mut forms = forms.into_iter().flatten().copied().cycle();
    let inner = small::field(DATA, Value::Empty);
    let field = nested(inner, layers, || forms.next().unwrap_or(in_object));
    let mut document = small::document();
    document.root.fields.push(field);
    Ok(small::written(&document))
}
