//! Numbers of values in a file that holds several.

use formwork_variant::{Real, Variant};

use super::failure::Failure;

/// Returns all values of a file, or the one with the number `index`.
pub(crate) fn chosen<'v, R: Real>(
    name: &str,
    values: &'v [Variant<R>],
    index: Option<i64>,
) -> Result<&'v [Variant<R>], Failure> {
    let Some(index) = index else { return Ok(values) };
    number_of(name, index, values.len()).map(|number| &values[number..=number])
}

/// Returns the number of the value that `index` means. A negative index counts from the end.
pub(crate) fn position(index: i64, count: usize) -> Option<usize> {
    let from_end = || count.checked_sub(usize::try_from(index.unsigned_abs()).ok()?);
    let position = usize::try_from(index).ok().or_else(from_end);
    position.filter(|position| *position < count)
}

/// Returns the number of the value that `index` means: see [`position`].
pub(crate) fn number_of(name: &str, index: i64, count: usize) -> Result<usize, Failure> {
    position(index, count).ok_or_else(|| no_number(name, index, count))
}

/// Makes the failure for a number that no value has.
pub(crate) fn no_number(name: &str, index: i64, count: usize) -> Failure {
    let has = match count {
        0 => "none".to_owned(),
        1 => "one, number 0".to_owned(),
        count => format!("{count}, numbers 0 to {}", count - 1),
    };
    Failure::no(format!("{name}: there is no value number {index}; the file has {has}"))
}
