//! Contents as JSON, which filters run on.

use formwork::document::{self, Json};
use formwork_alb1::Document;
use formwork_alb1::json::DocumentJson;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Dialect, Real, Variant};

use crate::documents;
use crate::failure::Failure;

/// Returns the documents of a file.
pub(crate) fn each(document: &dyn document::Document) -> Vec<Json> {
    match (document.holds_several(), document.to_json()) {
        (true, Json::Array(documents)) => documents,
        (_, json) => vec![json],
    }
}

/// Returns a document of Terrain Builder as filters see it.
pub(crate) fn of_document(document: &Document, trees: bool, name: &str) -> Result<Json, Failure> {
    let json = DocumentJson::new().trees(trees).to_string(document);
    documents::read_value(name, json.map_err(|error| Failure::in_value(name, error))?.as_bytes())
}

/// Returns values of an engine as filters see them.
pub(crate) fn of_values<R: Real>(
    values: &[Variant<R>],
    dialect: Dialect,
    name: &str,
) -> Result<Vec<Json>, Failure> {
    let json =
        |value| documents::read_value(name, to_json(value, dialect, Style::Compact).as_bytes());
    values.iter().map(json).collect()
}
