//! The words of a text: blanks, strings, numbers, identifiers, colours.

use super::style::{Digits, Style};
use crate::Dialect;
use crate::dialect::IntWidth;
use crate::text::rule;
use crate::value::{whole32, whole64};
use crate::{Color, VariantString};
use formwork::{Error, Result};
use formwork_records::wire::utf8;
use formwork_records::wire::utf8::Utf8;

/// A written number: without point and exponent it is whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Int(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    /// Returns the whole number in 64 bits.
    pub(super) fn to_i64(self) -> i64 {
        match self {
            Self::Int(number) => number,
            Self::Float(number) => whole64(number),
        }
    }

    /// Returns the whole number in 32 bits: of a whole one the lower bits.
    pub(super) fn to_i32(self) -> i32 {
        match self {
            Self::Int(number) => number as i32,
            Self::Float(number) => whole32(number),
        }
    }
}

/// A place in a text.
pub(super) struct Scanner<'t> {
    text: &'t [u8],
    pub(super) at: usize,
    pub(super) dialect: Dialect,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t VariantString, dialect: Dialect) -> Self {
        Self { text: text.as_bytes(), at: 0, dialect }
    }

    /// Returns the number of bytes left in the text.
    pub(super) fn left(&self) -> usize {
        self.text.len() - self.at
    }

    pub(super) fn style(&self) -> &'static Style {
        Style::of(self.dialect)
    }

    /// Skips blanks and comments (`;` to the end of the line); the byte that follows.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte()? {
                b';' => self.skip_while(|byte| byte != b'\n'),
                1..=b' ' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_while(&mut self, matches: impl Fn(u8) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| !matches(byte)).unwrap_or(rest.len());
    }

    /// Takes the byte if it comes next, after blanks.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes the byte, which must come next.
    pub(super) fn expect(&mut self, byte: u8) -> Result<()> {
        if self.take(byte) {
            return Ok(());
        }
        Err(self.error(format!("'{}'", char::from(byte))))
    }

    /// Returns the error of an unexpected text here.
    #[cold]
    pub(super) fn error(&self, expected: impl Into<String>) -> Error {
        Error::new(rule::SYNTAX, self.at as u64, expected, self.found())
    }

    /// Describes the text here, for a message.
    fn found(&self) -> String {
        const SHOWN: usize = 12;
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return "the end of the text".to_owned();
        }
        let shown = VariantString::from_numbers(
            std::iter::successors(Some((0, 0)), |&(_, at): &(u32, usize)| {
                let (number, length) = utf8::sequence(rest.get(at..)?).ok()?;
                Some((number, at + length))
            })
            .skip(1)
            .take(SHOWN)
            .map(|(number, _)| number),
        );
        format!("{:?}", shown.to_string_lossy())
    }

    /// Returns the text from an earlier place to this one.
    pub(super) fn since(&self, start: usize) -> &'t [u8] {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Bytes up to one of those given (which stays), without blanks around them.
    pub(super) fn raw_until(&mut self, ends: &[u8]) -> Result<&'t [u8]> {
        let start = self.at;
        self.skip_while(|byte| !ends.contains(&byte));
        if self.byte().is_none() {
            return Err(self.error(format!("'{}'", ends.escape_ascii())));
        }
        Ok(self.text[start..self.at].trim_ascii())
    }

    /// An identifier: letters, `_`, then digits too. Empty if there is none.
    pub(super) fn identifier(&mut self) -> &'t str {
        self.peek();
        let start = self.at;
        if self.byte().is_some_and(|byte| !byte.is_ascii_digit()) {
            self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        }
        // Only ASCII was taken.
        std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default()
    }

    /// Reads a number, or the name of an infinity or a NaN, if one comes next.
    pub(super) fn number(&mut self) -> Result<Option<Number>> {
        let Some(first) = self.peek() else { return Ok(None) };
        let start = self.at;
        let negative = first == b'-';
        self.at += usize::from(negative);
        match self.byte() {
            Some(b'0'..=b'9' | b'.') if negative || first != b'.' => self.digits(start).map(Some),
            Some(byte) if byte.is_ascii_alphabetic() => {
                let special = match self.identifier() {
                    "inf" => Some(f64::INFINITY),
                    "inf_neg" if !negative => Some(f64::NEG_INFINITY),
                    "nan" => Some(f64::NAN),
                    _ => None,
                };
                match special {
                    Some(number) => {
                        // Godot 2 and 3 up to 3.4 print an infinite float as "inf.0".
                        if self.text[self.at..].starts_with(b".0") {
                            self.at += 2;
                        }
                        Ok(Some(Number::Float(if negative { -number } else { number })))
                    }
                    None => {
                        self.at = start;
                        Ok(None)
                    }
                }
            }
            _ => {
                self.at = start;
                Ok(None)
            }
        }
    }

    /// The digits of a number whose sign was skipped.
    fn digits(&mut self, start: usize) -> Result<Number> {
        self.skip_while(|byte| byte.is_ascii_digit());
        let mut whole = true;
        if self.byte() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        // Only Godot 4.5 and later take a capital E for an exponent.
        let capital = self.style().digits == Digits::Shortest;
        let mut mantissa = self.at;
        if matches!(self.byte(), Some(b'e')) || capital && self.byte() == Some(b'E') {
            whole = false;
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            let digits = self.at;
            self.skip_while(|byte| byte.is_ascii_digit());
            if self.at > digits {
                // An exponent without digits counts as none.
                mantissa = self.at;
            }
        }
        // Digits, signs, a point and an exponent: ASCII.
        let text = std::str::from_utf8(&self.text[start..mantissa]).unwrap_or_default();
        if whole {
            return Ok(Number::Int(self.whole(text)));
        }
        text.parse().map(Number::Float).map_err(|_| {
            self.at = start;
            self.error("a number")
        })
    }

    /// A whole number. Beyond 64 bits it is the largest or least there is; where ints have 32
    /// bits, the engine calculates in these and wraps around.
    fn whole(&self, text: &str) -> i64 {
        let negative = text.starts_with('-');
        let digits = text.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0');
        if self.dialect.quirks().int_width == IntWidth::Narrow {
            let number = digits.fold(0_i32, |number, digit| {
                number.wrapping_mul(10).wrapping_add(i32::from(digit))
            });
            return i64::from(if negative { number.wrapping_neg() } else { number });
        }
        digits.fold(0_i64, |number, digit| {
            let digit = i64::from(digit);
            number.saturating_mul(10).saturating_add(if negative { -digit } else { digit })
        })
    }

    /// Reads a quoted string; its first quote comes next.
    pub(super) fn string(&mut self) -> Result<VariantString> {
        self.expect(b'"')?;
        let start = self.at;
        self.skip_while(|byte| !matches!(byte, b'"' | b'\\' | 0));
        let mut bytes = self.text[start..self.at].to_vec();
        let mut high = None;
        loop {
            match self.byte() {
                Some(b'\\') => {
                    let at = self.at;
                    self.at += 1;
                    let number = self.escaped()?;
                    self.join(at, number, &mut high, &mut bytes)?;
                }
                Some(b'"') => {
                    self.lone(&mut high, &mut bytes)?;
                    break;
                }
                None | Some(0) => return Err(self.error("'\"' at the end of the string")),
                Some(_) => {
                    self.lone(&mut high, &mut bytes)?;
                    let from = self.at;
                    self.skip_while(|byte| !matches!(byte, b'"' | b'\\' | 0));
                    bytes.extend_from_slice(&self.text[from..self.at]);
                }
            }
        }
        self.at += 1;
        let text = VariantString::from_decoded(
            String::from_utf8(bytes).map_err(|error| error.into_bytes()),
        );
        let utf8 = self.dialect.quirks().utf8;
        if text.as_str().is_none() && !text.numbers().all(|number| utf8.can_hold(number)) {
            self.at = start;
            return Err(self.error("characters that the engine's strings can hold"));
        }
        Ok(text)
    }

    /// Reads the character of an escape, after its backslash.
    fn escaped(&mut self) -> Result<u32> {
        let Ok((letter, length)) = utf8::sequence(&self.text[self.at..]) else {
            return Err(self.error("an escaped character"));
        };
        if letter == 0 {
            return Err(self.error("an escaped character"));
        }
        self.at += length;
        Ok(match u8::try_from(letter).unwrap_or_default() {
            b'b' => 8,
            b't' => 9,
            b'n' => 10,
            b'f' => 12,
            b'r' => 13,
            b'u' => self.hexadecimal(4)?,
            b'U' if self.style().reads_six_digit_escapes => self.hexadecimal(6)?,
            // Any other letter is itself, even \a and \v, which the printers write.
            _ => letter,
        })
    }

    fn hexadecimal(&mut self, count: usize) -> Result<u32> {
        let mut number = 0;
        for _ in 0..count {
            let digit = self.byte().and_then(|byte| char::from(byte).to_digit(16));
            number = number << 4 | digit.ok_or_else(|| self.error("a hexadecimal digit"))?;
            self.at += 1;
        }
        Ok(number)
    }

    /// Adds an escaped character. Two surrogates become one character, if the engine's strings cannot hold
    /// surrogates.
    fn join(
        &mut self,
        at: usize,
        number: u32,
        high: &mut Option<(usize, u32)>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let utf8 = self.dialect.quirks().utf8;
        match (number, *high) {
            (0xdc00..=0xdfff, Some((_, first))) => {
                utf8::push(0x1_0000 + ((first - 0xd800) << 10) + (number - 0xdc00), bytes);
                *high = None;
                return Ok(());
            }
            (0xd800..=0xdbff, _) if utf8 != Utf8::Lax => {
                self.lone(high, bytes)?;
                *high = Some((at, number));
                return Ok(());
            }
            _ => self.lone(high, bytes)?,
        }
        match (number, utf8) {
            (0xdc00..=0xdfff, Utf8::LaxJoined) => bytes.push(b' '),
            _ if utf8.can_hold(number) => utf8::push(number, bytes),
            _ => {
                self.at = at;
                return Err(self.error("a character that the engine's strings can hold"));
            }
        }
        Ok(())
    }

    /// A high surrogate that no low one followed: a blank in Godot 3.5 and 3.6, elsewhere a fault.
    fn lone(&mut self, high: &mut Option<(usize, u32)>, bytes: &mut Vec<u8>) -> Result<()> {
        let Some((at, _)) = high.take() else { return Ok(()) };
        if self.dialect.quirks().utf8 == Utf8::LaxJoined {
            bytes.push(b' ');
            return Ok(());
        }
        self.at = at;
        Err(self.error("a surrogate pair"))
    }

    /// Reads `#rrggbb` and similar forms; the `#` comes next.
    pub(super) fn color(&mut self) -> Result<Color> {
        self.expect(b'#')?;
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_hexdigit());
        let is_css = self.style().reads_css_colors;
        let digits: Vec<u8> = self.text[start..self.at]
            .iter()
            .filter_map(|&byte| char::from(byte).to_digit(16))
            .map(|digit| digit as u8)
            .collect();
        let parts: Vec<u8> = match digits.len() {
            6 | 8 => digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect(),
            3 | 4 if is_css => digits.iter().map(|digit| digit << 4 | digit).collect(),
            _ => {
                self.at = start;
                return Err(self.error("six or eight hexadecimal digits of a colour"));
            }
        };
        let part = |byte: u8| f32::from(byte) / 255.0;
        Ok(match parts[..] {
            [r, g, b] => Color::new(part(r), part(g), part(b), 1.0),
            [a, r, g, b] if !is_css => Color::new(part(r), part(g), part(b), part(a)),
            [r, g, b, a] => Color::new(part(r), part(g), part(b), part(a)),
            _ => Color::default(),
        })
    }
}
