//! Breaches of the limit on depth.

use arbitrary::{Result, Unstructured};
use formwork_alb1::terrain::DATA;
use formwork_alb1::{Reader, Value};
use formwork_variant::generate::Config;

use super::super::nest::{FORMS, Form, in_array, in_object, in_pair, nested};
use super::super::place::File;
use super::super::small;
use super::draft;
use super::{Faulty, Tried};

/// A file with more in each other than can be: the root counts, too.
fn too_deep(u: &mut Unstructured<'_>, config: &Config, forms: &[Form]) -> Tried {
    let layers = Reader::DEPTH + u.int_in_range(0..=4)?;
    let chosen: Vec<Form> = (0..layers).map(|_| u.choose(forms).copied()).collect::<Result<_>>()?;
    let innermost = small::field(DATA, draft::any_value(u, config)?);
    let mut chosen = chosen.into_iter().cycle();
    let field = nested(innermost, layers, || chosen.next().unwrap_or(in_object));
    let mut document = small::document();
    document.root.fields = vec![field, small::field(small::VERSION, Value::SignedInt(4))];
    let file = File::of(&document);
    // The value that is too deep: the root is at depth 1, and all values with nested fields lie on one path, as their
    // other fields hold no values.
    let mut nesting = file.places.iter().filter(|place| place.field_type.nests());
    let deepest = nesting.nth(Reader::DEPTH as usize - 1).map(|place| place.field_type);
    Ok(deepest.and_then(|field_type| Faulty::about(field_type, file.bytes)))
}

pub(super) fn objects(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    too_deep(u, config, &[in_object])
}

pub(super) fn arrays(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    too_deep(u, config, &[in_array])
}

pub(super) fn pairs(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    too_deep(u, config, &[in_pair])
}

pub(super) fn mixed(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    too_deep(u, config, &FORMS)
}
