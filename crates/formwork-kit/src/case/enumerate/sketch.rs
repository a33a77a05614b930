//! A packet written along its declaration: one of everything, small, but for what is wanted.

use formwork_records::schema::{
    Expression, Extent, Field, Integer, Layout, Meaning, Occurs, Record, Repetition, Schema,
    TYPE_ID, VARIANT, Word, record_of,
};
use formwork_variant::VariantType;
use formwork_variant::dialect::Dialect;
use formwork_variant::packet::InputEventHead;

use super::boundary::LETTERS;

/// A number in a packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) offset: usize,
    pub(super) shape: Layout,
    pub(super) value: u64,
    pub(super) role: Role,
    /// How many packets are around the one that it is in.
    pub(super) depth: u32,
}

/// The role of a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Role {
    /// The header word.
    Header,
    /// A value.
    Number,
    /// An enumeration with this number of values.
    Named(u64),
    /// The number of a type.
    TypeId,
    /// The count of the following elements, with their minimal size in bytes.
    Count(usize),
    /// The length of the following text in bytes, with the size of its terminator.
    Length(u8),
    /// A byte of padding.
    Padding,
}

/// The required properties of a packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'w> {
    /// Bits of the header word beside the type.
    pub(super) header: u64,
    /// The types of a dictionary's keys, and of its values or of an array's elements.
    pub(super) held: [VariantType; 2],
    /// The required value of the leaf at this position; dependent fields follow it.
    pub(super) leaf: Option<(usize, Want<'w>)>,
}

/// The required value of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) enum Want<'w> {
    /// This number.
    Number(u64),
    /// It is the length of this text.
    Text(&'w [u8]),
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Self { header: 0, held: [VariantType::Int; 2], leaf: None }
    }
}

/// A packet and its numbers.
#[derive(Clone, Debug)]
pub(super) struct Sketch<'w> {
    dialect: Dialect,
    wanted: Wanted<'w>,
    pub(super) bytes: Vec<u8>,
    pub(super) leaves: Vec<Leaf>,
    /// The names of the fields around what is being written.
    path: Vec<&'static str>,
    /// The numbers that conditions and counts may speak of.
    known: Vec<(Vec<&'static str>, u64, Integer)>,
    held: [VariantType; 2],
    /// The position in the list that is being written: makes its elements differ.
    ordinal: u64,
    depth: u32,
    /// Offset of the length word of an input event.
    measured: Option<usize>,
    /// The text that a length was wanted for.
    text: Option<&'w [u8]>,
}

impl<'w> Sketch<'w> {
    /// A packet of the type.
    pub(super) fn of(dialect: Dialect, variant_type: VariantType, wanted: Wanted<'w>) -> Self {
        let mut sketch = Self {
            dialect,
            wanted,
            bytes: Vec::new(),
            leaves: Vec::new(),
            path: Vec::new(),
            known: Vec::new(),
            held: wanted.held,
            ordinal: 0,
            depth: 0,
            measured: None,
            text: None,
        };
        sketch.packet(variant_type, wanted.header);
        sketch
    }

    fn packet(&mut self, variant_type: VariantType, flags: u64) {
        let (Some(packet), Some(id)) =
            (self.dialect.packet(variant_type), self.dialect.type_id(variant_type))
        else {
            return;
        };
        let base = self.known.len();
        self.path.push("header");
        self.number(Layout::Word(packet.header.word()), Role::Header, u64::from(id) | flags);
        self.path.pop();
        let start = self.bytes.len();
        self.fields(packet.payload.fields);
        // The declarations do not define the length that an input event has in its header.
        if let Some(at) = self.measured.take() {
            let length = (self.bytes.len() - start) as u64;
            self.put(at, length);
        }
        self.known.truncate(base);
    }

    /// A packet inside another one.
    fn nested(&mut self, field: &'static str) {
        let variant_type = match field {
            "key" => self.held[0],
            // The class of a Pandemonium typed array's elements.
            "class" => VariantType::StringName,
            _ => self.held[1],
        };
        let held = std::mem::replace(&mut self.held, [VariantType::Int; 2]);
        let path = std::mem::take(&mut self.path);
        self.depth += 1;
        // The form of an object that every reader takes.
        let as_id = |word: &Word| {
            let mut at = 0;
            word.parts.iter().find_map(|bits| {
                at += bits.width;
                (bits.name == "as_id").then(|| 1_u64 << (at - bits.width))
            })
        };
        let flags = match self.dialect.packet(variant_type) {
            Some(packet) if variant_type == VariantType::Object => as_id(packet.header.word()),
            _ => None,
        };
        self.packet(variant_type, flags.unwrap_or_default());
        self.depth -= 1;
        self.path = path;
        self.held = held;
    }

    fn fields(&mut self, fields: &'static [Field]) {
        for (position, field) in fields.iter().enumerate() {
            let later = fields.get(position + 1..).unwrap_or_default();
            match field.occurs() {
                Repetition::Once | Repetition::OnceOrEnd => self.once(field, later),
                Repetition::If(condition) => {
                    if self.evaluate(condition) != 0 {
                        self.once(field, later);
                    }
                }
                Repetition::Times(count) => {
                    let count = self.evaluate(count);
                    self.times(field, count);
                }
                Repetition::After(length) | Repetition::AfterOrEnd(length) => {
                    let length = self.evaluate(length);
                    for _ in 0..(4 - length % 4) % 4 {
                        let shape = u8::LAYOUT;
                        self.number(shape, Role::Padding, 0);
                    }
                }
                // Packets have neither.
                Repetition::Fill(_) | Repetition::ToEnd => {}
            }
        }
    }

    fn once(&mut self, field: &'static Field, later: &'static [Field]) {
        self.path.push(field.name);
        let from = self.leaves.len();
        self.shape(field, role(field, later));
        self.path.pop();
        // The element type is in the field that was just written.
        let slot = match field.name {
            "key_type" => 0,
            "element_type" | "value_type" => 1,
            _ => return,
        };
        let said = self.leaves[from..].iter().find(|leaf| leaf.role == Role::TypeId);
        // The top bit is masked off, where it has a meaning at all.
        let id = said.and_then(|leaf| u32::try_from(leaf.value & 0x7fff_ffff).ok());
        let row = id.and_then(|id| self.dialect.row(id));
        // Null is an element of every class.
        self.held[slot] = row.map_or(VariantType::Nil, |row| row.variant_type);
    }

    fn times(&mut self, field: &'static Field, count: u64) {
        // Nothing larger is asked for: what only claims to be large is put there afterwards.
        let count = count.min(16);
        if matches!(field.meaning, Meaning::Text | Meaning::Terminated) {
            let letters = LETTERS.iter().copied().cycle();
            match self.text.take() {
                Some(text) => self.bytes.extend_from_slice(text),
                None => {
                    let end = usize::from(field.meaning == Meaning::Terminated);
                    let length = (count as usize).saturating_sub(end);
                    self.bytes.extend(letters.skip(self.ordinal as usize).take(length));
                }
            }
            if field.meaning == Meaning::Terminated && count > 0 {
                self.bytes.push(0);
            }
            return;
        }
        let base = self.known.len();
        let outer = self.ordinal;
        self.path.push(field.name);
        for position in 0..count {
            self.ordinal = position;
            self.shape(field, Role::Number);
            self.known.truncate(base);
        }
        self.path.pop();
        self.ordinal = outer;
    }

    fn shape(&mut self, field: &'static Field, role: Role) {
        match field.element() {
            Layout::Record(record) => self.record(record),
            Layout::Nested(VARIANT) => self.nested(field.name),
            Layout::Integer { .. } => {
                let value = match role {
                    Role::Length(terminator) => 1 + u64::from(terminator),
                    Role::TypeId => self.dialect.type_id(VariantType::Int).map_or(0, u64::from),
                    Role::Named(_) => 0,
                    Role::Count(_) => 1,
                    _ => 1 + self.ordinal,
                };
                self.number(field.element(), role, value);
            }
            Layout::Float(bytes) => {
                // The components of a vector differ, too.
                let number = 1.5 + self.leaves.len() as f64;
                let bits = if bytes == 4 {
                    u64::from((number as f32).to_bits())
                } else {
                    number.to_bits()
                };
                self.number(field.element(), role, bits);
            }
            Layout::Word(word) => {
                let mut at = 0;
                let mut value = 0;
                for bits in word.parts {
                    let part: u64 = match (bits.name, bits.meaning) {
                        ("count", _) => 1,
                        // The only form that engines write.
                        ("separate", _) => 1,
                        (_, Meaning::Family(TYPE_ID)) => {
                            self.dialect.type_id(VariantType::Int).map_or(0, u64::from)
                        }
                        _ => 0,
                    };
                    value |= part << at;
                    at += bits.width;
                }
                self.number(field.element(), role, value);
            }
            // Packets have none of the others as fields.
            _ => {}
        }
    }

    fn record(&mut self, record: &'static Record) {
        self.fields(record.fields);
        if std::ptr::eq(record, const { record_of::<InputEventHead>() }) {
            self.measured = self.leaves.len().checked_sub(1);
        }
    }

    /// Writes a number, `value` unless another one is wanted.
    fn number(&mut self, shape: Layout, role: Role, value: u64) {
        let at = self.leaves.len();
        let value = match self.wanted.leaf {
            Some((wanted, Want::Number(number))) if wanted == at => number,
            Some((wanted, Want::Text(text))) if wanted == at => {
                self.text = Some(text);
                let terminator = if let Role::Length(terminator) = role { terminator } else { 0 };
                text.len() as u64 + u64::from(terminator)
            }
            _ => value,
        };
        let offset = self.bytes.len();
        let size = shape.size().unwrap_or_default();
        self.bytes.extend(value.to_le_bytes().iter().take(size));
        self.leaves.push(Leaf { offset, shape, value, role, depth: self.depth });
        match shape {
            Layout::Word(word) => {
                for (bits, value) in word.values(value) {
                    let path = self.path.iter().copied().chain([bits.name]);
                    self.known.push((path.collect(), value, bits.integer()));
                }
            }
            _ => self.known.push((self.path.clone(), value, Integer::ANY)),
        }
    }

    /// Puts another value in the place of a leaf, unless it was wanted as it is.
    fn put(&mut self, at: usize, value: u64) {
        if self.wanted.leaf.is_some_and(|(wanted, _)| wanted == at) {
            return;
        }
        if let Some(leaf) = self.leaves.get_mut(at) {
            leaf.value = value;
            write(&mut self.bytes, *leaf, value);
        }
    }

    /// The packet with another value in the place of a leaf, and nothing else changed.
    pub(super) fn with(&self, leaf: Leaf, value: u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        write(&mut bytes, leaf, value);
        bytes
    }

    /// Returns the value of the expression; 0 if it is unknown.
    fn evaluate(&self, expression: Expression) -> u64 {
        let value = expression.evaluate(|name, parts| {
            let path: Vec<&str> = std::iter::once(name).chain(parts.iter().copied()).collect();
            let known = self.known.iter().rev().find(|(known, ..)| known.ends_with(&path));
            known.map(|(_, value, ty)| (i128::from(*value), *ty))
        });
        value.and_then(|value| u64::try_from(value).ok()).unwrap_or_default()
    }
}

fn write(bytes: &mut [u8], leaf: Leaf, value: u64) {
    let size = leaf.shape.size().unwrap_or_default();
    if let Some(place) = bytes.get_mut(leaf.offset..leaf.offset + size) {
        place.copy_from_slice(&value.to_le_bytes()[..size]);
    }
}

/// Returns the role of the number in a field; `later` are the fields after it.
fn role(field: &Field, later: &[Field]) -> Role {
    let counted = later.iter().find(|later| match later.occurs() {
        Repetition::Times(count) => count.uses(field.name),
        _ => false,
    });
    match (counted, field.meaning) {
        (Some(counted), _) => match counted.meaning {
            Meaning::Text => Role::Length(0),
            Meaning::Terminated => Role::Length(1),
            _ => Role::Count(counted.element().head_size().max(1)),
        },
        (None, Meaning::Names(names)) => Role::Named(names.len() as u64),
        (None, Meaning::Family(TYPE_ID)) => Role::TypeId,
        _ => match field.element() {
            Layout::Word(word)
                if word.parts.iter().any(|bits| bits.meaning == Meaning::Family(TYPE_ID)) =>
            {
                Role::TypeId
            }
            _ => Role::Number,
        },
    }
}
