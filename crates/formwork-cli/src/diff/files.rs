//! The pairs of files that are compared.

use std::path::Path;

use formwork_alb1::diff::Roots;
use formwork_terrain::project::{FilePair, Project, ProjectFile};

use super::super::failure::Failure;
use super::super::project::open;
use super::super::source::Source;

/// The files to compare.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) pairs: Vec<FilePair>,
    /// Targets of pointers in the old project.
    pub(super) old_roots: Roots,
    /// Targets of pointers in the new project.
    pub(super) new_roots: Roots,
}

impl Compared {
    /// Pairs two files.
    pub(super) fn files(old: Option<ProjectFile>, new: Option<ProjectFile>) -> Self {
        Self { pairs: vec![FilePair { old, new }], ..Self::default() }
    }

    /// Pairs the files of two projects: the project files, and layers of the same name.
    pub(super) fn projects(old: &Path, new: &Path) -> Result<Self, Failure> {
        let unreadable = Failure::because_unreadable;
        let mut old = open(old).map_err(unreadable)?;
        let mut new = open(new).map_err(unreadable)?;
        same_unread(&mut old, &mut new)?;
        let (old_roots, new_roots) = (old.layer_names().collect(), new.layer_names().collect());
        Ok(Self { pairs: Project::pairs(old, new), old_roots, new_roots })
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
