//! Reading on after damage: the state of a reader that would otherwise end.

use super::super::recovered::{Damage, Lost, Salvaged};
use super::build::{self, close};
use super::{Decoder, Held, LEAST, Reader, Strictness};
use crate::codec::rule;
use crate::{Container, Level, Real, Variant, VariantString, VariantType};
use formwork::{Error, Result};
use formwork_records::wire::word_at;

/// The most faults in one value after which a rescue continues. Data with more faults is no packet.
const MOST: usize = 1000;

/// Steps that the paths of those may have in all.
const MOST_STEPS: usize = 1 << 14;

/// The state of a rescue, which reads as much as possible of damaged bytes.
#[derive(Default)]
pub(super) struct Damaged {
    /// Whether the input may end too early. If not, a count that does not fit is wrong itself.
    may_be_cut: bool,
    /// Whether zeros in a row are no nulls.
    doubts_nulls: bool,
    found: Vec<Lost>,
    /// Steps that the paths of those have.
    steps: usize,
    /// The number of those with a known place.
    located: usize,
    /// The capacity in values of a container whose count cannot be trusted.
    granted: Option<usize>,
    /// Set if the input ends in the elements of the value that was read last.
    cut: Option<Error>,
    ended: bool,
    /// The start of the entry that is being read: an element, a pair or a property.
    begun: usize,
    /// The end of zeros that are nulls of an array.
    nulls: usize,
    /// The start of the value that is being read, and what was promised there.
    value: (usize, u64),
    /// Whether its count does not fit.
    is_count: bool,
    /// Whether that is borne.
    bears: bool,
    /// The depth of the outermost open container whose count is not known.
    uncounted: Option<usize>,
    /// Bytes that may still be read to try something out: this keeps the time in proportion.
    trials: usize,
}

/// Reads the intact parts of the value that `bytes` starts with. `may_be_cut` is set if its end may be missing.
pub(in super::super) fn salvage<R: Real>(
    decoder: &Decoder<R>,
    bytes: &[u8],
    may_be_cut: bool,
) -> Salvaged<R> {
    // Bytes that can be read are whole.
    if let Ok((value, length)) = decoder.strictness(Strictness::Engine).decode_prefix(bytes) {
        return Salvaged {
            value: Some(value),
            lost: Vec::new(),
            length: Some(length),
            needed: None,
        };
    }
    salvage_with(decoder, bytes, Damaged { may_be_cut, ..Damaged::default() })
}

/// Reads the intact parts of the value that `bytes` is, which can be read as a shorter value: zeros in the place of a
/// container are a null, and its contents count for the containers around it. Returns [`None`] if it is no longer one then.
pub(in super::super) fn salvage_whole<R: Real>(
    decoder: &Decoder<R>,
    bytes: &[u8],
    (value, length): (&Variant<R>, usize),
) -> Option<Salvaged<R>> {
    let is_padded = bytes.get(length..)?.iter().all(|byte| *byte == 0);
    if is_padded && !has_null_key(value) {
        return None;
    }
    let damage = Damaged { doubts_nulls: !is_padded, ..Damaged::default() };
    let doubted = salvage_with(decoder, bytes, damage);
    let is_longer = match is_padded {
        true => !doubted.lost.is_empty(),
        false => doubted.length == Some(bytes.len()),
    };
    is_longer.then_some(doubted)
}

/// Returns whether a dictionary in a value has a null for a key, which no game stores.
fn has_null_key<R: Real>(value: &Variant<R>) -> bool {
    // A list instead of recursion: values may nest to any depth.
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value.container() {
            Some(Container::Dictionary(pairs)) => {
                if pairs.keys().any(Variant::is_nil) {
                    return true;
                }
                open.extend(pairs.values());
            }
            Some(Container::Array(all)) => open.extend(all.iter()),
            Some(Container::TypedArray(all) | Container::PackedTypedArray(all)) => {
                open.extend(all.elements.iter());
            }
            Some(Container::Object(object)) => {
                open.extend(object.properties.iter().map(|it| &it.1));
            }
            None => {}
        }
    }
    false
}

fn salvage_with<R: Real>(decoder: &Decoder<R>, bytes: &[u8], damage: Damaged) -> Salvaged<R> {
    // Damaged bytes are not compared with the engine's output.
    let decoder = decoder.strictness(Strictness::Engine);
    let mut reader = Reader::new(&decoder, bytes, None);
    let trials = bytes.len().saturating_mul(16).saturating_add(1 << 16);
    reader.damage = Some(Box::new(Damaged { trials, ..damage }));
    let mut making = Vec::new();
    let read = reader.value_in::<R>(&mut making);
    let Damaged { mut found, ended, cut, .. } = *reader.damage.take().unwrap_or_default();
    let mut needed = cut.as_ref().and_then(Error::needed);
    let value = match read {
        Ok(value) => {
            let length = (!ended).then(|| reader.position());
            return Salvaged { value: Some(value), lost: found, length, needed };
        }
        Err(error) => {
            needed = error.needed();
            if !ended {
                let range = error.offset().min(bytes.len() as u64)..bytes.len() as u64;
                let place = build::place(making.iter());
                let error = error.under(reader.path());
                found.push(Lost { value: None, damage: Damage::Unread, range, place, error });
            }
            close(making, reader.quirks)
        }
    };
    Salvaged { value, lost: found, length: None, needed }
}

impl<'a> Reader<'a, '_> {
    /// Returns whether reading continues after damage.
    pub(super) const fn is_rescue(&self) -> bool {
        self.damage.is_some()
    }

    /// Returns the number of values to reserve memory for, of those that a front announces: all, because the count
    /// was checked against the input, or as many as the input may have if the count does not fit.
    #[inline]
    pub(super) fn room(&mut self, count: u32) -> usize {
        let granted = self.damage.as_mut().and_then(|damage| damage.granted.take());
        granted.unwrap_or(count as usize)
    }

    /// Handles a count that is larger than the input: the values in the input are read.
    #[cold]
    pub(super) fn bear_count(&mut self, error: Error, least: u64) -> Result<()> {
        let free = (self.input.left() as u64).saturating_sub(self.promised);
        let Some(damage) = &mut self.damage else { return Err(error) };
        // A count that no cut explains is damaged: reading may go on after the container.
        let all = self.input.all().len() as u64;
        let is_cut = damage.may_be_cut && error.needed().is_some_and(|needed| needed <= 2 * all);
        let is_wrong = !is_cut && !damage.bears && self.open.count() > 0;
        if damage.found.len() >= MOST || is_wrong {
            damage.is_count = damage.found.len() < MOST;
            return Err(error);
        }
        damage.bears = false;
        damage.uncounted.get_or_insert(self.open.count() + 1);
        let granted = free / least;
        self.promised += granted * least;
        damage.granted = Some(granted as usize);
        let start = error.offset();
        self.bear(error, Damage::Count, start..start);
        Ok(())
    }

    /// Handles a text that is not UTF-8: its readable part is kept.
    #[cold]
    pub(super) fn bear_text(
        &mut self,
        error: Error,
        start: usize,
        bytes: Vec<u8>,
    ) -> Result<VariantString> {
        if self.damage.as_ref().is_none_or(|damage| damage.found.len() >= MOST) {
            return Err(error);
        }
        let range = start as u64..(start + bytes.len()) as u64;
        self.bear(error, Damage::Text, range);
        // No engine writes a text with a zero, and all except one drop a byte order mark at the start.
        let text = String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}");
        Ok(VariantString::from(text.trim_start_matches('\u{feff}')))
    }

    /// Handles a list at the end of the input: the elements before the end are read.
    #[cold]
    pub(super) fn bear_cut(&mut self, error: Error) -> Result<()> {
        let may_be_cut = self.damage.as_ref().is_some_and(|damage| damage.may_be_cut);
        if !may_be_cut || error.needed().is_none() {
            return Err(error);
        }
        let range = error.offset()..self.input.all().len() as u64;
        self.bear(error.clone(), Damage::Unread, range);
        if let Some(damage) = &mut self.damage {
            damage.ended = true;
            damage.cut = Some(error);
        }
        Ok(())
    }

    /// Returns the whole elements, of `size` bytes, of a block that the input cuts. The count of the block is at
    /// `start`.
    #[cold]
    pub(super) fn bear_cut_elements(
        &mut self,
        error: Error,
        start: usize,
        size: usize,
    ) -> Result<&'a [u8]> {
        if !self.is_rescue() {
            return Err(error);
        }
        let first = start + size_of::<u32>();
        let there = self.input.all().get(first..).unwrap_or_default();
        let length = there.len() / size * size;
        let end = first + length;
        let needed = error.needed().unwrap_or_default();
        let left = (self.input.all().len() - end) as u64;
        let cut = Error::incomplete(end as u64, needed, error.expected().to_owned(), left);
        self.bear_cut(if error.needed().is_some() { cut } else { error })?;
        self.input.set_position(end);
        Ok(&there[..length])
    }

    /// Records damage to the value that is being read.
    fn bear(&mut self, error: Error, kind: Damage, range: std::ops::Range<u64>) {
        let path = self.path();
        let Some(damage) = &mut self.damage else { return };
        // Paths in deeply nested containers would take more memory than the bytes.
        let steps = path.steps().len();
        let error = if damage.steps + steps > MOST_STEPS { error } else { error.under(path) };
        damage.steps += steps;
        let place = String::new();
        damage.found.push(Lost { value: None, damage: kind, range, place, error });
    }

    /// Sets the place of the damage that was found last.
    #[inline(always)]
    pub(super) fn locate_damage(&mut self, place: impl Fn() -> String) {
        if self.damage.is_some() {
            self.locate(place);
        }
    }

    #[cold]
    fn locate(&mut self, place: impl Fn() -> String) {
        let Some(damage) = &mut self.damage else { return };
        for lost in damage.found.iter_mut().skip(damage.located) {
            lost.place = place();
        }
        damage.located = damage.found.len();
    }

    /// Ends the rescue if the value that was read last was cut.
    #[inline(always)]
    pub(super) fn end_at_cut(&mut self) -> Result<()> {
        match &self.damage {
            None => Ok(()),
            Some(damage) => damage.cut.clone().map_or(Ok(()), Err),
        }
    }
}

/// The place where reading goes on after damage.
pub(super) struct Resumed {
    /// The position.
    pub(super) at: usize,
    /// The number of containers that stay open.
    pub(super) count: usize,
    /// The entries that are left in the innermost of those.
    left: u32,
}

/// How far the entries of the open containers can be read from a position.
enum Reach {
    /// They fill the bytes.
    Whole,
    /// The bytes end before the outermost container has all of its entries: this many are missing.
    Short(u32),
    /// An entry cannot be read at this position.
    Broken(usize),
    /// There are more bytes.
    Over,
}

impl Reader<'_, '_> {
    /// Notes where an entry begins: an element, a pair or a property. Refuses zeros that are no nulls: after the end of
    /// what was written, or in the place of a block that was not.
    #[inline]
    pub(super) fn begin_entry(&mut self) -> Result<()> {
        /// This many zeros in a row are no null key with its null.
        const MANY: usize = 4;
        let (at, level) = (self.input.position(), *self.open.innermost());
        if let Some(damage) = &mut self.damage {
            damage.value = (at, self.promised);
        }
        if self.is_named || level.is_done() {
            return Ok(());
        }
        let Some(damage) = &mut self.damage else { return Ok(()) };
        if damage.uncounted.is_some_and(|depth| self.open.count() < depth) {
            damage.uncounted = None;
        }
        if !level.is_at_value() {
            damage.begun = at;
        }
        if at < damage.nulls {
            return Ok(());
        }
        let (words, rest) = self.input.rest().as_chunks::<4>();
        let zeros = words.iter().take_while(|word| **word == [0; 4]).count();
        if zeros < 2 {
            return Ok(());
        }
        // Nulls at the end of the value are as many as the containers still need.
        let is_to_end = zeros == words.len() && rest.iter().all(|byte| *byte == 0);
        let is_more = is_to_end && (zeros * size_of::<u32>()) as u64 > self.promised;
        let is_hollow = match level.is_at_key() {
            _ if damage.doubts_nulls => true,
            true => zeros >= MANY || is_to_end,
            false => is_more,
        };
        if is_hollow {
            return Err(Error::new(rule::HEADER_TYPE_ID, at as u64, "a value", "zeros"));
        }
        if !level.is_at_key() && !level.is_at_value() {
            damage.nulls = at + zeros * size_of::<u32>();
        }
        Ok(())
    }

    /// Returns where reading goes on after an error, by the entries that the open containers still have. `types` are
    /// those of what the entries of each begin with.
    pub(super) fn resumed(
        &mut self,
        error: &Error,
        types: Vec<Option<VariantType>>,
    ) -> Option<Resumed> {
        /// Bytes of entries that are no coincidence, though there is more damage after them.
        const ENOUGH: usize = 48;
        /// Bytes after which no other start is tried.
        const PLENTY: usize = 256;
        let levels: Vec<Level> = self.open.iter().copied().collect();
        let end = self.input.all().len();
        let damage = self.damage.as_ref()?;
        if damage.ended || damage.found.len() >= MOST || levels.len() != types.len() {
            return None;
        }
        let first = usize::try_from(error.offset()).ok()?.max(damage.begun) / 4 * 4 + 4;
        // All that follows may be of a container of which the count is not known.
        let known = damage.uncounted.map_or(levels.len(), |depth| depth.saturating_sub(1));
        // Where a count does not fit, the input may be cut: then nothing of it is passed over.
        let is_count = damage.is_count;
        let spared = if is_count { damage.trials.saturating_sub(2 * end) } else { 0 };
        let mut second: Option<(usize, Resumed)> = None;
        for at in (first..end).step_by(4) {
            if known == 0 || self.damage.as_ref()?.trials <= spared {
                break;
            }
            for count in (1..=known.min(levels.len())).rev() {
                if self.damage.as_ref()?.trials <= spared {
                    break;
                }
                let most = levels[count - 1].left().saturating_sub(1);
                let (mut reach, mut left) = self.reach(at, &levels[..count], &types, most);
                if let Reach::Short(missing) = reach
                    && left > missing
                {
                    // Entries of the container around were taken for those of the inner one.
                    (reach, left) = self.reach(at, &levels[..count], &types, left - missing);
                }
                match reach {
                    Reach::Whole => return Some(Resumed { at, count, left }),
                    // What is left after the next damage is unknown.
                    Reach::Broken(to)
                        if to - at >= ENOUGH
                            && !is_count
                            && second.as_ref().is_none_or(|it| it.0 < to - at) =>
                    {
                        second = Some((to - at, Resumed { at, count, left: most }));
                    }
                    Reach::Short(_) | Reach::Broken(_) | Reach::Over => {}
                }
            }
            if second.as_ref().is_some_and(|it| it.0 >= PLENTY) {
                break;
            }
        }
        second.map(|it| it.1)
    }

    /// Reads the entries of containers from a position: at most `most` of the innermost one, and all that are left of
    /// those around it. Returns how far that leads, and the number of entries of the innermost one.
    fn reach(
        &mut self,
        from: usize,
        levels: &[Level],
        types: &[Option<VariantType>],
        most: u32,
    ) -> (Reach, u32) {
        let (end, innermost) = (self.input.all().len(), levels.len().saturating_sub(1));
        if let Some(damage) = &mut self.damage {
            // Each container is looked at, and there may be as many as bytes.
            damage.trials = damage.trials.saturating_sub(levels.len());
        }
        let (mut at, mut inner, mut missing) = (from, 0, 0_u32);
        for (index, level) in levels.iter().enumerate().rev() {
            let is_innermost = index == innermost;
            // An entry of each container around is the one with the damage.
            let left = if is_innermost { most } else { level.left().saturating_sub(1) };
            let wanted = types.get(index).copied().flatten();
            let mut count = 0;
            while count < left
                && at < end
                && let Some(next) = self.entry(at, level, wanted)
            {
                (at, count) = (next, count + 1);
            }
            match is_innermost {
                true if count == 0 => return (Reach::Over, 0),
                true => inner = count,
                false => missing = missing.saturating_add(left - count),
            }
            if at < end && count < left && !(is_innermost && index > 0) {
                return (Reach::Broken(at), inner);
            }
        }
        match (at < end, missing) {
            (true, _) => (Reach::Over, inner),
            (false, 0) => (Reach::Whole, inner),
            (false, missing) => (Reach::Short(missing), inner),
        }
    }

    /// Returns the end of the entry of a container that begins at a position, if it is one.
    fn entry(&mut self, at: usize, level: &Level, wanted: Option<VariantType>) -> Option<usize> {
        let bytes = self.input.all();
        let decoder = self.decoder;
        let damage = self.damage.as_mut()?;
        let mut value = |from: usize, is_first: bool| {
            damage.trials = damage.trials.saturating_sub(8);
            let rest = bytes.get(from..).unwrap_or_default();
            let word = word_at::<u32>(rest, 0).filter(|word| decoder.is_header(*word))?;
            let row = decoder.dialect().row(decoder.dialect().quirks().type_id(word))?;
            let found = row.variant_type;
            let fits = match (is_first, wanted) {
                (false, _) => true,
                (true, Some(wanted)) => wanted == found,
                (true, None) if level.is_keyed() => matches!(
                    found,
                    VariantType::String | VariantType::StringName | VariantType::Int
                ),
                (true, None) => found != VariantType::Nil,
            };
            if !fits || damage.trials == 0 {
                return None;
            }
            let read = decoder.walk(rest).finish();
            let taken =
                read.as_ref().map_or_else(|error| error.offset() as usize, |length| *length);
            damage.trials = damage.trials.saturating_sub(taken);
            read.ok().map(|length| from + length)
        };
        if level.is_at_property() {
            let length = word_at::<u32>(bytes.get(at..)?, 0)? as usize;
            let name = bytes.get(at + 4..)?.get(..length)?;
            let is_name = !name.is_empty() && std::str::from_utf8(name).is_ok();
            return if is_name { value(at + 4 + length.next_multiple_of(4), false) } else { None };
        }
        let first = value(at, true)?;
        if level.is_keyed() { value(first, false) } else { Some(first) }
    }

    /// Goes back to the value that was begun last, whose count does not fit, to bear that. Returns whether it is one.
    pub(super) fn bears_count(&mut self) -> bool {
        let Some(damage) = &mut self.damage else { return false };
        if !std::mem::take(&mut damage.is_count) {
            return false;
        }
        damage.bears = true;
        (_, self.promised) = damage.value;
        self.input.set_position(damage.value.0);
        (self.inside, self.held) = (None, Held::Nothing);
        self.is_named = self.open.innermost().is_at_property();
        true
    }

    /// Lists the entry that cannot be read, up to where reading goes on.
    pub(super) fn list_damage(&mut self, error: &Error, place: String, end: usize) {
        let path = self.path();
        let Some(damage) = &mut self.damage else { return };
        let steps = path.steps().len();
        let error = if damage.steps + steps > MOST_STEPS {
            error.clone()
        } else {
            error.clone().under(path)
        };
        damage.steps += steps;
        let range = damage.begun as u64..end as u64;
        damage.found.push(Lost { value: None, damage: Damage::Unread, range, place, error });
        damage.located = damage.found.len();
    }

    /// Goes to where reading goes on.
    pub(super) fn go_on(&mut self, to: Resumed) {
        self.open.truncate(to.count);
        self.open.go_before_last(to.left);
        let least = |level: &Level| match level.is_keyed() || level.is_at_property() {
            true => 2 * LEAST,
            false => LEAST,
        };
        let around = self.open.iter().take(to.count.saturating_sub(1));
        let around: u64 = around.map(|it| u64::from(it.left().saturating_sub(1)) * least(it)).sum();
        self.promised = around + u64::from(to.left) * least(self.open.innermost());
        (self.inside, self.is_named, self.held) = (None, false, Held::Nothing);
        self.input.set_position(to.at);
        if let Some(damage) = &mut self.damage {
            (damage.granted, damage.is_count) = (None, false);
        }
    }
}
