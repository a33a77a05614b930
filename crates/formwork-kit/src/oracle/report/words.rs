//! Escapes foreign texts for file names, comments and pages.

use std::fmt::Write as _;

use crate::digest::digest;
use crate::oracle::Deviation;

/// Returns the letters and digits of a text with `between` between its words, cut after `longest` characters.
fn words(text: &str, between: char, longest: usize) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with(between) {
            out.push(between);
        }
        if out.len() >= longest {
            break;
        }
    }
    out.trim_end_matches(between).to_owned()
}

/// A name for a folder: letters, digits and hyphens, at most some 80 of them.
pub(super) fn file_name(difference: &Deviation) -> String {
    /// Characters of what it is about.
    const LONGEST: usize = 48;
    let Deviation { kind, about, .. } = difference;
    let digest = digest(format!("{kind}\0{about}\0").as_bytes()) as u32;
    match words(about, '-', LONGEST) {
        words if words.is_empty() => format!("{kind}-{digest:08x}"),
        words => format!("{kind}-{words}-{digest:08x}"),
    }
}

/// Makes a name for use in a program.
pub(super) fn identifier(difference: &Deviation) -> String {
    words(&file_name(difference), '_', usize::MAX)
}

/// A text as one line of a comment, in any language: without line breaks, backslashes (which join
/// lines in C) and characters that are not ASCII (which can turn the direction of a line).
pub(super) fn comment(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\\' => '/',
        ' ' => ' ',
        letter if letter.is_ascii_graphic() => letter,
        letter if letter.is_whitespace() => ' ',
        _ => '?',
    };
    text.chars().map(plain).collect()
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
    use crate::oracle::Kind;

    fn difference(about: &str) -> Deviation {
        Deviation::new(Kind::Crash, about, "")
    }

    #[test]
    fn a_name_leads_nowhere_and_is_another_for_another_finding() {
        let names = ["../../etc/passwd", "/etc/passwd", "..", "", "\0", "CON", "a b", "a-b", "ä"]
            .map(|about| file_name(&difference(about)));
        for name in &names {
            assert!(name.starts_with("crash-"), "{name}");
            assert!(name.chars().all(|it| it.is_ascii_alphanumeric() || it == '-'), "{name}");
        }
        let different: std::collections::HashSet<_> = names.iter().collect();
        assert_eq!(different.len(), names.len());
        assert_eq!(names[6], "crash-a-b-e086384b");
        assert!(file_name(&difference(&"long ".repeat(1000))).len() < 80);
    }

    #[test]
    fn a_comment_stays_on_its_line() {
        assert_eq!(comment("a\nb\\\r\u{202e}c"), "a b/ ?c");
        assert_eq!(block("a\n# b\u{1b}[1m"), "    a\n    # b\u{fffd}[1m\n");
        assert_eq!(inline("<b> *a*\n|"), "&lt;b> \\*a\\* \\|");
    }
}
