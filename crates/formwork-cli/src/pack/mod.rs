//! The commands for packs of games, and for the files in packs.

mod extract;
mod info;
mod make;
mod rows;
mod verify;
mod zip;

pub(crate) use info::SHOWN;
pub(crate) use make::PackFiles;
pub(crate) use zip::Zip;

use crate::listing::Listed;
use crate::store::dialect;
use crate::store::needs_key;
use crate::store::opened;
use std::collections::HashSet;

use formwork_godot::pack::{Pack, PackedFile, within_game};
use formwork_godot::wrapper::Unwrapped;
use formwork_variant::Dialect;
use formwork_variant::{Dictionary, Variant};

use super::container::Torn;
use super::failure::{Failure, Status};
use super::file::{Checking, Decodes, Decoding, Describing};
use super::format::LimitOptions;
use super::framing::FramingName;
use super::packets::Input;
use super::report::Report;
use super::rows::Rows;
use super::source::Source;
use super::style::shown;
use super::verdict::Verdict;

/// A pack of a game, alone or appended to an executable.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Source,
    pub(crate) limits: LimitOptions,
}

impl super::file::File for File {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        "a pack"
    }

    fn refusal(&self) -> Failure {
        let name = &self.source.name;
        Failure::usage(format!("{name}: this is a pack of files, not one file of values"))
            .hint(format!(
                "to use a file of it: '{name}!NAME' ('formwork info {name}' lists the names)"
            ))
            .hint(format!(
                "to add or remove files: formwork pack {name} --put FILE, or --remove NAME"
            ))
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Members)?;
        match decoding.into {
            Some(folder) => self.extract(folder),
            None => self.list(decoding),
        }
    }

    fn recover(&self, _: &Decoding<'_>, _: &Torn) -> Result<Status, Failure> {
        let name = &self.source.name;
        let failure =
            Failure::usage(format!("{name}: --recover is for files of values, not for packs"));
        // Without its directory, no file of a pack is found.
        Err(match self.open() {
            Ok(_) => failure
                .hint(format!("to take out what is whole: formwork decode '{name}' --into FOLDER")),
            Err(fault) => fault,
        })
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.pack(self, asked.all);
        Status::Done
    }

    fn verify(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        self.checked(checking)
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        self.parts(rows)
    }
}

impl File {
    /// Makes a pack of a source.
    pub(crate) fn new(source: Source, limits: LimitOptions) -> Self {
        Self { source, limits }
    }

    /// Reads header and directory. Decrypts an encrypted directory if there is a key.
    pub(crate) fn open(&self) -> Result<Pack<'_>, Failure> {
        let pack = Pack::open(self.source.content()).map_err(|error| self.failure(error))?;
        opened(pack, &self.source.name, self.source.key.as_ref(), self.limits)
    }

    /// Reads header and directory, and refuses an encrypted directory.
    pub(crate) fn open_whole(&self) -> Result<Pack<'_>, Failure> {
        let pack = self.open()?;
        match pack.sealed_directory() {
            Some(_) => Err(needs_key(&self.source.name)),
            None => Ok(pack),
        }
    }

    /// Returns a packet to compare packs by: the names of the files, each with size and MD5 sum.
    /// The files in `without` are left out.
    pub(crate) fn packet(&self, without: &HashSet<String>) -> Result<Input, Failure> {
        let listed = Listed::all(&self.open_whole()?);
        let listed = listed.iter().filter(|file| !without.contains(file.name()));
        let value: Dictionary = listed.map(Listed::compared).collect::<Vec<_>>().into();
        let value = Variant::<f32>::Dictionary(value);
        let (name, dialect) = (self.source.name.clone(), Dialect::GODOT4);
        let packet = self.limits.encoder(dialect).encode(&value);
        let packet = packet.map_err(|error| Failure::in_value(&name, error))?;
        Ok(Input::known(Source::of_bytes(name, packet), dialect, FramingName::Bare, self.limits))
    }

    /// Returns the files whose contents differ between this pack and another, by name: the file of
    /// this pack, and that of the other.
    pub(crate) fn differing(&self, other: &Self) -> Result<Vec<(String, [Source; 2])>, Failure> {
        let (own, others) = (self.open_whole()?, other.open_whole()?);
        let mut differing = Vec::new();
        for (file, listed) in own.files().iter().zip(Listed::all(&own)) {
            let Ok(there) = others.find(&file.name()) else { continue };
            if listed.compared() == Listed::of(&others, there).compared() {
                continue;
            }
            let sources = [self.member(&own, file), other.member(&others, there)];
            if let [Some(one), Some(two)] = sources {
                differing.push((listed.name().to_owned(), [one, two]));
            }
        }
        Ok(differing)
    }

    /// Returns a file of the pack as a source.
    fn member(&self, pack: &Pack<'_>, file: &PackedFile) -> Option<Source> {
        let content = pack.wrapped_content(file).ok()?;
        Some(Source {
            name: format!("{}!{}", self.source.name, shown(within_game(&file.name()))),
            file: Unwrapped::new(content),
            engine: dialect(pack),
            key: self.source.key.clone(),
            is_in_pack: true,
        })
    }

    /// Makes the failure for a fault in the file's bytes.
    pub(crate) fn failure(&self, error: formwork_variant::Error) -> Failure {
        Failure::in_source(&self.source, error.shifted(self.source.skipped() as u64))
    }
}

/// Returns the release in words: `Godot 3.2.3`.
pub(crate) fn release_in_words(pack: &Pack<'_>) -> String {
    let engine = match dialect(pack) {
        Some(dialect) if dialect.name().starts_with("pandemonium") => "Pandemonium",
        _ => "Godot",
    };
    format!("{engine} {}", pack.engine())
}
