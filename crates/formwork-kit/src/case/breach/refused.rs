//! Changes to a packet that every reader refuses.

use arbitrary::Result;
use formwork_records::schema::Schema;
use formwork_records::wire::utf8::Utf8;
use formwork_variant::generate::interesting::{self, OddText, Trouble};
use formwork_variant::packet::{Header, Text};
use formwork_variant::{Image, VariantType};

use super::map::{ElementKind, Kind, SCRIPT};
use super::mutation::{Mutation, boundaries};
use super::shape;
use crate::tree::least;

/// Whether the change could be applied at the point.
type Applied = Result<bool>;

/// Cuts the packet somewhere: anywhere, or before, in or at the end of something that it consists of.
pub(super) fn cut(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let length = change.length();
    let end = if change.u.arbitrary()? {
        change.u.choose_index(length.max(1))?
    } else {
        let index = change.u.choose_index(change.tree.nodes.len().max(1))?;
        let Some(part) = change.tree.node(index) else { return Ok(false) };
        match change.u.int_in_range(0..=2_u8)? {
            0 => part.start,
            1 => part.end.saturating_sub(1),
            _ => change.u.int_in_range(part.start..=part.end)?,
        }
    };
    change.truncate(end.min(length));
    Ok(end < length)
}

/// Increments the count of a container at the end of the packet.
pub(super) fn one_more(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let is_last = change.packet.end == change.length();
    let Some(count) = change.count().filter(|_| is_last) else { return Ok(false) };
    Ok(change.edit.add(count, 1).is_some())
}

/// Puts a count at the point, unless there is none.
fn set_count(change: &mut Mutation<'_, '_, '_>, count: Option<u32>) -> Applied {
    let (Some(part), Some(count)) = (change.count(), count) else { return Ok(false) };
    change.set_part(part, count);
    Ok(true)
}

pub(super) fn count(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let stored = change.count().and_then(|count| change.tree.value_of(count));
    let Some(stored) = stored else { return Ok(false) };
    let count = change.above(stored)?;
    // More bytes than this break another rule.
    set_count(change, count.map(|count| count.min(i32::MAX as u32 / change.point.each as u32)))
}

pub(super) fn huge_count(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let count = change.above(i32::MAX as u64 / change.point.each as u64)?;
    set_count(change, count)
}

pub(super) fn packed_count(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let most = change.left(change.node.end) / change.point.each as u64;
    let Some(count) = change.above(most)? else { return Ok(false) };
    change.set(count);
    Ok(true)
}

/// A count that, times the size of an element, is little in 32 bits.
pub(super) fn product(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let (size, left) = (change.point.each as u64, change.left(change.node.end));
    let wraps = change.u.int_in_range(1..=size)?;
    let wrapped = change.u.int_in_range(0..=left)?;
    let count = ((wraps << 32) + wrapped) / size;
    let Ok(count) = i32::try_from(count) else { return Ok(false) };
    change.set(count as u32);
    Ok(true)
}

pub(super) fn length(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let length = if change.point.kind == Kind::PathText && change.u.ratio(1, 4)? {
        // Here the length has no sign.
        change.negative()?
    } else {
        let Some(length) = change.above(change.left(change.node.end))? else { return Ok(false) };
        length
    };
    change.set(length);
    Ok(true)
}

/// Puts a length or count beyond the end into a number of the packet; what it counts would start at
/// `start`.
fn beyond(change: &mut Mutation<'_, '_, '_>, path: &[&str], start: usize, each: usize) -> Applied {
    let Some(count) = change.above(change.left(start) / each as u64)? else { return Ok(false) };
    let Some((part, _)) = change.part(path) else { return Ok(false) };
    change.set_part(part, count);
    Ok(true)
}

/// The count of names, which with those of the subnames must not wrap around.
pub(super) fn names(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((_, flags)) = change.field("flags") else { return Ok(false) };
    beyond(change, &["name_count", "count"], flags.end, least(Text::LAYOUT))
}

pub(super) fn subnames(change: &mut Mutation<'_, '_, '_>) -> Applied {
    // Behind the names: where the first subname is, or would be.
    let Some((_, front)) = change.field("names").or_else(|| change.field("flags")) else {
        return Ok(false);
    };
    beyond(change, &["subname_count"], front.end, least(Text::LAYOUT))
}

pub(super) fn image_length(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((_, data)) = change.field("data") else { return Ok(false) };
    beyond(change, &["length"], data.start, 1)
}

pub(super) fn type_id(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((part, _)) = change.part(&["header", "type_id"]) else { return Ok(false) };
    let id = change.nameless(change.dialect.rows().len(), 0xff)?;
    change.set_part(part, id);
    Ok(true)
}

pub(super) fn flag_in_type_id(change: &mut Mutation<'_, '_, '_>) -> Applied {
    change.set_some_of((change.point.node, change.node), Header::Plain.unused_bits())?;
    Ok(true)
}

/// A negative count or length.
pub(super) fn negative(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let number = change.negative()?;
    change.set(number);
    Ok(true)
}

/// Puts bytes that are no character into the text at the point.
fn spoil(change: &mut Mutation<'_, '_, '_>, wrong: &[u8]) -> Applied {
    let mut text = change.text().to_vec();
    let terminator = match change.point.kind {
        Kind::Terminated => text.pop(),
        _ => None,
    };
    let boundaries = boundaries(&text);
    let at = *change.u.choose(&boundaries)?;
    // In the place of what is there, so that mostly the length stays; or between.
    let end = if change.u.arbitrary()? { at } else { (at + wrong.len()).min(text.len()) };
    let end = boundaries.iter().copied().find(|&boundary| boundary >= end).unwrap_or(at);
    text.splice(at..end, wrong.iter().copied());
    text.extend(terminator);
    change.set_text(&text);
    Ok(true)
}

/// Spoils the text at the point with one of the odd texts: one that is wrong from its first byte.
fn spoil_with(change: &mut Mutation<'_, '_, '_>, is_wanted: impl Fn(&OddText) -> bool) -> Applied {
    let wrong = interesting::text(change.u, is_wanted)?;
    spoil(change, wrong)
}

/// Whether readers refuse a text that take the original UTF-8 of up to six bytes.
fn is_refused_by_all(text: &OddText) -> bool {
    Utf8::Lax.decode(text.bytes.to_vec(), false).is_err()
}

pub(super) fn stray_byte(change: &mut Mutation<'_, '_, '_>) -> Applied {
    // Bytes that go on with a character, and those that no form has. (Strict readers know more.)
    spoil_with(change, |text| text.trouble == Trouble::Stray)
}

pub(super) fn cut_character(change: &mut Mutation<'_, '_, '_>) -> Applied {
    // What follows is the start of a character, a zero byte or the end: never the rest of it.
    spoil_with(change, |text| text.trouble == Trouble::Cut)
}

pub(super) fn overlong(change: &mut Mutation<'_, '_, '_>) -> Applied {
    spoil_with(change, |text| text.trouble == Trouble::Overlong && is_refused_by_all(text))
}

/// Writes text that only strict decoders refuse.
pub(super) fn not_unicode(change: &mut Mutation<'_, '_, '_>) -> Applied {
    spoil_with(change, |text| {
        let is_unicode = std::str::from_utf8(text.bytes).is_ok();
        !is_unicode && !is_refused_by_all(text)
    })
}

pub(super) fn path_form(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some((separate, _)) = change.part(&["name_count", "separate"]) else { return Ok(false) };
    change.set_part(separate, 0);
    Ok(true)
}

/// Writes a number outside the `names` that are defined.
fn nameless(change: &mut Mutation<'_, '_, '_>, names: usize) -> Applied {
    let number = change.nameless(names, u32::MAX)?;
    change.set(number);
    Ok(true)
}

pub(super) fn element_type(change: &mut Mutation<'_, '_, '_>) -> Applied {
    nameless(change, change.dialect.rows().len())
}

pub(super) fn image_format(change: &mut Mutation<'_, '_, '_>) -> Applied {
    nameless(change, Image::FORMATS.len())
}

/// A path that is not in the project.
pub(super) fn script(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let is_script =
        |kind: ElementKind| change.tree.value_of(kind.part) == Some(kind.called(SCRIPT));
    if !change.text().starts_with(b"res://") || !change.element_kind().is_some_and(is_script) {
        return Ok(false);
    }
    let path = *change.u.choose(&["", "user://a.gd", "res:/a.gd", "a.gd", "RES://a.gd"])?;
    change.set_text(path.as_bytes());
    Ok(true)
}

pub(super) fn class_header(change: &mut Mutation<'_, '_, '_>) -> Applied {
    // A String has the same payload: nothing else is wrong.
    let string = change.id(VariantType::String);
    change.set(string);
    Ok(true)
}

/// Puts an object in full form in the place of a value.
pub(super) fn object(change: &mut Mutation<'_, '_, '_>) -> Applied {
    if !change.is_free() {
        return Ok(false);
    }
    let class = *change.u.choose(&["", "Node", "Reference", "Object"])?;
    let mut object = change.id(VariantType::Object).to_le_bytes().to_vec();
    object.extend((class.len() as u32).to_le_bytes());
    object.extend(class.as_bytes());
    object.resize(object.len().next_multiple_of(4), 0);
    if !class.is_empty() {
        // No properties.
        object.extend([0; 4]);
    }
    change.edit.replace(change.packet.range(), object);
    Ok(true)
}

/// Nests the packet in enough containers to exceed the depth limit by one.
pub(super) fn depth(change: &mut Mutation<'_, '_, '_>) -> Applied {
    let Some(limit) = change.quirks.depth else { return Ok(false) };
    if change.packet.start > 0 {
        return Ok(false);
    }
    let levels = shape::levels(change.u, change.dialect, limit as usize + 1)?;
    change.insert(0, levels);
    Ok(true)
}
