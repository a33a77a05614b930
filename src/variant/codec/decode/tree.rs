//! Whole values: containers put together from the values that they hold.

use super::super::element;
use super::{Front, Packet, Reading};
use crate::error::{Result, Rule};
use crate::variant::codec::rule;
use crate::variant::dialect::Rules;
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, KeySet, Object, Real, TypedArray, Variant,
    VariantString, VariantType, place,
};

/// A container whose values are being read.
pub(super) enum Making<R: Real> {
    Array(Made<R>),
    Dictionary { pairs: KeySet<R>, key: Option<Variant<R>>, shared: bool, types: Types },
    Object { object: Box<FullObject<R>>, name: VariantString },
}

/// An array in the making.
pub(super) struct Made<R: Real> {
    variant_type: VariantType,
    elements: Vec<Variant<R>>,
    shared: bool,
    element: Option<ElementType>,
}

/// The types of keys and values.
pub(super) type Types = Option<Box<(Option<ElementType>, Option<ElementType>)>>;

impl<R: Real> Making<R> {
    /// A container with room for so many values, pairs or properties as its front announces, or for
    /// none as yet where that is not to be believed.
    fn new(front: Front, rules: &Rules, mut room: impl FnMut(u32) -> usize) -> Self {
        match front {
            Front::Array { variant_type, count, shared, element } => {
                let elements = Vec::with_capacity(room(count));
                let element = element.map(|element| *element);
                Self::Array(Made { variant_type, elements, shared, element })
            }
            Front::Dictionary { count, shared, types } => {
                let pairs = KeySet::with_capacity(room(count), rules.same_keys);
                Self::Dictionary { pairs, key: None, shared, types }
            }
            Front::Object { class, count } => {
                let properties = Vec::with_capacity(room(count));
                let object = Box::new(FullObject { class, properties });
                Self::Object { object, name: VariantString::default() }
            }
        }
    }

    /// Takes the value that was read, and says which rule it bends, if one.
    fn take(&mut self, value: Variant<R>) -> Option<Rule> {
        match self {
            Self::Array(made) => {
                made.elements.push(value);
                None
            }
            Self::Dictionary { pairs, key, types, .. } => {
                let Some(key) = key.take() else {
                    *key = Some(value);
                    return None;
                };
                let key_type = types.as_ref().and_then(|types| types.0.as_ref());
                element::insert_pair(pairs, key, value, key_type)
            }
            Self::Object { object, name } => {
                object.properties.push((std::mem::take(name), value));
                None
            }
        }
    }

    /// What comes next in it, as a step of a place.
    fn step(&self) -> String {
        match self {
            Self::Array(made) => made.elements.len().to_string(),
            Self::Dictionary { pairs, key: Some(key), .. } => place::step(key, pairs.len()),
            Self::Dictionary { pairs, key: None, .. } => format!("key [{}]", pairs.len()),
            Self::Object { name, .. } => place::short(name),
        }
    }

    /// The value, when all is read, and whether it holds just what was read.
    fn finish(self, rules: &Rules) -> (Variant<R>, bool) {
        match self {
            Self::Array(made) => made.finish(rules),
            Self::Dictionary { pairs, shared, types, .. } => {
                let mut dictionary = Dictionary::from(pairs.into_pairs());
                dictionary.set_shared(shared);
                if let Some(types) = types {
                    dictionary.set_types(types.0, types.1);
                }
                (Variant::Dictionary(dictionary), true)
            }
            Self::Object { object, .. } => (Variant::Object(Object::Full(object)), true),
        }
    }
}

impl<R: Real> Made<R> {
    fn finish(self, rules: &Rules) -> (Variant<R>, bool) {
        let Some(element) = self.element else {
            let mut array = Array::from(self.elements);
            array.set_shared(self.shared);
            return (Variant::Array(array), true);
        };
        let packed = self.variant_type == VariantType::PackedTypedArray;
        let (elements, changed) = element::assign(&element, self.elements, packed, rules);
        let mut elements = Array::from(elements);
        let value = match self.variant_type {
            VariantType::TypedArray => {
                Variant::TypedArray(Box::new(TypedArray { element, elements }))
            }
            VariantType::PackedTypedArray => {
                Variant::PackedTypedArray(Box::new(TypedArray { element, elements }))
            }
            _ => {
                elements.set_element_type(Some(element));
                Variant::Array(elements)
            }
        };
        (value, !changed)
    }
}

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
                Packet::Open(front) => {
                    let rules = self.rules;
                    let made = Making::new(front, rules, |count| self.room(count));
                    making.push(made);
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
            if let Some(Making::Object { name, .. }) = making.last_mut() {
                *name = self.property_name()?;
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
        let bent = container.take(value);
        if let Some(level) = self.open.last_mut() {
            level.advance();
        }
        if let Some(rule) = bent {
            self.deviate(rule, self.input.position(), "another one")?;
        }
        Ok(None)
    }

    /// The value of a container that is read to its end.
    fn finish<R: Real>(&mut self, made: Making<R>) -> Result<Variant<R>> {
        let (value, as_read) = made.finish(self.rules);
        if !as_read {
            let found = "elements of other types";
            self.deviate(rule::CONTAINER_ELEMENT, self.input.position(), found)
                .map_err(|error| error.within(value.variant_type().path_name()))?;
        }
        Ok(value)
    }
}

/// Puts what was read of a container that broke off into the one around it, from the inside out, and
/// gives the outermost. A key that broke off is no key.
pub(super) fn close<R: Real>(making: Vec<Making<R>>, rules: &Rules) -> Option<Variant<R>> {
    let mut closed = None;
    for mut container in making.into_iter().rev() {
        let is_key = matches!(container, Making::Dictionary { key: None, .. });
        if let Some(part) = closed.take()
            && !is_key
        {
            container.take(part);
        }
        closed = Some(container.finish(rules).0);
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
