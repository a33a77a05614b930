//! A project: the `.tv4p` file and the layers in the folders beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use formwork::alb1::{Document, Value};

use super::super::failure::Failure;
use super::super::input::Source;
use super::document;

/// A file of a project.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// What to call it.
    pub(super) name: String,
    path: PathBuf,
}

/// Two files to compare; or one that has no counterpart.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) old: Option<Member>,
    pub(super) new: Option<Member>,
}

impl Member {
    pub(super) fn file(path: &Path) -> Self {
        Self { name: super::super::input::name(path), path: path.to_owned() }
    }

    pub(super) fn read(&self) -> Result<Option<Document>, Failure> {
        document(Source::read(&self.path)?)
    }

    /// What pointers to the root call it: the name of the layer.
    pub(super) fn root_name(&self, document: &Document) -> String {
        let tag = document.tags.id("mname");
        let name = tag.and_then(|tag| document.root.get(tag)).and_then(Value::as_text);
        name.map_or_else(|| self.name.clone(), |name| name.to_str().into_owned())
    }
}

/// The files of one or more projects, by the place that they have in it: first all layers, then the
/// project files, whose pointers lead to layers.
#[derive(Debug, Default)]
pub(super) struct Project(BTreeMap<Place, Member>);

#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Place {
    is_project: bool,
    /// The name of the project, where there are several.
    project: String,
    /// `Layers`, `Shapes`, or nothing.
    folder: &'static str,
    file: String,
}

/// The folders beside a project file, and what is in them.
const FOLDERS: [(&str, &str); 2] = [("Layers", "tv4l"), ("Shapes", "tv4s")];

impl Project {
    /// A project file and its layers.
    pub(super) fn of_file(path: &Path) -> Result<Self, Failure> {
        let mut project = Self::default();
        project.add(path, String::new())?;
        Ok(project)
    }

    /// All projects in a folder; where there is none, all layers.
    pub(super) fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let mut all = Self::default();
        let projects = files(folder, &["tv4p"])?;
        for path in &projects {
            // The only project of a folder may be called otherwise in the other folder.
            let name = if projects.len() > 1 { stem(path) } else { String::new() };
            all.add(path, name)?;
        }
        if projects.is_empty() {
            let extensions = FOLDERS.map(|(_, extension)| extension);
            for path in files(folder, &extensions)? {
                all.insert(&path, false, String::new(), "");
            }
        }
        if all.0.is_empty() {
            let name = super::super::input::name(folder);
            return Err(Failure::unreadable(format!("{name}: no project and no layer in it"))
                .hint("A .tv4p file is looked for, or .tv4l and .tv4s files."));
        }
        Ok(all)
    }

    fn add(&mut self, path: &Path, project: String) -> Result<(), Failure> {
        for (folder, extension) in FOLDERS {
            let layers = path.with_extension(folder);
            if layers.is_dir() {
                for path in files(&layers, &[extension])? {
                    self.insert(&path, false, project.clone(), folder);
                }
            }
        }
        self.insert(path, true, project, "");
        Ok(())
    }

    fn insert(&mut self, path: &Path, is_project: bool, project: String, folder: &'static str) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = if is_project { String::new() } else { name };
        let place = Place { is_project, project, folder, file };
        self.0.insert(place, Member::file(path));
    }

    /// Every file with the one that has its place in the other project.
    pub(super) fn against(mut self, mut new: Self) -> Vec<Match> {
        let mut places: Vec<_> = self.0.keys().chain(new.0.keys()).cloned().collect();
        places.sort();
        places.dedup();
        let matched = |place: &Place| Match { old: self.0.remove(place), new: new.0.remove(place) };
        places.iter().map(matched).collect()
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files in a folder with one of these extensions, by name.
fn files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let name = super::super::input::name(folder);
    let failed = |error| Failure::stream("could not be read", &name, &error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let matches = |extension: &std::ffi::OsStr| {
            extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        if path.extension().is_some_and(matches) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
