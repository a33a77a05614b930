//! Changes to a packet that every reader refuses. Each says where ours does.

use arbitrary::Result;
use formwork::generate::interesting::{self, OddText, Trouble};
use formwork::variant::{Image, VariantType};
use formwork::wire::Padding;
use formwork::wire::utf8::Utf8;

use super::edit::Edit;
use super::shape;
use super::survey::{Place, Role, Site};

/// Where a reader reports a breach, if the site lent itself to it.
type Reported = Result<Option<usize>>;

/// The form of an element type that is a script.
const SCRIPT: u32 = 3;

/// Cuts the packet somewhere: anywhere, or before or in something that a reader looks for.
pub(super) fn cut(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let looks = &edit.survey.looks;
    let end = if edit.u.arbitrary()? {
        edit.u.choose_index(edit.bytes.len().max(1))?
    } else {
        let Some(look) = looks.get(edit.u.choose_index(looks.len().max(1))?) else {
            return Ok(None);
        };
        let start = look.at.min(edit.bytes.len());
        let end = look.need.min(edit.bytes.len());
        match edit.u.int_in_range(0..=2_u8)? {
            0 => start,
            1 => end.saturating_sub(1),
            _ => edit.u.int_in_range(start.min(end)..=end)?,
        }
    };
    if edit.survey.loose.iter().any(|loose| loose.contains(&end)) || end >= edit.bytes.len() {
        return Ok(None);
    }
    let reported = edit.survey.cut(end);
    if reported.is_some() {
        edit.bytes.truncate(end);
    }
    Ok(reported)
}

/// Bytes that an element of the container takes at least.
fn least(edit: &Edit<'_, '_, '_>) -> usize {
    match (edit.site.place, edit.packet.variant_type) {
        (Place::Count, VariantType::Dictionary) | (Place::Properties, _) => 8,
        _ => 4,
    }
}

/// The count and, in Godot 2, whether the container is shared.
fn set_count(edit: &mut Edit<'_, '_, '_>, count: u32) {
    let mark = match edit.site.place {
        Place::Count => edit.word(edit.site.at) & 1 << 31,
        _ => 0,
    };
    edit.set(edit.site.at, count | mark);
}

fn count_of(edit: &Edit<'_, '_, '_>) -> u32 {
    edit.word(edit.site.at) & 0x7fff_ffff
}

/// One element more than there are, where nothing comes behind the container.
pub(super) fn one_more(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let length = edit.bytes.len();
    if edit.packet.end != length {
        return Ok(None);
    }
    let Some(count) = count_of(edit).checked_add(1) else { return Ok(None) };
    set_count(edit, count);
    // From here on all containers together need more than is left: a reader that adds it up can tell
    // before the end.
    let more = least(edit);
    let later = edit.survey.looks.get(edit.site.look..).unwrap_or_default();
    let missing = later.iter().find(|look| look.promise && look.need + more > length);
    Ok(Some(missing.map_or(length, |look| look.at)))
}

/// The largest count that the rest may fill, as far as a reader can tell at the count.
fn most(edit: &Edit<'_, '_, '_>) -> Option<u64> {
    let look = edit.survey.looks.get(edit.site.look)?;
    let spare = edit.bytes.len().checked_sub(look.need)?;
    Some(u64::from(count_of(edit)) + (spare / least(edit)) as u64)
}

pub(super) fn count(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let Some(most) = most(edit) else { return Ok(None) };
    let Some(count) = edit.above(most)? else { return Ok(None) };
    // More bytes than this break another rule.
    let count = count.min(i32::MAX as u32 / least(edit) as u32);
    set_count(edit, count);
    Ok(Some(edit.site.at))
}

pub(super) fn huge_count(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let least = least(edit) as u64;
    let Some(count) = edit.above(i32::MAX as u64 / least)? else { return Ok(None) };
    set_count(edit, count);
    Ok(Some(edit.site.at))
}

/// Bytes of an element of a packed array.
fn size(edit: &Edit<'_, '_, '_>) -> u64 {
    if edit.site.place == Place::Bytes { 1 } else { edit.site.length.max(1) as u64 }
}

pub(super) fn packed_count(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let most = edit.left(edit.site.at + 4) / size(edit);
    let Some(count) = edit.above(most)? else { return Ok(None) };
    edit.set(edit.site.at, count);
    Ok(Some(edit.site.at + 4))
}

/// A count that, times the size of an element, is little in 32 bits.
pub(super) fn product(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let (size, left) = (size(edit), edit.left(edit.site.at + 4));
    let wraps = edit.u.int_in_range(1..=size)?;
    let wrapped = edit.u.int_in_range(0..=left)?;
    let count = ((wraps << 32) + wrapped) / size;
    let Ok(count) = i32::try_from(count) else { return Ok(None) };
    edit.set(edit.site.at, count as u32);
    Ok(Some(edit.site.at + 4))
}

pub(super) fn length(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    let length = if edit.site.place == Place::PathText && edit.u.ratio(1, 4)? {
        // Here the length has no sign.
        edit.negative()?
    } else {
        let Some(length) = edit.above(edit.left(at + 4))? else { return Ok(None) };
        length
    };
    edit.set(at, length);
    Ok(Some(at + 4))
}

/// The count of names, which with those of the subnames must not wrap around.
pub(super) fn names(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    let Some(count) = edit.above(edit.left(at + 12) / 4)? else { return Ok(None) };
    edit.set(at, count | 1 << 31);
    Ok(Some(at + 12))
}

pub(super) fn subnames(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    // Behind the names: where the first subname is, or would be.
    let names = edit.word(at) & 0x7fff_ffff;
    let texts = edit
        .survey
        .sites
        .iter()
        .filter(|site| site.place == Place::PathText && site.packet == edit.site.packet);
    let behind = |site: &Site| site.at + 4 + site.length + Padding::needed(site.length);
    let start = match names.checked_sub(1) {
        Some(last) => texts.map(behind).nth(last as usize),
        None => Some(at + 12),
    };
    let Some(start) = start else { return Ok(None) };
    let Some(count) = edit.above(edit.left(start) / 4)? else { return Ok(None) };
    edit.set(at + 4, count);
    Ok(Some(start))
}

pub(super) fn image_length(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    let Some(length) = edit.above(edit.left(at + 20))? else { return Ok(None) };
    edit.set(at + 16, length);
    Ok(Some(at + 20))
}

pub(super) fn type_id(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let types = edit.dialect.rows().len() as u32;
    let id = match edit.u.int_in_range(0..=2_u8)? {
        0 => types,
        1 => 0xff,
        _ => edit.u.int_in_range(types..=0xff)?,
    };
    edit.set(edit.site.at, edit.packet.header & !0xff | id);
    Ok(Some(edit.site.at))
}

pub(super) fn flag_in_type_id(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let flags = edit.some_of(0xffff_ff00)?;
    edit.set_bits(edit.site.at, flags);
    Ok(Some(edit.site.at))
}

/// A negative count or length.
pub(super) fn negative(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let number = edit.negative()?;
    edit.set(edit.site.at, number);
    Ok(Some(edit.site.at))
}

/// Puts bytes that are no character into the text at the site.
fn spoil(edit: &mut Edit<'_, '_, '_>, wrong: &[u8]) -> Reported {
    let mut text = edit.text().to_vec();
    let terminator = match edit.site.place {
        Place::Terminated => text.pop(),
        _ => None,
    };
    let boundaries = edit.boundaries(&text);
    let at = *edit.u.choose(&boundaries)?;
    // In the place of what is there, so that mostly the length stays; or between.
    let end = if edit.u.arbitrary()? { at } else { (at + wrong.len()).min(text.len()) };
    let end = boundaries.iter().copied().find(|&boundary| boundary >= end).unwrap_or(at);
    text.splice(at..end, wrong.iter().copied());
    text.extend(terminator);
    edit.set_text(&text);
    Ok(Some(edit.site.at + 4 + at))
}

/// Spoils the text at the site with one of the odd texts: one that is wrong from its first byte.
fn spoil_with(edit: &mut Edit<'_, '_, '_>, is_wanted: impl Fn(&OddText) -> bool) -> Reported {
    let wrong = interesting::text(edit.u, is_wanted)?;
    spoil(edit, wrong)
}

/// Whether readers refuse a text that take the original UTF-8 of up to six bytes.
fn is_refused_by_all(text: &OddText) -> bool {
    Utf8::Lax.decode(text.bytes.to_vec(), false).is_err()
}

pub(super) fn stray_byte(edit: &mut Edit<'_, '_, '_>) -> Reported {
    // Bytes that go on with a character, and those that no form has. (Strict readers know more.)
    spoil_with(edit, |text| text.trouble == Trouble::Stray)
}

pub(super) fn cut_character(edit: &mut Edit<'_, '_, '_>) -> Reported {
    // What follows is the start of a character, a zero byte or the end: never the rest of it.
    spoil_with(edit, |text| text.trouble == Trouble::Cut)
}

pub(super) fn overlong(edit: &mut Edit<'_, '_, '_>) -> Reported {
    spoil_with(edit, |text| text.trouble == Trouble::Overlong && is_refused_by_all(text))
}

/// What only strict readers refuse.
pub(super) fn not_unicode(edit: &mut Edit<'_, '_, '_>) -> Reported {
    spoil_with(edit, |text| {
        let is_unicode = std::str::from_utf8(text.bytes).is_ok();
        !is_unicode && !is_refused_by_all(text)
    })
}

pub(super) fn path_form(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    edit.set(at, count_of(edit));
    Ok(Some(at))
}

pub(super) fn element_type(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let types = edit.dialect.rows().len() as u32;
    let id = match edit.u.int_in_range(0..=2_u8)? {
        0 => types,
        1 => u32::MAX,
        _ => edit.u.int_in_range(types..=u32::MAX)?,
    };
    edit.set(edit.site.at, id);
    Ok(Some(edit.site.at))
}

/// A path that is not in the project.
pub(super) fn script(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if !edit.text().starts_with(b"res://") || edit.kind() != SCRIPT {
        return Ok(None);
    }
    let path = *edit.u.choose(&["", "user://a.gd", "res:/a.gd", "a.gd", "RES://a.gd"])?;
    edit.set_text(path.as_bytes());
    Ok(Some(edit.site.at))
}

pub(super) fn class_header(edit: &mut Edit<'_, '_, '_>) -> Reported {
    // A String has the same payload: nothing else is wrong.
    let string = edit.id(VariantType::String);
    edit.set(edit.site.at, string);
    Ok(Some(edit.site.at))
}

/// Puts an object in full form in the place of a value.
pub(super) fn object(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if !edit.survey.is_free(edit.packet) {
        return Ok(None);
    }
    let class = *edit.u.choose(&["", "Node", "Reference", "Object"])?;
    let mut object = edit.id(VariantType::Object).to_le_bytes().to_vec();
    object.extend((class.len() as u32).to_le_bytes());
    object.extend(class.as_bytes());
    object.resize(object.len().next_multiple_of(4), 0);
    if !class.is_empty() {
        // No properties.
        object.extend([0; 4]);
    }
    edit.splice(edit.packet.start..edit.packet.end, &object);
    Ok(Some(edit.packet.start))
}

pub(super) fn image_format(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let formats = Image::FORMATS.len() as u32;
    let format = match edit.u.int_in_range(0..=2_u8)? {
        0 => formats,
        1 => u32::MAX,
        _ => edit.u.int_in_range(formats..=u32::MAX)?,
    };
    edit.set(edit.site.at, format);
    Ok(Some(edit.site.at))
}

/// Puts the packet into so many containers that it is one too deep.
pub(super) fn depth(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let Some(limit) = edit.quirks.depth else { return Ok(None) };
    if edit.packet.role != Role::Alone {
        return Ok(None);
    }
    let levels = shape::levels(edit.u, edit.dialect, limit as usize + 1)?;
    edit.insert(0, &levels);
    Ok(Some(levels.len()))
}
