//! The commands for packs of games, and for the files in packs.

mod extract;
mod info;
mod listing;
mod make;
mod member;
mod verify;

pub(crate) use extract::Extraction;
pub(crate) use info::SHOWN;
pub(crate) use listing::Listed;
pub(crate) use make::PackFiles;
pub(crate) use member::Member;

use std::collections::HashSet;

use formwork_godot::detect::{Detector, Other, detect, text};
use formwork_godot::pack::{EngineRelease, Pack, PackedFile, within_game};
use formwork_godot::wrapper;
use formwork_godot::wrapper::{Key, Unwrapped};
use formwork_variant::Dialect;
use formwork_variant::{Dictionary, Variant};

use super::failure::Failure;
use super::format::LimitOptions;
use super::guess::engine_name;
use super::input::Source;
use super::packets::Input;
use super::style::shown;

/// A pack of a game, alone or appended to an executable.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) source: Source,
    pub(crate) limits: LimitOptions,
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
            Some(_) => Err(locked(&self.source.name)),
            None => Ok(pack),
        }
    }

    /// Returns a packet to compare packs by: the names of the files, each with size and MD5 sum.
    /// The files in `without` are left out.
    pub(crate) fn into_packet(self, without: &HashSet<String>) -> Result<Input, Failure> {
        let listed = Listed::all(&self.open_whole()?);
        let listed = listed.iter().filter(|file| !without.contains(file.name()));
        let value: Dictionary = listed.map(Listed::compared).collect::<Vec<_>>().into();
        let value = Variant::<f32>::Dictionary(value);
        Input::of_value(self.source.name.clone(), &value, Dialect::GODOT4, self.limits)
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

    /// Makes the failure for a pack where a file of values is expected.
    pub(crate) fn no_values(name: &str) -> Failure {
        Failure::usage(format!("{name}: this is a pack of files, not one file of values")).hint(
            format!("to use a file of it: '{name}!NAME' ('formwork info {name}' lists the names)"),
        )
    }

    /// Makes the failure for a fault in the file's bytes.
    pub(crate) fn failure(&self, error: formwork_variant::Error) -> Failure {
        Failure::in_source(&self.source, error.shifted(self.source.skipped() as u64))
    }
}

/// Returns the pack with its directory decrypted, if it is encrypted and there is a key.
fn opened<'a>(
    mut pack: Pack<'a>,
    name: &str,
    key: Option<&Key>,
    limits: LimitOptions,
) -> Result<Pack<'a>, Failure> {
    let (Some(sealed), Some(key)) = (pack.sealed_directory(), key) else { return Ok(pack) };
    let content = wrapper::decrypt(&sealed, key, &limits.limits());
    let (_, content) = content.map_err(|_| {
        Failure::no(format!("{name}: the key does not open the directory of this pack"))
            .line("A pack is encrypted with a key that was set when the game was exported, not with a password.")
    })?;
    pack.open_directory(&content).map_err(|error| {
        Failure::no(format!("{name}: the directory, which was encrypted, is damaged: {error}"))
    })?;
    Ok(pack)
}

/// Returns the file whose content holds the byte at `offset`.
pub(crate) fn content_at<'p>(pack: &'p Pack<'_>, offset: u64) -> Option<&'p PackedFile> {
    let holds = |file: &&PackedFile| {
        let after = offset.checked_sub(file.offset());
        !file.is_removal() && after.is_some_and(|after| after < file.stored_size())
    };
    pack.files().iter().find(holds)
}

/// Makes the failure for an encrypted directory.
fn locked(name: &str) -> Failure {
    Failure::usage(format!("{name}: the directory of this pack is encrypted: a key is needed"))
        .hint("use --key KEY: 64 hex digits, which the game's export was set up with")
}

/// Returns the release in words: `Godot 3.2.3`.
pub(crate) fn release_in_words(pack: &Pack<'_>) -> String {
    let engine = match dialect(pack) {
        Some(dialect) if dialect.name().starts_with("pandemonium") => "Pandemonium",
        _ => "Godot",
    };
    format!("{engine} {}", pack.engine())
}

/// Returns the dialect of the release that wrote a pack, in which the values in the pack are.
/// Returns the newest dialect for a release newer than all known ones.
pub(crate) fn dialect(pack: &Pack<'_>) -> Option<Dialect> {
    let EngineRelease { major, minor, .. } = pack.engine();
    // Pandemonium continues the version numbers of Godot 3, and keeps its form of packs.
    let name = match (major, minor, pack.version()) {
        (5.., _, _) => "pandemonium5".to_owned(),
        (4, _, 0 | 1) | (3, 8.., _) => "pandemonium4".to_owned(),
        (3, 7, _) => "pandemonium3".to_owned(),
        (0 | 1, _, _) | (2, 0, _) => "godot2.0".to_owned(),
        (2, _, _) => "godot2".to_owned(),
        (major, minor, _) => format!("godot{major}.{minor}"),
    };
    name.parse().or_else(|_| format!("godot{major}").parse()).ok()
}

/// Returns the kind of a file of a pack, in a word of `info`.
pub(crate) fn kind(pack: &Pack<'_>, file: &PackedFile) -> String {
    /// Number of bytes that are searched for values.
    const LOOKED_AT: usize = 1 << 16;
    if file.is_removal() {
        return "removed".into();
    }
    if file.is_encrypted() {
        return "encrypted".into();
    }
    if file.is_delta() {
        return "delta".into();
    }
    let Ok(content) = pack.content(file) else { return "unknown".into() };
    if content.is_empty() {
        return "empty".into();
    }
    if let Some(other) = Other::by_start(content) {
        return other.name().into();
    }
    if content.len() <= LOOKED_AT {
        let detection = detect(content);
        if let Some(best) = detection.best() {
            // A pack may hold a save of another engine than the one that wrote the pack.
            let fits = |own: &Dialect| {
                Detector::new().family(own.family()).detect(content).best().is_some()
            };
            let own = dialect(pack).filter(fits).map(|own| own.to_string());
            let engine = own.unwrap_or_else(|| engine_name(best.dialect));
            return format!("{engine} values");
        }
        if let Some(other) = detection.other {
            return other.name().into();
        }
    }
    text(content).map_or("unknown", Other::name).into()
}
