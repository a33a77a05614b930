//! Our own codec as the reference.

use std::fmt::Display;

use super::{Judge, UNREADABLE, document, essence, rejects, value, wrong_consumed};
use crate::alb1::diff::content;
use crate::alb1::{Document, Reader};
use crate::codec::{Attitude, Decoder, Deviations, Encoder, ObjectForm};
use crate::dialect::{Dialect, Precision};
use crate::error::{Error, Result, Rule};
use crate::format::Format;
use crate::json::{self, Json};
use crate::oracle::AnswerForm;
use crate::oracle::finding::{Difference, Kind};
use crate::oracle::protocol::Answer;
use crate::text::{from_text, to_text};
use crate::variant::{Real, Variant, VariantString};

/// Our codec, as a judge uses it.
pub(super) struct Ours<'j> {
    judge: &'j Judge,
}

/// Runs the expression with `$real` standing for the type of the dialect's reals.
macro_rules! by_precision {
    ($dialect:expr, $real:ident => $run:expr) => {
        match $dialect.precision() {
            Precision::Single => {
                type $real = f32;
                $run
            }
            Precision::Double => {
                type $real = f64;
                $run
            }
        }
    };
}

impl<'j> Ours<'j> {
    pub(super) const fn new(judge: &'j Judge) -> Self {
        Self { judge }
    }

    /// What is wrong with an answer.
    pub(super) fn judge(&self, packet: &[u8], answer: &Answer) -> Option<Difference> {
        if matches!(answer, Answer::Skipped { .. }) {
            return None;
        }
        match self.judge.reading.format {
            Format::Variant(dialect) => by_precision!(dialect, R => {
                let read = self.read::<R>(dialect, packet);
                self.verdict(packet, answer, read, |ours, bytes| self.value(dialect, ours, bytes))
            }),
            Format::Alb1 => {
                let read = Reader::new().read(packet).map(|document| (document, packet.len()));
                self.verdict(packet, answer, read, |ours, bytes| self.document(ours, bytes))
            }
        }
    }

    /// Compares an answer with what we read; `compare` compares the value with the answer's bytes.
    fn verdict<T>(
        &self,
        packet: &[u8],
        answer: &Answer,
        read: Result<(T, usize)>,
        compare: impl FnOnce(&T, &[u8]) -> Option<Change>,
    ) -> Option<Difference> {
        match (answer, read) {
            (Answer::Skipped { .. }, _) | (Answer::Rejected { .. }, Err(_)) => None,
            // What only we have a limit for says nothing about others.
            (Answer::Accepted { .. }, Err(error)) if self.is_own_limit(&error) => None,
            (Answer::Accepted { .. }, Err(error)) => Some(Difference {
                kind: Kind::AcceptsInvalid,
                about: essence::of_error(&error),
                detail: format!("accepted; it should have been rejected: {error}"),
            }),
            (Answer::Rejected { message, .. }, Ok(_)) => Some(rejects(message)),
            (Answer::Accepted { consumed, bytes }, Ok((ours, length))) => {
                // An empty answer is that of a decoder that cannot say. What is the packet itself
                // reads as what the packet does.
                let says = self.judge.form != AnswerForm::Verdict && !bytes.is_empty();
                let same =
                    self.judge.form == AnswerForm::Bytes && packet.get(..length) == Some(bytes);
                if says
                    && !same
                    && let Some(Change { about, detail }) = compare(&ours, bytes)
                {
                    let detail = format!("reads another value: {detail}");
                    return Some(Difference { kind: Kind::DifferentValue, about, detail });
                }
                let length = u32::try_from(length).ok()?;
                consumed.and_then(|consumed| wrong_consumed(length, consumed, packet.len()))
            }
        }
    }

    /// Whether the error is about a limit of ours and none of the format's.
    fn is_own_limit(&self, error: &Error) -> bool {
        match (error.rule(), self.judge.reading.format) {
            (Rule::SizeLimit, _) | (Rule::DepthLimit, Format::Alb1) => true,
            (Rule::DepthLimit, Format::Variant(dialect)) => dialect.rules().depth.is_none(),
            _ => false,
        }
    }

    fn decoder(&self, dialect: Dialect) -> Decoder {
        Decoder::new(dialect)
            .attitude(self.judge.attitude)
            .allow_objects(self.judge.reading.allow_objects)
    }

    fn encoder(&self, dialect: Dialect) -> Encoder {
        let full = self.judge.reading.allow_objects;
        Encoder::new(dialect).objects(if full { ObjectForm::Full } else { ObjectForm::Id })
    }

    /// What the packet is to the reference. In the engine's attitude there may be more behind the
    /// value, as the engines have it.
    fn read<R: Real>(&self, dialect: Dialect, packet: &[u8]) -> Result<(Variant<R>, usize)> {
        let decoder = self.decoder(dialect);
        match self.judge.attitude {
            Attitude::Engine => decoder.decode_prefix(packet),
            Attitude::Canonical => decoder.decode(packet).map(|value| (value, packet.len())),
        }
    }

    /// How the value of an answer differs from ours.
    fn value<R: Real>(&self, dialect: Dialect, ours: &Variant<R>, answer: &[u8]) -> Option<Change> {
        let theirs = match self.theirs::<R>(dialect, answer) {
            Ok(theirs) => theirs,
            Err(change) => return Some(change),
        };
        let change = self.parting(dialect, ours, &theirs)?;
        // A text holds less than a value, and an object that is written in full is no stand-in any
        // more: what is asked for is what becomes of ours on the same road.
        let again = match self.judge.form {
            AnswerForm::Text => self.theirs(dialect, to_text(ours, dialect).as_bytes()),
            _ => {
                let bytes = self.encoder(dialect).encode(ours).unwrap_or_default();
                by_bytes(dialect, &bytes)
            }
        };
        match again {
            Ok(again) => self.parting(dialect, &again, &theirs).map(|_| change),
            Err(_) => Some(change),
        }
    }

    fn parting<R: Real>(
        &self,
        dialect: Dialect,
        ours: &Variant<R>,
        theirs: &Variant<R>,
    ) -> Option<Change> {
        if ours.is_identical(theirs) {
            return None;
        }
        value::parting(ours, theirs, dialect, self.judge.any_nan).map(Into::into)
    }

    /// The value that an answer is; or why it is none.
    fn theirs<R: Real>(&self, dialect: Dialect, answer: &[u8]) -> Result<Variant<R>, Change> {
        match self.judge.form {
            AnswerForm::Bytes | AnswerForm::Verdict => by_bytes(dialect, answer),
            AnswerForm::Json => Json::lossless(dialect).read(answer).map_err(unreadable),
            AnswerForm::Text => VariantString::from_bytes(answer.to_vec())
                .map_err(|_| unreadable("it is no UTF-8"))
                .and_then(|text| from_text(&text, dialect).map_err(unreadable)),
        }
    }

    /// How the document of an answer differs from ours.
    fn document(&self, ours: &Document, answer: &[u8]) -> Option<Change> {
        if self.judge.form == AnswerForm::Text {
            let mut text = String::new();
            // Writing to a string does not fail.
            let _ = content(ours, &mut text);
            return (text.as_bytes() != answer).then(|| "another text".into());
        }
        let theirs = match self.their_document(answer) {
            Ok(theirs) => theirs,
            Err(change) => return Some(change),
        };
        if ours.is_identical(&theirs) {
            return None;
        }
        document::parting(ours, &theirs, self.judge.any_nan).map(Into::into)
    }

    fn their_document(&self, answer: &[u8]) -> Result<Document, Change> {
        let document = match self.judge.form {
            AnswerForm::Json => json::alb1::from_json(answer),
            _ => Reader::new().read(answer),
        };
        document.map_err(unreadable)
    }

    /// How the values of two accepted answers differ.
    pub(super) fn compare(&self, ours: &[u8], theirs: &[u8]) -> Option<Change> {
        match self.judge.reading.format {
            Format::Variant(dialect) => by_precision!(dialect, R => {
                match (self.theirs::<R>(dialect, ours), self.theirs::<R>(dialect, theirs)) {
                    (Ok(ours), Ok(theirs)) => self.parting(dialect, &ours, &theirs),
                    (Ok(_), Err(change)) => Some(change),
                    // The reference's bytes are beyond us, and they are others.
                    (Err(_), _) => Some("other bytes than the reference's".into()),
                }
            }),
            Format::Alb1 => match self.their_document(ours) {
                Ok(ours) => self.document(&ours, theirs),
                Err(_) => Some("other bytes than the reference's".into()),
            },
        }
    }

    /// Why the packet is refused, if it is.
    pub(super) fn error(&self, packet: &[u8]) -> Option<Error> {
        match self.judge.reading.format {
            Format::Variant(dialect) => {
                by_precision!(dialect, R => self.read::<R>(dialect, packet).err())
            }
            Format::Alb1 => Reader::new().read(packet).err(),
        }
    }

    /// What the packet is about.
    pub(super) fn essence(&self, packet: &[u8]) -> String {
        let read = match self.judge.reading.format {
            Format::Variant(dialect) => by_precision!(dialect, R => {
                let mut deviations = Deviations::default();
                let decoder = self.decoder(dialect);
                // In the canonical attitude nothing that is read deviates.
                decoder.decode_counting::<R>(packet, &mut deviations).map(|(value, length)| {
                    essence::of_value(&value, dialect, &deviations, length < packet.len())
                })
            }),
            Format::Alb1 => {
                Reader::new().read(packet).map(|document| essence::of_document(&document))
            }
        };
        read.unwrap_or_else(|error| essence::of_error(&error))
    }
}

/// The value that bytes are, objects in any form and numbers in any width; or why they are none.
fn by_bytes<R: Real>(dialect: Dialect, bytes: &[u8]) -> Result<Variant<R>, Change> {
    Decoder::new(dialect).allow_objects(true).decode(bytes).map_err(unreadable)
}

/// How an answer differs: what that is about, and all there is to say.
pub(super) struct Change {
    pub(super) about: String,
    pub(super) detail: String,
}

impl<T: Into<String>> From<T> for Change {
    fn from(about: T) -> Self {
        let about = about.into();
        Self { detail: about.clone(), about }
    }
}

/// An answer that is no value.
fn unreadable(why: impl Display) -> Change {
    Change { about: UNREADABLE.into(), detail: format!("{UNREADABLE}: {why}") }
}
