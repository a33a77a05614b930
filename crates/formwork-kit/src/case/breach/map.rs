//! The points of a packet that can be changed, as nodes of its tree.

use crate::Format;
use formwork_godot::inspect::SpanType;
use formwork_records::schema::{Field, Layout, Meaning, Occurs, Repetition};
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
}

/// See [the module](self).
#[derive(Clone, Debug)]
pub(super) struct Map {
    pub(super) tree: Tree,
    pub(super) points: Vec<Point>,
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
                (_, Some(packet)) if node.is_leaf => map.number(index, &node, packet),
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
        let is_class = node.name == Name::Field("class");
        let kind = if is_class { Kind::ClassHeader } else { Kind::Header };
        self.point(kind, index, index + 1, 1);
        if node.is_fixed {
            return None;
        }
        let payload = dialect.packet(variant_type)?.payload.fields;
        Some(Open { node: index, end: node.next, variant_type, payload })
    }

    /// Adds a number of a packet, by the name that it is declared with.
    fn number(&mut self, index: usize, node: &Node, packet: &Open) {
        let Name::Field(name) = node.name else { return };
        use VariantType as T;
        let kind = match (packet.variant_type, name) {
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
                let each = list(packet.payload).map_or(1, |list| least(list.element()));
                self.point(kind, packet.node, index, each);
            }
            Kind::Packed => {
                let elements = self.tree.node(index + 1).and_then(Node::block);
                self.point(kind, packet.node, index, elements.map_or(1, |(_, size)| size));
            }
            _ => self.point(kind, packet.node, index, 1),
        }
    }

    fn point(&mut self, kind: Kind, packet: usize, node: usize, each: usize) {
        self.points.push(Point { kind, packet, node, each });
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

/// Returns the list among the fields of a packet, or of a record that is displayed inline in it.
fn list(fields: &'static [Field]) -> Option<&'static Field> {
    fields.iter().find_map(|field| match (field.occurs(), field.element()) {
        (Repetition::Times(_), _) => Some(field),
        (_, Layout::Record(record)) if field.inline => list(record.fields),
        _ => None,
    })
}
