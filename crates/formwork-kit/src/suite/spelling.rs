//! Bytes as hex, in which what repeats is written once.

use std::fmt::Write as _;

use crate::oracle::{from_hex, to_hex};

/// Bytes of the longest packet that is plain hex.
const PLAIN: usize = 256;
/// Bytes of the longest piece that is looked for again behind itself.
const PIECE: usize = 64;
/// Bytes that a repetition has to save.
const WORTH: usize = 32;

/// Returns the bytes as hex; long ones as pieces with commas between them, each as often as the number after its `*`
/// says: `1c000000,00000000*1024`.
pub(crate) fn spelled(bytes: &[u8]) -> String {
    if bytes.len() <= PLAIN {
        return to_hex(bytes);
    }
    let mut pieces: Vec<String> = Vec::new();
    let (mut at, mut plain) = (0, 0);
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let (piece, times) = repeated(rest);
        if piece * (times - 1) < WORTH {
            at += 1;
            continue;
        }
        pieces.extend((plain < at).then(|| to_hex(bytes.get(plain..at).unwrap_or_default())));
        let mut text = to_hex(rest.get(..piece).unwrap_or_default());
        // Writing to a string does not fail.
        let _ = write!(text, "*{times}");
        pieces.push(text);
        at += piece * times;
        plain = at;
    }
    pieces.extend((plain < at).then(|| to_hex(bytes.get(plain..at).unwrap_or_default())));
    pieces.join(",")
}

/// Returns the bytes that [`spelled`] made a text of.
///
/// # Errors
///
/// Says what is wrong with the text. More than a gibibyte is refused.
pub(crate) fn unspelled(text: &str) -> Result<Vec<u8>, String> {
    const MOST: usize = 1 << 30;
    let mut bytes = Vec::new();
    for piece in text.split(',') {
        let (hex, times) = piece.split_once('*').unwrap_or((piece, "1"));
        let (piece, times) = (from_hex(hex)?, times.parse::<usize>());
        let times = times.map_err(|_| "the number of repetitions is none".to_owned())?;
        if piece.len().saturating_mul(times) > MOST - bytes.len() {
            return Err("more than a gibibyte".to_owned());
        }
        bytes.extend(piece.repeat(times));
    }
    Ok(bytes)
}

/// Returns the size of the piece at the start that saves most, and how often it is there.
fn repeated(bytes: &[u8]) -> (usize, usize) {
    let mut best = (1, 1);
    for size in 1..=PIECE.min(bytes.len()) {
        let (piece, rest) = bytes.split_at(size);
        let times = 1 + rest.chunks_exact(size).take_while(|next| *next == piece).count();
        if size * (times - 1) > best.0 * (best.1 - 1) {
            best = (size, times);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_is_written_once() {
        assert_eq!(spelled(&[1, 2, 255]), "0102ff");
        assert_eq!(spelled(&[7; 256]), "07".repeat(256));
        assert_eq!(spelled(&[7; 257]), "07*257");
        let mut bytes = vec![9, 9];
        bytes.extend([1, 0, 0, 2].repeat(100));
        bytes.push(5);
        assert_eq!(spelled(&bytes), "0909,01000002*100,05");
        let noise: Vec<u8> = (0..300_u32).map(|at| (at * at % 251) as u8).collect();
        assert_eq!(spelled(&noise), to_hex(&noise));
        for bytes in [&[][..], &[7; 257], &bytes, &noise] {
            assert_eq!(unspelled(&spelled(bytes)).unwrap(), bytes);
        }
        for wrong in
            ["0", "07*", "07*-1", "07**2", "x", "07*99999999999", "07*18446744073709551615"]
        {
            assert!(unspelled(wrong).is_err(), "{wrong}");
        }
    }
}
