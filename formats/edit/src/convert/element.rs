//! The element types of containers.

use super::loss::LossKind;
use super::place::quoted;
use super::walk::{Typed, Walk};
use formwork_variant::codec::is_element_of;
use formwork_variant::{ElementType, Real, Variant, VariantType};

impl<R: Real, S: Real> Walk<'_, R, S> {
    /// Returns the element type in the target; [`None`] if the target has no such type.
    pub(super) fn element_type(
        &mut self,
        element: ElementType,
        of: Typed,
        is_typed: bool,
    ) -> Option<ElementType> {
        let same = self.pair.is_same_engine();
        let kept = is_typed
            && match &element {
                // Godot 4 takes a container of nulls for one without an element type.
                ElementType::Builtin(VariantType::Nil) => same,
                ElementType::Builtin(variant_type) => self.pair.to.row_of(*variant_type).is_some(),
                ElementType::Class(_) | ElementType::Script(_) | ElementType::Unknown(_) => same,
            };
        if !kept {
            self.lose_element_type(&element, of);
            return None;
        }
        Some(match element {
            ElementType::Class(name) => ElementType::Class(self.text(name, of.container())),
            ElementType::Script(path) => ElementType::Script(self.text(path, of.container())),
            other @ (ElementType::Builtin(_) | ElementType::Unknown(_)) => other,
        })
    }

    fn lose_element_type(&mut self, element: &ElementType, of: Typed) {
        let name = match element {
            ElementType::Builtin(variant_type) => {
                self.pair.from.type_name(*variant_type).to_owned()
            }
            ElementType::Class(name) | ElementType::Script(name) => quoted(name),
            ElementType::Unknown(number) => format!("type {number}"),
        };
        let container = of.container();
        let (of, nearest) = match of {
            Typed::Elements(_) => ("of", VariantType::Array),
            Typed::Keys => ("with keys of", container),
            Typed::Values => ("with values of", container),
        };
        let found = format!("{} {of} {name}", self.pair.from.type_name(container));
        let nearest = self.pair.to.type_name(nearest).to_owned();
        self.lose(LossKind::ElementType, container, found, nearest);
    }

    /// Returns the element type, if the converted elements are still of it. (Between releases of one engine they are
    /// unchanged.)
    pub(super) fn fitting(
        &mut self,
        element: ElementType,
        of: Typed,
        array: &[Variant<S>],
    ) -> Option<ElementType> {
        if self.pair.is_same_engine() || array.iter().all(|value| is_element_of(&element, value)) {
            return Some(element);
        }
        self.lose_element_type(&element, of);
        None
    }
}
