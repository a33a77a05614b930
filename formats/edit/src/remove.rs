//! Taking values away.

use super::{Place, rule};
use formwork::{Error, Result};
use formwork_variant::{Real, Variant};

/// Removes the value at a place in the value of this number: an entry of a dictionary, an element of an array, a
/// property of an object, or, for the empty place, the value itself. Returns the removed value.
///
/// # Errors
///
/// Returns an error if the place does not exist, or if the value cannot be removed: a key, or the only value.
pub fn remove<R: Real>(
    values: &mut Vec<Variant<R>>,
    number: usize,
    place: &Place,
) -> Result<Variant<R>> {
    let refused = |found: &str| {
        let expected = "an entry of a dictionary, an element of an array or one of several values";
        Err(Error::new(rule::REMOVE, 0, expected, found))
    };
    match (values.len(), place.last().is_none()) {
        (1, true) => refused("the only value of the file"),
        (count, true) if number < count => Ok(values.remove(number)),
        _ => match values.get_mut(number).and_then(|value| place.remove(value)) {
            Some(value) => Ok(value),
            None => refused("a key"),
        },
    }
}
