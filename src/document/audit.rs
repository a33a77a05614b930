//! Holding the JSON of a format to its files.

use std::fmt::Debug;

use super::{Format, Json, RecordFormat};
use crate::error::{Error, Result, Rule};
use crate::record::{self, Audit, Declared};

/// Holds the reader, the layout and the JSON of a format to each other.
///
/// Does what [`record::audit`](crate::record::audit()) does. Then the JSON of each sample and of each made value, written as
/// a text and read again, must make the same file, and what is settled in a file that is read must be what it says.
///
/// ```
/// use formwork::{BinRead, BinWrite, Block, Schema, binrw, document};
///
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// #[brw(big)]
/// struct Name {
///     length: u8,
///     #[br(count = length)]
///     letters: Block<u8>,
/// }
///
/// document::audit::<Name>(&[b"\x05hello", b"\x00"], 100).ok()?;
/// # Ok::<(), String>(())
/// ```
#[must_use]
pub fn audit<T: Declared + PartialEq + Debug>(samples: &[&[u8]], values: u64) -> Audit {
    let mut audit = record::audit::<T>(samples, values);
    let format = RecordFormat::new::<T>("file", "");
    for (number, sample) in samples.iter().enumerate() {
        hold(&format, &format!("sample {number}"), sample, &mut audit);
    }
    for seed in 0..values {
        if let Ok(bytes) = record::generate_bytes::<T>(seed) {
            hold(&format, &format!("value {seed}"), &bytes, &mut audit);
        }
    }
    audit
}

fn hold(format: &RecordFormat, what: &str, bytes: &[u8], audit: &mut Audit) {
    let held = || -> Result<()> {
        let text = format.open(bytes)?.to_json().to_string();
        let made = format.make(&Json::read(text.as_bytes())?)?.to_bytes();
        if made == bytes {
            return Ok(());
        }
        let at = made.iter().zip(bytes).take_while(|(one, other)| one == other).count();
        let expected = format!("the same {} bytes", bytes.len());
        Err(Error::new(
            Rule::INPUT_TRAILING,
            at as u64,
            expected,
            format!("{} bytes: {text}", made.len()),
        ))
    };
    match held() {
        // A document is not as deep as a file may be.
        Err(error) if error.rule() != Rule::DEPTH_LIMIT => {
            audit.fault("JSON", || format!("{what}: its JSON makes another file: {error}"));
        }
        _ => {}
    }
}
