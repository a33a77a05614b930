//! The points of a packet that can be changed, as nodes of its tree, and the order in which a decoder checks its
//! bounds.

use std::ops::Range;

use crate::Format;
use formwork_godot::inspect::SpanType;
use formwork_records::schema::{Field, Layout, Meaning, Occurs, PAYLOAD_SIZE, Repetition};
use formwork_records::wire::Padding;
use formwork_variant::VariantType;
use formwork_variant::dialect::Dialect;

use crate::tree::{Count, Name, Node, Tree, least};

/// The kind of a [`Point`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// The header word of a value.
    Header,
    /// The header word of an element class.
    ClassHeader,
    /// The length of a text.
    Text,
    /// The length of a text in a NodePath.
    PathText,
    /// The length of a text in a string array: the text ends with a zero byte.
    Terminated,
    /// The count of a byte array.
    Bytes,
    /// The count of another packed array, but one of strings.
    Packed,
    /// The count of a string array.
    Strings,
    /// The count of an array or dictionary.
    Count,
    /// The count of an object's properties.
    Properties,
    /// The first count of a NodePath.
    Path,
    /// The type of a container's elements, keys or values.
    ElementType,
    /// The length of the class name or script path that replaces it.
    ElementName,
    /// The type of the elements of a Pandemonium typed array.
    ElementWord,
    /// The first word of an image's payload.
    Image,
    /// The first word of an input event's payload.
    Event,
}

/// A mutation point: a word that can be changed so that a rule is broken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) kind: Kind,
    /// The node of the packet that it belongs to.
    pub(super) packet: usize,
    /// Its own node.
    pub(super) node: usize,
    /// Bytes that each of what it counts takes at least.
    pub(super) each: usize,
    /// The next check, which accepts or refuses the count or length.
    pub(super) check: usize,
}

/// A reader makes sure that something is there before it goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    /// Offset that a decoder reports if the check fails.
    pub(super) at: usize,
    /// Smallest end of the input at which the check passes.
    pub(super) need: usize,
    /// Whether that counts what all open containers still need.
    pub(super) reserves: bool,
}

/// See [the module](self).
#[derive(Clone, Debug)]
pub(super) struct Map {
    pub(super) tree: Tree,
    pub(super) points: Vec<Point>,
    /// In the order in which a reader makes them.
    pub(super) checks: Vec<Check>,
    /// Ranges in which the input may end without an error.
    pub(super) tails: Vec<Range<usize>>,
    /// Bytes that open containers need at least.
    reserved: usize,
    /// End of the range that was checked.
    checked: usize,
}

/// A packet that is not at its end.
struct Open {
    node: usize,
    end: usize,
    variant_type: VariantType,
    payload: &'static [Field],
}

impl Map {
    /// Takes a packet apart that is whole and canonical.
    pub(super) fn of(bytes: Vec<u8>, dialect: Dialect) -> Self {
        let words = bytes.len() / 4;
        let mut map = Self {
            tree: Tree::of_vec(bytes, Format::Variant(dialect)),
            points: Vec::with_capacity(words),
            checks: Vec::with_capacity(words),
            tails: Vec::new(),
            reserved: 0,
            checked: 0,
        };
        let mut open: Vec<Open> = Vec::with_capacity(8);
        let mut index = 1;
        while let Some(&node) = map.tree.node(index) {
            while open.pop_if(|packet| packet.end <= index).is_some() {}
            let mut next = index + 1;
            match (node.layout, open.last()) {
                (SpanType::Packet(_), _) => match map.packet(index, &node, dialect) {
                    Some(packet) => open.push(packet),
                    None => next = node.next,
                },
                (_, Some(packet)) if node.is_leaf => map.leaf(index, &node, packet),
                // The names or subnames of a NodePath take at least one word each.
                (SpanType::Many(shape, count), Some(packet))
                    if packet.variant_type == VariantType::NodePath =>
                {
                    map.check(node.start, node.start + least(shape) * count as usize);
                }
                _ => {}
            }
            index = next;
        }
        map
    }

    /// A packet; what is in it is wanted, unless its payload is read as one.
    fn packet(&mut self, index: usize, node: &Node, dialect: Dialect) -> Option<Open> {
        let header = *self.tree.node(index + 1)?;
        let id = dialect.quirks().type_id(self.tree.raw(&header) as u32);
        let variant_type = dialect.row(id)?.variant_type;
        self.check(node.start, header.end);
        let kind = if node.name == Name::Field("class") {
            Kind::ClassHeader
        } else {
            self.release(header.len());
            Kind::Header
        };
        self.point(kind, index, index + 1, 1);
        if node.is_fixed {
            if header.end < node.end {
                self.check(header.end, node.end);
            }
            return None;
        }
        let payload = dialect.packet(variant_type)?.payload.fields;
        Some(Open { node: index, end: node.next, variant_type, payload })
    }

    /// Adds a field: the checks before it, and its own.
    fn leaf(&mut self, index: usize, node: &Node, packet: &Open) {
        let Name::Field(name) = node.name else { return };
        let fields = self.fields_with(name, node, packet);
        let Some(field) = fields.iter().find(|field| field.name == name) else { return };
        if matches!(field.occurs(), Repetition::AfterOrEnd(_))
            || field.meaning == Meaning::Family(PAYLOAD_SIZE) && index + 1 == packet.end
        {
            // Engines check the length only if bytes follow it.
            self.tails.push(node.range());
            return;
        }
        if node.start >= self.checked {
            let is_first = fields.first().is_some_and(|first| first.name == name);
            self.checked = if is_first { node.start + head(fields) } else { node.end };
            self.check(node.start, self.checked);
        }
        if matches!(field.meaning, Meaning::Text | Meaning::Terminated) {
            self.checked = node.end + Padding::needed(node.len());
            self.check(node.end, self.checked);
        }
        self.number(index, node, field, fields, packet);
    }

    /// Returns the fields of the record that contains a field: the node around it, or a record that is displayed inline
    /// in its packet.
    fn fields_with(&self, name: &str, node: &Node, packet: &Open) -> &'static [Field] {
        if let Some(SpanType::One(Layout::Record(record))) =
            self.tree.node(node.parent).map(|parent| parent.layout)
        {
            return record.fields;
        }
        let records = packet.payload.iter().filter(|field| field.inline);
        let mut found = records.filter_map(|field| match field.element() {
            Layout::Record(record) => Some(record.fields),
            _ => None,
        });
        let is_in = |fields: &&[Field]| fields.iter().any(|field| field.name == name);
        found.find(is_in).unwrap_or(packet.payload)
    }

    /// A number of a packet, by the name that it is declared with among these fields.
    fn number(
        &mut self,
        index: usize,
        node: &Node,
        field: &Field,
        fields: &[Field],
        packet: &Open,
    ) {
        use VariantType as T;
        let kind = match (packet.variant_type, field.name) {
            (T::Image, "format") => Kind::Image,
            (T::InputEvent, "event_type") => Kind::Event,
            (T::Image | T::InputEvent, _) => return,
            (T::NodePath, "name_count") => Kind::Path,
            (T::NodePath, "length") => Kind::PathText,
            (T::PackedStringArray, "length") => Kind::Terminated,
            (T::PackedStringArray, "count") => Kind::Strings,
            (T::PackedByteArray, "count") => Kind::Bytes,
            (T::Array | T::Dictionary | T::TypedArray | T::PackedTypedArray, "count") => {
                Kind::Count
            }
            (T::Object, "property_count") => Kind::Properties,
            (T::Array | T::Dictionary, "type_id") => Kind::ElementType,
            (T::Array | T::Dictionary, "length") => {
                self.point(Kind::ElementName, packet.node, index, 1);
                Kind::Text
            }
            (T::TypedArray | T::PackedTypedArray, "element_type") => Kind::ElementWord,
            (_, "length") => Kind::Text,
            (_, "count") => Kind::Packed,
            _ => return,
        };
        match kind {
            Kind::Strings | Kind::Count | Kind::Properties => {
                let is_list = |field: &&Field| matches!(field.occurs(), Repetition::Times(_));
                let Some(list) = fields.iter().find(is_list) else { return };
                let count = self.tree.count_of(packet.node, list);
                let count = count.and_then(|count| self.tree.value_of(count)).unwrap_or_default();
                let each = least(list.element());
                self.point(kind, packet.node, index, each);
                self.reserved += each * count as usize;
                let need = node.end + self.reserved;
                self.checks.push(Check { at: node.start, need, reserves: true });
            }
            Kind::Packed => {
                let elements = self.tree.node(index + 1).and_then(Node::block);
                self.point(kind, packet.node, index, elements.map_or(1, |(_, size)| size));
            }
            _ => {
                // An element of a list, or the name of a property.
                let is_in_list = packet.variant_type == T::Object
                    && self.tree.parent(node.parent) != Some(packet.node);
                if kind == Kind::Terminated || is_in_list {
                    self.release(node.len());
                }
                self.point(kind, packet.node, index, 1);
            }
        }
    }

    fn point(&mut self, kind: Kind, packet: usize, node: usize, each: usize) {
        self.points.push(Point { kind, packet, node, each, check: self.checks.len() });
    }

    fn check(&mut self, at: usize, need: usize) {
        self.checks.push(Check { at, need, reserves: false });
    }

    /// Marks `bytes` of the minimal size of a container as read.
    fn release(&mut self, bytes: usize) {
        self.reserved = self.reserved.saturating_sub(bytes);
    }

    /// Returns the offset at which a decoder reports the cut if the input ends at `end`.
    pub(super) fn cut(&self, end: usize) -> Option<usize> {
        let missing = |check: &&Check| check.need > end;
        self.checks.iter().find(missing).map(|check| check.at)
    }

    /// Returns whether a value of any type may take the packet's place. It may not in a typed container, nor as a key,
    /// which may equal another key.
    pub(super) fn is_free(&self, packet: usize, dialect: Dialect) -> bool {
        let Some(around) = self.tree.packet_around(packet) else { return true };
        let is_typed = || {
            let kind = self.element_kinds(around).last();
            kind.is_some_and(|kind| self.tree.value_of(kind.part) != Some(0))
        };
        match (self.tree.node(packet).map(|node| node.name), self.type_of(around, dialect)) {
            (_, Some(VariantType::Object)) => true,
            (Some(Name::Index), Some(VariantType::Array)) => !is_typed(),
            (Some(Name::Field("value")), _) => !is_typed(),
            _ => false,
        }
    }

    /// The type of a packet.
    pub(super) fn type_of(&self, packet: usize, dialect: Dialect) -> Option<VariantType> {
        let name = self.name_of(packet);
        let row = dialect.rows().iter().find(|row| std::ptr::eq(row.name, name))?;
        Some(row.variant_type)
    }

    /// Returns the dialect's name of a packet's type.
    pub(super) fn name_of(&self, packet: usize) -> &'static str {
        match self.tree.node(packet).map(|node| node.layout) {
            Some(SpanType::Packet(name)) => name,
            _ => "",
        }
    }

    /// How the header of a container says that the types of its keys, and of its values or elements,
    /// are given.
    pub(super) fn element_kinds(&self, packet: usize) -> impl Iterator<Item = ElementKind> {
        // It starts with its header.
        let node = packet + 1;
        let word = self.tree.node(node).and_then(Node::word);
        let mut at = 0;
        word.into_iter().flat_map(|word| word.parts).filter_map(move |bits| {
            let (shift, width) = (at, u32::from(bits.width));
            at += width;
            let Meaning::Names(names) = bits.meaning else { return None };
            Some(ElementKind { part: Count { node, shift, width }, names })
        })
    }
}

/// A part of a container's header: how the type of its keys, values or elements is given.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct ElementKind {
    pub(super) part: Count,
    names: &'static [(i128, &'static str)],
}

/// Names of some ways to give a type.
pub(super) const BUILT_IN: &str = "built-in type";
pub(super) const CLASS: &str = "class name";
pub(super) const SCRIPT: &str = "script path";

impl ElementKind {
    /// The number of a way to give a type.
    pub(super) fn called(&self, name: &str) -> u64 {
        let number = self.names.iter().find(|own| own.1 == name).map(|own| own.0);
        number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default()
    }
}

/// Bytes at the start of a record that are read at once: what has a fixed size, up to the length of
/// the packet if that is among them.
fn head(fields: &[Field]) -> usize {
    let is_length = |field: &&Field| field.meaning == Meaning::Family(PAYLOAD_SIZE);
    let once = |field: &Field| {
        field.element().size().filter(|_| matches!(field.occurs(), Repetition::Once))
    };
    fields.iter().take_while(|field| !is_length(field)).map_while(once).sum()
}
