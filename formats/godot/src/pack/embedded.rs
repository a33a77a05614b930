//! Finds the pack in a file: at its start, or after an executable.

use object::endian::{Endianness, LittleEndian};
use object::pe::{ImageDosHeader, ImageNtHeaders32, ImageNtHeaders64};
use object::read::elf::{FileHeader, SectionHeader};
use object::read::pe::ImageNtHeaders;
use object::{elf, pe};

use super::record::{MAGIC, PackTrailer};
use formwork_records::wire::{Cursor, read_record};

/// The place of a pack in a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Place {
    pub(super) start: usize,
    /// The end of the pack. If there is a trailer, it follows.
    pub(super) end: usize,
    pub(super) trailer: bool,
    pub(super) section: Option<Section>,
}

impl Place {
    /// Returns the end of the pack and its trailer.
    pub(super) const fn file_end(&self) -> usize {
        self.end + if self.trailer { TRAILER } else { 0 }
    }
}

/// The section of an executable that holds the pack.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Section {
    pub(super) offset: u64,
    pub(super) size: u64,
    /// The offset of the size and its width in bytes, and the executable's byte order.
    pub(super) size_at: u64,
    pub(super) width: usize,
    pub(super) big_endian: bool,
}

/// Bytes of the trailer.
pub(super) const TRAILER: usize = 12;

/// Finds the pack as engines do: at the start; in the executable's section `pck`, or up to seven bytes after the start
/// of the section, which is not aligned as the pack is; otherwise by the trailer at the end of the file.
pub(super) fn find(bytes: &[u8]) -> Option<Place> {
    let place = |start, end, trailer, section| Place { start, end, trailer, section };
    if is_pack(bytes, 0) {
        return Some(place(0, bytes.len(), false, None));
    }
    let at_end = trailer(bytes, bytes.len());
    let section = section(bytes);
    let in_section = section.and_then(|section| {
        let first = usize::try_from(section.offset).ok()?;
        let start = (first..first.saturating_add(8)).find(|&at| is_pack(bytes, at))?;
        let end = section.offset.checked_add(section.size)?;
        Some((start, usize::try_from(end).ok()?.min(bytes.len()).max(start)))
    });
    match (in_section, at_end) {
        (Some((start, _)), Some(same)) if start == same => {
            Some(place(start, bytes.len() - TRAILER, true, section))
        }
        (Some((start, end)), _) => match trailer(bytes, end) == Some(start) {
            true => Some(place(start, end - TRAILER, true, section)),
            false => Some(place(start, end, false, section)),
        },
        (None, Some(start)) => Some(place(start, bytes.len() - TRAILER, true, None)),
        (None, None) => None,
    }
}

fn is_pack(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(&MAGIC))
}

/// Returns the start of the pack whose trailer ends at `end`.
fn trailer(bytes: &[u8], end: usize) -> Option<usize> {
    let start = end.checked_sub(TRAILER)?;
    let trailer: PackTrailer = read_record(&mut Cursor::new(bytes.get(start..end)?)).ok()?;
    let length = usize::try_from(trailer.length).ok()?;
    let pack = start.checked_sub(length)?;
    let is_one = trailer.magic == u32::from_le_bytes(MAGIC) && pack > 0 && is_pack(bytes, pack);
    is_one.then_some(pack)
}

/// The engines' name for the section.
const NAME: &[u8] = b"pck";

fn section(bytes: &[u8]) -> Option<Section> {
    elf_section::<elf::FileHeader64<Endianness>>(bytes)
        .or_else(|| elf_section::<elf::FileHeader32<Endianness>>(bytes))
        .or_else(|| pe_section::<ImageNtHeaders64>(bytes))
        .or_else(|| pe_section::<ImageNtHeaders32>(bytes))
}

fn elf_section<H: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Option<Section> {
    let head = H::parse(bytes).ok()?;
    let endian = head.endian().ok()?;
    let sections = head.sections(endian, bytes).ok()?;
    let (index, section) = sections.section_by_name(endian, NAME)?;
    let header = u64::try_from(index.0).ok()?.checked_mul(head.e_shentsize(endian).into())?;
    let header = header.checked_add(head.e_shoff(endian).into())?;
    // The size comes after two words of 32 bits, and three words of the width of an address.
    let (size_in, width) = if head.is_class_64() { (32, 8) } else { (20, 4) };
    Some(Section {
        offset: section.sh_offset(endian).into(),
        size: section.sh_size(endian).into(),
        size_at: header.checked_add(size_in)?,
        width,
        big_endian: endian == Endianness::Big,
    })
}

fn pe_section<H: ImageNtHeaders>(bytes: &[u8]) -> Option<Section> {
    /// Bytes of the header of a section, and the offset of the size in it.
    const HEADER: (u64, u64) = (40, 16);
    let mut offset = ImageDosHeader::parse(bytes).ok()?.nt_headers_offset().into();
    let (head, _) = H::parse(bytes, &mut offset).ok()?;
    let sections = head.sections(bytes, offset).ok()?;
    let is_it = |section: &&pe::ImageSectionHeader| section.raw_name() == NAME;
    let index = sections.iter().position(|section| is_it(&section))?;
    let section = sections.iter().nth(index)?;
    let header = offset.checked_add(HEADER.0 * index as u64)?;
    Some(Section {
        offset: section.pointer_to_raw_data.get(LittleEndian).into(),
        size: section.size_of_raw_data.get(LittleEndian).into(),
        size_at: header.checked_add(HEADER.1)?,
        width: 4,
        big_endian: false,
    })
}
