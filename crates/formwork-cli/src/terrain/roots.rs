//! Where the drives and folders of Windows are on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use formwork::alb1::terrain::PathKind;
use formwork_terrain::paths::{FilePath, has_drive, parts};

/// Which folders stand in for drives.
#[derive(Args, Clone, Debug)]
pub(crate) struct RootOptions {
    /// Look in DIR for the files of a drive or folder: P:=/mnt/p, 'P:\maps=../maps'
    ///
    /// Paths without a drive start at P: (models, layers.cfg) or at the folder of the project (template
    /// libraries). Case does not matter. Can be repeated; the longest match counts.
    #[arg(long = "root", value_name = "PATH=DIR")]
    roots: Vec<Mapped>,
}

/// A folder of Windows, and where it is here.
#[derive(Clone, Debug)]
struct Mapped {
    folder: Vec<String>,
    here: PathBuf,
}

impl FromStr for Mapped {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (folder, here) =
            text.split_once('=').ok_or("write it as PATH=DIR, such as P:=/mnt/p")?;
        if !has_drive(folder) || here.is_empty() {
            return Err("write it as PATH=DIR with a drive, such as P:=/mnt/p".into());
        }
        let folder = parts(folder).map(str::to_owned).collect();
        Ok(Self { folder, here: here.into() })
    }
}

/// Whether a file is there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Place {
    /// It is, here.
    There(PathBuf),
    /// It is not; it was looked for here.
    Missing(PathBuf),
    /// No root says where to look.
    NotLookedFor,
}

impl RootOptions {
    /// Looks for the file that a path names. `folder` is that of the project.
    pub(crate) fn find(&self, path: &FilePath, folder: &Path) -> Place {
        let text = path.text.to_str();
        if path.kind == PathKind::InProject && !has_drive(&text) {
            return find(folder, parts(&text));
        }
        if path.kind == PathKind::Label {
            return Place::NotLookedFor;
        }
        let Some(absolute) = path.absolute() else { return Place::NotLookedFor };
        let all: Vec<_> = parts(&absolute).collect();
        let fits = |mapped: &&Mapped| {
            mapped.folder.len() <= all.len()
                && mapped
                    .folder
                    .iter()
                    .zip(&all)
                    .all(|(one, other)| one.eq_ignore_ascii_case(other))
        };
        let mapped = self.roots.iter().filter(fits).max_by_key(|mapped| mapped.folder.len());
        match mapped {
            Some(Mapped { folder, here }) => find(here, all.iter().skip(folder.len()).copied()),
            None if cfg!(windows) => find(Path::new(""), std::iter::once(absolute.as_str())),
            None => Place::NotLookedFor,
        }
    }
}

/// Goes from folder to folder, and where no name fits exactly takes one that differs in case.
fn find<'p>(start: &Path, parts: impl Iterator<Item = &'p str>) -> Place {
    let mut here = start.to_owned();
    let mut there = true;
    for part in parts {
        let exact = here.join(part);
        there = there && exact.exists() || {
            let found = fs::read_dir(&here).ok().filter(|_| there).and_then(|entries| {
                entries.flatten().map(|entry| entry.path()).find(|path| {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    name.eq_ignore_ascii_case(part)
                })
            });
            if let Some(found) = found {
                here = found;
                continue;
            }
            false
        };
        here = exact;
    }
    if there && here.exists() { Place::There(here) } else { Place::Missing(here) }
}
