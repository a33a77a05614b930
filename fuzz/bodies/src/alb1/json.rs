//! Documents as JSON, and JSON as documents.

use arbitrary::{Arbitrary, Unstructured};

use crate::ways::Ways;
use formwork_alb1::json::{DocumentJson, from_json};
use formwork_alb1::{Document, Reader};
use formwork_variant::Limits;
use formwork_variant::json::Style;

/// Checks that every document comes back from its JSON. Any JSON is refused, or read to a document that can
/// be written and read, unless the format cannot hold it.
pub fn json(data: &[u8]) {
    let ways = Ways::of(data, 2);
    if let Ok(read) = Document::from_slice(data) {
        there_and_back(data, &read);
    }
    if ways.takes(0)
        && let Ok(made) = Document::arbitrary(&mut Unstructured::new(data))
    {
        there_and_back(data, &made);
    }
    if !ways.takes(1) {
        return;
    }
    match from_json(data) {
        Ok(document) => from_text(data, &document),
        Err(error) => assert!(error.offset() <= data.len() as u64, "{error}"),
    }
}

fn there_and_back(data: &[u8], document: &Document) {
    let compact = DocumentJson::new();
    let forms = [compact, compact.style(Style::Pretty), compact.trees(true)];
    // Half of the bytes give another choice than the caller's.
    let ways = Ways::of(data.get(data.len() / 2..).unwrap_or_default(), forms.len());
    for (_, form) in forms.into_iter().enumerate().filter(|(way, _)| ways.takes(*way)) {
        let json = match form.to_string(document) {
            Ok(json) => json,
            Err(error) => panic!("{document:?}: {error}"),
        };
        match from_json(json.as_bytes()) {
            Ok(read) => assert!(read.is_identical(document), "{json}"),
            Err(error) => panic!("{json}: {error}"),
        }
    }
}

fn from_text(data: &[u8], document: &Document) {
    let Ok(bytes) = document.to_vec() else {
        assert!(DocumentJson::new().to_string(document).is_err());
        return;
    };
    let reader = Reader::new().limits(Limits::default().depth(Reader::DEEPEST));
    match reader.read(&bytes).and_then(|read| read.to_vec()) {
        Ok(again) => assert!(again == bytes, "{document:?}"),
        Err(error) => panic!("{document:?}: {error}"),
    }
    there_and_back(data, document);
}
