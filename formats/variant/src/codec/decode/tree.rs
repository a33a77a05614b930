//! Whole values: containers put together from the values that they hold.

use super::super::element;
use super::{Holder, Opened, Reading, Receiver, Words, text_value};
use crate::codec::rule;
use crate::dialect::Quirks;
use crate::{KeySet, Making, Real, Variant, VariantType, place};
use formwork::{Result, Rule};

impl Reading<'_, '_> {
    /// Reads the value that comes next, with all that it holds.
    pub(crate) fn value<R: Real>(&mut self) -> Result<Variant<R>> {
        self.nested(BY_RECURSION).map_err(|error| error.under(self.inside()))
    }

    /// Reads the value that comes next, with all that it holds: so many levels of containers by recursion, those in
    /// them without.
    pub(super) fn nested<R: Real>(&mut self, levels: u32) -> Result<Variant<R>> {
        let mut one = One { value: None, opened: None };
        let header = self.header()?;
        self.content(header, &mut one)?;
        self.inside = None;
        match one.opened {
            None => Ok(one.value.unwrap_or(Variant::Nil)),
            Some(opened) => self.contents(opened, levels),
        }
    }

    /// Reads what a container holds that was opened, and closes it.
    fn contents<R: Real>(&mut self, opened: Opened, levels: u32) -> Result<Variant<R>> {
        let Opened { front, count } = opened;
        let (room, keys) = (count as usize, Some(self.quirks.same_keys));
        let is_plain = levels > 0 && !front.says_more();
        let value = if is_plain && front.variant_type == VariantType::Dictionary {
            let pairs = self.fill(KeySet::new(room, keys), 2 * u64::from(count), levels - 1)?;
            Variant::Dictionary(pairs.into_pairs().into())
        } else if is_plain && front.variant_type == VariantType::Array {
            let elements = self.fill(Vec::with_capacity(room), count.into(), levels - 1)?;
            Variant::Array(elements.into())
        } else {
            let innermost = Some(Making::new(front, room, keys));
            let mut tree = Tree { outer: &mut Vec::new(), innermost, whole: None };
            self.whole(&mut tree)?;
            return Ok(tree.whole.unwrap_or(Variant::Nil));
        };
        self.open.pop();
        Ok(value)
    }

    /// Reads so many values into the innermost container.
    fn fill<R: Real, H: Hold<R>>(&mut self, held: H, values: u64, levels: u32) -> Result<H> {
        let mut filling = Filling { held, opened: None };
        for _ in 0..values {
            let header = self.header()?;
            self.content(header, &mut filling)?;
            if let Some(opened) = filling.opened.take() {
                let value = self.contents(opened, levels)?;
                filling.put(self, || value)?;
            }
            if self.position() >= self.tell_at {
                self.tell();
            }
        }
        Ok(filling.held)
    }

    /// Reads the value that comes next, behind damage, too. Where that fails, `making` holds the containers that were
    /// open, the outermost first, with what was read of each.
    pub(super) fn value_in<R: Real>(&mut self, making: &mut Vec<Making<R>>) -> Result<Variant<R>> {
        let mut tree = Tree { outer: making, innermost: None, whole: None };
        let read = self.whole(&mut tree);
        let Tree { outer, innermost, whole } = tree;
        match read {
            Ok(()) => Ok(whole.unwrap_or(Variant::Nil)),
            Err(error) => {
                outer.extend(innermost);
                Err(error)
            }
        }
    }

    /// Reads up to the end of a value.
    fn whole<R: Real>(&mut self, tree: &mut Tree<'_, R>) -> Result<()> {
        while tree.whole.is_none() {
            self.step(tree)?;
            if self.position() >= self.tell_at {
                self.tell();
            }
        }
        Ok(())
    }

    /// The value of a container that is read to its end.
    #[inline]
    fn finish<R: Real>(&mut self, made: Making<R>) -> Result<Variant<R>> {
        let (value, changed) = finish(made, self.quirks);
        if changed {
            let found = "elements of other types";
            self.warn(rule::CONTAINER_ELEMENT, self.input.position(), found)
                .map_err(|error| error.within(value.variant_type().path_name()))?;
        }
        Ok(value)
    }
}

/// How many levels of containers are read by recursion, which takes least time. Deeper ones are read without, so that
/// depth costs no stack.
pub(super) const BY_RECURSION: u32 = 16;

/// Holds values that are read one after another.
trait Hold<R: Real> {
    /// Takes the value that comes next, and makes it where it stays: moving a value takes longer than reading it.
    /// Returns whether it is the value of a key that was there before.
    fn hold(&mut self, make: impl FnOnce() -> Variant<R>) -> bool;
}

impl<R: Real> Hold<R> for Vec<Variant<R>> {
    #[inline(always)]
    fn hold(&mut self, make: impl FnOnce() -> Variant<R>) -> bool {
        self.push(make());
        false
    }
}

impl<R: Real> Hold<R> for KeySet<R> {
    #[inline(always)]
    fn hold(&mut self, make: impl FnOnce() -> Variant<R>) -> bool {
        if self.is_at_value() {
            return self.push_value(make()).is_some();
        }
        self.push_key(make());
        false
    }
}

/// Takes the value that is read first.
struct One<R: Real> {
    value: Option<Variant<R>>,
    /// The container that was opened, which is no value yet.
    opened: Option<Opened>,
}

impl<'a, R: Real> Receiver<'a, R> for One<R> {
    #[inline(always)]
    fn take(&mut self, _: &mut Reading<'a, '_>, value: Variant<R>) -> Result<()> {
        self.value = Some(value);
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, _: &mut Reading<'a, '_>, _: usize, opened: Opened) -> Result<()> {
        self.opened = Some(opened);
        Ok(())
    }
}

/// Takes the values of a container.
struct Filling<H> {
    held: H,
    /// The container that was opened, which is no value yet.
    opened: Option<Opened>,
}

impl<H> Filling<H> {
    #[inline(always)]
    fn put<R: Real>(
        &mut self,
        reading: &mut Reading<'_, '_>,
        make: impl FnOnce() -> Variant<R>,
    ) -> Result<()>
    where
        H: Hold<R>,
    {
        reading.inside = None;
        let again = self.held.hold(make);
        if let Some(level) = reading.open.last_mut() {
            level.advance();
        }
        if again {
            let at = reading.input.position();
            reading.warn(rule::DICTIONARY_KEYS, at, "another one")?;
        }
        Ok(())
    }
}

impl<'a, R: Real, H: Hold<R>> Receiver<'a, R> for Filling<H> {
    #[inline(always)]
    fn take(&mut self, reading: &mut Reading<'a, '_>, value: Variant<R>) -> Result<()> {
        self.put(reading, || value)
    }

    #[inline(always)]
    fn int(&mut self, reading: &mut Reading<'a, '_>, number: i64) -> Result<()> {
        self.put(reading, || Variant::Int(number))
    }

    #[inline(always)]
    fn float(&mut self, reading: &mut Reading<'a, '_>, number: f64) -> Result<()> {
        self.put(reading, || Variant::Float(number))
    }

    #[inline(always)]
    fn text(
        &mut self,
        reading: &mut Reading<'a, '_>,
        variant_type: VariantType,
        text: &'a str,
    ) -> Result<()> {
        self.put(reading, || text_value(variant_type, text.into()))
    }

    #[inline(always)]
    fn open(&mut self, reading: &mut Reading<'a, '_>, _: usize, opened: Opened) -> Result<()> {
        reading.inside = None;
        self.opened = Some(opened);
        Ok(())
    }
}

/// A value in the making.
struct Tree<'m, R: Real> {
    /// The containers around the innermost one that is open, the outermost first.
    outer: &'m mut Vec<Making<R>>,
    /// The innermost one. (Not in the list, so that what is no deeper takes no memory for one.)
    innermost: Option<Making<R>>,
    /// The value, once it is complete.
    whole: Option<Variant<R>>,
}

impl<R: Real> Tree<'_, R> {
    /// Where the value is that comes next.
    fn place(&self) -> String {
        place(self.outer.iter().chain(&self.innermost))
    }

    /// Puts a value into the innermost container.
    fn put(&mut self, reading: &mut Reading<'_, '_>, value: Variant<R>) -> Result<()> {
        let Some(container) = &mut self.innermost else {
            self.whole = Some(value);
            return Ok(());
        };
        let bent = take(container, value);
        if let Some(level) = reading.open.last_mut() {
            level.advance();
        }
        match bent {
            None => Ok(()),
            Some(rule) => reading.warn(rule, reading.input.position(), "another one"),
        }
    }
}

impl<'a, R: Real> Receiver<'a, R> for Tree<'_, R> {
    fn take(&mut self, reading: &mut Reading<'a, '_>, value: Variant<R>) -> Result<()> {
        reading.inside = None;
        reading.locate_damage(|| self.place());
        self.put(reading, value)
    }

    fn open(&mut self, reading: &mut Reading<'a, '_>, _: usize, opened: Opened) -> Result<()> {
        let Opened { front, count } = opened;
        reading.inside = None;
        reading.locate_damage(|| self.place());
        let keys = Some(reading.quirks.same_keys);
        self.outer.extend(self.innermost.take());
        self.innermost = Some(Making::new(front, reading.room(count), keys));
        Ok(())
    }
}

impl<'a, R: Real> Holder<'a, R> for Tree<'_, R> {
    #[inline(always)]
    fn is_inside(&self) -> bool {
        self.innermost.is_some()
    }

    fn name(&mut self, reading: &mut Reading<'a, '_>, name: Words<'a>) {
        if let Some(made) = &mut self.innermost {
            made.name(name.into());
        }
        reading.locate_damage(|| self.place());
    }

    #[inline(always)]
    fn close(&mut self, reading: &mut Reading<'a, '_>) -> Result<()> {
        let Some(made) = std::mem::replace(&mut self.innermost, self.outer.pop()) else {
            return Ok(());
        };
        let value = reading.finish(made)?;
        self.put(reading, value)
    }
}

/// Puts a value into a container as the engine does, and says which rule it bends, if one.
fn take<R: Real>(container: &mut Making<R>, value: Variant<R>) -> Option<Rule> {
    if container.front.first_type().is_none() {
        // Nothing is said about keys: they stay where they are.
        return container.put(value).map(|_| rule::DICTIONARY_KEYS);
    }
    let mut bent = None;
    let has_its_key = container.change_key(|front, key| match front.first_type() {
        Some(wanted) if !element::is_of(wanted, &key) => {
            bent = Some(rule::CONTAINER_ELEMENT);
            element::as_element(wanted, key)
        }
        _ => Some(key),
    });
    if !has_its_key {
        return bent;
    }
    if container.put(value).is_some() {
        bent = Some(rule::DICTIONARY_KEYS);
    }
    bent
}

/// Finishes a container as the engine does, and says whether it holds something else than was read.
fn finish<R: Real>(mut container: Making<R>, quirks: &Quirks) -> (Variant<R>, bool) {
    let variant_type = container.front.variant_type;
    let mut changed = false;
    if variant_type != VariantType::Dictionary
        && let Some(element) = container.front.types[0].take()
    {
        let packed = variant_type == VariantType::PackedTypedArray;
        container.change_elements(|elements| {
            let (elements, others) = element::assign(&element, elements, packed, quirks);
            changed = others;
            elements
        });
        container.front.types[0] = Some(element);
    }
    (container.finish(), changed)
}

/// Puts what was read of a container that broke off into the one around it, from the inside out, and
/// gives the outermost. A key that broke off is no key.
pub(super) fn close<R: Real>(making: Vec<Making<R>>, quirks: &Quirks) -> Option<Variant<R>> {
    let mut closed = None;
    for mut container in making.into_iter().rev() {
        let is_key =
            container.front.variant_type == VariantType::Dictionary && container.key().is_none();
        if let Some(part) = closed.take()
            && !is_key
        {
            take(&mut container, part);
        }
        closed = Some(finish(container, quirks).0);
    }
    closed
}

/// Where the value is that comes next, in the words of whoever stored it: `player/inventory/3`.
pub(super) fn place<'m, R: Real>(making: impl Iterator<Item = &'m Making<R>> + Clone) -> String {
    let depth = making.clone().count();
    let shown = making.enumerate().filter(|(at, _)| place::is_shown(*at, depth));
    let steps: Vec<String> = shown.map(|(_, container)| container.step()).collect();
    place::join(&steps, depth)
}
