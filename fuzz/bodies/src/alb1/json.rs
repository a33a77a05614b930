//! Documents as JSON, and JSON as documents.

use arbitrary::{Arbitrary, Unstructured};

use formwork_alb1::json::{DocumentJson, from_json};
use formwork_alb1::{Document, Reader};
use formwork_variant::Limits;
use formwork_variant::json::Style;

/// Checks that every document comes back from its JSON. Any JSON is refused, or read to a document that can
/// be written and read, unless the format cannot hold it.
pub fn json(data: &[u8]) {
    if let Ok(read) = Document::from_slice(data) {
        there_and_back(&read);
    }
    if let Ok(made) = Document::arbitrary(&mut Unstructured::new(data)) {
        there_and_back(&made);
    }
    match from_json(data) {
        Ok(document) => from_text(&document),
        Err(error) => assert!(error.offset() <= data.len() as u64, "{error}"),
    }
}

fn there_and_back(document: &Document) {
    let compact = DocumentJson::new();
    let forms = [compact, compact.style(Style::Pretty), compact.trees(true)];
    for form in forms {
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

fn from_text(document: &Document) {
    let Ok(bytes) = document.to_vec() else {
        assert!(DocumentJson::new().to_string(document).is_err());
        return;
    };
    let reader = Reader::new().limits(Limits::default().depth(Reader::DEEPEST));
    match reader.read(&bytes).and_then(|read| read.to_vec()) {
        Ok(again) => assert!(again == bytes, "{document:?}"),
        Err(error) => panic!("{document:?}: {error}"),
    }
    there_and_back(document);
}
