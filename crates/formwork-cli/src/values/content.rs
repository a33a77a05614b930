//! Values of an engine as JSON.

use std::borrow::Borrow;

use formwork::document::Json;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Dialect, Real, Variant};

use crate::documents;
use crate::failure::Failure;

/// Returns values of an engine as filters see them.
pub(crate) fn of_values<R: Real, V: Borrow<Variant<R>>>(
    values: impl IntoIterator<Item = V>,
    dialect: Dialect,
    name: &str,
) -> Result<Vec<Json>, Failure> {
    let json = |value: V| {
        let text = to_json(value.borrow(), dialect, Style::Compact);
        // A large value is not in memory beside its JSON.
        drop(value);
        documents::read_value(name, text.as_bytes())
    };
    values.into_iter().map(json).collect()
}
