//! Which file is compared with which.

use std::path::Path;

use formwork_alb1::diff::Roots;
use formwork_terrain::project::{FilePair, Project, ProjectFile};

use super::super::failure::Failure;
use super::super::input::Source;
use super::super::project::open;

/// What is compared.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) pairs: Vec<FilePair>,
    /// What pointers of the old project lead to.
    pub(super) old_roots: Roots,
    /// What pointers of the new project lead to.
    pub(super) new_roots: Roots,
}

impl Compared {
    /// Two files.
    pub(super) fn files(old: Option<ProjectFile>, new: Option<ProjectFile>) -> Self {
        Self { pairs: vec![FilePair { old, new }], ..Self::default() }
    }

    /// Two projects with their layers: the project files, and layers of the same name.
    pub(super) fn projects(old: &Path, new: &Path) -> Result<Self, Failure> {
        let unreadable = Failure::because_unreadable;
        let mut old = open(old).map_err(unreadable)?;
        let mut new = open(new).map_err(unreadable)?;
        same_unread(&mut old, &mut new)?;
        let (old_roots, new_roots) = (old.layer_names().collect(), new.layer_names().collect());
        Ok(Self { pairs: Project::pairs(old, new), old_roots, new_roots })
    }
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
