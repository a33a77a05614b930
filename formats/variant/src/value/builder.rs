//! Builds containers from their values.

use super::front::Front;
use super::level::{self, Level};
use super::naming::{self, short};
use super::{KeySet, Real, SameKeys, Variant, VariantString, VariantType};
use formwork::Path;

/// A container in the making.
pub struct Making<R: Real> {
    /// The attributes of the container. They may be changed until it is finished, but an array must remain an array.
    pub front: Front,
    held: Held<R>,
}

/// The contents of a container so far.
enum Held<R: Real> {
    Elements(Vec<Variant<R>>),
    Pairs {
        pairs: KeySet<R>,
        /// The number of pairs read, including those that replaced others.
        read: usize,
    },
    Properties {
        properties: Vec<(VariantString, Variant<R>)>,
        /// The name of the property whose value comes next.
        name: VariantString,
    },
}

impl<R: Real> Making<R> {
    /// Begins a container with a capacity for `room` values, pairs or properties. `keys` is the rule by which two
    /// keys of a dictionary are the same; of these the last value is kept. Without it, all pairs are kept.
    #[inline]
    pub fn new(front: Front, room: usize, keys: Option<SameKeys>) -> Self {
        let held = if front.variant_type == VariantType::Dictionary {
            Held::Pairs { pairs: KeySet::new(room, keys), read: 0 }
        } else if front.variant_type == VariantType::Object {
            let name = VariantString::default();
            Held::Properties { properties: Vec::with_capacity(room), name }
        } else {
            Held::Elements(Vec::with_capacity(room))
        };
        Self { front, held }
    }

    /// Takes the next value: an element, a key or the value of one, a property. Returns the earlier key if this is
    /// the value of a repeated one.
    #[inline(always)]
    pub fn put(&mut self, value: Variant<R>) -> Option<&Variant<R>> {
        match &mut self.held {
            Held::Elements(elements) => elements.push(value),
            Held::Pairs { pairs, read } => {
                if !pairs.is_at_value() {
                    pairs.push_key(value);
                    return None;
                }
                *read += 1;
                return pairs.push_value(value);
            }
            Held::Properties { properties, name } => {
                properties.push((std::mem::take(name), value));
            }
        }
        None
    }

    /// Sets the name of the property whose value comes next.
    pub fn name(&mut self, text: VariantString) {
        if let Held::Properties { name, .. } = &mut self.held {
            *name = text;
        }
    }

    /// Returns the key whose value comes next.
    pub fn key(&self) -> Option<&Variant<R>> {
        match &self.held {
            Held::Pairs { pairs, .. } => pairs.key(),
            Held::Elements(_) | Held::Properties { .. } => None,
        }
    }

    /// Returns the type that the values which begin an entry have so far: keys, or elements.
    pub fn entry_type(&self) -> Option<VariantType> {
        match &self.held {
            Held::Pairs { pairs, .. } => pairs.first_key().map(Variant::variant_type),
            Held::Elements(elements) => {
                let last = elements.last()?.variant_type();
                elements.first().map(Variant::variant_type).filter(|first| *first == last)
            }
            Held::Properties { .. } => None,
        }
    }

    /// Changes the key whose value comes next, if there is one. Returns whether there is still a key: if not, the
    /// pair is skipped, and nevertheless counted.
    pub fn change_key(
        &mut self,
        change: impl FnOnce(&Front, Variant<R>) -> Option<Variant<R>>,
    ) -> bool {
        if let Held::Pairs { pairs, read } = &mut self.held
            && let Some(key) = pairs.take_key()
        {
            let Some(key) = change(&self.front, key) else {
                *read += 1;
                return false;
            };
            pairs.push_key(key);
        }
        true
    }

    /// Returns whether a dictionary has the key.
    pub fn has_key(&self, key: &Variant<R>) -> bool {
        matches!(&self.held, Held::Pairs { pairs, .. } if pairs.contains(key))
    }

    /// Makes room for one more value, and for `most` at most: the input may limit the number of values.
    pub fn reserve(&mut self, most: usize) {
        if let Held::Elements(elements) = &mut self.held
            && elements.len() == elements.capacity()
        {
            elements.reserve_exact(elements.len().max(4).min(most));
        }
    }

    /// Returns the elements of an array so far.
    pub fn elements(&self) -> &[Variant<R>] {
        match &self.held {
            Held::Elements(elements) => elements,
            Held::Pairs { .. } | Held::Properties { .. } => &[],
        }
    }

    /// Returns the container.
    #[inline]
    pub fn finish(self) -> Variant<R> {
        match self.held {
            Held::Elements(elements) => self.front.around_elements(elements),
            Held::Pairs { pairs, .. } => self.front.around_pairs(pairs.into_pairs()),
            Held::Properties { properties, .. } => self.front.around_properties(properties),
        }
    }

    /// Returns the progress in the container.
    fn level(&self) -> Level {
        let level = Level::new(self.front.variant_type, 0);
        match &self.held {
            Held::Elements(elements) => level.behind(elements.len(), false),
            Held::Pairs { pairs, read } => level.behind(*read, pairs.is_at_value()),
            Held::Properties { properties, .. } => level.behind(properties.len(), false),
        }
    }

    /// Returns the step of a place that leads to the next value in the container.
    pub fn step(&self) -> String {
        match &self.held {
            Held::Elements(elements) => elements.len().to_string(),
            Held::Pairs { pairs, read } => match pairs.key() {
                Some(key) => naming::step(key, *read),
                None => format!("key [{read}]"),
            },
            Held::Properties { name, .. } => short(name),
        }
    }
}

/// Builds a value from its parts in order, without recursion.
///
/// Each open container has a note of the builder's owner.
pub struct Builder<R: Real, N = ()> {
    /// The containers around the next value, the outermost first.
    open: Vec<(Making<R>, N)>,
}

impl<R: Real, N> Default for Builder<R, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Real, N> Builder<R, N> {
    /// Begins before a value.
    pub const fn new() -> Self {
        Self { open: Vec::new() }
    }

    /// Opens a container: its contents come next.
    pub fn open(&mut self, making: Making<R>, note: N) {
        self.open.push((making, note));
    }

    /// Puts a value into the innermost container; returns the value if there is none.
    pub fn put(&mut self, value: Variant<R>) -> Option<Variant<R>> {
        match self.open.last_mut() {
            Some((making, _)) => {
                making.put(value);
                None
            }
            None => Some(value),
        }
    }

    /// Closes the innermost container, and returns it with its note. It is not put into the one around it,
    /// and not [finished](Making::finish).
    pub fn close(&mut self) -> Option<(Making<R>, N)> {
        self.open.pop()
    }

    /// Returns the innermost container and its note.
    pub fn innermost(&mut self) -> Option<(&mut Making<R>, &mut N)> {
        self.open.last_mut().map(|(making, note)| (making, note))
    }

    /// Iterates over the open containers and their notes, the outermost first.
    pub fn iter(&self) -> impl Iterator<Item = &(Making<R>, N)> {
        self.open.iter()
    }

    /// Returns the number of open containers.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the path of the next value.
    pub fn path(&self) -> Path {
        let levels: Vec<_> = self.open.iter().map(|(making, _)| making.level()).collect();
        level::path(&levels)
    }
}
