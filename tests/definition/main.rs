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

/// Audits a format, of which nothing is never made, and holds its samples to their bytes.
fn audit<T: formwork::record::Declared + PartialEq + std::fmt::Debug>(
    samples: &[&[u8]],
    count: u64,
) {
    let audit = formwork::record::audit::<T>(samples, count)
        .ok()
        .unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.never, Vec::<String>::new(), "{audit}");
    for bytes in samples {
        let value: T = formwork::record::from_slice(bytes).unwrap();
        assert_eq!(&formwork::record::to_vec(&value).unwrap(), bytes);
    }
}

/// Returns the bytes of a file of the gallery.
fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/../../examples/formats/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
