//! Builds values from the events of a packet.

use smallvec::SmallVec;

use super::super::keep::{keep, put};
use super::Reader;
use super::event::{Begin, Event, Events};
use crate::codec::rule;
use crate::dialect::Quirks;
use crate::{Front, Making, Real, Variant, VariantType, naming};
use formwork::{Error, Result};

/// The containers that are open while a value is built, which takes no recursion.
struct Builder<R: Real> {
    /// The containers around the innermost one, the outermost first.
    outer: SmallVec<[Making<R>; 4]>,
    innermost: Making<R>,
}

/// Builds the next value of a source, with its contents.
///
/// # Errors
///
/// Returns the error of the source, or that of a value that the decoder's strictness refuses.
#[inline(always)]
pub fn value<'a, 'n, R: Real>(events: &mut impl Events<'a, 'n>) -> Result<Variant<R>> {
    match events.first(true)? {
        Event::Begin(begin) => {
            let mut builder = Builder::begun(events.reader(), begin);
            builder.fill::<false>(events)?;
            events.reader().finish(builder.innermost)
        }
        Event::Leaf(leaf) => {
            let reader = events.reader();
            reader.inside = None;
            Ok(reader.value_of(leaf))
        }
        Event::Name(_) | Event::End => Ok(Variant::Nil),
    }
}

impl Reader<'_, '_> {
    /// Reads the next value, with its contents.
    #[inline(always)]
    pub(crate) fn value<R: Real>(&mut self) -> Result<Variant<R>> {
        value(self)
    }

    /// Reads the next value, also after damage. On an error, `making` gets the open containers, the outermost first,
    /// with the contents of each so far.
    pub(super) fn value_in<R: Real>(&mut self, making: &mut Vec<Making<R>>) -> Result<Variant<R>> {
        match self.first(true)? {
            Event::Begin(begin) => {
                let mut builder = Builder::begun(self, begin);
                self.locate_damage(String::new);
                while let Err(error) = builder.fill::<true>(self) {
                    if builder.goes_on(self, &error) {
                        continue;
                    }
                    making.extend(builder.outer);
                    making.push(builder.innermost);
                    return Err(error);
                }
                self.finish(builder.innermost)
            }
            Event::Leaf(leaf) => {
                self.inside = None;
                self.locate_damage(String::new);
                Ok(self.value_of(leaf))
            }
            Event::Name(_) | Event::End => Ok(Variant::Nil),
        }
    }

    /// Reads the contents of a container that was opened, to its end.
    pub(super) fn contents<R: Real>(&mut self, front: Front, count: u32) -> Result<Variant<R>> {
        let mut builder = Builder { outer: SmallVec::new(), innermost: self.making(front, count) };
        builder.fill::<false>(self)?;
        self.finish(builder.innermost)
    }

    /// Begins to build a container.
    #[inline(always)]
    fn making<R: Real>(&mut self, front: Front, count: u32) -> Making<R> {
        Making::new(front, self.room(count), Some(self.quirks.same_keys))
    }
}

impl<R: Real> Builder<R> {
    /// Begins with the container that was opened last.
    #[inline(always)]
    fn begun(reader: &mut Reader<'_, '_>, begin: Begin) -> Self {
        let front = reader.front_of(begin);
        Self { outer: SmallVec::new(), innermost: reader.making(front, begin.count) }
    }

    /// Reads up to the end of the outermost container, which is the innermost one then. A rescue records where the
    /// damage is.
    #[inline(always)]
    fn fill<'a, 'n, const RESCUE: bool>(&mut self, events: &mut impl Events<'a, 'n>) -> Result<()> {
        loop {
            if RESCUE {
                events.reader().begin_entry()?;
            }
            let event = events.step(true)?;
            let reader = events.reader();
            match event {
                Event::Leaf(leaf) => {
                    if RESCUE {
                        reader.locate_damage(|| self.place());
                    }
                    let value = reader.value_of(leaf);
                    self.put(reader, value)?;
                    if RESCUE {
                        reader.end_at_cut()?;
                    }
                }
                Event::Begin(begin) => {
                    if RESCUE {
                        reader.locate_damage(|| self.place());
                    }
                    let front = reader.front_of(begin);
                    let inner = reader.making(front, begin.count);
                    self.outer.push(std::mem::replace(&mut self.innermost, inner));
                }
                Event::Name(name) => {
                    let name = reader.name_of(name);
                    self.innermost.name(name);
                    if RESCUE {
                        reader.locate_damage(|| self.place());
                    }
                }
                Event::End => match self.outer.pop() {
                    Some(outer) => {
                        let made = std::mem::replace(&mut self.innermost, outer);
                        let value = reader.finish(made)?;
                        self.put(reader, value)?;
                    }
                    None => return Ok(()),
                },
            }
            if reader.position() >= reader.tell_at {
                reader.tell();
            }
        }
    }

    /// Goes on after damage, if reading can go on in a container that is open.
    #[cold]
    fn goes_on(&mut self, reader: &mut Reader<'_, '_>, error: &Error) -> bool {
        let types = self.outer.iter().chain([&self.innermost]).map(Making::entry_type).collect();
        let Some(resumed) = reader.resumed(error, types) else { return reader.bears_count() };
        reader.list_damage(error, self.place(), resumed.at);
        let count = self.outer.len() + 1;
        if count == resumed.count {
            // A key without its value is lost.
            self.innermost.change_key(|_, _| None);
        }
        for _ in resumed.count..count {
            let Some(outer) = self.outer.pop() else { break };
            let is_key =
                outer.front.variant_type == VariantType::Dictionary && outer.key().is_none();
            let made = std::mem::replace(&mut self.innermost, outer);
            let part = keep(made, reader.quirks).0;
            if !is_key {
                put(&mut self.innermost, part);
            }
        }
        reader.go_on(resumed);
        true
    }

    /// Returns the place of the next value.
    fn place(&self) -> String {
        place(self.outer.iter().chain([&self.innermost]))
    }

    /// Puts a value into the innermost container.
    #[inline(always)]
    fn put(&mut self, reader: &mut Reader<'_, '_>, value: Variant<R>) -> Result<()> {
        let broken = put(&mut self.innermost, value);
        reader.advance();
        match broken {
            None => Ok(()),
            Some(rule) => reader.warn(rule, reader.position(), "another one"),
        }
    }
}

impl Reader<'_, '_> {
    /// Returns the value of a container that is read to its end.
    #[inline(always)]
    fn finish<R: Real>(&mut self, made: Making<R>) -> Result<Variant<R>> {
        if made.front.types[0].is_none() {
            return Ok(made.finish());
        }
        let (value, others) = keep(made, self.quirks);
        if others {
            let found = "elements of other types";
            self.warn(rule::CONTAINER_ELEMENT, self.position(), found)
                .map_err(|error| error.within(value.variant_type().path_name()))?;
        }
        Ok(value)
    }
}

/// Closes containers that broke off, from the inside out, and returns the outermost. A key that broke off is left
/// out.
pub(super) fn close<R: Real>(making: Vec<Making<R>>, quirks: &Quirks) -> Option<Variant<R>> {
    let mut closed = None;
    for mut container in making.into_iter().rev() {
        let is_key =
            container.front.variant_type == VariantType::Dictionary && container.key().is_none();
        if let Some(part) = closed.take()
            && !is_key
        {
            put(&mut container, part);
        }
        closed = Some(keep(container, quirks).0);
    }
    closed
}

/// Returns the place of the next value by keys and positions: `player/inventory/3`.
pub(super) fn place<'m, R: Real>(making: impl Iterator<Item = &'m Making<R>> + Clone) -> String {
    let depth = making.clone().count();
    let shown = making.enumerate().filter(|(at, _)| naming::is_shown(*at, depth));
    let steps: Vec<String> = shown.map(|(_, container)| container.step()).collect();
    naming::join(&steps, depth)
}
