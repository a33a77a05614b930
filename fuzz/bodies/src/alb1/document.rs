//! Reads bytes as a document and writes the same bytes again. (The target `round_trip` goes the other way: from
//! a document to bytes and back.)

use formwork_alb1::Document;

/// Checks that accepted bytes are written back unchanged and that errors point into the input.
pub fn document(data: &[u8]) {
    match Document::from_slice(data) {
        Ok(document) => assert_eq!(document.to_vec().as_deref(), Ok(data)),
        Err(error) => assert!(error.offset() <= data.len() as u64, "{error}"),
    }
}
