//! Tests the definition crate: declared types, the gallery of formats, documents of records, settling, its page.

mod backwards;
mod coded;
mod direct;
mod document;
mod elements;
mod formats;
mod gallery;
mod honest;
mod kaitai;
mod ksy;
mod numbers;
mod page;
mod places;
mod settling;
mod texts;
mod types;
mod views;
mod words;

#[allow(missing_docs, dead_code, reason = "the names are those of the formats")]
#[path = "../../examples/formats/mod.rs"]
mod examples;

/// Returns the bytes of a file of the gallery.
fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/../../examples/formats/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
