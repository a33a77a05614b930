//! Values of typed dictionaries that are not of the declared type.

use super::{Place, Step};
use crate::codec::is_element_of;
use crate::{Container, ElementType, Real, Variant};

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
/// use formwork_variant::edit::strays;
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
    let mut steps: Vec<Step> = Vec::new();
    // The note of each container is the next step in it.
    let mut open: Vec<(Container<'_, R>, usize)> = Vec::new();
    open.extend(value.container().map(|container| (container, 0)));
    // (A list instead of recursion: depth costs no stack.)
    while let Some((container, next)) = open.last_mut() {
        let (container, at) = (*container, *next);
        *next += 1;
        steps.truncate(open.len() - 1);
        let (step, declared) = match container {
            Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
                (Step::Element(at), None)
            }
            Container::Dictionary(pairs) if at % 2 == 1 => {
                (Step::Value(at / 2), pairs.value_type())
            }
            Container::Dictionary(_) => (Step::Key(at / 2), None),
            Container::Object(_) => (Step::Property(at), None),
        };
        let Some(value) = step.of(container) else {
            open.pop();
            continue;
        };
        steps.push(step);
        if let Some(declared) = declared.filter(|declared| !is_element_of(declared, value)) {
            found.push(Stray { place: steps.clone().into(), declared, value });
        }
        open.extend(value.container().map(|container| (container, 0)));
    }
    found
}
