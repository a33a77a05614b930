//! Objects and what refers to them.

use super::{Real, Variant, VariantString};

/// An object, in one of the forms it takes on the wire.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Object<R: Real = f32> {
    /// No object.
    #[default]
    Null,
    /// A stand-in: the number of an object that lives in some running engine (never the object
    /// itself). The engines call the class `EncodedObjectAsID`.
    Id(u64),
    /// Class and properties, as data. Never run, whatever a `script` property holds.
    Full(Box<FullObject<R>>),
}

/// An object in full form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FullObject<R: Real = f32> {
    /// Name of the engine's class.
    pub class: VariantString,
    /// The stored properties in their order.
    pub properties: Vec<(VariantString, Variant<R>)>,
}

impl<R: Real> FullObject<R> {
    /// The first property of that name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Variant<R>> {
        self.properties.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
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
