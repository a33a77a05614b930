//! Reading JSON.

use formwork::document::Json;

use crate::failure::Failure;
use crate::source::without_mark;

/// Reads the JSON of a whole document that a person, a filter or a file gives.
pub(crate) fn read_value(name: &str, text: &[u8]) -> Result<Json, Failure> {
    let text = without_mark(text);
    Json::read(text).map_err(|error| Failure::in_text(name, text, error))
}
