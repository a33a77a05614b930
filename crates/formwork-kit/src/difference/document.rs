//! The walk over two ALB1 documents at once.

use std::borrow::Cow;

use formwork_alb1::json::Trees;
use formwork_alb1::{Document, Field, FieldNumber, NumberSink, Object, OwnValue, Table, Value};
use formwork_variant::{Path, PathSegment};

use super::{Comparison, Difference, change};

/// The first place at which two documents differ.
pub(super) fn parting(
    ours: &Document,
    theirs: &Document,
    comparison: &Comparison,
) -> Option<Difference> {
    let whole = |what: String| Difference { path: Path::default(), what };
    if ours.header != theirs.header {
        return Some(whole("header: another number".into()));
    }
    let tables =
        [("tag table", &ours.tags, &theirs.tags), ("class table", &ours.classes, &theirs.classes)];
    let change = tables.into_iter().find_map(|(name, ours, theirs)| {
        table(ours, theirs).map(|change| whole(format!("{name}: {change}")))
    });
    let parting = Parting { comparison, tags: &ours.tags };
    change.or_else(|| parting.object(&ours.root, &theirs.root))
}

/// Whether an object layer has bytes for its quadtree that are none, or of which the version is not
/// known.
pub(crate) fn has_no_tree(document: &Document) -> bool {
    let trees = Trees::of(document);
    let mut objects = document.walk().filter_map(|item| item.object());
    objects.any(|object| {
        let is_none =
            |field: &Field| trees.is_tree(object, field) && trees.version(object, field).is_none();
        object.fields.iter().any(is_none)
    })
}

fn table(ours: &Table, theirs: &Table) -> Option<String> {
    if ours.len() != theirs.len() {
        return Some(change::of_count(ours.len(), theirs.len(), "names"));
    }
    let mut pairs = ours.entries().zip(theirs.entries());
    let ((our_id, our_name), (their_id, their_name)) = pairs.find(|(a, b)| a != b)?;
    Some(if our_id != their_id {
        "another id".into()
    } else {
        change::of_text(our_name.as_bytes(), their_name.as_bytes()).into()
    })
}

struct Parting<'d> {
    comparison: &'d Comparison,
    tags: &'d Table,
}

/// A difference at the place itself.
fn here(what: impl Into<String>) -> Option<Difference> {
    Some(Difference { path: Path::default(), what: what.into() })
}

impl Parting<'_> {
    /// Recurses, as deep as documents nest that were read.
    fn object(&self, ours: &Object, theirs: &Object) -> Option<Difference> {
        if ours.class != theirs.class {
            return here("object: another class");
        }
        if ours.address != theirs.address {
            return here("object: another address");
        }
        self.fields("object", &ours.fields, &theirs.fields)
    }

    fn fields(&self, of: &str, ours: &[Field], theirs: &[Field]) -> Option<Difference> {
        for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            let found = match ours.tag == theirs.tag {
                true => self.value(&ours.value, &theirs.value),
                false => here("field: another tag"),
            };
            if let Some(Difference { path, what }) = found {
                let name = self.tags.name(ours.tag).map(|name| name.to_str().into());
                let field = name.map_or(PathSegment::Field("field"), PathSegment::Name);
                let outer = [field, PathSegment::Index(index as u64)].into_iter().collect();
                return Some(Difference { path: path.under(outer), what });
            }
        }
        if ours.len() == theirs.len() {
            return None;
        }
        here(format!("{of}: {}", change::of_count(ours.len(), theirs.len(), "fields")))
    }

    fn value(&self, ours: &Value, theirs: &Value) -> Option<Difference> {
        let name = ours.field_type().name();
        if ours.field_type() != theirs.field_type() {
            return here(format!("{name}: became {}", theirs.field_type().name()));
        }
        let change = match (ours.give_numbers(Against { parting: self, theirs }), theirs) {
            (Ok(change), _) => change?,
            (Err(OwnValue::Object(ours)), Value::Object(theirs)) => {
                return self.object(ours, theirs);
            }
            (Err(OwnValue::Array(ours)), Value::Array(theirs)) => {
                return self.fields(name, ours, theirs);
            }
            (Err(OwnValue::Pair(ours)), Value::Pair(theirs)) => {
                return self.fields(name, ours, &theirs[..]);
            }
            _ if ours.is_identical(theirs) => return None,
            (Err(OwnValue::String(ours)), Value::String(theirs)) => {
                change::of_text(ours.as_bytes(), theirs.as_bytes()).into()
            }
            (Err(OwnValue::Raw(ours)), Value::Raw(theirs)) if ours.len() != theirs.len() => {
                change::of_count(ours.len(), theirs.len(), "bytes").into()
            }
            (Err(OwnValue::ObjectPointer(ours)), Value::ObjectPointer(theirs)) => {
                if ours.class == theirs.class { "another address" } else { "another class" }.into()
            }
            // Bools, other raw bytes, and an array of fields beside one of raw bytes.
            (
                Err(
                    OwnValue::Bool(_)
                    | OwnValue::String(_)
                    | OwnValue::Array(_)
                    | OwnValue::Raw(_)
                    | OwnValue::Object(_)
                    | OwnValue::ObjectPointer(_)
                    | OwnValue::Pair(_)
                    | OwnValue::Empty,
                ),
                _,
            ) => "another value".into(),
        };
        match change == change::NAN {
            true => here(change),
            false => here(format!("{name}: {change}")),
        }
    }

    fn number<N: FieldNumber>(&self, ours: N, theirs: N) -> Option<&'static str> {
        if N::REAL {
            return self.comparison.real(ours.as_f64(), theirs.as_f64());
        }
        let (ours, theirs) = (ours.as_i64(), theirs.as_i64());
        (ours != theirs).then(|| change::of_integer(ours, theirs))
    }
}

/// Compares numbers with those of another value of the same type.
struct Against<'p> {
    parting: &'p Parting<'p>,
    theirs: &'p Value,
}

impl NumberSink for Against<'_> {
    type Output = Option<Cow<'static, str>>;

    fn number<N: FieldNumber>(self, ours: N) -> Self::Output {
        let theirs = self.theirs.numbers_as::<N>()?.first().copied()?;
        self.parting.number(ours, theirs).map(Into::into)
    }

    fn numbers<N: FieldNumber>(self, ours: &[N]) -> Self::Output {
        let theirs = self.theirs.numbers_as::<N>()?;
        change::of_list(ours, theirs, |a, b| self.parting.number(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_alb1::Text;

    #[test]
    fn everything_in_a_file_counts() {
        let mut ours = Document::new("CLayer");
        ours.root.fields.push(Field::new(1, Value::SignedInt(7)));
        ours.root.fields.push(Field::new(2, Text::new("a").unwrap()));
        let with = |change: &dyn Fn(&mut Document)| {
            let mut theirs = ours.clone();
            change(&mut theirs);
            Comparison::new().documents(&ours, &theirs).map(|difference| difference.what)
        };
        assert_eq!(with(&|_| ()), None);
        let other = |document: &mut Document| document.root.address += 1;
        assert_eq!(with(&other).unwrap(), "object: another address");
        let other = |document: &mut Document| document.root.fields[0].value = Value::SignedInt(-7);
        assert_eq!(with(&other).unwrap(), "signed int: of the other sign");
        let other = |document: &mut Document| document.root.fields[0].value = Value::SignedLong(7);
        assert_eq!(with(&other).unwrap(), "signed int: became signed long");
        let other = |document: &mut Document| drop(document.root.fields.pop());
        assert_eq!(with(&other).unwrap(), "object: fewer fields");
        let other = |document: &mut Document| assert!(document.tags.add("another").is_some());
        assert_eq!(with(&other).unwrap(), "tag table: more names");
    }
}
