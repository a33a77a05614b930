//! The engines' reading of UTF-8.

use super::types::Engine;
use crate::defect::{Defect, defect};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes the bytes of a string, which end at the first zero byte. `Err` holds the offset of the broken
/// sequence.
pub(crate) fn decode(bytes: &[u8], engine: Engine) -> Result<Vec<u8>, usize> {
    let mut bytes = bytes;
    let mut mark = 0;
    let drops = match engine {
        Engine::Godot3 => !defect(Defect::BomKept),
        Engine::Godot4 => defect(Defect::BomDropped),
    };
    if drops && bytes.starts_with(BYTE_ORDER_MARK) {
        bytes = &bytes[BYTE_ORDER_MARK.len()..];
        mark = BYTE_ORDER_MARK.len();
    }
    if !defect(Defect::TextNulKept)
        && let Some(end) = bytes.iter().position(|&byte| byte == 0)
    {
        bytes = &bytes[..end];
    }
    if defect(Defect::TextLatin1) {
        return Ok(bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into());
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(bytes.to_vec()),
        Err(_) if defect(Defect::TextLossy) => {
            Ok(String::from_utf8_lossy(bytes).into_owned().into_bytes())
        }
        Err(error) => match engine {
            Engine::Godot3 if !defect(Defect::TextStrict) => lax(bytes).map_err(|at| mark + at),
            Engine::Godot3 => Err(mark + error.valid_up_to()),
            Engine::Godot4 => loosened(bytes).ok_or(mark + error.valid_up_to()),
        },
    }
}

/// Decodes as strictly as Godot 4, except for the sequences that the planted defects accept.
fn loosened(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (number, length) = sequence(&bytes[at..]).filter(|&(_, length)| length <= 4)?;
        let shortest = [0, 0, 0x80, 0x800, 0x1_0000][length];
        let is_odd = (number < shortest && !defect(Defect::TextOverlong))
            || ((0xd800..=0xdfff).contains(&number) && !defect(Defect::TextSurrogates))
            || (number > 0x10_ffff && !defect(Defect::TextBeyondUnicode));
        if is_odd {
            return None;
        }
        push(number, &mut text);
        at += length;
    }
    Some(text)
}

/// Decodes as Godot 3 does: surrogates are joined or become blanks, long forms are kept, and the test for
/// overlong forms accepts most of them.
fn lax(bytes: &[u8]) -> Result<Vec<u8>, usize> {
    let mut numbers = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (number, length) = sequence(&bytes[at..]).ok_or(at)?;
        let least = [0, 0, 0x80, 0x10, 0x200, 0x4000, 0x8_0000][length];
        if number < least && !defect(Defect::TextOverlong) {
            return Err(at);
        }
        numbers.push(number);
        at += length;
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&number) = numbers.get(at) {
        at += 1;
        match (number, numbers.get(at)) {
            (0xd800..=0xdfff, _) if defect(Defect::TextSurrogatesKept) => push(number, &mut text),
            (0xd800..=0xdbff, Some(&low @ 0xdc00..=0xdfff)) if !defect(Defect::TextPairsLost) => {
                push(0x1_0000 + ((number - 0xd800) << 10) + (low - 0xdc00), &mut text);
                at += 1;
            }
            (0xd800..=0xdfff, _) => text.push(b' '),
            _ => push(number, &mut text),
        }
    }
    Ok(text)
}

/// Returns the number and the length of a sequence of one to six bytes.
fn sequence(bytes: &[u8]) -> Option<(u32, usize)> {
    let lead = *bytes.first()?;
    let length = match lead.leading_ones() {
        0 => return Some((lead.into(), 1)),
        ones @ 2..=6 => ones as usize,
        _ => return None,
    };
    let mut number = u32::from(lead) & (0x7f >> length);
    for &next in bytes.get(1..length)? {
        if next & 0xc0 != 0x80 {
            return None;
        }
        number = number << 6 | u32::from(next & 0x3f);
    }
    Some((number, length))
}

/// Appends a number as the shortest sequence.
fn push(number: u32, text: &mut Vec<u8>) {
    let length = match number {
        0..=0x7f => return text.push(number as u8),
        0x80..=0x7ff => 2,
        0x800..=0xffff => 3,
        0x1_0000..=0x1f_ffff => 4,
        0x20_0000..=0x3ff_ffff => 5,
        _ => 6,
    };
    text.push((0xff00_u32 >> length) as u8 | (number >> (6 * (length - 1))) as u8);
    for at in (0..length - 1).rev() {
        text.push(0x80 | (number >> (6 * at)) as u8 & 0x3f);
    }
}

/// Returns whether the engine reads the same text back. A decoder that keeps the byte order mark assumes so.
pub(crate) fn is_readable(text: &[u8], engine: Engine) -> bool {
    defect(Defect::BomKept) || !(engine == Engine::Godot3 && text.starts_with(BYTE_ORDER_MARK))
}
