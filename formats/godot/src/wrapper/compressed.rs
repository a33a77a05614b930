//! Compressed files: a head, the sizes of the packed blocks, the blocks, and the mark again.

use std::ops::Range;

use super::{Compression, block};
use crate::magic;
use crate::wrapper::rule;
use formwork::{BinRead, BinWrite, Error, OrEnd, Path, PathSegment, Result, Rule, Schema};
use formwork_records::limits::Limits;
use formwork_records::wire::{Cursor, put_record, read_record};

/// A compressed file, as `File.open_compressed` (Godot 3, Pandemonium) and
/// `FileAccess.open_compressed` (Godot 4) write it.
#[derive(formwork::BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct CompressedFile {
    /// The first 16 bytes.
    #[schema(inline)]
    pub head: CompressedHead,
    /// Bytes of each packed block. The last block holds `total % block_size` bytes: none, if the
    /// content is empty or fills the blocks before, and even then it is there.
    #[br(count = head.total as u64 / head.block_size as u64 + 1)]
    pub sizes: formwork::Block<u32>,
    /// The packed blocks, one after the other.
    #[br(count = sizes.total())]
    pub blocks: formwork::Block,
    /// `GCPF` again. Engines write it and do not look at it.
    #[schema(letters)]
    pub trailer: OrEnd<u32>,
}

/// The first 16 bytes of a compressed file.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct CompressedHead {
    /// `GCPF`: 0x46504347.
    #[schema(letters)]
    pub magic: u32,
    /// How the blocks are packed.
    #[schema(names = Compression::NAMES)]
    pub mode: u32,
    /// Bytes of content in each block but the last: 4096 in every file of an engine.
    pub block_size: u32,
    /// Bytes of the whole content.
    pub total: u32,
}

/// The block size that engines write.
const BLOCK_SIZE: usize = 4096;

/// Bytes of the size of a block, and of the mark at the end.
const SIZE: usize = size_of::<u32>();

/// Bytes reserved for a content before any are unpacked.
const FIRST: usize = 16 * BLOCK_SIZE;

/// Returns the path of a field of a compressed file.
fn field(name: &'static str) -> Path {
    Path::from(vec![PathSegment::Field("compressed"), PathSegment::Field(name)])
}

fn element(name: &'static str, index: u64) -> Path {
    Path::from(vec![
        PathSegment::Field("compressed"),
        PathSegment::Field(name),
        PathSegment::Index(index),
    ])
}

/// Unpacks a compressed file.
///
/// The mark at the end is not checked, as in the engines, and may be missing.
///
/// # Errors
///
/// Returns an error if the file is damaged or cut, if bytes follow it, if a block does not give the expected bytes, or
/// if the file would unpack to more than `limits` allow. The limits are checked before anything is unpacked.
pub fn decompress(bytes: &[u8], limits: &Limits) -> Result<(Compression, Vec<u8>)> {
    decompress_by(bytes, magic::COMPRESSED, limits, |error, _| Err(error))
}

/// Unpacks a file that starts with this mark. `bear` is called for each fault after the head, with the missing range
/// of the content for a damaged block. That range is filled with zeros. A cut ends the content, after the bytes before
/// the cut that can be unpacked.
pub(crate) fn decompress_by(
    bytes: &[u8],
    mark: &[u8; 4],
    limits: &Limits,
    mut bear: impl FnMut(Error, Option<Range<u64>>) -> Result<()>,
) -> Result<(Compression, Vec<u8>)> {
    let mut input = Cursor::new(bytes);
    let head: CompressedHead =
        read_record(&mut input).map_err(|error| error.within("compressed"))?;
    let compression = check(&head, mark, limits)?;
    let (block_size, total) = (head.block_size as usize, head.total as usize);
    let count = head.total / head.block_size;
    let list = (count as usize).saturating_add(1).saturating_mul(SIZE);
    let start = input.position();
    let mut content = Vec::new();
    let Some(sizes) = input.take(list) else {
        let expected = format!("the sizes of {} blocks", u64::from(count) + 1);
        bear(cut(start, list, input.left(), expected).under(field("sizes")), None)?;
        return Ok((compression, content));
    };
    for (index, size) in (0..).zip(sizes.as_chunks::<SIZE>().0) {
        let size = u32::from_le_bytes(*size) as usize;
        let offset = input.position();
        let Some(packed) = input.take(size) else {
            let expected = format!("a block of {size} bytes");
            let error = cut(offset, size, input.left(), expected).under(element("blocks", index));
            bear(error, None)?;
            let packed = input.take(input.left()).unwrap_or_default();
            let missing = block_size.min(total - content.len());
            block::unpack_start(compression, packed, missing, &mut content);
            return Ok((compression, content));
        };
        let missing = total - content.len();
        let expected = block_size.min(missing);
        if content.capacity() - content.len() < expected {
            // The capacity doubles each time, up to the bytes that can be missing. The first reservation is small, as
            // nothing is unpacked yet.
            content.reserve_exact(content.len().max(FIRST).min(missing));
        }
        let first = content.len();
        if let Err(fault) = block::unpack(compression, packed, expected, &mut content) {
            let error = Error::new(fault.rule, offset as u64, fault.expected, fault.found)
                .under(element("blocks", index));
            content.truncate(first);
            // No engine writes larger blocks; zeros for one would take memory that no input justifies.
            if expected > BLOCK_SIZE {
                bear(error, None)?;
                return Ok((compression, content));
            }
            // The last block may be empty: then nothing is missing.
            let gap = first as u64..(first + expected) as u64;
            bear(error, Some(gap).filter(|gap| !gap.is_empty()))?;
            content.resize(first + expected, 0);
        }
    }
    match input.left().checked_sub(SIZE) {
        None | Some(0) => Ok((compression, content)),
        Some(more) => {
            let offset = input.position() + SIZE;
            let found = formwork::wire::more_bytes(more).to_string();
            let expected = "the end of the file";
            let error = Error::new(rule::TRAILING, offset as u64, expected, found);
            bear(error.under(field("trailer")), None)?;
            Ok((compression, content))
        }
    }
}

/// Checks the head, and returns its compression.
fn check(head: &CompressedHead, mark: &[u8; 4], limits: &Limits) -> Result<Compression> {
    let refuse = |rule, offset, name, expected: String, found: String| {
        Err(Error::new(rule, offset, expected, found).under(field(name)))
    };
    let magic = u32::from_le_bytes(*mark);
    if head.magic != magic {
        let expected = format!("{} ({magic:#010x})", mark.escape_ascii());
        let found = format!("{:#010x}", head.magic);
        return refuse(rule::GCPF_MAGIC, 0, "magic", expected, found);
    }
    let Some(compression) = Compression::from_mode(head.mode) else {
        let expected = format!("0 to {}", Compression::ALL.len() - 1);
        return refuse(rule::GCPF_MODE, 4, "mode", expected, head.mode.to_string());
    };
    if head.block_size == 0 {
        let expected = "at least 1 byte".to_owned();
        return refuse(rule::GCPF_BLOCK_SIZE, 8, "block_size", expected, "0".to_owned());
    }
    if u64::from(head.total) > limits.unpacked_bytes {
        let expected = format!("at most {} bytes", limits.unpacked_bytes);
        return refuse(Rule::SIZE_LIMIT, 12, "total", expected, head.total.to_string());
    }
    Ok(compression)
}

/// Returns the error for a file that ends inside a part of `size` bytes at `offset`.
fn cut(offset: usize, size: usize, left: usize, expected: String) -> Error {
    Error::incomplete(offset as u64, (size - left) as u64, expected, left as u64)
}

/// Packs a content into a compressed file, as an engine does.
///
/// # Errors
///
/// Returns an error for Brotli, which nothing writes, and for a content that is too long for the file's length words.
pub fn compress(content: &[u8], compression: Compression) -> Result<Vec<u8>> {
    compress_by(content, compression, magic::COMPRESSED)
}

/// Packs a content into a compressed file that starts and ends with this mark.
pub(crate) fn compress_by(
    content: &[u8],
    compression: Compression,
    mark: &[u8; 4],
) -> Result<Vec<u8>> {
    let too_long = |length: usize| {
        let found = format!("{length} bytes");
        Error::new(rule::GCPF_LENGTH, 0, "at most 4294967295 bytes", found).under(field("total"))
    };
    let total = u32::try_from(content.len()).map_err(|_| too_long(content.len()))?;
    let mode = compression.mode();
    let magic = u32::from_le_bytes(*mark);
    let head = CompressedHead { magic, mode, block_size: BLOCK_SIZE as u32, total };
    let (full, rest) = content.as_chunks::<BLOCK_SIZE>();
    let sources = full.iter().map(<[u8; BLOCK_SIZE]>::as_slice).chain([rest]);
    let mut sizes = Vec::with_capacity(full.len() + 1);
    let mut blocks = Vec::new();
    for source in sources {
        let packed = block::pack(compression, source).ok_or_else(|| {
            let expected = "a compression that engines write";
            Error::new(rule::GCPF_WRITTEN, 4, expected, compression.name()).under(field("mode"))
        })?;
        sizes.push(u32::try_from(packed.len()).map_err(|_| too_long(packed.len()))?);
        blocks.extend(packed);
    }
    let mut file = Vec::new();
    put_record(&head, &mut file);
    file.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
    file.append(&mut blocks);
    file.extend(magic.to_le_bytes());
    Ok(file)
}
