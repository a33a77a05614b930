//! Values that are read and not made: what they are, where they stand, and all that making them would check.

use super::super::element::{self, Kind};
use super::met::Met;
use super::tree::BY_RECURSION;
use super::visit::{Content, Part};
use super::{Header, Holder, Opened, Reading, Receiver, Words};
use crate::codec::rule;
use crate::dialect::Quirks;
use crate::{BorrowedKey, ElementType, Front, KeysSoFar, Real, Variant, VariantType};
use formwork::{Result, Rule};

/// Takes values without making any, but for keys that are neither texts nor ints.
pub(super) struct Outline<'a, R: Real> {
    /// The containers that are open, the outermost first.
    containers: Vec<Container<'a>>,
    /// The keys of those that are dictionaries.
    keys: Vec<BorrowedKey<'a, R>>,
    /// A key that is a container, and how many containers are around it. It was read as a whole, and what is
    /// in it is passed over once more.
    key: Option<(Variant<R>, usize)>,
    /// The name of the property whose value came last.
    name: Option<&'a str>,
    /// Where the value starts that comes next, and where the one started that was read last.
    pub(super) start: usize,
    pub(super) variant_type: VariantType,
    /// A text is in [`text`](Self::text) alone.
    pub(super) content: Content<'a>,
    /// The text that was read last, in UTF-8.
    pub(super) text: &'a [u8],
    pub(super) met: Met,
}

/// A container that is open.
struct Container<'a> {
    variant_type: VariantType,
    start: usize,
    /// Its name, where it is a property's value.
    name: Option<&'a str>,
    /// Where its keys start.
    first_key: usize,
    keys: KeysSoFar,
    /// Its front, where that says more than the type.
    front: Option<Box<Front>>,
    /// Whether the engine's container holds something else than what was read.
    changed: bool,
}

impl Container<'_> {
    /// Looks at the key of a pair that is complete, the last one. Returns which rule it bends, if one.
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
            content: Content::Nil,
            text: &[],
            met: Met::NOTHING,
        }
    }

    /// How many containers are open.
    pub(super) const fn depth(&self) -> usize {
        self.containers.len()
    }

    /// Reads a key that is a container as a whole: it begins at a header that was read, before which so much was
    /// `promised`. What it holds comes next all the same.
    #[cold]
    #[inline(never)]
    fn read_whole_key(
        &mut self,
        reading: &mut Reading<'a, '_>,
        start: usize,
        promised: u64,
    ) -> Result<()> {
        let (next, left) = (reading.input.position(), reading.promised);
        reading.input.set_position(start);
        reading.promised = promised;
        let key = reading.nested(BY_RECURSION)?;
        reading.input.set_position(next);
        (reading.promised, reading.again) = (left, true);
        self.key = Some((key, self.depth()));
        Ok(())
    }

    /// What the value that was read last is to the container that it stands in.
    #[inline]
    pub(super) fn part(&self, reading: &Reading<'a, '_>) -> Part<'a> {
        let level = if matches!(self.content, Content::Open(_)) {
            // Its own level is the last one.
            reading.open.around_last().copied()
        } else {
            // It is done.
            reading.open.last().map(|level| level.back())
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

    /// Takes note of a value that holds no others.
    #[inline(always)]
    fn leaf(&mut self, reading: &mut Reading<'a, '_>, what: VariantType, content: Content<'a>) {
        reading.inside = None;
        (self.variant_type, self.content) = (what, content);
    }

    /// A value is complete, and becomes part of the innermost container. `stays` says whether a typed array keeps
    /// it, `key` what it is as a key.
    #[inline(always)]
    fn complete(
        &mut self,
        reading: &mut Reading<'a, '_>,
        stays: impl FnOnce(&ElementType, bool, &Quirks) -> bool,
        key: impl FnOnce() -> BorrowedKey<'a, R>,
    ) -> Result<()> {
        let Some(level) = reading.open.last_mut() else { return Ok(()) };
        let (is_at_key, is_at_value) = (level.is_at_key(), level.is_at_value());
        level.advance();
        if reading.again {
            self.complete_again(reading);
        } else if is_at_key {
            self.keys.push(key());
        } else if let Some(container) = self.containers.last_mut() {
            if is_at_value {
                if let Some(rule) = container.settle(&mut self.keys) {
                    return reading.warn(rule, reading.input.position(), "another one");
                }
            } else if let Some(element) = container.front.as_deref().and_then(Front::first_type) {
                let packed = container.variant_type == VariantType::PackedTypedArray;
                container.changed |= !stays(element, packed, reading.quirks);
            }
        }
        Ok(())
    }

    /// A value in a key that was read as a whole is complete, or that key.
    #[cold]
    fn complete_again(&mut self, reading: &mut Reading<'a, '_>) {
        let depth = self.depth();
        if let Some((key, _)) = self.key.take_if(|(_, around)| *around == depth) {
            reading.again = false;
            self.keys.push(BorrowedKey::Made(key));
        }
    }

    /// Takes a value of which nothing is asked but its type.
    #[inline(always)]
    fn complete_as(
        &mut self,
        reading: &mut Reading<'a, '_>,
        kind: Kind<'_>,
        key: impl FnOnce() -> BorrowedKey<'a, R>,
    ) -> Result<()> {
        self.complete(reading, |element, packed, quirks| kind.stays(element, packed, quirks), key)
    }
}

impl<'a, R: Real> Receiver<'a, R> for Outline<'a, R> {
    /// Keys must be compared.
    #[inline]
    fn wants(&self, reading: &Reading<'a, '_>) -> bool {
        !reading.again
            && !self.containers.is_empty()
            && reading.open.last().is_some_and(|level| level.is_at_key())
    }

    #[inline(always)]
    fn open(&mut self, reading: &mut Reading<'a, '_>, start: usize, opened: Opened) -> Result<()> {
        let Opened { front, count } = opened;
        reading.inside = None;
        (self.variant_type, self.content) = (front.variant_type, Content::Open(count));
        self.met.note_front(&front);
        let says_more = front.first_type().is_some() || front.class.is_some();
        self.containers.push(Container {
            variant_type: front.variant_type,
            start,
            name: self.name,
            first_key: self.keys.len(),
            keys: KeysSoFar::new(reading.quirks.same_keys),
            front: says_more.then(|| Box::new(front)),
            changed: false,
        });
        Ok(())
    }

    fn take(&mut self, reading: &mut Reading<'a, '_>, value: Variant<R>) -> Result<()> {
        let content = match (value.variant_type(), value.as_bool()) {
            (VariantType::Nil, _) => Content::Nil,
            (_, Some(value)) => Content::Bool(value),
            (_, None) => Content::Other,
        };
        self.leaf(reading, value.variant_type(), content);
        let value = std::cell::Cell::new(value);
        let stays = |element: &ElementType, packed, quirks: &Quirks| {
            let value = value.take();
            element::stays(element, &value, packed, quirks)
        };
        self.complete(reading, stays, || BorrowedKey::Made(value.take()))
    }

    #[inline(always)]
    fn int(&mut self, reading: &mut Reading<'a, '_>, number: i64) -> Result<()> {
        self.leaf(reading, VariantType::Int, Content::Int(number));
        self.complete_as(reading, Kind::Other(VariantType::Int), || BorrowedKey::Int(number))
    }

    #[inline(always)]
    fn float(&mut self, reading: &mut Reading<'a, '_>, number: f64) -> Result<()> {
        self.leaf(reading, VariantType::Float, Content::Float(number));
        self.complete_as(reading, Kind::Other(VariantType::Float), || {
            BorrowedKey::Made(Variant::Float(number))
        })
    }

    #[inline(always)]
    fn letters(
        &mut self,
        reading: &mut Reading<'a, '_>,
        variant_type: VariantType,
        letters: &'a [u8],
    ) -> Result<()> {
        self.leaf(reading, variant_type, Content::Text(""));
        self.text = letters;
        self.complete_as(reading, Kind::Other(variant_type), || {
            if variant_type == VariantType::StringName {
                BorrowedKey::StringName(letters)
            } else {
                BorrowedKey::String(letters)
            }
        })
    }

    fn text(
        &mut self,
        reading: &mut Reading<'a, '_>,
        variant_type: VariantType,
        text: &'a str,
    ) -> Result<()> {
        self.letters(reading, variant_type, text.as_bytes())
    }

    fn pass(
        &mut self,
        reading: &mut Reading<'a, '_>,
        variant_type: VariantType,
        bytes: Option<&'a [u8]>,
    ) -> Result<()> {
        self.leaf(reading, variant_type, bytes.map_or(Content::Other, Content::Bytes));
        // What is a key is wanted.
        self.complete_as(reading, Kind::Other(variant_type), || BorrowedKey::Made(Variant::Nil))
    }
}

impl<'a, R: Real> Holder<'a, R> for Outline<'a, R> {
    #[inline(always)]
    fn is_inside(&self) -> bool {
        !self.containers.is_empty()
    }

    fn name(&mut self, _: &mut Reading<'a, '_>, name: Words<'a>) {
        self.name = match name {
            Words::Plain(name) => Some(name),
            Words::Decoded(_) => None,
        };
    }

    #[inline(always)]
    fn begin(
        &mut self,
        reading: &mut Reading<'a, '_>,
        header: Header,
        promised: u64,
    ) -> Result<()> {
        self.start = header.start;
        self.met.note(header.variant_type);
        let is_container = matches!(
            header.variant_type,
            VariantType::Dictionary
                | VariantType::Array
                | VariantType::TypedArray
                | VariantType::PackedTypedArray
                | VariantType::Object
        );
        if is_container && self.wants(reading) {
            return self.read_whole_key(reading, header.start, promised);
        }
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, reading: &mut Reading<'a, '_>) -> Result<()> {
        let Some(container) = self.containers.pop() else { return Ok(()) };
        let Container { variant_type, start, name, first_key, front, changed, .. } = container;
        self.keys.truncate(first_key);
        if changed {
            let found = "elements of other types";
            reading
                .warn(rule::CONTAINER_ELEMENT, reading.input.position(), found)
                .map_err(|error| error.within(variant_type.path_name()))?;
        }
        (self.start, self.name) = (start, name);
        (self.variant_type, self.content) = (variant_type, Content::Close);
        let class = front.as_ref().and_then(|front| front.class.as_deref());
        let kind = class.map_or(Kind::Other(variant_type), Kind::FullObject);
        // A key that is a container was read as a whole.
        self.complete_as(reading, kind, || BorrowedKey::Made(Variant::Nil))
    }
}
