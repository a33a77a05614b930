//! Findings that are known and are to stay: a file that says which, and why.

use std::fmt;
use std::fmt::Write as _;

use serde::Deserialize;

use super::finding::{Finding, Kind};
use super::stored::{from_hex, to_hex};

/// The findings that a target is known for.
///
/// The file is TOML, a table for each:
///
/// ```
/// use formwork_kit::oracle::{Expectations, Kind};
///
/// let file = r#"
///     [[expected]]
///     kind = "different-value"
///     about = "int: rounded to *"
///     reason = "JavaScript has only numbers of 53 bits"
///     ## A packet that shows it, which is always run. Without one it counts as not happening any more
///     ## when this number of cases did not show it.
///     packet = "02000100 0100000000002000"
///     cases = 100000
/// "#;
/// let expectations = Expectations::parse(file)?;
/// assert!(expectations.of(Kind::DifferentValue, "int: rounded to 53 bits").is_some());
/// assert!(expectations.of(Kind::DifferentValue, "int: another number").is_none());
/// # Ok::<(), formwork_kit::oracle::BadExpectations>(())
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Expectations(Vec<Expectation>);

/// A finding that a target is known for.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Expectation {
    /// The class.
    pub kind: Kind,
    /// The text of the finding; a `*` matches anything.
    pub about: String,
    /// Why it is not to be mended.
    pub reason: String,
    /// A packet that shows it.
    pub packet: Option<Vec<u8>>,
    /// The other half of its pair, where it takes both: with [`Kind::PairDiffers`].
    pub pair: Option<Vec<u8>>,
    /// Cases that a run must have before it can say, without a packet, that it does not happen.
    pub cases: u64,
}

/// Whether an expectation came true.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Met {
    /// It happened.
    Happened,
    /// It does not happen any more.
    Stale,
    /// The run was too short to say.
    Unknown,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    expected: Vec<WrittenExpectation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenExpectation {
    kind: Kind,
    about: String,
    reason: String,
    packet: Option<String>,
    pair: Option<String>,
    cases: Option<u64>,
}

impl Expectation {
    /// Whether it is about a finding.
    #[must_use]
    pub fn covers(&self, kind: Kind, about: &str) -> bool {
        // What is not even valid may be refused, too.
        let is_stricter = (self.kind, kind) == (Kind::RejectsValid, Kind::RejectsAcceptable);
        (self.kind == kind || is_stricter) && matches_pattern(&self.about, about)
    }

    /// Compares it with the findings of a run of `cases` cases; `shown` is the result of its packet, if it has one and
    /// it was run.
    #[must_use]
    pub fn met(&self, findings: &[Finding], cases: u64, shown: Option<bool>) -> Met {
        let covers =
            |finding: &Finding| self.covers(finding.difference.kind, &finding.difference.about);
        match shown {
            Some(true) => Met::Happened,
            Some(false) => Met::Stale,
            None if findings.iter().any(covers) => Met::Happened,
            None if cases >= self.cases => Met::Stale,
            None => Met::Unknown,
        }
    }
}

impl Expectations {
    /// Cases that a run must have, where an expectation without a packet says nothing else.
    pub const CASES: u64 = 100_000;

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Fails if the file is no TOML of that form, or a reason is missing.
    pub fn parse(toml: &str) -> Result<Self, BadExpectations> {
        let written: Written =
            toml::from_str(toml).map_err(|error| BadExpectations(error.to_string()))?;
        let one = |written: WrittenExpectation| {
            let WrittenExpectation { kind, about, reason, packet, pair, cases } = written;
            let bad = |what: &str| BadExpectations(format!("{kind}, `{about}`: {what}"));
            if reason.trim().is_empty() {
                return Err(bad("the reason is missing"));
            }
            let bytes = |name: &str, hex: Option<String>| {
                let bytes = hex.map(|hex| from_hex(&hex)).transpose();
                bytes.map_err(|what| bad(&format!("the {name} is {what}")))
            };
            let (packet, pair) = (bytes("packet", packet)?, bytes("pair", pair)?);
            let cases = cases.unwrap_or(Self::CASES);
            Ok(Expectation { kind, about, reason, packet, pair, cases })
        };
        written.expected.into_iter().map(one).collect::<Result<_, _>>().map(Self)
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Expectation> {
        self.0.iter()
    }

    /// The one that is about a finding.
    #[must_use]
    pub fn of(&self, kind: Kind, about: &str) -> Option<&Expectation> {
        self.0.iter().find(|expected| expected.covers(kind, about))
    }

    /// A file that expects these findings, each with its packet. Reasons that are known are kept, the
    /// others are empty, and have to be written before the file can be used.
    #[must_use]
    pub fn file_of(&self, findings: &[Finding]) -> String {
        let mut file =
            String::from("# Why is each of these to stay? A reason that is empty is refused.\n");
        for finding in findings {
            let difference = &finding.difference;
            let known = self.of(difference.kind, &difference.about);
            let reason = known.map_or("", |known| known.reason.as_str());
            // Writing to a string does not fail.
            let _ = write!(
                file,
                "\n[[expected]]\nkind = {}\nabout = {}\nreason = {}\n",
                quoted(difference.kind.name()),
                quoted(&difference.about.replace('*', "?")),
                quoted(reason),
            );
            // The file has no packets that must come before, and no large packets.
            if finding.before.is_empty()
                && finding.packet.len() <= 4096
                && difference.kind != Kind::Slow
            {
                let _ = writeln!(file, "packet = {}", quoted(&to_hex(&finding.packet)));
                if let Some(pair) = &finding.pair {
                    let _ = writeln!(file, "pair = {}", quoted(&to_hex(&pair.packet)));
                }
            }
        }
        file
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if control.is_control() => {
                // As above.
                let _ = write!(out, "\\u{:04X}", u32::from(control));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Returns whether a text matches a pattern, in which `*` matches anything and `?` any letter.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut from) = (0, 0);
    // Behind the last star, and where in the text it was tried to go on.
    let mut star = None;
    loop {
        match (pattern.get(at), text.get(from)) {
            (Some('*'), _) => {
                at += 1;
                star = Some((at, from));
            }
            (Some(wanted), Some(letter)) if wanted == letter || *wanted == '?' => {
                at += 1;
                from += 1;
            }
            (None, None) => return true,
            _ => match &mut star {
                Some((behind, tried)) if *tried < text.len() => {
                    *tried += 1;
                    (at, from) = (*behind, *tried);
                }
                _ => return false,
            },
        }
    }
}

/// Why a file of expectations cannot be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BadExpectations(String);

impl fmt::Display for BadExpectations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadExpectations {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, matches) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
            ("*", "", true),
            ("*b*d", "abcd", true),
            ("*b*d", "abc", false),
            ("a*a", "a", false),
            ("**x", "aax", true),
        ] {
            assert_eq!(matches_pattern(pattern, text), matches, "{pattern} {text}");
        }
    }

    #[test]
    fn a_reason_is_demanded() {
        let file = "[[expected]]\nkind = \"crash\"\nabout = \"*\"\nreason = \" \"\n";
        let error = Expectations::parse(file).unwrap_err();
        assert_eq!(error.to_string(), "crash, `*`: the reason is missing");
        assert!(Expectations::parse("[[expected]]\nkind = \"crash\"\n").is_err());
        assert!(
            Expectations::parse("[[expected]]\nkind = \"crush\"\nabout=\"\"\nreason=\"a\"")
                .is_err()
        );
        assert_eq!(Expectations::parse("").unwrap(), Expectations::default());
    }

    #[test]
    fn a_stale_expectation_is_known_by_its_packet_or_by_the_number_of_cases() {
        let file = "[[expected]]\nkind = \"crash\"\nabout = \"*\"\nreason = \"a\"\ncases = 10\n";
        let expectations = Expectations::parse(file).unwrap();
        let one = expectations.iter().next().unwrap();
        assert_eq!(one.met(&[], 9, None), Met::Unknown);
        assert_eq!(one.met(&[], 10, None), Met::Stale);
        assert_eq!(one.met(&[], 0, Some(false)), Met::Stale);
        assert_eq!(one.met(&[], 0, Some(true)), Met::Happened);
    }
}
