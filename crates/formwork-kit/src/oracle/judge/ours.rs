//! Our own codec as the reference.

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::Format;
use formwork_alb1::diff::content;
use formwork_alb1::{Document, Reader};
use formwork_variant::codec::{self, Decoder, Encoder, ObjectForm, Strictness, WarningCounts};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::json::Json;
use formwork_variant::text::{TextForm, to_text};
use formwork_variant::{Error, Result, Rule};
use formwork_variant::{Real, Variant, VariantString};

use super::{Judge, UNREADABLE, essence, feature, wrong_consumed};
use crate::difference::{self, Comparison};
use crate::oracle::AnswerForm;
use crate::oracle::finding::{Deviation, Kind};
use crate::oracle::protocol::Answer;

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

    /// Compares an answer with this crate's codec. Returns the difference, if any.
    pub(super) fn judge(&self, packet: &[u8], answer: &Answer) -> Option<Deviation> {
        if matches!(answer, Answer::Skipped { .. }) {
            return None;
        }
        match self.judge.reading.format {
            Format::Variant(dialect) => by_precision!(dialect, R => {
                // Whether it is refused shows without a value, which costs more than to walk through.
                if matches!(answer, Answer::Rejected { .. })
                    && self.decoder::<R>(dialect).walk(packet).finish().is_err()
                {
                    return None;
                }
                let mut bent = WarningCounts::default();
                let read = self.read::<R>(dialect, packet, &mut bent);
                self.verdict(packet, answer, read, |ours, taken, bytes| match self.judge.form {
                    // What is the packet itself reads as what the packet does.
                    AnswerForm::Bytes if taken == bytes && bent.is_empty() => None,
                    _ => self.value(dialect, ours, bytes),
                })
            }),
            Format::Alb1 => {
                let read = Reader::new().read(packet).map(|document| (document, packet.len()));
                // Readers that look into a quadtree refuse what is none, others take it as it is.
                let either = |read: &Result<(Document, usize)>| {
                    read.as_ref().is_ok_and(|(document, _)| difference::has_no_tree(document))
                };
                if matches!(answer, Answer::Rejected { .. }) && either(&read) {
                    return None;
                }
                self.verdict(packet, answer, read, |ours, taken, bytes| {
                    let same = self.judge.form == AnswerForm::Bytes && taken == bytes;
                    if same { None } else { self.document(ours, bytes) }
                })
            }
        }
    }

    /// Compares an answer with what we read; `compare` compares the value, and the bytes that it was
    /// read from, with the answer's bytes.
    fn verdict<T>(
        &self,
        packet: &[u8],
        answer: &Answer,
        read: Result<(T, usize)>,
        compare: impl FnOnce(&T, &[u8], &[u8]) -> Option<Change>,
    ) -> Option<Deviation> {
        match (answer, read) {
            (Answer::Skipped { .. }, _) | (Answer::Rejected { .. }, Err(_)) => None,
            // What only we have a limit for says nothing about others.
            (Answer::Accepted { .. }, Err(error)) if self.is_own_limit(&error) => None,
            (Answer::Accepted { .. }, Err(error)) => Some(Deviation::new(
                Kind::AcceptsInvalid,
                essence::of_error(&error),
                format!("accepted; it should have been rejected: {error}"),
            )),
            (Answer::Rejected { message, .. }, Ok(_)) => Some(self.judge.rejects(packet, message)),
            (Answer::Accepted { consumed, bytes }, Ok((ours, length))) => {
                // An empty answer is that of a decoder that cannot say.
                let says = self.judge.form != AnswerForm::Verdict && !bytes.is_empty();
                let taken = packet.get(..length).unwrap_or(packet);
                if says && let Some(Change { about, detail }) = compare(&ours, taken, bytes) {
                    // What the engine mends reads as the same value.
                    let detail = match about.starts_with(UNMENDED) {
                        true => detail,
                        false => format!("reads another value: {detail}"),
                    };
                    return Some(Deviation::new(Kind::DifferentValue, about, detail));
                }
                let length = u32::try_from(length).ok()?;
                consumed.and_then(|consumed| wrong_consumed(length, consumed, packet.len()))
            }
        }
    }

    /// Whether the error is about a limit of ours and none of the format's.
    fn is_own_limit(&self, error: &Error) -> bool {
        match (error.rule(), self.judge.reading.format) {
            (Rule::SIZE_LIMIT, _) | (Rule::DEPTH_LIMIT, Format::Alb1) => true,
            (Rule::DEPTH_LIMIT, Format::Variant(dialect)) => dialect.quirks().depth.is_none(),
            _ => false,
        }
    }

    fn decoder<R: Real>(&self, dialect: Dialect) -> Decoder<R> {
        Decoder::new(dialect)
            .in_precision()
            .strictness(self.judge.strictness)
            .allow_objects(self.judge.reading.allow_objects)
    }

    fn encoder<R: Real>(&self, dialect: Dialect) -> Encoder<R> {
        let full = self.judge.reading.allow_objects;
        Encoder::new(dialect).in_precision().objects(if full {
            ObjectForm::Full
        } else {
            ObjectForm::Id
        })
    }

    /// Decodes the packet as the reference, with the parts that the engine normalises. At the engine's strictness bytes
    /// may follow the value, as in the engines.
    fn read<R: Real>(
        &self,
        dialect: Dialect,
        packet: &[u8],
        bent: &mut WarningCounts,
    ) -> Result<(Variant<R>, usize)> {
        let decoder = self.decoder::<R>(dialect);
        match self.judge.strictness {
            Strictness::Engine => decoder.decode_counting_warnings(packet, bent),
            Strictness::Canonical => decoder.decode(packet).map(|value| (value, packet.len())),
        }
    }

    /// How the value of an answer differs from ours, or what it was written back with that the engine
    /// mends.
    fn value<R: Real>(&self, dialect: Dialect, ours: &Variant<R>, answer: &[u8]) -> Option<Change> {
        let written = || self.encoder(dialect).encode(ours).unwrap_or_default();
        if self.judge.form == AnswerForm::Bytes && written() == answer {
            return None;
        }
        let mut bent = WarningCounts::default();
        let theirs = match self.theirs::<R>(dialect, answer, &mut bent) {
            Ok(theirs) => theirs,
            Err(change) => return Some(change),
        };
        let change = self.parting(dialect, ours, &theirs);
        if change.is_none() && bent.is_empty() {
            return None;
        }
        // A text holds less than a value, and an object written in full becomes a plain one: compare with the
        // reference's value after the same conversion.
        let mut own = WarningCounts::default();
        let again = match self.judge.form {
            AnswerForm::Text => self.theirs(dialect, to_text(ours, dialect).as_bytes(), &mut own),
            _ => by_bytes(dialect, &written(), &mut own),
        };
        let is_same = |again| self.parting(dialect, &again, &theirs).is_none();
        match change {
            Some(change) if !again.is_ok_and(is_same) => Some(change),
            _ => unmended(&bent, &own),
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
        let comparison = Comparison::new().dialect(dialect).any_nan(self.judge.any_nan);
        comparison.values(ours, theirs).map(Into::into)
    }

    /// The value that an answer is, and what the engine mends in it; or why it is none.
    fn theirs<R: Real>(
        &self,
        dialect: Dialect,
        answer: &[u8],
        bent: &mut WarningCounts,
    ) -> Result<Variant<R>, Change> {
        match self.judge.form {
            AnswerForm::Bytes | AnswerForm::Verdict => by_bytes(dialect, answer, bent),
            AnswerForm::Json => {
                Json::lossless(dialect).in_precision().read(answer).map_err(unreadable)
            }
            AnswerForm::Text => VariantString::from_bytes(answer.to_vec())
                .map_err(|_| unreadable("it is no UTF-8"))
                .and_then(|text| {
                    TextForm::new(dialect).in_precision().read(&text).map_err(unreadable)
                }),
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
        let comparison = Comparison::new().any_nan(self.judge.any_nan);
        comparison.documents(ours, &theirs).map(Into::into)
    }

    fn their_document(&self, answer: &[u8]) -> Result<Document, Change> {
        let document = match self.judge.form {
            AnswerForm::Json => formwork_alb1::json::from_json(answer),
            _ => Reader::new().read(answer),
        };
        document.map_err(unreadable)
    }

    /// How the values of two accepted answers differ.
    pub(super) fn compare(&self, ours: &[u8], theirs: &[u8]) -> Option<Change> {
        match self.judge.reading.format {
            Format::Variant(dialect) => by_precision!(dialect, R => {
                let [mut own, mut bent] = [WarningCounts::default(), WarningCounts::default()];
                let ours = self.theirs::<R>(dialect, ours, &mut own);
                match (ours, self.theirs::<R>(dialect, theirs, &mut bent)) {
                    (Ok(ours), Ok(theirs)) => self
                        .parting(dialect, &ours, &theirs)
                        .or_else(|| unmended(&bent, &own)),
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

    /// Returns the engine's packet for the value of the packet. (A document's bytes are canonical already.)
    pub(super) fn other_half(&self, packet: &[u8]) -> Option<Vec<u8>> {
        let dialect = self.judge.reading.format.dialect()?;
        by_precision!(dialect, R => {
            let (value, _) = self.read::<R>(dialect, packet, &mut WarningCounts::default()).ok()?;
            self.encoder(dialect).encode(&value).ok()
        })
    }

    /// Why the packet is refused, if it is.
    pub(super) fn error(&self, packet: &[u8]) -> Option<Error> {
        match self.judge.reading.format {
            Format::Variant(dialect) => {
                let bent = &mut WarningCounts::default();
                by_precision!(dialect, R => self.read::<R>(dialect, packet, bent).err())
            }
            Format::Alb1 => Reader::new().read(packet).err(),
        }
    }

    /// The rules whose breach in the packet the engine forgives.
    pub(super) fn forgiven(&self, packet: &[u8]) -> Vec<Rule> {
        let Some(dialect) = self.judge.reading.format.dialect() else { return Vec::new() };
        let mut bent = WarningCounts::default();
        // What is noted before an error counts, too.
        by_precision!(dialect, R => _ = self.read::<R>(dialect, packet, &mut bent));
        bent.iter().map(|(note, _)| note.rule).collect()
    }

    /// A property of a packet, or the rule that it breaks, in words: it may be to blame for a wrong answer.
    pub(super) fn features(&self, packet: &[u8]) -> BTreeSet<String> {
        let Format::Variant(dialect) = self.judge.reading.format else {
            let read = Reader::new().read(packet);
            let essence = |document| essence::of_document(&document);
            return BTreeSet::from([read.map_or_else(|error| blamed(error.rule()), essence)]);
        };
        let mut features = feature::of_bytes(packet, dialect);
        by_precision!(dialect, R => {
            let mut bent = WarningCounts::default();
            let read = self.decoder::<R>(dialect).decode_counting_warnings(packet, &mut bent);
            let (value, length) = match read {
                Ok(read) => read,
                Err(error) => {
                    features.insert(blamed(error.rule()));
                    return features;
                }
            };
            let parts = essence::parts(&value, dialect, &bent, length < packet.len());
            features.extend(feature::of_value(&value));
            features.extend(parts.traits.iter().map(|name| format!("is {name}")));
            features.extend(parts.rules.iter().map(|rule| format!("rule {rule}")));
            features.extend(parts.names.iter().map(|name| format!("type {name}")));
            features
        })
    }

    /// Describes the packet in a few words.
    pub(super) fn essence(&self, packet: &[u8]) -> String {
        let read = match self.judge.reading.format {
            Format::Variant(dialect) => by_precision!(dialect, R => {
                let mut deviations = WarningCounts::default();
                let decoder = self.decoder::<R>(dialect);
                // At canonical strictness nothing that is read deviates.
                decoder.decode_counting_warnings(packet, &mut deviations).map(|(value, length)| {
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

/// The feature of a packet that is refused. That a count or a length is negative is one thing, wherever it is.
fn blamed(rule: Rule) -> String {
    const COUNTS: [Rule; 4] = [
        codec::rule::STRING_LENGTH,
        codec::rule::ARRAY_COUNT,
        codec::rule::NODE_PATH_COUNTS,
        codec::rule::OBJECT_PROPERTY_COUNT,
    ];
    if COUNTS.contains(&rule) { "a negative count".to_owned() } else { format!("rule {rule}") }
}

/// The value that bytes are, objects in any form and numbers in any width, and what the engine mends in
/// them; or why they are none.
fn by_bytes<R: Real>(
    dialect: Dialect,
    bytes: &[u8],
    bent: &mut WarningCounts,
) -> Result<Variant<R>, Change> {
    let decoder = Decoder::new(dialect).in_precision().allow_objects(true);
    let (value, length) = decoder.decode_counting_warnings(bytes, bent).map_err(unreadable)?;
    match bytes.len() - length {
        0 => Ok(value),
        more => Err(unreadable(format_args!("{more} more bytes stand behind its value"))),
    }
}

/// Detail of a decoder that re-encodes non-canonical input unchanged.
const UNMENDED: &str = "writes back what the engine mends";

/// Returns the forms that the engine would normalise, which the decoder wrote because it had not normalised them when
/// it read. Forms that a reference writes too (`own`) are no fault.
///
/// The value alone does not show them: decoding the answer normalises it.
fn unmended(bent: &WarningCounts, own: &WarningCounts) -> Option<Change> {
    /// Forms of the same value: widths, what padding is made of, and the bit of a NaN that moving it
    /// about may change.
    const FORMS: [Rule; 6] = [
        codec::rule::INT_WIDTH,
        codec::rule::FLOAT_WIDTH,
        codec::rule::FLOAT_NAN,
        codec::rule::REAL_PRECISION,
        codec::rule::STRING_PADDING,
        codec::rule::BYTES_PADDING,
    ];
    let mut rules = bent.iter().filter(|(note, _)| {
        !FORMS.contains(&note.rule) && own.iter().all(|(other, _)| other.rule != note.rule)
    });
    let (note, _) = rules.next()?;
    let about = format!("{UNMENDED}: {}", note.rule);
    let mut detail = format!("{about}, at offset {} of the answer", note.offset);
    if !note.path.is_empty() {
        detail = format!("{detail}, {}", note.path);
    }
    Some(Change { about, detail })
}

/// How an answer differs: what that is about, and all there is to say.
pub(super) struct Change {
    pub(super) about: String,
    pub(super) detail: String,
}

impl From<&str> for Change {
    fn from(about: &str) -> Self {
        Self { about: about.to_owned(), detail: about.to_owned() }
    }
}

impl From<difference::Difference> for Change {
    fn from(difference: difference::Difference) -> Self {
        Self { detail: difference.to_string(), about: difference.what }
    }
}

/// An answer that is no value.
fn unreadable(why: impl Display) -> Change {
    Change { about: UNREADABLE.into(), detail: format!("{UNREADABLE}: {why}") }
}
