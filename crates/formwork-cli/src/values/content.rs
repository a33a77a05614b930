//! Values of an engine for other parts of the program: as one, as JSON, and what differs.

use std::borrow::Borrow;

use formwork::document::Json;
use formwork_edit::{Difference, DifferenceKind, Names, Place, Step};
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Array, Dialect, ElementType, Real, Variant};

use crate::changed::{Changed, ShownValue};
use crate::documents;
use crate::failure::Failure;
use crate::style::shown;

/// Returns the values as one: as a list where there are several.
pub(crate) fn one<R: Real>(mut values: Vec<Variant<R>>, several: bool) -> Variant<R> {
    match values.pop() {
        Some(value) if !several => value,
        last => Variant::Array(values.into_iter().chain(last).collect::<Array<R>>()),
    }
}

/// Describes a difference; the names are those of the old and the new value.
pub(crate) fn line<R: Real>(
    difference: &Difference<'_, R>,
    (old, new): &mut (Names<'_, R>, Names<'_, R>),
    dialect: Dialect,
) -> Changed {
    let shown = |value: Option<&Variant<R>>| value.map(|value| ShownValue::of(value, dialect));
    let (before, after) = (shown(difference.before), shown(difference.after));
    let kind = difference.kind.name();
    let old_place = match difference.kind {
        DifferenceKind::Removed => {
            return Changed::at(old.name(&difference.old), kind, before, after);
        }
        DifferenceKind::Added => None,
        _ => Some(old.name(&difference.old)),
    };
    let place = new.name(&difference.new);
    let old_place = old_place.filter(|old| *old != place);
    let (place, before, after) = match difference.kind {
        DifferenceKind::Moved => {
            let from = format!("position {}", position(&difference.old));
            let to = format!("position {}", position(&difference.new));
            let (before, after) = (before.map(|it| it.called(from)), after.map(|it| it.called(to)));
            (place, before, after)
        }
        DifferenceKind::Front => {
            let typed = |value: Option<&Variant<R>>| {
                value.map(|it| ShownValue::of(it, dialect).called(with_types(it, dialect)))
            };
            (place, typed(difference.before), typed(difference.after))
        }
        _ => (place, before, after),
    };
    Changed { old_place, ..Changed::at(place, kind, before, after) }
}

/// Returns the type of a container, with the types that it declares: `Dictionary[String, int]`.
fn with_types<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    let own = dialect.type_name(value.variant_type());
    let of = |declared: Option<&ElementType>| declared.map(|it| type_name(it, dialect));
    let all = match value {
        Variant::Dictionary(pairs) => match [pairs.key_type(), pairs.value_type()].map(of) {
            [None, None] => None,
            types => Some(types.map(|it| it.unwrap_or_else(|| "Variant".to_owned())).join(", ")),
        },
        Variant::Array(array) => of(array.element_type()),
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => of(Some(&typed.element)),
        _ => None,
    };
    all.map_or_else(|| own.to_owned(), |types| format!("{own}[{types}]"))
}

/// Returns the name of a declared type.
fn type_name(declared: &ElementType, dialect: Dialect) -> String {
    match declared {
        ElementType::Builtin(wanted) => dialect.type_name(*wanted).to_owned(),
        ElementType::Class(name) | ElementType::Script(name) => shown(name),
        _ => "another type".to_owned(),
    }
}

/// Returns the position of an entry in its container.
fn position(place: &Place) -> usize {
    match place.steps().last() {
        Some(Step::Element(at) | Step::Key(at) | Step::Value(at) | Step::Property(at)) => *at,
        None => 0,
    }
}

/// Returns values of an engine as filters see them.
pub(crate) fn of_values<R: Real, V: Borrow<Variant<R>>>(
    values: impl IntoIterator<Item = V>,
    dialect: Dialect,
    name: &str,
) -> Result<Vec<Json>, Failure> {
    let json = |value: V| {
        let text = to_json(value.borrow(), dialect, Style::Compact);
        // A large value is not in memory beside its JSON.
        drop(value);
        documents::read_value(name, text.as_bytes())
    };
    values.into_iter().map(json).collect()
}
