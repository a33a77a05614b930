//! Changes to a packet that engines accept and do not write. Each says where the canonical strictness
//! reports it. Where nothing else is said the value stays the same.

use arbitrary::Result;
use formwork::variant::VariantType;
use formwork::variant::packet::{DictionaryHeader, Header, ObjectHeader};
use formwork::wire::{Padding, utf8};

use super::edit::{Edit, words};
use super::survey::{Place, Role, has_words};

/// Where a reader reports a breach, if the site lent itself to it.
type Reported = Result<Option<usize>>;

/// Of the header: the flag of a 64-bit number, and of an object that is an id.
const FLAG: u32 = 1 << 16;

pub(super) fn trailing(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let length = edit.bytes.len();
    let count = edit.u.int_in_range(1..=9)?;
    for _ in 0..count {
        let byte = edit.u.arbitrary()?;
        edit.bytes.push(byte);
    }
    Ok(Some(length))
}

pub(super) fn unpadded(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let length = edit.bytes.len();
    let Some(loose) = edit.survey.loose.last().filter(|loose| loose.end == length) else {
        return Ok(None);
    };
    // Only what belongs to the site.
    let end = edit.u.int_in_range(loose.start..=length - 1)?;
    if edit.packet.end != length || edit.site.at > end {
        return Ok(None);
    }
    let start = loose.start;
    edit.bytes.truncate(end);
    // The head of an event is read as one.
    Ok(Some(if edit.site.place == Place::Event { edit.site.at } else { start }))
}

pub(super) fn flags(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let packet = edit.dialect.packet(edit.packet.variant_type);
    let header = match edit.site.place {
        Place::ClassHeader => Header::Plain,
        _ => packet.map_or(Header::Plain, |packet| packet.header),
    };
    let flags = edit.some_of(header.unused_bits())?;
    edit.set_bits(edit.site.at, flags);
    Ok(Some(edit.site.at))
}

/// Sets the flag of typed arrays that has a meaning only where the elements are objects.
pub(super) fn as_id(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if edit.word(edit.site.at) == edit.id(VariantType::Object) {
        return Ok(None);
    }
    edit.set_bits(edit.packet.start, FLAG);
    Ok(Some(edit.packet.start))
}

pub(super) fn modifiers(edit: &mut Edit<'_, '_, '_>) -> Reported {
    const KEY: u32 = 1;
    let at = edit.site.at + 12;
    if edit.word(edit.site.at) != KEY {
        return Ok(None);
    }
    let others = edit.some_of(0xe1ff_ffff)?;
    edit.set_bits(at, others);
    Ok(Some(at))
}

pub(super) fn bool_value(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at + 4;
    if edit.packet.variant_type != VariantType::Bool || edit.word(at) != 1 {
        return Ok(None);
    }
    let number = match edit.u.int_in_range(0..=3_u8)? {
        0 => 2,
        1 => u32::MAX,
        // Nothing in the lowest byte.
        2 => edit.some_of(0xffff_ff00)?,
        _ => edit.u.int_in_range(2..=u32::MAX)?,
    };
    edit.set(at, number);
    Ok(Some(at))
}

/// Gives a number the other width: the header's flag, and other bytes.
fn other_width(edit: &mut Edit<'_, '_, '_>, bytes: &[u8]) -> usize {
    let start = edit.packet.start;
    edit.set(start, edit.packet.header ^ FLAG);
    edit.splice(start + 4..edit.packet.end, bytes);
    start
}

pub(super) fn int_width(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if edit.packet.variant_type != VariantType::Int {
        return Ok(None);
    }
    let at = edit.packet.start + 4;
    let low = edit.word(at) as i32;
    if edit.packet.header & FLAG == 0 {
        let wide = i64::from(low).to_le_bytes();
        return Ok(Some(other_width(edit, &wide)));
    }
    let fits = edit.word(at + 4) as i32 == low >> 31;
    Ok(fits.then(|| other_width(edit, &low.to_le_bytes())))
}

pub(super) fn float_width(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if edit.packet.variant_type != VariantType::Float {
        return Ok(None);
    }
    let at = edit.packet.start + 4;
    if edit.packet.header & FLAG == 0 {
        let wide = widened(edit.word(at));
        return Ok(wide.map(|wide| other_width(edit, &wide.to_le_bytes())));
    }
    // A NaN is written in 64 bits, also where 32 hold it.
    let number = u64::from(edit.word(at + 4)) << 32 | u64::from(edit.word(at));
    let narrow = narrowed(number);
    Ok(narrow.map(|narrow| other_width(edit, &narrow.to_le_bytes())))
}

/// The number in 64 bits. [`None`] of a signalling NaN, which becomes another on the way.
fn widened(bits: u32) -> Option<u64> {
    let number = f32::from_bits(bits);
    if !number.is_nan() {
        return Some(f64::from(number).to_bits());
    }
    let sign = u64::from(bits >> 31) << 63;
    (bits & 1 << 22 != 0).then(|| sign | 0x7ff << 52 | u64::from(bits & 0x7f_ffff) << 29)
}

/// The number in 32 bits, where they hold all of it.
fn narrowed(bits: u64) -> Option<u32> {
    let number = f64::from_bits(bits);
    let narrow = if number.is_nan() {
        ((bits >> 63) as u32) << 31 | 0xff << 23 | (bits >> 29) as u32 & 0x7f_ffff
    } else {
        (number as f32).to_bits()
    };
    (widened(narrow) == Some(bits)).then_some(narrow)
}

/// A NaN that widening makes a quiet one.
pub(super) fn signalling(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if edit.packet.variant_type != VariantType::Float || edit.is_in_key() {
        return Ok(None);
    }
    let at = edit.site.at + 4;
    let payload = edit.u.int_in_range(1..=0x3f_ffff_u32)?;
    let sign = edit.word(at) & 1 << 31;
    let number = sign | 0x7f80_0000 | payload;
    edit.set(at, number);
    edit.splice_pair(at..at + 4, &(number | 1 << 22).to_le_bytes());
    Ok(Some(at))
}

pub(super) fn precision(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let (start, variant_type) = (edit.packet.start, edit.packet.variant_type);
    let has_flag = edit
        .dialect
        .packet(variant_type)
        .is_some_and(|packet| matches!(packet.header, Header::Wide));
    if !variant_type.is_real() || !has_flag {
        return Ok(None);
    }
    // The components of an array stand behind its count.
    let is_packed = variant_type.name().starts_with("Packed");
    if is_packed != (edit.site.place == Place::Packed) {
        return Ok(None);
    }
    let from = start + if is_packed { 8 } else { 4 };
    let old = edit.bytes.get(from..edit.packet.end).unwrap_or_default();
    let mut new = Vec::with_capacity(2 * old.len());
    if edit.packet.header & FLAG == 0 {
        for number in old.as_chunks::<4>().0 {
            let Some(wide) = widened(u32::from_le_bytes(*number)) else { return Ok(None) };
            new.extend(wide.to_le_bytes());
        }
    } else {
        for number in old.as_chunks::<8>().0 {
            let Some(narrow) = narrowed(u64::from_le_bytes(*number)) else { return Ok(None) };
            new.extend(narrow.to_le_bytes());
        }
    }
    edit.set(start, edit.packet.header ^ FLAG);
    edit.splice(from..edit.packet.end, &new);
    Ok(Some(start))
}

/// Where a reader says that a text is not in its usual form.
fn text_at(edit: &Edit<'_, '_, '_>) -> Option<usize> {
    Some(edit.site.at + 4)
}

/// The text at the site, without the zero byte behind it.
fn bare(edit: &Edit<'_, '_, '_>) -> Vec<u8> {
    let mut text = edit.text().to_vec();
    if edit.site.place == Place::Terminated {
        text.pop();
    }
    text
}

/// Writes a text at the site, with the zero byte behind it where there is to be one.
fn rewrite(edit: &mut Edit<'_, '_, '_>, mut text: Vec<u8>) -> Option<usize> {
    if edit.site.place == Place::Terminated {
        text.push(0);
    }
    edit.set_text(&text);
    text_at(edit)
}

pub(super) fn behind_zero(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let mut text = bare(edit);
    text.push(0);
    // Whatever comes behind it; no text either.
    let behind: &[&[u8]] = &[b"", b"x", b"abc", b"\0", b"\0\0\0", b"\xff", b"\xc3\xa9", b"/:"];
    text.extend_from_slice(edit.u.choose(behind)?);
    Ok(rewrite(edit, text))
}

pub(super) fn byte_order_mark(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let mut text = b"\xef\xbb\xbf".to_vec();
    text.extend(bare(edit));
    Ok(rewrite(edit, text))
}

/// Puts another form of a character into the text, of those that `form` has one for.
fn reform(
    edit: &mut Edit<'_, '_, '_>,
    form: impl Fn(&mut Edit<'_, '_, '_>, u32) -> Result<Option<Vec<u8>>>,
) -> Reported {
    let mut text = bare(edit);
    let boundaries = edit.boundaries(&text);
    let first = edit.u.choose_index(boundaries.len())?;
    for at in boundaries.iter().cycle().skip(first).take(boundaries.len()).copied() {
        let Ok((number, length)) = utf8::sequence(text.get(at..).unwrap_or_default()) else {
            continue;
        };
        if let Some(other) = form(edit, number)? {
            text.splice(at..at + length, other);
            return Ok(rewrite(edit, text));
        }
    }
    Ok(None)
}

pub(super) fn overlong(edit: &mut Edit<'_, '_, '_>) -> Reported {
    reform(edit, |edit, number| {
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
        Ok(Some(in_bytes(number, edit.u.choose(&forms)?.0)))
    })
}

/// The generalised UTF-8 of a number in so many bytes.
fn in_bytes(number: u32, length: u32) -> Vec<u8> {
    let lead = (0xff00_u32 >> length) as u8 | (number >> (6 * (length - 1))) as u8;
    let rest = (0..length - 1).rev().map(|at| 0x80 | (number >> (6 * at)) as u8 & 0x3f);
    std::iter::once(lead).chain(rest).collect()
}

pub(super) fn surrogates(edit: &mut Edit<'_, '_, '_>) -> Reported {
    reform(edit, |_, number| {
        let above = number.checked_sub(0x1_0000).filter(|above| *above < 0x10_0000);
        Ok(above.map(|above| {
            let pair = [0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff)];
            pair.into_iter().flat_map(|half| in_bytes(half, 3)).collect()
        }))
    })
}

pub(super) fn lone_surrogate(edit: &mut Edit<'_, '_, '_>) -> Reported {
    reform(edit, |edit, number| {
        let half = edit.u.int_in_range(0xd800..=0xdfff)?;
        Ok((number == u32::from(b' ')).then(|| in_bytes(half, 3)))
    })
}

pub(super) fn padding(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let padding = edit.padding();
    fill(edit, padding)
}

/// Puts something else than zeros into padding.
fn fill(edit: &mut Edit<'_, '_, '_>, padding: std::ops::Range<usize>) -> Reported {
    if padding.is_empty() {
        return Ok(None);
    }
    let at = edit.u.int_in_range(padding.start..=padding.end - 1)?;
    let byte = edit.u.int_in_range(1..=0xff_u8)?;
    edit.splice(at..at + 1, &[byte]);
    Ok(Some(padding.end - 1))
}

pub(super) fn image_padding(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let length = edit.word(edit.site.at + 16) as usize;
    let end = edit.site.at + 20 + length;
    fill(edit, end..end + Padding::needed(length))
}

pub(super) fn no_terminator(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let text = bare(edit);
    edit.set_text(&text);
    Ok(text_at(edit))
}

pub(super) fn path_flags(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at + 8;
    let flags = edit.some_of(!3)?;
    edit.set_bits(at, flags);
    Ok(Some(at))
}

pub(super) fn path_property(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    let Some(subnames) = edit.word(at + 4).checked_sub(1) else { return Ok(None) };
    edit.set(at + 4, subnames);
    edit.set_bits(at + 8, 2);
    Ok(Some(at + 8))
}

pub(super) fn path_root(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    if edit.word(at) & 0x7fff_ffff != 0 || edit.word(at + 4) != 0 {
        return Ok(None);
    }
    edit.set_bits(at + 8, 1);
    Ok(Some(at + 8))
}

/// Two counts whose sum in 32 bits is the number of names.
pub(super) fn path_counts(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    let names = edit.word(at) & 0x7fff_ffff;
    if edit.word(at + 4) != 0 || edit.word(at + 8) & 2 != 0 {
        return Ok(None);
    }
    let first = edit.u.int_in_range(names + 1..=0x7fff_ffff)?;
    edit.set(at, first | 1 << 31);
    edit.set(at + 4, names.wrapping_sub(first));
    Ok(Some(at))
}

/// A negative count where there is nothing.
pub(super) fn negative(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if edit.site.length != 0 {
        return Ok(None);
    }
    let number = edit.negative()?;
    edit.set(edit.site.at, number);
    Ok(Some(edit.site.at))
}

pub(super) fn shared(edit: &mut Edit<'_, '_, '_>) -> Reported {
    edit.set_bits(edit.site.at, 1 << 31);
    Ok(Some(edit.site.at))
}

pub(super) fn element_top_bit(edit: &mut Edit<'_, '_, '_>) -> Reported {
    edit.set_bits(edit.site.at, 1 << 31);
    Ok(Some(edit.site.at))
}

/// A type of elements that does not exist: the engine keeps the number, and none of the elements.
pub(super) fn unknown_element(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if edit.word(edit.site.at) == edit.id(VariantType::Object) || edit.is_in_key() {
        return Ok(None);
    }
    let types = edit.dialect.rows().len() as u32;
    let id = edit.u.int_in_range(types..=0x7fff_ffff)?;
    edit.set(edit.site.at, id);
    edit.pair = None;
    Ok(Some(edit.site.at))
}

/// Types the elements, keys or values of an untyped container as nulls, which engines ignore.
pub(super) fn nil_elements(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let start = edit.packet.start;
    let is_dictionary = edit.packet.variant_type == VariantType::Dictionary;
    let may = if is_dictionary { edit.quirks.typed_dictionaries } else { true };
    if !may || edit.packet.header >> 16 & 0xf != 0 {
        return Ok(None);
    }
    let shift = if is_dictionary && edit.u.arbitrary()? { 18 } else { 16 };
    edit.set_bits(start, 1 << shift);
    edit.insert(start + 4, &[0; 4]);
    Ok(Some(start + 4))
}

/// A class or script for the one that engines put in the place of every other.
pub(super) fn element_class(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let (at, end) = (edit.site.at, edit.padding().end);
    match edit.u.int_in_range(0..=2_u8)? {
        0 => {
            let class = *edit.u.choose(&["Node", "RefCounted", "EncodedObjectAsI", ""])?;
            edit.set_text(class.as_bytes());
            edit.set_kind(2);
        }
        1 => {
            let path = *edit.u.choose(&["res://a.gd", "user://a.gd", ""])?;
            edit.set_text(path.as_bytes());
            edit.set_kind(3);
        }
        _ => {
            let object = edit.id(VariantType::Object);
            edit.splice(at..end, &object.to_le_bytes());
            edit.set_kind(1);
        }
    }
    Ok(Some(at))
}

/// An empty class name for any object.
pub(super) fn nameless_class(edit: &mut Edit<'_, '_, '_>) -> Reported {
    if edit.word(edit.site.at) != edit.id(VariantType::Object) {
        return Ok(None);
    }
    edit.set(edit.site.at, 0);
    edit.set_kind(2);
    Ok(Some(edit.site.at))
}

/// Leaves out the class where it is a value.
pub(super) fn nameless_class_word(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let (start, at) = (edit.packet.start, edit.site.at + 4);
    let is_as_id = ObjectHeader::from(edit.packet.header).as_id();
    if !is_as_id || edit.word(edit.site.at) != edit.id(VariantType::Object) {
        return Ok(None);
    }
    edit.set(start, edit.packet.header & !FLAG);
    edit.insert(at, &words([edit.id(VariantType::StringName), 0]));
    Ok(Some(at))
}

/// An element, or a pair with a key, of another type than the container is declared to hold.
pub(super) fn element(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let Some(count_at) = edit.packet.count_at else { return Ok(None) };
    // A null fits where an object does, and nothing else makes a null of itself.
    let wanted = match edit.site.place {
        Place::ElementName => None,
        _ => edit.dialect.row(edit.word(edit.site.at)).map(|row| row.variant_type),
    };
    let is_nullable = matches!(wanted, None | Some(VariantType::Object | VariantType::Nil));
    let mut wrong = if is_nullable { words([edit.id(VariantType::Int), 7]) } else { vec![0; 4] };
    if edit.quirks.int_width == formwork::variant::dialect::IntWidth::Wide || edit.is_in_key() {
        return Ok(None);
    }
    if edit.packet.variant_type == VariantType::Dictionary {
        let has_keys = DictionaryHeader::from(edit.packet.header).key_kind() != 0;
        if !has_keys || edit.kind_shift() != 16 {
            return Ok(None);
        }
        // The pair is left out. Its value is of any type, as only keys are looked at.
        wrong.extend([0; 4]);
        add(edit, count_at, &wrong);
        return Ok(Some(count_at + 4 + wrong.len()));
    }
    // The element is left out.
    add(edit, count_at, &wrong);
    Ok(Some(edit.packet.end + wrong.len()))
}

/// Puts an element or pair in front of those of a container.
fn add(edit: &mut Edit<'_, '_, '_>, count_at: usize, element: &[u8]) {
    edit.set(count_at, edit.word(count_at).saturating_add(1));
    edit.insert(count_at + 4, element);
}

/// A pair in front of the first, with its key: the last value counts, in the place of the first.
pub(super) fn key_twice(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let of = |role: Role| {
        edit.survey
            .packets
            .iter()
            .skip(edit.site.packet)
            .find(|packet| packet.around == Some(edit.site.packet) && packet.role == role)
    };
    let (Some(key), Some(value)) = (of(Role::Key), of(Role::Value)) else { return Ok(None) };
    // Of other types a key may not even be the same as itself.
    if !matches!(
        key.variant_type,
        VariantType::Nil | VariantType::Bool | VariantType::Int | VariantType::String
    ) {
        return Ok(None);
    }
    let (start, reported) = (edit.site.at + 4, value.end);
    let end = if edit.survey.is_free(value) { key.end } else { value.end };
    let mut pair = edit.bytes.get(start..end).unwrap_or_default().to_vec();
    if end == key.end {
        pair.extend([0; 4]);
    }
    add(edit, edit.site.at, &pair);
    Ok(Some(reported + pair.len()))
}

/// An object that is none for a null. (Engines can tell the two, so there is no other packet for it.)
pub(super) fn null_object(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let (start, end) = (edit.packet.start, edit.packet.end);
    if edit.packet.variant_type != VariantType::Nil
        || !edit.survey.is_free(edit.packet)
        || edit.is_in_key()
    {
        return Ok(None);
    }
    let object = edit.id(VariantType::Object);
    if edit.objects && edit.u.arbitrary()? {
        edit.splice(start..end, &words([object, 0]));
    } else {
        edit.splice(start..end, &words([object | FLAG, 0, 0]));
    }
    edit.pair = None;
    Ok(Some(start))
}

/// An object with an empty class for one with the id 0.
pub(super) fn null_class(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let (start, end) = (edit.packet.start, edit.packet.end);
    let is_null = ObjectHeader::from(edit.packet.header).as_id()
        && edit.word(start + 4) == 0
        && edit.word(start + 8) == 0;
    if edit.packet.variant_type != VariantType::Object || !is_null {
        return Ok(None);
    }
    let object = edit.id(VariantType::Object);
    edit.splice(start..end, &words([object, 0]));
    Ok(Some(start))
}

/// A width of nothing: to the engine, an image without data.
pub(super) fn image_size(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    if edit.word(at + 16) == 0 || edit.is_in_key() {
        return Ok(None);
    }
    let wrong = *edit.u.choose(&[0, u32::MAX, 1 << 31])?;
    edit.set(at + 8, wrong);
    edit.splice_pair(at..edit.packet.end, &[0; 20]);
    Ok(Some(at))
}

pub(super) fn image_length(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    if edit.word(at + 16) != 0 {
        return Ok(None);
    }
    let length = edit.negative()?;
    edit.set(at + 16, length);
    Ok(Some(at + 16))
}

/// A type of event that no engine has, for one without further words. (Nothing writes it.)
pub(super) fn event_type(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at;
    if has_words(edit.word(at)) || edit.is_in_key() {
        return Ok(None);
    }
    let number = match edit.u.int_in_range(0..=2_u8)? {
        0 => 9,
        1 => u32::MAX,
        _ => edit.u.int_in_range(9..=u32::MAX)?,
    };
    edit.set(at, number);
    edit.pair = None;
    Ok(Some(at))
}

pub(super) fn event_length(edit: &mut Edit<'_, '_, '_>) -> Reported {
    let at = edit.site.at + 8;
    let length = edit.u.arbitrary::<u32>()?;
    if length == edit.word(at) {
        return Ok(None);
    }
    edit.set(at, length);
    Ok(Some(at))
}
