//! The suite of a format as data: packets with stable names and the correct result of each. The author of a decoder
//! compares its answers with them, in any language, without a program of this project.
//!
//! ```
//! use formwork_kit::Format;
//! use formwork_variant::Dialect;
//! use formwork_kit::case::Reading;
//! use formwork_kit::suite::{Expect, Suite, Tier};
//!
//! let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
//! let suite = Suite::new(reading);
//! let vector = suite.vectors().iter().find(|vector| vector.packet == [0; 4]).unwrap();
//! assert_eq!(vector.expect, Expect::Accepted { used: 4, bytes: vec![vec![0; 4]] });
//!
//! let mut file = Vec::new();
//! suite.only(&[Tier::Smoke]).write(&mut file).unwrap();
//! assert!(file.starts_with(br#"{"suite":"formwork","format":"godot3.6","#));
//! ```

mod flag;
mod golden;
pub(crate) mod lines;
mod smoke;
pub(crate) mod spelling;
mod tier;

use std::collections::HashSet;

use crate::Format;
use formwork_variant::{Rule, Strictness};

use crate::case::{Chosen, Enumeration, Reading};
use crate::digest::digest;
use crate::oracle::Judge;
use crate::oracle::Outcome;
use crate::oracle::protocol::Answer;

pub use flag::Flag;
pub use tier::{Tier, UnknownTier};

/// Bytes of the longest packet that is no question of a limit.
const LONGEST: usize = 1 << 12;

/// One test of a decoder.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Vector {
    /// The name: the type (`golden` for an input that engines were asked about), what is odd, and a digest of the
    /// packet. The same name has the same bytes in every release.
    pub id: String,
    /// The decoders that have to pass it.
    pub tier: Tier,
    /// The packet (or the ALB1 file).
    pub packet: Vec<u8>,
    /// The correct result.
    pub expect: Expect,
    /// The rule that makes the packet invalid; or the first that makes it other than the engine writes it.
    pub rule: Option<Rule>,
    /// Contents that some languages cannot express, and some decoders leave out.
    pub flags: Vec<Flag>,
}

impl Vector {
    /// Returns what a decoder should make of the packet: `valid`, `acceptable` (no engine writes it, but engines read
    /// it: a decoder may refuse it) or `invalid`.
    #[must_use]
    pub const fn result(&self) -> &'static str {
        match (&self.expect, self.rule) {
            (Expect::Refused, _) => "invalid",
            (Expect::Accepted { .. }, Some(_)) => "acceptable",
            (Expect::Accepted { .. }, None) => "valid",
        }
    }
}

/// The correct result of a packet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Expect {
    /// It is read.
    Accepted {
        /// The bytes that the value takes.
        used: u32,
        /// Encodings of the value that are right, the engine's first: then those with numbers in other widths, and
        /// with a quiet NaN for a signalling one. Empty where the engine has none.
        bytes: Vec<Vec<u8>>,
    },
    /// It is refused.
    Refused,
}

/// The test vectors of a format, each packet once.
#[derive(Clone, Debug)]
pub struct Suite {
    reading: Reading,
    vectors: Vec<Vector>,
}

impl Suite {
    /// The number of the form of the file: that of a form that readers of this one do not read is greater.
    pub const VERSION: u32 = 1;

    /// Makes the suite: the enumeration, files of ALB1 that break one rule or are odd, then the inputs that engines
    /// were asked about (of Terrain Builder, files that it reads). Those of the tier [`Smoke`](Tier::Smoke) come first.
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        let judge = Judge::new(reading);
        let mut known = HashSet::new();
        let mut vectors = Vec::new();
        let mut add = |subject: &str, what: &str, packet: &[u8]| {
            if known.insert(packet.to_vec()) {
                vectors.push(vector(&judge, subject, what, packet));
            }
        };
        for (subject, stage, packet) in
            Enumeration::of(reading, Chosen::all(reading.format)).named()
        {
            add(subject, stage, packet);
        }
        if reading.format == Format::Alb1 {
            golden::files(&mut add);
        }
        golden::each(reading, |what, packet| add("golden", what, packet));
        smoke::lead(reading.format, &mut vectors);
        Self { reading, vectors }
    }

    /// Returns the vectors. Their order is always the same.
    #[must_use]
    pub fn vectors(&self) -> &[Vector] {
        &self.vectors
    }

    /// Leaves out the vectors of other tiers.
    #[must_use]
    pub fn only(mut self, tiers: &[Tier]) -> Self {
        self.vectors.retain(|vector| tiers.contains(&vector.tier));
        self
    }
}

/// Makes the vector of a packet with the result of this crate's codec, which is tested against the engines.
pub(crate) fn vector(judge: &Judge, subject: &str, what: &str, packet: &[u8]) -> Vector {
    let expect = match judge.reference(packet) {
        Outcome::Answered(Answer::Accepted { consumed, bytes }) => {
            let others = judge.other_encodings(packet, consumed, &bytes, None);
            let mut all = vec![bytes];
            all.extend(others);
            all.retain(|bytes| !bytes.is_empty());
            Expect::Accepted { used: consumed.unwrap_or(u32::MAX), bytes: all }
        }
        _ => Expect::Refused,
    };
    let rule =
        judge.rule(packet).or_else(|| judge.clone().strictness(Strictness::Canonical).rule(packet));
    let tier = match expect {
        _ if rule == Some(Rule::DEPTH_LIMIT) || packet.len() > LONGEST => Tier::Limits,
        Expect::Accepted { .. } if rule.is_some() => Tier::Lenient,
        Expect::Accepted { .. } => Tier::Core,
        Expect::Refused if matches!(what, "cut" | "lie") => Tier::Core,
        Expect::Refused => Tier::Strict,
    };
    let digest = digest(packet) as u32;
    let id = format!("{subject}/{what}/{digest:08x}");
    let flags = flag::of(judge, packet, rule);
    Vector { id, tier, packet: packet.to_vec(), expect, rule, flags }
}
