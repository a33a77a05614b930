//! Recovery of damaged files.

use std::io::{self, ErrorKind, Write};

use arbitrary::{Arbitrary, Result, Unstructured};
use bytes::Bytes;

use formwork_alb1::recover::recover as rescue;
use formwork_alb1::{Document, Reader};
use formwork_variant::Limits;

/// Checks that a document is recovered from any bytes and can be written and read. From a whole document
/// nothing is lost.
pub fn recover(data: &[u8]) {
    of(data);
    let u = &mut Unstructured::new(data);
    let Ok(document) = Document::arbitrary(u) else { return };
    let mut bytes = document.to_vec().expect("it was made to be written");
    of(&bytes);
    // Missing bytes count as zeros, so this ends.
    let _ = damage(&mut bytes, u);
    of(&bytes);
}

fn of(bytes: &[u8]) {
    let recovered = rescue(bytes);
    match Document::from_slice(bytes) {
        Ok(document) => {
            assert_eq!(recovered.error, None);
            // Its quadtree may be damaged, though.
            if recovered.is_whole() {
                assert!(recovered.document.is_identical(&document), "{recovered:?}");
            }
        }
        Err(error) => assert_eq!(recovered.error, Some(error)),
    }
    for lost in &recovered.lost {
        let within = lost.range.start <= lost.range.end && lost.range.end <= bytes.len() as u64;
        assert!(within, "{lost:?} of {}", bytes.len());
    }
    for orphan in &recovered.orphans {
        assert!(orphan.offset < bytes.len() as u64, "{orphan:?}");
    }
    let document = &recovered.document;
    let written = match document.to_vec() {
        Ok(written) => Bytes::from(written),
        Err(error) => panic!("{document:?} cannot be written: {error}"),
    };
    let reader = Reader::new().limits(Limits::default().depth(Reader::DEEPEST));
    // A new quadtree takes megabytes. Reading and writing it again needs no copy.
    let mut expected = Expected(&written);
    match reader.read_shared(&written).and_then(|read| read.write_to(&mut expected)) {
        Ok(()) => assert!(expected.0.is_empty(), "{document:?}"),
        Err(error) => panic!("{document:?} cannot be read: {error}"),
    }
}

/// Accepts exactly these bytes.
struct Expected<'b>(&'b [u8]);

impl Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (expected, rest) = self.0.split_at_checked(bytes.len()).ok_or(ErrorKind::WriteZero)?;
        // The bytes of a raw array are in the same place in memory.
        if !std::ptr::eq(expected, bytes) && expected != bytes {
            return Err(ErrorKind::InvalidData.into());
        }
        self.0 = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Cuts bytes off, removes, inserts or changes some.
fn damage(bytes: &mut Vec<u8>, u: &mut Unstructured<'_>) -> Result<()> {
    for _ in 0..u.int_in_range(1..=3)? {
        let at = u.int_in_range(0..=bytes.len())?;
        let end = at.saturating_add(u.int_in_range(0..=64)?).min(bytes.len());
        match u.int_in_range(0..=3)? {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, u.arbitrary::<[u8; 4]>()?)),
            _ => bytes[at..end].fill(u.arbitrary()?),
        }
    }
    Ok(())
}
