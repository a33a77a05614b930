//! Writes the packet of a changed value, with the bytes of the unchanged parts.

use std::ops::Range;

use super::align;
use super::packets::Packets;
use crate::codec::{Decoder, Encoder, Strictness};
use crate::dialect::Dialect;
use crate::packet::{ContainerCount, Header, WideHeader};
use crate::{Container, Real, Variant};
use formwork::Result;
use formwork_records::limits::Limits;

/// Writes the packet of `new` in the place of `old`, the bytes of a packet: each value in it that did not change
/// keeps its bytes, with all that the engine left in them; so do containers around a change, but for their
/// counts. What follows the value in `old` stays.
///
/// # Errors
///
/// Returns an error if the bytes are no packet of the encoder's dialect, or if the dialect cannot express the value.
pub fn splice<R: Real>(old: &[u8], new: &Variant<R>, encoder: &Encoder<R>) -> Result<Vec<u8>> {
    if let Some(packet) = as_the_engine(old, new, encoder) {
        return Ok(packet);
    }
    let decoder = reader(encoder);
    let (old_value, length) = decoder.decode_prefix(old)?;
    let (old, behind) = old.split_at(length);
    let written = encoder.encode(new)?;
    // Rounding may have changed the value.
    let meant = decoder.decode(&written)?;
    let mut packet = Splicing {
        dialect: encoder.dialect(),
        old: Side { bytes: old, packets: Packets::of(old, encoder.dialect()) },
        new: Side { bytes: &written, packets: Packets::of(&written, encoder.dialect()) },
    }
    .run(&old_value, &meant);
    // If the assembled packet does not read as the new value, the value is written anew.
    if !decoder.decode(&packet).is_ok_and(|again| again.is_identical(&meant)) {
        packet = written;
    }
    packet.extend_from_slice(behind);
    Ok(packet)
}

/// Writes the packet of `new` if `old` is in the canonical form: an unchanged part is then written with the same
/// bytes, and the values need not be compared. Returns [`None`] for other bytes.
pub fn as_the_engine<R: Real>(
    old: &[u8],
    new: &Variant<R>,
    encoder: &Encoder<R>,
) -> Option<Vec<u8>> {
    let decoder = reader(encoder).strictness(Strictness::Canonical);
    let length = decoder.walk(old).finish().ok().filter(|_| encoder.keeps_objects())?;
    let mut packet = encoder.encode(new).ok()?;
    packet.extend_from_slice(old.get(length..)?);
    Some(packet)
}

/// Returns a reader of bytes that were read before, or are written here: it needs no limits.
fn reader<R: Real>(encoder: &Encoder<R>) -> Decoder<R> {
    let unlimited = Limits::default().packet_bytes(u64::MAX).depth(u32::MAX);
    let decoder: Decoder<R> = Decoder::new(encoder.dialect()).in_precision();
    decoder.limits(unlimited).allow_objects(true)
}

/// A value's packet and those in it.
struct Side<'b> {
    bytes: &'b [u8],
    packets: Packets,
}

impl<'b> Side<'b> {
    fn of(&self, number: usize) -> &'b [u8] {
        self.at(self.packets.range(number))
    }

    fn at(&self, range: Range<usize>) -> &'b [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// Returns the bytes of a packet that do not belong to the packets inside it: before the first, between them,
    /// and after the last.
    fn gaps(&self, number: usize, inside: &[usize]) -> Vec<&'b [u8]> {
        let Range { start, end } = self.packets.range(number);
        let mut gaps = Vec::with_capacity(inside.len() + 1);
        let mut from = start;
        for &inner in inside {
            let range = self.packets.range(inner);
            gaps.push(self.at(from..range.start));
            from = range.end;
        }
        gaps.push(self.at(from..end));
        gaps
    }
}

/// Two packets that become one.
struct Splicing<'b> {
    dialect: Dialect,
    old: Side<'b>,
    new: Side<'b>,
}

/// The pieces still to be written, the next one last.
enum Piece<'v, R: Real> {
    Bytes(Vec<u8>),
    /// The packet of a new value.
    New(usize),
    /// A value and its old version.
    Both {
        old: (usize, &'v Variant<R>),
        new: (usize, &'v Variant<R>),
    },
}

impl Splicing<'_> {
    fn run<R: Real>(&self, old: &Variant<R>, new: &Variant<R>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.new.bytes.len());
        let mut left = vec![Piece::Both { old: (0, old), new: (0, new) }];
        while let Some(piece) = left.pop() {
            match piece {
                Piece::Bytes(bytes) => out.extend_from_slice(&bytes),
                Piece::New(number) => out.extend_from_slice(self.new.of(number)),
                Piece::Both { old, new } if old.1.is_identical(new.1) => {
                    out.extend_from_slice(self.old.of(old.0));
                }
                Piece::Both { old, new } => match self.container(old, new) {
                    Some(pieces) => left.extend(pieces.into_iter().rev()),
                    None => out.extend_from_slice(&self.single(old, new)),
                },
            }
        }
        out
    }

    /// Returns the pieces of a container in which something changed, if the two are alike enough.
    fn container<'v, R: Real>(
        &self,
        (old_number, old): (usize, &'v Variant<R>),
        (new_number, new): (usize, &'v Variant<R>),
    ) -> Option<Vec<Piece<'v, R>>> {
        let (old, new) = (old.container()?, new.container()?);
        let aligned = aligned(old, new)?;
        let (old_values, new_values) = (values(old), values(new));
        let mut old_inside = self.old.packets.inside(old_number);
        let mut new_inside = self.new.packets.inside(new_number);
        // The class of the elements may be a packet as well.
        let front = old_inside.len().checked_sub(old_values.len())?;
        if new_inside.len().checked_sub(new_values.len())? != front {
            return None;
        }
        let old_inside = old_inside.split_off(front);
        let new_inside = new_inside.split_off(front);
        let is_object = matches!(old, Container::Object(_));
        let has_same_front = old.types() == new.types() && old.is_shared() == new.is_shared();
        let gaps = match () {
            // Names of properties are between the packets.
            () if is_object => self.old.gaps(old_number, &old_inside),
            () => self.new.gaps(new_number, &new_inside),
        };
        let mut gaps: Vec<_> = gaps.into_iter().map(<[u8]>::to_vec).collect();
        if has_same_front && !is_object {
            gaps[0] = self.front(old_number, &old_inside, new.len())?;
        }
        let mut pieces = Vec::with_capacity(2 * new_inside.len() + 1);
        let mut gaps = gaps.into_iter();
        pieces.extend(gaps.next().map(Piece::Bytes));
        for ((number, value), found) in new_inside.into_iter().zip(new_values).zip(aligned) {
            pieces.push(match found {
                Some(at) => {
                    let old = (*old_inside.get(at)?, *old_values.get(at)?);
                    Piece::Both { old, new: (number, value) }
                }
                None => Piece::New(number),
            });
            pieces.extend(gaps.next().filter(|gap| !gap.is_empty()).map(Piece::Bytes));
        }
        Some(pieces)
    }

    /// Returns the bytes before the first value of an old container, with the count of the new one.
    fn front(&self, number: usize, inside: &[usize], count: usize) -> Option<Vec<u8>> {
        let mut front = self.old.gaps(number, inside).first()?.to_vec();
        let at = self.old.packets.count(number)? - self.old.packets.range(number).start;
        let word = ContainerCount::from(u32::from_le_bytes(*front.get(at..)?.first_chunk()?));
        let word = word.with_count_checked(u32::try_from(count).ok()?).ok()?;
        front.get_mut(at..at + 4)?.copy_from_slice(&u32::from(word).to_le_bytes());
        Some(front)
    }

    /// Returns the packet of a changed value that is written separately: in the engine's form, but with the
    /// deviations of the old one, a number that is wider than necessary and bits that no engine checks.
    fn single<R: Real>(
        &self,
        (old_number, old): (usize, &Variant<R>),
        (new_number, new): (usize, &Variant<R>),
    ) -> Vec<u8> {
        let mut bytes = self.new.of(new_number).to_vec();
        let variant_type = new.variant_type();
        let layout =
            self.dialect.packet(variant_type).filter(|_| old.variant_type() == variant_type);
        let first = |bytes: &[u8]| bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
        let words = (layout, first(self.old.of(old_number)), first(&bytes));
        let (Some(layout), Some(old_word), Some(new_word)) = words else { return bytes };
        let mut word = new_word | (old_word & layout.header.unused_bits());
        if layout.header == Header::Wide
            && WideHeader::from(old_word).flag_64()
            && !WideHeader::from(new_word).flag_64()
            && let Some(wide) = widened(old, new)
        {
            word = WideHeader::from(word).with_flag_64(true).into();
            bytes.truncate(size_of::<u32>());
            bytes.extend_from_slice(&wide);
        }
        bytes[..size_of::<u32>()].copy_from_slice(&word.to_le_bytes());
        bytes
    }
}

/// Returns a number in 64 bits, if the old one is in 64 bits although 32 would be enough.
fn widened<R: Real>(old: &Variant<R>, new: &Variant<R>) -> Option<[u8; 8]> {
    match (old, new) {
        (Variant::Int(old), Variant::Int(new)) => {
            i32::try_from(*old).is_ok().then(|| new.to_le_bytes())
        }
        (Variant::Float(old), Variant::Float(new)) => old.fits::<f32>().then(|| new.to_le_bytes()),
        _ => None,
    }
}

/// Returns, for each value of a container in the order of its bytes, the number of the same value in the old
/// container. Returns [`None`] if the two containers are too different.
fn aligned<R: Real>(old: Container<'_, R>, new: Container<'_, R>) -> Option<Vec<Option<usize>>> {
    let entries = align::entries(old, new)?;
    match old {
        // Names of properties are not separate packets.
        Container::Object(_) => {
            let is_in_order = entries.iter().enumerate().all(|(at, from)| *from == Some(at));
            (old.len() == new.len() && is_in_order).then_some(entries)
        }
        Container::Dictionary(_) => {
            let both = |at: Option<usize>| [at.map(|at| 2 * at), at.map(|at| 2 * at + 1)];
            Some(entries.into_iter().flat_map(both).collect())
        }
        Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
            Some(entries)
        }
    }
}

/// Returns the values in a container, in the order of their packets.
fn values<'v, R: Real>(container: Container<'v, R>) -> Vec<&'v Variant<R>> {
    match container {
        Container::Array(array) => array.iter().collect(),
        Container::TypedArray(typed) | Container::PackedTypedArray(typed) => {
            typed.elements.iter().collect()
        }
        Container::Dictionary(pairs) => {
            pairs.iter().flat_map(|(key, value)| [key, value]).collect()
        }
        Container::Object(object) => object.properties.iter().map(|(_, value)| value).collect(),
    }
}
