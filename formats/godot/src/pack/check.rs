//! Checks a pack for faults.

use std::collections::HashMap;

use md5::{Digest, Md5};

use super::record::DIGEST;
use super::{Pack, PackedFile, rule, sealed_head, unsafe_part};
use formwork::{Error, Result};

impl Pack<'_> {
    /// Returns the faults of the pack, by rule and place: flags that no engine knows, names that lead out of the game's
    /// folder or occur twice with different contents, contents that are not within the pack, that share bytes or whose
    /// MD5 sum differs from the directory, and sizes in the executable around the pack that differ. Empty if there are
    /// none.
    ///
    /// Encrypted contents are compared by the sum stored before them.
    #[must_use]
    pub fn check(&self) -> Vec<Error> {
        let mut faults = Vec::new();
        self.check_place(&mut faults);
        if self.flags.unused() != 0 {
            let (at, word) = (self.place.start as u64 + 20, u32::from(self.flags));
            let error = Error::new(rule::FLAGS, at, "known flags: 0 to 7", format!("0x{word:x}"));
            faults.push(error.within("flags").within("pack"));
        }
        self.check_names(&mut faults);
        for (index, file) in self.files.iter().enumerate() {
            if let Err(error) = self.check_file(file) {
                faults.push(error.within(index as u64).within("files").within("pack"));
            }
        }
        self.check_overlaps(&mut faults);
        faults
    }

    /// Refuses a pack with two files of one name, or in the same bytes.
    #[cfg(feature = "document")]
    pub(crate) fn refuse_shared(&self) -> Result<()> {
        let mut faults = Vec::new();
        self.check_names(&mut faults);
        self.check_overlaps(&mut faults);
        faults.into_iter().next().map_or(Ok(()), Err)
    }

    fn check_place(&self, faults: &mut Vec<Error>) {
        let Some(section) = self.place.section else { return };
        let end = self.place.file_end();
        if section.offset.checked_add(section.size) != Some(end as u64) {
            let expected = format!("a section 'pck' that ends with the pack, at offset {end}");
            let found = format!("{} bytes from offset {} on", section.size, section.offset);
            faults
                .push(Error::new(rule::PLACE, section.size_at, expected, found).within("section"));
        }
    }

    fn check_names(&self, faults: &mut Vec<Error>) {
        let mut first: HashMap<&[u8], usize> = HashMap::new();
        for (index, file) in self.files.iter().enumerate() {
            let mut fault = |rule, expected: &str, found: String| {
                let error = Error::new(rule, file.entry, expected, found).within("name");
                faults.push(error.within(index as u64).within("files").within("pack"));
            };
            let name = file.name();
            if let Some(why) = unsafe_part(&name) {
                fault(rule::NAME, "a path within the game", format!("{name:?}: {why}"));
            }
            let bytes = file.name_bytes();
            let bytes = bytes.strip_prefix(b"res://").unwrap_or(bytes);
            // Exports of Godot 3.4 list the game's icon twice, with the same content.
            if let Some(before) = first.insert(bytes, index)
                && !self.files.get(before).is_some_and(|other| self.is_same(file, other))
            {
                fault(
                    rule::NAME_ONCE,
                    "a name of its own, or the same content",
                    format!("{name:?}, as files[{before}]"),
                );
            }
        }
    }

    fn check_file(&self, file: &PackedFile) -> Result<()> {
        if file.flags.unused() != 0 {
            let (at, word) = (file.entry, u32::from(file.flags));
            let error = Error::new(rule::FLAGS, at, "known flags: 0 to 7", format!("0x{word:x}"));
            return Err(error.within("flags"));
        }
        if file.is_removal() || self.is_sparse() {
            return Ok(());
        }
        self.content_of(file)?;
        let Some(expected) = file.digest() else { return Ok(()) };
        let found = self.sum_of(file)?;
        if found != expected {
            let expected = format!("a content with the MD5 sum {}", hex(&expected));
            return Err(Error::new(rule::DIGEST, file.offset, expected, hex(&found)));
        }
        Ok(())
    }

    /// Returns the MD5 sum of a file's content. For an encrypted file, this is the sum stored before its content.
    ///
    /// # Errors
    ///
    /// As [`content`](Self::content). Also returns an error if an encrypted content differs in length from the
    /// directory.
    pub fn sum(&self, file: &PackedFile) -> Result<[u8; 16]> {
        self.sum_of(file).map_err(|error| error.under(self.path(file)))
    }

    fn sum_of(&self, file: &PackedFile) -> Result<[u8; DIGEST]> {
        let content = self.content_of(file)?;
        if !file.is_encrypted() {
            return Ok(Md5::digest(content).into());
        }
        let (head, _) = sealed_head(content)?;
        if head.length != file.size {
            let expected = format!("{} bytes, as the directory says", file.size);
            let found = head.length.to_string();
            let at = file.offset.saturating_add(DIGEST as u64);
            return Err(Error::new(rule::RANGE, at, expected, found).within("length"));
        }
        Ok(*head.digest.first_chunk().unwrap_or(&[0; DIGEST]))
    }

    /// Whether two files have the same content, or are both removed.
    fn is_same(&self, one: &PackedFile, other: &PackedFile) -> bool {
        let sum = |file| self.sum_of(file).ok();
        match (one.is_removal(), other.is_removal()) {
            (false, false) => {
                one.size == other.size && sum(one) == sum(other) && sum(one).is_some()
            }
            (one, other) => one == other,
        }
    }

    fn check_overlaps(&self, faults: &mut Vec<Error>) {
        let mut by_place: Vec<_> = self.stored().collect();
        by_place.sort_by_key(|(index, file)| (file.offset, *index));
        let mut before: Option<(usize, u64)> = None;
        for (index, file) in by_place {
            let range = file.range();
            if let Some((other, end)) = before.filter(|&(_, end)| end > range.start) {
                let expected = format!("bytes that files[{other}] has not, which ends at {end}");
                let found = format!("{} to {}", range.start, range.end);
                let error = Error::new(rule::OVERLAP, file.entry, expected, found).within("offset");
                faults.push(error.within(index as u64).within("files").within("pack"));
            }
            if before.is_none_or(|(_, end)| range.end > end) {
                before = Some((index, range.end));
            }
        }
    }

    /// Returns the files that have bytes in the pack, with their positions.
    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, &PackedFile)> {
        let has_bytes =
            |file: &PackedFile| !file.is_removal() && !self.is_sparse() && file.stored_size() > 0;
        self.files.iter().enumerate().filter(move |(_, file)| has_bytes(file))
    }
}

/// Returns bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
