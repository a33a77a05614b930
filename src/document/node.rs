//! Values along a layout: read off bytes, settled, written.

use crate::error::{Error, Result};
use crate::schema::{EndKind, Field, Layout, Meaning, Record, Word, low_bits};
use crate::settle::{self, Given, Parts, Settle, Wants, filled};
use crate::walk::{self, StepKind, Walk};
use crate::wire::not_coded;

use super::rule;

/// A value and the layout that it is declared with.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub layout: Layout,
    pub value: Value,
}

/// The value of a [`Node`].
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A field that is not there.
    Absent,
    /// A number or word; [`None`] if other fields determine it.
    Number(Option<i128>),
    /// Bytes, or numbers in a row in this order of bytes: whether the highest byte is first.
    Bytes(Vec<u8>, bool),
    /// The variant, and the fields with their positions.
    Fields(usize, Vec<(usize, Node)>),
    List(Vec<Node>),
}

/// Returns the layout of the elements of a list.
pub(super) fn element(layout: Layout) -> Option<Layout> {
    match layout.inner() {
        Layout::Array(_, of) | Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) => {
            Some(of())
        }
        _ => None,
    }
}

/// Returns the record of a value with this variant.
pub(super) fn record_of(layout: Layout, variant: usize) -> Option<&'static Record> {
    match layout.inner() {
        Layout::Record(record) => Some(record),
        Layout::Choice(choice) => choice.variants.get(variant).map(|it| &it.record),
        _ => None,
    }
}

/// Returns the fields that have bytes, and their positions.
pub(super) fn fields_of(record: &'static Record) -> impl Iterator<Item = (usize, &'static Field)> {
    let fields = record.fields.iter().enumerate();
    fields.filter(|(_, field)| field.magic.is_none() && field.computed.is_none())
}

/// A value that is being read.
struct Open {
    depth: usize,
    slot: usize,
    node: Node,
    record: Option<&'static Record>,
}

/// Closes the innermost value, and puts it into the one around it.
fn close(open: &mut Vec<Open>) {
    let Some(Open { slot, mut node, record, .. }) = open.pop() else { return };
    if let (Value::Fields(_, fields), Some(record)) = (&mut node.value, record) {
        for (index, (slot, field)) in fields_of(record).enumerate() {
            if fields.get(index).is_none_or(|it| it.0 != slot) {
                let absent = Node { layout: (field.layout)(), value: Value::Absent };
                fields.insert(index, (slot, absent));
            }
        }
    }
    match open.last_mut().map(|around| &mut around.node.value) {
        Some(Value::Fields(_, fields)) => fields.push((slot, node)),
        Some(Value::List(nodes)) => nodes.push(node),
        _ => open.push(Open { depth: 0, slot, node, record: None }),
    }
}

impl Node {
    /// Reads all of the bytes.
    pub fn read(layout: Layout, bytes: &[u8]) -> Result<Self> {
        Self::of_walk(layout, &mut Walk::over(layout, bytes, &()).for_reader())
    }

    /// Reads what a walk over part of the bytes finds.
    pub fn of_walk(layout: Layout, walk: &mut Walk<'_>) -> Result<Self> {
        let mut open: Vec<Open> = Vec::new();
        while let Some(step) = walk.next() {
            let step = step?;
            let there = &walk.bytes()[step.bytes.clone()];
            let value = match (&step.kind, &step.value) {
                (StepKind::Record(_), _) => Value::Fields(0, Vec::new()),
                (StepKind::List(..), _) => Value::List(Vec::new()),
                // A number in a longer form than it needs is kept as its bytes.
                (StepKind::Leaf(Layout::Varint(form)), walk::Value::Number(number, _))
                    if (form.encode)(*number, None).as_deref() != Some(there) =>
                {
                    Value::Bytes(there.to_vec(), false)
                }
                (StepKind::Leaf(_), walk::Value::Number(number, _)) => Value::Number(Some(*number)),
                (StepKind::Leaf(_), walk::Value::Word(_, raw)) => {
                    // A word of sixteen bytes is the bits of the number.
                    Value::Number(Some(*raw as i128))
                }
                (StepKind::Leaf(_), _) => Value::Bytes(there.to_vec(), step.big),
                _ => continue,
            };
            while open.len() > 1 && open.last().is_some_and(|it| it.depth >= step.depth) {
                close(&mut open);
            }
            let around = open.last();
            let (slot, layout) = match (around.and_then(|it| it.record), step.field) {
                (Some(record), Some(field)) => {
                    let slot = record.fields.iter().position(|it| std::ptr::eq(it, field));
                    (slot.unwrap_or(0), (field.layout)())
                }
                _ => (0, around.and_then(|it| element(it.node.layout)).unwrap_or(layout)),
            };
            let mut node = Self { layout, value };
            let record = match step.kind {
                StepKind::Record(record) => Some(record),
                _ => None,
            };
            if let (Some(record), Layout::Choice(choice)) = (record, layout.inner()) {
                let variants = &mut choice.variants.iter();
                let variant = variants.position(|it| it.record.name == record.name);
                node.value = Value::Fields(variant.unwrap_or(0), Vec::new());
            }
            open.push(Open { depth: step.depth, slot, node, record });
        }
        while open.len() > 1 {
            close(&mut open);
        }
        // The last one is closed into nothing, for the fields that it has not.
        close(&mut open);
        let whole = open.pop().map(|it| it.node);
        whole.ok_or_else(|| Error::incomplete(0, 1, "a value", 0))
    }

    /// Returns the value, or that of the only field of a tuple, which has no name.
    pub fn content(&self) -> &Self {
        match &self.value {
            Value::Fields(variant, fields) => match (record_of(self.layout, *variant), &fields[..])
            {
                (Some(record), [(slot, only)]) if record.fields[*slot].name.is_empty() => {
                    only.content()
                }
                _ => self,
            },
            _ => self,
        }
    }

    /// Returns the field of this name, or the element at this position. A variant is passed through.
    pub fn inside(&self, name: &str) -> Option<&Self> {
        let node = self.content();
        match &node.value {
            Value::Fields(variant, fields) => {
                let record = record_of(node.layout, *variant)?;
                if name.strip_prefix('$') == Some(record.name) {
                    return Some(node);
                }
                fields.iter().find(|it| record.fields[it.0].name == name).map(|it| &it.1)
            }
            Value::List(nodes) => nodes.get(name.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// Returns the number or the bytes at a position among all that are there, in the order of the file.
    pub fn leaf(&mut self, at: &mut usize) -> Option<&mut Value> {
        match &mut self.value {
            Value::Absent => None,
            Value::Fields(_, fields) => fields.iter_mut().find_map(|(_, node)| node.leaf(at)),
            Value::List(nodes) => nodes.iter_mut().find_map(|node| node.leaf(at)),
            value if *at == 0 => Some(value),
            _ => {
                *at -= 1;
                None
            }
        }
    }

    /// Sets counts, sizes, tags and flags.
    pub fn settle(&mut self) -> Result<()> {
        settle::settle(self)
    }

    /// Returns the bytes in an order, with checksums as they are.
    pub fn write(&mut self, big: bool) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.append(self.layout, &Given::None, big, &mut out)?;
        Ok(out)
    }

    /// Returns whether two values have the same variants, fields and lengths.
    pub fn is_like(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Absent, Value::Absent) | (Value::Number(_), Value::Number(_)) => true,
            (Value::Bytes(one, _), Value::Bytes(other, _)) => one.len() == other.len(),
            (Value::Fields(one, fields), Value::Fields(other, others)) => {
                let mut pairs = fields.iter().zip(others);
                one == other && pairs.all(|(one, other)| one.1.is_like(&other.1))
            }
            (Value::List(nodes), Value::List(others)) => {
                let mut pairs = nodes.iter().zip(others);
                nodes.len() == others.len() && pairs.all(|(one, other)| one.is_like(other))
            }
            _ => false,
        }
    }

    /// Returns the zeros of a field that is declared to be zero.
    pub fn zeros(layout: Layout) -> Option<Self> {
        let value = match layout.inner() {
            Layout::Padding(_) => Value::Bytes(Vec::new(), false),
            Layout::Integer { number, .. } if number.is_wide() => Value::Bytes(vec![0; 16], false),
            Layout::Integer { .. } | Layout::Word(_) | Layout::Varint(_) => Value::Number(Some(0)),
            Layout::List(_) | Layout::ToEnd(_) => Value::Bytes(Vec::new(), false),
            other => Value::Bytes(vec![0; other.bytes_of_numbers()?], false),
        };
        Some(Self { layout, value })
    }

    /// Returns the number of bytes.
    fn size(&self) -> u64 {
        match (&self.value, self.layout.inner()) {
            (Value::Absent, _) => 0,
            (Value::Number(number), Layout::Varint(form)) => {
                number.and_then(|it| (form.encode)(it, None)).map_or(0, |it| it.len() as u64)
            }
            (Value::Number(_), layout) => layout.size().unwrap_or(0) as u64,
            (Value::Bytes(bytes, _), _) => bytes.len() as u64,
            (Value::Fields(variant, fields), layout) => {
                let record = record_of(layout, *variant);
                let magics = record.into_iter().flat_map(|it| it.fields).filter_map(|it| it.magic);
                let magics: usize = magics.map(|magic| magic.bytes.len()).sum();
                magics as u64 + fields.iter().map(|it| it.1.size()).sum::<u64>()
            }
            (Value::List(nodes), _) => nodes.iter().map(Self::size).sum(),
        }
    }

    fn append(
        &mut self,
        layout: Layout,
        given: &Given,
        big: bool,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if let Layout::Within(of) | Layout::Before(of) = layout {
            return self.append(of(), given.inner(), big, out);
        }
        if let Layout::Coded(coding, of) = layout
            && coding.is_in_place
        {
            let start = out.len();
            self.append(of(), given.inner(), big, out)?;
            let coded = (coding.encode)(&out[start..], given.key().unwrap_or_default());
            let coded = coded.filter(|coded| coded.len() == out.len() - start);
            let coded = coded.ok_or_else(|| not_coded(0, coding.name).nowhere())?;
            out[start..].copy_from_slice(&coded);
            return Ok(());
        }
        if let Layout::Same(of) | Layout::OrEnd(of) | Layout::Deferred(of) = layout {
            return self.append(of(), given, big, out);
        }
        match &mut self.value {
            Value::Absent => {}
            Value::Number(None) => {
                let expected = "a value: no other field gives it";
                return Err(Error::new(rule::DOCUMENT_VALUE, 0, expected, "none").nowhere());
            }
            Value::Number(Some(number)) => match layout {
                Layout::Varint(form) => {
                    out.extend((form.encode)(*number, None).unwrap_or_default());
                }
                layout => {
                    let big = match layout {
                        Layout::Word(word) => word.is_big.unwrap_or(big),
                        _ => big,
                    };
                    let size = layout.size().unwrap_or(0).min(16);
                    let mut bytes = number.to_le_bytes();
                    if big {
                        bytes[..size].reverse();
                    }
                    out.extend(&bytes[..size]);
                }
            },
            Value::Bytes(bytes, is_big) => {
                let start = out.len();
                out.extend(&*bytes);
                let size = match layout {
                    // A text in UTF-16.
                    Layout::Terminated(end) => end.width.into(),
                    _ => element(layout).unwrap_or(layout).number().size().unwrap_or(1).max(1),
                };
                if *is_big != big && size > 1 {
                    out[start..].chunks_exact_mut(size).for_each(<[u8]>::reverse);
                }
            }
            Value::List(nodes) => {
                let is_array = matches!(layout, Layout::Array(..));
                for (index, node) in nodes.iter_mut().enumerate() {
                    let given = if is_array { given } else { given.element(index) };
                    let written = node.append(node.layout, given, big, out);
                    written.map_err(|error| error.within(index as u64))?;
                }
            }
            Value::Fields(variant, fields) => {
                let Some(record) = record_of(layout, *variant) else { return Ok(()) };
                let plan = settle::plan(layout, parts(*variant, fields), given, big);
                let Some((big, plans)) = plan else {
                    let expected = "an order of bytes and arguments of the fields";
                    let found = "an expression without a value";
                    return Err(Error::new(rule::DOCUMENT_VALUE, 0, expected, found).nowhere());
                };
                let mut next = fields.iter_mut().zip(plans).peekable();
                for (slot, field) in record.fields.iter().enumerate() {
                    if let Some(magic) = field.magic {
                        out.extend(magic.bytes(big));
                    } else if let Some(((_, node), (big, given))) =
                        next.next_if(|((at, _), _)| *at == slot)
                    {
                        let written = node.append(node.layout, &given, big, out);
                        written.map_err(|error| match field.name {
                            "" => error,
                            name => error.within(name),
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn settle_as(&mut self, layout: Layout, given: &Given) -> Wants {
        match (layout, &mut self.value) {
            (_, Value::Absent) => Wants::presence(false, Wants::default()),
            (Layout::Same(of) | Layout::OrEnd(of) | Layout::Deferred(of), _) => {
                self.settle_as(of(), given)
            }
            (Layout::Padding(to), Value::Bytes(bytes, _)) => {
                let length = given.parameter(0).and_then(|length| u64::try_from(length).ok());
                if let Some(wanted) = length.and_then(|length| padding(length, to)) {
                    bytes.resize(wanted, 0);
                }
                Wants::default()
            }
            (Layout::Within(of), _) => {
                let inner = self.settle_as(of(), given.inner());
                Wants::region(Some(self.size()), inner)
            }
            (Layout::Coded(coding, _), _) if !coding.is_in_place => Wants::default(),
            (Layout::Before(of) | Layout::Coded(_, of), _) => {
                Wants::region(None, self.settle_as(of(), given.inner()))
            }
            (Layout::List(of), Value::Bytes(bytes, _)) => {
                Wants::count(bytes.len() / of().bytes_of_numbers().unwrap_or(1).max(1))
            }
            (layout, Value::Fields(variant, fields)) => {
                settle::settle_record(layout, parts(*variant, fields), given)
            }
            (Layout::Array(..), Value::List(nodes)) => settle::elements(nodes, given),
            (Layout::List(of), Value::List(nodes)) if of().slots().is_some() => {
                let wants = settle::list(nodes, given);
                let slots = nodes.iter_mut().map(|node| match &mut node.value {
                    Value::Fields(variant, fields) => {
                        settle::slots(of(), parts(*variant, fields)).unwrap_or(u64::MAX)
                    }
                    _ => 1,
                });
                wants.counting(slots.fold(0, u64::saturating_add))
            }
            (_, Value::List(nodes)) => settle::list(nodes, given),
            _ => Wants::default(),
        }
    }
}

fn parts(variant: usize, fields: &mut [(usize, Node)]) -> Parts<'_> {
    let parts = fields.iter_mut().map(|(slot, node)| (*slot, node as &mut dyn Settle));
    (variant, parts.collect())
}

impl Settle for Node {
    fn settle(&mut self, given: &Given) -> Wants {
        let is_there = !matches!(self.value, Value::Absent);
        Wants::presence(is_there, self.settle_as(self.layout, given))
    }

    fn measured(&mut self) -> Option<u64> {
        Some(self.size())
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        let layout = self.layout.inner();
        match (&mut self.value, layout) {
            (Value::Number(number), Layout::Word(word)) => {
                let ([part] | [part, "number"]) = path else { return None };
                let (low, width) = word.part(part)?;
                let mask = i128::from(low_bits(width));
                if let Some(to) = to {
                    let raw = number.unwrap_or(0) as u128;
                    let raw = Word::with(raw, (low, width), u64::try_from(to).unwrap_or(0));
                    let fits = (0..=mask).contains(&to) && word.unnamed(raw).is_none();
                    *number = fits.then_some(raw as i128);
                }
                Some((*number)? >> low & mask)
            }
            (Value::Number(number), layout) if matches!(path, [] | ["number"] | ["value"]) => {
                if let Some(to) = to {
                    *number = Some(accepted(layout, to)?);
                }
                *number
            }
            (value @ Value::Bytes(..), Layout::Varint(form)) if matches!(path, [] | ["value"]) => {
                if let Some(to) = to {
                    *value = Value::Number(Some(accepted(layout, to)?));
                    return Some(to);
                }
                let Value::Bytes(bytes, _) = value else { return None };
                (form.decode)(bytes).ok().map(|it| it.0)
            }
            (Value::Bytes(bytes, big), layout) if path == ["total"] => {
                let Layout::Integer { number, .. } = element(layout)? else { return None };
                let numbers = bytes.chunks_exact(number.bytes().max(1));
                Some(numbers.map(|chunk| number.read(chunk, *big)).sum())
            }
            (Value::Bytes(bytes, _), layout) if path == ["len"] => {
                Some((bytes.len() / element(layout)?.bytes_of_numbers()?.max(1)) as i128)
            }
            (Value::List(nodes), _) if path == ["len"] => Some(nodes.len() as i128),
            (Value::List(nodes), _) => {
                let (index, rest) = settle::position(path)?;
                nodes.get_mut(index)?.access(rest, to)
            }
            (Value::Bytes(bytes, big), layout) if path.len() == 1 => {
                let (Layout::Integer { number, .. }, (index, _)) =
                    (element(layout)?, settle::position(path)?)
                else {
                    return None;
                };
                let size = number.bytes();
                let there = bytes.get_mut(index.checked_mul(size)?..)?.get_mut(..size)?;
                if let Some(to) = to.filter(|to| number.holds(*to)) {
                    there.copy_from_slice(&to.to_le_bytes()[..size]);
                    if *big {
                        there.reverse();
                    }
                }
                Some(number.read(there, *big))
            }
            (Value::Fields(variant, fields), layout) => {
                settle::access(layout, parts(*variant, fields), path, to)
            }
            _ => None,
        }
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        match &mut self.value {
            Value::Bytes(bytes, _) if path.is_empty() => match self.layout.inner() {
                Layout::Terminated(end) => {
                    let text = end.text(bytes).0.len();
                    bytes.get_mut(..text)
                }
                _ => Some(bytes),
            },
            Value::Fields(variant, fields) => {
                settle::bytes(self.layout.inner(), parts(*variant, fields), path)
            }
            _ => None,
        }
    }

    fn set_bytes(&mut self, path: &[&str], wanted: &[u8]) -> bool {
        let layout = self.layout.inner();
        match (&mut self.value, layout) {
            (Value::Bytes(bytes, _), Layout::Terminated(end)) if path.is_empty() => {
                let is_ended = end.text(bytes).1 || end.kind == EndKind::Taken;
                *bytes = [wanted, if is_ended { end.bytes } else { &[] }].concat();
                true
            }
            (Value::Bytes(bytes, _), Layout::Array(..)) if path.is_empty() => {
                let fits = bytes.len() == wanted.len();
                if fits {
                    bytes.copy_from_slice(wanted);
                }
                fits
            }
            (Value::Bytes(bytes, _), Layout::List(_) | Layout::ToEnd(_)) if path.is_empty() => {
                *bytes = wanted.to_vec();
                true
            }
            (Value::Fields(variant, fields), layout) => {
                settle::set_bytes(layout, parts(*variant, fields), path, wanted)
            }
            _ => false,
        }
    }

    fn appear(&mut self) -> bool {
        let is_absent = matches!(self.value, Value::Absent);
        match (is_absent, self.layout.inner()) {
            (true, Layout::Integer { number, .. }) if !number.is_wide() => {
                self.value = Value::Number(Some(0));
                true
            }
            _ => false,
        }
    }

    fn fill(&mut self, count: i128) -> bool {
        let zeros = match self.layout.inner() {
            Layout::List(of) => {
                let size = of().bytes_of_numbers();
                size.zip(filled(count)).and_then(|(size, count)| size.checked_mul(count)).map(
                    |length| Self { value: Value::Bytes(vec![0; length], false), ..self.clone() },
                )
            }
            _ if count == 0 => Some(Self { value: Value::Absent, ..self.clone() }),
            _ => Self::zeros(self.layout),
        };
        zeros.is_some_and(|zeros| {
            *self = zeros;
            true
        })
    }
}

/// Returns how many bytes bring a length up to a multiple.
fn padding(length: u64, to: u64) -> Option<usize> {
    usize::try_from(length.checked_next_multiple_of(to.max(1))? - length).ok()
}

/// Returns a number that a field can have.
pub(super) fn accepted(layout: Layout, number: i128) -> Option<i128> {
    let holds = match layout {
        Layout::Integer { number: ty, names, open } => {
            ty.holds(number) && (open || names.is_empty() || names.iter().any(|it| it.0 == number))
        }
        Layout::Varint(form) => (form.encode)(number, None).is_some(),
        Layout::Word(word) => {
            let (raw, width) = (number as u128, 8 * u32::from(word.bytes));
            raw.checked_shr(width).unwrap_or(0) == 0 && word.unnamed(raw).is_none()
        }
        _ => false,
    };
    holds.then_some(number)
}

/// Returns whether a field that is left out is filled in: another field or a checksum determines it, or it is zero.
pub(super) fn is_filled_in(record: &Record, slot: usize) -> bool {
    let field = &record.fields[slot];
    let is_padding = matches!((field.layout)(), Layout::Padding(_));
    is_padding
        || field.used
        || field.meaning == Meaning::Zero
        || record.sums.iter().any(|it| it.slot == slot)
}
