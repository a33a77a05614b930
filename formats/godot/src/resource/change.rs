//! Changes numbers of a resource file where they are.

use super::content::Content;
use super::read::read_spots;
use super::rule;
use super::types::Row;
use super::value::Spot;
use formwork::{Error, Result};
use formwork_variant::codec::{Decoder, Encoder, events};
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Dictionary, Object, OwnType, Real, Variant};

/// Returns the bytes of a resource file that was unpacked, with the numbers of `new`: of the file's
/// [value](super::Resource::into_value), in which only numbers are other ones. A number keeps its type and its width, so
/// that no other byte of the file moves.
///
/// ```
/// use formwork_godot::resource::{Content, Head, read, with_numbers};
/// use formwork_variant::{Decoder, Variant};
///
/// # let file = std::fs::read("../resource/samples/godot-4.6.3/gradient.res")?;
/// let content = Content { bytes: file.into(), unpacked: false };
/// let decoder = Decoder::<f32>::new(Head::of(&content)?.dialect());
/// let value = read(&content, &decoder)?.into_value();
/// assert_eq!(with_numbers(&content, &decoder, &value)?, *content.bytes);
/// // A text cannot be another one.
/// let mut other = value;
/// *other.at_mut("class").unwrap() = "Curve".into();
/// assert!(with_numbers(&content, &decoder, &other).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the file cannot be read, if something else than a number is another one, or if a number does not
/// fit into the bytes of the old one.
pub fn with_numbers<R: Real>(
    content: &Content<'_>,
    decoder: &Decoder<R>,
    new: &Variant<R>,
) -> Result<Vec<u8>> {
    let (resource, spots, layout) = read_spots(content, decoder)?;
    let (mut old_frame, mut new_frame) = (resource.into_value(), new.clone());
    let (olds, news) = (take_values(&mut old_frame), take_values(&mut new_frame));
    if !old_frame.is_identical(&new_frame) || olds.len() != news.len() {
        return Err(fixed(0, "something else than a number of a property"));
    }
    let mut bytes = content.bytes.to_vec();
    let encoder = Encoder::new(decoder.dialect()).in_precision().rounding(true);
    let mut spots = spots.into_iter();
    // A list instead of recursion: values may nest to any depth.
    let mut open: Vec<_> = olds.iter().zip(&news).rev().collect();
    while let Some((old, new)) = open.pop() {
        let Some(spot) = spots.next() else { return Err(fixed(0, "keys twice")) };
        let start = spot.range.start;
        match (old, new) {
            (Variant::Array(old), Variant::Array(new)) if old.len() == new.len() => {
                open.extend(old.iter().zip(new).rev());
            }
            (Variant::Dictionary(old), Variant::Dictionary(new)) if same_keys(old, new) => {
                let pairs = old.iter().zip(new.iter()).rev();
                open.extend(pairs.flat_map(|(old, new)| [(&old.1, &new.1), (&old.0, &old.0)]));
            }
            (old, new) if old.is_identical(new) => {}
            (old, new) if old.variant_type() == new.variant_type() => {
                let written = number(&spot, new, &encoder)
                    .ok_or_else(|| fixed(start, "a value that does not fit into its bytes"))?;
                let written = match layout.order {
                    ByteOrder::Little => written,
                    ByteOrder::Big => swapped(&written, spot.row, layout.double),
                };
                match bytes.get_mut(spot.range.clone()) {
                    Some(place) if place.len() == written.len() => place.copy_from_slice(&written),
                    _ => return Err(fixed(start, "a value of another length")),
                }
            }
            _ => return Err(fixed(start, "a value of another type or length")),
        }
    }
    match spots.next() {
        None => Ok(bytes),
        // The engine reads the last value of a key that is there twice.
        Some(_) => Err(fixed(0, "keys twice")),
    }
}

#[cold]
fn fixed(offset: usize, found: &'static str) -> Error {
    let expected = "only numbers that are other ones, in as many bytes";
    Error::new(rule::FIXED, offset as u64, expected, found)
}

/// Takes the values of properties out of the value of a file, in the order of the bytes.
fn take_values<R: Real>(file: &mut Variant<R>) -> Vec<Variant<R>> {
    let mut taken = Vec::new();
    let resources = file.at_mut("resources").and_then(Variant::as_array_mut);
    for resource in resources.into_iter().flat_map(|all| all.iter_mut()) {
        if let Some(Variant::Object(Object::Full(object))) = resource.at_mut("resource") {
            taken.extend(object.properties.iter_mut().map(|(_, value)| std::mem::take(value)));
        }
    }
    taken
}

/// Returns whether two dictionaries have the same keys, in one order.
fn same_keys<R: Real>(old: &Dictionary<R>, new: &Dictionary<R>) -> bool {
    old.len() == new.len() && old.keys().zip(new.keys()).all(|(old, new)| old.is_identical(new))
}

/// Returns the bytes of a number, or of a type of numbers, in the place of another one. Little endian.
fn number<R: Real>(spot: &Spot, new: &Variant<R>, encoder: &Encoder<R>) -> Option<Vec<u8>> {
    let width = spot.range.len();
    match (spot.row.variant_type.own_type(), new) {
        // A header, and the numbers.
        (None, new) => Some(encoder.encode(new).ok()?.get(size_of::<u32>()..)?.to_vec()),
        (Some(OwnType::Bool), Variant::Bool(value)) => Some(u32::from(*value).to_le_bytes().into()),
        (Some(OwnType::Int), Variant::Int(number)) => match width {
            4 => Some(i32::try_from(*number).ok()?.to_le_bytes().into()),
            _ => Some(number.to_le_bytes().into()),
        },
        (Some(OwnType::Float), Variant::Float(number)) => match width {
            4 => {
                let narrow = *number as f32;
                let fits = narrow.is_finite() || !number.is_finite();
                fits.then(|| narrow.to_le_bytes().into())
            }
            _ => Some(number.to_le_bytes().into()),
        },
        _ => None,
    }
}

/// Returns numbers in the other order of bytes.
fn swapped(bytes: &[u8], row: Row, double: bool) -> Vec<u8> {
    match row.variant_type.own_type() {
        Some(_) => bytes.iter().rev().copied().collect(),
        None => events::in_other_order(row.variant_type, double, bytes),
    }
}
