//! A file in a pack, named `PACK!NAME`.

use formwork_variant::Dialect;
use std::io;
use std::path::{Path, PathBuf};

use formwork_godot::detect::Other;
use formwork_godot::pack;
use formwork_godot::pack::{EngineRelease, Pack, PackChange, ZipPack, is_zip};
use formwork_godot::wrapper::{self, Key, Unwrapped};

use crate::failure::Failure;
use crate::format::LimitOptions;
use crate::remark;
use crate::source::Source;
use crate::store;
use crate::style::shown;

/// A file in a pack.
#[derive(Clone, Debug)]
pub struct Member {
    /// The path of the pack.
    pub pack: PathBuf,
    /// The name in the pack, with or without `res://`.
    name: String,
}

impl Member {
    /// Parses a path `PACK!NAME`. Returns none for the path of an existing file.
    pub fn of(path: &Path) -> Option<Self> {
        let text = path.to_str().filter(|_| !path.exists())?;
        let parts =
            text.match_indices('!').map(|(at, mark)| (&text[..at], &text[at + mark.len()..]));
        let mut parts = parts.filter(|(pack, name)| !name.is_empty() && Path::new(pack).is_file());
        let (pack, name) = parts.next()?;
        Some(Self { pack: pack.into(), name: name.to_owned() })
    }

    /// Reads the file from its pack. A file that is encrypted in the pack is read like any other
    /// encrypted file.
    pub fn source(&self, key: Option<&Key>) -> Result<Source, Failure> {
        let bytes = self.bytes(store::read_member)?;
        let pack_name = shown(self.pack.display());
        if is_zip(&bytes) {
            let zip = self.zip(&bytes)?;
            let file = zip.find(&self.name).map_err(|_| self.not_in_zip(&zip))?;
            let name = format!("{pack_name}!{}", shown(&file.name));
            let limits = LimitOptions::default().limits();
            let content = zip.content(file, &limits);
            let content = content.map_err(|error| Failure::in_value(&name, error))?;
            let (file, key) = (Unwrapped::new(content), key.cloned());
            return Ok(Source { name, file, engine: None, key, is_in_pack: true });
        }
        let pack = self.opened(&bytes, key)?;
        let file = pack.find(&self.name).map_err(|_| self.no_such_file(&pack))?;
        let name = format!("{pack_name}!{}", shown(pack::within_game(&file.name())));
        let content =
            pack.wrapped_content(file).map_err(|error| Failure::in_bytes(&name, &bytes, error))?;
        if file.is_delta() {
            remark(&format!(
                "{name}: this is only what a patch changes in the file of this name, which is in another pack"
            ));
        }
        let (file, engine, key) = (Unwrapped::new(content), dialect(&pack), key.cloned());
        Ok(Source { name, file, engine, key, is_in_pack: true })
    }

    /// Returns the bytes of the pack with `content` in the place of this file.
    pub fn replaced(&self, content: &[u8]) -> Result<Vec<u8>, Failure> {
        let bytes = self.bytes(store::read_pack)?;
        let name = shown(self.pack.display());
        if is_zip(&bytes) {
            let zip = self.zip(&bytes)?;
            let file = zip.find(&self.name).map_err(|_| {
                let add = format!("formwork pack {name} --put FILE={}", shown(&self.name));
                self.not_in_zip(&zip).hint(format!("to add a file: {add}"))
            })?;
            let (file, content) = (file.name.clone(), content.to_vec());
            let changed = zip.with_changes(&[PackChange::Put { name: file, content }]);
            return changed.map_err(|error| Failure::in_value(&name, error));
        }
        if Pack::open(&bytes).is_ok_and(|pack| pack.is_directory_encrypted()) {
            return Err(not_written(&name));
        }
        let pack = self.opened(&bytes, None)?;
        let file = pack.find(&self.name).map_err(|_| {
            let add = format!("formwork pack {name} --put FILE={}", shown(&self.name));
            self.no_such_file(&pack).hint(format!("to add a file: {add}"))
        })?;
        pack.with_file(file, content).map_err(|error| {
            let name = format!("{name}!{}", shown(&self.name));
            Failure::in_bytes(&name, &bytes, error)
        })
    }

    /// Returns whether an output has the extension of the pack, and is not itself a file in a pack.
    pub fn is_named_as_pack(&self, output: &Path) -> bool {
        let (ours, other) = (self.pack.extension(), output.extension());
        let is_alike =
            ours.zip(other).is_some_and(|(ours, other)| ours.eq_ignore_ascii_case(other));
        is_alike && Self::of(output).is_none()
    }

    /// Returns the name in the pack, without `res://`.
    pub fn key(&self) -> &str {
        pack::within_game(&self.name)
    }

    fn bytes(&self, read: impl Fn(&Self) -> io::Result<Vec<u8>>) -> Result<Vec<u8>, Failure> {
        let name = shown(self.pack.display());
        read(self).map_err(|error| Failure::stream("could not be read", &name, &error))
    }

    fn opened<'b>(&self, bytes: &'b [u8], key: Option<&Key>) -> Result<Pack<'b>, Failure> {
        let name = shown(self.pack.display());
        let limits = LimitOptions::default();
        let pack = Pack::open(bytes).map_err(|error| match pack::is_pack(bytes) {
            true => Failure::in_bytes(&name, bytes, error),
            false => {
                let what = Other::by_start(bytes).map_or("no pack of a game", Other::description);
                Failure::usage(format!(
                    "{name}: this is {what}, so there is no file '{}' in it",
                    shown(&self.name)
                ))
            }
        })?;
        let pack = opened(pack, &name, key, limits)?;
        if pack.sealed_directory().is_some() { Err(needs_key(&name)) } else { Ok(pack) }
    }

    fn zip<'b>(&self, bytes: &'b [u8]) -> Result<ZipPack<'b>, Failure> {
        let name = shown(self.pack.display());
        ZipPack::open(bytes).map_err(|error| Failure::in_value(&name, error))
    }

    fn not_in_zip(&self, zip: &ZipPack<'_>) -> Failure {
        self.not_among(zip.files().iter().map(|file| file.name.clone()))
    }

    fn no_such_file(&self, pack: &Pack<'_>) -> Failure {
        self.not_among(pack.files().iter().map(|file| file.name()))
    }

    /// Makes the failure for a name that none of these files has.
    fn not_among(&self, mut names: impl Iterator<Item = String>) -> Failure {
        let (name, wanted) = (shown(self.pack.display()), shown(&self.name));
        let failure =
            Failure::unreadable(format!("{name}: there is no file '{wanted}' in this pack"));
        let last = self.name.rsplit('/').next().unwrap_or(&self.name);
        match names.find(|it| it.ends_with(last)) {
            Some(similar) => {
                let similar = shown(pack::within_game(&similar));
                failure.hint(format!("there is '{name}!{similar}'"))
            }
            None => failure.hint(format!("'formwork info {name} --all' lists its files")),
        }
    }
}

/// Returns the pack with its directory decrypted, if it is encrypted and there is a key.
pub fn opened<'a>(
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

/// Makes the failure for a pack that cannot be changed.
pub fn not_written(name: &str) -> Failure {
    Failure::no(format!("{name}: the directory of this pack is encrypted"))
        .line("A pack with an encrypted directory can be read with the key, but not written.")
}

/// Makes the failure for an encrypted directory.
pub fn needs_key(name: &str) -> Failure {
    Failure::usage(format!("{name}: the directory of this pack is encrypted: a key is needed"))
        .hint("use --key KEY: 64 hex digits, which the game's export was set up with")
}

/// Returns the dialect of the release that wrote a pack, in which the values in the pack are.
/// Returns the newest dialect for a release newer than all known ones.
pub fn dialect(pack: &Pack<'_>) -> Option<Dialect> {
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
