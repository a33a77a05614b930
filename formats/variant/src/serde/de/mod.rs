//! Reads structs and enums from packets and values.

mod access;
mod item;
mod next;
mod ready;
mod show;
mod source;
mod stream;
mod tree;
mod value;

use std::iter::FusedIterator;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, DeserializeOwned, DeserializeSeed};

use self::next::element;
use self::source::Source;
use self::stream::Stream;
use self::tree::{Passing, Tree};
use crate::codec::{Decoder, Strictness, rule};
use crate::dialect::{Dialect, Precision};
use crate::frame::{ByteOrder, Frame, Frames};
use crate::{Real, Variant};
use formwork::{Error, Result};

/// Makes a `T` of the packet that `bytes` is.
///
/// At the engine's strictness and with the default limits; [`Decoder::deserialize`] has the choice.
///
/// ```
/// use formwork_variant::Dialect;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, Debug, PartialEq)]
/// struct Save<'a> {
///     name: &'a str,
///     hp: f32,
/// }
///
/// # let bytes = formwork_variant::to_vec(
/// #     &formwork_variant::variant!({ "name": "Ada", "hp": 7 }),
/// #     Dialect::GODOT3,
/// # )?;
/// let save: Save = formwork_variant::serde::from_slice(&bytes, Dialect::GODOT3)?;
/// assert_eq!(save, Save { name: "Ada", hp: 7.0 });
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the bytes are not one value of the dialect, or if the value is not one of a `T`.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8], dialect: Dialect) -> Result<T> {
    Decoder::new(dialect).deserialize(bytes)
}

/// Makes a `T` of a value.
///
/// # Errors
///
/// Returns an error if the value is not one of a `T`. The offset of the error is 0: a value has no bytes.
pub fn from_variant<'de, T: Deserialize<'de>, R: Real>(value: &'de Variant<R>) -> Result<T> {
    let mut tree = Tree::new(value, 0);
    in_memory(&mut tree, PhantomData).map_err(|error| {
        let path = Source::path(&tree);
        error.under(path)
    })
}

/// Reads the parts of a value of a rare type; the result borrows nothing from it.
fn payload<'de, T: DeserializeSeed<'de>>(
    payload: &Variant<f32>,
    offset: u64,
    seed: T,
) -> Result<T::Value> {
    in_memory(&mut Passing(Tree::new(payload, offset)), seed)
}

/// Deserializes a value in memory. (One reader serves the trees of both precisions: only the reader of packets must
/// be fast.)
fn in_memory<'de, T: DeserializeSeed<'de>>(
    source: &mut dyn Source<'de>,
    seed: T,
) -> Result<T::Value> {
    element(source, seed)
}

/// The result of streaming the start of some bytes.
enum Streamed<T> {
    /// A value, and its size in bytes.
    Made(T, usize),
    /// No value; reading through a `Variant` may give another result.
    Detour,
    Failed(Error),
}

fn stream<'de, T: Deserialize<'de>, P: Real>(
    decoder: &Decoder<P>,
    bytes: &'de [u8],
) -> Streamed<T> {
    let mut stream = Stream::new(decoder, bytes);
    let made = element(&mut stream, PhantomData);
    match made {
        _ if stream.takes_detour() => Streamed::Detour,
        Ok(value) => match stream.end() {
            Ok(length) => Streamed::Made(value, length),
            Err(error) => Streamed::Failed(error),
        },
        Err(error) => {
            let path = Source::path(&stream);
            Streamed::Failed(error.under(path))
        }
    }
}

/// Makes a `T` of a whole value that was read for it.
fn by_way_of<'de, T: Deserialize<'de>, R: Real>(
    value: &Variant<R>,
    is_canonical: bool,
) -> Result<T> {
    let mut tree = Passing(Tree::new(value, 0).canonical(is_canonical));
    in_memory(&mut tree, PhantomData).map_err(|error| {
        let path = Source::path(&tree);
        error.under(path)
    })
}

impl<P: Real> Decoder<P> {
    /// Deserializes the packet that `bytes` is, completely; see [the module](crate::serde).
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode`], and if the value is not a valid `T`. Errors in the bytes are reported before a
    /// mismatch with the type.
    pub fn deserialize<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        let streamed = match stream(self, bytes) {
            Streamed::Made(value, length) if length == bytes.len() => return Ok(value),
            Streamed::Failed(error) if error.rule() == rule::FLOAT_NAN => return Err(error),
            streamed => streamed,
        };
        // From here on the input is unusual or wrong; the errors of the codec come first.
        match self.dialect().precision() {
            Precision::Single => {
                let value = self.in_precision::<f32>().decode(bytes)?;
                self.after_all(bytes, streamed, &value)
            }
            Precision::Double => {
                let value = self.double().decode(bytes)?;
                self.after_all(bytes, streamed, &value)
            }
        }
    }

    /// Makes a `T` of the value that the codec read from bytes for which the stream gave no result.
    ///
    /// A value that the stream refused may be missing from the decoded value: a pair whose key is repeated later. In
    /// the canonical form such pairs do not exist, and the error of the stream, which has the offset, is returned.
    fn after_all<'de, T: Deserialize<'de>, R: Real>(
        &self,
        bytes: &'de [u8],
        streamed: Streamed<T>,
        value: &Variant<R>,
    ) -> Result<T> {
        let is_canonical = self.strictness == Strictness::Canonical;
        let Streamed::Failed(error) = streamed else {
            return by_way_of(value, is_canonical).map_err(|error| {
                // The codec also refuses a number that changes in 64 bits, and its error has the offset.
                let of_codec = match error.rule() {
                    rule::FLOAT_NAN => self.double().decode_prefix(bytes).err(),
                    _ => None,
                };
                of_codec.unwrap_or(error)
            });
        };
        if self.in_precision::<R>().strictness(Strictness::Canonical).decode_prefix(bytes).is_ok() {
            return Err(error);
        }
        by_way_of(value, is_canonical).map_err(|of_value| {
            let same = of_value.rule() == error.rule() && of_value.path() == error.path();
            if same { error } else { of_value }
        })
    }

    /// Reads everything that `reader` has, as one packet, and deserializes it.
    ///
    /// # Errors
    ///
    /// As [`Decoder::read`], and if the value is not a valid `T`.
    pub fn deserialize_reader<T: DeserializeOwned>(&self, reader: impl std::io::Read) -> Result<T> {
        self.deserialize(&crate::codec::read_all(reader, self)?)
    }

    /// Deserializes the packet that `bytes` starts with, and returns its size in bytes as well.
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode_prefix`], and if the value is not a valid `T`.
    pub fn deserialize_prefix<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, usize)> {
        let streamed = match stream(self, bytes) {
            Streamed::Made(value, length) => return Ok((value, length)),
            // The codec has the same error; with 32 bits it would first read the bytes after it.
            Streamed::Failed(error) if error.rule() == rule::FLOAT_NAN => return Err(error),
            streamed => streamed,
        };
        match self.dialect().precision() {
            Precision::Single => {
                let (value, length) = self.in_precision::<f32>().decode_prefix(bytes)?;
                self.after_all(bytes, streamed, &value).map(|made| (made, length))
            }
            Precision::Double => {
                let (value, length) = self.double().decode_prefix(bytes)?;
                self.after_all(bytes, streamed, &value).map(|made| (made, length))
            }
        }
    }

    /// Returns an iterator of a `T` for each of the consecutive values in `bytes`. It ends after the first error.
    #[must_use]
    pub fn deserialize_values<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Deserialized<'de, T> {
        Deserialized { decoder: self.in_precision(), bytes, position: 0, made: PhantomData }
    }

    /// Deserializes a frame's packet, as [`Decoder::decode_frame`] reads it.
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode_frame`], and if the value is not a valid `T`.
    pub fn deserialize_frame<'de, T: Deserialize<'de>>(&self, frame: &Frame<'de>) -> Result<T> {
        self.in_packet(frame.packet, frame.offset, self.deserialize_prefix(frame.packet))
            .map_err(|error| error.under(crate::frame::path(frame.index)))
    }

    /// Returns an iterator of a `T` for each of the frames in `bytes`. It continues after a packet that is no `T`,
    /// and ends after a faulty frame.
    pub fn deserialize_frames<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
        order: ByteOrder,
    ) -> impl Iterator<Item = Result<T>> + use<'de, P, T> {
        let decoder = *self;
        Frames::new(bytes, order)
            .limits(*self.size_limits())
            .map(move |frame| decoder.deserialize_frame(&frame?))
    }
}

/// An iterator over deserialized consecutive values; see [`Decoder::deserialize_values`].
#[derive(Clone, Debug)]
pub struct Deserialized<'de, T> {
    decoder: Decoder,
    bytes: &'de [u8],
    position: usize,
    made: PhantomData<fn() -> T>,
}

impl<T> Deserialized<'_, T> {
    /// Returns the offset of the next value.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.position
    }
}

impl<'de, T: Deserialize<'de>> Iterator for Deserialized<'de, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.position..).filter(|rest| !rest.is_empty())?;
        Some(match self.decoder.deserialize_prefix(rest) {
            Ok((value, length)) => {
                self.position += length;
                Ok(value)
            }
            Err(error) => {
                let base = self.position as u64;
                self.position = self.bytes.len();
                Err(error.shifted(base))
            }
        })
    }
}

impl<'de, T: Deserialize<'de>> FusedIterator for Deserialized<'de, T> {}

/// Reads everything that `reader` has, as one packet, and deserializes it.
///
/// # Errors
///
/// As [`from_reader`](crate::from_reader), and if the value is not a valid `T`.
pub fn from_reader<T: DeserializeOwned>(reader: impl std::io::Read, dialect: Dialect) -> Result<T> {
    Decoder::new(dialect).deserialize_reader(reader)
}
