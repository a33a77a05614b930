//! The pairs of files that are compared.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use formwork_alb1::diff::Roots;
use formwork_godot::wrapper::Key;
use formwork_terrain::project::{Project, ProjectFile};

use super::super::content::Version;
use super::super::contents::InputOptions;
use super::super::failure::{Failure, Status};
use super::super::file::File;
use super::super::folder::files_in;
use super::super::format::{Format, LimitOptions};
use super::super::guess::{Guess, guessed};
use super::super::lines::whole_name;
use super::super::pack;
use super::super::project::{in_folder, open};
use super::super::source::Source;
use super::compare::{ALB1, SAVE, not_alike};

/// The files to compare.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) pairs: Vec<[Side; 2]>,
    /// Targets of pointers in the old project, and in the new one.
    pub(super) roots: [Roots; 2],
    /// Whether a file that cannot be read is one of many.
    pub(super) is_of_folders: bool,
}

/// A file, and its name with all its characters.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) version: Version,
}

impl Side {
    fn unopened(path: &Path) -> Self {
        Self { name: whole_name(path), version: Version::Unopened }
    }

    fn nothing() -> Self {
        Self { name: String::new(), version: Version::Nothing }
    }
}

/// How files are opened.
pub(super) struct Opening<'o> {
    pub(super) input: &'o InputOptions,
    pub(super) limits: LimitOptions,
    /// Whether everything counts.
    pub(super) strict: bool,
    pub(super) key: Option<Key>,
    /// The path in a repository, where git made the files.
    pub(super) path: Option<&'o Path>,
}

/// Returns whether two files have the same bytes. (Those of the standard input were read before.)
fn are_equal(paths: [&Path; 2]) -> bool {
    let is_file = |path: &&Path| path.is_file();
    let [old, new] = paths.map(|path| std::fs::read(path).ok());
    paths.iter().all(is_file) && old.is_some() && old == new
}

impl Opening<'_> {
    /// Opens two files or folders, and pairs what is in them.
    pub(super) fn pairs(&self, paths: [&Path; 2], layers: bool) -> Result<Compared, Failure> {
        let [old, new] = paths;
        if old.is_dir() != new.is_dir() {
            let is_named = |path: &&Path| !["-", "/dev/null"].map(AsRef::as_ref).contains(path);
            for path in paths.into_iter().filter(is_named) {
                if let Err(error) = path.metadata() {
                    let name = path.display().to_string();
                    return Err(Failure::stream("could not be read", &name, &error));
                }
            }
            return Err(Failure::usage("a file and a folder cannot be compared"));
        }
        let unreadable = Failure::because_unreadable;
        if old.is_dir() {
            return self.folders(paths).map_err(unreadable);
        }
        if layers {
            return Compared::projects(open(old)?, open(new)?).map_err(unreadable);
        }
        let names = [self.name(old, "a"), self.name(new, "b")];
        let opened = || {
            let (old, new) = (self.read(old)?, self.read(new)?);
            self.files(names, old, new).map_err(unreadable)
        };
        match opened() {
            Ok(pairs) => Ok(Compared { pairs, ..Compared::default() }),
            // Equal files do not differ, whatever is in them.
            Err(failure) if !failure.is_usage() && are_equal(paths) => Ok(Compared::default()),
            Err(failure) => Err(failure),
        }
    }

    /// Pairs what is in two folders: the files of their projects by name, and all other files that differ by path.
    fn folders(&self, paths: [&Path; 2]) -> Result<Compared, Failure> {
        let [old, new] = paths.map(in_folder);
        let (mut old, mut new) = (old?, new?);
        let is_there = |it: &Project| it.files().next().is_some() || !it.unread.is_empty();
        if !is_there(&old) || !is_there(&new) {
            (old, new) = (Project::default(), Project::default());
        }
        let in_project = |it: &Project| -> HashSet<PathBuf> {
            let unread = it.unread.iter().map(|it| &it.path);
            it.files().map(|it| &it.path).chain(unread).cloned().collect()
        };
        let in_projects = [in_project(&old), in_project(&new)];
        let mut compared = Compared { is_of_folders: true, ..Compared::projects(old, new)? };
        let [old, new] = paths.map(|folder| files_in(folder, None));
        let names = [old?, new?].map(BTreeSet::from_iter);
        for name in names[0].union(&names[1]) {
            let paths = paths.map(|folder| folder.join(name));
            let there = [0, 1].map(|side| names[side].contains(name));
            if [0, 1]
                .into_iter()
                .all(|side| !there[side] || in_projects[side].contains(&paths[side]))
            {
                continue;
            }
            match (there[0], there[1]) {
                (true, false) => compared.pairs.push([Side::unopened(&paths[0]), Side::nothing()]),
                (false, true) => compared.pairs.push([Side::nothing(), Side::unopened(&paths[1])]),
                _ => compared.pairs.extend(self.differing([&paths[0], &paths[1]])?),
            }
        }
        Ok(compared)
    }

    /// Pairs two files of folders, unless they are equal. Files that are not both opened, as files of one format, differ
    /// by their bytes.
    fn differing(&self, paths: [&Path; 2]) -> Result<Vec<[Side; 2]>, Failure> {
        let [old, new] = paths.map(Source::read);
        if old?.bytes() == new?.bytes() {
            return Ok(Vec::new());
        }
        let [old, new] = paths.map(|path| self.read(path));
        // (Saves are always compared exactly.)
        let opening = Opening { strict: false, key: self.key.clone(), ..*self };
        let pairs = match (old, new) {
            (Ok(old), Ok(new)) => opening.files(paths.map(whole_name), old, new).ok(),
            _ => None,
        };
        let is_opened = |[old, new]: &[Side; 2]| {
            old.version.kind().is_some() && old.version.kind() == new.version.kind()
        };
        let pairs = pairs.filter(|pairs| pairs.iter().all(is_opened));
        Ok(pairs.unwrap_or_else(|| vec![paths.map(Side::unopened)]))
    }

    /// Reads a file; returns none for the path with which git marks a missing file.
    fn read(&self, path: &Path) -> Result<Option<Source>, Failure> {
        if path.as_os_str() == "/dev/null" {
            return Ok(None);
        }
        let source = Source::open(path, self.input.skip, self.key.as_ref(), self.limits);
        source.map(Some).map_err(Failure::because_unreadable)
    }

    /// Pairs two files, and the files in them that differ.
    fn files(
        &self,
        names: [String; 2],
        old: Option<Source>,
        new: Option<Source>,
    ) -> Result<Vec<[Side; 2]>, Failure> {
        let beside = [self.is_alb1(new.as_ref()), self.is_alb1(old.as_ref())];
        if self.strict && beside == [false; 2] {
            return Err(Failure::usage(
                "--strict is for files of Terrain Builder; saves are always compared exactly",
            ));
        }
        let is_pack = |source: &Source| self.input.is_pack(source.content());
        if let (Some(old), Some(new)) = (&old, &new)
            && is_pack(old) != is_pack(new)
        {
            return Err(Failure::usage("a pack and another file cannot be compared")
                .hint("to compare a file in the pack: formwork diff 'PACK!NAME' FILE"));
        }
        let (old, new) = (self.opened(old, beside[0])?, self.opened(new, beside[1])?);
        let (mut members, mut paired) = (Vec::new(), HashSet::new());
        if let (Some(old), Some(new)) = (&old, &new)
            && let (Some(old), Some(new)) = (self.pack(&**old), self.pack(&**new))
        {
            for (member, sources) in old.differing(&new)? {
                let [old, new] = sources.map(|source| self.member(source));
                let (Some(old), Some(new)) = (old, new) else { continue };
                let side =
                    |name: &String, version| Side { name: format!("{name}!{member}"), version };
                members.push([side(&names[0], old), side(&names[1], new)]);
                paired.insert(member);
            }
        }
        let version = |file: Option<Box<dyn File>>| match file {
            None => Ok(Version::Nothing),
            Some(file) => match self.pack(&*file) {
                Some(pack) => pack.packet(&paired).map(|input| Version::File(Box::new(input))),
                None => Ok(Version::File(file)),
            },
        };
        let [old_name, new_name] = names;
        let old = Side { name: old_name, version: version(old)? };
        let new = Side { name: new_name, version: version(new)? };
        members.insert(0, [old, new]);
        Ok(members)
    }

    /// Returns the pack that a file is.
    fn pack(&self, file: &dyn File) -> Option<pack::File> {
        let source = file.source();
        let is_pack = self.input.is_pack(source.content());
        is_pack.then(|| pack::File::new(source.clone(), self.limits))
    }

    /// Returns the name of a file. The paths from git are those of temporary files.
    fn name(&self, path: &Path, side: &str) -> String {
        match self.path {
            Some(path) => format!("{side}/{}", path.display()),
            None => whole_name(path),
        }
    }

    fn is_alb1(&self, source: Option<&Source>) -> bool {
        source.is_some_and(|source| self.input.is_alb1(source.content()))
    }

    /// Opens a file. Beside a file of Terrain Builder, a file of no known format is a damaged one.
    fn opened(
        &self,
        source: Option<Source>,
        is_beside_alb1: bool,
    ) -> Result<Option<Box<dyn File>>, Failure> {
        let kept = source.as_ref().filter(|_| is_beside_alb1 && !self.is_alb1(source.as_ref()));
        let (kept, Some(source)) = (kept.cloned(), source) else { return Ok(None) };
        match (self.input.open_source(source, self.limits), kept) {
            (Err(failure), Some(source)) if failure.status() == Status::No => {
                let input = InputOptions { format: Some(Format::Alb1), ..self.input.clone() };
                input.open_source(source, self.limits)
            }
            // Whichever of several engines the save is of.
            (Err(_), Some(source)) if matches!(self.guess(&source), Guess::Ambiguous(_)) => {
                Err(not_alike(SAVE, ALB1))
            }
            (opened, _) => opened,
        }
        .map(Some)
    }

    fn guess(&self, source: &Source) -> Guess {
        guessed(&mut source.clone(), self.input.dialect(), self.input.framing)
    }

    /// Returns the content of a file in a pack to compare; none where its bytes are compared.
    fn member(&self, source: Source) -> Option<Version> {
        let source = source.unwrapped(None, self.key.as_ref(), self.limits).ok()?;
        let file = InputOptions::default().open_source(source, self.limits).ok()?;
        (!file.has_more_than_values()).then(|| Version::File(file))
    }
}

impl Compared {
    /// Pairs the files of two projects: the project files, and layers of the same name.
    fn projects(mut old: Project, mut new: Project) -> Result<Self, Failure> {
        same_unread(&mut old, &mut new)?;
        let roots = [old.layer_names().collect(), new.layer_names().collect()];
        let side = |file: Option<ProjectFile>| match file {
            None => Ok::<_, Failure>(Side::nothing()),
            Some(ProjectFile { path, name, document }) => {
                let document = formwork_alb1::ALB1.of(document);
                let document = document.map_err(|error| Failure::in_value(&name, error))?;
                Ok(Side { name: whole_name(&path), version: Version::InProject(document) })
            }
        };
        let pairs = Project::pairs(old, new).into_iter();
        let pairs = pairs.map(|it| Ok::<_, Failure>([side(it.old)?, side(it.new)?]));
        let pairs = pairs.collect::<Result<_, _>>()?;
        Ok(Self { pairs, roots, is_of_folders: false })
    }
}

/// Accepts unreadable files with equal bytes in both projects; refuses all other unreadable files.
fn same_unread(old: &mut Project, new: &mut Project) -> Result<(), Failure> {
    for one in &old.unread {
        let same =
            new.unread.iter().position(|other| one.path.file_name() == other.path.file_name());
        if let Some(position) = same {
            let other = new.unread.remove(position);
            if Source::read(&one.path)?.bytes() == Source::read(&other.path)?.bytes() {
                continue;
            }
        }
        return Err(Failure::unreadable(format!("{}: {}", one.name, one.why)));
    }
    new.unread
        .first()
        .map_or(Ok(()), |one| Err(Failure::unreadable(format!("{}: {}", one.name, one.why))))
}
