//! Numbers, parts of words, counts, types and blocks of numbers become others.

use arbitrary::{Result, Unstructured};
use formwork_records::generate::number;
use formwork_records::schema::{Layout, Meaning, Occurs, TYPE_ID, raw};
use formwork_variant::generate::Config;

use crate::tree::Tree;
use crate::tree::edit::Edit;
use crate::tree::link::{Count, ones};
use crate::tree::node::{Name, Node};

impl Tree {
    pub(super) fn mutate_number(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(shape) = node.number() else { return Ok(None) };
        let bits = other_number(shape, self.raw(node), u)?;
        // Now and then what depends on the number comes with it.
        let follow = u.ratio(1, 4)?;
        Ok(match follow {
            true => {
                let width = 8 * node.len() as u32;
                self.with_part(Count { node: place, shift: 0, width }, bits)
            }
            false => self.with_number(place, bits),
        })
    }

    pub(super) fn mutate_part(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(word) = node.word() else { return Ok(None) };
        let chosen = u.choose_index(word.parts.len())?;
        let shift = word.parts.iter().take(chosen).map(|bits| u32::from(bits.width)).sum();
        let Some(bits) = word.parts.get(chosen) else { return Ok(None) };
        let count = Count { node: place, shift, width: bits.width.into() };
        let Some(old) = self.value_of(count) else { return Ok(None) };
        let value = match bits.width {
            1 => old ^ 1,
            width @ 2..=7 => old ^ u.int_in_range(1..=ones(width.into()))?,
            width => {
                let step = u.int_in_range(1..=3)?;
                let near =
                    if u.arbitrary()? { old.wrapping_add(step) } else { old.wrapping_sub(step) };
                let bit = 1 << u.int_in_range(0..=u32::from(width) - 1)?;
                *u.choose(&[0, near, near, old ^ bit, ones(width.into())])? & ones(width.into())
            }
        };
        if u.ratio(2, 3)? {
            return Ok(self.with_part(count, value));
        }
        let mut edit = Edit::new(self);
        Ok(edit.set(count, value).map(|()| edit.finish()))
    }

    pub(super) fn lie(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let (old, width) = (self.raw(node), 8 * node.len() as u32);
        let left = self.bytes.len().saturating_sub(node.end) as u64;
        let near = u.int_in_range(1..=4)?;
        let lie = *u.choose(&[
            old.wrapping_add(1),
            old.wrapping_sub(1),
            old.wrapping_add(near),
            old.wrapping_sub(near),
            left,
            left + 1,
            left / 4 + 1,
            old | 1 << (width - 1),
            ones(width),
            ones(width) >> 1,
            ones(width) / 4 + 1,
            old << 8,
        ])?;
        Ok(self.with_number(place, lie & ones(width)))
    }

    /// The part of a number that says of which type something is.
    pub(super) fn type_part(&self, index: usize, node: &Node) -> Option<Count> {
        if let Some(word) = node.word() {
            let bits =
                word.parts.first().filter(|bits| bits.meaning == Meaning::Family(TYPE_ID))?;
            return Some(Count { node: index, shift: 0, width: bits.width.into() });
        }
        let is_type = node.name == Name::Field("field_type")
            || self.field_of(index).is_some_and(|field| field.meaning == Meaning::Family(TYPE_ID));
        is_type.then(|| Count { node: index, shift: 0, width: 8 * node.len() as u32 })
    }

    pub(super) fn retype(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(part) = self.type_part(place, node) else { return Ok(None) };
        // Those that there are, and a few that there are not.
        let types = match self.format.dialect() {
            Some(dialect) => dialect.rows().len() as u64 + 2,
            None => {
                u64::from(
                    formwork_alb1::FieldType::ALL.iter().map(|one| one.id()).max().unwrap_or(0),
                ) + 2
            }
        };
        let value = u.int_in_range(0..=types)?;
        let mut edit = Edit::new(self);
        Ok(edit.set(part, value).map(|()| edit.finish()))
    }

    pub(super) fn mutate_block(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some((shape, size)) = node.block() else { return Ok(None) };
        let mut bytes = self.bytes_of(node).to_vec();
        let count = bytes.len() / size;
        let mode = u.int_in_range(0..=5_u8)?;
        if count == 0 || mode == 0 {
            let more = u.int_in_range(1..=5)? * size;
            let made = u.bytes(usize::min(more, u.len()))?;
            bytes.extend_from_slice(made);
            bytes.resize(count * size + more, 0);
        } else if mode == 1 {
            bytes.truncate(u.int_in_range(0..=count - 1)? * size);
        } else if mode == 2 {
            let at = u.int_in_range(0..=count - 1)? * size;
            let one = bytes.get(at..at + size).unwrap_or_default().to_vec();
            let times = u.int_in_range(1..=4)?;
            bytes.splice(at..at, one.repeat(times));
        } else {
            let at = u.int_in_range(0..=count - 1)? * size;
            let mut numbers = vec![(0, shape)];
            if let Layout::Record(record) = shape {
                numbers.clear();
                let mut offset = 0;
                for field in record.fields {
                    numbers.push((offset, field.element()));
                    offset += field.element().size().unwrap_or_default();
                }
            }
            let (offset, shape) = *u.choose(&numbers)?;
            let width = shape.size().unwrap_or_default();
            let from = at + offset;
            if let Some(number) = bytes.get_mut(from..from + width) {
                let bits = other_number(shape, raw(number, false), u)?;
                if let Some(bits) = bits.to_le_bytes().get(..width) {
                    number.copy_from_slice(bits);
                }
            }
        }
        Ok(self.with_block(place, bytes))
    }
}

/// Another number of the same width.
fn other_number(shape: Layout, old: u64, u: &mut Unstructured<'_>) -> Result<u64> {
    let width = 8 * shape.size().unwrap_or(8) as u32;
    let is_float = matches!(shape, Layout::Float(_));
    let bits = match u.int_in_range(0..=7_u8)? {
        0 | 1 => number::bits(u, shape, &Config { boundary_percent: 100, ..Config::default() })?,
        2 | 3 if !is_float => u.int_in_range(-8_i64..=8)? as u64,
        4 if !is_float => u.int_in_range(-128_i64..=256)? as u64,
        2..=4 => float_bits(f64::from(u.int_in_range(-64_i32..=64)?) / 4.0, width),
        5 => old.wrapping_add(u.int_in_range(-4_i64..=4)? as u64),
        6 => old ^ 1 << u.int_in_range(0..=width - 1)?,
        // The sign, in the ways of both.
        _ if is_float => old ^ 1 << (width - 1),
        _ => old.wrapping_neg(),
    };
    Ok(bits & ones(width))
}

fn float_bits(number: f64, width: u32) -> u64 {
    if width == 32 { u64::from((number as f32).to_bits()) } else { number.to_bits() }
}
