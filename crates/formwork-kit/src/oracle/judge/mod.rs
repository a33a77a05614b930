//! Checks answers of decoders.

mod encodings;
mod essence;
mod feature;
mod ours;
mod words;

use formwork_variant::Rule;
use formwork_variant::codec::Strictness;
use ours::{Change, Ours};
use std::collections::BTreeSet;

use super::AnswerForm;
use super::finding::{Deviation, Kind};
use super::outcome::Outcome;
use super::protocol::Answer;
use super::responder::Responder;
use crate::case::Reading;

/// Compares what targets answer with what they should: with what our own codec makes of the packet, or
/// with what another target, the reference, answered.
///
/// Two values are the same if they mean the same. The widths in which numbers are written do not
/// count, nor the bit that tells a quiet NaN from a signalling one, which moving it about may change;
/// and, where [that is asked for](Judge::any_nan), none of a NaN's bits. Everything else counts: the sign of zero, element types, the order of a dictionary's
/// pairs, which engines keep and scripts can see. An answer that was skipped is never wrong, and one
/// that is accepted without a value is only asked whether it should have been accepted.
///
/// ```
/// use formwork_kit::case::Reading;
/// use formwork_kit::oracle::protocol::Answer;
/// use formwork_kit::oracle::Outcome;
/// use formwork_kit::oracle::{Judge, Kind};
/// use formwork_kit::Format;
/// use formwork_variant::Dialect;
///
/// let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
/// let judge = Judge::new(reading);
/// // A float of 64 bits, 0.1, that comes back in 32.
/// let packet = [3, 0, 1, 0, 0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f];
/// let bytes = vec![3, 0, 0, 0, 0xcd, 0xcc, 0xcc, 0x3d];
/// let outcome = Outcome::Answered(Answer::Accepted { consumed: Some(12), bytes });
/// let difference = judge.judge(&packet, &outcome).unwrap();
/// assert_eq!(difference.kind, Kind::DifferentValue);
/// assert_eq!(difference.about, "float: rounded to 32 bits");
/// ```
#[derive(Clone, Debug)]
pub struct Judge {
    reading: Reading,
    strictness: Strictness,
    form: AnswerForm,
    any_nan: bool,
}

impl Judge {
    /// A judge whose reference is our own codec at the engine's strictness, for answers that carry
    /// bytes.
    #[must_use]
    pub const fn new(reading: Reading) -> Self {
        Self { reading, strictness: Strictness::Engine, form: AnswerForm::Bytes, any_nan: false }
    }

    /// Chooses the strictness of our codec (of ALB1 files it has but one).
    #[must_use]
    pub const fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Chooses what accepted answers carry.
    #[must_use]
    pub const fn form(mut self, form: AnswerForm) -> Self {
        self.form = form;
        self
    }

    /// Chooses whether any NaN is as good as another: for languages that do not keep their bits.
    #[must_use]
    pub const fn any_nan(mut self, any: bool) -> Self {
        self.any_nan = any;
        self
    }

    /// How the decoders read.
    #[must_use]
    pub const fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns the answer of this crate's codec, which reports show as the reference's answer.
    #[must_use]
    pub fn reference(&self, packet: &[u8]) -> Outcome {
        let Self { reading, strictness, form, .. } = *self;
        Outcome::Answered(Responder::new(reading).strictness(strictness).form(form).answer(packet))
    }

    /// Compares the outcome with this crate's codec. Returns the difference, if any.
    #[must_use]
    pub fn judge(&self, packet: &[u8], outcome: &Outcome) -> Option<Deviation> {
        match outcome {
            Outcome::Answered(answer) => Ours::new(self).judge(packet, answer),
            failed => self.failure(packet, failed),
        }
    }

    /// Compares the outcome with that of a reference. Returns no difference if the reference has no opinion (it skipped
    /// the packet, or failed itself).
    #[must_use]
    pub fn judge_against(
        &self,
        packet: &[u8],
        outcome: &Outcome,
        reference: &Outcome,
    ) -> Option<Deviation> {
        let Outcome::Answered(answer) = outcome else { return self.failure(packet, outcome) };
        let Outcome::Answered(reference) = reference else { return None };
        match (answer, reference) {
            (
                Answer::Accepted { consumed, bytes },
                Answer::Accepted { consumed: expected, bytes: ours },
            ) => {
                let both =
                    self.form != AnswerForm::Verdict && !bytes.is_empty() && !ours.is_empty();
                if both && bytes != ours {
                    let change = Ours::new(self).compare(ours, bytes);
                    if let Some(Change { about, detail }) = change {
                        let detail = format!("reads another value than the reference: {detail}");
                        return Some(Deviation::new(Kind::DifferentValue, about, detail));
                    }
                }
                match (consumed, expected) {
                    (Some(theirs), Some(ours)) => wrong_consumed(*ours, *theirs, packet.len()),
                    _ => None,
                }
            }
            (Answer::Accepted { .. }, Answer::Rejected { message, .. }) => {
                // What our codec says of it is more, where it agrees with the reference.
                let about = self
                    .rule_broken(packet)
                    .unwrap_or_else(|| format!("rejected by the reference, on {VALID}"));
                let detail = format!("accepted; the reference says: {message}");
                Some(Deviation::new(Kind::AcceptsInvalid, about, detail))
            }
            (Answer::Rejected { message, .. }, Answer::Accepted { .. }) => {
                Some(self.rejects(packet, message))
            }
            _ => None,
        }
    }

    /// Compares the outcomes of two equivalent packets, each of which has passed [`judge`](Self::judge). No expected
    /// value is needed: either both are read as the same value, or neither is read as one. If a reference itself reads
    /// them as two values, they are not equivalent.
    #[must_use]
    pub fn judge_pair(
        &self,
        outcomes: [&Outcome; 2],
        references: Option<[&Outcome; 2]>,
    ) -> Option<Deviation> {
        if self.strictness == Strictness::Canonical || self.form == AnswerForm::Verdict {
            return None;
        }
        let values = |outcomes: [&Outcome; 2]| match outcomes {
            [
                Outcome::Answered(Answer::Accepted { bytes: one, .. }),
                Outcome::Answered(Answer::Accepted { bytes: other, .. }),
            ] => Some((one.clone(), other.clone())),
            _ => None,
        };
        let differ = |(one, other): &(Vec<u8>, Vec<u8>)| match (one.is_empty(), other.is_empty()) {
            _ if one == other => None,
            (false, false) => Ours::new(self).compare(other, one),
            _ => Some(ONE_VALUE.into()),
        };
        let refuses = |outcomes: [&Outcome; 2]| {
            let refused =
                |outcome: &&Outcome| matches!(outcome, Outcome::Answered(Answer::Rejected { .. }));
            outcomes.iter().any(refused)
                || values(outcomes).is_some_and(|values| differ(&values).is_some())
        };
        if references.is_some_and(refuses) {
            return None;
        }
        let Change { about, detail } = differ(&values(outcomes)?)?;
        let detail = format!("of two packets that mean the same: {detail}");
        Some(Deviation::new(Kind::PairDiffers, about, detail))
    }

    /// Returns the other half of the pair that the packet is one of: the bytes that the engine writes for its
    /// value, where these are others.
    #[must_use]
    pub fn other_half(&self, packet: &[u8]) -> Option<Vec<u8>> {
        Ours::new(self).other_half(packet).filter(|half| half != packet)
    }

    /// Returns the encodings of the packet's value that are as right as `value`, which the reference
    /// wrote: their numbers have other widths, their NaNs are quiet, or they are the `taken` bytes of the packet. With `reference`
    /// that is what is compared with, otherwise our own codec.
    pub(crate) fn other_encodings(
        &self,
        packet: &[u8],
        taken: Option<u32>,
        value: &[u8],
        reference: Option<&Outcome>,
    ) -> Vec<Vec<u8>> {
        let is_right = |bytes: &[u8]| {
            let answer = Answer::Accepted { consumed: None, bytes: bytes.to_vec() };
            let answer = Outcome::Answered(answer);
            match reference {
                Some(reference) => self.judge_against(packet, &answer, reference).is_none(),
                None => self.judge(packet, &answer).is_none(),
            }
        };
        let taken = taken.and_then(|taken| packet.get(..taken as usize)).unwrap_or(packet);
        encodings::others(self.reading.format, taken, value, &is_right)
    }

    /// Describes the packet in a few words, to tell findings with short texts apart: the rule that it breaks, or the
    /// types of its value and the unusual forms of its bytes.
    #[must_use]
    pub fn essence(&self, packet: &[u8]) -> String {
        Ours::new(self).essence(packet)
    }

    /// A property of a packet, or the rule that it breaks, in words: it may be to blame for a wrong answer.
    pub(crate) fn features(&self, packet: &[u8]) -> BTreeSet<String> {
        Ours::new(self).features(packet)
    }

    /// The rule that the packet breaks, if it does.
    pub(crate) fn rule(&self, packet: &[u8]) -> Option<Rule> {
        Ours::new(self).error(packet).map(|error| error.rule())
    }

    /// The rules whose breach in the packet the engine forgives.
    pub(crate) fn rules(&self, packet: &[u8]) -> Vec<Rule> {
        Ours::new(self).forgiven(packet)
    }

    /// The rule that the packet breaks, if it does, and in which field.
    #[must_use]
    pub fn rule_broken(&self, packet: &[u8]) -> Option<String> {
        Ours::new(self).error(packet).map(|error| essence::of_error(&error))
    }

    /// The difference as a finding has it: where its text says little, with what its packet, the
    /// smallest that shows it, is about.
    #[must_use]
    pub fn refined(&self, mut difference: Deviation, packet: &[u8]) -> Deviation {
        let essence = self.essence(packet);
        let about = &difference.about;
        let start = about.strip_suffix(VALID).or_else(|| about.strip_suffix(ACCEPTABLE));
        difference.about = match (difference.kind, start) {
            (Kind::DifferentValue, _) if about == UNREADABLE => format!("{essence}: {about}"),
            (Kind::WrongConsumed, _) => format!("{essence}: {about}"),
            (_, Some(start)) => format!("{start}{essence}"),
            _ => return difference,
        };
        difference
    }

    /// A packet was refused that should not have been.
    fn rejects(&self, packet: &[u8], message: &str) -> Deviation {
        let (kind, about) = match self.clone().strictness(Strictness::Canonical).rule(packet) {
            Some(_) => (Kind::RejectsAcceptable, ACCEPTABLE),
            None => (Kind::RejectsValid, VALID),
        };
        let said = words::last_words(message).unwrap_or_default();
        let detail = format!("rejected: {message}");
        Deviation { said, ..Deviation::new(kind, about, detail) }
    }

    /// A process that did not answer.
    fn failure(&self, packet: &[u8], outcome: &Outcome) -> Option<Deviation> {
        // A failure that does not say where it was is known by what it was asked.
        let asked = || self.rule_broken(packet).unwrap_or_else(|| VALID.into());
        Some(match outcome {
            Outcome::Crashed { stderr, .. } if words::is_out_of_memory(stderr) => {
                let about = format!("too much memory, on {}", asked());
                let detail = format!("the process was refused memory\n{stderr}");
                Deviation::new(Kind::Memory, about, detail)
            }
            Outcome::Crashed { status, stderr } => {
                let about = format!("{status}, on {}", asked());
                let said = words::last_words(stderr).map(|words| format!("{status}: {words}"));
                let detail = format!("the process ended: {status}\n{stderr}");
                Deviation {
                    said: said.unwrap_or_default(),
                    ..Deviation::new(Kind::Crash, about, detail)
                }
            }
            Outcome::Hung { limit } => {
                let about = format!("no answer, on {}", asked());
                let detail = format!("no answer within {} ms", limit.as_millis());
                Deviation::new(Kind::Hang, about, detail)
            }
            Outcome::OutOfMemory { limit, stderr } => {
                let about = format!("too much memory, on {}", asked());
                let detail = format!("the process may have {limit} bytes of memory\n{stderr}");
                Deviation::new(Kind::Memory, about, detail)
            }
            Outcome::OutOfTurn { found } => {
                let about = format!("{}, on {}", words::skeleton(found), asked());
                Deviation::new(Kind::OutOfTurn, about, found)
            }
            Outcome::Answered(_) => return None,
        })
    }
}

/// Detail of a pair of which only one half is read as a value.
const ONE_VALUE: &str = "only one of them is answered with a value";

/// Description of a valid packet in texts that are not refined.
const VALID: &str = "a valid packet";

/// Description of a packet that engines read, but would not write, in texts that are not refined.
const ACCEPTABLE: &str = "a packet that engines read but do not write";

/// Detail of an answer whose value this crate's codec cannot read.
const UNREADABLE: &str = "an answer that cannot be read";

/// Compares the number of bytes that a value takes with the number in the answer.
fn wrong_consumed(ours: u32, theirs: u32, length: usize) -> Option<Deviation> {
    if ours == theirs {
        return None;
    }
    let about = match theirs as usize {
        beyond if beyond > length => "more than the packet has",
        all if all == length => "all that is there",
        _ if theirs > ours => "too many",
        0 => "none",
        _ => "too few",
    };
    let detail = format!("says that the value took {theirs} bytes of {length}; it took {ours}");
    Some(Deviation::new(Kind::WrongConsumed, about, detail))
}
