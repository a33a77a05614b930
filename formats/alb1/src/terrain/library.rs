//! Template libraries (`.tml`): models with names, colours and hashes, as XML.

use super::colour::Colour;
use crate::Text;

/// A template library.
///
/// Only what objects need is kept of it: a library is joined to layers, not written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    /// Its name.
    pub name: Text,
    /// Its templates, in the order of the file.
    pub templates: Vec<LibraryTemplate>,
}

/// A template of a library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LibraryTemplate {
    /// Its name (`<Name>`). Blanks at its ends are lost in the file.
    pub name: Text,
    /// Its model, as a path on the project drive (`<File>`).
    pub file: Text,
    /// The colour of its area (`<Fill>`).
    pub fill: Option<Colour>,
    /// Hash by which objects refer to the template (`<Hash>`): usually the hash of its name, or of its first name, or a
    /// running number if another tool made the library.
    pub hash: Option<u32>,
}
