//! Rescue: what can be read of a file that is cut or damaged.
//!
//! Fields are read as long as they fit: Terrain Builder's classes always have the same fields in the same order, see
//! [`CLASSES`](super::terrain::CLASSES). A size is trusted only if the data after its end fits, too, so that a wrong
//! size does no harm. If nothing fits, the bytes are searched for the first place that surely continues an open object
//! or array; the bytes up to it are lost, and listed. An object whose surroundings are gone is listed as an [`Orphan`].
//!
//! An object that lacks fields gets them from a new object of its class, so that the file is usable. Numbers that count
//! vertices or objects are set to the number found; the original number is listed. If the first of the two arrays
//! `libs` of an object layer is lost, the second does not take its place: an empty one is added, and listed as rebuilt.
//!
//! The quadtree of an object layer is mended by its boxes, each of which says where in the tree it
//! belongs.
//!
//! ```
//! use formwork_alb1::recover::recover;
//! use formwork_alb1::terrain::{Polygon, Root, Shape, ShapeLayer, Vertex};
//! use formwork_alb1::{Document, Text};
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
//! assert!(!recovered.is_whole());
//! // The opacity was lost, and is that of a new layer now.
//! assert_eq!(read?.opacity, 1.0);
//! # Ok::<(), formwork::Error>(())
//! ```

mod account;
mod close;
mod defaults;
mod evidence;
mod layer;
mod layout;
mod libraries;
mod lost;
mod open;
mod rescue;
mod search;
mod start;
mod step;
mod tree;
mod value;

use self::layout::Layouts;
use self::rescue::Rescue;
use self::start::Start;
pub use lost::{Lost, Orphan, PlacedCount, Reason, Recovered};

use super::terrain::{FileKind, Project, Tags};
use super::{Document, Header, Reader, Value};
use formwork::{Path, Result};
use formwork_records::limits::Limits;

/// Reads a file that may be cut or damaged, however long it is, and as deep as [`Reader::DEPTH`].
/// There is always a document, in the worst case an empty one; of a whole file it is that which
/// [`Document::from_slice`] reads.
///
/// The time and memory are proportional to the size of the file, for any content, and recovery never fails.
#[must_use]
pub fn recover(bytes: &[u8]) -> Recovered {
    rescue(bytes, Limits::default().packet_bytes(u64::MAX))
}

/// Recovers within limits. What lies deeper than they allow is lost, as in [`Reader::limits`] never
/// deeper than [`Reader::DEEPEST`].
///
/// ```
/// use formwork_alb1::Text;
/// use formwork_alb1::recover::recover_within;
/// use formwork_alb1::terrain::{Root, ShapeLayer};
/// use formwork_alb1::Limits;
///
/// let layer = ShapeLayer::new(Text::new("fields").unwrap());
/// let bytes = layer.to_document()?.to_vec()?;
/// assert!(recover_within(&bytes, Limits::default())?.is_whole());
/// assert!(recover_within(&bytes, Limits::default().packet_bytes(100)).is_err());
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if there are more bytes than the limits allow.
pub fn recover_within(bytes: &[u8], limits: Limits) -> Result<Recovered> {
    Reader::check_size(limits, bytes)?;
    Ok(rescue(bytes, limits))
}

fn rescue(bytes: &[u8], limits: Limits) -> Recovered {
    let (orphans, lost) = (Vec::new(), Vec::new());
    let (mut recovered, tree) = match Reader::new().limits(limits).read(bytes) {
        Ok(document) => {
            let tree = layer::usual_place(&document, bytes);
            let (fields, placed) = (0, None);
            (Recovered { document, orphans, lost, fields, placed, error: None }, tree)
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
            let (fields, placed, error) = (0, None, Some(error));
            (Recovered { document, orphans, lost, fields, placed, error }, raw)
        }
    };
    let found = recovered.document.walk().count().saturating_sub(1) + recovered.orphans.len();
    recovered.fields = found as u64;
    // Of nothing, no file is made.
    if found > 0 {
        complete(&mut recovered, tree, Reader::depth(limits), bytes.len());
    }
    recovered.lost.sort_by_key(|lost| lost.range.start);
    recovered
}

/// Makes of what was found a file that can be worked with.
fn complete(
    recovered: &mut Recovered,
    tree: Option<std::ops::Range<usize>>,
    depth: u32,
    size: usize,
) {
    let mut known = layer::mend(recovered, tree, size);
    if let version @ 1.. = recovered.document.header.project_version {
        known.push((Tags::<Project>::version, Value::SignedInt(version as i32)));
    }
    defaults::fill(recovered, &known, depth, size as u64..size as u64);
    if !recovered.is_whole() {
        layer::count(recovered, &known);
        header(recovered);
    }
}

/// Makes the header say what the root does.
fn header(recovered: &mut Recovered) {
    let Document { header, tags, root, .. } = &recovered.document;
    let version = tags.id(Tags::<Project>::version).and_then(|tag| root.get(tag));
    let project_version = match FileKind::of(&recovered.document) {
        // The root of another program's file may be anything.
        None => return,
        Some(FileKind::Project) => version
            .and_then(Value::as_integer)
            .map_or(header.project_version, |version| version as u32),
        Some(_) => 0,
    };
    let due = Header { project_version, reserved: Header::default().reserved, ..*header };
    if due == *header {
        return;
    }
    recovered.document.header = due;
    // A header that was replaced as a whole is listed.
    let is_listed =
        |lost: &Lost| lost.reason == Reason::Rebuilt && lost.range.start == 0 && lost.range.end > 0;
    if !recovered.lost.iter().any(is_listed) {
        recovered.lost.push(Lost {
            range: 0..size_of::<Header>() as u64,
            path: Path::default(),
            reason: Reason::Rebuilt,
            thought: "words of the header, which the root has, too".to_owned(),
        });
    }
}
