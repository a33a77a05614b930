//! From the text of a path to its steps.

use super::{Part, Way, named};
use crate::rule;
use formwork::{Error, Result};

/// Checks whether a tag's name is valid in a path without quotes.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('#')
        && !name.contains(|c: char| matches!(c, '.' | '[' | ']' | '"') || c.is_control())
}

pub(super) fn parts(text: &str) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let way;
        (way, rest) = if let Some(inner) = rest.strip_prefix('[') {
            bracket(inner, at)?
        } else {
            let name = match rest.strip_prefix('.') {
                Some(name) if !parts.is_empty() => name,
                None if parts.is_empty() => rest,
                _ => return Err(wrong(at, "a name, or a dot or [ behind a step", rest)),
            };
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, behind) = name.split_at_checked(end).unwrap_or((name, ""));
            let way = named(name);
            if let Way::Name(name) = &way
                && !is_name(name)
            {
                return Err(wrong(at, "the name of a tag, or # and its id", rest));
            }
            (way, behind)
        };
        parts.push(Part { way, at });
    }
    Ok(parts)
}

/// Reads the text after a `[`, and returns the rest after the `]`.
fn bracket(inner: &str, at: usize) -> Result<(Way, &str)> {
    if let Some(quoted) = inner.strip_prefix('"') {
        return key(quoted)
            .ok_or_else(|| wrong(at, "a key in quotes and a ], as in [\"key\"]", inner));
    }
    let (inside, behind) = inner.split_once(']').unwrap_or((inner, ""));
    let way = match (inside.strip_prefix('='), inside.split_once(' ')) {
        // Of which type the number is, a difference says, too.
        (Some(number), _) => {
            let number = number.split_once(" (").map_or(number, |(number, _)| number);
            number.parse().ok().map(Way::Number)
        }
        (None, Some((name, number))) if is_name(name) => {
            number.parse().ok().map(|number| Way::Numbered(name.into(), number))
        }
        (None, _) => inside.parse().ok().map(Way::Index),
    };
    match way {
        Some(way) if inside.len() < inner.len() => Ok((way, behind)),
        _ => Err(wrong(at, "an index as in [0], a key as in [\"key\"] or [=12]", inner)),
    }
}

/// Reads a key up to its closing quote and bracket, and returns the rest.
fn key(quoted: &str) -> Option<(Way, &str)> {
    let mut key = String::new();
    let mut letters = quoted.char_indices().peekable();
    while let Some((position, letter)) = letters.next() {
        match letter {
            '"' => {
                let behind = quoted.get(position + 1..)?.strip_prefix(']')?;
                return Some((Way::Key(key.into()), behind));
            }
            '\\' => {
                let escaped = letters.next_if(|(_, next)| matches!(next, '\\' | '"'));
                let rest = quoted.get(position + 1..).unwrap_or_default();
                match code_point(rest).filter(|_| escaped.is_none()) {
                    Some((letter, length)) => {
                        key.push(letter);
                        letters.by_ref().take(length).for_each(drop);
                    }
                    None => key.push(escaped.map_or('\\', |(_, next)| next)),
                }
            }
            letter => key.push(letter),
        }
    }
    None
}

/// A character that is written as its number, `u{a}`, and how many characters that takes.
fn code_point(text: &str) -> Option<(char, usize)> {
    let (digits, _) = text.strip_prefix("u{")?.split_once('}')?;
    let letter = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((letter, digits.len() + "u{}".len()))
}

fn wrong(at: usize, expected: &str, found: &str) -> Error {
    let found = if found.is_empty() { "the end".into() } else { format!("{found:?}") };
    Error::new(rule::PATH, at as u64, expected, found)
}
