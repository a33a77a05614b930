//! Effects of changed values on a save: which bytes stay, and which differ.

mod keys;
mod mend;
mod packet;
mod tally;

use formwork_variant::edit::{Compare, DifferenceKind, Names, Place, splice};
use formwork_variant::{Decoder, Dialect, Encoder, Error, Limits};
use formwork_variant::{Real, Variant};

use super::quantity::counted;
use super::style::shown;
pub(crate) use mend::side_by_side;
pub(crate) use packet::OldPacket;
use tally::Tally;

/// Restores floats and the order of keys that a new value lost in other programs.
pub(crate) fn mend<R: Real>(old: &Variant<R>, new: &mut Variant<R>, dialect: Dialect) {
    side_by_side(old, new, dialect, |pair| drop(pair.keep_float()));
}

/// The differences between new values and the old ones.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Ints that were converted back to floats.
    floats: Tally,
    /// Dictionaries whose order of keys was restored.
    order: Tally,
    /// Values whose type changed.
    types: Tally,
    /// Values that changed.
    changed: Tally,
    /// Number of values that are rewritten because an engine would not write their bytes.
    rewritten: usize,
}

impl Found {
    /// Compares a new value with the old one; `number` is its position among several values. With
    /// `keep` the new value is mended before: other programs write 11.0 as 11, and change the order
    /// of keys.
    pub(crate) fn value<R: Real>(
        &mut self,
        old: &OldPacket<'_, R>,
        new: &mut Variant<R>,
        number: Option<usize>,
        dialect: Dialect,
        keep: bool,
    ) {
        let named = |name: String| match number {
            None if name.is_empty() => "the value".to_owned(),
            None => short(&shown(name)),
            Some(number) if name.is_empty() => number.to_string(),
            Some(number) => format!("{number}/{}", short(&shown(name))),
        };
        let add = |tally: &mut Tally, names: &mut Names<'_, R>, place: &Place, what: &str| {
            let name = named(names.name(place));
            let pattern = named(names.pattern(place));
            tally.add(&format!("{name}{what}"), Some(format!("{pattern}{what}")));
        };
        if keep {
            let mut floats = Vec::new();
            let in_order = side_by_side(&old.value, new, dialect, |pair| {
                floats.extend(pair.keep_float());
            });
            let mut names = Names::new(&*new, dialect);
            floats.iter().for_each(|place| add(&mut self.floats, &mut names, place, ""));
            in_order.iter().for_each(|place| add(&mut self.order, &mut names, place, ""));
        }
        let (mut old_names, mut names) =
            (Names::new(&old.value, dialect), Names::new(&*new, dialect));
        for it in Compare::new().values(&old.value, new) {
            let what = match it.kind {
                DifferenceKind::Removed => {
                    add(&mut self.changed, &mut old_names, &it.old, " (gone)");
                    continue;
                }
                DifferenceKind::Added => " (new)",
                DifferenceKind::Moved => " (moved)",
                DifferenceKind::Front => " (types)",
                _ => "",
            };
            add(&mut self.changed, &mut names, &it.new, what);
            let types = (it.before.map(Variant::variant_type), it.after.map(Variant::variant_type));
            if let (Some(before), Some(after)) = types
                && before != after
            {
                let [before, after] = [before, after].map(|it| dialect.type_name(it));
                let change = format!(": {before} -> {after}");
                add(&mut self.types, &mut names, &it.new, &change);
            }
        }
    }

    /// Counts the values that were added or removed at the end.
    pub(crate) fn length(&mut self, old: usize, new: usize) {
        (old..new).for_each(|number| self.changed.add(&format!("value {number} (new)"), None));
        (new..old).for_each(|number| self.changed.add(&format!("value {number} (gone)"), None));
    }

    /// Writes a value in the place of an old packet; unchanged parts keep their bytes.
    pub(crate) fn write<R: Real>(
        &mut self,
        old: &OldPacket<'_, R>,
        new: &Variant<R>,
        encoder: &Encoder<R>,
    ) -> Result<Vec<u8>, Error> {
        let packet = splice(&old.bytes, new, encoder)?;
        if old.odd > 0 {
            // The bytes were written here, so that no limit is needed.
            let unlimited = Limits::default().packet_bytes(u64::MAX).depth(u32::MAX);
            let decoder: Decoder<R> = Decoder::new(encoder.dialect()).in_precision();
            let decoder = decoder.allow_objects(true).limits(unlimited);
            let again = OldPacket::read(&packet, &decoder)?.0;
            self.rewritten += old.odd.saturating_sub(again.odd);
        }
        Ok(packet)
    }

    /// Returns the remarks that are printed on separate lines.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.floats.is_empty() {
            remarks.push(format!("kept as float: {}", self.floats));
        }
        if !self.order.is_empty() {
            remarks.push(format!("kept the order of the keys: {}", self.order));
        }
        if !self.types.is_empty() {
            remarks.push(format!("type changed: {}", self.types));
        }
        if self.rewritten > 0 {
            remarks.push(format!(
                "{} had bytes that the engine ignores, such as padding; they are written as zeros now",
                counted(self.rewritten as u64, "value")
            ));
        }
        remarks
    }

    /// Returns the number of values that changed.
    pub(crate) const fn count(&self) -> usize {
        self.changed.total()
    }

    /// Returns the number of changes, in a few words.
    pub(crate) fn summary(&self) -> String {
        match self.changed.total() {
            0 => "nothing changed".to_owned(),
            total => format!("{} changed ({})", counted(total as u64, "value"), self.changed),
        }
    }
}

/// Shortens a long name to its two ends, to fit into a sentence.
fn short(name: &str) -> String {
    const END: usize = 60;
    let ends = (name.char_indices().nth(END), name.char_indices().nth_back(END - 1));
    match ends {
        (Some((front, _)), Some((back, _))) if front < back => {
            format!("{}...{}", &name[..front], &name[back..])
        }
        _ => name.to_owned(),
    }
}
