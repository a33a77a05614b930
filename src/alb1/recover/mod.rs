//! Rescue: what can be read of a file that is cut or damaged.
//!
//! Fields are read as long as they fit: Terrain Builder's classes always have the same fields in the
//! same order, see [`CLASSES`](super::terrain::CLASSES). A size is believed only where what stands
//! behind it fits, too, so that a wrong one costs nothing. Where nothing fits, the bytes are searched
//! for the first place that surely continues an object or array that is open; what was passed is
//! lost, and listed. An object whose surroundings are gone is listed as an [`Orphan`].
//!
//! Numbers that count vertices or objects stay as they are in the file, and are listed as doubtful where
//! not so many were found. Of the two arrays `libs` of an object layer, the second does not take the
//! place of the first where that is lost: an empty one stands there, listed as rebuilt.
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

mod account;
mod close;
mod evidence;
mod layer;
mod layout;
mod libraries;
mod lost;
mod open;
mod search;
mod start;
mod step;
mod tree;
mod value;

use self::layout::Layouts;
use self::start::Start;
use self::step::Rescue;
pub use lost::{Lost, Orphan, Reason, Recovered};

use super::{Document, Reader};
use crate::error::Result;
use crate::limits::Limits;

/// Reads a file that may be cut or damaged, however long it is, and as deep as [`Reader::DEPTH`].
/// There is always a document, in the worst case an empty one; of a whole file it is that which
/// [`Document::from_slice`] reads.
///
/// It takes time and memory in proportion to the size of the file, whatever stands in it, and never
/// fails.
#[must_use]
pub fn recover(bytes: &[u8]) -> Recovered {
    rescue(bytes, Limits::default().with_packet_bytes(u64::MAX))
}

/// The same within limits. What lies deeper than they allow is lost, as in [`Reader::limits`] never
/// deeper than [`Reader::DEEPEST`].
///
/// ```
/// use formwork::alb1::Document;
/// use formwork::alb1::recover::recover_within;
/// use formwork::Limits;
///
/// let bytes = Document::new("CLayer").to_vec()?;
/// assert!(recover_within(&bytes, Limits::default())?.is_whole());
/// assert!(recover_within(&bytes, Limits::default().with_packet_bytes(100)).is_err());
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Where there are more bytes than the limits allow.
pub fn recover_within(bytes: &[u8], limits: Limits) -> Result<Recovered> {
    Reader::check_size(limits, bytes)?;
    Ok(rescue(bytes, limits))
}

fn rescue(bytes: &[u8], limits: Limits) -> Recovered {
    let mut recovered = match Reader::new().limits(limits).read(bytes) {
        Ok(document) => {
            let tree = layer::usual_place(&document, bytes);
            let recovered =
                Recovered { document, orphans: Vec::new(), lost: Vec::new(), error: None };
            layer::mend(recovered, tree)
        }
        Err(error) => {
            let mut start = Start::of(bytes);
            let layouts = Layouts::of(&start.tags, &start.classes);
            let (root, at) = start.root(bytes, &layouts);
            let rescue = Rescue::new(bytes, &start.tags, &start.classes, &layouts);
            let mut rescue = rescue.depth(Reader::depth(limits));
            let root = rescue.root(root, at);
            let (orphans, mut lost, raw) = (rescue.orphans, rescue.lost, rescue.raw);
            let Start { header, tags, classes, lost: before, .. } = start;
            lost.splice(0..0, before);
            let document = Document { header, tags, classes, root };
            layer::mend(Recovered { document, orphans, lost, error: Some(error) }, raw)
        }
    };
    if !recovered.lost.is_empty() {
        let wrong = layer::wrong_count(&recovered.document);
        recovered.lost.extend(wrong);
    }
    recovered.lost.sort_by_key(|lost| lost.range.start);
    recovered
}
