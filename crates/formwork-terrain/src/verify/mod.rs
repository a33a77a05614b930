//! Finds all faults of readable files: of one file, or of those of a project.
//!
//! ```
//! use formwork_alb1::Text;
//! use formwork_alb1::terrain::{Root, ShapeLayer};
//! use formwork_terrain::verify;
//!
//! let mut layer = ShapeLayer::new(Text::new("fields").unwrap()).to_document()?;
//! assert_eq!(verify::document("fields.tv4s", &layer), []);
//!
//! layer.header.reserved = 99;
//! let findings = verify::document("fields.tv4s", &layer);
//! assert_eq!(findings[0].kind.name(), "header.reserved");
//! # Ok::<(), formwork::Error>(())
//! ```

mod class;

use formwork::{Path, PathSegment};
use formwork_alb1::finding::{Finding, FindingKind, Severity};
use formwork_alb1::graph::Graph;
use formwork_alb1::record::{ArrayRecord, Header};
use formwork_alb1::terrain::{FileKind, ObjectLayer, Tags};
use formwork_alb1::tree::{TreeWalk, Version, misplaced};
use formwork_alb1::{Document, Value};
use formwork_records::schema::{Extent, Schema};

use crate::check::{Files, check, locate};

/// Returns the faults of a file that show in it alone: pointers to other files are not followed.
#[must_use]
pub fn document(name: &str, document: &Document) -> Vec<Finding> {
    let file = [(name, document)];
    let is_project = FileKind::of(document) == Some(FileKind::Project);
    let mut findings = project(&Files {
        project: is_project.then_some((name, document)),
        layers: if is_project { &[] } else { &file },
        complete: false,
        libraries: None,
    });
    findings.retain(|finding| finding.kind.severity() > Severity::Advice);
    findings
}

/// Returns the faults of the files of a project: in the header, tables, classes, fields and values of each, in its
/// quadtree, in counters of other things, and in pointers from one to another.
///
/// Pointers to missing files are only found if there is a project, from which they lead.
#[must_use]
pub fn project(files: &Files<'_>) -> Vec<Finding> {
    let all: Vec<_> = files.project.iter().chain(files.layers).copied().collect();
    let graph = Graph::new(all.iter().copied());
    let mut findings = graph.findings().to_vec();
    if files.project.is_none() {
        findings.retain(|finding| finding.kind != FindingKind::PointerDangling);
    }
    for &(name, document) in &all {
        header(name, document, &mut findings);
        document.check_values(name, |finding| findings.push(finding));
        class::check(name, document, &mut findings);
        findings.extend(tree_fault(name, document));
        findings.extend(tree_boxes(name, document));
    }
    let is_known = |file: &&(&str, &Document)| FileKind::of(file.1).is_some();
    let layers: Vec<_> = files.layers.iter().filter(is_known).copied().collect();
    let seen = |it: &Finding, kind| {
        it.kind == kind && findings.iter().any(|found| found.kind == kind && found.file == it.file)
    };
    let mut terrain = check(&Files { layers: &layers, ..*files });
    // These were found above, all of them and with their places.
    terrain.retain(|it| !seen(it, FindingKind::ClassField) && !seen(it, FindingKind::TreeBroken));
    findings.extend(terrain);
    for (name, document) in all {
        locate(name, document, &mut findings);
    }
    findings
}

/// Returns the fault of an object layer's quadtree, with the first byte of the file that cannot be read; [`None`] if
/// there is no fault or no quadtree.
#[must_use]
pub fn tree_fault(name: &str, document: &Document) -> Option<Finding> {
    let (tree, version) = tree_of(document)?;
    let error = TreeWalk::new(tree, version).find_map(Result::err)?;
    let mut path = tree_path();
    error.path().steps().iter().for_each(|step| path.push(step.clone()));
    Some(Finding {
        file: name.to_owned(),
        offset: tree_start(document).map(|start| start + error.offset()),
        path,
        kind: FindingKind::TreeBroken,
        message: format!("expected {}, found {}", error.expected(), error.found()),
    })
}

/// Finds the first node or leaf of the quadtree whose box does not match its place, and counts all of these.
fn tree_boxes(name: &str, document: &Document) -> Option<Finding> {
    let (tree, version) = tree_of(document)?;
    let mut all = misplaced(tree, version);
    let first = all.next()?;
    let more = match all.count() {
        0 => String::new(),
        more => format!(", and so in {more} more"),
    };
    let mut path = tree_path();
    first.cell.names().for_each(|name| path.push(PathSegment::Field(name)));
    let (is, expected) = (first.bounds.to_array(), first.expected.to_array());
    Some(Finding {
        file: name.to_owned(),
        offset: tree_start(document).map(|start| start + first.offset as u64),
        path,
        kind: FindingKind::TreeBox,
        message: format!("the box is {is:?}, its place in the tree gives it {expected:?}{more}"),
    })
}

/// Returns the bytes of the quadtree of an object layer, and its version.
fn tree_of(document: &Document) -> Option<(&[u8], Version)> {
    let (tree, version) = ObjectLayer::tree_in(document)?;
    Some((tree, version.map_or_else(Version::default, Version::of_layer_version)))
}

/// Returns the offset of the quadtree in the file.
fn tree_start(document: &Document) -> Option<u64> {
    let tag = document.tags.id(Tags::<ObjectLayer>::tree)?;
    let mut fields = document.walk();
    let field = fields.find(|item| item.depth == 1 && item.field.is_some_and(|it| it.tag == tag));
    field.map(|item| item.value_offset() + ArrayRecord::LAYOUT.head_size() as u64)
}

/// Returns the path of the quadtree.
fn tree_path() -> Path {
    Path::from(vec![PathSegment::Name(Tags::<ObjectLayer>::tree.into())])
}

/// Checks the header, and the class of the root.
fn header(name: &str, document: &Document, findings: &mut Vec<Finding>) {
    const WORD: u64 = size_of::<u32>() as u64;
    const END: u64 = size_of::<Header>() as u64;
    let mut found = |offset, kind, message| {
        let (file, path) = (name.to_owned(), Path::default());
        findings.push(Finding { file, offset: Some(offset), path, kind, message });
    };
    let Header { project_version, reserved, .. } = document.header;
    let kind = FileKind::of(document);
    // The version in the header of a project is compared with that of its root.
    if kind != Some(FileKind::Project) && project_version != 0 {
        let message = format!(
            "the header has the project version {project_version}, in a file that is no project"
        );
        found(END - 2 * WORD, FindingKind::ProjectVersion, message);
    }
    if reserved != 0 {
        let message = format!("the last word of the header is {reserved}, not 0");
        found(END - WORD, FindingKind::HeaderReserved, message);
    }
    if kind.is_none() {
        let class = document.class_name(&document.root);
        let message =
            format!("the root object is of class {class}, as in no file of Terrain Builder");
        found(document.root_offset(), FindingKind::RootClass, message);
    }
}

/// Returns the description of a value in a message.
fn described(value: &Value) -> String {
    match value {
        Value::Raw(_) => "an array of raw bytes".to_owned(),
        other => format!("a field of type {}", other.field_type()),
    }
}
