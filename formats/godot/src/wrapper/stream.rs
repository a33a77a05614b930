//! Compressed data without the engine's frame: what `PackedByteArray.compress` returns.

use std::io::{Read, Write};

use flate2::GzBuilder;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use flate2::write::{DeflateEncoder, ZlibEncoder};

use super::Compression;
use super::block;
use formwork_records::limits::Limits;

/// Compressed data that is a whole file or is after a header of the game.
///
/// Nothing in FastLZ and Deflate says what they are, so [`file::open`](crate::file::open) tries them where nothing else
/// fits.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Stream {
    /// FastLZ, mode 0 of the engines.
    FastLz,
    /// Deflate with the header and check sum of zlib: mode 1 of the engines.
    Zlib(Effort),
    /// Zstandard, mode 2 of the engines.
    Zstd,
    /// Deflate with the header and check sum of gzip: mode 3 of the engines.
    Gzip(Effort),
    /// Deflate alone, as the `DeflateStream` of .NET writes it.
    Deflate,
}

/// How much work the compression took, as the data says it.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Effort {
    /// The least.
    Least,
    /// The usual form, which the engines read.
    #[default]
    Usual,
    /// The most.
    Most,
}

impl Effort {
    const fn level(self) -> flate2::Compression {
        flate2::Compression::new(match self {
            Self::Least => 1,
            Self::Usual => 6,
            Self::Most => 9,
        })
    }
}

/// The least bytes of data that is tried as FastLZ or Deflate: fewer fit by chance.
const LEAST: usize = 12;

impl Stream {
    /// Returns every kind of stream.
    pub fn all() -> impl Iterator<Item = Self> {
        let usual = Effort::Usual;
        [Self::FastLz, Self::Zlib(usual), Self::Zstd, Self::Gzip(usual), Self::Deflate].into_iter()
    }

    /// The short, stable name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FastLz => "raw-fastlz",
            Self::Zlib(_) => "raw-zlib",
            Self::Zstd => "raw-zstd",
            Self::Gzip(_) => "raw-gzip",
            Self::Deflate => "raw-deflate",
        }
    }

    /// A description in words.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::FastLz => "FastLZ data without the frame of the engine",
            Self::Zlib(_) => "zlib data without the frame of the engine",
            Self::Zstd => "Zstandard data without the frame of the engine",
            Self::Gzip(_) => "gzip data without the frame of the engine",
            Self::Deflate => "Deflate data without any frame",
        }
    }

    /// Returns the compression of the engines with which scripts make such data.
    #[must_use]
    pub const fn compression(self) -> Option<Compression> {
        match self {
            Self::FastLz => Some(Compression::FastLz),
            Self::Zlib(_) => Some(Compression::Deflate),
            Self::Zstd => Some(Compression::Zstd),
            Self::Gzip(_) => Some(Compression::Gzip),
            Self::Deflate => None,
        }
    }

    /// Whether its first bytes say what it is.
    #[must_use]
    pub const fn is_marked(self) -> bool {
        matches!(self, Self::Zlib(_) | Self::Zstd | Self::Gzip(_))
    }

    /// Returns the kind of data that the first bytes name.
    fn by_start(bytes: &[u8]) -> Option<Self> {
        match *bytes {
            [0x1f, 0x8b, 8, _, _, _, _, _, effort, ..] => Some(Self::Gzip(match effort {
                2 => Effort::Most,
                4 => Effort::Least,
                _ => Effort::Usual,
            })),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // Deflate with a window of at most 32 KiB, and no dictionary.
            [first, second, ..]
                if first & 15 == 8
                    && first >> 4 <= 7
                    && second & 0x20 == 0
                    && u16::from_be_bytes([first, second]).is_multiple_of(31) =>
            {
                Some(Self::Zlib(match second >> 6 {
                    0 => Effort::Least,
                    3 => Effort::Most,
                    _ => Effort::Usual,
                }))
            }
            _ => None,
        }
    }

    /// Returns what data may be: the kind that its first bytes name, or else those without a mark. Each is for the caller to
    /// judge by the content.
    pub(crate) fn tried(bytes: &[u8]) -> Vec<Self> {
        match (Self::by_start(bytes), bytes.len() < LEAST) {
            (Some(marked), _) => vec![marked],
            (None, true) => Vec::new(),
            (None, false) => vec![Self::FastLz, Self::Deflate],
        }
    }

    /// Whether the first part of data without a mark can be unpacked.
    pub(crate) fn begins(self, bytes: &[u8]) -> bool {
        /// Bytes that are unpacked.
        const PART: usize = 4096;
        match self {
            Self::FastLz => block::begins_as_fastlz(bytes, &mut [0; PART]),
            _ => DeflateDecoder::new(bytes).take(PART as u64).read_to_end(&mut Vec::new()).is_ok(),
        }
    }

    /// Returns the data unpacked, if all of it can be, to a content.
    pub(crate) fn unpacked(self, bytes: &[u8], limits: &Limits) -> Option<Vec<u8>> {
        self.unpack(bytes, limits.unpacked_bytes).filter(|content| !content.is_empty())
    }

    fn unpack(self, bytes: &[u8], most: u64) -> Option<Vec<u8>> {
        fn all(mut decoder: impl Read, most: u64) -> Option<Vec<u8>> {
            let mut content = Vec::new();
            decoder.by_ref().take(most.saturating_add(1)).read_to_end(&mut content).ok()?;
            (content.len() as u64 <= most).then_some(content)
        }
        let mut rest = bytes;
        match self {
            Self::Zlib(_) => all(ZlibDecoder::new(&mut rest), most),
            Self::Gzip(_) => all(GzDecoder::new(&mut rest), most),
            Self::Deflate => all(DeflateDecoder::new(&mut rest), most),
            Self::Zstd | Self::FastLz => {
                rest = &[];
                block::unpack_all(self == Self::Zstd, bytes, most)
            }
        }
        .filter(|_| rest.is_empty())
    }

    /// Packs a content.
    pub(super) fn pack(self, content: &[u8]) -> Option<Vec<u8>> {
        /// From this length on the engine's library takes the second level of FastLZ.
        const SECOND_LEVEL: usize = 65536;
        /// The system in a gzip header, which zlib writes by default.
        const UNIX: u8 = 3;
        let packed = match self {
            Self::FastLz => return block::pack_fastlz(content, content.len() >= SECOND_LEVEL),
            Self::Zstd => return block::pack(Compression::Zstd, content),
            Self::Zlib(effort) => {
                let mut encoder = ZlibEncoder::new(Vec::new(), effort.level());
                encoder.write_all(content).and_then(|()| encoder.finish())
            }
            Self::Gzip(effort) => {
                let mut encoder =
                    GzBuilder::new().operating_system(UNIX).write(Vec::new(), effort.level());
                encoder.write_all(content).and_then(|()| encoder.finish())
            }
            Self::Deflate => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Effort::Usual.level());
                encoder.write_all(content).and_then(|()| encoder.finish())
            }
        };
        packed.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of `var2bytes({"gold": 3}).compress(mode)` of Godot 3.2.3 is.
    const BY_THE_ENGINE: [(Stream, &[u8]); 4] = [
        (Stream::FastLz, b"\x08\x12\0\0\0\x01\0\0\0\x04\xa0\x03\x0bgold\x02\0\0\0\x03\0\0\0"),
        (Stream::Zlib(Effort::Usual), b"\x78\x9c\x13\x62\x60\x60\x60\x04\x62\x16\x28\x4e\xcf\xcf\x49\x61\x02\xd2\xcc\x40\x0c\0\x14\x2d\x01\xc7"),
        (Stream::Zstd, b"\x28\xb5\x2f\xfd\x20\x1c\xe1\0\0\x12\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0gold\x02\0\0\0\x03\0\0\0"),
        (Stream::Gzip(Effort::Usual), b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x13\x62\x60\x60\x60\x04\x62\x16\x28\x4e\xcf\xcf\x49\x61\x02\xd2\xcc\x40\x0c\0\x46\xe5\x9f\x86\x1c\0\0\0"),
    ];

    /// Returns everything that data unpacks to.
    fn unpacked(bytes: &[u8]) -> Vec<(Stream, Vec<u8>)> {
        let tried = Stream::tried(bytes).into_iter();
        let tried = tried.filter(|it| it.is_marked() || it.begins(bytes));
        tried.filter_map(|it| Some((it, it.unpacked(bytes, &Limits::default())?))).collect()
    }

    #[test]
    fn data_of_an_engine_is_unpacked() {
        let packet = b"\x12\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0gold\x02\0\0\0\x03\0\0\0";
        for (stream, bytes) in BY_THE_ENGINE {
            assert_eq!(unpacked(bytes), [(stream, packet.to_vec())], "{stream:?}");
        }
    }

    #[test]
    fn each_kind_is_packed_and_unpacked_with_its_effort() {
        let efforts = [Effort::Least, Effort::Usual, Effort::Most];
        let all = Stream::all().chain(efforts.map(Stream::Zlib)).chain(efforts.map(Stream::Gzip));
        for stream in all {
            for length in [40, 5000, 65_535, 65_536, 300_000] {
                let content: Vec<u8> = (0..length).map(|at| (at / 7 % 251) as u8).collect();
                let packed = stream.pack(&content).expect("it can be packed");
                let found: Vec<_> =
                    unpacked(&packed).into_iter().filter(|it| it.0 == stream).collect();
                assert!(found == [(stream, content)], "{stream:?} {length}");
                let is_more = unpacked(&[&packed[..], b"\0"].concat())
                    .into_iter()
                    .any(|(it, _)| it == stream && stream != Stream::FastLz);
                assert!(!is_more, "{stream:?} {length}");
            }
        }
    }

    #[test]
    fn no_more_is_unpacked_than_the_limit_allows() {
        for stream in Stream::all() {
            let packed = stream.pack(&[7; 100_000]).expect("it can be packed");
            let limits = Limits::default().unpacked_bytes(99_999);
            assert!(Stream::tried(&packed).contains(&stream));
            assert_eq!(stream.unpacked(&packed, &limits), None);
        }
    }
}
