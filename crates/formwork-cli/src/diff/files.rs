//! Which file is compared with which.

use std::collections::BTreeMap;
use std::path::Path;

use formwork::alb1::Document;
use formwork::alb1::diff::Roots;

use super::super::failure::Failure;
use super::super::input::Source;
use super::super::project::{Project, ProjectFile};

/// Two files to compare; or one that has no counterpart.
#[derive(Debug, Default)]
pub(super) struct Match {
    pub(super) old: Option<ProjectFile>,
    pub(super) new: Option<ProjectFile>,
}

/// What is compared.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) matches: Vec<Match>,
    /// What pointers of the old project lead to.
    pub(super) old_roots: Roots,
    /// What pointers of the new project lead to.
    pub(super) new_roots: Roots,
}

/// Where a file belongs: the project itself, its layers, its shapes; of those, the name in small
/// letters, as names on Windows are the same in whatever case.
type Slot = (u8, String);

impl Compared {
    /// Two files.
    pub(super) fn files(old: &Path, new: &Path) -> Result<Self, Failure> {
        let matches = vec![Match { old: read(old)?, new: read(new)? }];
        Ok(Self { matches, ..Self::default() })
    }

    /// Two projects with their layers: the project files, and layers of the same name.
    pub(super) fn projects(old: &Path, new: &Path) -> Result<Self, Failure> {
        let unreadable = Failure::because_unreadable;
        let mut old = Project::read(old).map_err(unreadable)?;
        let mut new = Project::read(new).map_err(unreadable)?;
        same_unread(&mut old, &mut new)?;
        let (old_roots, new_roots) = (roots(&old), roots(&new));
        let mut matches: BTreeMap<Slot, Match> = BTreeMap::new();
        for (slot, file) in slots(old) {
            matches.entry(slot).or_default().old = Some(file);
        }
        for (slot, file) in slots(new) {
            matches.entry(slot).or_default().new = Some(file);
        }
        Ok(Self { matches: matches.into_values().collect(), old_roots, new_roots })
    }
}

/// A file; nothing for what git names where there is none.
fn read(path: &Path) -> Result<Option<ProjectFile>, Failure> {
    if path.as_os_str() == "/dev/null" {
        return Ok(None);
    }
    ProjectFile::read(path).map(Some).map_err(Failure::because_unreadable)
}

/// Files that could not be read are the same if their bytes are; otherwise there is no answer.
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

fn slots(project: Project) -> impl Iterator<Item = (Slot, ProjectFile)> {
    let named = |kind, files: Vec<ProjectFile>| {
        files.into_iter().map(move |file| {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            ((kind, name.to_lowercase()), file)
        })
    };
    let whole = project.project.into_iter().map(|file| ((0, String::new()), file));
    whole.chain(named(1, project.layers)).chain(named(2, project.shapes))
}

/// The names of layers by the addresses of their roots.
fn roots(project: &Project) -> Roots {
    let layers = project.layers.iter().chain(&project.shapes);
    layers.map(|file| (file.document.root.address, layer_name(file))).collect()
}

fn layer_name(file: &ProjectFile) -> String {
    let Document { tags, root, .. } = &file.document;
    let name = tags.id("mname").and_then(|tag| root.get(tag)?.as_text());
    name.map_or_else(|| file.name.clone(), |name| name.to_str().into_owned())
}
