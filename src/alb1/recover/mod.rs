//! Rescue: what can be read of a file that is cut or damaged.
//!
//! Fields are read as long as they fit: Terrain Builder's classes always have the same fields in the
//! same order, see [`CLASSES`](super::terrain::CLASSES). A size is believed only where what stands
//! behind it fits, too, so that a wrong one costs nothing. Where nothing fits, the bytes are searched
//! for the first place that surely continues an object or array that is open; what was passed is
//! lost, and listed. An object whose surroundings are gone is listed as an [`Orphan`].
//!
//! The quadtree of an object layer is mended by its boxes, each of which says where in the tree it
//! belongs.
//!
//! ```
//! use formwork::alb1::recover::recover;
//! use formwork::alb1::terrain::{Polygon, Root, Shape, ShapeLayer, Vertex};
//! use formwork::alb1::{Document, Text};
//!
//! let mut layer = ShapeLayer::new(Text::new("fields").unwrap());
//! let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)].map(|(x, y)| Vertex::at(x, y));
//! layer.shapes.push(Shape::Polygon(Polygon::new(Text::new("one").unwrap(), corners.into())));
//! let mut bytes = layer.to_document()?.to_vec()?;
//! bytes.truncate(bytes.len() - 100);
//! assert!(Document::from_slice(&bytes).is_err());
//!
//! let recovered = recover(&bytes);
//! let read = ShapeLayer::of(&recovered.document);
//! assert_eq!(recovered.document.class_name(&recovered.document.root), "CAreaLayer");
//! assert!(!recovered.is_whole() && read.is_err());
//! # Ok::<(), formwork::Error>(())
//! ```

mod evidence;
mod fields;
mod layer;
mod layout;
mod lost;
mod open;
mod start;
mod tree;

use self::fields::Rescue;
use self::layout::Layouts;
use self::start::Start;
pub use lost::{Lost, Orphan, Reason, Recovered};

use super::Document;

/// Reads a file that may be cut or damaged. There is always a document, in the worst case an empty
/// one; of a whole file it is that which [`Document::from_slice`] reads.
///
/// It takes time and memory in proportion to the size of the file, whatever stands in it, and never
/// fails.
#[must_use]
pub fn recover(bytes: &[u8]) -> Recovered {
    let mut recovered = match Document::from_slice(bytes) {
        Ok(document) => {
            let tree = layer::usual_place(&document, bytes);
            let recovered =
                Recovered { document, orphans: Vec::new(), lost: Vec::new(), error: None };
            return layer::mend(recovered, tree);
        }
        Err(error) => {
            let mut start = Start::of(bytes);
            let layouts = Layouts::of(&start.tags, &start.classes);
            let (root, at) = start.root(bytes, &layouts);
            let mut rescue = Rescue::new(bytes, &start.tags, &start.classes, &layouts);
            let root = rescue.root(root, at);
            let (orphans, mut lost, raw) = (rescue.orphans, rescue.lost, rescue.raw);
            let Start { header, tags, classes, lost: before, .. } = start;
            lost.splice(0..0, before);
            let document = Document { header, tags, classes, root };
            layer::mend(Recovered { document, orphans, lost, error: Some(error) }, raw)
        }
    };
    recovered.lost.sort_by_key(|lost| lost.range.start);
    recovered
}
