//! Documents as JSON, and JSON as documents.

use arbitrary::{Arbitrary, Unstructured};

use formwork::Limits;
use formwork::alb1::{Document, Reader};
use formwork::json::Style;
use formwork::json::alb1::{DocumentJson, from_json};

/// Every document comes back from its JSON. Any JSON is refused, or read to a document that can be
/// written and read, unless the format cannot say it.
pub fn json(data: &[u8]) {
    let read = Document::from_slice(data).ok();
    let made = Document::arbitrary(&mut Unstructured::new(data)).ok();
    read.iter().chain(&made).for_each(there_and_back);
    match from_json(data) {
        Ok(document) => from_text(&document),
        Err(error) => assert!(error.offset() <= data.len() as u64, "{error}"),
    }
}

fn there_and_back(document: &Document) {
    let compact = DocumentJson::new();
    for form in [compact, compact.style(Style::Pretty), compact.trees(true)] {
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
