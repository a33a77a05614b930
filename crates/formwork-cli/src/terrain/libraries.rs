//! The template libraries of a project.

use std::path::Path;

use formwork::alb1::terrain::{Library, PathKind};
use formwork_terrain::paths::file_paths;

use super::super::input::Source;
use super::super::project::Project;
use super::super::remark;
use super::roots::{Place, RootOptions};

/// Reads the libraries of a project that are there, and says which are not.
pub(super) fn libraries(project: &Project, roots: &RootOptions) -> Vec<Library> {
    let Some(file) = &project.project else { return Vec::new() };
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let paths = file_paths(&file.document);
    let mut libraries = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    for path in paths.into_iter().filter(|path| path.kind == PathKind::InProject) {
        match roots.find(&path, folder) {
            Place::There(here) => match Source::read(&here) {
                Ok(Source { name, file }) => match formwork_terrain::library(file.bytes()) {
                    Ok(library) => libraries.push(library),
                    Err(error) => remark(&format!("{name} is no template library: {error}")),
                },
                Err(_) => missing.push(here.display().to_string()),
            },
            Place::Missing(here) => missing.push(here.display().to_string()),
            Place::NotLookedFor => missing.push(path.text.to_string()),
        }
    }
    match &missing[..] {
        [] => {}
        [one] => remark(&format!("the template library {} is not there", super::shown(one))),
        [first, ..] => remark(&format!(
            "{} template libraries of the project are not there, such as {}",
            missing.len(),
            super::shown(first)
        )),
    }
    libraries
}
