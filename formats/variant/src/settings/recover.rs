//! Reads the intact parts of a damaged file of settings.
//!
//! The length before a packet gives the start of the next setting, so a damaged packet does not affect the settings
//! after it. If a length itself is damaged, the next setting is searched for: after the value in the packet, or else
//! from the first byte where a valid setting may start.

use std::collections::HashMap;
use std::ops::Range;

use super::read::{Place, makes_sense, place};
use super::{SettingsHead, WORD, path_of_name, path_of_value, rule};
use crate::codec::{Damage, Decoder, Lost, Recovered, Salvaged, Strictness};
use crate::{Dictionary, Real, Variant};
use formwork::{Error, Rule};
use formwork_records::schema::Sizes;

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
        let decoder = self.strictness(Strictness::Engine);
        let mut recovered = Recovered { values: Vec::new(), lost: Vec::new() };
        if let Ok(read) = decoder.read_settings(bytes)
            && read.fault.is_none()
        {
            recovered.values.push(read.value);
            return recovered;
        }
        let pairs = Vec::new();
        let trials = (bytes.len() as u64).saturating_mul(16).saturating_add(1 << 16);
        let known = HashMap::new();
        let mut rescue =
            Rescue { decoder, bytes, trials, index: 0, pairs, known, lost: Vec::new() };
        rescue.all();
        if !rescue.pairs.is_empty() {
            let pairs = rescue.pairs.into_iter();
            recovered.values.push(Variant::Dictionary(pairs.collect::<Dictionary<R>>()));
        }
        let number = (!recovered.values.is_empty()).then_some(0);
        for mut lost in rescue.lost {
            lost.value = number;
            recovered.list(lost);
        }
        recovered
    }
}

struct Rescue<'a, R: Real> {
    decoder: Decoder<R>,
    bytes: &'a [u8],
    /// Bytes that may still be read to try something out: this keeps the time in proportion.
    trials: u64,
    /// Settings that were found.
    index: u64,
    pairs: Vec<(Variant<R>, Variant<R>)>,
    /// The positions of the names in the pairs.
    known: HashMap<String, usize>,
    lost: Vec<Lost>,
}

impl<R: Real> Rescue<'_, R> {
    fn all(&mut self) {
        let head = <SettingsHead as Sizes>::LEAST;
        let count = formwork_records::wire::word_at::<u32>(self.bytes, WORD).unwrap_or_default();
        if let Err(error) = super::Settings::new(self.bytes) {
            self.miss(Damage::Unread, 0..head.min(self.bytes.len()), String::new(), error);
        }
        let mut at = head;
        while at < self.bytes.len() {
            // Other data may follow after as many settings as are announced.
            if self.index >= count.into() && !self.begins(at) {
                let found = formwork::wire::more_bytes(self.bytes.len() - at).to_string();
                let error =
                    Error::new(Rule::INPUT_TRAILING, at as u64, "the end of the file", found);
                self.miss(Damage::Unread, at..self.bytes.len(), String::new(), error);
                return;
            }
            at = self.setting(at).max(at + 1);
        }
        if self.index != u64::from(count) && self.lost.is_empty() {
            let expected = format!("{count} settings");
            let error =
                Error::new(Rule::INPUT_COMPLETE, at as u64, expected, self.index.to_string());
            self.miss(Damage::Unread, at..at, String::new(), error);
        }
    }

    /// Reads the intact parts of the setting at `at`, and returns the start of the next.
    fn setting(&mut self, at: usize) -> usize {
        let all = self.bytes.len();
        let index = self.index;
        let found = match place(self.bytes, at, index) {
            Ok(found) => found,
            Err(error) => return self.skip(at, error.closed()),
        };
        let start = found.packet;
        let announced = start.saturating_add(found.length as usize);
        let fills = |packet: &[u8]| {
            let read = self.decoder.decode_prefix(packet);
            read.is_ok_and(|(_, length)| length == packet.len())
        };
        let is_right = self.bytes.get(start..announced).is_some_and(fills)
            || announced <= all && (announced == all || self.begins(announced));
        if !is_right && !is_name(self.bytes.get(found.name.clone()).unwrap_or_default()) {
            // The length of the name is wrong.
            let error = name_fault(&found, index);
            return self.skip(at, error);
        }
        self.index += 1;
        let name = self.name(&found, index);
        if is_right {
            self.take(&name, start, announced, index);
            return announced;
        }
        // The end of the value is more reliable than the length.
        if let Some((value, length)) = self.try_out(start) {
            let end = start + length;
            if end == all || self.begins(end) {
                self.wrong_length(&name, &found, end, index);
                self.put(name, value);
                return end;
            }
        }
        // The packet may extend past the end: the file is cut.
        if let Some(missing @ 1..) = announced.checked_sub(all)
            && self.trials > 0
        {
            let rest = self.bytes.get(start..).unwrap_or_default();
            self.trials = self.trials.saturating_sub(rest.len() as u64);
            let needed = self.decoder.salvage(rest, true).needed;
            if needed.is_some_and(|needed| needed <= missing as u64) {
                self.take(&name, start, all, index);
                return all;
            }
        }
        let Some(next) = self.search(start) else {
            let end = announced.min(all);
            self.take(&name, start, end, index);
            return end;
        };
        self.wrong_length(&name, &found, next, index);
        self.take(&name, start, next, index);
        next
    }

    /// Reads a value at `start`, however long it is, as long as there is time to try things out.
    fn try_out(&mut self, start: usize) -> Option<(Variant<R>, usize)> {
        let rest = self.bytes.get(start..).filter(|_| self.trials > 0)?;
        let read = self.decoder.decode_prefix(rest);
        let taken = match &read {
            Ok((_, length)) => *length as u64,
            Err(error) => error.offset(),
        };
        self.trials = self.trials.saturating_sub(taken + WORD as u64);
        read.ok()
    }

    /// Skips bytes that are no setting, up to the next.
    fn skip(&mut self, at: usize, error: Error) -> usize {
        let next = self.search(at + 1).unwrap_or(self.bytes.len());
        self.miss(Damage::Unread, at..next, String::new(), error);
        next
    }

    /// Returns the name, with replacements for bytes that are not text.
    fn name(&mut self, place: &Place, index: u64) -> String {
        let bytes = self.bytes.get(place.name.clone()).unwrap_or_default();
        let name = String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}");
        if name.as_bytes() != bytes {
            let error = name_fault(place, index);
            self.miss(Damage::Text, place.name.clone(), name.clone(), error);
        }
        name
    }

    /// Adds the value of a packet, or its intact parts.
    fn take(&mut self, name: &str, start: usize, end: usize, index: u64) {
        let packet = self.bytes.get(start..end).unwrap_or_default();
        let locate =
            |error: Error| error.closed().shifted(start as u64).under(path_of_value(index));
        match self.decoder.decode_prefix(packet) {
            Ok((value, length)) => {
                self.put(name.to_owned(), value);
                if length < packet.len() {
                    let found = formwork::wire::more_bytes(packet.len() - length).to_string();
                    let error =
                        Error::new(rule::FILLED, length as u64, "the end of the packet", found);
                    self.miss(Damage::Unread, start + length..end, name.to_owned(), locate(error));
                }
            }
            Err(_) => {
                let is_cut = end == self.bytes.len();
                let Salvaged { value, lost, .. } = self.decoder.salvage(packet, is_cut);
                for lost in lost {
                    let place = match lost.place.as_str() {
                        "" => name.to_owned(),
                        inner => format!("{name}/{inner}"),
                    };
                    let range = lost.range.start + start as u64..lost.range.end + start as u64;
                    self.lost.push(Lost { range, place, error: locate(lost.error), ..lost });
                }
                if let Some(value) = value {
                    self.put(name.to_owned(), value);
                }
            }
        }
    }

    fn put(&mut self, name: String, value: Variant<R>) {
        match self.known.get(&name).and_then(|&at| self.pairs.get_mut(at)) {
            Some(pair) => pair.1 = value,
            None => {
                self.known.insert(name.clone(), self.pairs.len());
                self.pairs.push((Variant::from(name), value));
            }
        }
    }

    fn wrong_length(&mut self, name: &str, place: &Place, end: usize, index: u64) {
        let (word, length) = (place.packet - WORD, end - place.packet);
        let expected = format!("{length}, as far as the next setting");
        let error = Error::new(rule::FILLED, word as u64, expected, place.length.to_string());
        let error = error.within("length").under(path_of_value(index));
        self.miss(Damage::Length, word..place.packet, name.to_owned(), error);
    }

    fn miss(&mut self, damage: Damage, range: Range<usize>, place: String, error: Error) {
        let range = range.start as u64..range.end as u64;
        self.lost.push(Lost { value: None, damage, range, place, error });
    }

    /// Returns whether a setting seems to begin at `at`, as long as there is time to try things out.
    fn begins(&mut self, at: usize) -> bool {
        /// The most bytes of a name that is searched for.
        const LONGEST: u32 = 1 << 9;
        let length = formwork_records::wire::word_at::<u32>(self.bytes, at);
        let is_name = length.is_some_and(|length| (1..=LONGEST).contains(&length));
        self.trials = self.trials.saturating_sub(if is_name { 64 } else { 1 });
        // All packets are whole words.
        is_name
            && self.trials > 0
            && place(self.bytes, at, 0).is_ok_and(|it| {
                self::is_name(self.bytes.get(it.name.clone()).unwrap_or_default())
                    && it.length >= 4
                    && it.length.is_multiple_of(4)
                    && it.packet.saturating_add(it.length as usize) <= self.bytes.len()
            })
    }

    /// Returns the first byte from `from` on at which a setting seems to begin that leads to another, or to the end.
    fn search(&mut self, from: usize) -> Option<usize> {
        let all = self.bytes.len();
        (from..all).find(|&at| {
            self.begins(at)
                && place(self.bytes, at, 0).is_ok_and(|it| {
                    if !makes_sense(self.bytes, &it) {
                        return false;
                    }
                    let end = it.packet + it.length as usize;
                    end == all || self.begins(end)
                })
        })
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
