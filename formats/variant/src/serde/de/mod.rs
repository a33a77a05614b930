//! Reads structs and enums from packets and values.

mod item;
mod source;
mod tree;

use std::iter::FusedIterator;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, DeserializeOwned};

use self::item::{element, in_path};
use self::source::{Packet, Source};
use self::tree::Tree;
use crate::codec::{Decoder, Strictness, no_more};
use crate::dialect::{Dialect, Precision};
use crate::frame::{ByteOrder, Frame, FrameReader, Frames};
use crate::place::Place;
use crate::{Real, Variant};
use formwork::serde::rule;
use formwork::{Error, Result, Rule};

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
    let made = in_path(&mut Tree::lent(value), PhantomData);
    made.map_err(|error| placed(error, value, Dialect::GODOT4))
}

/// Returns an error with the names of the keys on its path, if there are any.
#[cold]
fn placed<R: Real>(error: Error, value: &Variant<R>, dialect: Dialect) -> Error {
    let name = Place::of_path(error.path(), value).name(value, dialect);
    let is_position = |step: &str| step.bytes().all(|byte| byte.is_ascii_digit());
    if name.split('/').all(is_position) { error } else { error.at_place(name) }
}

/// Returns whether an error says that a value is none of the type. Errors of the codec come first.
fn is_of_type(error: &Error) -> bool {
    rule::ALL.contains(&error.rule()) || error.rule() == Rule::DEPTH_LIMIT
}

impl<P: Real> Decoder<P> {
    /// Deserializes the packet that `bytes` is, completely; see [the module](crate::serde).
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode`], and if the value is not a valid `T`. Errors in the bytes are reported before a
    /// mismatch with the type.
    pub fn deserialize<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        match self.deserialize_prefix(bytes) {
            Ok((made, length)) => no_more(bytes, length).map(|()| made),
            Err(error) if is_of_type(&error) => {
                let whole = self.length(bytes).and_then(|length| no_more(bytes, length));
                Err(whole.err().unwrap_or(error))
            }
            Err(error) => Err(error),
        }
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
        if self.strictness == Strictness::Canonical {
            self.length(bytes)?;
        }
        let mut packet = Packet::new(self, bytes);
        let made = element(&mut packet, PhantomData);
        // A type may go on after an error of the codec.
        match (packet.failed(), made) {
            (Some(error), _) => Err(error),
            (None, Ok(Some(made))) => packet.end().map(|length| (made, length)),
            (None, Ok(None)) => Err(::serde::de::Error::invalid_length(0, &"a value")),
            (None, Err(error)) => {
                let error = error.under(Source::path(&packet));
                if !is_of_type(&error) {
                    return Err(error);
                }
                let of_codec = self.length(bytes).err();
                Err(of_codec.unwrap_or_else(|| match self.decode_prefix(bytes) {
                    Ok((value, _)) => placed(error, &value, self.dialect()),
                    Err(_) => error,
                }))
            }
        }
    }

    /// Checks the packet that `bytes` starts with, as the codec does, and returns its length.
    fn length(&self, bytes: &[u8]) -> Result<usize> {
        match self.dialect().precision() {
            Precision::Single => self.in_precision::<f32>().walk(bytes).finish(),
            Precision::Double => self.double().walk(bytes).finish(),
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

impl<R: std::io::Read> FrameReader<R> {
    /// Returns a value of your own from the next frame, read as [`Decoder::deserialize_frame`] reads it; [`None`] if the
    /// reader ends before a frame. `&str` and `&[u8]` in it borrow from the frame.
    ///
    /// # Errors
    ///
    /// As [`FrameReader::next_frame`], and if the packet is no valid `T`. In that case the next call continues with the
    /// next frame.
    pub fn deserialize<'f, T: Deserialize<'f>, P: Real>(
        &'f mut self,
        decoder: &Decoder<P>,
    ) -> Result<Option<T>> {
        self.next_frame()?.map(|frame| decoder.deserialize_frame(&frame)).transpose()
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
