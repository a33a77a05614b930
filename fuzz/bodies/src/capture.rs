//! Captures of any bytes.

use std::io::{self, Read};

use formwork_capture::Capture;
use formwork_variant::dialect::Precision;

/// Checks that reading any capture ends, that every value found can be read from its packet, and that the
/// same values are found however the bytes of the file arrive. Offsets of faults are inside the file.
pub fn capture(data: &[u8]) {
    let whole = values(data, data.len() as u64);
    let pieces = values(Pieces { rest: data, length: 1 }, data.len() as u64);
    assert_eq!(whole, pieces);
}

/// Returns the values found, and whether the file was whole.
fn values(reader: impl Read, length: u64) -> Option<(Vec<String>, bool)> {
    let mut capture = Capture::new(reader).ok()?;
    let (mut found, mut whole) = (Vec::new(), true);
    for item in &mut capture {
        match item {
            Ok(it) => {
                let read = match it.dialect.precision() {
                    Precision::Single => it.value().map(|_| ()),
                    Precision::Double => it.decoder().double().decode(it.packet()).map(|_| ()),
                };
                assert!(read.is_ok(), "a value that was found can be read: {read:?}");
                let (source, packet) = (it.source, it.packet().escape_ascii());
                found.push(format!("{source} {} {} {:?} {packet}", it.offset, it.size, it.place));
            }
            Err(error) => {
                assert!(error.offset() <= length, "{error}");
                whole = false;
            }
        }
    }
    let summary = capture.summary();
    let values: u64 = summary.conversations.iter().map(|about| about.values).sum();
    assert!(summary.forgotten > 0 || values == found.len() as u64);
    Some((found, whole))
}

/// Hands out bytes in pieces of all lengths up to nine.
struct Pieces<'a> {
    rest: &'a [u8],
    length: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.length = self.length % 9 + 1;
        let length = self.length.min(buffer.len()).min(self.rest.len());
        let (piece, rest) = self.rest.split_at(length);
        if let Some(room) = buffer.get_mut(..length) {
            room.copy_from_slice(piece);
        }
        self.rest = rest;
        Ok(length)
    }
}
