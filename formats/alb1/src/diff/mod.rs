//! Differences between two documents by meaning, without the changes that every save makes.
//!
//! Terrain Builder writes new addresses and new numbers of shapes at every save, so comparing bytes is useless.
//! [`diff`] compares fields by the names of their tags and classes, and pairs by their keys. It compares the objects of
//! an array by their names if these are unique, otherwise by their neighbours, and the objects of a layer's quadtree by
//! their ids. [`content`] writes the same facts as text, for tools that compare line by line: two documents have the
//! same text exactly if [`diff`] finds no difference.
//!
//! Some differences are ignored by default. Addresses are ignored, and so are the targets of pointers as long as the
//! class is the same and both targets are in a file of the same name, if that name is known. The header is ignored,
//! since it repeats the root. The order of pairs, the ids in the tables and the form of the quadtree are ignored, as
//! are its colours, which only the 2D view shows. The fields that `saved` lists are ignored: uninitialised memory,
//! flags that request a rebuild, and the running numbers of shapes.
//!
//! ```
//! use formwork_alb1::diff::{Options, diff};
//! use formwork_alb1::{Document, Field, Text};
//!
//! let mut old = Document::new("CLayer");
//! let name = old.tags.id("mname").unwrap();
//! old.root.fields.push(Field::new(name, Text::new("houses").unwrap()));
//!
//! let mut new = old.clone();
//! new.root.address = 0x2000_0000;
//! assert_eq!(diff(&old, &new, &Options::default()), []);
//!
//! *new.root.get_mut(name).unwrap() = Text::new("castles").unwrap().into();
//! let differences = diff(&old, &new, &Options::default());
//! assert_eq!(differences[0].to_string(), r#"changed mname: "houses" -> "castles""#);
//! ```

mod align;
mod compare;
mod content;
mod entry;
mod identity;
mod layer;
mod merge;
mod pairing;
mod placed;
mod saved;
mod show;
mod side;
mod summary;
mod trail;

use std::collections::HashMap;
use std::fmt;

pub use content::content;
pub use formwork::document::ChangeKind;
pub use merge::{Conflict, Merged, merge};
pub use trail::Place;

use super::Document;
use compare::Comparing;

/// Names of the root objects of other files, by address: what pointers of a project lead to.
pub type Roots = HashMap<u32, String>;

/// How to compare.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Everything counts, addresses too.
    pub strict: bool,
    /// Known targets of the pointers of the old document.
    pub old_roots: Roots,
    /// Known targets of the pointers of the new document.
    pub new_roots: Roots,
}

/// A difference.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// Kind of the difference.
    pub kind: ChangeKind,
    /// Place in the old document; for an addition, the place where it would be.
    pub old: Place,
    /// Place in the new document; for a removal, the place where it would be.
    pub new: Place,
    /// Content of the old document, in a short line.
    pub before: Option<String>,
    /// Content of the new document, in a short line.
    pub after: Option<String>,
}

impl Difference {
    /// Returns the place in the new document, or in the old one after a removal.
    #[must_use]
    pub const fn place(&self) -> &Place {
        match self.kind {
            ChangeKind::Removed => &self.old,
            _ => &self.new,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ChangeKind::TypeChanged => "type changed",
            kind => kind.name(),
        };
        write!(f, "{kind} {}", self.place())?;
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, ": {before} -> {after}"),
            (Some(one), None) | (None, Some(one)) => write!(f, ": {one}"),
            (None, None) => Ok(()),
        }
    }
}

/// Returns the differences between two documents, in the order of the new one.
///
/// Lists are aligned in about linear time; memory is in proportion to the documents and to what
/// differs. It recurses as deep as the documents nest.
#[must_use]
pub fn diff(old: &Document, new: &Document, options: &Options) -> Vec<Difference> {
    Comparing::new(old, new, options).run()
}
