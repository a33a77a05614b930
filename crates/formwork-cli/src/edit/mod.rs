//! What becomes of a save when its values are changed: what stays as it was, and what is different.

mod compare;
mod keys;
mod packet;
mod tally;

use formwork::edit::splice;
use formwork::variant::{Real, Variant};
use formwork::{Decoder, Dialect, Encoder, Error, Limits};

use super::quantity::counted;
use compare::{Comparison, Labels};
pub(crate) use packet::OldPacket;
use tally::Tally;

/// Makes floats of the ints in a new value that stand where the old one has floats: other programs, and people,
/// write 11.0 as 11.
pub(crate) fn mend<R: Real>(old: &Variant<R>, new: &mut Variant<R>, dialect: Dialect) {
    let mut found = Found::default();
    Comparison::new(&mut found, Labels { number: None, dialect }, true).run(old, new);
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
        let labels = Labels { number, dialect };
        Comparison::new(self, labels, keep).run(&old.value, new);
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

    /// What changed, in a few words.
    pub(crate) fn summary(&self) -> String {
        match self.changed.total() {
            0 => "nothing changed".to_owned(),
            total => format!("{} changed ({})", counted(total as u64, "value"), self.changed),
        }
    }
}
