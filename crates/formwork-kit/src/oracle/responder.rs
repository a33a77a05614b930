//! Our own answers in the decoder protocol.

use crate::Format;
use formwork_alb1::diff;
use formwork_variant::Real;
use formwork_variant::codec::{Decoder, Encoder, ObjectForm, Strictness};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::json::{self, Style};
use formwork_variant::text::to_text;
use formwork_variant::{Error, Limits};

use super::AnswerForm;
use super::protocol::{Answer, Status, UNKNOWN, append_answer};
use crate::case::Reading;

/// Answers packets as the crate reads them: what `formwork-kit respond` says, and what other decoders are
/// compared with.
///
/// ```
/// use formwork_kit::case::Reading;
/// use formwork_kit::oracle::Responder;
/// use formwork_kit::oracle::protocol::Answer;
/// use formwork_kit::Format;
/// use formwork_variant::Dialect;
///
/// let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
/// let responder = Responder::new(reading);
/// let read = Answer::Accepted { consumed: Some(4), bytes: vec![0; 4] };
/// assert_eq!(responder.answer(&[0, 0, 0, 0, 99]), read);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Responder {
    reading: Reading,
    strictness: Strictness,
    limits: Limits,
    form: AnswerForm,
}

impl Responder {
    /// A responder at the engine's strictness, with the default limits, that answers with bytes.
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        let (strictness, limits) = (Strictness::Engine, Limits::default());
        Self { reading, strictness, limits, form: AnswerForm::Bytes }
    }

    /// Chooses the strictness. The engine's accepts bytes after the value, as the engines do; the canonical one reports
    /// them as a fault. (ALB1 has only one strictness, and a document fills its file.)
    #[must_use]
    pub const fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Chooses what an accepted answer carries.
    #[must_use]
    pub const fn form(mut self, form: AnswerForm) -> Self {
        self.form = form;
        self
    }

    /// How it reads.
    #[must_use]
    pub const fn reading(&self) -> Reading {
        self.reading
    }

    /// The answer to a packet.
    #[must_use]
    pub fn answer(&self, packet: &[u8]) -> Answer {
        let mut bytes = Vec::new();
        let (status, consumed) = self.put(packet, &mut bytes);
        Answer::new(status, consumed, bytes)
    }

    /// Appends the answer to a packet, as it is sent.
    pub fn append_answer(&self, packet: &[u8], out: &mut Vec<u8>) {
        let answered = append_answer(out, |out| self.put(packet, out));
        if answered.is_err() {
            // An accepted value that is too long for an answer is sent as no bytes.
            let _ = append_answer(out, |_| (Status::Accepted, UNKNOWN));
        }
    }

    /// Appends the content of an answer. Returns the status and number for its head.
    fn put(&self, packet: &[u8], out: &mut Vec<u8>) -> (Status, u32) {
        let taken = match self.reading.format {
            Format::Variant(dialect) => match dialect.precision() {
                // What a single-precision engine reads it keeps in 32 bits.
                Precision::Single => self.put_value::<f32>(packet, dialect, out),
                Precision::Double => self.put_value::<f64>(packet, dialect, out),
            },
            Format::Alb1 => self.put_document(packet, out),
        };
        match taken {
            Ok(taken) => (Status::Accepted, word(taken as u64)),
            Err(error) => {
                out.extend_from_slice(error.to_string().as_bytes());
                (Status::Rejected, word(error.offset()))
            }
        }
    }

    /// Reads a value and appends its form; how many bytes it took.
    fn put_value<R: Real>(
        &self,
        packet: &[u8],
        dialect: Dialect,
        out: &mut Vec<u8>,
    ) -> Result<usize, Error> {
        let objects = self.reading.allow_objects;
        let decoder = Decoder::new(dialect)
            .in_precision::<R>()
            .strictness(self.strictness)
            .limits(self.limits)
            .allow_objects(objects);
        let (value, taken) = match self.strictness {
            Strictness::Engine => decoder.decode_prefix(packet)?,
            Strictness::Canonical => (decoder.decode(packet)?, packet.len()),
        };
        match self.form {
            AnswerForm::Bytes => {
                let form = if objects { ObjectForm::Full } else { ObjectForm::Id };
                let encoder =
                    Encoder::new(dialect).in_precision().objects(form).limits(self.limits);
                // An encoding that fails appends nothing, and the length stays 0.
                let _ = encoder.encode_into(&value, out);
            }
            AnswerForm::Text => out.extend_from_slice(to_text(&value, dialect).as_bytes()),
            AnswerForm::Json => {
                let json = json::to_json(&value, dialect, Style::Compact);
                out.extend_from_slice(json.as_bytes());
            }
            AnswerForm::Verdict => {}
        }
        Ok(taken)
    }

    /// Answers for an ALB1 file.
    fn put_document(&self, file: &[u8], out: &mut Vec<u8>) -> Result<usize, Error> {
        let document = formwork_alb1::Reader::new().limits(self.limits).read(file)?;
        let written = match self.form {
            AnswerForm::Bytes => document.to_vec(),
            AnswerForm::Text => {
                let mut text = String::new();
                // Writing to a string does not fail.
                let _ = diff::content(&document, &mut text);
                Ok(text.into_bytes())
            }
            AnswerForm::Json => {
                formwork_alb1::json::to_json(&document, Style::Compact).map(String::into_bytes)
            }
            AnswerForm::Verdict => Ok(Vec::new()),
        };
        // A failure leaves the length at 0.
        out.extend(written.unwrap_or_default());
        Ok(file.len())
    }
}

/// Returns a number as the protocol writes it; the maximum replaces larger numbers.
fn word(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(UNKNOWN)
}
