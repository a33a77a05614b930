//! Layers that can wrap a content, the ciphers among them, and the engines that have each.

use std::fmt;
use std::str::FromStr;

use super::{Compression, Stream};
use formwork_variant::dialect::Dialect;

/// The encryption of an encrypted file's content, which also determines the layout of its head.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Cipher {
    /// AES-256 in ECB mode, after a head with a mode word: Godot 1 to 3, Pandemonium. Equal blocks of 16 bytes stay
    /// equal, so the structure of a content can be seen from outside.
    Ecb,
    /// AES-256 in CFB mode with 128-bit segments, after a head with the initialization vector: Godot 4.
    Cfb,
}

impl Cipher {
    /// Returns the cipher of an engine's encrypted files. Engines of one form cannot open the other.
    #[must_use]
    pub fn of(dialect: Dialect) -> Self {
        if dialect.quirks().cfb_files { Self::Cfb } else { Self::Ecb }
    }
}

/// One layer around a content: a compressed file or an encrypted one.
///
/// ```
/// use formwork_variant::Dialect;
/// use formwork_godot::wrapper::{Compression, Layer};
///
/// let layer: Layer = "zstd".parse()?;
/// assert_eq!(layer, Layer::Compressed(Compression::Zstd));
/// assert!(layer.is_written_by(Dialect::GODOT3) && !layer.is_read_by(Dialect::GODOT2));
/// # Ok::<(), formwork_godot::wrapper::UnknownLayer>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Layer {
    /// A compressed file (`GCPF`).
    Compressed(Compression),
    /// An encrypted file (`GDEC`).
    Encrypted(Cipher),
    /// Compressed data without the engine's frame.
    Stream(Stream),
}

impl From<Stream> for Layer {
    fn from(stream: Stream) -> Self {
        Self::Stream(stream)
    }
}

impl Layer {
    /// Returns every kind of file that engines wrap a content in.
    pub fn all() -> impl Iterator<Item = Self> {
        let compressed = Compression::ALL.iter().map(|&compression| Self::Compressed(compression));
        compressed.chain([Self::Encrypted(Cipher::Ecb), Self::Encrypted(Cipher::Cfb)])
    }

    /// The short, stable name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compressed(compression) => compression.name(),
            Self::Encrypted(Cipher::Ecb) => "encrypted-ecb",
            Self::Encrypted(Cipher::Cfb) => "encrypted-cfb",
            Self::Stream(stream) => stream.name(),
        }
    }

    /// Whether scripts of that engine can read such a file.
    ///
    /// Godot 2 has encrypted files only; Brotli came with Godot 4.2.
    #[must_use]
    pub fn is_read_by(self, dialect: Dialect) -> bool {
        match self {
            Self::Compressed(Compression::Brotli) => dialect.quirks().brotli_files,
            Self::Compressed(_) => dialect.quirks().compressed_files,
            Self::Encrypted(cipher) => cipher == Cipher::of(dialect),
            Self::Stream(stream) => match stream.compression() {
                Some(compression) => Self::Compressed(compression).is_read_by(dialect),
                // (Not scripts of the engine, but programs in C#.)
                None => dialect.quirks().compressed_files,
            },
        }
    }

    /// Whether scripts of that engine can write such a file.
    #[must_use]
    pub fn is_written_by(self, dialect: Dialect) -> bool {
        self != Self::Compressed(Compression::Brotli) && self.is_read_by(dialect)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no layer has.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownLayer(String);

impl fmt::Display for UnknownLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Layer::all().map(Layer::name).collect();
        write!(f, "no layer is called '{}'; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownLayer {}

impl FromStr for Layer {
    type Err = UnknownLayer;

    fn from_str(name: &str) -> Result<Self, UnknownLayer> {
        let named =
            Self::all().chain(Stream::all().map(Self::Stream)).find(|layer| layer.name() == name);
        named.ok_or_else(|| UnknownLayer(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_to_its_layer() {
        for layer in Layer::all() {
            assert_eq!(layer.to_string().parse(), Ok(layer));
        }
        let error = "lzma".parse::<Layer>().unwrap_err();
        assert!(error.to_string().ends_with("gzip, brotli, encrypted-ecb, encrypted-cfb"));
    }

    #[test]
    fn the_position_of_a_compression_is_its_mode() {
        for (mode, &compression) in (0..).zip(Compression::ALL) {
            assert_eq!(compression.mode(), mode);
            assert_eq!(Compression::from_mode(mode), Some(compression));
        }
        assert_eq!(Compression::from_mode(5), None);
        assert_eq!(Compression::from_mode(u32::MAX), None);
    }

    #[test]
    fn each_engine_has_its_own_layers() {
        let read = |name: &str| -> Vec<&str> {
            let dialect = name.parse().unwrap();
            Layer::all().filter(|layer| layer.is_read_by(dialect)).map(Layer::name).collect()
        };
        assert_eq!(read("godot2.0"), ["encrypted-ecb"]);
        assert_eq!(read("godot2.1"), ["encrypted-ecb"]);
        for engine in ["godot3.0", "godot3.6", "pandemonium"] {
            assert_eq!(read(engine), ["fastlz", "deflate", "zstd", "gzip", "encrypted-ecb"]);
        }
        assert_eq!(read("godot4.1"), ["fastlz", "deflate", "zstd", "gzip", "encrypted-cfb"]);
        let all = ["fastlz", "deflate", "zstd", "gzip", "brotli", "encrypted-cfb"];
        assert_eq!(read("godot4.2"), all);
        assert_eq!(read("godot4.7-double"), all);
        for dialect in Dialect::all() {
            let written = Layer::all().filter(|layer| layer.is_written_by(dialect));
            let readable = Layer::all().filter(|layer| layer.is_read_by(dialect));
            assert!(written.eq(readable.filter(|layer| layer.name() != "brotli")));
        }
    }
}
