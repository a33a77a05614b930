//! Containers whose content is being converted.

use super::place::{is_shown, join, short, step};
use formwork::Path;
use formwork_variant::parts::{Builder, Contents, Level, path};
use formwork_variant::{Real, Variant, VariantString, VariantType};

/// The rest of a container that is still to be converted.
pub(super) struct Source<R: Real> {
    /// The type of the old container.
    pub(super) variant_type: VariantType,
    contents: Contents<R>,
    /// The number of values in it at the start.
    count: usize,
    /// The name of the property that was taken last.
    pub(super) name: VariantString,
}

impl<R: Real> Source<R> {
    pub(super) fn new(variant_type: VariantType, contents: Contents<R>) -> Self {
        let count = contents.len();
        Self { variant_type, contents, count, name: VariantString::default() }
    }

    /// The next value in it.
    pub(super) fn next(&mut self) -> Option<Variant<R>> {
        let (value, name) = self.contents.next()?;
        self.name = name.unwrap_or_default();
        Some(value)
    }

    /// Returns the number of values still to come.
    pub(super) fn len(&self) -> usize {
        self.contents.len()
    }

    /// Returns the English noun for the contents.
    pub(super) const fn noun(&self) -> &'static str {
        self.contents.noun()
    }

    /// Removes the contents.
    pub(super) fn empty(&mut self) {
        while self.next().is_some() {}
    }

    /// The position of the element, pair or property that was taken last.
    fn index(&self) -> usize {
        (self.count - self.contents.len()).saturating_sub(1)
    }
}

/// Returns the position of the value that is being converted: its path in the names of the records, and its place in
/// the names that the user stored.
pub(super) fn whereabouts<R: Real, S: Real>(builder: &Builder<S, Source<R>>) -> (Path, String) {
    let mut levels = Vec::with_capacity(builder.depth());
    let mut places = Vec::new();
    for (depth, (making, source)) in builder.iter().enumerate() {
        let (variant_type, index) = (source.variant_type, source.index());
        // An object may have become a dictionary: then its keys are still the names of properties.
        let key = making.key().filter(|_| variant_type == VariantType::Dictionary);
        levels.push(Level::new(variant_type, 0).behind(index, key.is_some()));
        // This takes most of the time if containers are deeply nested and each value is a loss.
        if is_shown(depth, builder.depth()) {
            places.push(match (variant_type, key) {
                (VariantType::Object, _) => short(&source.name),
                (VariantType::Dictionary, Some(key)) => step(key, index),
                (VariantType::Dictionary, None) => format!("key [{index}]"),
                _ => index.to_string(),
            });
        }
    }
    (path(&levels), join(&places, builder.depth()))
}
