//! Builds new packs.

use super::change::{Content, new_file};
use super::embedded::{self, Place};
use super::name::folder_and_file;
use super::record::{MAGIC, NEWEST, VERSIONS};
use super::{
    EngineRelease, FlaggedPackHead, Pack, PackFlags, PackStart, PackedFile, PlacedPackHead,
    PlainPackHead, bytes_of, rule,
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
    /// Returns an error if the version does not exist, if a name is not a path within the game or occurs twice, if a
    /// name is longer than 4 GiB, or if the executable has a pack already, or leads elsewhere than to the new one.
    pub fn build(self) -> Result<Vec<u8>> {
        if self.version > NEWEST {
            let found = self.version.to_string();
            return Err(Error::new(rule::VERSION, 4, VERSIONS, found).within("pack"));
        }
        if let Some(place) = embedded::find(&self.executable) {
            let found = format!("one with a pack at offset {}", place.start);
            let error = Error::new(rule::PLACE, 0, "an executable without a pack", found);
            return Err(error.nowhere().within("pack"));
        }
        let files = self.entries()?;
        let EngineRelease { major, minor, patch } = self.engine;
        let magic = u32::from_le_bytes(MAGIC);
        let start = PackStart { magic, version: self.version, major, minor, patch };
        let flags = PackFlags::new().with_relative(true);
        let reserved = |words: usize| Block(vec![0; words].into());
        let head = match self.version {
            0 | 1 => bytes_of(&PlainPackHead { start, reserved: reserved(16) }),
            2 => {
                let (file_base, reserved) = (0, reserved(16));
                bytes_of(&FlaggedPackHead { start, flags, file_base, reserved })
            }
            _ => {
                let (file_base, directory, reserved) = (0, 0, reserved(8));
                let salt = Block(vec![0; 32].into());
                bytes_of(&PlacedPackHead { start, flags, file_base, directory, salt, reserved })
            }
        };
        let mut bytes = self.executable;
        // Some releases put a pack at a multiple of eight bytes; all find it anywhere.
        let start = bytes.len().next_multiple_of(8);
        bytes.resize(start, 0);
        bytes.extend(head);
        let end = bytes.len();
        let empty = Pack {
            bytes: &bytes,
            place: Place { start, end, trailer: start > 0, section: None },
            version: self.version,
            engine: self.engine,
            flags,
            base: 0,
            head: start..end,
            directory: end..end,
            count: 0,
            closed: false,
            files: Vec::new(),
        };
        let contents = self.files.iter().map(|(_, content)| Content::New(content));
        let files = files.into_iter().zip(contents).collect();
        empty.laid_out(files, self.alignment.max(1)).map_err(|error| error.within("pack"))
    }

    /// Returns the files, without offsets.
    fn entries(&self) -> Result<Vec<PackedFile>> {
        let all = self.files.iter().map(|(name, _)| super::within_game(name)).collect();
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
            if let Some((name, other)) = folder_and_file([super::within_game(name)], &all) {
                let found = format!("{name:?} beside {other:?}");
                return Err(refuse(
                    rule::FOLDER,
                    "files whose names are no folders of others",
                    found,
                ));
            }
            let within = |error: Error| error.within(index as u64).within("files").within("pack");
            files.push(new_file(name, content).map_err(within)?);
        }
        Ok(files)
    }
}
