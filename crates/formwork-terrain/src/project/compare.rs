//! Pairs the files of two projects.

use std::collections::BTreeMap;

use super::{Project, ProjectFile};

/// Two files that belong together, or one that has no counterpart.
#[derive(Clone, Debug, Default)]
pub struct FilePair {
    /// The file of the old project.
    pub old: Option<ProjectFile>,
    /// The file of the new project.
    pub new: Option<ProjectFile>,
}

/// The role of a file: the project itself, an object layer or a shape layer; and for layers, the name in lower case, as
/// names on Windows do not depend on case.
type Slot = (u8, String);

impl Project {
    /// Pairs the files of two projects: the projects themselves, whatever they are called, and layers
    /// whose files have the same name.
    #[must_use]
    pub fn pairs(old: Self, new: Self) -> Vec<FilePair> {
        let mut pairs: BTreeMap<Slot, FilePair> = BTreeMap::new();
        for (slot, file) in slots(old) {
            pairs.entry(slot).or_default().old = Some(file);
        }
        for (slot, file) in slots(new) {
            pairs.entry(slot).or_default().new = Some(file);
        }
        pairs.into_values().collect()
    }

    /// Returns the names of all layers, with the addresses of their roots, by which pointers of the project lead to
    /// them. A layer without a name gets that of its file.
    pub fn layer_names(&self) -> impl Iterator<Item = (u32, String)> {
        self.layers.iter().chain(&self.shapes).map(|file| {
            let name = file.title().map(|title| title.to_str().into_owned());
            (file.document.root.address, name.unwrap_or_else(|| file.name.clone()))
        })
    }
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
