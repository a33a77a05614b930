//! The engines' compressed (`GCPF`) and encrypted (`GDEC`) files, which stand around any content: frames
//! of `store_var`, the text of a `ConfigFile`.
//!
//! ```
//! use formwork_records::limits::Limits;
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
//! # What is like the engines' own bytes
//!
//! An encrypted file is byte for byte what the engine writes, given its initialization vector
//! ([`close_with_vector`]). So is a compressed one but for what is in the blocks: these are 4096
//! bytes each, padded as the engine does and packed at its levels, but by other libraries, so they
//! differ. `formats/containers/README.md` has the figures: FastLZ, Deflate and gzip come out as long as
//! the engine's within one in a hundred, Zstandard a fifth longer.
//!
//! # Safety
//!
//! An encrypted file is not authentic: whoever knows the key can write another. The MD5 sum in it is
//! of the content, and can be seen from outside, as can its length.

mod block;
mod compressed;
mod encrypted;
mod header;
mod key;
mod layer;
pub mod rule;
mod salvage;
mod salvaged;
mod unwrapped;

use std::borrow::Cow;

pub(crate) use block::unpack as unpack_block;
pub(crate) use compressed::decompress_marked;
pub use compressed::{CompressedFile, CompressedHead, compress, decompress};
pub use encrypted::{CfbHead, EcbHead, decrypt, encrypt, encrypt_with_vector};
pub use header::WrapperHeader;
pub use key::Key;
pub use layer::{Cipher, Compression, Layer, UnknownLayer};
pub use salvage::salvage_outermost;
pub use salvaged::Salvaged;
pub use unwrapped::{Unwrapped, Wrapping};

use crate::magic;
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::limits::Limits;

/// How many layers may be around a content. Scripts of an engine can make one (its files are either
/// compressed or encrypted), and more only by hand.
pub const MAX_LAYERS: usize = 4;

/// A content, and what was around it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Opened<'a> {
    /// The layers, the outermost first; none, if the bytes were no container.
    pub layers: Vec<Layer>,
    /// The content; the bytes themselves, if they were no container.
    pub content: Cow<'a, [u8]>,
}

/// Opens a file: takes away every layer that its first bytes name. Bytes that are no container are
/// the content themselves.
///
/// # Errors
///
/// Where a layer is damaged or cut, where it is encrypted and there is no key or another than the one
/// it was written with, and where it goes beyond `limits` ([`Limits::unpacked_bytes`]) or
/// [`MAX_LAYERS`]. Offsets are those in the bytes of the layer that the path names:
/// `compressed.content.encrypted.digest` is in what the outer, compressed layer holds.
///
/// ```
/// use formwork_records::limits::Limits;
/// use formwork_godot::wrapper::open;
///
/// let opened = open(b"[section]", None, &Limits::default())?;
/// assert!(opened.layers.is_empty());
/// assert_eq!(*opened.content, *b"[section]");
/// # Ok::<(), formwork::Error>(())
/// ```
pub fn open<'a>(bytes: &'a [u8], key: Option<&Key>, limits: &Limits) -> Result<Opened<'a>> {
    let mut opened = Opened { layers: Vec::new(), content: Cow::Borrowed(bytes) };
    loop {
        let outermost = match Kind::by_start(&opened.content) {
            Some(_) if opened.layers.len() == MAX_LAYERS => {
                let expected = format!("at most {MAX_LAYERS} layers");
                Err(Error::new(rule::DEPTH, 0, expected, "one more"))
            }
            _ => open_outermost(&opened.content, key, limits),
        };
        match outermost.map_err(|error| error.under(path(&opened.layers)))? {
            Some((layer, content)) => {
                opened.layers.push(layer);
                opened.content = Cow::Owned(content);
            }
            None => return Ok(opened),
        }
    }
}

/// Takes away the outermost layer only, and gives it and what was in it; [`None`] where bytes are no
/// container.
///
/// # Errors
///
/// As [`decompress`] and [`decrypt`], and where there is no key and one is needed.
pub fn open_outermost(
    bytes: &[u8],
    key: Option<&Key>,
    limits: &Limits,
) -> Result<Option<(Layer, Vec<u8>)>> {
    match Kind::by_start(bytes) {
        Some(Kind::Compressed) => decompress(bytes, limits)
            .map(|(compression, content)| Some((Layer::Compressed(compression), content))),
        Some(Kind::Encrypted) => given(key)
            .and_then(|key| decrypt(bytes, key, limits))
            .map(|(cipher, content)| Some((Layer::Encrypted(cipher), content))),
        None => Ok(None),
    }
}

/// The two kinds of files that stand around something else.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Compressed,
    Encrypted,
}

impl Kind {
    /// Returns the kind that bytes start as.
    fn by_start(bytes: &[u8]) -> Option<Self> {
        let magic = bytes.first_chunk()?;
        match magic {
            magic::COMPRESSED => Some(Self::Compressed),
            magic::ENCRYPTED => Some(Self::Encrypted),
            _ => None,
        }
    }
}

/// The path to what is in these layers.
fn path(layers: &[Layer]) -> Path {
    let names = layers.iter().map(|layer| match layer {
        Layer::Compressed(_) => "compressed",
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
/// A content that starts with the mark of a container itself is closed like any other, and [`open`]
/// then opens it, too.
///
/// # Errors
///
/// Where a layer is encrypted and there is no key, where there are more than [`MAX_LAYERS`], and as
/// [`compress`] and [`encrypt`] do.
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
        };
        let outer = layers.get(..depth).unwrap_or_default();
        closed = Some(file.map_err(|error| error.under(path(outer)))?);
    }
    Ok(closed.unwrap_or_else(|| content.to_vec()))
}
