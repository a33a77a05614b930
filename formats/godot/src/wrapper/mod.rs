//! Compressed (`GCPF`) and encrypted (`GDEC`) files of the engines, which wrap any content: frames of `store_var`, the
//! text of a `ConfigFile`.
//!
//! ```
//! use formwork_variant::Limits;
//! use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, close, open};
//!
//! // What Godot 3 writes with `open_encrypted_with_pass` and `store_var`.
//! let key = Key::from_password("correct horse");
//! let content = [4, 0, 0, 0, 0, 0, 0, 0];
//! let layers = [Layer::Encrypted(Cipher::Ecb)];
//! let file = close(&content, &layers, Some(&key))?;
//!
//! let opened = open(&file, Some(&key), &Limits::default())?;
//! assert_eq!(opened.layers, layers);
//! assert_eq!(*opened.content, content);
//!
//! // With another password there is an error, never garbage.
//! let wrong = open(&file, Some(&Key::from_password("battery staple")), &Limits::default());
//! assert_eq!(wrong.unwrap_err().rule().name(), "gdec.key");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # Differences from the engines' bytes
//!
//! An encrypted file is byte for byte what the engine writes, given its initialization vector ([`close_with_vector`]).
//! A compressed file is the same except inside its blocks. The blocks have 4096 bytes each, are padded as by the engine
//! and packed at its levels, but by other libraries, so they differ. `formats/containers/README.md` has the figures:
//! FastLZ, Deflate and gzip come out as long as the engine's within one in a hundred, Zstandard a fifth longer.
//!
//! # Safety
//!
//! An encrypted file is not authentic: anyone with the key can write another. Its MD5 sum is that of the content, and
//! can be seen from outside, as can the length of the content.

mod block;
mod compressed;
mod compression;
mod encrypted;
mod game_header;
mod header;
mod key;
mod layer;
pub mod rule;
mod salvage;
mod stream;
mod unwrapped;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use block::unpack as unpack_block;
pub use compressed::{CompressedFile, CompressedHead, compress, decompress};
pub(crate) use compressed::{compress_by, decompress_by};
pub use compression::Compression;
pub use encrypted::{CfbHead, EcbHead, decrypt, encrypt, encrypt_with_vector};
pub use game_header::Followed;
pub use header::WrapperHeader;
pub use key::Key;
pub use layer::{Cipher, Layer, UnknownLayer};
pub use salvage::{Salvaged, salvage_outermost};
pub use stream::{Effort, Stream};
pub use unwrapped::{ClosedFile, Unwrapped, Wrapping};

use crate::magic;
use encrypted::decrypt_by;
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::limits::Limits;

/// The greatest number of layers around a content. Scripts of an engine can make one (its files are either compressed
/// or encrypted); more can only be made by hand.
pub const MAX_LAYERS: usize = 4;

/// A content, and the layers that wrapped it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Opened<'a> {
    /// The layers, the outermost first; empty if the bytes were not a container.
    pub layers: Vec<Layer>,
    /// The content; the bytes themselves if they were not a container.
    pub content: Cow<'a, [u8]>,
}

/// Opens a file: removes every layer that its first bytes name. Bytes that are not a container are returned as the
/// content.
///
/// # Errors
///
/// Returns an error if a layer is damaged or cut, if it is encrypted and there is no key or a wrong one, or if it goes
/// beyond `limits` ([`Limits::unpacked_bytes`]) or [`MAX_LAYERS`]. Offsets count in the bytes of the layer that the
/// path names: `compressed.content.encrypted.digest` is in the content of the outer, compressed layer.
///
/// ```
/// use formwork_variant::Limits;
/// use formwork_godot::wrapper::open;
///
/// let opened = open(b"[section]", None, &Limits::default())?;
/// assert!(opened.layers.is_empty());
/// assert_eq!(*opened.content, *b"[section]");
/// # Ok::<(), formwork::Error>(())
/// ```
pub fn open<'a>(bytes: &'a [u8], key: Option<&Key>, limits: &Limits) -> Result<Opened<'a>> {
    // (The outermost layer is taken from the bytes themselves, of which there is no copy.)
    let Some((layer, content)) = open_outermost(bytes, key, limits)? else {
        return Ok(Opened { layers: Vec::new(), content: Cow::Borrowed(bytes) });
    };
    let mut file = Unwrapped::new(Vec::new());
    file.replace(layer, content);
    file.take_out_all(key, limits)?;
    Ok(Opened { layers: file.layers().to_vec(), content: Cow::Owned(file.into_bytes()) })
}

/// Removes only the outermost layer, and returns it with its content; [`None`] if the bytes are not a container.
///
/// # Errors
///
/// As [`decompress`] and [`decrypt`]. Also returns an error if a key is needed and there is none.
pub fn open_outermost(
    bytes: &[u8],
    key: Option<&Key>,
    limits: &Limits,
) -> Result<Option<(Layer, Vec<u8>)>> {
    outermost_by(bytes, key, limits, |error, _| Err(error))
}

/// Removes the outermost layer. `bear` is called for each fault after the head, with the missing range of the content
/// if there is one.
fn outermost_by(
    bytes: &[u8],
    key: Option<&Key>,
    limits: &Limits,
    mut bear: impl FnMut(Error, Option<Range<u64>>) -> Result<()>,
) -> Result<Option<(Layer, Vec<u8>)>> {
    match Kind::by_start(bytes) {
        Some(Kind::Compressed) => {
            let (compression, content) = decompress_by(bytes, magic::COMPRESSED, limits, bear)?;
            Ok(Some((Layer::Compressed(compression), content)))
        }
        Some(Kind::Encrypted) => {
            let bear = |error| bear(error, None);
            let (cipher, content) = decrypt_by(bytes, given(key)?, limits, bear)?;
            Ok(Some((Layer::Encrypted(cipher), content)))
        }
        None => Ok(None),
    }
}

/// The two kinds of files that wrap a content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Compressed,
    Encrypted,
}

impl Kind {
    /// Returns the kind that the first bytes name.
    fn by_start(bytes: &[u8]) -> Option<Self> {
        let magic = bytes.first_chunk()?;
        match magic {
            magic::COMPRESSED => Some(Self::Compressed),
            magic::ENCRYPTED => Some(Self::Encrypted),
            _ => None,
        }
    }
}

/// Returns the path to the content of these layers.
fn path(layers: &[Layer]) -> Path {
    let names = layers.iter().map(|layer| match layer {
        Layer::Compressed(_) | Layer::Stream(_) => "compressed",
        Layer::Encrypted(_) => "encrypted",
    });
    Path::from(
        names
            .flat_map(|name| [PathSegment::Field(name), PathSegment::Field("content")])
            .collect::<Vec<_>>(),
    )
}

fn given(key: Option<&Key>) -> Result<&Key> {
    key.ok_or_else(|| {
        let error = Error::new(rule::GDEC_KEY_GIVEN, 0, "a key or password", "none");
        error.within("encrypted")
    })
}

/// Puts layers, the outermost first, around a content. No layers leave it as it is.
///
/// A content that starts with the mark of a container is closed like any other. [`open`] then opens that container,
/// too.
///
/// # Errors
///
/// Returns an error if a layer is encrypted and there is no key, if there are more than [`MAX_LAYERS`], or if
/// [`compress`] or [`encrypt`] returns one.
pub fn close(content: &[u8], layers: &[Layer], key: Option<&Key>) -> Result<Vec<u8>> {
    close_by(content, layers, key, encrypt)
}

/// Puts layers around a content as [`close`] does, with a given initialization vector in those that
/// have one, so that the result is the same each time: see [`encrypt_with_vector`].
///
/// # Errors
///
/// As [`close`].
pub fn close_with_vector(
    content: &[u8],
    layers: &[Layer],
    key: Option<&Key>,
    vector: &[u8; 16],
) -> Result<Vec<u8>> {
    close_by(content, layers, key, |content, cipher, key| {
        Ok(encrypt_with_vector(content, cipher, key, vector))
    })
}

fn close_by(
    content: &[u8],
    layers: &[Layer],
    key: Option<&Key>,
    encrypt: impl Fn(&[u8], Cipher, &Key) -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    if layers.len() > MAX_LAYERS {
        let expected = format!("at most {MAX_LAYERS} layers");
        return Err(Error::new(rule::DEPTH, 0, expected, layers.len().to_string()));
    }
    let mut closed = None;
    for (depth, layer) in layers.iter().enumerate().rev() {
        let inner = closed.as_deref().unwrap_or(content);
        let file = match *layer {
            Layer::Compressed(compression) => compress(inner, compression),
            Layer::Encrypted(cipher) => given(key).and_then(|key| encrypt(inner, cipher, key)),
            Layer::Stream(stream) => stream.pack(inner).ok_or_else(|| {
                Error::new(rule::STREAM_WRITTEN, 0, "data that can be packed", stream.name())
            }),
        };
        let outer = layers.get(..depth).unwrap_or_default();
        closed = Some(file.map_err(|error| error.under(path(outer)))?);
    }
    Ok(closed.unwrap_or_else(|| content.to_vec()))
}
