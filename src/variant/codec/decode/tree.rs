//! Whole values: containers put together from the values that they hold.

use super::super::element;
use super::{Packet, Reading};
use crate::error::{Result, Rule};
use crate::variant::codec::rule;
use crate::variant::dialect::Quirks;
use crate::variant::{Making, Real, Variant, VariantType, place};

impl Reading<'_, '_> {
    /// Reads the value that comes next, with all that it holds.
    pub(crate) fn value<R: Real>(&mut self) -> Result<Variant<R>> {
        self.value_in(&mut Vec::new())
    }

    /// Reads the value that comes next. Where that fails, `making` holds the containers that were
    /// open, the outermost first, with what was read of each.
    pub(super) fn value_in<R: Real>(&mut self, making: &mut Vec<Making<R>>) -> Result<Variant<R>> {
        loop {
            let packet = self.packet::<R>()?;
            self.locate_damage(|| place(making));
            match packet {
                Packet::Value(value) => {
                    if let Some(value) = self.hand(value, making)? {
                        return Ok(value);
                    }
                }
                Packet::Open(front, count) => {
                    let keys = Some(self.quirks.same_keys);
                    making.push(Making::new(front, self.room(count), keys));
                }
            }
            self.end_at_cut()?;
            // The innermost container goes on, or is complete now and goes to the one around it.
            while self.open.last().is_some_and(|level| level.left() == 0)
                && let Some(made) = making.pop()
            {
                self.open.pop();
                let value = self.finish(made)?;
                if let Some(value) = self.hand(value, making)? {
                    return Ok(value);
                }
            }
            if let Some(made) = making.last_mut()
                && made.front.variant_type == VariantType::Object
            {
                made.name(self.property_name()?);
                self.locate_damage(|| place(making));
            }
        }
    }

    /// Hands a value to the container around it; gives it back where there is none.
    fn hand<R: Real>(
        &mut self,
        value: Variant<R>,
        making: &mut [Making<R>],
    ) -> Result<Option<Variant<R>>> {
        let Some(container) = making.last_mut() else { return Ok(Some(value)) };
        let bent = take(container, value);
        if let Some(level) = self.open.last_mut() {
            level.advance();
        }
        if let Some(rule) = bent {
            self.warn(rule, self.input.position(), "another one")?;
        }
        Ok(None)
    }

    /// The value of a container that is read to its end.
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

/// Puts a value into a container as the engine does, and says which rule it bends, if one.
#[inline]
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
pub(super) fn place<R: Real>(making: &[Making<R>]) -> String {
    let depth = making.len();
    let shown = making.iter().enumerate().filter(|(at, _)| place::is_shown(*at, depth));
    let steps: Vec<String> = shown.map(|(_, container)| container.step()).collect();
    place::join(&steps, depth)
}
