//! Values of typed dictionaries that are not of the declared type.

use std::collections::HashMap;

use super::{Place, Step};
use formwork_variant::codec::is_element_of;
use formwork_variant::parts::Fingerprints;
use formwork_variant::parts::{Event, Walk};
use formwork_variant::{Container, ElementType, Real, Variant};

/// A value of a typed dictionary that is not of the type that the dictionary declares for its values. Godot 4 reads
/// one and writes it again, but no script of a game puts one there.
#[derive(Clone, Debug)]
pub struct Stray<'v, R: Real = f32> {
    /// The place of the value.
    pub place: Place,
    /// The declared type.
    pub declared: &'v ElementType,
    /// The value.
    pub value: &'v Variant<R>,
}

/// Returns the values in typed dictionaries that are not of the types that these declare.
///
/// ```
/// use formwork_edit::strays;
/// use formwork_variant::{ElementType, VariantType};
/// use formwork_variant::{Dialect, Variant, variant};
///
/// let mut binds = variant!({ "jump": 5, "run": "x" });
/// let Variant::Dictionary(pairs) = &mut binds else { panic!() };
/// pairs.set_types(None, Some(ElementType::Builtin(VariantType::Int)));
///
/// let found = strays(&binds);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].place.name(&binds, Dialect::GODOT4), "run");
/// ```
#[must_use]
pub fn strays<R: Real>(value: &Variant<R>) -> Vec<Stray<'_, R>> {
    let mut found = Vec::new();
    let mut walk = Walk::<R>::new(value);
    // The places of the open containers.
    let mut around: Vec<Place> = Vec::new();
    while let Some(event) = walk.next() {
        let Some(value) = event.value() else {
            around.pop();
            continue;
        };
        let place = || {
            let step = walk.levels().last().map(Step::at);
            around.last().zip(step).map_or_else(Place::default, |(it, step)| it.inside(step))
        };
        if let (Event::Value(_), Some(Container::Dictionary(pairs))) = (&event, walk.around())
            && let Some(declared) = pairs.value_type().filter(|it| !is_element_of(it, value))
        {
            found.push(Stray { place: place(), declared, value });
        }
        if let Some(container) = value.container() {
            around.push(place());
            walk.enter(container, ());
        }
    }
    found
}

/// Returns the first [`Stray`] in values that is not one of the known ones, with the number of the value that holds it.
#[must_use]
pub fn new_stray<'v, R: Real>(
    known: &[Variant<R>],
    values: &'v [Variant<R>],
) -> Option<(usize, Stray<'v, R>)> {
    let prints = Fingerprints::of(known.iter().chain(values));
    let mut by_hash: HashMap<_, Vec<_>> = HashMap::new();
    known.iter().for_each(|old| by_hash.entry(prints.hash(old)).or_default().push(old));
    let is_new = |stray: &Stray<'_, R>| {
        let mut alike = by_hash.get(&prints.hash(stray.value)).into_iter().flatten();
        !alike.any(|old| prints.are_identical(old, stray.value))
    };
    let mut all = values.iter().enumerate();
    all.find_map(|(number, value)| Some((number, strays(value).into_iter().find(is_new)?)))
}
