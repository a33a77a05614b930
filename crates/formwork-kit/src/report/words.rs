//! Escapes foreign texts for names and pages.

use std::fmt::Write as _;

use crate::digest::digest;
use crate::oracle::{Deviation, Finding};

/// Returns the letters and digits of a text with hyphens between its words: the start of it.
fn words(text: &str) -> String {
    const LONGEST: usize = 48;
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.len() >= LONGEST {
            break;
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// Returns the name of a finding in its file: the kind and the start of its signature, letters, digits and hyphens, and
/// a digest of the packet.
pub(super) fn name(finding: &Finding) -> String {
    let Deviation { kind, about, .. } = &finding.difference;
    let digest = digest(&finding.packet) as u32;
    match words(about) {
        words if words.is_empty() => format!("{kind}/finding/{digest:08x}"),
        words => format!("{kind}/{words}/{digest:08x}"),
    }
}

/// A text as a block of a page, in which nothing has a meaning: each line behind four blanks.
pub(super) fn block(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let shown: String =
            line.chars().map(|letter| if is_odd(letter) { '\u{fffd}' } else { letter }).collect();
        // Writing to a string does not fail.
        let _ = writeln!(out, "    {shown}");
    }
    out
}

/// A text within a line of a page. What has a meaning in Markdown or HTML is escaped.
pub(super) fn inline(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => {
                out.extend(['\\', letter])
            }
            letter if letter.is_whitespace() => out.push(' '),
            letter if is_odd(letter) => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// Whether a character is none to be shown: one that controls a terminal, or turns the direction of
/// a line.
fn is_odd(letter: char) -> bool {
    let control = letter.is_control() && letter != '\t';
    control
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_plain_and_a_page_has_no_other_meaning() {
        let names = ["../../etc/passwd", "..", "", "\0", "a b", "a-b", "\u{e4}\"]"].map(words);
        assert_eq!(names, ["etc-passwd", "", "", "", "a-b", "a-b", ""]);
        assert_eq!(words(&"long ".repeat(1000)).len(), 48);
        assert_eq!(block("a\n# b\u{1b}[1m"), "    a\n    # b\u{fffd}[1m\n");
        assert_eq!(inline("<b> *a*\n|"), "&lt;b> \\*a\\* \\|");
    }
}
