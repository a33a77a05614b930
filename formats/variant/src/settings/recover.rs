//! Reads the intact parts of a damaged file of settings.

use super::read::{Place, makes_sense, place};
use super::{SettingsHead, WORD, path_of_name, path_of_value, rule};
use crate::codec::resync::{Parts, Resync};
use crate::codec::{Damage, Decoder, Recovered};
use crate::{Dictionary, KeySet, Real, Variant};
use formwork::{Error, Path, Rule};
use formwork_records::schema::Sizes;
use formwork_records::wire::word_at;

impl<R: Real> Decoder<R> {
    /// Reads the intact parts of a file of settings, which may be cut or damaged: one Dictionary with the readable
    /// settings. Reads as the engine does, whatever the strictness. An undamaged file gives the same value as
    /// [`Decoder::decode_settings`].
    ///
    /// Time and memory are proportional to the number of bytes.
    ///
    /// ```
    /// use formwork_variant::{Decoder, Dialect, variant};
    ///
    /// // The packet of the first setting is of a type that does not exist.
    /// let file = b"ECFG\x02\0\0\0\x01\0\0\0a\x04\0\0\0\x63\0\0\0\x01\0\0\0b\x08\0\0\0\x02\0\0\0\x09\0\0\0";
    /// let recovered = Decoder::new(Dialect::GODOT4).recover_settings(file);
    /// assert_eq!(recovered.values, [variant!({ "b": 9 })]);
    /// assert_eq!((recovered.lost[0].place.as_str(), recovered.lost[0].range.clone()), ("a", 17..21));
    /// ```
    #[must_use]
    pub fn recover_settings(&self, bytes: &[u8]) -> Recovered<R> {
        let pairs = KeySet::new(0, Some(self.dialect().quirks().same_keys));
        let mut resync = Resync::new(self, bytes, &[], SettingParts { pairs });
        if let Ok(read) = resync.decoder.read_settings(bytes)
            && read.fault.is_none()
        {
            return Recovered { values: vec![read.value], lost: Vec::new() };
        }
        resync.settings();
        let Resync { mut recovered, parts, .. } = resync;
        let pairs = parts.pairs.into_pairs();
        let value = (!pairs.is_empty()).then_some(0);
        recovered.lost.iter_mut().for_each(|lost| lost.value = value);
        recovered.values.extend(value.map(|_| Variant::Dictionary(Dictionary::from_iter(pairs))));
        recovered
    }
}

/// Settings, and the names and values of those that were found.
struct SettingParts<R: Real> {
    pairs: KeySet<R>,
}

impl<R: Real> Resync<'_, R, SettingParts<R>> {
    fn settings(&mut self) {
        let head = <SettingsHead as Sizes>::LEAST;
        let count = word_at::<u32>(self.bytes, WORD).unwrap_or_default();
        if let Err(error) = super::Settings::new(self.bytes) {
            self.recovered.miss(Damage::Unread, 0..head.min(self.bytes.len()), error);
        }
        let mut at = head;
        while at < self.bytes.len() {
            // Other data may follow after as many settings as are announced.
            if self.index >= count.into() && !SettingParts::begins(self, at) {
                let found = formwork::wire::more_bytes(self.bytes.len() - at).to_string();
                let error =
                    Error::new(Rule::INPUT_TRAILING, at as u64, "the end of the file", found);
                self.recovered.miss(Damage::Unread, at..self.bytes.len(), error);
                return;
            }
            at = self.setting(at).max(at + 1);
        }
        if self.index != u64::from(count) && self.recovered.lost.is_empty() {
            let expected = format!("{count} settings");
            let error =
                Error::new(Rule::INPUT_COMPLETE, at as u64, expected, self.index.to_string());
            self.recovered.miss(Damage::Unread, at..at, error);
        }
    }

    /// Reads the intact parts of the setting at `at`, and returns the start of the next.
    fn setting(&mut self, at: usize) -> usize {
        let all = self.bytes.len();
        let found = match place(self.bytes, at, self.index) {
            Ok(found) => found,
            Err(error) => return self.skip(at, error.closed()),
        };
        let bytes = self.bytes.get(found.name.clone()).unwrap_or_default();
        let (start, end) = (found.packet, found.packet.saturating_add(found.length as usize));
        if !is_name(bytes) && self.announced(start, end).is_none() {
            // The length of the name is wrong.
            return self.skip(at, name_fault(&found, self.index));
        }
        let first = self.recovered.lost.len();
        // The bytes of the name that are not text are replaced.
        let name = String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}");
        if name.as_bytes() != bytes {
            self.recovered.miss(Damage::Text, found.name.clone(), name_fault(&found, self.index));
        }
        let next = self.packet(start, Some(end)).unwrap_or_else(|| {
            let next = self.search(start);
            if let Some(next) = next {
                self.wrong_length(start, next - start);
            }
            let next = next.unwrap_or(end.min(all));
            self.take(start, next, self.read(start, next));
            next
        });
        for lost in self.recovered.lost.iter_mut().skip(first) {
            lost.place = match lost.place.as_str() {
                "" => name.clone(),
                inner => format!("{name}/{inner}"),
            };
        }
        if let Some(value) = self.recovered.values.pop() {
            self.parts.pairs.insert(name.into(), value);
        }
        self.index += 1;
        next
    }

    /// Skips bytes that are no setting, up to the next.
    fn skip(&mut self, at: usize, error: Error) -> usize {
        let next = self.search(at + 1).unwrap_or(self.bytes.len());
        self.recovered.miss(Damage::Unread, at..next, error);
        next
    }
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
