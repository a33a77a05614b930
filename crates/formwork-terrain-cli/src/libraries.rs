//! The template libraries of a project.

use formwork_alb1::terrain::Library;
use formwork_terrain::project::{LibraryState, Project};

use super::roots::RootOptions;
use super::shown;
use formwork_program::project::Unpacked;
use formwork_program::remark;

/// Reads the libraries of a project that exist. Most projects are kept without their libraries:
/// [`say_missing`] names the missing ones where a template needs them.
pub(super) fn libraries(project: &Project, roots: &RootOptions) -> Vec<Library> {
    let mut libraries = Vec::new();
    for file in project.libraries(&roots.drives(), &Unpacked) {
        match file.state {
            LibraryState::Read(library) => libraries.push(library),
            LibraryState::Unreadable { name, why } => {
                remark(&format!("{name} is no template library: {why}"));
            }
            LibraryState::Missing(_) | LibraryState::Unknown => {}
        }
    }
    libraries
}

/// Names the libraries of a project that do not exist.
pub(super) fn say_missing(project: &Project, roots: &RootOptions) {
    let files = project.libraries(&roots.drives(), &Unpacked).into_iter();
    let missing = files.filter_map(|file| match file.state {
        LibraryState::Missing(here) => Some(here.display().to_string()),
        LibraryState::Unknown => Some(file.path.text.to_string()),
        _ => None,
    });
    let missing: Vec<String> = missing.collect();
    match &missing[..] {
        [] => {}
        [one] => remark(&format!("the template library {} is not there", shown(one))),
        [first, ..] => remark(&format!(
            "{} template libraries of the project are not there, such as {}",
            missing.len(),
            shown(first)
        )),
    }
}
