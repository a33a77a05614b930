//! Base64 as RFC 4648 defines it, padded: the text form of bytes in Pandemonium and in newer Godot 4
//! resource files.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends the text of `bytes`.
pub(super) fn push(bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at > group.len() { b'=' } else { letter });
        }
    }
}

/// The bytes of a text; `Err` holds the offset of what is no base64.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    if !text.len().is_multiple_of(4) {
        return Err(text.len());
    }
    let padding = text.iter().rev().take(2).take_while(|&&letter| letter == b'=').count();
    let letters = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut bits = 0_u32;
    for (at, &letter) in letters.iter().enumerate() {
        bits = bits << 6 | value(letter).ok_or(at)?;
        // Every letter but the first of four completes a byte.
        match at % 4 {
            0 => {}
            done => bytes.push((bits >> (6 - 2 * done)) as u8),
        }
    }
    Ok(bytes)
}

fn value(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_vectors_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = Vec::new();
            push(bytes.as_bytes(), &mut out);
            assert_eq!(out, text.as_bytes());
            assert_eq!(decode(text.as_bytes()).unwrap(), bytes.as_bytes());
        }
        assert_eq!(decode(b"Zg="), Err(3));
        assert_eq!(decode(b"Z*=="), Err(1));
        assert_eq!(decode(b"===="), Err(0));
    }

    #[test]
    fn all_bytes_come_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut out = Vec::new();
        push(&bytes, &mut out);
        assert_eq!(decode(&out).unwrap(), bytes);
    }
}
