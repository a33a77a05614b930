//! Rescue: what can be read of a file that is cut or damaged.

mod evidence;
mod fields;
mod layout;
mod lost;
mod open;
mod start;

use self::fields::Rescue;
use self::layout::Layouts;
use self::start::Start;
pub use lost::{Lost, Orphan, Reason, Recovered};

use super::Document;

/// Reads a file that is cut or damaged.
pub fn recover(bytes: &[u8]) -> Recovered {
    let error = match Document::from_slice(bytes) {
        Ok(document) => {
            return Recovered { document, orphans: Vec::new(), lost: Vec::new(), error: None };
        }
        Err(error) => error,
    };
    let mut start = Start::of(bytes);
    let layouts = Layouts::of(&start.tags, &start.classes);
    let (root, at) = start.root(bytes, &layouts);
    let mut rescue = Rescue::new(bytes, &start.tags, &start.classes, &layouts);
    let root = rescue.root(root, at);
    let (orphans, mut lost) = (rescue.orphans, rescue.lost);
    let Start { header, tags, classes, lost: before, .. } = start;
    lost.splice(0..0, before);
    lost.sort_by_key(|lost| lost.range.start);
    Recovered { document: Document { header, tags, classes, root }, orphans, lost, error: Some(error) }
}
