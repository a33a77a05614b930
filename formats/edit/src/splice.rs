//! Writes the packet of a changed value, with the bytes of the unchanged parts.

use std::borrow::Cow;

use super::packets::Packets;
use super::{Step, align};
use formwork::Result;
use formwork_records::limits::Limits;
use formwork_variant::codec::{Decoder, Encoder, Strictness};
use formwork_variant::dialect::Dialect;
use formwork_variant::packet::{ContainerCount, Header, WideHeader};
use formwork_variant::parts::Fingerprints;
use formwork_variant::{Container, Real, Variant};

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
        old: Packets::of(old, &decoder),
        new: Packets::of(&written, &decoder),
        prints: Fingerprints::of([&old_value, &meant]),
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

/// Two packets that become one.
struct Splicing<'b> {
    dialect: Dialect,
    old: Packets<'b>,
    new: Packets<'b>,
    prints: Fingerprints,
}

/// The pieces still to be written, the next one last.
enum Piece<'b, 'v, R: Real> {
    Bytes(Cow<'b, [u8]>),
    /// A value and its old version, with the numbers of their packets.
    Both {
        old: (usize, &'v Variant<R>),
        new: (usize, &'v Variant<R>),
    },
}

impl<'b> Splicing<'b> {
    fn run<R: Real>(&self, old: &Variant<R>, new: &Variant<R>) -> Vec<u8> {
        let mut out = Vec::new();
        let mut left = vec![Piece::Both { old: (0, old), new: (0, new) }];
        while let Some(piece) = left.pop() {
            match piece {
                Piece::Bytes(bytes) => out.extend_from_slice(&bytes),
                Piece::Both { old, new } if self.prints.are_identical(old.1, new.1) => {
                    out.extend_from_slice(self.old.whole(old.0));
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
    ) -> Option<Vec<Piece<'b, 'v, R>>> {
        let (old, new) = (old.container()?, new.container()?);
        let aligned = aligned(old, new, &self.prints)?;
        let (old_values, new_values) = (values(old), values(new));
        let old_inside = self.old.inside(old_number);
        let new_inside = self.new.inside(new_number);
        // Of two pairs with one key, a dictionary has one.
        if old_inside.len() != old_values.len() || new_inside.len() != new_values.len() {
            return None;
        }
        let gaps: Vec<Cow<'b, [u8]>> = if let Container::Object(_) = old {
            // Names of properties are between the packets.
            self.old.gaps(old_number).into_iter().map(Cow::from).collect()
        } else if old.has_types_of(new) {
            vec![self.front(old_number, new.len())?.into()]
        } else {
            vec![self.new.front(new_number).into()]
        };
        let mut gaps = gaps.into_iter().map(Piece::Bytes);
        let mut pieces = Vec::with_capacity(2 * new_inside.len() + 1);
        pieces.extend(gaps.next());
        for ((number, value), found) in new_inside.into_iter().zip(new_values).zip(aligned) {
            pieces.push(match found {
                Some(at) => {
                    let old = (*old_inside.get(at)?, *old_values.get(at)?);
                    Piece::Both { old, new: (number, value) }
                }
                None => Piece::Bytes(self.new.whole(number).into()),
            });
            pieces.extend(gaps.next());
        }
        Some(pieces)
    }

    /// Returns the bytes before the first value of an old container, with the count of the new one.
    fn front(&self, number: usize, count: usize) -> Option<Vec<u8>> {
        let mut front = self.old.front(number).to_vec();
        let last = front.last_chunk_mut()?;
        let word = ContainerCount::from(u32::from_le_bytes(*last));
        let word = word.with_count_checked(u32::try_from(count).ok()?).ok()?;
        *last = u32::from(word).to_le_bytes();
        Some(front)
    }

    /// Returns the packet of a changed value that is written separately: in the engine's form, but with the
    /// deviations of the old one, a number that is wider than necessary and bits that no engine checks.
    fn single<R: Real>(
        &self,
        (old_number, old): (usize, &Variant<R>),
        (new_number, new): (usize, &Variant<R>),
    ) -> Vec<u8> {
        let mut bytes = self.new.whole(new_number).to_vec();
        let variant_type = new.variant_type();
        let layout =
            self.dialect.packet(variant_type).filter(|_| old.variant_type() == variant_type);
        let first = |bytes: &[u8]| bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
        let words = (layout, first(self.old.whole(old_number)), first(&bytes));
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
fn aligned<R: Real>(
    old: Container<'_, R>,
    new: Container<'_, R>,
    prints: &Fingerprints,
) -> Option<Vec<Option<usize>>> {
    let entries = align::entries(old, new, prints)?;
    match old {
        // Names of properties are not separate packets.
        Container::Object(_) => {
            entries.iter().copied().eq((0..old.len()).map(Some)).then_some(entries)
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
    let steps = (0..container.len()).flat_map(|at| [Step::Key(at), Step::to(container, at)]);
    steps.filter_map(|step| step.of(container)).collect()
}
