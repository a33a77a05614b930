//! Variant packets for JavaScript, as JSON text that loses nothing in `JSON.parse`: the package `npm` makes values of it.

mod text;

use formwork::document::Json;
use formwork::{Error, Result};
use formwork_script::{failure, words};
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Dialect, Variant};
use wasm_bindgen::prelude::*;

fn dialect(engine: &str) -> std::result::Result<Dialect, JsValue> {
    engine.parse().map_err(words)
}

fn decoded<R: formwork_variant::Real>(bytes: &[u8], dialect: Dialect) -> Result<String> {
    let decoder = formwork_variant::Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    let value: Variant<R> = decoder.decode(bytes)?;
    let json =
        Json::read(to_json(&value, dialect, Style::Compact).as_bytes()).map_err(Error::nowhere)?;
    Ok(text::for_script(&json))
}

/// Reads a packet of an engine.
///
/// # Errors
///
/// Throws an error if the packet is damaged, or the engine unknown.
#[wasm_bindgen]
pub fn decode(bytes: &[u8], engine: &str) -> std::result::Result<String, JsValue> {
    let dialect = dialect(engine)?;
    let json = match dialect.precision() {
        formwork_variant::dialect::Precision::Single => decoded::<f32>(bytes, dialect),
        formwork_variant::dialect::Precision::Double => decoded::<f64>(bytes, dialect),
    };
    json.map_err(|error| failure(&error))
}

/// Writes a packet for an engine.
///
/// # Errors
///
/// Throws an error if the engine has no such value, or is unknown.
#[wasm_bindgen]
pub fn encode(json: &str, engine: &str) -> std::result::Result<Vec<u8>, JsValue> {
    let dialect = dialect(engine)?;
    let made = match dialect.precision() {
        formwork_variant::dialect::Precision::Single => encoded::<f32>(json, dialect),
        formwork_variant::dialect::Precision::Double => encoded::<f64>(json, dialect),
    };
    made.map_err(|error| failure(&error))
}

fn encoded<R: formwork_variant::Real>(json: &str, dialect: Dialect) -> Result<Vec<u8>> {
    let form = formwork_variant::json::Json::lossless(dialect).in_precision::<R>();
    let value: Variant<R> = form.read(json.as_bytes()).map_err(Error::nowhere)?;
    formwork_variant::Encoder::new(dialect).in_precision::<R>().encode(&value)
}

/// Returns the names of the engines, the newest release of each family first.
#[wasm_bindgen]
#[must_use]
pub fn engines() -> Vec<String> {
    Dialect::all().map(|dialect| dialect.name().to_owned()).collect()
}
