//! Builds new packs.

use super::change::new_file;
use super::embedded::TRAILER;
use super::record::{MAGIC, NEWEST, VERSIONS};
use super::replace::directory;
use super::{
    EngineRelease, FlaggedPackHead, Pack, PackFlags, PackStart, PackTrailer, PackedFile,
    PlacedPackHead, PlainPackHead, bytes_of, rule,
};
use formwork::{Error, Result};
use formwork_records::wire::Block;

/// Builds a pack of files, as the engines' exports do.
#[derive(Clone, Debug)]
pub struct PackBuilder {
    version: u32,
    engine: EngineRelease,
    alignment: u64,
    executable: Vec<u8>,
    files: Vec<(String, Vec<u8>)>,
}

impl PackBuilder {
    /// Begins a pack in this version of the format (0 to 4), with this release as its writer.
    #[must_use]
    pub const fn new(version: u32, engine: EngineRelease) -> Self {
        Self { version, engine, alignment: 16, executable: Vec::new(), files: Vec::new() }
    }

    /// Sets the number of which each content's start is a multiple. The default is 16, as in the engines' exports.
    #[must_use]
    pub const fn alignment(mut self, bytes: u32) -> Self {
        self.alignment = bytes as u64;
        self
    }

    /// Begins an empty pack with the version, engine and alignment of another.
    #[must_use]
    pub fn like(pack: &Pack<'_>) -> Self {
        Self { alignment: pack.alignment(), ..Self::new(pack.version(), pack.engine()) }
    }

    /// Puts the pack after an executable, which finds it by the size and mark at the end of the file.
    #[must_use]
    pub fn behind(mut self, executable: impl Into<Vec<u8>>) -> Self {
        self.executable = executable.into();
        self
    }

    /// Adds a file.
    #[must_use]
    pub fn file(mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), content.into()));
        self
    }

    /// Returns the bytes of the pack.
    ///
    /// # Errors
    ///
    /// Returns an error if the version does not exist, if a name is not a path within the game or occurs twice, or if a
    /// name is longer than 4 GiB.
    pub fn build(self) -> Result<Vec<u8>> {
        if self.version > NEWEST {
            let found = self.version.to_string();
            return Err(Error::new(rule::VERSION, 4, VERSIONS, found).within("pack"));
        }
        let alignment = self.alignment.max(1);
        let reserved = || Block(vec![0; 16].into());
        let EngineRelease { major, minor, patch } = self.engine;
        let magic = u32::from_le_bytes(MAGIC);
        let start = PackStart { magic, version: self.version, major, minor, patch };
        let files = self.entries()?;
        let flags = PackFlags::new().with_relative(true);
        // The order is head, directory, contents; from version 3 on the directory is last.
        let head = |file_base, at| match self.version {
            0 | 1 => bytes_of(&PlainPackHead { start, reserved: reserved() }),
            2 => bytes_of(&FlaggedPackHead { start, flags, file_base, reserved: reserved() }),
            _ => {
                let (salt, reserved) = (Block(vec![0; 32].into()), Block(vec![0; 8].into()));
                bytes_of(&PlacedPackHead { start, flags, file_base, directory: at, salt, reserved })
            }
        };
        // Engines put a pack at a multiple of eight bytes.
        let start = (self.executable.len() as u64).next_multiple_of(8);
        let mut at = start + head(0, 0).len() as u64;
        if self.version < 3 {
            at += directory(self.version, 0, &files).len() as u64;
        }
        let first = at.next_multiple_of(alignment);
        let mut end = first;
        let mut placed = files;
        for file in &mut placed {
            file.offset = end;
            end = (end + file.size).next_multiple_of(alignment);
        }
        let base = if self.version < 2 { 0 } else { first };
        let entries = directory(self.version, base, &placed);
        let mut bytes = self.executable;
        bytes.resize(start as usize, 0);
        bytes.extend(head(base.saturating_sub(start), end - start));
        if self.version < 3 {
            bytes.extend(&entries);
        }
        for ((_, content), file) in self.files.iter().zip(&placed) {
            bytes.resize(file.offset as usize, 0);
            bytes.extend(content);
        }
        bytes.resize(end as usize, 0);
        if self.version >= 3 {
            bytes.extend(&entries);
        }
        if start > 0 {
            // The end of the whole file is a multiple of eight, too.
            let end = (bytes.len() + TRAILER).next_multiple_of(8) - TRAILER;
            bytes.resize(end, 0);
            let length = end as u64 - start;
            let magic = u32::from_le_bytes(MAGIC);
            bytes.extend(bytes_of(&PackTrailer { length, magic }));
        }
        Ok(bytes)
    }

    /// Returns the files, without offsets.
    fn entries(&self) -> Result<Vec<PackedFile>> {
        let mut names = std::collections::HashSet::new();
        let mut files = Vec::with_capacity(self.files.len());
        for (index, (name, content)) in self.files.iter().enumerate() {
            let refuse = |rule, expected: &str, found: String| {
                let error = Error::new(rule, 0, expected, found).within("name");
                error.within(index as u64).within("files").within("pack")
            };
            if !names.insert(super::within_game(name)) {
                return Err(refuse(rule::NAME_ONCE, "a name of its own", format!("{name:?}")));
            }
            let within = |error: Error| error.within(index as u64).within("files").within("pack");
            files.push(PackedFile { entry: 0, ..new_file(name, content).map_err(within)? });
        }
        Ok(files)
    }
}
