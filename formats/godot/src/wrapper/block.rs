//! One block of a compressed file, packed and unpacked by the library of its compression.

use std::io::{Read, Write};

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use fastlz_rs::{CompressState, CompressionLevel, DecompressError};
use flate2::GzBuilder;
use flate2::bufread::{GzDecoder, ZlibDecoder};
use flate2::write::ZlibEncoder;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::errors::ReadFrameHeaderError::SkipFrame;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::Compression;
use crate::wrapper::rule;
use formwork::Rule;

/// Shorter sources are padded with zeros to this length before FastLZ packs them.
const FASTLZ_LEAST: usize = 16;

/// The largest window that a Zstandard frame may ask for: what every decoder should support (RFC
/// 8878, 3.1.1.1.2). An engine's frame asks for no more than its block.
const ZSTD_WINDOW: u64 = 8 << 20;

/// Packs a block as the engine does: with the levels and padding of its library. Returns [`None`] for Brotli, which is
/// not written.
pub(super) fn pack(compression: Compression, source: &[u8]) -> Option<Vec<u8>> {
    /// The default level of zlib, `Z_DEFAULT_COMPRESSION`.
    const LEVEL: flate2::Compression = flate2::Compression::new(6);
    /// The system in a gzip header, which zlib writes by default.
    const UNIX: u8 = 3;
    match compression {
        Compression::FastLz => pack_fastlz(source, false),
        Compression::Deflate => {
            let mut encoder = ZlibEncoder::new(Vec::new(), LEVEL);
            encoder.write_all(source).and_then(|()| encoder.finish()).ok()
        }
        Compression::Gzip => {
            let mut encoder = GzBuilder::new().operating_system(UNIX).write(Vec::new(), LEVEL);
            encoder.write_all(source).and_then(|()| encoder.finish()).ok()
        }
        Compression::Zstd => Some(ruzstd::encoding::compress_to_vec(
            source,
            ruzstd::encoding::CompressionLevel::Fastest,
        )),
        Compression::Brotli => None,
    }
}

/// Packs a source with the first or the second level of FastLZ.
pub(super) fn pack_fastlz(source: &[u8], second: bool) -> Option<Vec<u8>> {
    let mut padded = [0; FASTLZ_LEAST];
    let source = match padded.get_mut(..source.len()) {
        Some(start) if source.len() < FASTLZ_LEAST => {
            start.copy_from_slice(source);
            &padded
        }
        _ => source,
    };
    // `new_boxed` does not check whether there is memory.
    let mut state = Box::new(CompressState::new());
    let level = if second { CompressionLevel::Level2 } else { CompressionLevel::Level1 };
    state.compress_to_vec(source, level).ok()
}

/// The fault of a packed block.
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// Unpacks a block to the end of `content`. The block must give `expected` bytes and be used up. Memory is only taken
/// for bytes that are unpacked, and for at most one byte beyond the expected ones.
///
/// # Errors
///
/// Returns an error if the block is damaged, gives another number of bytes or is not used up.
pub(crate) fn unpack(
    compression: Compression,
    packed: &[u8],
    expected: usize,
    content: &mut Vec<u8>,
) -> Result<(), Fault> {
    unpack_by(compression, packed, expected, content).map_err(|trouble| match trouble {
        Trouble::Data(found) => Fault {
            rule: rule::GCPF_BLOCK,
            expected: format!("a block of {expected} bytes in {}", compression.name()),
            found,
        },
        Trouble::Window(window) => Fault {
            rule: Rule::SIZE_LIMIT,
            expected: format!("a window of at most {ZSTD_WINDOW} bytes"),
            found: format!("{window}"),
        },
    })
}

/// Unpacks the start of a block that is cut, as far as its compression allows: at most `expected` bytes. Nothing comes of
/// FastLZ, which is unpacked as a whole.
pub(super) fn unpack_start(
    compression: Compression,
    packed: &[u8],
    expected: usize,
    content: &mut Vec<u8>,
) {
    let start = content.len();
    // The block is known to be cut, and the bytes before the error stay.
    let unpacked = unpack_by(compression, packed, expected, content);
    let end = match (compression, unpacked) {
        (Compression::FastLz, Err(_)) => start,
        _ => start.saturating_add(expected),
    };
    content.truncate(end);
}

/// The reason why a block could not be unpacked.
enum Trouble {
    /// The data found instead of a valid block.
    Data(String),
    /// The window size in bytes that the block asks for.
    Window(u64),
}

impl<T: Into<String>> From<T> for Trouble {
    fn from(found: T) -> Self {
        Self::Data(found.into())
    }
}

fn unpack_by(
    compression: Compression,
    packed: &[u8],
    expected: usize,
    content: &mut Vec<u8>,
) -> Result<(), Trouble> {
    let left = match compression {
        Compression::FastLz => return unpack_fastlz(packed, expected, content),
        Compression::Deflate => {
            let mut decoder = ZlibDecoder::new(packed);
            read_all(&mut decoder, expected, content)?;
            decoder.into_inner().len()
        }
        Compression::Gzip => {
            let mut decoder = GzDecoder::new(packed);
            read_all(&mut decoder, expected, content)?;
            decoder.into_inner().len()
        }
        Compression::Zstd => return unpack_zstd(packed, expected, content),
        Compression::Brotli => unpack_brotli(packed, expected, content)?,
    };
    match left {
        0 => Ok(()),
        _ => {
            Err(format!("{} behind the end of the packed data", formwork::wire::bytes(left)).into())
        }
    }
}

/// Returns whether data begins as FastLZ, as far as `room` can hold what it unpacks to.
pub(super) fn begins_as_fastlz(packed: &[u8], room: &mut [u8]) -> bool {
    let unpacked = fastlz_rs::decompress_to_buf(packed, room);
    matches!(unpacked, Ok(_) | Err(DecompressError::OutputTooSmall))
}

/// Unpacks Zstandard or FastLZ of unknown length to at most `most` bytes; [`None`] if that fails.
pub(super) fn unpack_all(is_zstd: bool, packed: &[u8], most: u64) -> Option<Vec<u8>> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut content = Vec::new();
    if is_zstd {
        unpack_zstd_to(packed, most, &mut content).ok()?;
        return Some(content);
    }
    // Nothing says the length, so the room doubles until the content fits.
    let mut room = packed.len().saturating_mul(4).max(FASTLZ_LEAST);
    loop {
        let room_now = room.min(most);
        content.clear();
        content.resize(room_now, 0);
        match fastlz_rs::decompress_to_buf(packed, &mut content) {
            Ok(count) => {
                content.truncate(count);
                return Some(content);
            }
            Err(DecompressError::OutputTooSmall) if room_now < most => {
                room = room.saturating_mul(2);
            }
            Err(_) => return None,
        }
    }
}

/// Returns the error for a number of unpacked bytes that is not the expected one.
fn wrong_size(expected: usize, found: usize) -> Trouble {
    let found = match found > expected {
        true => format!("more than {expected}"),
        false => formwork::wire::bytes(found).to_string(),
    };
    found.into()
}

fn unpack_fastlz(packed: &[u8], expected: usize, content: &mut Vec<u8>) -> Result<(), Trouble> {
    /// The greatest number of bytes from one byte of FastLZ: a length byte of level 2 that means "and more".
    const MOST: usize = 255;
    // A short block holds its padding, too. Other writers may have left it out.
    let room = expected.max(FASTLZ_LEAST).min(packed.len().saturating_mul(MOST));
    let start = content.len();
    content.reserve_exact(room);
    content.resize(start + room, 0);
    let unpacked = content.get_mut(start..).unwrap_or_default();
    let count = match fastlz_rs::decompress_to_buf(packed, unpacked) {
        Ok(count) => count,
        Err(DecompressError::OutputTooSmall) => return Err(wrong_size(expected, room + 1)),
        Err(error) => return Err(error.to_string().into()),
    };
    let padding = unpacked.get(expected..count).ok_or_else(|| wrong_size(expected, count))?;
    if padding.iter().any(|&byte| byte != 0) {
        return Err("padding that is not zero".into());
    }
    content.truncate(start + expected);
    Ok(())
}

/// Reads up to the end, where a decoder compares its check sum.
fn read_all(decoder: impl Read, expected: usize, content: &mut Vec<u8>) -> Result<(), Trouble> {
    let read = decoder.take(expected as u64 + 1).read_to_end(content);
    match read.map_err(|error| error.to_string())? {
        count if count == expected => Ok(()),
        count => Err(wrong_size(expected, count)),
    }
}

/// The text for errors of the zstd decoder, whose messages name its types.
const DAMAGED: &str = "damaged data";

/// Unpacks frame after frame: the engine's library takes several frames, and skips skippable ones.
fn unpack_zstd(packed: &[u8], expected: usize, content: &mut Vec<u8>) -> Result<(), Trouble> {
    let start = content.len();
    unpack_zstd_to(packed, start + expected, content)?;
    match content.len() - start {
        count if count == expected => Ok(()),
        count => Err(wrong_size(expected, count)),
    }
}

/// Unpacks frame after frame, until the content has the length `end`.
fn unpack_zstd_to(mut packed: &[u8], end: usize, content: &mut Vec<u8>) -> Result<(), Trouble> {
    loop {
        // A new decoder takes no memory for a window until there are bytes; a reused one would.
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(ZSTD_WINDOW);
        match decoder.init(&mut packed) {
            Ok(()) => unpack_frame(&mut decoder, &mut packed, end, content)?,
            Err(FrameDecoderError::ReadFrameHeaderError(SkipFrame { length, .. })) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                packed = packed.get(length..).ok_or("a frame that is cut")?;
            }
            Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => {
                return Err(Trouble::Window(requested));
            }
            Err(_) => return Err(DAMAGED.into()),
        }
        if packed.is_empty() {
            return Ok(());
        }
    }
}

/// Unpacks the blocks of a frame, until the content has the length `end`.
fn unpack_frame(
    decoder: &mut FrameDecoder,
    packed: &mut &[u8],
    end: usize,
    content: &mut Vec<u8>,
) -> Result<(), Trouble> {
    while !decoder.is_finished() {
        let step = BlockDecodingStrategy::UptoBlocks(1);
        decoder.decode_blocks(&mut *packed, step).map_err(|_| DAMAGED)?;
        let most = end.saturating_sub(content.len()) as u64 + 1;
        let read = decoder.by_ref().take(most).read_to_end(content);
        read.map_err(|_| DAMAGED)?;
        if content.len() > end {
            return Err("more bytes than that".into());
        }
    }
    match decoder.get_checksum_from_data() {
        Some(sum) if decoder.get_calculated_checksum() != Some(sum) => {
            Err("another check sum".into())
        }
        _ => Ok(()),
    }
}

/// Returns the number of bytes after the end of the stream.
fn unpack_brotli(packed: &[u8], expected: usize, content: &mut Vec<u8>) -> Result<usize, Trouble> {
    /// Bytes that come out at a time.
    const PIECE: usize = 4096;
    let alloc = StandardAlloc::default;
    // Strict mode refuses windows of a gibibyte, which are not part of the format.
    let mut state = BrotliState::new_strict(alloc(), alloc(), alloc());
    let (mut left, mut read, mut total) = (packed.len(), 0, 0);
    let start = content.len();
    loop {
        let mut piece = [0; PIECE];
        let (mut room, mut count) = (PIECE, 0);
        let result = BrotliDecompressStream(
            &mut left, &mut read, packed, &mut room, &mut count, &mut piece, &mut total, &mut state,
        );
        content.extend_from_slice(piece.get(..count).unwrap_or_default());
        let found = content.len() - start;
        match result {
            _ if found > expected => return Err(wrong_size(expected, found)),
            BrotliResult::ResultSuccess if found == expected => return Ok(left),
            BrotliResult::ResultSuccess => return Err(wrong_size(expected, found)),
            BrotliResult::NeedsMoreOutput => {}
            BrotliResult::NeedsMoreInput => return Err("a stream that is cut".into()),
            BrotliResult::ResultFailure => return Err(format!("{:?}", state.error_code).into()),
        }
    }
}
