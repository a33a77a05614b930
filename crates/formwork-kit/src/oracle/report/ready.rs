//! Tests to copy: each is one file that holds the packet and what a correct decoder makes of it.

use crate::Format;

use super::Context;
use super::expected::Expected;
use super::folder::Files;
use super::words::{comment, identifier};
use crate::oracle::protocol::Answer;
use crate::oracle::target::Outcome;
use crate::oracle::{Finding, Judge};

/// A programming language, and how it is written there.
struct Language {
    file: &'static str,
    template: &'static str,
    /// The text before and after the numbers of a list of bytes, ...
    bytes: [&'static str; 2],
    /// ... and what is added behind each list that is itself in a list: its length, in C.
    counted: bool,
    only_variants: bool,
}

const LANGUAGES: &[Language] = &[
    Language {
        file: "test.rs",
        template: include_str!("ready/rust.txt"),
        bytes: ["&[", "]"],
        counted: false,
        only_variants: false,
    },
    Language {
        file: "test.py",
        template: include_str!("ready/python.txt"),
        bytes: ["bytes([", "])"],
        counted: false,
        only_variants: false,
    },
    Language {
        file: "test.mjs",
        template: include_str!("ready/javascript.txt"),
        bytes: ["Uint8Array.from([", "])"],
        counted: false,
        only_variants: false,
    },
    Language {
        file: "test.c",
        template: include_str!("ready/c.txt"),
        bytes: ["{ (const unsigned char[]){ ", " 0 }, "],
        counted: true,
        only_variants: false,
    },
    Language {
        file: "test_godot3.gd",
        template: include_str!("ready/gdscript.txt"),
        bytes: ["PoolByteArray([", "])"],
        counted: false,
        only_variants: true,
    },
    Language {
        file: "test_godot4.gd",
        template: include_str!("ready/gdscript.txt"),
        bytes: ["PackedByteArray([", "])"],
        counted: false,
        only_variants: true,
    },
];

/// Bytes of all packets together of which tests are made. Larger lists are more than some compilers
/// and interpreters take.
const LARGEST: usize = 1 << 16;

/// Adds the tests.
pub(super) fn add(files: &mut Files, finding: &Finding, about: &Context) {
    let size = finding.before.iter().chain([&finding.packet]).map(Vec::len).sum::<usize>();
    if size > LARGEST {
        return;
    }
    let expected = Expected::of(finding, about);
    let others = match &expected {
        Expected::Accepted { consumed, value } => {
            let answer = Answer::Accepted { consumed: None, bytes: value.clone() };
            let reference = about.reference.as_ref().map(|_| Outcome::Answered(answer));
            let judge = Judge::new(about.reading).strictness(about.strictness);
            judge.other_encodings(&finding.packet, *consumed, value, reference.as_ref())
        }
        _ => Vec::new(),
    };
    for language in LANGUAGES {
        if language.only_variants && about.reading.format == Format::Alb1 {
            continue;
        }
        files.add(language.file, language.test(finding, about, &expected, &others));
    }
}

impl Language {
    fn test(
        &self,
        finding: &Finding,
        about: &Context,
        expected: &Expected,
        others: &[Vec<u8>],
    ) -> String {
        let difference = &finding.difference;
        let (consumed, value) = match expected {
            Expected::Accepted { consumed, value } => (*consumed, value.as_slice()),
            _ => (None, &[][..]),
        };
        let filled = |name| match name {
            "FILE" => self.file.to_owned(),
            "NAME" => identifier(difference),
            "FORMAT" => about.reading.format.to_string(),
            "WHAT" => comment(&format!("{}: {}", difference.kind, difference.about)),
            "PACKET" => self.bytes(&finding.packet),
            "BEFORE" => finding.before.iter().map(|packet| self.bytes(packet) + ", ").collect(),
            "EXPECTED" => expected.name().to_owned(),
            "CONSUMED" => consumed.map_or_else(|| "-1".into(), |consumed| consumed.to_string()),
            "VALUE" => self.bytes(value),
            "OTHERS" => others.iter().map(|other| self.bytes(other) + ", ").collect(),
            _ => String::new(),
        };
        // The text between two of these signs is the name of a placeholder; its replacement is not searched for
        // placeholders.
        let pieces = self.template.split('@').enumerate();
        pieces
            .map(|(at, piece)| if at % 2 == 1 { filled(piece) } else { piece.to_owned() })
            .collect()
    }

    /// Bytes as a list, sixteen in a line.
    fn bytes(&self, bytes: &[u8]) -> String {
        let [before, behind] = self.bytes;
        let mut out = before.to_owned();
        for row in bytes.chunks(16) {
            if bytes.len() > 16 {
                out.push_str("\n    ");
            }
            let numbers: Vec<_> = row.iter().map(|byte| format!("0x{byte:02x},")).collect();
            out.push_str(&numbers.join(" "));
        }
        if bytes.len() > 16 {
            out.push('\n');
        }
        out.push_str(behind);
        if self.counted {
            out.push_str(&format!("{} }}", bytes.len()));
        }
        out
    }
}
