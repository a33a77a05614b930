//! What declared expressions come to.

use std::cell::Cell;

use crate::schema::Expression;

/// An expression as it is declared, and parsed.
type Parsed = (&'static str, Option<Expression<'static>>);

thread_local! {
    /// The expressions met so far, in the order of [`place`]. They are few, and inspectors are made by
    /// the thousand.
    static PARSED: Cell<Vec<Parsed>> = const { Cell::new(Vec::new()) };
}

/// Where the text is in memory, which tells declarations apart more quickly than what it says.
fn place(text: &'static str) -> (usize, usize) {
    (text.as_ptr().addr(), text.len())
}

/// The value of a declared expression; none where it does not parse, or speaks of what has no value.
pub(crate) fn evaluate(
    text: &'static str,
    value_of: &mut dyn FnMut(&[&'static str]) -> Option<i128>,
) -> Option<i128> {
    let mut parsed = PARSED.take();
    let at = match parsed.binary_search_by_key(&place(text), |(known, _)| place(known)) {
        Ok(at) => at,
        Err(at) => {
            parsed.insert(at, (text, Expression::parse(text).ok()));
            at
        }
    };
    let expression = parsed.get(at).and_then(|(_, expression)| expression.as_ref());
    let value = expression.and_then(|expression| expression.evaluate(value_of));
    PARSED.set(parsed);
    value
}
