//! What differs between two documents, by meaning: without what every save changes.
//!
//! Terrain Builder writes new addresses at every save, and numbers shapes anew, so that comparing
//! bytes says nothing. [`diff`] compares fields by the names of their tags and classes; pairs by
//! their keys; the objects of an array by their names, where they have one that no other has, and
//! otherwise by what stands around them; the objects of a layer's quadtree by their ids. [`content`]
//! writes the same as text, for tools that compare line by line: two documents have the same text
//! exactly if [`diff`] finds no difference.
//!
//! What does not count by default: addresses, also where pointers lead, as long as the class is the
//! same and both lead to a file of the same name, where that is known; the header, which says what
//! the root says; the order of pairs; ids in the tables; the form of the quadtree, and its colours,
//! which only the 2D view shows; and the fields that `saved` lists: memory that was never set, flags
//! of what is to be built again, and the running numbers of shapes.
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
    /// What pointers of the old document lead to, as far as that is known.
    pub old_roots: Roots,
    /// What pointers of the new document lead to.
    pub new_roots: Roots,
}

/// What happened.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Only the new document has it.
    Added,
    /// Only the old document has it.
    Removed,
    /// It holds something else.
    Changed,
    /// It stands elsewhere: between the others of its array or object, or on the map.
    Moved,
    /// A field has another type, or an object another class.
    TypeChanged,
}

impl Kind {
    /// The name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::TypeChanged => "type_changed",
        }
    }
}

/// A difference.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// What happened.
    pub kind: Kind,
    /// Where it is in the old document; of what was added, where it would be.
    pub old: Place,
    /// Where it is in the new document; of what was removed, where it would be.
    pub new: Place,
    /// What the old document has, in a short line.
    pub before: Option<String>,
    /// What the new document has, in a short line.
    pub after: Option<String>,
}

impl Difference {
    /// Where it is: in the new document, if it is there.
    #[must_use]
    pub const fn place(&self) -> &Place {
        match self.kind {
            Kind::Removed => &self.old,
            _ => &self.new,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::TypeChanged => "type changed",
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

/// What differs between two documents, in the order of the new one.
///
/// Lists are aligned in about linear time; memory is in proportion to the documents and to what
/// differs. It recurses as deep as the documents nest.
#[must_use]
pub fn diff(old: &Document, new: &Document, options: &Options) -> Vec<Difference> {
    Comparing::new(old, new, options).run()
}
