//! The part of an input around a fault.

use std::fmt::{self, Write as _};

use super::style::Palette;
use super::terminal::Ink;

/// Number of bytes in a row of the hex window.
const WIDTH: usize = 16;

/// A row of the hex window.
#[derive(Debug)]
pub struct Row {
    offset: usize,
    bytes: Vec<u8>,
    /// The column of the faulty byte; one after the last where the input ends too early.
    marked: Option<usize>,
}

/// Returns the row with the byte at `offset`, and the one before it.
pub fn rows(bytes: &[u8], offset: u64) -> Vec<Row> {
    let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    // At the end, the mark is after the last byte instead of on a separate row.
    let start = match offset - offset % WIDTH {
        start if start == bytes.len() => start.saturating_sub(WIDTH),
        start => start,
    };
    [start.checked_sub(WIDTH), Some(start)]
        .into_iter()
        .flatten()
        .map(|from| Row {
            offset: from,
            bytes: bytes[from..(from + WIDTH).min(bytes.len())].to_vec(),
            marked: (from == start).then_some(offset - start),
        })
        .collect()
}

/// Prints rows as hex and text, with a caret below the faulty byte.
pub fn render_rows(rows: &[Row], palette: &Palette, out: &mut String) -> fmt::Result {
    let Palette { dim, error, .. } = *palette;
    for row in rows {
        write!(out, "  {dim}{:08x}{dim:#} ", row.offset)?;
        for column in 0..WIDTH {
            let style = if row.marked == Some(column) { error } else { Ink::default() };
            let gap = if column == WIDTH / 2 { "  " } else { " " };
            match row.bytes.get(column) {
                Some(byte) => write!(out, "{gap}{style}{byte:02x}{style:#}")?,
                None => write!(out, "{gap}  ")?,
            }
        }
        write!(out, "  {dim}|")?;
        for &byte in &row.bytes {
            out.write_char(if byte == b' ' || byte.is_ascii_graphic() {
                byte.into()
            } else {
                '.'
            })?;
        }
        writeln!(out, "|{dim:#}")?;
        if let Some(marked) = row.marked {
            let column = 12 + 3 * marked + usize::from(marked >= WIDTH / 2);
            writeln!(out, "{:column$}{error}^^{error:#}", "")?;
        }
    }
    Ok(())
}

/// A line of a text.
#[derive(Debug)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: usize,
    /// The column of the fault, in characters from 1.
    pub column: usize,
    /// The part of the line around the fault.
    excerpt: String,
    /// The position of the fault in the excerpt, in characters from 0.
    marked: usize,
}

/// Returns the line of `text` with the byte at `offset`.
pub fn line(text: &[u8], offset: u64) -> Line {
    /// Number of characters shown on either side of the fault.
    const SHOWN: usize = 36;
    let mut offset = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    if offset == text.len() {
        // A text that ends too early is marked after its last character that is not blank.
        offset = text.trim_ascii_end().len();
    }
    let before = &text[..offset];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let after = &text[offset..];
    let end = after.iter().position(|&byte| byte == b'\n').unwrap_or(after.len());
    // Control characters would move the caret away from its character.
    let shown = |bytes: &[u8]| -> Vec<char> {
        let text = String::from_utf8_lossy(bytes);
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    // Distant text need not be decoded; a character has at most four bytes.
    let near = start.max(offset.saturating_sub(4 * SHOWN));
    let left = shown(&text[near..offset]);
    let right = shown(&after[..end.min(4 * SHOWN)]);
    let left_shown = &left[left.len().saturating_sub(SHOWN)..];
    Line {
        number: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
        // (The zeros are those of UTF-16.)
        column: String::from_utf8_lossy(&text[start..offset])
            .chars()
            .filter(|it| *it != '\0')
            .count()
            + 1,
        excerpt: left_shown.iter().chain(right.iter().take(SHOWN)).collect(),
        marked: left_shown.len(),
    }
}

/// Prints the line, with a caret below the fault.
pub fn render_line(line: &Line, palette: &Palette, out: &mut String) -> fmt::Result {
    let Palette { error, .. } = *palette;
    writeln!(out, "    {}", line.excerpt)?;
    writeln!(out, "    {:1$}{error}^{error:#}", "", line.marked)
}
