//! Bytes up to the ones that end them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use binrw::io::{Read, Seek, SeekFrom, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::{cursor, raise, rule};
use crate::error::Error;
use crate::schema::{End, EndKind, Layout, Schema, Shape};

/// The bytes that may follow a value in its region, so that it is read as itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Follow {
    /// Anything: the value says where it ends.
    Anything,
    /// Nothing: the end of the region ends it.
    Nothing,
    /// These bytes, or nothing.
    Mark(&'static [u8]),
}

/// The bytes that end a text.
///
/// ```
/// use formwork::wire::{Ending, Terminated};
///
/// /// The end of a line.
/// enum Line {}
///
/// impl Ending for Line {
///     const END: &'static [u8] = b"\r\n";
/// }
///
/// assert_eq!(*Terminated::<Line>::from("a"), b"a");
/// ```
pub trait Ending: 'static {
    /// The bytes.
    const END: &'static [u8];
    /// They begin at a multiple of this many bytes after the start of the text.
    const WIDTH: usize = 1;
}

/// A zero ends a text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Zero;

/// This byte ends a text: `Terminated<Byte<b'\n'>>`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Byte<const END: u8>;

/// Two zero bytes end a text whose letters have two bytes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WideZero;

impl Ending for Zero {
    const END: &'static [u8] = &[0];
}

impl<const END: u8> Ending for Byte<END> {
    const END: &'static [u8] = &[END];
}

impl Ending for WideZero {
    const END: &'static [u8] = &[0, 0];
    const WIDTH: usize = 2;
}

macro_rules! texts {
    ($( $(#[$doc:meta])* $name:ident $kind:ident )+) => { $(
        $(#[$doc])*
        pub struct $name<E = Zero> {
            text: Vec<u8>,
            is_open: bool,
            end: PhantomData<E>,
        }

        impl<E: Ending> $name<E> {
            pub(super) const END: End =
                End { bytes: E::END, width: E::WIDTH as u8, kind: EndKind::$kind };

            /// Takes a text off the bytes of a region; nothing where its end is missing.
            pub(super) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
                let (text, whole) = Self::END.find(bytes)?;
                let (taken, rest) = bytes.split_at_checked(whole)?;
                let is_open = text == whole && EndKind::$kind == EndKind::TakenOrEnd;
                Some((Self { is_open, ..taken.get(..text)?.to_vec().into() }, rest))
            }

            /// Returns the place in the text where it would end.
            pub(crate) fn inside(&self) -> Option<usize> {
                Self::END.inside(&self.text).or_else(|| match self.is_open {
                    true => None,
                    false => Self::END.begun(&self.text),
                })
            }

            /// Returns what may follow.
            pub(crate) fn follow(&self) -> Follow {
                match EndKind::$kind {
                    EndKind::Left => Follow::Mark(E::END),
                    _ if self.is_open => Follow::Nothing,
                    _ => Follow::Anything,
                }
            }
        }

        impl<E: Ending> Schema for $name<E> {
            const LAYOUT: Layout = {
                assert!(!E::END.is_empty() && E::WIDTH > 0, "a text ends with something");
                Layout::Terminated(Self::END)
            };
            const SIZE: Option<usize> = None;
            const SHAPE: Shape = Shape::Terminated(E::WIDTH);
        }

        impl<E: Ending> BinRead for $name<E> {
            type Args<'a> = ();

            fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
                let (at, end) = cursor::span(reader)?;
                let mut bytes = Vec::new();
                while at + (bytes.len() as u64) < end {
                    let mut byte = [0];
                    reader.read_exact(&mut byte)?;
                    bytes.push(byte[0]);
                    // The end is looked for when a unit is whole.
                    let start = bytes.len().saturating_sub(E::END.len());
                    if bytes.ends_with(E::END) && start.is_multiple_of(E::WIDTH) {
                        break;
                    }
                }
                match Self::split(&bytes) {
                    Some((text, rest)) => {
                        reader.seek(SeekFrom::Current(-(rest.len() as i64)))?;
                        Ok(text)
                    }
                    None => Err(raise(no_end(end, &Self::END))),
                }
            }
        }

        impl<E: Ending> BinWrite for $name<E> {
            type Args<'a> = ();

            fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
                if self.inside().is_some() {
                    return Err(raise(end_inside(writer.stream_position()?)));
                }
                writer.write_all(&self.text)?;
                let is_written = EndKind::$kind != EndKind::Left && !self.is_open;
                Ok(writer.write_all(if is_written { E::END } else { &[] })?)
            }
        }

        impl<E> Deref for $name<E> {
            type Target = Vec<u8>;

            fn deref(&self) -> &Vec<u8> {
                &self.text
            }
        }

        impl<E> DerefMut for $name<E> {
            fn deref_mut(&mut self) -> &mut Vec<u8> {
                &mut self.text
            }
        }

        impl<E> From<Vec<u8>> for $name<E> {
            fn from(text: Vec<u8>) -> Self {
                Self { text, is_open: false, end: PhantomData }
            }
        }

        impl<E> From<&str> for $name<E> {
            fn from(text: &str) -> Self {
                Vec::from(text).into()
            }
        }

        impl<E> PartialEq<[u8]> for $name<E> {
            fn eq(&self, other: &[u8]) -> bool {
                self.text == other
            }
        }

        impl<E, const N: usize> PartialEq<[u8; N]> for $name<E> {
            fn eq(&self, other: &[u8; N]) -> bool {
                self.text == other
            }
        }

        impl<E, const N: usize> PartialEq<&[u8; N]> for $name<E> {
            fn eq(&self, other: &&[u8; N]) -> bool {
                self.text == *other
            }
        }

        impl<E> Clone for $name<E> {
            fn clone(&self) -> Self {
                Self { is_open: self.is_open, ..self.text.clone().into() }
            }
        }

        impl<E> Default for $name<E> {
            fn default() -> Self {
                Vec::new().into()
            }
        }

        impl<E> fmt::Debug for $name<E> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.text).finish()
            }
        }

        impl<E> PartialEq for $name<E> {
            fn eq(&self, other: &Self) -> bool {
                (&self.text, self.is_open) == (&other.text, other.is_open)
            }
        }

        impl<E> Eq for $name<E> {}

        impl<E> ReadEndian for $name<E> {
            const ENDIAN: EndianKind = EndianKind::None;
        }

        impl<E> WriteEndian for $name<E> {
            const ENDIAN: EndianKind = EndianKind::None;
        }
    )+ };
}

texts! {
    /// Bytes that a zero ends, or [another ending](Ending); it is not among them: `Terminated`, `Terminated<Byte<b'\n'>>`.
    Terminated Taken
    /// Bytes that an ending ends, or the end of the region around: `TerminatedOrEnd<Byte<b'|'>>`.
    TerminatedOrEnd TakenOrEnd
    /// Bytes before an ending, which stays for the next field, or up to the end of the region around:
    /// `UpTo<Byte<b'|'>>`.
    UpTo Left
}

impl<E> TerminatedOrEnd<E> {
    /// Returns whether the end of the region ends the text.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns a text that the end of the region ends.
    #[must_use]
    pub fn open(text: impl Into<Vec<u8>>) -> Self {
        Self { is_open: true, ..text.into().into() }
    }
}

impl End {
    /// Returns the length of the text at the start of a region, and with what ends it; nothing where that is missing.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<(usize, usize)> {
        match (self.inside(bytes), self.kind) {
            (Some(at), EndKind::Left) => Some((at, at)),
            (Some(at), _) => Some((at, at + self.bytes.len())),
            (None, EndKind::Taken) => None,
            (None, _) => Some((bytes.len(), bytes.len())),
        }
    }

    /// Returns where the end first is.
    pub(crate) fn inside(&self, bytes: &[u8]) -> Option<usize> {
        let width = usize::from(self.width).max(1);
        let mut windows = bytes.windows(self.bytes.len().max(1)).step_by(width);
        windows.position(|it| it == self.bytes).map(|at| at * width)
    }

    /// Returns where the end would first be if it followed: `a|` and the end `||` are read as `a`.
    fn begun(&self, text: &[u8]) -> Option<usize> {
        let more = self.bytes.len().saturating_sub(1).min(text.len());
        (1..=more).rev().map(|length| text.len() - length).find(|at| {
            let (there, rest) = self.bytes.split_at(text.len() - at);
            at.is_multiple_of(self.width.max(1).into())
                && text[*at..] == *there
                && self.bytes.starts_with(rest)
        })
    }

    /// Returns the text without what ends it, and whether that is there.
    pub(crate) fn text<'b>(&self, bytes: &'b [u8]) -> (&'b [u8], bool) {
        match bytes.strip_suffix(self.bytes) {
            Some(text)
                if self.kind != EndKind::Left
                    && text.len().is_multiple_of(self.width.max(1).into()) =>
            {
                (text, true)
            }
            _ => (bytes, false),
        }
    }
}

/// Returns the error of a text without its end.
#[cold]
pub(crate) fn no_end(at: u64, end: &End) -> Error {
    Error::incomplete(at, 1, format!("{end} at the end of the text"), 0)
}

/// Returns the error of an end in a text that it ends.
#[cold]
pub(crate) fn end_inside(at: u64) -> Error {
    Error::new(rule::RECORD_AGREEMENT, at, "no end in a text that it ends", "one")
}
