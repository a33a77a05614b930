//! Families of formats, which know more than their declarations contain.

use std::fmt;

use super::names::Slot;
use super::{Kind, Walk};
use crate::error::Error;
use crate::schema::{Field, Layout, Meaning, low_bits, raw};

/// A family of formats, which completes the open parts of its declarations.
///
/// Declarations refer to it by ids that the family chooses: [`Nested<ID>`](crate::wire::Nested) is a place whose layout
/// it decides, `#[schema(family = ID)]` a number for which it has names. [`record::with`](crate::record::with) passes
/// it to the functions of [`record`](crate::record). The family `()` knows nothing.
///
/// ```
/// use formwork::schema::Layout;
/// use formwork::wire::{Nested, Terminated};
/// use formwork::{BinRead, BinWrite, Family, Fields, Schema, binrw, record};
///
/// const KIND: u16 = 0;
/// const VALUE: u16 = 1;
///
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// struct Value {
///     #[schema(family = KIND)]
///     kind: u8,
///     value: Nested<VALUE>,
/// }
///
/// struct Values;
///
/// impl Family for Values {
///     fn nested(&self, _: u16, fields: &Fields<'_>) -> Option<Layout> {
///         match fields.number("kind")? {
///             0 => Some(u8::LAYOUT),
///             1 => Some(<Terminated>::LAYOUT),
///             _ => None,
///         }
///     }
///
///     fn name(&self, _: u16, number: u64) -> Option<&str> {
///         ["number", "text"].get(number as usize).copied()
///     }
/// }
///
/// let values = record::with(&Values);
/// assert_eq!(values.check::<Value>(b"\x01hello\0"), Ok(()));
/// assert!(values.dump::<Value>(b"\x01hello\0").contains("text (1)"));
/// assert_eq!(
///     values.check::<Value>(b"\x02").unwrap_err().to_string(),
///     "offset 1 (0x1), value: expected what the format knows, found kind = 2 (malformed, rule record.nested)"
/// );
/// ```
pub trait Family {
    /// Returns the layout at a place with this id, given the fields that are read so far.
    fn nested(&self, id: u16, fields: &Fields<'_>) -> Option<Layout> {
        let _ = (id, fields);
        None
    }

    /// Returns the name of a number with this id.
    fn name(&self, id: u16, number: u64) -> Option<&str> {
        let _ = (id, number);
        None
    }

    /// Returns the name of a number with this meaning, where the declaration or the family has one.
    fn name_of(&self, meaning: Meaning, number: i128) -> Option<&str> {
        match meaning {
            Meaning::Names(names) => names.iter().find(|it| it.0 == number).map(|it| it.1),
            Meaning::Family(id) => self.name(id, number as u64),
            _ => None,
        }
    }

    /// Returns the oddity of a number with this id: a value that readers accept and a careful writer does not write.
    /// Its offset counts from the number.
    fn check(&self, id: u16, number: u64, fields: &Fields<'_>) -> Option<Error> {
        let _ = (id, number, fields);
        None
    }
}

impl Family for () {}

/// Writes that it is a family: values of inspectors refer to one.
impl fmt::Debug for dyn Family + Send + Sync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Family")
    }
}

/// The fields that are read so far: of the record that is open, and of those around it.
pub struct Fields<'w>(&'w Walk<'w>);

impl<'w> Fields<'w> {
    pub(super) fn new<'b: 'w>(walk: &'w Walk<'b>) -> Self {
        Self(walk)
    }

    /// Returns the number in a field, or in a part of a word: `kind`, `header.type_id`. It is taken from the innermost
    /// record that has such a field.
    #[must_use]
    pub fn number(&self, path: &str) -> Option<i128> {
        let (name, part) = match path.split_once('.') {
            Some((name, part)) => (name, Some(part)),
            None => (path, None),
        };
        let (slot, field) = self.all().find(|(_, field)| field.name == name)?;
        let bytes = self.0.bytes().get(slot.start..slot.end)?;
        match ((field.layout)().inner(), part) {
            (Layout::Integer { number, .. }, None) => {
                (bytes.len() == number.bytes()).then(|| number.read(bytes, slot.big))
            }
            (Layout::Word(word), part) => {
                let raw = raw(bytes, slot.big);
                let Some(part) = part else { return Some(raw.into()) };
                let (low, width) = word.part(part)?;
                Some((raw.checked_shr(low).unwrap_or(0) & low_bits(width)).into())
            }
            _ => None,
        }
    }

    /// Returns the bytes of a field.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        let (slot, _) = self.all().find(|(_, field)| field.name == name)?;
        self.0.bytes().get(slot.start..slot.end)
    }

    /// Returns the bytes that follow, up to the end of the region around; none where bytes are made.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        self.0.bytes.get(self.0.at..self.0.end).unwrap_or_default()
    }

    /// Returns the fields that are closed, the innermost and last one first.
    fn all(&self) -> impl Iterator<Item = (&Slot, &'static Field)> {
        let walk = self.0;
        let records = walk.levels.iter().rev().filter_map(|level| match level.kind {
            Kind::Record { record, base, next, .. } => Some((record, base, next)),
            _ => None,
        });
        records.flat_map(move |(record, base, next)| {
            // The field before `next` is the one that is open.
            let closed = next.saturating_sub(1);
            let fields = record.fields[..closed].iter().enumerate().rev();
            fields.filter_map(move |(at, field)| Some((walk.slots.get(base + at)?, field)))
        })
    }

    /// Returns the numbers of the innermost record, for an error.
    pub(super) fn found(&self) -> String {
        let innermost = self.0.record_around().map_or(&[][..], |record| record.fields);
        let numbers = innermost.iter().filter_map(|field| {
            let number = self.number(field.name).filter(|_| !field.name.is_empty())?;
            Some(format!("{} = {number}", field.name))
        });
        let numbers: Vec<_> = numbers.collect();
        if numbers.is_empty() { "other bytes".to_owned() } else { numbers.join(", ") }
    }
}
