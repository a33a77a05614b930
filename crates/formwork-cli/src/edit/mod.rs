//! What becomes of a save when its values are changed: what stays as it was, and what is different.

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

/// Puts back the floats and the order of keys that a new value lost on its way through other programs.
pub(crate) fn mend<R: Real>(old: &Variant<R>, new: &mut Variant<R>, dialect: Dialect) {
    side_by_side(old, new, dialect, |pair| drop(pair.keep_float()));
}

/// What was found out about new values beside the old ones.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Ints that were kept as the floats that stood there.
    floats: Tally,
    /// Dictionaries whose keys were put back in their order.
    order: Tally,
    /// Values of another type than before.
    types: Tally,
    /// Values that are not what they were.
    changed: Tally,
    /// Values with bytes that an engine would not write so, and that are written anew.
    rewritten: usize,
}

impl Found {
    /// Compares value number `number` of several, or the only one, with what it was. With `keep` the
    /// new value is first mended: other programs write 11.0 as 11, and change the order of keys.
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

    /// There is a value more than before, or one less.
    pub(crate) fn length(&mut self, old: usize, new: usize) {
        (old..new).for_each(|number| self.changed.add(&format!("value {number} (new)"), None));
        (new..old).for_each(|number| self.changed.add(&format!("value {number} (gone)"), None));
    }

    /// Writes a value in the place of an old packet: what did not change keeps its bytes.
    pub(crate) fn write<R: Real>(
        &mut self,
        old: &OldPacket<'_, R>,
        new: &Variant<R>,
        encoder: &Encoder<R>,
    ) -> Result<Vec<u8>, Error> {
        let packet = splice(&old.bytes, new, encoder)?;
        if old.odd > 0 {
            // The bytes were written here, so nothing in them is too large.
            let unlimited = Limits::default().packet_bytes(u64::MAX).depth(u32::MAX);
            let decoder: Decoder<R> = Decoder::new(encoder.dialect()).in_precision();
            let decoder = decoder.allow_objects(true).limits(unlimited);
            let again = OldPacket::read(&packet, &decoder)?.0;
            self.rewritten += old.odd.saturating_sub(again.odd);
        }
        Ok(packet)
    }

    /// What to tell in lines of their own.
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

    /// How many values changed.
    pub(crate) const fn count(&self) -> usize {
        self.changed.total()
    }

    /// What changed, in a few words.
    pub(crate) fn summary(&self) -> String {
        match self.changed.total() {
            0 => "nothing changed".to_owned(),
            total => format!("{} changed ({})", counted(total as u64, "value"), self.changed),
        }
    }
}

/// Returns a name that has room in a sentence: both ends of a long one.
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
