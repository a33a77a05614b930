//! Bytes, the document they are, the same bytes. (A document, its bytes, the same document: `fuzz/round_trip.rs`.)

use formwork_alb1::Document;

/// Whatever bytes are accepted are written back as they were; errors point into the input.
pub fn document(data: &[u8]) {
    match Document::from_slice(data) {
        Ok(document) => assert_eq!(document.to_vec().as_deref(), Ok(data)),
        Err(error) => assert!(error.offset() <= data.len() as u64, "{error}"),
    }
}
