//! `pack`: makes a pack of a folder, and changes which files a pack has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_godot::pack::{
    EngineRelease, Pack, PackBuilder, PackChange, ZipPack, is_pack, is_zip, rule, within_game,
};
use formwork_variant::Dialect;
use formwork_variant::dialect::Family;

use crate::failure::{Failure, Status};
use crate::lines::FileReport;
use crate::lines::whole_name;
use crate::output::{InPlaceOptions, OutputOptions, print_object};
use crate::quantity::counted;
use crate::report_line;
use crate::source::{is_stdin, name};
use crate::store::{self, not_written};
use crate::style::shown;
use crate::writing::all_of;

/// Make the pack of a game, or change the files in one
///
/// A folder becomes a pack. In a pack (or an executable with one inside), --put adds and replaces files, and --remove
/// takes files out; all others keep their bytes.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct PackFiles {
    /// Folder to make a pack of; or pack to change, alone or in an executable
    #[arg(value_name = "FOLDER|PACK")]
    input: PathBuf,
    /// Put FILE into the pack as NAME, or all files of a folder
    ///
    /// Without a NAME, a file is put under its own name, and the files of a folder under their paths in it. With a
    /// NAME, the paths are below NAME. A file of that name in the pack is replaced.
    #[arg(long, value_name = "FILE[=NAME]")]
    put: Vec<String>,
    /// Take the file NAME out of the pack
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    /// Make a pack for the engine and with the layout of PACK
    #[arg(long, value_name = "PACK", conflicts_with_all = ["put", "remove"])]
    like: Option<PathBuf>,
    /// Make a pack for this engine: godot3.6, godot4.6, ...
    #[arg(short, long, value_name = "FORMAT", conflicts_with_all = ["put", "remove", "like"])]
    format: Option<Dialect>,
    /// Put the new pack behind this executable, such as an export template
    #[arg(long, value_name = "EXECUTABLE", conflicts_with_all = ["put", "remove"])]
    behind: Option<PathBuf>,
    #[command(flatten)]
    output: OutputOptions,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object about what was done
    #[arg(long)]
    json: bool,
}

const AFTER: &str = r#"Examples:
  formwork pack mod/ --format godot4.6 -o mod.pck
  formwork pack mod/ --like game.pck -o mod.pck
  formwork pack game.pck --put mod/
  formwork pack game.pck --put icon.png=art/icon.png --remove note.txt -o changed.pck
  formwork pack game.exe --put mod/
  formwork pack game/ --format godot4.6 --behind template.exe -o game.exe

Without -o, a pack is changed where it is, and the old one is kept as NAME.bak ('formwork undo NAME' goes back).
To take all files out of a pack: formwork decode game.pck --into FOLDER.

Exit status: 0 done, 1 the pack cannot be changed, 2 wrong use, 3 a file could not be read or written."#;

/// The names of the files that were added, replaced and removed.
#[derive(Default)]
struct Done {
    added: BTreeSet<String>,
    replaced: BTreeSet<String>,
    removed: BTreeSet<String>,
    /// Number of files in the changed pack.
    files: usize,
}

impl PackFiles {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if is_stdin(&self.input) {
            return Err(Failure::usage("a pack is made of a folder or another pack; name one"));
        }
        if self.input.is_dir() { self.make() } else { self.change() }
    }

    /// Makes a pack of a folder.
    fn make(&self) -> Result<Status, Failure> {
        let folder = name(&self.input);
        if !self.put.is_empty() || !self.remove.is_empty() {
            return Err(Failure::usage(format!(
                "{folder}: this is a folder, and no pack to change"
            ))
            .hint("name the pack first: formwork pack game.pck --put FOLDER"));
        }
        let mut builder = self.builder()?;
        if let Some(executable) = &self.behind {
            builder = builder.behind(read(executable)?);
        }
        let mut done = Done::default();
        for (path, file) in files_of(&self.input)? {
            builder = builder.file(path.clone(), read(&file)?);
            done.added.insert(path);
        }
        done.files = done.added.len();
        let bytes = builder.build().map_err(|error| Failure::no(format!("{folder}: {error}")))?;
        if self.output.path().is_none() && !self.dry_run {
            self.output.refuse_terminal()?;
        }
        self.output.told().dry(self.dry_run).write_binary(all_of(&bytes))?;
        self.say(self.output.path(), &done, !self.dry_run)
    }

    fn builder(&self) -> Result<PackBuilder, Failure> {
        if let Some(path) = &self.like {
            let bytes = read(path)?;
            let pack = Pack::open(&bytes)
                .map_err(|error| Failure::in_bytes(&name(path), &bytes, error))?;
            return Ok(PackBuilder::like(&pack));
        }
        let Some(format) = self.format else {
            let failure = "which engine is the pack for?";
            return Err(Failure::usage(failure)
                .hint("use --like game.pck, a pack of the game; or --format godot4.6"));
        };
        let (version, engine) = release(format);
        Ok(PackBuilder::new(version, engine))
    }

    /// Changes a pack.
    fn change(&self) -> Result<Status, Failure> {
        let pack_name = name(&self.input);
        let bytes = read(&self.input)?;
        if is_zip(&bytes) {
            return self.change_zip(&pack_name, &bytes);
        }
        if !is_pack(&bytes) {
            return Err(Failure::usage(format!("{pack_name}: this is no folder and no pack")));
        }
        if self.put.is_empty() && self.remove.is_empty() {
            return Err(Failure::usage(format!("{pack_name}: there is nothing to change"))
                .hint("use --put FILE or --remove NAME; 'formwork info' lists the files"));
        }
        let pack =
            Pack::open(&bytes).map_err(|error| Failure::in_bytes(&pack_name, &bytes, error))?;
        if pack.sealed_directory().is_some() {
            return Err(not_written(&pack_name));
        }
        let changes = self.changes(|name| pack.find(name).is_ok())?;
        let changed = pack.with_changes(&changes).map_err(|error| match error.rule() {
            // The fault is in the options.
            rule::NAME | rule::FILE | rule::NAME_ONCE | rule::FOLDER => {
                let (expected, found) = (error.expected(), shown(error.found()));
                Failure::usage(format!(
                    "{pack_name}: --put and --remove: expected {expected}, found {found}"
                ))
            }
            _ => Failure::in_bytes(&pack_name, &bytes, error),
        })?;
        let done = Done::of(&pack, &changes);
        let in_place = InPlaceOptions::unless(
            self.output.path().is_some(),
            self.output.has_no_backup(),
            self.dry_run,
        );
        let is_written = in_place.write(&self.input, &changed, &self.output)?;
        self.say(self.output.path().or(Some(&self.input)), &done, is_written)
    }

    /// Changes a zip archive.
    fn change_zip(&self, zip_name: &str, bytes: &[u8]) -> Result<Status, Failure> {
        let failed = |error| Failure::in_value(zip_name, error);
        let zip = ZipPack::open(bytes).map_err(failed)?;
        let changes = self.changes(|name| zip.find(name).is_ok())?;
        if changes.is_empty() {
            return Err(Failure::usage(format!("{zip_name}: there is nothing to change"))
                .hint("use --put FILE or --remove NAME; 'formwork info' lists the files"));
        }
        let changed = zip.with_changes(&changes).map_err(|error| {
            let (expected, found) = (error.expected(), shown(error.found()));
            Failure::usage(format!(
                "{zip_name}: --put and --remove: expected {expected}, found {found}"
            ))
        })?;
        let mut done = Done { files: zip.files().len(), ..Done::default() };
        let limits = formwork_variant::Limits::default();
        for change in &changes {
            let there = zip.find(change.name()).ok();
            let content = there.and_then(|file| zip.content(file, &limits).ok());
            done.add(change, there.is_some(), |new| content.as_deref() == Some(new));
        }
        let in_place = InPlaceOptions::unless(
            self.output.path().is_some(),
            self.output.has_no_backup(),
            self.dry_run,
        );
        let is_written = in_place.write(&self.input, &changed, &self.output)?;
        self.say(self.output.path().or(Some(&self.input)), &done, is_written)
    }

    /// Returns the changes from the options, each name once; `has` is whether the pack has a file of that name.
    fn changes(&self, has: impl Fn(&str) -> bool) -> Result<Vec<PackChange>, Failure> {
        let mut contents = BTreeMap::new();
        for put in &self.put {
            for (path, file) in self.sources(put)? {
                contents.insert(path, read(&file)?);
            }
        }
        let mut changes: Vec<_> =
            contents.into_iter().map(|(name, content)| PackChange::Put { name, content }).collect();
        for removed in &self.remove {
            if !has(removed) {
                let (pack, removed) = (name(&self.input), shown(removed));
                return Err(Failure::unreadable(format!(
                    "{pack}: there is no file '{removed}' in this pack"
                ))
                .hint(format!("'formwork info {pack} --all' lists its files")));
            }
            changes.push(PackChange::Remove { name: removed.clone() });
        }
        Ok(changes)
    }

    /// Returns the files that one `--put` adds, by their names in the pack.
    fn sources(&self, put: &str) -> Result<BTreeMap<String, PathBuf>, Failure> {
        // A file may have an '=' in its name.
        let (path, below) = match put.rsplit_once('=') {
            Some((path, below)) if !Path::new(put).exists() => (Path::new(path), below),
            _ => (Path::new(put), ""),
        };
        let is_folder = path.is_dir() || below.ends_with('/');
        let below = within_game(below).trim_end_matches('/');
        let folder = if below.is_empty() { String::new() } else { format!("{below}/") };
        if path.is_dir() {
            let files = files_of(path)?.into_iter();
            return Ok(files.map(|(name, file)| (format!("{folder}{name}"), file)).collect());
        }
        let own = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = match is_folder || below.is_empty() {
            true => format!("{folder}{}", own.unwrap_or_default()),
            false => below.to_owned(),
        };
        Ok([(name, path.to_owned())].into())
    }

    /// Reports the pack that was written to the path, or to standard output.
    fn say(&self, output: Option<&Path>, done: &Done, is_written: bool) -> Result<Status, Failure> {
        if self.json {
            let members =
                [("added", &done.added), ("replaced", &done.replaced), ("removed", &done.removed)];
            let members = members.map(|(kind, names)| (kind, names.iter().cloned().collect()));
            print_object(&FileReport {
                output: Some(output.map_or_else(|| "standard output".into(), whole_name)),
                written: is_written,
                file_count: Some(done.files),
                members: members.into(),
                ..FileReport::new(&self.input)
            })?;
            return Ok(Status::Done);
        }
        let kinds = if self.dry_run {
            ["would add", "would replace", "would remove"]
        } else {
            ["added", "replaced", "removed"]
        };
        for (kind, names) in kinds.into_iter().zip([&done.added, &done.replaced, &done.removed]) {
            names.iter().for_each(|name| report_line(&format!("{kind}: {}", shown(name))));
        }
        let files = counted(done.files as u64, "file");
        let would = if self.dry_run { "would have " } else { "" };
        let target = output.map_or_else(|| "standard output".into(), name);
        report_line(&format!("{target}: {would}{files}"));
        Ok(Status::Done)
    }
}

impl Done {
    /// Compares the changes with a pack. A file whose content stays the same is not in the result.
    fn of(pack: &Pack<'_>, changes: &[PackChange]) -> Self {
        let mut done = Self { files: pack.files().len(), ..Self::default() };
        for change in changes {
            let there = pack.find(change.name()).ok();
            let content = there.and_then(|file| pack.content(file).ok());
            done.add(change, there.is_some(), |new| content == Some(new));
        }
        done
    }

    /// Counts a change of a file that is there or not; `is_same` is whether it has that content.
    fn add(&mut self, change: &PackChange, is_there: bool, is_same: impl Fn(&[u8]) -> bool) {
        let name = change.name().to_owned();
        match change {
            PackChange::Remove { .. } => {
                self.files -= 1;
                self.removed.insert(name);
            }
            PackChange::Put { content, .. } if is_there => {
                if !is_same(content) {
                    self.replaced.insert(name);
                }
            }
            PackChange::Put { .. } => {
                self.files += 1;
                self.added.insert(name);
            }
        }
    }
}

/// Returns the version of packs that an engine writes, and its release as stored in packs.
fn release(format: Dialect) -> (u32, EngineRelease) {
    let text = format.to_string();
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let digits = digits.split('-').next().unwrap_or_default();
    let mut numbers = digits.split('.').map(|number| number.parse().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let (version, (major, minor)) = match format.family() {
        Family::Godot2 => (0, (major, minor)),
        Family::Godot3 => (1, (major, minor)),
        Family::Pandemonium3 => (1, (3, 7)),
        Family::Pandemonium4 => (1, (4, 0)),
        Family::Pandemonium5 => (1, (5, 0)),
        Family::Godot4 if minor <= 4 => (2, (major, minor)),
        Family::Godot4 if minor <= 6 => (3, (major, minor)),
        _ => (4, (major, minor)),
    };
    (version, EngineRelease { major, minor, patch: 0 })
}

/// Returns the files below a folder, by their paths in it with `/`.
fn files_of(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut files = BTreeMap::new();
    let mut open = vec![(folder.to_owned(), String::new())];
    while let Some((here, prefix)) = open.pop() {
        let failed = |error: &std::io::Error| {
            Failure::stream("the folder could not be read", &shown(here.display()), error)
        };
        for entry in fs::read_dir(&here).map_err(|error| failed(&error))? {
            let entry = entry.map_err(|error| failed(&error))?;
            let Ok(own) = entry.file_name().into_string() else {
                let path = shown(entry.path().display());
                return Err(Failure::usage(format!("{path}: the name is not Unicode")));
            };
            let name = format!("{prefix}{own}");
            let kind = entry.file_type().map_err(|error| failed(&error))?;
            if kind.is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else if kind.is_file() {
                files.insert(name, entry.path());
            } else {
                let path = shown(entry.path().display());
                return Err(Failure::usage(format!("{path}: this is no file and no folder"))
                    .hint("a link is not followed: put what it leads to there"));
            }
        }
    }
    if files.is_empty() {
        return Err(Failure::usage(format!("{}: the folder is empty", name(folder))));
    }
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    store::read(path).map_err(|error| Failure::stream("could not be read", &name(path), &error))
}
