//! The bytes of a packet and of the answers to it, and where these differ.

use std::fmt::Write as _;

use crate::oracle::Outcome;
use crate::oracle::protocol::Answer;

/// Bytes in a row.
const ROW: usize = 16;
/// Rows that are shown of a packet or an answer, and rows that differ.
const ROWS: usize = 32;

/// Returns the packet in hex, and the answers of reference and target with marks under the bytes that
/// differ, where both have sent any.
pub(super) fn shown(packet: &[u8], reference: &Outcome, target: &Outcome) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = match (answered(reference), answered(target)) {
        (Some(right), Some(wrong)) if right != wrong => {
            list(&mut out, "packet", packet).and_then(|()| compare(&mut out, right, wrong))
        }
        (right, wrong) => [("packet", Some(packet)), ("expected", right), ("got", wrong)]
            .into_iter()
            .filter_map(|(name, bytes)| Some((name, bytes?)))
            .try_for_each(|(name, bytes)| list(&mut out, name, bytes)),
    };
    out
}

/// Returns the bytes of an answer that accepts a packet.
fn answered(outcome: &Outcome) -> Option<&[u8]> {
    match outcome {
        Outcome::Answered(Answer::Accepted { bytes, .. }) if !bytes.is_empty() => Some(bytes),
        _ => None,
    }
}

fn list(out: &mut String, name: &str, bytes: &[u8]) -> std::fmt::Result {
    if bytes.is_empty() {
        writeln!(out, "{name:8}  (no bytes)")?;
    }
    for (number, row) in bytes.chunks(ROW).take(ROWS).enumerate() {
        line(out, name, number, row)?;
    }
    match bytes.len().saturating_sub(ROW * ROWS) {
        0 => Ok(()),
        more => writeln!(out, "{name:8}  ... and {more} more bytes"),
    }
}

/// The rows in which two answers differ.
fn compare(out: &mut String, right: &[u8], wrong: &[u8]) -> std::fmt::Result {
    let rows = right.len().max(wrong.len()).div_ceil(ROW);
    let row = |bytes: &[u8], number: usize| -> Vec<u8> {
        bytes.chunks(ROW).nth(number).unwrap_or_default().to_vec()
    };
    let differ: Vec<usize> =
        (0..rows).filter(|&number| row(right, number) != row(wrong, number)).collect();
    for &number in differ.iter().take(ROWS) {
        let (right, wrong) = (row(right, number), row(wrong, number));
        line(out, "expected", number, &right)?;
        line(out, "got", number, &wrong)?;
        let marks: String = (0..right.len().max(wrong.len()))
            .map(|at| if right.get(at) == wrong.get(at) { "   " } else { "^^ " })
            .collect();
        writeln!(out, "{:20}{}", "", marks.trim_end())?;
    }
    match differ.len().saturating_sub(ROWS) {
        0 => Ok(()),
        more => writeln!(out, "... and {more} more rows that differ"),
    }
}

fn line(out: &mut String, name: &str, number: usize, row: &[u8]) -> std::fmt::Result {
    let bytes: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "{name:8}  {:08x}  {}", number * ROW, bytes.join(" "))
}
