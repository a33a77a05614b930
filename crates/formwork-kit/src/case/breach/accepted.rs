//! Changes to a packet that engines accept and do not write. The value stays the same unless the comment of a change says otherwise.

use std::ops::Range;

use arbitrary::Result;
use formwork_records::wire::utf8;
use formwork_variant::dialect::IntWidth;
use formwork_variant::packet::ObjectHeader;
use formwork_variant::{InputEventKind, VariantType};

use super::is_packed;
use super::map::{BUILT_IN, CLASS, ElementKind, Kind, SCRIPT};
use super::mutation::{Mutation, boundaries, words};
use crate::tree::{Count, Name, Node};

/// Whether the change could be applied at the point.
type Applied = Result<bool>;

pub(super) fn trailing(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let length = change.length();
    let count = change.u.int_in_range(1..=9)?;
    let behind = (0..count).map(|_| change.u.arbitrary()).collect::<Result<_>>()?;
    change.insert(length, behind);
    Ok(true)
}

pub(super) fn unpadded(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let length = change.length();
    let Some(last) = change.tree.nodes.last().filter(|last| last.start < length) else {
        return Ok(false);
    };
    let end = change.u.int_in_range(last.start..=length - 1)?;
    // Only what belongs to the point.
    change.truncate(end);
    Ok(change.packet.end == length && change.node.start <= end)
}

/// Sets bits of a word that mean nothing.
fn unused(change: &mut Mutation<'_, '_, '_>, word: Option<(usize, &Node)>) -> Applied {
    let Some((index, node)) = word else { return Ok(false) };
    let bits = node.word().map_or(0, |word| word.zero_bits() as u32);
    change.set_some_of((index, node), bits)?;
    Ok(true)
}

pub(super) fn flags(change: &mut Mutation<'_, '_, '_>) -> Applied {
    unused(change, Some((change.point.node, change.node)))
}

/// Sets the flag of typed arrays that has a meaning only where the elements are objects.
pub(super) fn as_id(change: &mut Mutation<'_, '_, '_>) -> Applied {
    if change.number() == change.id(VariantType::Object) {
        return Ok(false);
    }
    Ok(change.set_flag(&["header", "as_id"]).is_some())
}

pub(super) fn modifiers(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let key = change.field("key");
    unused(change, key.and_then(|(key, _)| change.tree.child(key, "modifiers")))
}

/// The number that is all of the payload of a packet of this type.
fn payload<'m>(
    change: &Mutation<'m, '_, '_>,
    variant_type: VariantType,
) -> Option<(Count, &'m Node)> {
    let node = change.tree.node(change.point.node + 1)?;
    let is_it = change.variant_type() == Some(variant_type);
    is_it.then(|| (Count::of(change.point.node + 1, node), node))
}

pub(super) fn bool_value(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((value, node)) = payload(change, VariantType::Bool) else { return Ok(false) };
    if change.tree.raw(node) != 1 {
        return Ok(false);
    }
    let number = match change.u.int_in_range(0..=3_u8)? {
        0 => 2,
        1 => u32::MAX,
        // Nothing in the lowest byte.
        2 => change.some_of(!u32::from(u8::MAX))?,
        _ => change.u.int_in_range(2..=u32::MAX)?,
    };
    change.set_part(value, number);
    Ok(true)
}

/// Gives numbers the other width, where they have the same values in it.
fn other_width(change: &mut Mutation<'_, '_, '_>, is_one: impl Fn(VariantType) -> bool) -> Applied {
    if !change.variant_type().is_some_and(is_one) {
        return Ok(false);
    }
    let Some((flag, wide)) = change.part(&["header", "flag_64"]) else { return Ok(false) };
    let is_exact = change.edit.set_part(flag, u64::from(wide ^ 1)) == Some(true);
    Ok(is_exact)
}

pub(super) fn int_width(change: &mut Mutation<'_, '_, '_>) -> Applied {
    other_width(change, |one| one == VariantType::Int)
}

pub(super) fn float_width(change: &mut Mutation<'_, '_, '_>) -> Applied {
    other_width(change, |one| one == VariantType::Float)
}

pub(super) fn precision(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let packed = change.point.kind == Kind::Packed;
    other_width(change, |one| one.is_real() && is_packed(one) == packed)
}

/// A NaN that widening makes a quiet one.
pub(super) fn signalling(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((value, node)) = payload(change, VariantType::Float) else { return Ok(false) };
    if change.is_in_key() {
        return Ok(false);
    }
    let payload = change.u.int_in_range(1..=0x3f_ffff_u32)?;
    let sign = change.tree.raw(node) as u32 & 1 << 31;
    let number = sign | f32::INFINITY.to_bits() | payload;
    change.set_part(value, number);
    if let Some(pair) = &mut change.pair {
        let _ = pair.set(value, u64::from(number | 1 << 22));
    }
    Ok(true)
}

/// Returns the text at the point, without its zero terminator.
fn bare(change: &Mutation<'_, '_, '_>) -> Vec<u8> {
    let mut text = change.text().to_vec();
    if change.point.kind == Kind::Terminated {
        text.pop();
    }
    text
}

/// Writes a text at the point, with a zero terminator if the field has one.
fn rewrite(change: &mut Mutation<'_, '_, '_>, mut text: Vec<u8>) -> Applied {
    if change.point.kind == Kind::Terminated {
        text.push(0);
    }
    change.set_text(&text);
    Ok(true)
}

pub(super) fn behind_zero(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let mut text = bare(change);
    text.push(0);
    // Any bytes may follow the terminator, even if they are no text.
    let behind: &[&[u8]] = &[b"", b"x", b"abc", b"\0", b"\0\0\0", b"\xff", b"\xc3\xa9", b"/:"];
    text.extend_from_slice(change.u.choose(behind)?);
    rewrite(change, text)
}

pub(super) fn byte_order_mark(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let mut text = b"\xef\xbb\xbf".to_vec();
    text.extend(bare(change));
    rewrite(change, text)
}

/// Puts another form of a character into the text, of those that `form` has one for.
fn reform(
    change: &mut Mutation<'_, '_, '_>,
    form: impl Fn(&mut Mutation<'_, '_, '_>, u32) -> Result<Option<Vec<u8>>>,
) -> Applied {
    let mut text = bare(change);
    let boundaries = boundaries(&text);
    let first = change.u.choose_index(boundaries.len())?;
    for at in boundaries.iter().cycle().skip(first).take(boundaries.len()).copied() {
        let Ok((number, length)) = utf8::sequence(text.get(at..).unwrap_or_default()) else {
            continue;
        };
        if let Some(other) = form(change, number)? {
            text.splice(at..at + length, other);
            return rewrite(change, text);
        }
    }
    Ok(false)
}

pub(super) fn overlong(change: &mut Mutation<'_, '_, '_>) -> Applied {
    reform(change, |change, number| {
        // Bytes, and the least number that the lax readers take in them, and the first that needs
        // them.
        let all = [
            (3, 0x10, 0x800),
            (4, 0x200, 0x1_0000),
            (5, 0x4000, 0x20_0000),
            (6, 0x8_0000, 0x400_0000),
        ];
        let forms: Vec<_> = all
            .into_iter()
            .filter(|(_, least, first)| (*least..*first).contains(&number))
            .collect();
        if forms.is_empty() || matches!(number, 0xd800..=0xdfff | 0xfeff) {
            return Ok(None);
        }
        Ok(Some(in_bytes(number, change.u.choose(&forms)?.0)))
    })
}

/// Encodes a number as generalised UTF-8 of `length` bytes.
fn in_bytes(number: u32, length: u32) -> Vec<u8> {
    let lead = (0xff00_u32 >> length) as u8 | (number >> (6 * (length - 1))) as u8;
    let rest = (0..length - 1).rev().map(|at| 0x80 | (number >> (6 * at)) as u8 & 0x3f);
    std::iter::once(lead).chain(rest).collect()
}

pub(super) fn surrogates(change: &mut Mutation<'_, '_, '_>) -> Applied {
    reform(change, |_, number| {
        let above = number.checked_sub(0x1_0000).filter(|above| *above < 0x10_0000);
        Ok(above.map(|above| {
            let pair = [0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff)];
            pair.into_iter().flat_map(|half| in_bytes(half, 3)).collect()
        }))
    })
}

pub(super) fn lone_surrogate(change: &mut Mutation<'_, '_, '_>) -> Applied {
    reform(change, |change, number| {
        let half = change.u.int_in_range(0xd800..=0xdfff)?;
        Ok((number == u32::from(b' ')).then(|| in_bytes(half, 3)))
    })
}

pub(super) fn padding(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let padding = change.padding();
    fill(change, padding)
}

/// Puts something else than zeros into padding.
fn fill(change: &mut Mutation<'_, '_, '_>, padding: Range<usize>) -> Applied {
    if padding.is_empty() {
        return Ok(false);
    }
    let at = change.u.int_in_range(padding.start..=padding.end - 1)?;
    let byte = change.u.int_in_range(1..=0xff_u8)?;
    change.edit.replace(at..at + 1, vec![byte]);
    Ok(true)
}

pub(super) fn image_padding(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let padding = change.field("padding");
    fill(change, padding.map(|(_, node)| node.range()).unwrap_or_default())
}

pub(super) fn no_terminator(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let text = bare(change);
    change.set_text(&text);
    Ok(true)
}

pub(super) fn path_flags(change: &mut Mutation<'_, '_, '_>) -> Applied {
    unused(change, change.field("flags"))
}

pub(super) fn path_property(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((count, subnames)) = change.part(&["subname_count"]) else { return Ok(false) };
    let Some(subnames) = subnames.checked_sub(1) else { return Ok(false) };
    change.set_part(count, subnames);
    Ok(change.set_flag(&["flags", "property"]).is_some())
}

/// How many names and subnames a path has.
fn path_lengths(change: &Mutation<'_, '_, '_>) -> Option<[(Count, u32); 2]> {
    Some([change.part(&["name_count", "count"])?, change.part(&["subname_count"])?])
}

pub(super) fn path_root(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some([(_, 0), (_, 0)]) = path_lengths(change) else { return Ok(false) };
    Ok(change.set_flag(&["flags", "absolute"]).is_some())
}

/// Two counts whose sum in 32 bits is the number of names.
pub(super) fn path_counts(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some([(first, names), (second, 0)]) = path_lengths(change) else { return Ok(false) };
    if change.part(&["flags", "property"]).is_none_or(|(_, property)| property != 0) {
        return Ok(false);
    }
    let more = change.u.int_in_range(names + 1..=0x7fff_ffff)?;
    change.set_part(first, more);
    change.set_part(second, names.wrapping_sub(more));
    Ok(true)
}

/// A negative count where there is nothing.
pub(super) fn negative(change: &mut Mutation<'_, '_, '_>) -> Applied {
    if change.number() != 0 {
        return Ok(false);
    }
    super::refused::negative(change)
}

pub(super) fn shared(change: &mut Mutation<'_, '_, '_>) -> Applied {
    Ok(change.set_flag(&["count", "shared"]).is_some())
}

pub(super) fn element_top_bit(change: &mut Mutation<'_, '_, '_>) -> Applied {
    Ok(change.set_flag(&["element_type", "unused"]).is_some())
}

/// A type of elements that does not exist: the engine keeps the number, and none of the elements.
pub(super) fn unknown_element(change: &mut Mutation<'_, '_, '_>) -> Applied {
    if change.number() == change.id(VariantType::Object) || change.is_in_key() {
        return Ok(false);
    }
    let types = change.dialect.rows().len() as u32;
    let id = change.u.int_in_range(types..=0x7fff_ffff)?;
    change.set(id);
    change.pair = None;
    Ok(true)
}

/// Types the elements, keys or values of an untyped container as nulls, which engines ignore.
pub(super) fn nil_elements(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let kinds: Vec<ElementKind> = change.map.element_kinds(change.point.packet).collect();
    let is_typed = |kind: &ElementKind| change.tree.value_of(kind.part) != Some(0);
    let (Some(first), Some(last)) = (kinds.first(), kinds.last()) else { return Ok(false) };
    if kinds.iter().any(is_typed) {
        return Ok(false);
    }
    let kind = if kinds.len() > 1 && change.u.arbitrary()? { last } else { first };
    // The type comes with it, in zeros: that of nulls.
    let _ = change.edit.set_part(kind.part, kind.called(BUILT_IN));
    Ok(change.tree.node(kind.part.node).is_some())
}

/// A class or script for the one that engines put in the place of every other.
pub(super) fn element_class(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some(kind) = change.element_kind() else { return Ok(false) };
    match change.u.int_in_range(0..=2_u8)? {
        0 => {
            let class = *change.u.choose(&["Node", "RefCounted", "EncodedObjectAsI", ""])?;
            change.set_text(class.as_bytes());
            change.set_part(kind.part, kind.called(CLASS) as u32);
        }
        1 => {
            let path = *change.u.choose(&["res://a.gd", "user://a.gd", ""])?;
            change.set_text(path.as_bytes());
            change.set_part(kind.part, kind.called(SCRIPT) as u32);
        }
        _ => {
            let object = change.id(VariantType::Object);
            let name = change.tree.node(change.node.parent).map(Node::range).unwrap_or_default();
            change.edit.replace(name, words([object]));
            change.set_part(kind.part, kind.called(BUILT_IN) as u32);
        }
    }
    Ok(true)
}

/// An empty class name for any object.
pub(super) fn nameless_class(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some(kind) = change.element_kind() else { return Ok(false) };
    if change.number() != change.id(VariantType::Object) {
        return Ok(false);
    }
    change.set(0);
    change.set_part(kind.part, kind.called(CLASS) as u32);
    Ok(true)
}

/// Leaves out the class where it is a value.
pub(super) fn nameless_class_word(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((as_id, 1)) = change.part(&["header", "as_id"]) else { return Ok(false) };
    if change.number() != change.id(VariantType::Object) {
        return Ok(false);
    }
    change.set_part(as_id, 0);
    change.insert(change.node.end, words([change.id(VariantType::StringName), 0]));
    Ok(true)
}

/// An element, or a pair with a key, of another type than the container is declared to hold.
pub(super) fn element(change: &mut Mutation<'_, '_, '_>) -> Applied {
    // A null fits where an object does, and nothing else makes a null of itself.
    let wanted = match change.point.kind {
        Kind::ElementName => None,
        _ => change.dialect.row(change.number()).map(|row| row.variant_type),
    };
    let is_nullable = matches!(wanted, None | Some(VariantType::Object | VariantType::Nil));
    let mut wrong = if is_nullable { words([change.id(VariantType::Int), 7]) } else { vec![0; 4] };
    if change.quirks.int_width == IntWidth::Wide || change.is_in_key() {
        return Ok(false);
    }
    let is_dictionary = change.variant_type() == Some(VariantType::Dictionary);
    if is_dictionary {
        let of_keys = change.map.element_kinds(change.point.packet).next();
        if change.element_kind() != of_keys {
            return Ok(false);
        }
        // Its value is of any type, as only keys are looked at.
        wrong.extend([0; 4]);
    }
    // The element or pair is left out.
    Ok(add(change, wrong))
}

/// Inserts an element or pair before the first one of a container, if there is room in its count.
fn add(change: &mut Mutation<'_, '_, '_>, element: Vec<u8>) -> bool {
    let Some(count) = change.count() else { return false };
    let Some(first) = change.tree.node(count.node).map(|node| node.end) else { return false };
    if change.edit.add(count, 1).is_none() {
        return false;
    }
    change.insert(first, element);
    true
}

/// Inserts a pair with the key of the first pair before it: the last value counts, at the position of the first.
pub(super) fn key_twice(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let (tree, map, dialect) = (change.tree, change.map, change.dialect);
    let mut pairs = tree.children(change.point.packet);
    let pair = pairs.find(|(_, node)| node.name == Name::Index).map(|(pair, _)| pair);
    let half = |name| tree.child(pair?, name);
    let (Some((key, key_node)), Some((value, value_node))) = (half("key"), half("value")) else {
        return Ok(false);
    };
    // Of other types a key may not even be the same as itself.
    use VariantType as T;
    if !matches!(map.type_of(key, dialect), Some(T::Nil | T::Bool | T::Int | T::String)) {
        return Ok(false);
    }
    let is_free = map.is_free(value, dialect);
    let end = if is_free { key_node.end } else { value_node.end };
    let mut again = tree.as_bytes().get(key_node.start..end).unwrap_or_default().to_vec();
    if is_free {
        again.extend([0; 4]);
    }
    Ok(add(change, again))
}

/// An object that is none for a null. (Engines can tell the two, so there is no other packet for it.)
pub(super) fn null_object(change: &mut Mutation<'_, '_, '_>) -> Applied {
    if change.variant_type() != Some(VariantType::Nil) || !change.is_free() || change.is_in_key() {
        return Ok(false);
    }
    let object = change.id(VariantType::Object);
    let null = if change.objects && change.u.arbitrary()? {
        words([object, 0])
    } else {
        let header = ObjectHeader::new().with_type_id(object as u8).with_as_id(true);
        words([header.into(), 0, 0])
    };
    change.edit.replace(change.packet.range(), null);
    change.pair = None;
    Ok(true)
}

/// An object with an empty class for one with the id 0.
pub(super) fn null_class(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((id, _)) = change.field("id") else { return Ok(false) };
    let is_null = change.tree.node(id).is_some_and(|id| change.tree.raw(id) == 0);
    let Some((as_id, 1)) = change.part(&["header", "as_id"]) else { return Ok(false) };
    if change.variant_type() != Some(VariantType::Object) || !is_null {
        return Ok(false);
    }
    // The class comes with it.
    let _ = change.edit.set_part(as_id, 0);
    Ok(true)
}

/// A width of nothing: to the engine, an image without data.
pub(super) fn image_size(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((width, _)) = change.part(&["width"]) else { return Ok(false) };
    let Some((_, data)) = change.field("data").filter(|(_, data)| data.len() > 0) else {
        return Ok(false);
    };
    if change.is_in_key() {
        return Ok(false);
    }
    let wrong = *change.u.choose(&[0, u32::MAX, 1 << 31])?;
    change.set_part(width, wrong);
    let start = change.node.start;
    if let Some(pair) = &mut change.pair {
        pair.replace(start..change.packet.end, vec![0; data.start - start]);
    }
    Ok(true)
}

pub(super) fn image_length(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((length, 0)) = change.part(&["length"]) else { return Ok(false) };
    let wrong = change.negative()?;
    change.set_part(length, wrong);
    Ok(change.tree.node(length.node).is_some())
}

/// A type of event that no engine has, for one without further words. (Nothing writes it.)
pub(super) fn event_type(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((_, length)) = change.field("length") else { return Ok(false) };
    if length.end < change.packet.end || change.is_in_key() {
        return Ok(false);
    }
    let number = change.nameless(InputEventKind::NAMES.len(), u32::MAX)?;
    change.set(number);
    change.pair = None;
    Ok(true)
}

pub(super) fn event_length(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((length, stored)) = change.part(&["length"]) else { return Ok(false) };
    let wrong = change.u.arbitrary::<u32>()?;
    if wrong == stored {
        return Ok(false);
    }
    change.set_part(length, wrong);
    Ok(change.tree.node(length.node).is_some())
}
