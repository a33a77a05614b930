//! The quadtree in the array `tree` of a layer.

use std::iter::Peekable;

use super::{Alb1, input, reading, way};
use crate::FieldType;
use crate::read::{HEAD, end_of_pair};
use crate::record::FieldRecord;
use crate::terrain::{ObjectLayer, Tags, Typed};
use crate::tree::{
    Cell, Children, Group, Leaf, Node, Object, Objects, Stop, TreeItem, TreeWalk, Version,
};
use formwork::walk::Name;
use formwork::{PathSegment, Rule};
use formwork_records::inspect::walker::{Block, Found};
use formwork_records::inspect::{Kind, Span, SpanType, Value};
use formwork_records::schema::{Extent, Layout, Schema, Sizes};
use formwork_records::wire::word_at;

/// A quadtree that is being walked.
#[derive(Clone, Debug)]
pub(super) struct Quadtree<'a> {
    version: Version,
    /// How many spans it is in.
    depth: u32,
    /// Start in the file.
    start: usize,
    end: usize,
    /// Whether the file ends in it.
    cut: bool,
    walk: Peekable<TreeWalk<'a>>,
    /// Looks for the leaves with groups.
    ahead: TreeWalk<'a>,
    /// The next such leaf: where it starts, and its place.
    goal: Option<(usize, Cell)>,
    /// The level of the leaf that was there last.
    level: u32,
    /// How many of its groups were there.
    groups: u64,
    /// Objects of the last group that were there, and all that it has.
    objects: (u64, u64),
}

impl<'a> Quadtree<'a> {
    /// Begins with the bytes of an array.
    pub(super) fn new(block: &Block<'_, 'a>, version: Version) -> Self {
        let walk = TreeWalk::new(block.bytes, version);
        let step = &block.place.step;
        Self {
            version,
            depth: block.place.depth,
            start: step.bytes.start,
            end: step.bytes.end,
            cut: step.missing > 0,
            ahead: walk.clone(),
            walk: walk.peekable(),
            goal: None,
            level: 0,
            groups: 0,
            objects: (0, 0),
        }
    }

    fn node(&self) -> Layout {
        match self.version {
            Version::V3 => Node::<f32>::LAYOUT,
            Version::V4 => Node::<f64>::LAYOUT,
        }
    }

    fn leaf(&self) -> Layout {
        match self.version {
            Version::V3 => Leaf::<f32>::LAYOUT,
            Version::V4 => Leaf::<f64>::LAYOUT,
        }
    }

    /// Whether the node or leaf leads to a leaf with groups, or is one.
    fn leads_to_groups(&mut self, stop: &Stop<'_>) -> bool {
        while self.goal.is_none_or(|(offset, _)| offset < stop.offset) {
            match self.ahead.next() {
                Some(Ok(Stop { offset, cell, item: TreeItem::Leaf(leaf) }))
                    if leaf.group_count > 0 =>
                {
                    self.goal = Some((offset, cell));
                }
                Some(Ok(_)) => {}
                _ => return false,
            }
        }
        let level = stop.cell.level;
        self.goal.is_some_and(|(_, cell)| cell.level >= level && cell.up_to(level) == stop.cell)
    }

    /// Measures the adjacent cells without groups below the same node, of which `first` is one: their end, their
    /// number, and the number of nodes and leaves with everything below them.
    fn empty_cells(&mut self, first: &Stop<'_>) -> Option<Empty> {
        let mut empty: Option<Empty> = None;
        let mut stop = *first;
        while !matches!(stop.item, TreeItem::Group { .. })
            && stop.cell.level >= first.cell.level
            && !self.leads_to_groups(&stop)
        {
            let size = match stop.item {
                TreeItem::Leaf(_) => self.version.leaf_size(),
                _ => self.version.node_size(),
            };
            let one = empty.get_or_insert(Empty { end: 0, last: stop.cell, cells: 0, parts: 0 });
            one.end = self.start + stop.offset + size;
            one.parts += 1;
            if stop.cell.level == first.cell.level {
                (one.last, one.cells) = (stop.cell, one.cells + 1);
            }
            // The first one was taken already.
            if one.parts > 1 {
                self.walk.next();
            }
            let Some(Ok(next)) = self.walk.peek() else { break };
            stop = *next;
        }
        empty
    }
}

/// Cells that one span covers.
struct Empty {
    end: usize,
    last: Cell,
    cells: u64,
    parts: u64,
}

/// A part of the tree that begins here.
struct Part<'a> {
    name: PathSegment,
    shape: Layout,
    /// Bytes of all that is in it, if that can be seen.
    length: Option<usize>,
    /// Value of the item, if it has one besides its numbers.
    value: Option<Value<'a>>,
    /// How many spans it is in.
    depth: u32,
}

/// The version of the quadtree that the raw array with this tag holds: that of a layer does, if the
/// layer says of which version it is.
pub(super) fn tree_version<'a>(walker: &super::Walk<'a>, tag: Option<u16>) -> Option<Version> {
    let open = walker.resolver.open.last()?;
    let (class, start) = open.object?;
    let is_layer =
        walker.resolver.classes.get(class as u16) == Some(ObjectLayer::CLASS.name.as_bytes());
    if !is_layer
        || tag.and_then(|tag| walker.resolver.tags.get(tag))
            != Some(Tags::<ObjectLayer>::tree.as_bytes())
    {
        return None;
    }
    let version = layer_version(walker, start, open.limit)?;
    Some(Version::of_layer_version(version))
}

/// Returns the content of `mlayerVersion`, the first such field of the layer whose fields start here. The field
/// precedes the tree in every file seen, but this is not required.
fn layer_version<'a>(walker: &super::Walk<'a>, start: usize, end: usize) -> Option<i32> {
    let mut at = start;
    while at < end {
        let from = at.checked_add(HEAD)?;
        let head: FieldRecord = word_at(walker.bytes, at)?;
        let behind = walker.bytes.get(from..end)?;
        let field_type = FieldType::from_id(head.field_type)?;
        if walker.resolver.tags.get(head.tag) == Some(Tags::<ObjectLayer>::version.as_bytes()) {
            let mut input = input(walker, end);
            input.set_position(from);
            let value = reading(walker)
                .value(&mut input, field_type, walker.resolver.deepest_nesting)
                .ok()?;
            return value.as_integer()?.try_into().ok();
        }
        at = match field_type {
            FieldType::Pair => end_of_pair(walker.bytes.get(..end)?, from)?,
            _ => from.checked_add(field_type.extent(behind)?.try_into().ok()?)?,
        };
    }
    None
}

/// The next part of the tree.
pub(super) fn tree_part<'a>(walker: &mut super::Walk<'a>) -> Found<'a> {
    let Some(mut tree) = walker.resolver.tree.take() else { return Ok(None) };
    let found = next_part(walker, &mut tree);
    if matches!(found, Ok(Some(_))) {
        walker.resolver.tree = Some(tree);
    }
    found
}

fn next_part<'a>(walker: &mut super::Walk<'a>, tree: &mut Quadtree<'a>) -> Found<'a> {
    if tree.objects.0 < tree.objects.1 {
        return Ok(Some(next_object(walker, tree)));
    }
    let stop = match tree.walk.next() {
        None => return Ok(None),
        Some(Ok(stop)) => stop,
        // The file ends here: what the reader says to that comes.
        Some(Err(fault)) if tree.cut && fault.rule() == Rule::INPUT_COMPLETE => return Ok(None),
        Some(Err(fault)) => {
            let fault = fault.shifted(tree.start as u64).under(way(walker));
            walker.found.push_back(Err(fault));
            let rest = walker.rest_span("undecoded", tree.depth, tree.end);
            walker.found.extend(rest.map(Ok));
            return Ok(None);
        }
    };
    if walker.resolver.shown.is_some()
        && let Some(empty) = tree.empty_cells(&stop).filter(|empty| empty.parts > 1)
    {
        return Ok(Some(empty_cells(walker, tree, &stop, &empty)));
    }
    let (name, level) = (PathSegment::Field(stop.cell.name()), stop.cell.level);
    let part = match stop.item {
        TreeItem::Node(node) => {
            let children = u8::from(node.children).count_ones();
            let what = match Children::of_kind(node.kind) {
                Some(Children::Leaves) => "leaves",
                _ => "nodes",
            };
            let value = (children > 0).then_some(Value::Count(children.into(), what));
            Part { name, shape: tree.node(), length: None, value, depth: tree.depth + level }
        }
        TreeItem::Leaf(leaf) => {
            (tree.level, tree.groups) = (level, 0);
            let count = u64::try_from(leaf.group_count).unwrap_or_default();
            let value = (count > 0).then_some(Value::Count(count, "groups"));
            Part { name, shape: tree.leaf(), length: None, value, depth: tree.depth + level }
        }
        TreeItem::Group { objects, .. } => {
            let (name, count) = (PathSegment::Index(tree.groups), objects.len() as u64);
            (tree.groups, tree.objects) = (tree.groups + 1, (0, count));
            let length = Group::HEAD_SIZE + objects.len() * Objects::EACH;
            let value = (count > 0).then_some(Value::Count(count, "objects"));
            let (shape, length) = (Group::LAYOUT, Some(length));
            Part { name, shape, length, value, depth: tree.depth + level + 1 }
        }
    };
    Ok(Some(open_part(walker, part)))
}

/// The next object of a group, or all those that are not handed out one by one.
fn next_object<'a>(walker: &mut super::Walk<'a>, tree: &mut Quadtree<'a>) -> Span<'a> {
    let (index, count) = tree.objects;
    let (left, depth) = (count - index, tree.depth + tree.level + 2);
    tree.objects.0 += 1;
    // One element is not worth a line that says that there is one.
    if walker.resolver.shown.is_some_and(|shown| shown <= index) && left > 1 {
        tree.objects.0 = count;
        let length = left as usize * Objects::EACH;
        let name = PathSegment::Name(format!("[{index}] to [{}]", count - 1).into());
        let layout = SpanType::Many(Object::LAYOUT, left);
        return pass(walker, name, layout, length, Value::Count(left, "more"), depth);
    }
    let (name, shape, length) = (PathSegment::Index(index), Object::LAYOUT, Some(Objects::EACH));
    open_part(walker, Part { name, shape, length, value: None, depth })
}

/// The span for cells without groups.
fn empty_cells<'a>(
    walker: &mut super::Walk<'a>,
    tree: &Quadtree<'a>,
    first: &Stop<'_>,
    empty: &Empty,
) -> Span<'a> {
    let name = match (first.cell.name(), empty.last.name()) {
        (first, last) if first == last => PathSegment::Field(first),
        (first, last) => PathSegment::Name(format!("{first} to {last}").into()),
    };
    let is_node = matches!(first.item, TreeItem::Node(_));
    let shape = if is_node { tree.node() } else { tree.leaf() };
    let value = match (is_node, empty.parts == empty.cells) {
        (false, _) => Value::Count(empty.parts, "leaves without groups"),
        (true, true) => Value::Count(empty.parts, "empty cells"),
        (true, false) => Value::Count(empty.parts, "nodes and leaves without groups"),
    };
    let layout = match empty.cells {
        1 => SpanType::One(shape),
        cells => SpanType::Many(shape, cells),
    };
    let (length, depth) = (empty.end - walker.position, tree.depth + first.cell.level);
    pass(walker, name, layout, length, value, depth)
}

/// Gives this number of bytes one span.
fn pass<'a>(
    walker: &mut super::Walk<'a>,
    name: PathSegment,
    layout: SpanType,
    length: usize,
    value: Value<'a>,
    depth: u32,
) -> Span<'a> {
    let span = walker.open(depth, name, None, (layout, Some(length)), value);
    walker.position += length;
    Span { kind: Kind::Leaf, ..span }
}

/// A part of the tree: its numbers are next.
fn open_part<'a>(walker: &mut super::Walk<'a>, part: Part<'a>) -> Span<'a> {
    let Part { name, shape, length, value, depth } = part;
    let (size, layout) = (shape.head_size(), SpanType::One(shape));
    let end = walker.position + size;
    let Layout::Record(record) = shape else {
        return pass(walker, name, layout, size, Value::None, depth);
    };
    let numbers = Value::Fields(record, walker.bytes.get(walker.position..end).unwrap_or_default());
    let Some(value) = value.or((!walker.resolver.whole).then_some(Value::None)) else {
        return pass(walker, name, layout, size, numbers, depth);
    };
    let length = length.or((!matches!(value, Value::Count(..))).then_some(size));
    let span = walker.open(depth, name, None, (layout, length), value);
    if walker.resolver.whole {
        let head = pass(walker, PathSegment::Field("head"), layout, size, numbers, depth + 1);
        walker.found.push_back(Ok(head));
        return span;
    }
    // Only numbers are in it, which are there.
    let mut numbers = super::Walk::of(walker.bytes, Alb1::new(walker.bytes));
    numbers.position = walker.position;
    numbers.begin(shape, Name::Same);
    let numbers = numbers.map_while(|item| item.ok().filter(|it| it.offset < end as u64));
    walker.found.extend(numbers.map(|it| Ok(Span { depth: it.depth + depth + 1, ..it })));
    walker.position = end;
    span
}
