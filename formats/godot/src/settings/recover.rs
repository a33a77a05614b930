//! Reads the intact parts of a damaged file of settings.

use super::read::{Place, makes_sense, place, read};
use super::{SettingsHead, WORD, path_of_name, path_of_value, rule};
use formwork::{Error, Path, Rule};
use formwork_records::schema::Sizes;
use formwork_records::wire::word_at;
use formwork_variant::codec::resync::{Parts, Resync};
use formwork_variant::codec::{Damage, Decoder, Recovered};
use formwork_variant::{Dictionary, Real, Variant};
use indexmap::IndexMap;

/// Reads the intact parts of a file of settings, which may be cut or damaged: one Dictionary with the readable
/// settings. Reads as the engine does, whatever the strictness. An undamaged file gives the same value as
/// [`decode`](super::decode).
///
/// Time and memory are proportional to the number of bytes.
///
/// ```
/// use formwork_godot::settings;
/// use formwork_variant::{Decoder, Dialect, variant};
///
/// // The packet of the first setting is of a type that does not exist.
/// let file = b"ECFG\x02\0\0\0\x01\0\0\0a\x04\0\0\0\x63\0\0\0\x01\0\0\0b\x08\0\0\0\x02\0\0\0\x09\0\0\0";
/// let recovered = settings::recover(file, &Decoder::new(Dialect::GODOT4));
/// assert_eq!(recovered.values, [variant!({ "b": 9 })]);
/// assert_eq!((recovered.lost[0].place.as_str(), recovered.lost[0].range.clone()), ("a", 17..21));
/// ```
#[must_use]
pub fn recover<R: Real>(bytes: &[u8], decoder: &Decoder<R>) -> Recovered<R> {
    let mut resync = Resync::new(decoder, bytes, &[], SettingParts { pairs: IndexMap::new() });
    if let Ok(read) = read(bytes, &resync.decoder)
        && read.fault.is_none()
    {
        return Recovered::whole(vec![read.value]);
    }
    settings(&mut resync);
    let Resync { mut recovered, parts, .. } = resync;
    let pairs = parts.pairs.into_iter().map(|(name, value)| (Variant::from(name), value));
    let value = (pairs.len() > 0).then_some(0);
    recovered.lost.iter_mut().for_each(|lost| lost.value = value);
    recovered.values.extend(value.map(|_| Variant::Dictionary(Dictionary::from_iter(pairs))));
    recovered
}
/// Settings, and the names and values of those that were found.
struct SettingParts<R: Real> {
    pairs: IndexMap<String, Variant<R>>,
}

/// The search for the settings of a damaged file.
type Search<'a, R> = Resync<'a, R, SettingParts<R>>;

fn settings<R: Real>(resync: &mut Search<'_, R>) {
    let head = <SettingsHead as Sizes>::LEAST;
    let count = word_at::<u32>(resync.bytes, WORD).unwrap_or_default();
    if let Err(error) = super::Settings::new(resync.bytes) {
        resync.recovered.miss(Damage::Unread, 0..head.min(resync.bytes.len()), error);
    }
    let mut at = head;
    while at < resync.bytes.len() {
        // Other data may follow after as many settings as are announced.
        if resync.index >= count.into() && !SettingParts::begins(resync, at) {
            let found = formwork::wire::more_bytes(resync.bytes.len() - at).to_string();
            let error = Error::new(Rule::INPUT_TRAILING, at as u64, "the end of the file", found);
            resync.recovered.miss(Damage::Unread, at..resync.bytes.len(), error);
            return;
        }
        at = setting(resync, at).max(at + 1);
    }
    if resync.index != u64::from(count) && resync.recovered.lost.is_empty() {
        let expected = format!("{count} settings");
        let error = Error::new(Rule::INPUT_COMPLETE, at as u64, expected, resync.index.to_string());
        resync.recovered.miss(Damage::Unread, at..at, error);
    }
}

/// Reads the intact parts of the setting at `at`, and returns the start of the next.
fn setting<R: Real>(resync: &mut Search<'_, R>, at: usize) -> usize {
    let all = resync.bytes.len();
    let found = match place(resync.bytes, at, resync.index) {
        Ok(found) => found,
        Err(error) => return skip(resync, at, error.closed()),
    };
    let bytes = resync.bytes.get(found.name.clone()).unwrap_or_default();
    let (start, end) = (found.packet, found.packet.saturating_add(found.length as usize));
    if !is_name(bytes) && resync.announced(start, end).is_none() {
        // The length of the name is wrong.
        return skip(resync, at, name_fault(&found, resync.index));
    }
    let first = resync.recovered.lost.len();
    // The bytes of the name that are not text are replaced.
    let name = String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}");
    if name.as_bytes() != bytes {
        resync.recovered.miss(Damage::Text, found.name.clone(), name_fault(&found, resync.index));
    }
    let next = resync.packet(start, Some(end)).unwrap_or_else(|| {
        let next = resync.search(start);
        if let Some(next) = next {
            resync.wrong_length(start, next - start);
        }
        let next = next.unwrap_or(end.min(all));
        resync.take(start, next, resync.read(start, next));
        next
    });
    for lost in resync.recovered.lost.iter_mut().skip(first) {
        lost.place = match lost.place.as_str() {
            "" => name.clone(),
            inner => format!("{name}/{inner}"),
        };
    }
    if let Some(value) = resync.recovered.values.pop() {
        resync.parts.pairs.insert(name, value);
    }
    resync.index += 1;
    next
}

/// Skips bytes that are no setting, up to the next.
fn skip<R: Real>(resync: &mut Search<'_, R>, at: usize, error: Error) -> usize {
    let next = resync.search(at + 1).unwrap_or(resync.bytes.len());
    resync.recovered.miss(Damage::Unread, at..next, error);
    next
}

impl<R: Real> Parts<R> for SettingParts<R> {
    const FILLED: Rule = rule::FILLED;
    const MAY_END_CUT: bool = true;

    fn path(index: u64) -> Path {
        path_of_value(index)
    }

    /// Returns whether a setting seems to begin at `at`.
    fn begins(resync: &mut Resync<'_, R, Self>, at: usize) -> bool {
        /// The most bytes of a name that is searched for.
        const LONGEST: u32 = 1 << 9;
        let bytes = resync.bytes;
        let length = word_at::<u32>(bytes, at);
        let has_length = length.is_some_and(|length| (1..=LONGEST).contains(&length));
        resync.pay(if has_length { 64 } else { 1 });
        // All packets are whole words.
        has_length
            && resync.trials > 0
            && place(bytes, at, 0).is_ok_and(|it| {
                is_name(bytes.get(it.name.clone()).unwrap_or_default())
                    && it.length >= 4
                    && it.length.is_multiple_of(4)
                    && it.packet.saturating_add(it.length as usize) <= bytes.len()
            })
    }

    /// Returns whether a setting seems to begin at `at` that leads to another, or to the end.
    fn resumes(resync: &mut Resync<'_, R, Self>, at: usize) -> bool {
        Self::begins(resync, at)
            && place(resync.bytes, at, 0).is_ok_and(|it| {
                makes_sense(resync.bytes, &it) && resync.leads_on(it.packet + it.length as usize)
            })
    }

    fn wrong_length(resync: &Resync<'_, R, Self>, start: usize, length: usize) -> Error {
        let expected = format!("{length}, as far as the next setting");
        let found = word_at::<u32>(resync.bytes, start - WORD).unwrap_or_default().to_string();
        Error::new(rule::FILLED, (start - WORD) as u64, expected, found).within("length")
    }
}

/// Returns whether bytes are the name of a setting as people write it.
fn is_name(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|name| !name.contains(char::is_control))
}

/// Returns the error of an invalid name.
fn name_fault(place: &Place, index: u64) -> Error {
    let offset = place.name.start as u64;
    let (expected, found) = ("text in UTF-8 without a zero byte", "other bytes");
    Error::new(rule::NAME, offset, expected, found).under(path_of_name(index))
}
