//! Reads Terrain Builder's text.

use std::borrow::Cow;

use formwork::{Error, PathSegment, Result};
use formwork_alb1::Text;

use super::{Entry, Line, Placement, number};
use crate::object_list::rule;

/// The byte order mark with which an editor marks a text as UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The name of the last number, which some programs leave out.
const HEIGHT: &str = "z";

/// Reads Terrain Builder's text: an object a line, `"template";X;Y;yaw;pitch;roll;scale;Z;`.
///
/// More than Terrain Builder writes is accepted: lines that end with CR and LF, blank lines, blanks around names and
/// numbers, a missing last `;`, fewer or more decimals, exponents, and a line without the last number, the height
/// ([`Entry::no_height`]). Everything else is refused: more or fewer numbers, a name without quotes, a number that is not
/// finite or too large for its width.
///
/// The name ends with the last quote of the line, so it may hold quotes and semicolons. It is in Windows-1252, or in
/// UTF-8 if the text starts with a byte order mark.
///
/// After a fault, the next line is read. The fault has the offset, the number of the line and the name of the number
/// (`line[12].yaw`).
#[derive(Clone, Debug)]
pub struct TextReader<'a> {
    left: &'a [u8],
    offset: u64,
    number: u64,
    is_utf8: bool,
}

impl<'a> TextReader<'a> {
    /// Reads this text.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(left) => {
                Self { left, offset: BYTE_ORDER_MARK.len() as u64, number: 0, is_utf8: true }
            }
            None => Self { left: text, offset: 0, number: 0, is_utf8: false },
        }
    }

    fn entry(&self, line: &'a [u8], offset: u64) -> Result<Entry<'a>> {
        // Returns the offset in the list of the rest of the line.
        let at = |rest: &[u8]| offset + (line.len() - rest.len()) as u64;

        let start = line.trim_ascii_start();
        let Some(quoted) = start.strip_prefix(b"\"") else {
            return Err(fault(at(start), "the name of a template in quotes", start));
        };
        let Some(end) = quoted.iter().rposition(|&byte| byte == b'"') else {
            return Err(fault(at(quoted), "a name that ends with a quote", quoted));
        };
        let (name, behind) = quoted.split_at(end);
        let template = self
            .name(name)
            .ok_or_else(|| fault(at(quoted), "a name in UTF-8 that Windows-1252 can hold", name))?;

        let mut rest = behind.strip_prefix(b"\"").unwrap_or(behind).trim_ascii_start();
        let mut no_height = false;
        let placement = Placement::parse(|name| {
            no_height = name == HEIGHT && matches!(rest.trim_ascii(), b"" | b";");
            if no_height {
                return Ok((at(rest), b"0"));
            }
            let Some(next) = rest.strip_prefix(b";").map(<[u8]>::trim_ascii_start) else {
                return Err(fault(at(rest), "a semicolon and a number", rest).within(name));
            };
            let end = next.iter().position(|&byte| byte == b';').unwrap_or(next.len());
            let (number, behind) = next.split_at(end);
            rest = behind;
            let number = number.trim_ascii_end();
            if number::is_named(number) {
                return Err(fault(at(next), "a finite number", number).within(name));
            }
            Ok((at(next), number))
        })?;
        let behind = rest.strip_prefix(b";").unwrap_or(rest).trim_ascii_start();
        if !behind.is_empty() {
            return Err(fault(at(behind), "the end of the line behind seven numbers", behind));
        }
        Ok(Entry { template, placement, no_height, ..Entry::default() })
    }

    fn name(&self, bytes: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        if !self.is_utf8 || bytes.is_ascii() {
            return Some(Cow::Borrowed(bytes));
        }
        let name = Text::new(std::str::from_utf8(bytes).ok()?)?;
        Some(Cow::Owned(name.as_bytes().to_vec()))
    }
}

impl<'a> Iterator for TextReader<'a> {
    type Item = Result<Line<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.left.is_empty() {
            let end = self.left.iter().position(|&byte| byte == b'\n');
            let (line, left) = match end {
                Some(end) => self.left.split_at(end + 1),
                None => (self.left, Default::default()),
            };
            let (number, offset) = (self.number + 1, self.offset);
            self.left = left;
            self.offset += line.len() as u64;
            self.number = number;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let entry = self.entry(line.trim_ascii_end(), offset).map_err(|error| {
                error.under(vec![PathSegment::Field("line"), PathSegment::Index(number)].into())
            });
            return Some(entry.map(|entry| Line { number, offset, entry }));
        }
        None
    }
}

/// Returns the fault of a line that has `rest` instead of the expected text.
#[cold]
fn fault(offset: u64, expected: &str, rest: &[u8]) -> Error {
    /// The number of bytes shown from the found text.
    const SHOWN: usize = 40;

    let found = match rest.trim_ascii() {
        [] => "the end of the line".into(),
        rest => match rest.get(..SHOWN) {
            Some(start) => format!("\"{}...\"", start.escape_ascii()),
            None => format!("\"{}\"", rest.escape_ascii()),
        },
    };
    Error::new(rule::LINE, offset, expected, found)
}
