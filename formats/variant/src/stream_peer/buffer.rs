//! Reads numbers and strings from bytes that arrive piece by piece.

use super::half;
use super::number::numbers;
use crate::codec::{self, Decoder};
use crate::dialect::Dialect;
use crate::frame::{ByteOrder, Front, HEAD, Pending, cut, front};
use crate::{Real, Variant, VariantString};
use formwork::{Error, Result, Rule};
use formwork_records::limits::Limits;

/// Takes bytes as they arrive and returns the values of a StreamPeer: for sockets, and for anything that is not a
/// [`Read`](std::io::Read).
///
/// If the bytes do not suffice, every method takes nothing and returns an error with the least number of missing
/// bytes ([`Error::needed`]); it may be called again when they have arrived. Memory is never reserved for an
/// announced length.
#[derive(Clone, Debug)]
pub struct StreamPeerBuffer {
    dialect: Dialect,
    order: ByteOrder,
    limits: Limits,
    pending: Pending,
}

macro_rules! get {
    ($( $put:ident $get:ident: $number:ident, $name:literal, $doc:literal; )+) => {
        impl StreamPeerBuffer {
            $(
                #[doc = concat!("Gets ", $doc, ".")]
                ///
                /// # Errors
                ///
                /// Returns an error if more bytes are needed.
                pub fn $get(&mut self) -> Result<$number> {
                    let bytes = self.array($name)?;
                    Ok(match self.order {
                        ByteOrder::Little => $number::from_le_bytes(bytes),
                        ByteOrder::Big => $number::from_be_bytes(bytes),
                    })
                }
            )+
        }
    };
}
numbers!(get);

impl StreamPeerBuffer {
    /// An empty buffer, with the default limits. `dialect` is the writer's.
    #[must_use]
    pub fn new(dialect: Dialect, order: ByteOrder) -> Self {
        Self { dialect, order, limits: Limits::default(), pending: Pending::default() }
    }

    /// Chooses the limits: a length that announces more than [`Limits::packet_bytes`] is refused.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds bytes that arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.room().extend_from_slice(bytes);
    }

    /// Returns the vector to which arriving bytes are appended.
    pub(super) fn room(&mut self) -> &mut Vec<u8> {
        self.pending.room()
    }

    /// Bytes that were pushed and not taken yet: the engines' `get_available_bytes`.
    #[must_use]
    pub const fn available_bytes(&self) -> usize {
        self.pending.len()
    }

    /// Returns the offset of the next byte in the whole stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.pending.offset()
    }

    /// Gets a number in half precision, exactly. Godot 4.4 on.
    ///
    /// # Errors
    ///
    /// Returns an error if more bytes are needed.
    pub fn get_half(&mut self) -> Result<f32> {
        let bytes = self.array("half")?;
        Ok(half::from_bits(match self.order {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        }))
    }

    /// Gets `bytes` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if more bytes are needed.
    pub fn get_data(&mut self, bytes: usize) -> Result<Vec<u8>> {
        self.at_least(0, bytes, "data")?;
        Ok(self.pending.take(bytes).to_vec())
    }

    /// Gets the available bytes, at most `bytes`; empty if there are none.
    pub fn get_partial_data(&mut self, bytes: usize) -> Vec<u8> {
        self.pending.take(bytes).to_vec()
    }

    /// Gets a string of one byte a character: `bytes` long, or of the length before it.
    ///
    /// As in Godot 4, bytes above 127 are the characters of Latin-1, and the first zero byte ends the text. (Godot 3
    /// makes characters below zero of them, which do not exist.)
    ///
    /// # Errors
    ///
    /// Returns an error if more bytes are needed, or if the length is negative or exceeds the limits (nothing is
    /// taken then, because the position of the next value is unknown).
    pub fn get_string(&mut self, bytes: Option<usize>) -> Result<VariantString> {
        let (_, text) = self.counted(bytes, "string")?;
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Ok(text.iter().take(end).map(|&byte| char::from(byte)).collect::<String>().into())
    }

    /// Gets a string in UTF-8: `bytes` long, or of the length before it (which Godot 2 does not write). A byte order
    /// mark and zero bytes are treated as in a packet of the dialect's engine.
    ///
    /// # Errors
    ///
    /// As [`StreamPeerBuffer::get_string`]; and if the bytes are not UTF-8 as the dialect's engine decodes it. In
    /// that case the string is taken, and the stream continues after it.
    pub fn get_utf8_string(&mut self, bytes: Option<usize>) -> Result<VariantString> {
        let rules = self.dialect.quirks();
        let (offset, text) = self.counted(bytes, "utf8_string")?;
        let decoded = rules.utf8.decode(text.to_vec(), rules.byte_order_mark).map_err(|at| {
            let (offset, expected) = (offset + at as u64, "UTF-8 as the engine decodes it");
            Error::new(codec::rule::STRING_UTF8, offset, expected, "another byte")
                .within("utf8_string")
        })?;
        Ok(VariantString::from_decoded(decoded.text))
    }

    /// Gets a value: a [frame](crate::frame) of its packet.
    ///
    /// # Errors
    ///
    /// As [`StreamPeerBuffer::get_string`]; and if the packet is no value. In that case the packet is taken, and the
    /// stream continues after it.
    pub fn get_var<R: Real>(&mut self, decoder: &Decoder<R>) -> Result<Variant<R>> {
        let (rest, offset) = (self.pending.rest(), self.offset());
        let front = front(rest, self.order, &self.limits, offset);
        let length = match front.map_err(|error| error.within("var"))? {
            Front::Whole(length) => length,
            Front::Cut { needed, expected } => {
                return Err(cut(offset, rest.len(), needed, expected).within("var"));
            }
        };
        self.pending.take(HEAD);
        let offset = self.offset();
        let value = decoder.decode_packet(self.pending.take(length), offset);
        value.map_err(|error| error.within("var"))
    }

    /// Takes the bytes of a number.
    fn array<const N: usize>(&mut self, name: &'static str) -> Result<[u8; N]> {
        self.at_least(0, N, name)?;
        let mut array = [0; N];
        array.copy_from_slice(self.pending.take(N));
        Ok(array)
    }

    /// Takes the bytes of a string; returns their offset as well.
    fn counted(&mut self, bytes: Option<usize>, name: &'static str) -> Result<(u64, &[u8])> {
        let (head, length) = match bytes {
            Some(length) => (0, length),
            None => (HEAD, self.length(name)?),
        };
        self.at_least(head, length, name)?;
        self.pending.take(head);
        Ok((self.offset(), self.pending.take(length)))
    }

    /// The length before a string.
    fn length(&self, name: &'static str) -> Result<usize> {
        self.at_least(0, HEAD, name)?;
        let head = self.pending.rest().first_chunk().copied().unwrap_or_default();
        let word = self.order.number(head);
        let refuse = |rule, expected: String, found: String| {
            Err(Error::new(rule, self.offset(), expected, found).within("length").within(name))
        };
        let Ok(length) = i32::try_from(word) else {
            let expected = "a length that is not negative".to_owned();
            return refuse(codec::rule::STRING_LENGTH, expected, (word as i32).to_string());
        };
        if length as u64 > self.limits.packet_bytes {
            let expected = format!("at most {} bytes", self.limits.packet_bytes);
            return refuse(Rule::SIZE_LIMIT, expected, length.to_string());
        }
        Ok(length as usize)
    }

    /// Checks that `count` bytes are available after the next `skipped`.
    fn at_least(&self, skipped: usize, count: usize, name: &'static str) -> Result<()> {
        let left = self.available_bytes().saturating_sub(skipped);
        match count.checked_sub(left) {
            None | Some(0) => Ok(()),
            Some(missing) => {
                let offset = self.offset() + skipped as u64;
                let expected = formwork::wire::bytes(count).to_string();
                Err(Error::incomplete(offset, missing as u64, expected, left as u64).within(name))
            }
        }
    }
}
