//! The suite as a file: a line of JSON for each vector, behind one that says what the file is.

use std::io::{self, Write};

use super::{Expect, Suite, Vector};
use crate::case::Cases;
use crate::oracle::protocol::Answer;
use crate::oracle::{AnswerForm, Responder, to_hex};

impl Suite {
    /// Writes the file: ASCII, a line of JSON each.
    ///
    /// The first line says format, version and how many vectors follow. Each of the others has `id`, `tier`,
    /// `hex` (the packet) and `result`: `valid`, `acceptable` (read, but not as the engine writes it) or
    /// `invalid`; where it is read, `used` (the bytes that the value takes), `bytes` (the encodings that are
    /// right) and `value` (the value as lossless JSON, unless it is deeper than readers of JSON go); and the `rule` that it breaks.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (format, rows) = (self.reading.format, self.vectors.len());
        let version = Cases::VERSION;
        writeln!(
            out,
            r#"{{"suite":"formwork","format":"{format}","version":{version},"rows":{rows}}}"#
        )?;
        let responder = Responder::new(self.reading).form(AnswerForm::Json);
        self.vectors.iter().try_for_each(|vector| line(out, vector, &responder))
    }
}

/// Lists and objects in one another that every reader of JSON reads.
const DEEPEST: usize = 100;

fn line(out: &mut impl Write, vector: &Vector, responder: &Responder) -> io::Result<()> {
    let Vector { id, tier, packet, expect, rule } = vector;
    let result = match (expect, rule) {
        (Expect::Refused, _) => "invalid",
        (Expect::Accepted { .. }, Some(_)) => "acceptable",
        (Expect::Accepted { .. }, None) => "valid",
    };
    let hex = to_hex(packet);
    write!(out, r#"{{"id":"{id}","tier":"{tier}","hex":"{hex}","result":"{result}""#)?;
    if let Expect::Accepted { used, bytes } = expect {
        let bytes: Vec<String> =
            bytes.iter().map(|bytes| format!("\"{}\"", to_hex(bytes))).collect();
        write!(out, r#","used":{used},"bytes":[{}]"#, bytes.join(","))?;
        if let Answer::Accepted { bytes: json, .. } = responder.answer(packet) {
            let json = String::from_utf8_lossy(&json);
            if depth(&json) <= DEEPEST {
                write!(out, r#","value":{}"#, ascii(&json))?;
            }
        }
    }
    if let Some(rule) = rule {
        write!(out, r#","rule":"{rule}""#)?;
    }
    writeln!(out, "}}")
}

/// Returns how many lists and objects of a JSON text are in one another.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_text, mut is_escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_text,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Escapes the characters beyond ASCII, which occur in strings only.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter.is_ascii() {
            out.push(letter);
        } else {
            let mut units = [0; 2];
            out.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}
