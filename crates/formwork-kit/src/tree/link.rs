//! Finds the words that hold a count or a size, from the declarations.

use crate::Format;
use formwork_alb1::FieldType;
use formwork_alb1::record::RawArrayRecord;
use formwork_godot::inspect::SpanType;
use formwork_records::schema::{
    Field, Layout, Meaning, Occurs, PAYLOAD_SIZE, Record, Repetition, raw, record_of,
};

use super::Tree;
use super::node::{Name, Node};

/// A number in the bytes, or a part of one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Count {
    /// The node of the word.
    pub(crate) node: usize,
    pub(crate) shift: u32,
    pub(crate) width: u32,
}

impl Count {
    /// All of the number that a node is.
    pub(crate) const fn of(index: usize, node: &Node) -> Self {
        Self { node: index, shift: 0, width: 8 * node.len() as u32 }
    }
}

/// A type's name is written once in the table of types.
fn field_type(name: &str) -> Option<FieldType> {
    FieldType::ALL.iter().copied().find(|field_type| field_type.name() == name)
}

impl Tree {
    pub(crate) fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)
    }

    /// Returns the children of a node.
    pub(crate) fn children(&self, of: usize) -> impl Iterator<Item = (usize, &Node)> {
        let (mut at, end) = match self.nodes.get(of) {
            Some(node) => (of + 1, node.next),
            None => (0, 0),
        };
        std::iter::from_fn(move || {
            let index = at;
            let node = self.nodes.get(index).filter(|_| index < end)?;
            at = node.next;
            Some((index, node))
        })
    }

    pub(crate) fn child(&self, of: usize, name: &str) -> Option<(usize, &Node)> {
        self.children(of).find(|(_, child)| matches!(child.name, Name::Field(own) if own == name))
    }

    /// Finds the node at a path of names.
    pub(crate) fn at(&self, path: &[&str]) -> Option<usize> {
        path.iter().try_fold(0, |node, name| self.child(node, name).map(|(index, _)| index))
    }

    /// Returns the type of the innermost value around a byte.
    pub(crate) fn type_at(&self, at: usize) -> Option<&'static str> {
        let mut around = self.nodes.iter().rev().filter(|node| node.range().contains(&at));
        around.find_map(|node| match node.layout {
            SpanType::Packet(name) => Some(name),
            SpanType::Field(name) => field_type(name).map(FieldType::variant),
            _ => None,
        })
    }

    /// The bytes of a node.
    pub(crate) fn bytes_of(&self, node: &Node) -> &[u8] {
        self.bytes.get(node.range()).unwrap_or_default()
    }

    /// The node that is the parent, and not the whole itself.
    pub(crate) fn parent(&self, of: usize) -> Option<usize> {
        self.node(of).map(|node| node.parent).filter(|_| of > 0)
    }

    /// Finds a field that was declared for what is in a node. The fields of records that count as
    /// the packet's own are among them.
    fn declared(
        &self,
        node: usize,
        accept: &mut dyn FnMut(&'static Field) -> bool,
    ) -> Option<&'static Field> {
        find(self.top_fields(node)?, accept)
    }

    /// The fields that were declared for what is in a node.
    pub(super) fn top_fields(&self, node: usize) -> Option<&'static [Field]> {
        match (self.node(node)?.layout, self.format) {
            (SpanType::Packet(name), Format::Variant(dialect)) => {
                let row = dialect.rows().iter().find(|row| std::ptr::eq(row.name, name))?;
                Some(dialect.packet(row.variant_type)?.payload.fields)
            }
            (SpanType::Field(_), _) => Some(self.value_record(node)?.fields),
            (SpanType::One(Layout::Record(record)), _) => Some(record.fields),
            _ => None,
        }
    }

    /// Shows every field that was declared for what is in a node.
    pub(super) fn each_declared(&self, node: usize, visit: &mut dyn FnMut(&'static Field)) {
        self.declared(node, &mut |field| {
            visit(field);
            false
        });
    }

    /// The record that the value of a field of an ALB1 file is.
    fn value_record(&self, node: usize) -> Option<&'static Record> {
        let SpanType::Field(name) = self.node(node)?.layout else { return None };
        let Some(Layout::Record(record)) = field_type(name)?.layout() else { return None };
        if field_type(name)? == FieldType::Array && self.is_raw(node, record) {
            return Some(record_of::<RawArrayRecord<'static>>());
        }
        Some(record)
    }

    /// Returns whether an array holds raw bytes: then its count is the number of bytes after it. (The decoder decides
    /// it by the same test, as the elements of other arrays are named by their position.)
    fn is_raw(&self, node: usize, record: &'static Record) -> bool {
        let words =
            record.fields.iter().take_while(|field| matches!(field.occurs(), Repetition::Once));
        let Some(last) = words.last().and_then(|word| self.child(node, word.name)) else {
            return false;
        };
        let first = self.children(node).find(|(index, _)| *index > last.0);
        first.is_some_and(|(_, child)| child.name != Name::Index)
    }

    /// The field that was declared for `child`, or whose elements it is one of.
    pub(crate) fn field_of(&self, child: usize) -> Option<&'static Field> {
        let node = self.node(child)?;
        let parent = self.parent(child)?;
        if let Name::Field(name) = node.name
            && let Some(field) = self.declared(parent, &mut |field| field.name == name)
        {
            return Some(field);
        }
        // A list without a separate node.
        self.list_in(parent)
    }

    /// Returns the field whose elements are children of a node with other fields.
    pub(super) fn list_in(&self, node: usize) -> Option<&'static Field> {
        if let SpanType::Many(..) = self.node(node)?.layout {
            return self.field_of(node);
        }
        let mut list = None;
        self.declared(node, &mut |field| {
            if matches!(
                field.occurs(),
                Repetition::Times(_) | Repetition::Fill(_) | Repetition::ToEnd
            ) {
                list = Some(field);
            }
            false
        });
        list
    }

    /// The word, or part of a word, that an expression names, which is about what is in `node`.
    pub(crate) fn named(&self, node: usize, name: &str, parts: &[&str]) -> Option<Count> {
        let (index, word) = self.child(node, name)?;
        let &[part] = parts else { return parts.is_empty().then_some(Count::of(index, word)) };
        let mut shift = 0;
        for bits in word.word()?.parts {
            let width = u32::from(bits.width);
            if bits.name == part {
                return Some(Count { node: index, shift, width });
            }
            shift += width;
        }
        None
    }

    /// Returns the count of a field's elements in a node.
    pub(crate) fn count_of(&self, node: usize, field: &Field) -> Option<Count> {
        let Repetition::Times(count) = field.occurs() else { return None };
        let (name, parts) = count.path()?;
        self.named(node, name, parts)
    }

    /// Returns the count of the elements of a node that is a list, or has one among its fields.
    pub(crate) fn count_in(&self, list: usize) -> Option<Count> {
        let field = self.list_in(list)?;
        match self.node(list)?.layout {
            SpanType::Many(..) => self.count_of(self.parent(list)?, field),
            _ => self.count_of(list, field),
        }
    }

    /// Returns the size of a value in bytes: the first word of an array or object of an ALB1 file, the length in a
    /// packet that has one.
    pub(crate) fn measure_of(&self, node: usize) -> Option<Count> {
        let word = match self.node(node)?.layout {
            SpanType::Field(name) if field_type(name)?.is_blob() => {
                self.value_record(node)?.fields.first()?
            }
            SpanType::Packet(_) => {
                self.declared(node, &mut |field| field.meaning == Meaning::Family(PAYLOAD_SIZE))?
            }
            _ => return None,
        };
        self.named(node, word.name, &[])
    }

    /// Returns the field of the padding that is declared after a block that `count` counts, and the node of it if it is
    /// present.
    pub(super) fn padding_of(&self, block: usize) -> Option<(&'static Field, Option<usize>)> {
        let parent = self.parent(block)?;
        let Repetition::Times(count) = self.field_of(block)?.occurs() else { return None };
        let padding = self.declared(parent, &mut |field| {
            matches!(field.occurs(), Repetition::After(length) | Repetition::AfterOrEnd(length)
                if length.to_string() == count.to_string())
        })?;
        Some((padding, self.child(parent, padding.name).map(|(index, _)| index)))
    }

    pub(crate) fn value_of(&self, count: Count) -> Option<u64> {
        let word = raw(self.bytes_of(self.node(count.node)?), false);
        Some((word >> count.shift) & ones(count.width))
    }
}

/// Returns a mask of `width` bits.
pub(super) const fn ones(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Finds a field. Recurses as deep as records are declared in each other.
fn find(
    fields: &'static [Field],
    accept: &mut dyn FnMut(&'static Field) -> bool,
) -> Option<&'static Field> {
    for field in fields {
        let found = match (field.element(), field.occurs()) {
            (Layout::Record(record), Repetition::Once | Repetition::If(_)) if field.inline => {
                find(record.fields, accept)
            }
            _ => accept(field).then_some(field),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
