//! Writes numbers and strings to any writer.

use std::io::{ErrorKind, Write};

use super::half;
use super::number::numbers;
use crate::codec::{self, Encoder, text_bytes};
use crate::dialect::Dialect;
use crate::frame::{ByteOrder, HEAD, fill_head, head};
use crate::{Real, Variant, VariantString};
use formwork::{Error, Result};

/// Puts the values of a StreamPeer. Each value is passed to the writer in one piece.
#[derive(Clone, Debug)]
pub struct StreamPeerWriter<W> {
    writer: W,
    dialect: Dialect,
    order: ByteOrder,
    offset: u64,
}

macro_rules! put {
    ($( $put:ident $get:ident: $number:ident, $name:literal, $doc:literal; )+) => {
        impl<W: Write> StreamPeerWriter<W> {
            $(
                #[doc = concat!("Puts ", $doc, ".")]
                ///
                /// # Errors
                ///
                /// Returns an error if the writer fails.
                pub fn $put(&mut self, number: $number) -> Result<()> {
                    self.write(&match self.order {
                        ByteOrder::Little => number.to_le_bytes(),
                        ByteOrder::Big => number.to_be_bytes(),
                    })
                }
            )+
        }
    };
}
numbers!(put);

impl<W: Write> StreamPeerWriter<W> {
    /// A StreamPeer that puts to `writer`. `dialect` is the reader's.
    #[must_use]
    pub const fn new(writer: W, dialect: Dialect, order: ByteOrder) -> Self {
        Self { writer, dialect, order, offset: 0 }
    }

    /// Returns the number of bytes put so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The writer itself.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.writer
    }

    /// Puts a number in half precision, converted as in the engine: digits that do not fit are cut off, not rounded,
    /// a number below 2^-14 becomes 0, 65536 and more become infinite. Godot 4.4 and later.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails.
    pub fn put_half(&mut self, number: f32) -> Result<()> {
        self.put_u16(half::to_bits(number))
    }

    /// Puts bytes, without their length.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails.
    pub fn put_data(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytes)
    }

    /// Puts as many of these bytes as the writer takes at once, and returns their number.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails.
    pub fn put_partial_data(&mut self, bytes: &[u8]) -> Result<usize> {
        loop {
            match self.writer.write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(self.offset, error)),
                Ok(count) => {
                    self.offset += count as u64;
                    return Ok(count);
                }
            }
        }
    }

    /// Puts a string of ASCII characters after its length.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails, or if the text is not ASCII or has a zero character (which would end
    /// it); nothing is put in the second case. (The engines put a replacement for such a character: Godot 3 the
    /// lowest byte of its number, Godot 4 a blank.)
    pub fn put_string(&mut self, text: &str) -> Result<()> {
        if let Some(odd) = text.chars().find(|letter| !matches!(letter, '\u{1}'..='\u{7f}')) {
            let (expected, found) = ("ASCII without U+0000", format!("U+{:04X}", odd as u32));
            let error = Error::new(codec::rule::DIALECT_VALUE, self.offset, expected, found);
            return Err(error.within("string"));
        }
        self.put_counted(text.as_bytes()).map_err(|error| error.within("string"))
    }

    /// Puts a string in UTF-8, after its length except in Godot 2, which writes none.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails, or the dialect cannot express the string (nothing is put then).
    pub fn put_utf8_string(&mut self, text: &VariantString) -> Result<()> {
        let bytes = text_bytes(self.dialect.quirks(), text, 0)
            .map_err(|error| error.shifted(self.offset).within("utf8_string"))?;
        if !self.dialect.quirks().utf8_string_length {
            return self.write(bytes);
        }
        self.put_counted(bytes).map_err(|error| error.within("utf8_string"))
    }

    /// Puts a value: a [frame](crate::frame) of its packet.
    ///
    /// # Errors
    ///
    /// Returns an error if the writer fails, the encoder's dialect cannot express the value or its packet is too long
    /// for a length word (nothing is put then).
    pub fn put_var<R: Real>(&mut self, value: &Variant<R>, encoder: &Encoder<R>) -> Result<()> {
        let mut frame = vec![0; HEAD];
        encoder
            .encode_into(value, &mut frame)
            .map_err(|error| error.shifted(self.offset + HEAD as u64).within("var"))?;
        fill_head(&mut frame, self.order)
            .map_err(|error| error.shifted(self.offset).within("var"))?;
        self.write(&frame)
    }

    /// Puts bytes after their length.
    fn put_counted(&mut self, bytes: &[u8]) -> Result<()> {
        let head = head(bytes.len(), self.order).map_err(|error| error.shifted(self.offset))?;
        self.write(&[&head[..], bytes].concat())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).map_err(|error| Error::io(self.offset, error))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}
