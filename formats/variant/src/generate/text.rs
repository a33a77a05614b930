//! Strings and paths that a dialect can hold.

use std::ops::RangeInclusive;

use arbitrary::{Result, Unstructured};

use super::Config;
use super::choice::{below, chance, one_of};
use super::interesting::{MEANINGFUL, characters};
use crate::dialect::Quirks;
use crate::{NodePath, VariantString};
use formwork_records::wire::utf8;

/// Makes a string that the dialect can hold, of at most `most` bytes.
pub(super) fn text(
    u: &mut Unstructured<'_>,
    quirks: &Quirks,
    config: &Config,
    most: usize,
) -> Result<VariantString> {
    let most = most.min(config.max_string_bytes);
    // Lengths around the multiples of four matter most: padding is 0 to 3 bytes.
    let length = match below(u, 10)? {
        0 => 0,
        1..=6 => 1 + below(u, 9)?,
        _ => below(u, most + 1)?,
    }
    .min(most);
    let mut text = Text { quirks, length, bytes: Vec::with_capacity(length) };
    // Most characters of a string are of one kind: a mixture in every string would hide the effect of each kind.
    let flavour = u.arbitrary::<u8>()?;
    while text.bytes.len() < length {
        let before = text.bytes.len();
        text.character(u, flavour, config)?;
        if text.bytes.len() == before {
            text.bytes.push(b'x');
        }
    }
    // What is written in the shortest form is always a text.
    Ok(VariantString::from_bytes(text.bytes).unwrap_or_default())
}

/// A string under way.
struct Text<'r> {
    quirks: &'r Quirks,
    /// The wanted size in bytes.
    length: usize,
    bytes: Vec<u8>,
}

impl Text<'_> {
    /// Adds a character or a few.
    fn character(&mut self, u: &mut Unstructured<'_>, flavour: u8, config: &Config) -> Result<()> {
        let kind = if chance(u, 20)? { u.arbitrary::<u8>()? } else { flavour };
        match kind % 8 {
            0..=2 => self.push(letter(u, b'a'..=b'z')?),
            3 => self.push(letter(u, b' '..=b'~')?),
            4 => one_of(u, MEANINGFUL)?.chars().for_each(|c| self.push(c.into())),
            5 => self.push(*one_of(u, characters().0)?),
            6 if config.odd_values => self.push(*one_of(u, characters().1)?),
            _ => self.push(u32::from(u.arbitrary::<char>()?)),
        }
        Ok(())
    }

    /// Adds a character that the dialect can hold there. What does not fit any more is made up with
    /// letters, so that every length comes up.
    fn push(&mut self, number: u32) {
        if self.bytes.len() >= self.length || number == 0 || !self.quirks.utf8.can_hold(number) {
            return;
        }
        let mark = number == 0xfeff && self.bytes.is_empty() && !self.quirks.byte_order_mark;
        if mark || self.bytes.len() + length_in_utf8(number) > self.length {
            self.bytes.push(b'x');
        } else {
            utf8::push(number, &mut self.bytes);
        }
    }
}

fn letter(u: &mut Unstructured<'_>, letters: RangeInclusive<u8>) -> Result<u32> {
    let count = usize::from(letters.end() - letters.start()) + 1;
    // Less than the count, which is at most 256.
    Ok(u32::from(*letters.start()) + below(u, count)? as u32)
}

const fn length_in_utf8(number: u32) -> usize {
    match number {
        0..=0x7f => 1,
        0x80..=0x7ff => 2,
        0x800..=0xffff => 3,
        0x1_0000..=0x1f_ffff => 4,
        0x20_0000..=0x3ff_ffff => 5,
        _ => 6,
    }
}

/// A string that is not empty, taken from `known` half of the time.
pub(super) fn name(
    u: &mut Unstructured<'_>,
    quirks: &Quirks,
    config: &Config,
    known: &[&str],
) -> Result<VariantString> {
    if chance(u, 50)? {
        let text = text(u, quirks, config, config.max_string_bytes)?;
        if !text.is_empty() {
            return Ok(text);
        }
    }
    Ok(VariantString::from(*one_of(u, known)?))
}

/// The name of a class or property; one that is an identifier, unless odd values are wanted.
pub(super) fn identifier(
    u: &mut Unstructured<'_>,
    quirks: &Quirks,
    config: &Config,
    known: &[&str],
) -> Result<VariantString> {
    if config.odd_values && chance(u, 30)? {
        return name(u, quirks, config, known);
    }
    if chance(u, 60)? {
        return Ok(VariantString::from(*one_of(u, known)?));
    }
    let length = 1 + below(u, 9)?;
    let letter = |_| Ok(*one_of(u, b"abcxyzABC_")?);
    let letters = (0..length).map(letter).collect::<Result<Vec<_>>>()?;
    Ok(VariantString::from_numbers(letters.into_iter().map(u32::from)))
}

/// Makes a path that the dialect's engine keeps unchanged.
pub(super) fn node_path(
    u: &mut Unstructured<'_>,
    quirks: &Quirks,
    config: &Config,
) -> Result<NodePath> {
    let count = |u: &mut Unstructured<'_>| below(u, 4);
    let odd = config.odd_values && chance(u, 10)?;
    let part = |u: &mut Unstructured<'_>, known: &[&str]| {
        let name = name(u, quirks, config, known)?;
        if odd && chance(u, 50)? {
            return text(u, quirks, config, config.max_string_bytes);
        }
        let splits = |number: u32| number == u32::from(b'/') || number == u32::from(b':');
        if !name.numbers().any(splits) {
            return Ok(name);
        }
        Ok(VariantString::from(*one_of(u, known)?))
    };
    let (names, subnames) = (count(u)?, count(u)?);
    let mut path = NodePath { absolute: u.arbitrary()?, ..NodePath::default() };
    for _ in 0..names {
        path.names.push(part(u, &["root", "Player", "..", ".", "Sprite2D", "é"])?);
    }
    for _ in 0..subnames {
        path.subnames.push(part(u, &["position", "x", "texture", "0"])?);
    }
    if quirks.node_path_property {
        // The engine's parser takes the last part for the property, whatever is before it.
        path = path.with_property();
    }
    if path.names.is_empty() && path.subnames.is_empty() && !quirks.node_path_root {
        path.absolute = false;
    }
    Ok(path)
}
