//! The faults that a decoder can have.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use super::stored;
use crate::case::{Broken, Profile};

/// A class of findings.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// The process ended.
    Crash,
    /// No answer came in time.
    Hang,
    /// It wanted more memory than it may have.
    Memory,
    /// It took far more time than a packet of that size should: the cost grows faster than the size.
    Slow,
    /// It accepts what the reference refuses.
    AcceptsInvalid,
    /// It refuses what the reference accepts.
    RejectsValid,
    /// It refuses what the reference accepts but would not write: a decoder that is strict on purpose does.
    RejectsAcceptable,
    /// It reads another value.
    DifferentValue,
    /// It says that the value took another number of bytes.
    WrongConsumed,
    /// It reads two packets that mean the same as two values, or only one of them as a value.
    PairDiffers,
    /// Its answer depends on the packets before.
    StateLeak,
    /// It sent what is no answer, or more answers than requests.
    OutOfTurn,
}

impl Kind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::Crash,
        Self::Hang,
        Self::Memory,
        Self::Slow,
        Self::AcceptsInvalid,
        Self::RejectsValid,
        Self::RejectsAcceptable,
        Self::DifferentValue,
        Self::WrongConsumed,
        Self::PairDiffers,
        Self::StateLeak,
        Self::OutOfTurn,
    ];

    /// The kind's stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Memory => "memory",
            Self::Slow => "slow",
            Self::AcceptsInvalid => "accepts-invalid",
            Self::RejectsValid => "rejects-valid",
            Self::RejectsAcceptable => "rejects-acceptable",
            Self::DifferentValue => "different-value",
            Self::WrongConsumed => "wrong-consumed",
            Self::PairDiffers => "pair-differs",
            Self::StateLeak => "state-leak",
            Self::OutOfTurn => "out-of-turn",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How an outcome differs from what it should be.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Deviation {
    /// The class.
    pub kind: Kind,
    /// The signature of the fault in one line: the broken rule, the type and field where values differ, the signal. It
    /// has no parts that change from packet to packet, and no words of the target, which change when the target does.
    /// Findings of one kind with the same signature are one finding.
    pub about: String,
    /// The target's message, or the place and words of a crash, in one line without its numbers; empty if there is
    /// none. It tells differences apart during triage.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// The expected and the actual result, for people.
    pub detail: String,
}

impl Deviation {
    /// Makes a difference without words of the target.
    pub(crate) fn new(kind: Kind, about: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { kind, about: about.into(), said: String::new(), detail: detail.into() }
    }

    /// Returns what tells a difference from others of its kind while a packet is made small: what the target said;
    /// or, where it said nothing, what it is about.
    #[must_use]
    pub fn signature(&self) -> &str {
        if self.said.is_empty() { &self.about } else { &self.said }
    }
}

/// The step of triage that the end of a campaign's time interrupted.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Cut {
    /// Nothing.
    #[default]
    Nothing,
    /// Making its packet small, by the number of questions or by the campaign's time: there may be a smaller one.
    Shrinking,
    /// Trying it again in new processes: it was seen once.
    Confirming,
}

/// The other half of a pair: a packet that means the same as another one.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Pair {
    /// The packet.
    #[serde(with = "stored::hex")]
    pub packet: Vec<u8>,
    /// The target's outcome.
    pub target: Outcome,
}

/// A fault of a target, confirmed but where [`Finding::cut`] says otherwise.
///
/// With serde it is an object of these members and those of the difference; packets are in hex, values with a stable
/// name are written as that name.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Finding {
    /// The difference that the smallest packet shows.
    #[serde(flatten)]
    pub difference: Deviation,
    /// The smallest packet that shows it.
    #[serde(with = "stored::hex")]
    pub packet: Vec<u8>,
    /// The packet that showed it first.
    #[serde(with = "stored::hex")]
    pub first: Vec<u8>,
    /// The number of that case.
    pub number: u64,
    /// See there.
    #[serde(with = "stored::profile")]
    pub profile: Profile,
    /// The type or record that the case was about; or the name of the packet, if it [came before](Self::is_row) the
    /// cases.
    pub subject: String,
    /// Whether the packet came before the cases, from the suite: it has a name instead of a number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_row: bool,
    /// The rule that the case broke on purpose.
    #[serde(with = "stored::broken")]
    pub broken: Option<Broken>,
    /// The packets that have to come before it: with [`Kind::StateLeak`].
    #[serde(with = "stored::packets")]
    pub before: Vec<Vec<u8>>,
    /// The packet that means the same as the smallest one: with [`Kind::PairDiffers`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<Pair>,
    /// The target's outcome for the smallest packet.
    pub target: Outcome,
    /// The reference's outcome for it.
    pub reference: Outcome,
    /// How many cases showed it.
    pub count: u64,
    /// The step that the end of the time interrupted.
    #[serde(default)]
    pub cut: Cut,
}
