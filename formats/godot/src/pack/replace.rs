//! Replaces the content of a file in a pack.

use md5::{Digest, Md5};

use super::embedded::{self, Place};
use super::file::SEALED_HEAD;
use super::record::{DIGEST, MAGIC};
use super::{
    FlaggedPackDirectory, FlaggedPackEntry, Pack, PackDirectory, PackEntry, PackTrailer,
    PackedFile, SEALED_MARK, SealedDirectory, bytes_of, rule, sealed_head,
};
use formwork::{Error, Result};
use formwork_records::wire::{Block, Each};

/// Alignments that engines use, the usual ones first.
const ALIGNMENTS: [u64; 13] = [32, 16, 1, 2, 4, 8, 64, 128, 256, 512, 1024, 2048, 4096];

impl Pack<'_> {
    /// Returns the bytes of the whole file with another content for a file of the pack. If that file is encrypted, the
    /// content is an encrypted file of Godot 4, as returned by [`wrapped_content`](Self::wrapped_content).
    ///
    /// Every other file keeps its bytes and its alignment. Offsets, sizes and the MD5 sum are updated (a missing sum
    /// stays missing), as are the sizes in an executable around the pack. With the old content, the bytes are the old
    /// ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory is encrypted ([`with_sealed_file`](Self::with_sealed_file) takes a function
    /// that encrypts it), if the file has no content in the pack or shares bytes with another file, if the pack is
    /// signed or otherwise followed by something, or if an executable around it would lead elsewhere.
    pub fn with_file(&self, file: &PackedFile, content: &[u8]) -> Result<Vec<u8>> {
        self.with_sealed_file(file, content, |_| {
            let at = self.directory.start as u64;
            let found = "an encrypted one";
            Err(Error::new(rule::SEALED, at, "a directory that is not encrypted", found)
                .within("directory"))
        })
    }

    /// Returns the bytes as [`with_file`](Self::with_file) does. If the directory is encrypted, `seal` encrypts it into
    /// an encrypted file of Godot 4.
    ///
    /// # Errors
    ///
    /// As [`with_file`](Self::with_file). Also returns an error if `seal` fails.
    pub fn with_sealed_file(
        &self,
        file: &PackedFile,
        content: &[u8],
        seal: impl FnOnce(&[u8]) -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let old = self.content(file)?;
        let under = |error: Error| error.under(self.path(file));
        if file.is_delta() {
            let (expected, found) = ("a file's own content", "what changed against another pack");
            return Err(under(Error::new(rule::CONTENT, file.entry, expected, found)));
        }
        let new = New::of(file, content).map_err(under)?;
        if new.stored == old {
            return Ok(self.bytes.to_vec());
        }
        self.check_alone(file).map_err(under)?;
        self.moved(file, &new, seal).map_err(|error| error.within("pack"))
    }

    /// Returns an error for a file that shares bytes with others, and for a pack that is followed by something.
    fn check_alone(&self, file: &PackedFile) -> Result<()> {
        let range = file.range();
        let at = range.start;
        let is_in_head = at < self.head.end as u64;
        let is_before = self.version < 3 || at > self.directory.start as u64;
        if is_in_head || is_before && at < self.directory.end as u64 {
            let found = at.to_string();
            let expected = "a place outside head and directory";
            return Err(Error::new(rule::RANGE, file.entry, expected, found).within("offset"));
        }
        if let Some(section) = self.place.section
            && section.size_at.saturating_add(section.width as u64) > self.place.start as u64
        {
            let (expected, found) =
                ("the size of the section in front of the pack", "behind its start");
            return Err(Error::new(rule::PLACE, section.size_at, expected, found).within("section"));
        }
        for (index, other) in self.stored() {
            // The contents that move must be in the file.
            self.content_of(other)?;
            let there = other.range();
            let shares = match range.is_empty() {
                true => there.start < range.start && range.start < there.end,
                false => there.start < range.end && range.start < there.end,
            };
            if shares && other != file {
                let found = format!("bytes that files[{index}] has, too");
                return Err(Error::new(rule::OVERLAP, file.entry, "bytes of its own", found));
            }
        }
        let end = self.place.file_end();
        if end < self.bytes.len() {
            let found = format!(
                "{}, such as a signature",
                formwork::wire::more_bytes(self.bytes.len() - end)
            );
            return Err(Error::new(rule::BEHIND, end as u64, "the end of the file", found));
        }
        Ok(())
    }

    /// Returns the number of which all starts of contents are multiples, as far as the pack shows it.
    pub(super) fn alignment(&self) -> u64 {
        let mut stored: Vec<_> = self.stored().map(|(_, file)| file.range()).collect();
        stored.sort_by_key(|range| range.start);
        let divides = |by: u64| stored.iter().all(|range| range.start.is_multiple_of(by));
        let fills = |by: u64| {
            stored.windows(2).all(|pair| match pair {
                [one, next] => one.end.checked_next_multiple_of(by) == Some(next.start),
                _ => true,
            })
        };
        let exact = ALIGNMENTS.into_iter().find(|&by| divides(by) && fills(by));
        let widest = || ALIGNMENTS.into_iter().filter(|&by| by <= 32 && divides(by)).max();
        exact.or_else(widest).unwrap_or(1)
    }

    /// Returns the bytes with the new content, and with the following parts moved.
    fn moved(
        &self,
        file: &PackedFile,
        new: &New<'_>,
        seal: impl FnOnce(&[u8]) -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let range = file.range();
        let behind = |at: u64| at >= range.end;
        let starts = self.stored().filter(|(_, other)| *other != file).map(|(_, it)| it.offset);
        let directory = self.directory.start as u64;
        let next = starts.chain([directory]).filter(|&at| behind(at)).min();
        let (follows, end) = (next.is_some(), self.place.end as u64);
        let next = next.unwrap_or(end);
        // The parts are within the file, and the added bytes are in memory.
        let alignment = self.alignment();
        let (old_end, new_end) = (range.end, range.start + new.stored.len() as u64);
        let gap = self.bytes.get(old_end as usize..next as usize).unwrap_or_default();
        let aligned = old_end.next_multiple_of(alignment);
        let mut new_next = match next.checked_sub(aligned) {
            Some(more) if gap.iter().all(|&byte| byte == 0) => {
                new_end.next_multiple_of(alignment) + more
            }
            _ => new_end + (next - old_end),
        };
        while follows && new_next % alignment != next % alignment {
            new_next += 1;
        }
        let shift = |at: u64| new_next.saturating_add(at).saturating_sub(next);

        let mut bytes = Vec::with_capacity(self.bytes.len().saturating_add(new.stored.len()));
        bytes.extend(self.bytes.get(..range.start as usize).unwrap_or_default());
        bytes.extend(new.stored);
        if gap.iter().any(|&byte| byte != 0) {
            bytes.extend(gap);
        }
        bytes.resize(new_next as usize, 0);
        bytes.extend(self.bytes.get(next as usize..).unwrap_or_default());

        // Empty files at one offset keep the order of the directory.
        let is_behind = |it: &PackedFile| match it.offset == range.end && range.is_empty() {
            true => it.stored_size() > 0 || it.entry > file.entry,
            false => behind(it.offset),
        };
        let moved = |it: &PackedFile| match it {
            it if it == file => new.entry(it),
            it if is_behind(it) && it.offset <= end && !it.is_removal() => {
                PackedFile { offset: shift(it.offset), ..it.clone() }
            }
            it => it.clone(),
        };
        let files: Vec<_> = self.files.iter().map(moved).collect();
        let directory_at = if behind(directory) { shift(directory) } else { directory };
        let entries = self.directory_bytes(&files, seal)?;
        put(&mut bytes, directory_at, &entries, "directory")?;
        self.set_head(&mut bytes, self.base, directory_at)?;
        self.resized(bytes, shift(end))
    }

    /// Returns the bytes of a file whose pack now ends at `end`, with the sizes in an executable around it.
    pub(super) fn resized(&self, mut bytes: Vec<u8>, end: u64) -> Result<Vec<u8>> {
        let place = self.set_sizes(&mut bytes, end)?;
        // A cut executable may take its section names from a longer file.
        if embedded::find(&bytes) != Some(place) {
            let expected = "an executable that leads to the pack whatever its size";
            let found = "one that is cut, or leads elsewhere";
            return Err(Error::new(rule::PLACE, self.place.start as u64, expected, found));
        }
        Ok(bytes)
    }

    /// Updates the sizes in an executable around a pack that now ends at `end`, and returns its place.
    fn set_sizes(&self, bytes: &mut [u8], end: u64) -> Result<Place> {
        let start = self.place.start as u64;
        let mut place = Place { end: end as usize, ..self.place };
        if self.place.trailer {
            let trailer = PackTrailer { length: end - start, magic: u32::from_le_bytes(MAGIC) };
            put(bytes, end, &bytes_of(&trailer), "trailer")?;
        }
        let Some(section) = &mut place.section else { return Ok(place) };
        let size =
            section.size.checked_add(end).and_then(|it| it.checked_sub(self.place.end as u64));
        let too_long = |size: String| {
            let expected = "a size of 32 bits";
            Error::new(rule::LENGTH, section.size_at, expected, size).within("section")
        };
        let size =
            size.ok_or_else(|| too_long("a section shorter than what is taken away".into()))?;
        section.size = size;
        let word = match section.width {
            4 => {
                let size = u32::try_from(size).map_err(|_| too_long(size.to_string()))?;
                if section.big_endian { size.to_be_bytes() } else { size.to_le_bytes() }.to_vec()
            }
            _ if section.big_endian => size.to_be_bytes().to_vec(),
            _ => size.to_le_bytes().to_vec(),
        };
        put(bytes, section.size_at, &word, "section")?;
        Ok(place)
    }

    /// Returns the directory with these files, encrypted if it was.
    fn directory_bytes(
        &self,
        files: &[PackedFile],
        seal: impl FnOnce(&[u8]) -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let whole = directory(self.version, self.base, files);
        if !self.is_directory_encrypted() {
            return Ok(whole);
        }
        let (at, expected) = (self.directory.start as u64, self.directory.len());
        // The count stays unencrypted.
        let sealed = seal(whole.get(4..).unwrap_or_default())?;
        let sealed = sealed.strip_prefix(&SEALED_MARK).unwrap_or_default();
        let (head, data) = (sealed_head(sealed)?.0, sealed.get(SEALED_HEAD as usize..));
        let mut bytes = bytes_of(&SealedDirectory { count: self.count, sealed: head });
        bytes.extend(data.unwrap_or_default());
        if bytes.len() != expected {
            let expected = format!("an encrypted directory of {expected} bytes");
            let found = bytes.len().to_string();
            return Err(Error::new(rule::ENCRYPTED, at, expected, found).within("directory"));
        }
        Ok(bytes)
    }
}

/// Returns the bytes of a directory.
pub(super) fn directory(version: u32, base: u64, files: &[PackedFile]) -> Vec<u8> {
    let count = files.len() as u32;
    let entries = files.iter().map(|file| PackEntry {
        length: file.raw_name.len() as u32,
        name: Block(file.raw_name.to_vec().into()),
        // The base was added when the directory was read.
        offset: file.offset.wrapping_sub(base),
        size: file.size,
        digest: Block(file.digest.to_vec().into()),
    });
    if version < 2 {
        return bytes_of(&PackDirectory { count, files: Each(entries.collect()) });
    }
    let flagged = entries.zip(files).map(|(entry, &PackedFile { flags, .. })| {
        let PackEntry { length, name, offset, size, digest } = entry;
        FlaggedPackEntry { length, name, offset, size, digest, flags }
    });
    bytes_of(&FlaggedPackDirectory { count, files: Each(flagged.collect()) })
}

/// Overwrites bytes.
pub(super) fn put(bytes: &mut [u8], at: u64, new: &[u8], what: &'static str) -> Result<()> {
    let there = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..)?.get_mut(..new.len()));
    match there {
        Some(there) => there.copy_from_slice(new),
        None => {
            let expected = format!("{} bytes to write over", new.len());
            return Err(Error::new(rule::LENGTH, at, expected, "fewer").within(what));
        }
    }
    Ok(())
}

/// The new content of a file.
struct New<'c> {
    /// The bytes stored in the pack.
    stored: &'c [u8],
    size: u64,
    digest: [u8; DIGEST],
}

impl<'c> New<'c> {
    fn of(file: &PackedFile, content: &'c [u8]) -> Result<Self> {
        if !file.is_encrypted() {
            let (size, digest) = (content.len() as u64, Md5::digest(content).into());
            return Ok(Self { stored: content, size, digest });
        }
        let refuse = |found: &str| {
            let expected = "an encrypted file of Godot 4 (GDEC)";
            Error::new(rule::ENCRYPTED, file.entry, expected, found)
        };
        let stored = content.strip_prefix(&SEALED_MARK).ok_or_else(|| refuse("other bytes"))?;
        let (head, length) = sealed_head(stored)?;
        if stored.len() as u64 != length.saturating_add(SEALED_HEAD) {
            return Err(refuse("one of another length than it says"));
        }
        let digest = *head.digest.first_chunk().unwrap_or(&[0; DIGEST]);
        Ok(Self { stored, size: head.length, digest })
    }

    /// Returns the file's entry with the new content. If there was no sum before, none is made.
    fn entry(&self, file: &PackedFile) -> PackedFile {
        let digest = if file.digest().is_some() { self.digest } else { file.digest };
        PackedFile { size: self.size, digest, ..file.clone() }
    }
}
