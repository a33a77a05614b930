//! Objects, and references to them.

use std::fmt;

use super::container::drop_inside;
use super::debug::debug_inside;
use super::{ContainerMut, Real, Variant, VariantString};

/// An object, in one of the forms it takes on the wire.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Object<R: Real = f32> {
    /// No object.
    #[default]
    Null,
    /// A placeholder: the number of an object in a running engine (never the object itself). The engines call the
    /// class `EncodedObjectAsID`.
    Id(u64),
    /// Class and properties, as data. A `script` property is never run.
    Full(Box<FullObject<R>>),
}

/// An object in full form.
#[derive(Clone, Default, PartialEq)]
pub struct FullObject<R: Real = f32> {
    /// Name of the engine's class.
    pub class: VariantString,
    /// The stored properties in their order.
    pub properties: Vec<(VariantString, Variant<R>)>,
}

impl<R: Real> FullObject<R> {
    /// Returns class and properties. (They cannot be moved out of the fields, because the type implements `Drop`.)
    #[must_use]
    pub fn into_parts(mut self) -> (VariantString, Vec<(VariantString, Variant<R>)>) {
        (std::mem::take(&mut self.class), std::mem::take(&mut self.properties))
    }

    /// The first property of that name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Variant<R>> {
        self.properties.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

impl<R: Real> fmt::Debug for FullObject<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FullObject {{ class: {:?}, properties: ", self.class)?;
        debug_inside(f, |f| self.properties.fmt(f))?;
        f.write_str(" }")
    }
}

/// Dropping recurses no further than that of the containers.
impl<R: Real> Drop for FullObject<R> {
    fn drop(&mut self) {
        drop_inside(ContainerMut::Object(self));
    }
}

/// A signal of an object. Godot 4.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Signal {
    /// The signal's name.
    pub name: VariantString,
    /// The number of the object that emits it, in the engine that wrote it.
    pub object_id: u64,
}
