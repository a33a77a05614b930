//! The template libraries of a project.

use formwork::alb1::terrain::Library;
use formwork_terrain::project::{LibraryState, Project};

use super::super::project::Unpacked;
use super::super::remark;
use super::roots::RootOptions;
use super::shown;

/// Reads the libraries of a project that are there, and says which are not.
pub(super) fn libraries(project: &Project, roots: &RootOptions) -> Vec<Library> {
    let mut libraries = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    for file in project.libraries(&roots.drives(), &Unpacked) {
        match file.state {
            LibraryState::Read(library) => libraries.push(library),
            LibraryState::Unreadable { name, why } => {
                remark(&format!("{name} is no template library: {why}"));
            }
            LibraryState::Missing(here) => missing.push(here.display().to_string()),
            LibraryState::Unknown => missing.push(file.path.text.to_string()),
        }
    }
    match &missing[..] {
        [] => {}
        [one] => remark(&format!("the template library {} is not there", shown(one))),
        [first, ..] => remark(&format!(
            "{} template libraries of the project are not there, such as {}",
            missing.len(),
            shown(first)
        )),
    }
    libraries
}
