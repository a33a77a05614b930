//! Taking values away.

use super::{ValuePath, rule};
use crate::Dialect;
use crate::error::{Error, Result};
use crate::variant::{Real, Variant};

/// Removes an entry of a dictionary, an element of an array, a property of an object, or one of several values, and
/// returns its value.
///
/// # Errors
///
/// Where the path leads to nothing, or to what cannot be removed: a key, or the only value.
pub fn remove<R: Real>(
    values: &mut Vec<Variant<R>>,
    path: &str,
    dialect: Dialect,
) -> Result<Variant<R>> {
    let (number, place) = ValuePath::new(path).find_in(values, dialect)?;
    let refused = |found: &str| {
        let expected = "an entry of a dictionary, an element of an array or one of several values";
        Err(Error::new(rule::REMOVE, 0, expected, found))
    };
    if place.steps().is_empty() {
        return match values.len() {
            1 => refused("the only value of the file"),
            _ => Ok(values.remove(number)),
        };
    }
    match place.remove(&mut values[number]) {
        Some(value) => Ok(value),
        None => refused("a key"),
    }
}
