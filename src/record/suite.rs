//! The suite of a format: files with their verdicts, for other readers of the format in any language.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::{Declared, With, with};
use crate::error::{Error, Result, Rule};

/// Values that are made for a suite.
const MADE: u64 = 64;

/// Made values of which broken copies are in a suite, besides those of the samples.
const BROKEN: usize = 8;

/// The right answer of a reader to a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is read.
    Valid,
    /// It is read, though [`check`](super::check) finds it odd: a reader may refuse it.
    Acceptable,
    /// It is refused.
    Invalid,
}

impl Verdict {
    /// Returns the stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Acceptable => "acceptable",
            Self::Invalid => "invalid",
        }
    }
}

/// A file of a suite.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Vector {
    /// The name: the origin, or the broken field and how it is broken, and a digest of the file.
    pub id: String,
    /// The file.
    pub file: Vec<u8>,
    /// The right answer of a reader.
    pub verdict: Verdict,
    /// The file as the writer writes it, where it is read.
    pub written: Option<Vec<u8>>,
    /// The rule that is broken.
    pub rule: Option<Rule>,
}

/// Returns the suite of a format: the samples, 64 values that are made, and [broken copies](super::broken()) of the
/// samples and of some of the values; each file once, the same ones each time.
///
/// ```
/// use formwork::record::{self, Verdict};
/// use formwork::{BinRead, BinWrite, Block, Schema, binrw};
///
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// #[brw(little, magic = b"NAME")]
/// struct Name {
///     length: u8,
///     #[br(count = length)]
///     letters: Block<u8>,
/// }
///
/// let suite = record::suite::<Name>(&[b"NAME\x02hi"]);
/// assert_eq!(suite[0].verdict, Verdict::Valid);
/// let cut = suite.iter().find(|vector| vector.file == b"NAME\x02h").unwrap();
/// assert_eq!(cut.verdict, Verdict::Invalid);
/// // A file for tests in any language.
/// let lines = record::suite_lines("name", &suite);
/// assert!(lines.starts_with(r#"{"suite":"formwork","format":"name","rows":"#));
/// assert!(lines.contains(r#""tier":"core","hex":"4e414d45026869","result":"valid","used":7,"bytes":["4e414d45026869"]}"#));
/// ```
#[must_use]
pub fn suite<T: Declared>(samples: &[&[u8]]) -> Vec<Vector> {
    with(&()).suite::<T>(samples)
}

impl With<'_> {
    /// Returns the suite of a format: see [`suite`](super::suite()).
    #[must_use]
    pub fn suite<T: Declared>(self, samples: &[&[u8]]) -> Vec<Vector> {
        let mut known = HashSet::new();
        let mut suite = Vec::new();
        let mut add = |what: &str, file: Vec<u8>| {
            if known.insert(file.clone()) {
                suite.push(self.vector::<T>(what, file));
            }
        };
        let made: Vec<Vec<u8>> =
            (0..MADE).filter_map(|seed| self.generate_bytes::<T>(seed).ok()).collect();
        samples.iter().for_each(|sample| add("sample", sample.to_vec()));
        made.iter().for_each(|file| add("made", file.clone()));
        let some = made.iter().take(BROKEN).map(Vec::as_slice);
        for file in samples.iter().copied().chain(some) {
            for copy in self.broken::<T>(file) {
                let path =
                    if copy.path.is_empty() { "end".to_owned() } else { copy.path.to_string() };
                add(&format!("{path}/{}", copy.how), copy.apply(file));
            }
        }
        suite
    }

    fn vector<T: Declared>(self, what: &str, file: Vec<u8>) -> Vector {
        let read = self.from_slice::<T>(&file);
        let odd = self.check::<T>(&file).err();
        let written = read.as_ref().ok().and_then(|value| self.to_vec(value).ok());
        Vector::new(what, file, read.map(drop), odd, written)
    }
}

impl Vector {
    /// Makes the vector of a file: what a reader makes of it, what is odd in it, and what a writer writes for it.
    pub(crate) fn new(
        what: &str,
        file: Vec<u8>,
        read: Result<()>,
        odd: Option<Error>,
        written: Option<Vec<u8>>,
    ) -> Self {
        let what = plain(what);
        let digest = file.iter().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
            (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let id = format!("{what}/{:08x}", digest as u32);
        let (verdict, rule) = match (read, odd) {
            (Err(error), _) => (Verdict::Invalid, Some(error.rule())),
            (Ok(()), Some(error)) => (Verdict::Acceptable, Some(error.rule())),
            (Ok(()), None) => (Verdict::Valid, None),
        };
        Self { id, file, verdict, written, rule }
    }
}

/// Returns a name in ASCII, without blanks, quotes and backslashes.
fn plain(name: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_graphic() && !matches!(letter, '"' | '\\');
    name.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect()
}

/// Returns a suite as lines of JSON, ASCII, in the form of `formwork-kit generate --as suite`: a line about the file, then
/// one for each vector with `id`, `tier`, `hex`, `result`, `used`, `bytes` and `rule`.
#[must_use]
pub fn suite_lines(format: &str, suite: &[Vector]) -> String {
    let hex = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string does not fail, here and below.
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    let rows = suite.len();
    let format = plain(format);
    let mut lines = format!("{{\"suite\":\"formwork\",\"format\":\"{format}\",\"rows\":{rows}}}\n");
    for Vector { id, file, verdict, written, rule } in suite {
        let tier = match verdict {
            Verdict::Valid => "core",
            Verdict::Acceptable => "lenient",
            Verdict::Invalid => "strict",
        };
        let (result, packet) = (verdict.name(), hex(file));
        let _ =
            write!(lines, r#"{{"id":"{id}","tier":"{tier}","hex":"{packet}","result":"{result}""#);
        if *verdict != Verdict::Invalid {
            let bytes = written.as_ref().map_or(String::new(), |it| format!("\"{}\"", hex(it)));
            let _ = write!(lines, r#","used":{},"bytes":[{bytes}]"#, file.len());
        }
        if let Some(rule) = rule {
            let _ = write!(lines, r#","rule":"{}""#, rule.name());
        }
        lines.push_str("}\n");
    }
    lines
}
