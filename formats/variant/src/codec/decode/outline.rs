//! Reads values without creating them: their types and offsets, with all the checks of creating them.

use super::super::element::{self, Kind};
use super::Reader;
use super::event::{Begin, Event, Leaf};
use super::met::Met;
use super::visit::Part;
use crate::codec::rule;
use crate::{BorrowedKey, ElementType, Front, KeysSoFar, Real, Variant, VariantType};
use formwork::{Result, Rule};

/// Takes values without making any, but for keys that are neither texts nor ints.
pub(super) struct Outline<'a, R: Real> {
    /// The containers that are open, the outermost first.
    containers: Vec<Container<'a>>,
    /// The keys of those that are dictionaries.
    keys: Vec<BorrowedKey<'a, R>>,
    /// A key that is a container, and the number of containers around it. It was read as a whole, and its contents
    /// are passed once more.
    key: Option<(Variant<R>, usize)>,
    /// The name of the property whose value was read last.
    name: Option<&'a str>,
    /// The offset of the value that was read last.
    pub(super) start: usize,
    pub(super) variant_type: VariantType,
    pub(super) event: Event<'a>,
    pub(super) met: Met,
}

/// A container that is open.
struct Container<'a> {
    variant_type: VariantType,
    start: usize,
    /// The name, if the container is a property's value.
    name: Option<&'a str>,
    /// Index of its first key.
    first_key: usize,
    keys: KeysSoFar,
    /// The front, if it has attributes besides the type.
    front: Option<Box<Front>>,
    /// Whether the engine's container differs from the one in the packet.
    changed: bool,
}

impl Container<'_> {
    /// Checks the last key, whose pair is complete. Returns the rule that it breaks, if any.
    #[inline(always)]
    fn settle<R: Real>(&mut self, keys: &mut Vec<BorrowedKey<'_, R>>) -> Option<Rule> {
        let mut bent = None;
        if let Some(wanted) = self.front.as_deref().and_then(Front::first_type)
            && let Some(key) = keys.pop_if(|key| !is_of(wanted, key))
        {
            bent = Some(rule::CONTAINER_ELEMENT);
            match element::as_element(wanted, key.into_variant()) {
                Some(key) => keys.push(BorrowedKey::Made(key)),
                // The engine leaves the pair out.
                None => return bent,
            }
        }
        if self.keys.settle(keys, self.first_key) { bent } else { Some(rule::DICTIONARY_KEYS) }
    }
}

fn is_of<R: Real>(wanted: &ElementType, key: &BorrowedKey<'_, R>) -> bool {
    match key {
        BorrowedKey::Made(key) => element::is_of(wanted, key),
        BorrowedKey::String(_) | BorrowedKey::StringName(_) | BorrowedKey::Int(_) => {
            Kind::Other(key.variant_type()).is_of(wanted)
        }
    }
}

impl<'a, R: Real> Outline<'a, R> {
    pub(super) const fn new() -> Self {
        Self {
            containers: Vec::new(),
            keys: Vec::new(),
            key: None,
            name: None,
            start: 0,
            variant_type: VariantType::Nil,
            event: Event::Leaf(Leaf::Nil),
            met: Met::NOTHING,
        }
    }

    /// Returns the number of open containers.
    pub(super) const fn depth(&self) -> usize {
        self.containers.len()
    }

    /// Goes to the next value, or to the end of a container.
    #[inline(always)]
    pub(super) fn step(&mut self, reader: &mut Reader<'a, '_>) -> Result<()> {
        loop {
            // Keys are compared, so they are created; containers among them are read as a whole, and their contents
            // still come next.
            let wants = !reader.again && !self.containers.is_empty() && reader.is_at_key();
            if wants
                && reader.left() > 0
                && reader.next_type().is_some_and(VariantType::holds_values)
            {
                self.read_whole_key(reader)?;
            }
            self.start = reader.position();
            let event = match self.containers.is_empty() {
                true => reader.first(wants)?,
                false => reader.next(wants)?,
            };
            match event {
                Event::Leaf(leaf) => return self.leaf(reader, leaf),
                Event::Begin(begin) => {
                    self.open(reader, begin);
                    return Ok(());
                }
                Event::Name(name) => self.name = name,
                Event::End => return self.close(reader),
            }
        }
    }

    /// Reads the next key as a whole, and goes back to its start.
    #[cold]
    #[inline(never)]
    fn read_whole_key(&mut self, reader: &mut Reader<'a, '_>) -> Result<()> {
        let (start, promised) = (reader.position(), reader.promised);
        let key = reader.value()?;
        reader.input.set_position(start);
        (reader.promised, reader.again) = (promised, true);
        self.key = Some((key, self.depth()));
        Ok(())
    }

    /// Returns the role of the value that was read last in its container.
    #[inline]
    pub(super) fn part(&self, reader: &Reader<'a, '_>) -> Part<'a> {
        let level = if matches!(self.event, Event::Begin(_)) {
            // The last level is the container's own.
            reader.open.around_last().copied()
        } else {
            // The value is complete.
            reader.open.last().map(|level| level.back())
        };
        let Some(level) = level else { return Part::Whole };
        let index = level.index();
        if level.is_at_key() {
            Part::Key(index)
        } else if level.is_at_value() {
            Part::Value(index)
        } else if level.is_at_property() {
            Part::Property(index, self.name)
        } else {
            Part::Element(index)
        }
    }

    /// Records a value that holds no others.
    #[inline(always)]
    fn leaf(&mut self, reader: &mut Reader<'a, '_>, leaf: Leaf<'a>) -> Result<()> {
        let variant_type = leaf.variant_type();
        self.met.note(variant_type);
        self.variant_type = variant_type;
        self.event = Event::Leaf(leaf);
        let kind = if let Leaf::Bool(false) = leaf {
            Kind::False
        } else if let Leaf::NullObject = leaf {
            Kind::NullObject
        } else if let Leaf::ObjectId(_) = leaf {
            Kind::ObjectId
        } else {
            Kind::Other(variant_type)
        };
        self.complete(reader, kind, |reader| {
            if let Leaf::String(text) = leaf {
                BorrowedKey::String(text.as_bytes())
            } else if let Leaf::StringName(text) = leaf {
                BorrowedKey::StringName(text.as_bytes())
            } else if let Leaf::Int(number) = leaf {
                BorrowedKey::Int(number)
            } else {
                BorrowedKey::Made(reader.value_of(leaf))
            }
        })
    }

    /// Opens a container.
    #[inline(always)]
    fn open(&mut self, reader: &mut Reader<'a, '_>, begin: Begin) {
        let variant_type = begin.variant_type;
        self.met.note(variant_type);
        (self.variant_type, self.event) = (variant_type, Event::Begin(begin));
        let front = reader.front_of(begin);
        self.met.note_front(&front);
        let says_more = front.first_type().is_some() || front.class.is_some();
        self.containers.push(Container {
            variant_type,
            start: self.start,
            name: self.name,
            first_key: self.keys.len(),
            keys: KeysSoFar::new(reader.quirks.same_keys),
            front: says_more.then(|| Box::new(front)),
            changed: false,
        });
    }

    /// Closes the innermost container.
    #[inline(always)]
    fn close(&mut self, reader: &mut Reader<'a, '_>) -> Result<()> {
        let Some(container) = self.containers.pop() else { return Ok(()) };
        let Container { variant_type, start, name, first_key, front, changed, .. } = container;
        self.keys.truncate(first_key);
        if changed {
            let found = "elements of other types";
            reader
                .warn(rule::CONTAINER_ELEMENT, reader.position(), found)
                .map_err(|error| error.within(variant_type.path_name()))?;
        }
        (self.start, self.name) = (start, name);
        (self.variant_type, self.event) = (variant_type, Event::End);
        let class = front.as_ref().and_then(|front| front.class.as_deref());
        let kind = class.map_or(Kind::Other(variant_type), Kind::FullObject);
        // A key that is a container was read as a whole.
        self.complete(reader, kind, |_| BorrowedKey::Made(Variant::Nil))
    }

    /// Adds a complete value to the innermost container: `kind` is its kind as an element of a typed array, `key`
    /// returns it as a key.
    #[inline(always)]
    fn complete(
        &mut self,
        reader: &mut Reader<'a, '_>,
        kind: Kind<'_>,
        key: impl FnOnce(&mut Reader<'a, '_>) -> BorrowedKey<'a, R>,
    ) -> Result<()> {
        let (is_at_key, is_at_value) = (reader.is_at_key(), reader.is_at_value());
        reader.advance();
        if reader.again {
            self.complete_again(reader);
        } else if is_at_key {
            self.keys.push(key(reader));
        } else if let Some(container) = self.containers.last_mut() {
            if is_at_value {
                if let Some(rule) = container.settle(&mut self.keys) {
                    return reader.warn(rule, reader.position(), "another one");
                }
            } else if let Some(element) = container.front.as_deref().and_then(Front::first_type) {
                let packed = container.variant_type == VariantType::PackedTypedArray;
                container.changed |= !kind.stays(element, packed, reader.quirks);
            }
        }
        Ok(())
    }

    /// Completes a value inside a key that was read as a whole, or that key.
    #[cold]
    fn complete_again(&mut self, reader: &mut Reader<'a, '_>) {
        let depth = self.depth();
        if let Some((key, _)) = self.key.take_if(|(_, around)| *around == depth) {
            reader.again = false;
            self.keys.push(BorrowedKey::Made(key));
        }
    }
}
