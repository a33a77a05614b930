//! The places of Windows drives and folders on this machine, from the arguments.

use std::str::FromStr;

use clap::Args;
use formwork_terrain::project::{Drives, MappedFolder};

/// Folders that are used as drives.
#[derive(Args, Clone, Debug)]
pub(crate) struct RootOptions {
    /// Look in DIR for the files of a drive or folder: P:=/mnt/p, 'P:\maps=../maps'
    ///
    /// Paths without a drive start at P: (models, layers.cfg) or at the folder of the project (template
    /// libraries). Case does not matter. Can be repeated; the longest match counts.
    #[arg(long = "root", value_name = "PATH=DIR")]
    roots: Vec<Mapped>,
}

/// A Windows folder, and its place on this machine.
#[derive(Clone, Debug)]
struct Mapped(MappedFolder);

impl FromStr for Mapped {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (folder, here) =
            text.split_once('=').ok_or("write it as PATH=DIR, such as P:=/mnt/p")?;
        let mapped = MappedFolder::new(folder, here).filter(|_| !here.is_empty());
        let mapped = mapped.ok_or("write it as PATH=DIR with a drive, such as P:=/mnt/p")?;
        Ok(Self(mapped))
    }
}

impl RootOptions {
    /// Returns the folders that were named.
    pub(crate) fn drives(&self) -> Drives {
        Drives::new(self.roots.iter().map(|Mapped(folder)| folder.clone()).collect())
    }
}
