//! Reads scripts.

use super::record::{
    Identifier, LineToken, MASK, ScriptContent, ScriptContent100, ScriptFile, Token, TokenPlace,
    WideIdentifier,
};
use super::version::Layout;
use super::{Head, content};
use crate::script::rule;
use formwork::{Error, Result, Rule};
use formwork_records::schema::Sizes;
use formwork_records::wire::{Cursor, read_record};
use formwork_variant::codec::Decoder;
use formwork_variant::{Array, Real, Variant, VariantString};

/// A compiled script.
#[derive(Clone, Debug, PartialEq)]
pub struct Script<R: Real = f32> {
    /// The version of the format.
    pub version: u32,
    /// The names that the script uses: variables, functions, properties.
    pub identifiers: Vec<VariantString>,
    /// The literal values that the script uses.
    pub constants: Vec<Variant<R>>,
    /// The first token of each line.
    pub lines: Vec<Line>,
    /// The column of the first token of each of these lines: only in Godot 4.
    pub columns: Vec<Line>,
    /// How many tokens there are.
    pub token_count: u32,
    /// The tokens, as bytes.
    pub tokens: Vec<u8>,
}

/// A line, or the column that it starts in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Line {
    /// The position of the first token of the line among all tokens, from 0 on.
    pub token: u32,
    /// The line, or its column, from 1 on.
    pub place: u32,
}

impl From<TokenPlace> for Line {
    fn from(TokenPlace { token, place }: TokenPlace) -> Self {
        Self { token, place }
    }
}

/// Reads a script whose constants this decoder reads. Its dialect should be [`Head::dialect`], unless another is known
/// to be right.
///
/// # Errors
///
/// Returns an error if the bytes are not a script, if the script is damaged, or if it unpacks to more than the
/// decoder's limits allow. Offsets count in the file, or, under `script.content`, in the bytes unpacked from it.
pub fn read<R: Real>(bytes: &[u8], decoder: &Decoder<R>) -> Result<Script<R>> {
    let head = Head::of(bytes)?;
    let content = content(bytes, head, decoder.size_limits())?;
    let mut reader = Reader { input: Cursor::new(&content.bytes), decoder };
    reader.input.set_position(content.start);
    reader.script(head).map_err(|error| {
        let error = if content.unpacked { error.within("content") } else { error };
        error.within("script")
    })
}

struct Reader<'a, R: Real> {
    input: Cursor<'a>,
    decoder: &'a Decoder<R>,
}

impl<R: Real> Reader<'_, R> {
    fn script(&mut self, head: Head) -> Result<Script<R>> {
        let [identifiers, constants, lines, token_count] = match head.layout() {
            Layout::File => {
                let it: ScriptFile = read_record(&mut self.input)?;
                [it.identifier_count, it.constant_count, it.line_count, it.token_count]
            }
            Layout::Content100 => {
                let it: ScriptContent100 = read_record(&mut self.input)?;
                [it.identifier_count, it.constant_count, it.line_count, it.token_count]
            }
            Layout::Content => {
                let it: ScriptContent = read_record(&mut self.input)?;
                [it.identifier_count, it.constant_count, it.line_count, it.token_count]
            }
        };
        let is_old = head.layout() == Layout::File;
        let identifiers = match is_old {
            true => self.list("identifiers", identifiers, Identifier::LEAST, Self::name)?,
            false => {
                self.list("identifiers", identifiers, WideIdentifier::LEAST, Self::wide_name)?
            }
        };
        // The shortest packet is a header word.
        let constants = self.list("constants", constants, 4, Self::constant)?;
        let mut places = |name| self.list(name, lines, TokenPlace::LEAST, Self::place);
        let lines = places("lines")?;
        let columns = if is_old { Vec::new() } else { places("columns")? };
        let tokens = self.input.rest();
        match is_old {
            true => self.list("tokens", token_count, Token::LEAST, Self::token)?,
            false => self.list("tokens", token_count, LineToken::LEAST, Self::line_token)?,
        };
        let left = self.input.left();
        if left > 0 {
            let offset = self.input.position() as u64;
            let found = formwork::wire::more_bytes(left).to_string();
            return Err(Error::new(Rule::INPUT_TRAILING, offset, "the end of the script", found));
        }
        Ok(Script {
            version: head.version,
            identifiers,
            constants,
            lines,
            columns,
            token_count,
            tokens: tokens.to_vec(),
        })
    }

    /// Reads `count` parts that take at least `least` bytes each.
    fn list<T>(
        &mut self,
        name: &'static str,
        count: u32,
        least: usize,
        read: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.input.check_count(count, least, name)?;
        let mut list = Vec::with_capacity(count as usize);
        for index in 0..u64::from(count) {
            list.push(read(self).map_err(|error| error.within(index).within(name))?);
        }
        Ok(list)
    }

    fn name(&mut self) -> Result<VariantString> {
        let start = self.input.position() as u64 + 4;
        let Identifier { bytes, .. } = read_record(&mut self.input)?;
        let mut text: Vec<u8> = bytes.iter().map(|byte| byte ^ MASK).collect();
        let refuse = |at: usize, found: &str| {
            let expected = "a text in UTF-8 and a zero byte";
            Error::new(rule::IDENTIFIER, start + at as u64, expected, found).within("bytes")
        };
        let end = text.iter().position(|&byte| byte == 0);
        text.truncate(end.ok_or_else(|| refuse(0, "no zero byte"))?);
        VariantString::from_bytes(text).map_err(|at| refuse(at, "other bytes"))
    }

    fn wide_name(&mut self) -> Result<VariantString> {
        let start = self.input.position() as u64 + 4;
        let WideIdentifier { characters, .. } = read_record(&mut self.input)?;
        let mask = u32::from_ne_bytes([MASK; 4]);
        let mut text = String::new();
        for (at, &character) in characters.iter().enumerate() {
            let number = character ^ mask;
            text.push(char::from_u32(number).ok_or_else(|| {
                let (expected, found) = ("a character of Unicode", format!("{number:#x}"));
                let offset = start + 4 * at as u64;
                let error = Error::new(rule::IDENTIFIER, offset, expected, found);
                error.within(at as u64).within("characters")
            })?);
        }
        Ok(text.into())
    }

    fn constant(&mut self) -> Result<Variant<R>> {
        let start = self.input.position();
        let (value, length) = self
            .decoder
            .decode_prefix(self.input.rest())
            .map_err(|error| error.shifted(start as u64))?;
        self.input.set_position(start + length);
        Ok(value)
    }

    fn place(&mut self) -> Result<Line> {
        read_record::<TokenPlace>(&mut self.input).map(Line::from)
    }

    fn token(&mut self) -> Result<()> {
        read_record::<Token>(&mut self.input).map(drop)
    }

    fn line_token(&mut self) -> Result<()> {
        read_record::<LineToken>(&mut self.input).map(drop)
    }
}

impl<R: Real> Script<R> {
    /// Returns the script as one value: a dictionary with the version, the identifiers, the constants, the
    /// lines (and columns) as pairs of a token's position and a number, and the tokens as bytes.
    #[must_use]
    pub fn into_value(self) -> Variant<R> {
        let places = |lines: Vec<Line>| -> Variant<R> {
            let pair = |line: Line| -> Variant<R> {
                let numbers = [line.token, line.place];
                Variant::Array(
                    numbers.map(|number| Variant::Int(number.into())).into_iter().collect(),
                )
            };
            Variant::Array(lines.into_iter().map(pair).collect::<Array<R>>())
        };
        let identifiers = self.identifiers.into_iter().map(Variant::String).collect::<Array<R>>();
        let constants = self.constants.into_iter().collect::<Array<R>>();
        let mut pairs = vec![
            ("version", Variant::Int(self.version.into())),
            ("identifiers", Variant::Array(identifiers)),
            ("constants", Variant::Array(constants)),
            ("lines", places(self.lines)),
        ];
        if !self.columns.is_empty() {
            pairs.push(("columns", places(self.columns)));
        }
        pairs.push(("token_count", Variant::Int(self.token_count.into())));
        pairs.push(("tokens", Variant::PackedByteArray(self.tokens)));
        pairs.into_iter().collect()
    }
}
