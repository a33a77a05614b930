//! Zip archives as packs: mods, `.apk` files of Android, projects of other programs. Engines load a zip as they load a
//! pack.

use std::collections::HashMap;
use std::io::{Cursor, Read, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{PackChange, rule, unsafe_part, within_game};
use formwork::{Error, Result, Rule};
use formwork_records::limits::Limits;

/// The files in a zip archive.
///
/// ```
/// use formwork_godot::pack::{PackChange, ZipPack};
/// use formwork_records::limits::Limits;
///
/// let put = |name: &str, content: &[u8]| PackChange::Put { name: name.into(), content: content.into() };
/// // (An empty archive is the mark of its end.)
/// let empty = ZipPack::open(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")?;
/// let archive = empty.with_changes(&[put("mod/level.json", b"[1, 2]")])?;
///
/// let zip = ZipPack::open(&archive)?;
/// let file = zip.find("res://mod/level.json")?;
/// assert_eq!(zip.content(file, &Limits::default())?, b"[1, 2]");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ZipPack<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    files: Vec<ZippedFile>,
}

/// A file in a zip archive.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct ZippedFile {
    /// The name as it is in the archive.
    pub name: String,
    /// Bytes of the content.
    pub size: u64,
    /// Bytes of the content as it is stored.
    pub stored_size: u64,
    /// The CRC-32 of the content.
    pub crc32: u32,
    /// Whether the content is encrypted, which no engine reads.
    pub is_encrypted: bool,
    /// The position in the archive.
    index: usize,
}

fn fault(error: &ZipError) -> Error {
    Error::new(rule::ZIP, 0, "a zip archive as engines read it", error.to_string())
}

impl<'a> ZipPack<'a> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no zip archive, or if its directory is damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| fault(&error))?;
        let mut files = Vec::new();
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index).map_err(|error| fault(&error))?;
            if file.is_dir() {
                continue;
            }
            files.push(ZippedFile {
                name: file.name().map_err(|error| fault(&error))?.into_owned(),
                size: file.size(),
                stored_size: file.compressed_size(),
                crc32: file.crc32(),
                is_encrypted: file.encrypted(),
                index,
            });
        }
        Ok(Self { archive, files })
    }

    /// Returns the files, in the order of the directory.
    #[must_use]
    pub fn files(&self) -> &[ZippedFile] {
        &self.files
    }

    /// Returns the file of that name, with or without `res://`; in an `.apk`, a file of the game is in `assets`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such file.
    pub fn find(&self, name: &str) -> Result<&ZippedFile> {
        let name = within_game(name);
        let named = |name: &str| self.files.iter().rfind(|file| file.name == name);
        named(name).or_else(|| named(&format!("assets/{name}"))).ok_or_else(|| {
            Error::new(rule::FILE, 0, "the name of a file in this archive", name.to_owned())
        })
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is damaged or encrypted, is packed in a way that no engine reads, or has more bytes than
    /// the limit allows ([`Limits::unpacked_bytes`]).
    pub fn content(&self, file: &ZippedFile, limits: &Limits) -> Result<Vec<u8>> {
        let most = limits.unpacked_bytes;
        let too_large = || {
            let expected = format!("at most {most} bytes");
            Error::new(Rule::SIZE_LIMIT, 0, expected, file.size.to_string()).within("content")
        };
        if file.size > most {
            return Err(too_large());
        }
        let mut archive = self.archive.clone();
        let mut reader = archive.by_index(file.index).map_err(|error| fault(&error))?;
        let mut content = Vec::new();
        let read = reader.by_ref().take(most.saturating_add(1)).read_to_end(&mut content);
        read.map_err(|error| {
            Error::new(rule::ZIP, 0, "the content of the file, undamaged", error.to_string())
                .within("content")
        })?;
        if content.len() as u64 > most { Err(too_large()) } else { Ok(content) }
    }

    /// Returns the bytes of the archive with these changes.
    ///
    /// Files that no change names keep their stored bytes, order and time. A file that is replaced keeps its place, and is
    /// packed or not as before. New files follow the others, packed with Deflate.
    ///
    /// # Errors
    ///
    /// Returns an error if a change removes a file that is not there, or names one that is no path in a game.
    pub fn with_changes(&self, changes: &[PackChange]) -> Result<Vec<u8>> {
        let mut by_index: HashMap<usize, &PackChange> = HashMap::new();
        let mut new = Vec::new();
        for change in changes {
            let name = change.name();
            if let Some(why) = unsafe_part(name) {
                let expected = format!("a path in the game ({why})");
                return Err(Error::new(rule::NAME, 0, expected, name.to_owned()));
            }
            match (self.find(name), change) {
                (Ok(file), _) => drop(by_index.insert(file.index, change)),
                (Err(error), PackChange::Remove { .. }) => return Err(error),
                (Err(_), PackChange::Put { content, .. }) => new.push((name, content)),
            }
        }
        let mut archive = self.archive.clone();
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.set_raw_comment(archive.comment().into()).map_err(|error| fault(&error))?;
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index).map_err(|error| fault(&error))?;
            match by_index.get(&index) {
                None => writer.raw_copy_file(file).map_err(|error| fault(&error))?,
                Some(PackChange::Remove { .. }) => {}
                Some(PackChange::Put { content, .. }) => {
                    let method = match file.compression() {
                        CompressionMethod::Stored => CompressionMethod::Stored,
                        _ => CompressionMethod::Deflated,
                    };
                    let options = file.options().compression_method(method);
                    let name = file.name().map_err(|error| fault(&error))?.into_owned();
                    put(&mut writer, &name, content, options)?;
                }
            }
        }
        for (name, content) in new {
            // (Without the time, so that the same change gives the same bytes.)
            let options = SimpleFileOptions::default();
            put(
                &mut writer,
                name,
                content,
                options.compression_method(CompressionMethod::Deflated),
            )?;
        }
        writer.finish().map(Cursor::into_inner).map_err(|error| fault(&error))
    }

    /// Returns the faults of the files: contents that are damaged.
    #[must_use]
    pub fn check(&self, limits: &Limits) -> Vec<(String, Error)> {
        let files = self.files.iter().filter(|file| !file.is_encrypted);
        let fault = |file: &ZippedFile| {
            self.content(file, limits).err().map(|error| (file.name.clone(), error))
        };
        files.filter_map(fault).collect()
    }
}

fn put(
    writer: &mut ZipWriter<Cursor<Vec<u8>>>,
    name: &str,
    content: &[u8],
    options: SimpleFileOptions,
) -> Result<()> {
    let large = content.len() >= u32::MAX as usize;
    writer.start_file(name, options.large_file(large)).map_err(|error| fault(&error))?;
    let written = writer.write_all(content);
    written
        .map_err(|error| Error::new(rule::ZIP, 0, "a file that can be written", error.to_string()))
}

/// Whether the bytes are a zip archive.
#[must_use]
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}
