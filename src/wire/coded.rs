//! Contents that are combined with a key, turned, or packed.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use binrw::io::{Cursor as Buffer, Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};

use super::{Block, Cursor, cursor, not_filled, raise, rule};
use crate::error::Error;
use crate::schema::{Coding, Layout, Schema, Shape};

/// How a content is coded: one of this module, or your own.
///
/// ```
/// use formwork::wire::Code;
///
/// /// The bytes in reverse.
/// enum Reversed {}
///
/// impl Code for Reversed {
///     const NAME: &'static str = "reversed";
///
///     fn decode(bytes: &[u8], _key: &[u8]) -> Option<Vec<u8>> {
///         Some(bytes.iter().rev().copied().collect())
///     }
///
///     fn encode(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
///         Self::decode(bytes, key)
///     }
/// }
/// ```
pub trait Code: 'static {
    /// The name of the code, in words.
    const NAME: &'static str;
    /// Whether the content has as many bytes as are in the file. The dump, the check, JSON and paths go into it then.
    const IS_IN_PLACE: bool = true;

    /// Returns the content; nothing where the bytes are none.
    fn decode(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>>;

    /// Returns the bytes of a content; nothing where it has none.
    fn encode(content: &[u8], key: &[u8]) -> Option<Vec<u8>>;

    /// Returns the `process` of Kaitai Struct that decodes bytes, for `record::ksy`: `xor(key)`.
    /// `key` is an expression of it. [`None`] where Kaitai has none.
    #[must_use]
    fn kaitai(key: &str) -> Option<String> {
        let _ = key;
        None
    }
}

/// Each byte is combined with this one by XOR.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Xor<const BYTE: u8>;

/// The bytes are combined with those of the argument `key` by XOR, over and over.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct XorKey;

/// The bits of each byte are turned to the left by `LEFT` places: `Rotate<3>` is read by turning them back.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Rotate<const LEFT: u32>;

/// The same by as many places as the argument `key` says.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RotateKey;

impl<const BYTE: u8> Xor<BYTE> {
    const TEXT: [u8; 13] = {
        let digits = b"0123456789abcdef";
        let mut text = *b"XOR with 0x..";
        text[11] = digits[(BYTE >> 4) as usize];
        text[12] = digits[(BYTE & 15) as usize];
        text
    };
}

impl<const BYTE: u8> Code for Xor<BYTE> {
    const NAME: &'static str = match str::from_utf8(&Self::TEXT) {
        Ok(text) => text,
        Err(_) => "XOR",
    };

    fn decode(bytes: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.iter().map(|byte| byte ^ BYTE).collect())
    }

    fn encode(content: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        Self::decode(content, key)
    }

    fn kaitai(_: &str) -> Option<String> {
        Some(format!("xor({BYTE})"))
    }
}

impl Code for XorKey {
    const NAME: &'static str = "XOR with a key";

    fn decode(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        let key = if key.is_empty() { &[0] } else { key };
        Some(bytes.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key).collect())
    }

    fn encode(content: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        Self::decode(content, key)
    }

    fn kaitai(key: &str) -> Option<String> {
        Some(format!("xor({key})"))
    }
}

impl<const LEFT: u32> Code for Rotate<LEFT> {
    // Eight places are none.
    const NAME: &'static str = match LEFT % 8 {
        0 => "bits turned left by 0",
        1 => "bits turned left by 1",
        2 => "bits turned left by 2",
        3 => "bits turned left by 3",
        4 => "bits turned left by 4",
        5 => "bits turned left by 5",
        6 => "bits turned left by 6",
        _ => "bits turned left by 7",
    };

    fn decode(bytes: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.iter().map(|byte| byte.rotate_right(LEFT)).collect())
    }

    fn encode(content: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        Some(content.iter().map(|byte| byte.rotate_left(LEFT)).collect())
    }

    fn kaitai(_: &str) -> Option<String> {
        Some(format!("ror({})", LEFT % 8))
    }
}

impl Code for RotateKey {
    const NAME: &'static str = "bits turned left by a key";

    fn decode(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        let left = key.last().copied().unwrap_or(0).into();
        Some(bytes.iter().map(|byte| byte.rotate_right(left)).collect())
    }

    fn encode(content: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        let left = key.last().copied().unwrap_or(0).into();
        Some(content.iter().map(|byte| byte.rotate_left(left)).collect())
    }

    fn kaitai(key: &str) -> Option<String> {
        Some(format!("ror({key} & 7)"))
    }
}

/// The key of a [`Code`]: a byte or several.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Key(pub Vec<u8>);

impl From<u8> for Key {
    fn from(byte: u8) -> Self {
        Self(vec![byte])
    }
}

impl<const N: usize> From<[u8; N]> for Key {
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<Block<u8>> for Key {
    fn from(bytes: Block<u8>) -> Self {
        Self(bytes.0)
    }
}

/// The arguments of [`Coded`].
#[derive(Clone, Debug, Default)]
pub struct CodedArguments<I> {
    /// The key.
    pub key: Key,
    /// Handed to the content.
    pub inner: I,
}

/// Makes [`CodedArguments`] for `args { .. }`.
#[derive(Debug)]
pub struct CodedBuilder<I, Inner>(Key, Inner, PhantomData<I>);

impl<I> NamedArgs for CodedArguments<I> {
    type Builder = CodedBuilder<I, ()>;

    fn builder() -> Self::Builder {
        CodedBuilder(Key::default(), (), PhantomData)
    }
}

impl<I, Inner> CodedBuilder<I, Inner> {
    /// Sets the key.
    #[must_use]
    pub fn key(self, key: impl Into<Key>) -> Self {
        Self(key.into(), self.1, PhantomData)
    }
}

impl<I> CodedBuilder<I, ()> {
    /// Sets what is handed to the content.
    #[must_use]
    pub fn inner(self, inner: I) -> CodedBuilder<I, (I,)> {
        CodedBuilder(self.0, (inner,), PhantomData)
    }
}

impl<I: Default> CodedBuilder<I, ()> {
    /// Returns the arguments.
    #[must_use]
    pub fn finalize(self) -> CodedArguments<I> {
        CodedArguments { key: self.0, inner: I::default() }
    }
}

impl<I> CodedBuilder<I, (I,)> {
    /// Returns the arguments.
    #[must_use]
    pub fn finalize(self) -> CodedArguments<I> {
        CodedArguments { key: self.0, inner: self.1.0 }
    }
}

/// `T` in the decoded bytes up to the end of the region around: `Within<Coded<Xor<0x9e>, List>>`. A key that is in the file
/// is the argument `key`.
///
/// While the content stays as it was read, the bytes do: packing it again may give others.
pub struct Coded<C, T> {
    content: T,
    key: Key,
    /// The content and the bytes that were read.
    read: Option<(Vec<u8>, Vec<u8>)>,
    code: PhantomData<C>,
}

impl<C: Code, T> Coded<C, T> {
    const CODING: Coding = Coding {
        name: C::NAME,
        is_in_place: C::IS_IN_PLACE,
        decode: C::decode,
        encode: C::encode,
        kaitai: C::kaitai,
    };

    /// Returns the key.
    #[must_use]
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// Sets the key.
    pub(crate) fn set_key(&mut self, key: Key) {
        self.key = key;
    }

    /// Returns the content of bytes.
    pub(super) fn opened(bytes: &[u8], key: &Key) -> Option<Vec<u8>> {
        let content = C::decode(bytes, &key.0)?;
        let is_right = !C::IS_IN_PLACE || content.len() == bytes.len();
        is_right.then_some(content)
    }

    /// Returns a value that was read.
    pub(super) fn of(content: T, key: Key, (plain, bytes): (Vec<u8>, &[u8])) -> Self {
        let read = (!C::IS_IN_PLACE).then(|| (plain, bytes.to_vec()));
        Self { content, key, read, code: PhantomData }
    }
}

/// Returns the error of bytes that are no content of a code, or of a content that has none.
#[cold]
pub(crate) fn not_coded(at: u64, name: &str) -> Error {
    Error::new(rule::RECORD_CODE, at, format!("bytes of the code {name}"), "others")
}

impl<C, T> Deref for Coded<C, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.content
    }
}

impl<C, T> DerefMut for Coded<C, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.content
    }
}

impl<C, T> From<T> for Coded<C, T> {
    fn from(content: T) -> Self {
        Self { content, key: Key::default(), read: None, code: PhantomData }
    }
}

impl<C, T: Clone> Clone for Coded<C, T> {
    fn clone(&self) -> Self {
        let (key, read) = (self.key.clone(), self.read.clone());
        Self { content: self.content.clone(), key, read, code: PhantomData }
    }
}

impl<C, T: Default> Default for Coded<C, T> {
    fn default() -> Self {
        T::default().into()
    }
}

impl<C, T: fmt::Debug> fmt::Debug for Coded<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Coded").field(&self.content).finish()
    }
}

impl<C, T: PartialEq> PartialEq for Coded<C, T> {
    fn eq(&self, other: &Self) -> bool {
        (&self.content, &self.key) == (&other.content, &other.key)
    }
}

impl<C, T: Eq> Eq for Coded<C, T> {}

impl<C: Code, T: Schema> Schema for Coded<C, T> {
    const LAYOUT: Layout = Layout::Coded(&Self::CODING, T::layout);
    const SIZE: Option<usize> = None;
    const IS_DEEP: bool = T::IS_DEEP;
    const SHAPE: Shape = if C::IS_IN_PLACE { T::SHAPE } else { Shape::Other };
    const PARAMETERS: usize = T::PARAMETERS;
    const NEEDS_ORDER: bool = T::NEEDS_ORDER;
    const IS_UNORDERED: bool = T::IS_UNORDERED;
}

impl<C: Code, T: BinRead> BinRead for Coded<C, T> {
    type Args<'a> = CodedArguments<T::Args<'a>>;

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        CodedArguments { key, inner }: Self::Args<'_>,
    ) -> BinResult<Self> {
        let (at, end) = cursor::span(reader)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        let Some(plain) = Self::opened(&bytes, &key) else {
            return Err(raise(not_coded(at, C::NAME)));
        };
        let mut region = Cursor::region(&plain, at);
        let content = T::read_options(&mut region, endian, inner)?;
        match region.rest().len() as u64 {
            0 => Ok(Self::of(content, key, (plain, &bytes))),
            left => Err(raise(not_filled(end.saturating_sub(left), left))),
        }
    }
}

impl<C: Code, T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for Coded<C, T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(
        &self,
        writer: &mut W,
        endian: Endian,
        (): (),
    ) -> BinResult<()> {
        let mut content = Buffer::new(Vec::new());
        self.content.write_options(&mut content, endian, ())?;
        let content = content.into_inner();
        if let Some((plain, bytes)) = &self.read
            && *plain == content
        {
            return Ok(writer.write_all(bytes)?);
        }
        match C::encode(&content, &self.key.0) {
            Some(bytes) => Ok(writer.write_all(&bytes)?),
            None => Err(raise(not_coded(writer.stream_position()?, C::NAME))),
        }
    }
}

impl<C, T> ReadEndian for Coded<C, T> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}

impl<C, T> WriteEndian for Coded<C, T> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}
