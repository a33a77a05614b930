//! Changes a pack: adds, replaces and removes files.

use std::collections::{HashMap, HashSet};

use md5::{Digest, Md5};

use super::embedded::TRAILER;
use super::name::folder_and_file;
use super::record::entry_size;
use super::replace::{directory, put};
use super::{
    FileFlags, FlaggedPackHead, Pack, PackedFile, PlacedPackHead, bytes_of, rule, unsafe_part,
    within_game,
};
use formwork::{Error, Result};
use formwork_records::wire::{Cursor, Padding, read_record};

/// A change of a pack.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PackChange {
    /// Adds a file, or gives the file of that name another content.
    Put {
        /// The name, with or without `res://`.
        name: String,
        /// The content.
        content: Vec<u8>,
    },
    /// Removes the file of that name.
    Remove {
        /// The name, with or without `res://`.
        name: String,
    },
}

impl PackChange {
    /// Returns the name without `res://`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Put { name, .. } | Self::Remove { name } => within_game(name),
        }
    }
}

/// The source of the content of a file in the changed pack.
pub(super) enum Content<'c> {
    /// A file of the old pack, with the following bytes that do not belong to a file and are not all zero.
    Kept(&'c [u8], &'c [u8]),
    New(&'c [u8]),
    /// The file has no content.
    None,
}

impl Pack<'_> {
    /// Returns the bytes of the whole file with these changes.
    ///
    /// Files that no change names keep their bytes, flags, order and alignment. New files follow the others, and their
    /// names take the same form (`res://icon.png` or `icon.png`). If the pack comes after an executable, the sizes
    /// stored there are updated.
    ///
    /// ```
    /// use formwork_godot::pack::{EngineRelease, Pack, PackBuilder, PackChange};
    ///
    /// let release = EngineRelease { major: 4, minor: 6, patch: 3 };
    /// let bytes = PackBuilder::new(3, release).file("a.txt", b"one").file("b.txt", b"two").build()?;
    ///
    /// let add = PackChange::Put { name: "c.txt".into(), content: b"three".to_vec() };
    /// let remove = PackChange::Remove { name: "res://a.txt".into() };
    /// let bytes = Pack::open(&bytes)?.with_changes(&[add, remove])?;
    ///
    /// let pack = Pack::open(&bytes)?;
    /// let names: Vec<_> = pack.files().iter().map(|file| file.name()).collect();
    /// assert_eq!(names, ["b.txt", "c.txt"]);
    /// assert!(pack.check().is_empty());
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a file to be removed is missing, if a new name is not a path within the game, if two changes
    /// name one file, if an encrypted file is to be replaced, if the directory is encrypted, if the contents are
    /// outside the pack, if the pack is signed or otherwise followed by something, or if an executable around the pack
    /// would lead elsewhere.
    pub fn with_changes(&self, changes: &[PackChange]) -> Result<Vec<u8>> {
        self.changed(changes).map_err(|error| error.within("pack"))
    }

    /// Returns the pack alone, without the executable that it comes after.
    ///
    /// ```
    /// use formwork_godot::pack::{EngineRelease, Pack, PackBuilder};
    ///
    /// let release = EngineRelease { major: 3, minor: 6, patch: 0 };
    /// let builder = PackBuilder::new(1, release).file("a.txt", b"one");
    /// let game = builder.clone().behind(b"an executable, of a kind".as_slice()).build()?;
    /// let alone = Pack::open(&game)?.alone()?;
    /// let pack = Pack::open(&alone)?;
    /// assert_eq!(pack.content(pack.find("a.txt")?)?, b"one");
    /// assert!(!pack.is_embedded() && pack.check().is_empty());
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the directory is encrypted and holds places in the executable.
    pub fn alone(&self) -> Result<Vec<u8>> {
        let start = self.place.start as u64;
        let mut bytes =
            self.bytes.get(self.place.start..self.place.end).unwrap_or_default().to_vec();
        if start == 0 || self.version >= 3 || self.flags.relative() {
            return Ok(bytes);
        }
        if self.base > 0 {
            let mut head: FlaggedPackHead<'_> = read_record(&mut Cursor::new(&bytes[..]))?;
            head.file_base = self.base.saturating_sub(start);
            put(&mut bytes, 0, &bytes_of(&head), "head")?;
            return Ok(bytes);
        }
        let at = self.directory.start as u64;
        if self.is_directory_encrypted() {
            let expected = "a directory that is not encrypted";
            return Err(Error::new(rule::SEALED, at, expected, "an encrypted one"));
        }
        let files = self
            .files()
            .iter()
            .map(|file| PackedFile { offset: file.offset.saturating_sub(start), ..file.clone() });
        let entries = directory(self.version, 0, &files.collect::<Vec<_>>());
        put(&mut bytes, at - start, &entries, "directory")?;
        Ok(bytes)
    }

    fn changed(&self, changes: &[PackChange]) -> Result<Vec<u8>> {
        self.check_changeable()?;
        let old: Vec<_> = self.files().iter().map(PackedFile::name).collect();
        let old: HashSet<_> = old.iter().map(|name| within_game(name)).collect();
        let changes = self.by_name(changes, &old)?;
        let starts = self.starts();
        let mut files = Vec::with_capacity(self.files().len() + changes.len());
        for file in self.files() {
            let name = file.name();
            match changes.get(within_game(&name)) {
                Some(PackChange::Remove { .. }) => {}
                Some(PackChange::Put { content, .. }) => {
                    files.push((self.with_content(file, content)?, Content::New(content)));
                }
                None => files.push((file.clone(), self.kept(file, &starts)?)),
            }
        }
        let has_root = self.files().iter().all(|file| file.name().starts_with("res://"));
        let root = if has_root && !self.files().is_empty() { "res://" } else { "" };
        let mut new: Vec<_> = changes.iter().filter(|(name, _)| !old.contains(**name)).collect();
        new.sort_by_key(|(name, _)| **name);
        let there: Vec<String> = files
            .iter()
            .filter(|(file, _)| !file.is_removal())
            .map(|(file, _)| file.name())
            .collect();
        let new_names = || new.iter().map(|(name, _)| within_game(name));
        let all = there.iter().map(|name| within_game(name)).chain(new_names()).collect();
        if let Some((name, other)) = folder_and_file(new_names(), &all) {
            let (at, found) = (self.directory.start as u64, format!("{name:?} beside {other:?}"));
            let expected = "files whose names are no folders of others";
            return Err(Error::new(rule::FOLDER, at, expected, found));
        }
        for (name, change) in new {
            if let PackChange::Put { content, .. } = change {
                files.push((new_file(&format!("{root}{name}"), content)?, Content::New(content)));
            }
        }
        self.laid_out(files, self.alignment())
    }

    /// Returns the offsets at which contents, the directory and the end of the pack are, in their order.
    fn starts(&self) -> Vec<u64> {
        let contents = self.stored().map(|(_, file)| file.offset);
        let others = [self.directory.start as u64, self.place.end as u64];
        let mut starts: Vec<_> = contents.chain(others).collect();
        starts.sort_unstable();
        starts
    }

    /// Returns an error for packs that cannot be written whole.
    fn check_changeable(&self) -> Result<()> {
        let at = self.directory.start as u64;
        if self.is_directory_encrypted() {
            let expected = "a directory that is not encrypted";
            return Err(Error::new(rule::SEALED, at, expected, "an encrypted one"));
        }
        if self.is_sparse() {
            let (expected, found) =
                ("contents in the pack", "a pack whose contents are outside it");
            return Err(Error::new(rule::CONTENT, at, expected, found));
        }
        let end = self.place.file_end();
        let first = self.stored().map(|(_, file)| file.offset as usize).min();
        let (front, back) = match self.version {
            0..3 => (self.directory.end..first.unwrap_or(self.place.end), end..self.bytes.len()),
            _ => (
                self.head.end..first.unwrap_or(self.directory.start),
                self.directory.end..self.place.end,
            ),
        };
        for range in [front, back, end..self.bytes.len()] {
            let between = self.bytes.get(range.clone()).unwrap_or_default();
            if between.iter().any(|&byte| byte != 0) {
                let found =
                    format!("{} that belong to no file", formwork::wire::bytes(between.len()));
                let expected = "nothing but files, such as no signature";
                return Err(Error::new(rule::BEHIND, range.start as u64, expected, found));
            }
        }
        Ok(())
    }

    /// Returns the changes by the names of their files; `old` has the names in the pack.
    fn by_name<'c>(
        &self,
        changes: &'c [PackChange],
        old: &HashSet<&str>,
    ) -> Result<HashMap<&'c str, &'c PackChange>> {
        let mut by_name = HashMap::with_capacity(changes.len());
        for change in changes {
            let name = change.name();
            let at = self.directory.start as u64;
            if by_name.insert(name, change).is_some() {
                let found = format!("two of {name:?}");
                return Err(Error::new(rule::NAME_ONCE, at, "one change of each file", found));
            }
            if matches!(change, PackChange::Remove { .. }) && !old.contains(name) {
                let expected = format!("a file {name:?} to be removed");
                return Err(Error::new(rule::FILE, at, expected, "no such file"));
            }
        }
        Ok(by_name)
    }

    /// Returns the entry of a file with another content.
    fn with_content(&self, file: &PackedFile, content: &[u8]) -> Result<PackedFile> {
        if file.is_encrypted() || file.is_delta() {
            let (expected, found) = match file.is_encrypted() {
                true => ("a file that is not encrypted", "an encrypted one"),
                false => ("a file's own content", "what changed against another pack"),
            };
            return Err(Error::new(rule::CONTENT, file.entry, expected, found));
        }
        let digest = match file.digest() {
            None if !file.is_removal() => file.digest,
            _ => Md5::digest(content).into(),
        };
        Ok(PackedFile {
            size: content.len() as u64,
            digest,
            flags: FileFlags::new(),
            ..file.clone()
        })
    }

    /// Returns the content of a file that stays; `starts` has what follows, in order.
    fn kept(&self, file: &PackedFile, starts: &[u64]) -> Result<Content<'_>> {
        if file.is_removal() || file.stored_size() == 0 {
            return Ok(Content::None);
        }
        let content = self.content(file)?;
        let end = file.range().end;
        let next = starts.get(starts.partition_point(|&at| at < end));
        let gap = next.and_then(|&next| self.bytes.get(end as usize..next as usize));
        let gap = gap.filter(|gap| gap.iter().any(|&byte| byte != 0));
        Ok(Content::Kept(content, gap.unwrap_or_default()))
    }

    /// Returns the bytes of the file with a pack of these files, each at a multiple of `alignment`.
    pub(super) fn laid_out(
        &self,
        mut files: Vec<(PackedFile, Content<'_>)>,
        alignment: u64,
    ) -> Result<Vec<u8>> {
        let mut at = self.head.end as u64;
        if self.version < 3 {
            let names: usize = files.iter().map(|(file, _)| file.raw_name.len()).sum();
            at += (size_of::<u32>() + names + entry_size(self.version) * files.len()) as u64;
        }
        let first = at.next_multiple_of(alignment);
        // Contents keep their order; files that share a content go on sharing it.
        let mut order: Vec<usize> = (0..files.len()).collect();
        let is_new = |index: &usize| matches!(files[*index].1, Content::New(_));
        order.sort_by_key(|index| {
            let added = is_new(index) && files[*index].0.entry == u64::MAX;
            (added, files[*index].0.offset, *index)
        });
        let mut bytes = self.bytes.get(..self.head.end).unwrap_or_default().to_vec();
        bytes.resize(first as usize, 0);
        let mut placed: HashMap<(u64, u64), u64> = HashMap::new();
        for index in order {
            let (file, content) = &mut files[index];
            let old = (file.offset, file.stored_size());
            let is_kept = matches!(content, Content::Kept(..));
            if let Some(&there) = placed.get(&old).filter(|_| is_kept) {
                file.offset = there;
                continue;
            }
            let (content, gap): (&[u8], &[u8]) = match content {
                Content::Kept(content, gap) => (content, gap),
                Content::New(content) => (content, &[]),
                Content::None => {
                    if !file.is_removal() {
                        file.offset = bytes.len() as u64;
                    }
                    continue;
                }
            };
            file.offset = bytes.len() as u64;
            if is_kept {
                placed.insert(old, file.offset);
            }
            bytes.extend(content);
            bytes.extend(gap);
            bytes.resize(bytes.len().next_multiple_of(alignment as usize), 0);
        }
        let base = match self.version {
            0 | 1 => 0,
            2 if !self.flags.relative() && self.base == 0 => 0,
            _ => first,
        };
        let files = files.into_iter().map(|(file, _)| match file.is_removal() {
            true => PackedFile {
                offset: base.wrapping_add(file.offset.wrapping_sub(self.base)),
                ..file
            },
            false => file,
        });
        let files: Vec<PackedFile> = files.collect();
        let entries = directory(self.version, base, &files);
        let directory_at = if self.version < 3 { self.head.end as u64 } else { bytes.len() as u64 };
        match self.version {
            0..3 => put(&mut bytes, directory_at, &entries, "directory")?,
            _ => bytes.extend(&entries),
        }
        self.set_head(&mut bytes, base, directory_at)?;
        let mut end = bytes.len() as u64;
        if self.place.trailer {
            // Engines pad here, too, but by another number of bytes, which they do not look at.
            bytes.resize((bytes.len() + TRAILER).next_multiple_of(8), 0);
            end = (bytes.len() - TRAILER) as u64;
        }
        self.resized(bytes, end)
    }

    /// Sets the offsets in the head.
    pub(super) fn set_head(&self, bytes: &mut [u8], base: u64, directory: u64) -> Result<()> {
        let start = self.place.start as u64;
        let old = self.bytes.get(self.place.start..).unwrap_or_default();
        match self.version {
            0 | 1 => Ok(()),
            2 => {
                let mut head: FlaggedPackHead<'_> = read_record(&mut Cursor::new(old))?;
                head.file_base = if self.flags.relative() { base - start } else { base };
                put(bytes, start, &bytes_of(&head), "head")
            }
            _ => {
                let mut head: PlacedPackHead<'_> = read_record(&mut Cursor::new(old))?;
                (head.file_base, head.directory) = (base - start, directory - start);
                put(bytes, start, &bytes_of(&head), "head")
            }
        }
    }
}

/// Returns the entry of a new file, without a place.
pub(super) fn new_file(name: &str, content: &[u8]) -> Result<PackedFile> {
    if let Some(why) = unsafe_part(name) {
        let found = format!("{name:?}: {why}");
        return Err(Error::new(rule::NAME, 0, "a path within the game", found).within("name"));
    }
    let mut raw_name = name.as_bytes().to_vec();
    raw_name.resize(raw_name.len() + Padding::needed(raw_name.len()), 0);
    if u32::try_from(raw_name.len()).is_err() {
        let found = raw_name.len().to_string();
        let expected = "a name of at most 4294967295 bytes";
        return Err(Error::new(rule::LENGTH, 0, expected, found).within("name"));
    }
    Ok(PackedFile {
        raw_name: raw_name.into(),
        offset: 0,
        size: content.len() as u64,
        digest: Md5::digest(content).into(),
        flags: FileFlags::new(),
        entry: u64::MAX,
    })
}
