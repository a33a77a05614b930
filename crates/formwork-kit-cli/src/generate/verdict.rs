//! Verdicts of our readers on a packet.

use formwork_alb1::Document;
use formwork_kit::Format;
use formwork_kit::case::{Broken, Reading};
use formwork_variant::Real;
use formwork_variant::json::{self, Style};
use formwork_variant::{Decoder, Dialect, Error, Strictness};

use formwork_program::format::by_precision;

/// The verdict of a reader.
pub(super) enum Verdict {
    /// The engine reads the packet.
    Accepted {
        /// Number of bytes that the value takes.
        consumed: usize,
        /// Whether the engine would write exactly these bytes.
        canonical: bool,
        /// The first rule by which the engine would write other bytes, if a rule is known.
        unusual: Option<Broken>,
        /// The value, as JSON.
        value: String,
    },
    /// The engine refuses the packet.
    Rejected(Broken),
}

/// The reader for a format.
pub(super) struct Reader(Reading);

impl Reader {
    pub(super) const fn new(reading: Reading) -> Self {
        Self(reading)
    }

    pub(super) fn read(&self, bytes: &[u8]) -> Verdict {
        match self.0.format {
            Format::Variant(dialect) => {
                by_precision!(dialect, R => self.packet::<R>(dialect, bytes))
            }
            Format::Alb1 => document(bytes),
        }
    }

    fn packet<R: Real>(&self, dialect: Dialect, bytes: &[u8]) -> Verdict {
        let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(self.0.allow_objects);
        match decoder.decode_prefix(bytes) {
            Ok((value, consumed)) => {
                let canonical = decoder.strictness(Strictness::Canonical).decode(bytes);
                let unusual = canonical.err().map(|error| broken(&error));
                let value = json::to_json(&value, dialect, Style::Compact);
                Verdict::Accepted { consumed, canonical: unusual.is_none(), unusual, value }
            }
            Err(error) => Verdict::Rejected(broken(&error)),
        }
    }
}

fn document(bytes: &[u8]) -> Verdict {
    let read = Document::from_slice(bytes).and_then(|document| {
        let value = formwork_alb1::json::to_json(&document, Style::Compact)?;
        let canonical = document.to_vec().is_ok_and(|again| again == bytes);
        Ok(Verdict::Accepted { consumed: bytes.len(), canonical, unusual: None, value })
    });
    read.unwrap_or_else(|error| Verdict::Rejected(broken(&error)))
}

fn broken(error: &Error) -> Broken {
    Broken { rule: error.rule(), offset: error.offset() }
}
