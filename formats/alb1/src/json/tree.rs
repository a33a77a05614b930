//! The quadtree of an object layer as JSON, instead of its bytes.

use super::word::{WORD, integer, missing};
use crate::terrain::{ObjectLayer, Tags, Typed};
use crate::tree::{BoundingBox, Group, Leaf, Node, Object, Tree, TreeItem, TreeWalk, Version};
use crate::{Document, Field, Value};
use formwork::{Path, PathSegment, Result};
use formwork_records::json::number::Scalar;
use formwork_records::json::output::{Bracket, Output};
use formwork_records::json::source::{Source, shortened};

/// Recognises the raw arrays of a document that are quadtrees: the fields `tree` of layers.
pub struct Trees {
    class: Option<i16>,
    tag: Option<u16>,
    layer_version: Option<u16>,
}

impl Trees {
    /// Returns those of this document.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let Document { tags, classes, .. } = document;
        let class = classes.id(ObjectLayer::CLASS.name).map(|id| id as i16);
        let (tag, layer_version) =
            (tags.id(Tags::<ObjectLayer>::tree), tags.id(Tags::<ObjectLayer>::version));
        Self { class, tag, layer_version }
    }

    /// Returns whether this field of this object holds bytes that should be a tree.
    #[must_use]
    pub fn is_tree(&self, object: &crate::Object, field: &Field) -> bool {
        Some(object.class) == self.class
            && Some(field.tag) == self.tag
            && matches!(field.value, Value::Raw(_))
    }

    /// Returns the version of the tree in this field of this object; [`None`] where it holds no tree that
    /// can be read.
    #[must_use]
    pub fn version(&self, object: &crate::Object, field: &Field) -> Option<Version> {
        if !self.is_tree(object, field) {
            return None;
        }
        let layer_version = object.get(self.layer_version?)?.as_integer()?;
        let version = Version::of_layer_version(layer_version.try_into().ok()?);
        let Value::Raw(bytes) = &field.value else { return None };
        TreeWalk::new(bytes, version).all(|stop| stop.is_ok()).then_some(version)
    }
}

/// Writes a tree that can be read.
// Not inlined: a tree's frame is large, and the caller calls itself for each level of a document.
#[inline(never)]
pub(super) fn write(
    bytes: &[u8],
    version: Version,
    out: &mut Output,
    between: &mut dyn FnMut(&mut Output) -> Result<()>,
) -> Result<()> {
    out.open_flat(Bracket::Object);
    out.name("$tree");
    out.open_flat(Bracket::Object);
    out.name("version");
    out.number(version.layer_version());
    out.name("parts");
    out.open(Bracket::List);
    let mut in_leaf = false;
    for stop in TreeWalk::new(bytes, version) {
        let item = stop?.item;
        if in_leaf && !matches!(item, TreeItem::Group { .. }) {
            end_leaf(out);
            in_leaf = false;
        }
        match item {
            TreeItem::Node(node) => write_node(&node, out),
            TreeItem::Leaf(leaf) => {
                begin_leaf(&leaf, out);
                in_leaf = true;
            }
            TreeItem::Group { template, objects } => {
                out.open_flat(Bracket::Object);
                out.name("template");
                out.number(template);
                out.name("objects");
                out.open(Bracket::List);
                for object in objects.iter() {
                    write_object(&object, out);
                    between(out)?;
                }
                out.close();
                out.close();
            }
        }
        between(out)?;
    }
    if in_leaf {
        end_leaf(out);
    }
    out.close();
    out.close();
    out.close();
    Ok(())
}

fn write_bounds(bounds: BoundingBox<f64>, out: &mut Output) {
    out.name("bounds");
    out.open_flat(Bracket::List);
    bounds.to_array().into_iter().for_each(|number| out.scalar(Scalar::Double(number)));
    out.close();
}

fn write_node(node: &Node<f64>, out: &mut Output) {
    let Node { kind, bounds, level, colour, children, .. } = *node;
    out.open_flat(Bracket::Object);
    out.name("kind");
    out.number(kind);
    write_bounds(bounds, out);
    out.name("level");
    out.number(level);
    out.name("colour");
    out.number(u32::from(colour));
    out.name("children");
    out.number(u8::from(children));
    out.close();
}

/// Writes a leaf up to its groups.
fn begin_leaf(leaf: &Leaf<f64>, out: &mut Output) {
    let Leaf { bounds, colour, template, group_count: _, .. } = *leaf;
    out.open_flat(Bracket::Object);
    write_bounds(bounds, out);
    out.name("colour");
    out.number(u32::from(colour));
    out.name("template");
    out.number(template);
    out.name("groups");
    out.open(Bracket::List);
}

fn end_leaf(out: &mut Output) {
    out.close();
    out.close();
}

fn write_object(object: &Object, out: &mut Output) {
    let Object { x, y, yaw, pitch, roll, scale, z, id } = *object;
    out.open_flat(Bracket::Object);
    for (name, number) in [("x", x), ("y", y)] {
        out.name(name);
        out.scalar(Scalar::Double(number));
    }
    let numbers = [("yaw", yaw), ("pitch", pitch), ("roll", roll), ("scale", scale), ("z", z)];
    for (name, number) in numbers {
        out.name(name);
        out.scalar(Scalar::Single(number));
    }
    out.name("id");
    out.number(id);
    out.close();
}

/// Reads the content of `$tree`: the bytes of the tree, and its version.
fn read(source: &mut Source<'_>) -> Result<(Vec<u8>, Version)> {
    let mut tree = Tree::default();
    let mut version = None;
    let start = source.at();
    source.record(|source, member| {
        match member {
            "version" => version = Some(read_version(source)?),
            "parts" => parts(source, &mut tree)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    tree.version = version.ok_or_else(|| missing(source, &["version"]))?;
    // Its offsets count in bytes that nobody sees.
    let version = tree.version;
    tree.to_vec().map(|bytes| (bytes, version)).map_err(|error| {
        let expected = format!("a tree: {}", error.expected());
        let path = error.path().clone();
        formwork_records::json::source::wrong_at(start, expected, error.found()).under(path)
    })
}

fn read_version(source: &mut Source<'_>) -> Result<Version> {
    match source.unsigned("3 or 4")? {
        3 => Ok(Version::V3),
        4 => Ok(Version::V4),
        other => Err(source.wrong("3 or 4", u32::to_string(&other))),
    }
}

/// Nodes and leaves.
fn parts(source: &mut Source<'_>, tree: &mut Tree) -> Result<()> {
    source.begin_list()?;
    let mut index = 0;
    while source.has_next()? {
        let read = part(source, tree);
        read.map_err(|error| error.under(Path::from(vec![PathSegment::Index(index)])))?;
        index += 1;
    }
    source.end_list()
}

fn part(source: &mut Source<'_>, tree: &mut Tree) -> Result<()> {
    let (mut kind, mut level, mut children) = (None, None, None);
    let (mut bounds, mut colour, mut template, mut groups) = (None, None, None, None);
    source.record(|source, member| {
        match member {
            "bounds" => bounds = Some(read_bounds(source)?),
            "colour" => colour = Some(source.unsigned::<u32>(WORD)?.into()),
            "kind" => kind = Some(integer(source, "a number from -128 to 127")?),
            "level" => level = Some(source.scalar()?),
            "children" => children = Some(source.unsigned::<u8>("a number to 255")?.into()),
            "template" => template = Some(source.unsigned(WORD)?),
            "groups" => groups = Some(read_groups(source, tree)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    match (bounds, colour, (kind, level, children), (template, groups)) {
        (Some(bounds), Some(colour), (Some(kind), Some(level), Some(children)), (None, None)) => {
            tree.nodes.push(Node { kind, bounds, level, colour, children, ..Node::default() })
        }
        (Some(bounds), Some(colour), (None, None, None), (Some(template), Some(group_count))) => {
            tree.leaves.push(Leaf { bounds, colour, template, group_count, ..Leaf::default() })
        }
        _ => {
            let node = "a node: kind, bounds, level, colour, children";
            let leaf = "a leaf: bounds, colour, template, groups";
            return Err(source.wrong(format!("{node}; or {leaf}"), "other members"));
        }
    }
    Ok(())
}

fn read_bounds(source: &mut Source<'_>) -> Result<BoundingBox<f64>> {
    let numbers: Vec<f64> = source.numbers()?;
    match numbers[..] {
        [x0, y0, x1, y1] => Ok(BoundingBox { x0, y0, x1, y1 }),
        _ => Err(source.wrong("four numbers", numbers.len().to_string())),
    }
}

/// Reads groups; how many.
fn read_groups(source: &mut Source<'_>, tree: &mut Tree) -> Result<i32> {
    let mut count = 0;
    source.begin_list()?;
    while source.has_next()? {
        let (mut template, mut objects) = (None, None);
        source.record(|source, member| {
            match member {
                "template" => template = Some(source.unsigned(WORD)?),
                "objects" => objects = Some(read_objects(source, tree)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let (Some(template), Some(object_count)) = (template, objects) else {
            return Err(missing(source, &["template", "objects"]));
        };
        tree.groups.push(Group { object_count, template, ..Group::default() });
        count = counted(source, count)?;
    }
    source.end_list()?;
    Ok(count)
}

/// Reads objects; how many.
fn read_objects(source: &mut Source<'_>, tree: &mut Tree) -> Result<i32> {
    let mut count = 0;
    source.begin_list()?;
    while source.has_next()? {
        tree.objects.push(object(source)?);
        count = counted(source, count)?;
    }
    source.end_list()?;
    Ok(count)
}

/// One more.
fn counted(source: &Source<'_>, count: i32) -> Result<i32> {
    count.checked_add(1).ok_or_else(|| source.wrong("at most 2147483647 of them", "one more"))
}

fn object(source: &mut Source<'_>) -> Result<Object> {
    const MEMBERS: [&str; 8] = ["x", "y", "yaw", "pitch", "roll", "scale", "z", "id"];
    let mut object = Object::default();
    let mut seen = 0;
    source.record(|source, member| {
        match member {
            "x" => object.x = source.scalar()?,
            "y" => object.y = source.scalar()?,
            "yaw" => object.yaw = source.scalar()?,
            "pitch" => object.pitch = source.scalar()?,
            "roll" => object.roll = source.scalar()?,
            "scale" => object.scale = source.scalar()?,
            "z" => object.z = source.scalar()?,
            "id" => object.id = source.unsigned(WORD)?,
            _ => return Ok(false),
        }
        seen += 1;
        Ok(true)
    })?;
    // None of them is there twice.
    if seen < MEMBERS.len() { Err(missing(source, &MEMBERS)) } else { Ok(object) }
}

/// Reads an array that is not a list of fields: its bytes, and the version where they are given as a
/// tree.
pub(super) fn raw(source: &mut Source<'_>) -> Result<(Vec<u8>, Option<Version>)> {
    source.begin_object()?;
    let name = if source.has_next()? { source.name()? } else { String::new() };
    let bytes = match name.as_str() {
        "$raw" => (source.base64()?, None),
        "$tree" => {
            let (bytes, version) = read(source)?;
            (bytes, Some(version))
        }
        _ => {
            let expected = "a list of fields, {\"$raw\": ...} or {\"$tree\": ...}";
            return Err(source.wrong(expected, shortened(&name)));
        }
    };
    source.end_object()?;
    Ok(bytes)
}
