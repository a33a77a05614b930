//! Bytes, the document they are, the same bytes; a document, its bytes, the same document.

use arbitrary::{Arbitrary, Unstructured};

use formwork::alb1::Document;

/// Whatever bytes are accepted are written back as they were; errors point into the input. And what
/// the generator makes of the same bytes is written, and reads as it was.
pub fn document(data: &[u8]) {
    match Document::from_slice(data) {
        Ok(document) => assert_eq!(document.to_vec().as_deref(), Ok(data)),
        Err(error) => assert!(error.offset() <= data.len() as u64, "{error}"),
    }
    let Ok(document) = Document::arbitrary(&mut Unstructured::new(data)) else { return };
    let bytes = match document.to_vec() {
        Ok(bytes) => bytes,
        Err(error) => panic!("{document:?} cannot be written: {error}"),
    };
    match Document::from_slice(&bytes) {
        Ok(read) => assert!(read.is_identical(&document), "{read:?} for {document:?}"),
        Err(error) => panic!("{document:?} cannot be read: {error}"),
    }
}
