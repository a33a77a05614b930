//! The suite as a file: a line of JSON for each vector, behind one that says what the file is.

use std::io::{self, Write};

use super::spelling::spelled;
use super::{Expect, Suite, Vector, golden};
use crate::Format;
use crate::case::Reading;
use crate::oracle::protocol::Answer;
use crate::oracle::{AnswerForm, Responder};

impl Suite {
    /// Writes the file: ASCII, a line of JSON each.
    ///
    /// The first line is of the file: `suite`, `format`, `engine` (the release whose answers to the golden inputs are
    /// known, if there is one), `release` (of this project), `version` (of the form of the file), `license` and `rows`.
    ///
    /// Each of the others has `id`, `tier`, `hex` (the packet) and `result`: `valid`, `acceptable` (engines read it but
    /// write other bytes, so that a decoder may refuse it) or `invalid`. Where it is read, it has `used` (the bytes that
    /// the value takes), `bytes` (the encodings that are right, the engine's first) and `value` (the value as lossless
    /// JSON, unless it is deeper or longer than readers of JSON like). Then come the `rule` that it breaks and its
    /// `flags`, if there are any.
    ///
    /// Bytes are hex. In long ones, pieces have commas between them, and a piece that is there `n` times ends with `*n`:
    /// `1c000000,00000000*1024`.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        head(out, self.reading.format, self.vectors.len())?;
        self.vectors
            .iter()
            .try_for_each(|vector| writeln!(out, "{{{}}}", members(vector, self.reading)))
    }
}

/// Writes the first line of a file.
pub(crate) fn head(out: &mut impl Write, format: Format, rows: usize) -> io::Result<()> {
    let (version, release) = (Suite::VERSION, env!("CARGO_PKG_VERSION"));
    write!(out, r#"{{"suite":"formwork","format":"{format}""#)?;
    if let Some(engine) = golden::release(format) {
        write!(out, r#","engine":"{engine}""#)?;
    }
    let license = env!("CARGO_PKG_LICENSE");
    writeln!(
        out,
        r#","release":"{release}","version":{version},"license":"{license}","rows":{rows}}}"#
    )
}

/// Lists and objects in one another that every reader of JSON reads.
const DEEPEST: usize = 100;
/// Bytes of the longest value that is written as JSON.
const LONGEST: usize = 1 << 12;

/// Returns the members of a row.
pub(crate) fn members(vector: &Vector, reading: Reading) -> String {
    let Vector { id, tier, packet, expect, rule, flags } = vector;
    let (hex, result) = (spelled(packet), vector.result());
    let mut out = format!(r#""id":"{id}","tier":"{tier}","hex":"{hex}","result":"{result}""#);
    if let Expect::Accepted { used, bytes } = expect {
        let bytes: Vec<_> = bytes.iter().map(|bytes| format!("\"{}\"", spelled(bytes))).collect();
        out += &format!(r#","used":{used},"bytes":[{}]"#, bytes.join(","));
        if let Some(json) = value(reading, packet)
            && depth(&json) <= DEEPEST
            && json.len() <= LONGEST
        {
            out += &format!(r#","value":{}"#, ascii(&json));
        }
    }
    if let Some(rule) = rule {
        out += &format!(r#","rule":"{rule}""#);
    }
    if !flags.is_empty() {
        let names: Vec<_> = flags.iter().map(|flag| format!("\"{}\"", flag.name())).collect();
        out += &format!(r#","flags":[{}]"#, names.join(","));
    }
    out
}

/// Returns the value of a packet as lossless JSON, if it is read.
pub(super) fn value(reading: Reading, packet: &[u8]) -> Option<String> {
    match Responder::new(reading).form(AnswerForm::Json).answer(packet) {
        Answer::Accepted { bytes, .. } => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    }
}

/// Returns how many lists and objects of a JSON text are in one another.
pub(super) fn depth(json: &str) -> usize {
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
pub(crate) fn ascii(json: &str) -> String {
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
