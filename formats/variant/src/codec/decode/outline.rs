//! Reads values without creating them: their types and offsets, with all the checks of creating them.

use super::Reader;
use super::event::{Begin, Event, Leaf};
use super::met::Met;
use super::visit::Part;
use crate::codec::rule;
use crate::{BorrowedKey, Front, KeysSoFar, Real, Variant, VariantType};
use formwork::Result;

/// Takes values without making any, but for what warnings depend on: keys that are neither texts nor ints, and typed
/// containers.
pub(super) struct Outline<'a, R: Real> {
    /// The containers that are open, the outermost first.
    containers: Vec<Container<'a>>,
    /// The keys of those that are dictionaries.
    keys: Vec<BorrowedKey<'a, R>>,
    /// A value that was read as a whole, and whose contents are passed once more.
    whole: Option<Whole<R>>,
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
}

/// A container that was read as a whole.
struct Whole<R: Real> {
    /// The number of containers around it.
    around: usize,
    /// Its value, if it is a key.
    key: Option<Variant<R>>,
}

impl<'a, R: Real> Outline<'a, R> {
    pub(super) const fn new() -> Self {
        Self {
            containers: Vec::new(),
            keys: Vec::new(),
            whole: None,
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
            let is_key = !reader.again && !self.containers.is_empty() && reader.is_at_key();
            // Keys are compared, so containers among them are read as a whole, and their contents still come next.
            if is_key
                && reader.minds()
                && reader.left() > 0
                && reader.next_type().is_some_and(VariantType::holds_values)
            {
                self.read_whole_key(reader)?;
            }
            self.start = reader.position();
            let event = match self.containers.is_empty() {
                true => reader.first(is_key)?,
                false => reader.next(is_key)?,
            };
            match event {
                Event::Leaf(leaf) => return self.leaf(reader, leaf),
                Event::Begin(begin) => return self.open(reader, begin),
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
        self.whole = Some(Whole { around: self.depth(), key: Some(key) });
        reader.go_back(start, promised);
        Ok(())
    }

    /// Reads the contents of the typed container that was opened last, for the warnings about what the engine makes of
    /// them, and goes back to their start.
    #[cold]
    #[inline(never)]
    fn read_contents(
        &mut self,
        reader: &mut Reader<'a, '_>,
        front: Front,
        count: u32,
    ) -> Result<()> {
        let (start, promised, level) =
            (reader.position(), reader.promised, *reader.open.innermost());
        reader.contents::<R>(front, count)?;
        self.whole = Some(Whole { around: self.depth(), key: None });
        reader.open.push(level);
        reader.go_back(start, promised);
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
        (self.variant_type, self.event) = (variant_type, Event::Leaf(leaf));
        self.complete(reader, leaf)
    }

    /// Opens a container.
    #[inline(always)]
    fn open(&mut self, reader: &mut Reader<'a, '_>, begin: Begin) -> Result<()> {
        let variant_type = begin.variant_type;
        self.met.note(variant_type);
        (self.variant_type, self.event) = (variant_type, Event::Begin(begin));
        if begin.says_more {
            let front = reader.front_of(begin);
            self.met.note_front(&front);
            if front.first_type().is_some() && reader.minds() {
                self.read_contents(reader, front, begin.count)?;
            }
        }
        self.containers.push(Container {
            variant_type,
            start: self.start,
            name: self.name,
            first_key: self.keys.len(),
            keys: KeysSoFar::new(reader.quirks.same_keys),
        });
        Ok(())
    }

    /// Closes the innermost container.
    #[inline(always)]
    fn close(&mut self, reader: &mut Reader<'a, '_>) -> Result<()> {
        let Some(container) = self.containers.pop() else { return Ok(()) };
        self.keys.truncate(container.first_key);
        (self.start, self.name) = (container.start, container.name);
        (self.variant_type, self.event) = (container.variant_type, Event::End);
        // One that is a key and is minded was read as a whole.
        self.complete(reader, Leaf::Nil)
    }

    /// Completes a value in the innermost container; `key` is the value if it is a key.
    #[inline(always)]
    fn complete(&mut self, reader: &mut Reader<'a, '_>, key: Leaf<'a>) -> Result<()> {
        let (is_at_key, is_at_value) = (reader.is_at_key(), reader.is_at_value());
        reader.advance();
        if reader.again {
            let depth = self.depth();
            let Some(whole) = self.whole.take_if(|whole| whole.around == depth) else {
                return Ok(());
            };
            reader.again = false;
            if let Some(key) = whole.key {
                self.keys.push(BorrowedKey::Made(key));
                return Ok(());
            }
        }
        if !reader.minds() {
            return Ok(());
        }
        if is_at_key {
            self.keys.push(borrowed_key(reader, key));
        } else if is_at_value
            && let Some(container) = self.containers.last_mut()
            && !container.keys.settle(&mut self.keys, container.first_key)
        {
            return reader.warn(rule::DICTIONARY_KEYS, reader.position(), "another one");
        }
        Ok(())
    }
}

/// Returns a value that was read as a key.
#[inline(always)]
fn borrowed_key<'a, R: Real>(reader: &mut Reader<'a, '_>, leaf: Leaf<'a>) -> BorrowedKey<'a, R> {
    if let Leaf::String(text) = leaf {
        BorrowedKey::String(text.as_bytes())
    } else if let Leaf::StringName(text) = leaf {
        BorrowedKey::StringName(text.as_bytes())
    } else if let Leaf::Int(number) = leaf {
        BorrowedKey::Int(number)
    } else {
        BorrowedKey::Made(reader.value_of(leaf))
    }
}
