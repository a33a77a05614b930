//! Breaches of the limit on depth.

use arbitrary::{Result, Unstructured};

use super::super::place::File;
use super::super::small;
use super::Faulty;
use super::draft;
use crate::alb1::{Document, Field, FieldType, Reader, Value};
use crate::generate::Config;

/// The form of what is in what.
type Form = fn(u32, Field) -> Value;

fn in_object(number: u32, inner: Field) -> Value {
    small::object(Document::FIRST_ADDRESS + 4 * number, vec![inner])
}

fn in_array(_: u32, inner: Field) -> Value {
    Value::Array(vec![inner])
}

fn in_pair(_: u32, inner: Field) -> Value {
    Value::Pair([small::field(small::KEY, Value::Empty), inner].into())
}

const FORMS: [Form; 3] = [in_object, in_array, in_pair];

/// A field in so many others, of forms that `form` chooses.
pub(in super::super) fn nested(
    u: &mut Unstructured<'_>,
    mut field: Field,
    layers: u32,
    mut form: impl FnMut(&mut Unstructured<'_>) -> Result<Form>,
) -> Result<Field> {
    for number in 1..=layers {
        field = small::field(small::ITEM, form(u)?(number, field));
    }
    Ok(field)
}

/// Any of the forms.
pub(in super::super) fn any(u: &mut Unstructured<'_>) -> Result<Form> {
    u.choose(&FORMS).copied()
}

/// A file with one too many: the root counts, too.
fn too_deep(
    u: &mut Unstructured<'_>,
    config: &Config,
    form: impl FnMut(&mut Unstructured<'_>) -> Result<Form>,
) -> Result<Option<Faulty>> {
    let layers = Reader::DEPTH + u.int_in_range(0..=4)?;
    let innermost = small::field(small::DATA, draft::any_value(u, config)?);
    let field = nested(u, innermost, layers, form)?;
    let mut document = small::document();
    document.root.fields = vec![field, small::field(small::VERSION, Value::SignedInt(4))];
    let file = File::of(&document);
    let Some((field_type, offset)) = place_at(&file, Reader::DEPTH) else { return Ok(None) };
    Ok(Faulty::about(field_type, file.bytes, offset))
}

/// Where the value is that so many are around; the root is the first of them. All that nests leads to
/// it: what stands beside it holds nothing.
fn place_at(file: &File, depth: u32) -> Option<(FieldType, usize)> {
    let nesting = file.places.iter().filter(|place| small::holds_fields(place.field_type));
    let place = nesting.into_iter().nth(depth as usize - 1)?;
    Some((place.field_type, place.value))
}

pub(super) fn objects(u: &mut Unstructured<'_>, config: &Config) -> Result<Option<Faulty>> {
    too_deep(u, config, |_| Ok(in_object))
}

pub(super) fn arrays(u: &mut Unstructured<'_>, config: &Config) -> Result<Option<Faulty>> {
    too_deep(u, config, |_| Ok(in_array))
}

pub(super) fn pairs(u: &mut Unstructured<'_>, config: &Config) -> Result<Option<Faulty>> {
    too_deep(u, config, |_| Ok(in_pair))
}

pub(super) fn mixed(u: &mut Unstructured<'_>, config: &Config) -> Result<Option<Faulty>> {
    too_deep(u, config, any)
}
