//! From a value to bytes.

#![deny(clippy::wildcard_enum_match_arm)]

mod container;
mod godot2;
mod output;
#[cfg(feature = "serde")]
mod piece;
mod scalar;
mod text;

use std::borrow::Cow;
use std::slice;

use self::output::Output;
#[cfg(feature = "serde")]
pub(crate) use self::piece::{Count, exactly, key_packet};
pub use self::text::text_bytes;
use super::encoder::Encoder;
use super::keep;
use crate::codec::rule;
use crate::dialect::{NullObject, Quirks};
use crate::packet::{PackedBytes, PlainHeader, Property, SignalRecord, Text};
use crate::{
    Container, ElementType, Level, Math, NumberSink, Object, Payload, Real, RealMath, Variant,
    VariantString, VariantType,
};
use formwork::{Error, Nested, Path, PathSegment, Result, Rule};
use formwork_records::limits::Limits;
use formwork_records::wire::{Element, with_numbers};
use smallvec::SmallVec;

/// Appends the value's packet to `out`, which is left unchanged on an error.
pub(super) fn write<'a, R: Real>(
    encoder: &'a Encoder<R>,
    value: &'a Variant<R>,
    out: &'a mut Vec<u8>,
) -> Result<()> {
    out.reserve(match value.container() {
        Some(container) => container::room(container),
        // A header, a number or a length, and padding.
        None => 32 + value.as_string().map_or(0, |text| text.as_bytes().len()),
    });
    append(encoder, out, |writing| writing.value(value))
}

/// Appends the output of `write` to `out`, which is left unchanged on an error.
pub(crate) fn append<R: Real>(
    encoder: &Encoder<R>,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Writing) -> Result<()>,
) -> Result<()> {
    append_in(encoder, out, &mut Vec::new(), write)
}

/// Appends as [`append`] does. The memory for containers that are open is taken from `levels` and put back.
pub(crate) fn append_in<R: Real>(
    encoder: &Encoder<R>,
    out: &mut Vec<u8>,
    levels: &mut Vec<Level>,
    write: impl FnOnce(&mut Writing) -> Result<()>,
) -> Result<()> {
    let before = out.len();
    let quirks = encoder.dialect.quirks();
    let depth = encoder.depth.or(quirks.depth).unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
    let mut writing = Writing {
        out: Output::behind(std::mem::take(out)),
        encoder: encoder.in_precision(),
        quirks,
        depth: depth as usize,
        open: std::mem::take(levels),
    };
    let written = write(&mut writing).map_err(|error| error.under(crate::path(&writing.open)));
    writing.open.clear();
    *levels = writing.open;
    *out = writing.out.into_bytes();
    if written.is_err() {
        out.truncate(before);
    }
    written
}

/// Writes packet after packet: the level under whole values.
pub(crate) struct Writing {
    out: Output,
    encoder: Encoder,
    quirks: &'static Quirks,
    depth: usize,
    /// The containers around the value being written, the outermost first.
    open: Vec<Level>,
}

impl Writing {
    /// Writes a value, with all that it holds.
    pub(crate) fn value<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
        if !self.is_too_deep() && self.plain(value) {
            return Ok(());
        }
        let Some(container) = self.packet(value)? else { return Ok(()) };
        let mut open = Opened { outer: SmallVec::new(), innermost: Rest::of(container) };
        let around = self.open.len().saturating_sub(1);
        let written = self.contents(&mut open);
        if written.is_err() {
            // The levels are only needed for the path of an error, and the contents know how far they are.
            let rests = open.outer.iter().chain([&open.innermost]);
            for (level, rest) in self.open.iter_mut().skip(around).zip(rests) {
                *level = rest.level(*level);
            }
        }
        written
    }

    /// Writes the contents of the containers that are open, whose fronts are written, and closes them. Depth costs no
    /// stack.
    fn contents<'v, R: Real>(&mut self, open: &mut Opened<'v, R>) -> Result<()> {
        loop {
            let rest = &mut open.innermost;
            let value = match &mut rest.values {
                Values::Elements(elements) => elements.next(),
                Values::Pairs(pairs, value) => match value.take() {
                    Some(value) => {
                        self.one(value, open)?;
                        continue;
                    }
                    None => pairs.next().map(|(key, next)| {
                        *value = Some(next);
                        key
                    }),
                },
                Values::Properties(properties) => match properties.next() {
                    Some((name, value)) => {
                        self.property_name(name)?;
                        Some(value)
                    }
                    None => None,
                },
            };
            let Some(value) = value else {
                self.open.pop();
                match open.outer.pop() {
                    Some(outer) => open.innermost = outer,
                    None => return Ok(()),
                }
                continue;
            };
            if rest.is_typed {
                self.kept(Some(rest.container), value)?;
            }
            self.one(value, open)?;
        }
    }

    /// Writes one of the values in a container; opens it if it is one itself.
    #[inline(always)]
    fn one<'v, R: Real>(&mut self, value: &'v Variant<R>, open: &mut Opened<'v, R>) -> Result<()> {
        if !self.is_too_deep() && self.plain(value) {
            return Ok(());
        }
        if let Some(container) = self.packet(value)? {
            let outer = std::mem::replace(&mut open.innermost, Rest::of(container));
            open.outer.push(outer);
        }
        Ok(())
    }

    /// Refuses an element or key that the engine would not keep unchanged in such a container.
    #[inline]
    fn kept<R: Real>(&self, around: Option<Container<'_, R>>, value: &Variant<R>) -> Result<()> {
        let Some(container) = around else { return Ok(()) };
        let [Some(wanted), _] = container.types() else { return Ok(()) };
        let packed = matches!(container, Container::PackedTypedArray(_));
        if keep::is_kept(wanted, value, packed) {
            return Ok(());
        }
        let found = self.encoder.dialect.type_name(value.variant_type());
        let expected = match wanted {
            ElementType::Builtin(wanted) => {
                format!("a value of the type {}", self.encoder.dialect.type_name(*wanted))
            }
            ElementType::Class(class) => format!("an object of the class {class}, or null"),
            ElementType::Script(path) => format!("an object of the script {path}, or null"),
            ElementType::Unknown(number) => format!("no element, as there is no type {number}"),
        };
        Err(self.refuse(rule::CONTAINER_ELEMENT, expected, found))
    }

    /// Writes the name of a property, whose value comes next.
    pub(crate) fn property_name(&mut self, name: &VariantString) -> Result<()> {
        let name = Text::new(self.text_bytes(name)?);
        self.out.record(&Property { name, value: Nested })
    }

    /// Writes a value of a frequent type without warnings, not too deep; returns whether it is one. If not, nothing
    /// is written, and [`Writing::packet`] must write the value.
    #[inline(always)]
    fn plain<R: Real>(&mut self, value: &Variant<R>) -> bool {
        let dialect = self.encoder.dialect;
        if let Variant::String(text) = value {
            let bytes = text.as_str().and_then(text::plain_bytes);
            let (Some(id), Some(bytes)) = (dialect.type_id(VariantType::String), bytes) else {
                return false;
            };
            return self.plain_text(id, bytes);
        }
        if let Variant::Int(number) = value {
            return dialect
                .type_id(VariantType::Int)
                .is_some_and(|id| self.int(id, *number).is_ok());
        }
        if let Variant::Float(number) = value {
            let id = dialect.type_id(VariantType::Float);
            return id.is_some_and(|id| self.float(id, *number).is_ok());
        }
        false
    }

    /// Writes a text without warnings, with the header of this type.
    #[inline(always)]
    fn plain_text(&mut self, id: u8, bytes: &[u8]) -> bool {
        let header = PlainHeader::new().with_type_id(id);
        // Memory takes a longer one.
        self.out.short_text(&header, bytes)
            || self.header(id).and_then(|()| self.out.record(&Text::new(bytes))).is_ok()
    }

    /// Writes a value's header and payload; for a container, which is returned, only the front.
    #[inline]
    fn packet<'v, R: Real>(&mut self, value: &'v Variant<R>) -> Result<Option<Container<'v, R>>> {
        self.within_depth()?;
        let null_as_nil = self.quirks.null_object == NullObject::Nil;
        let variant_type = if null_as_nil && matches!(value, Variant::Object(Object::Null)) {
            VariantType::Nil
        } else {
            value.variant_type()
        };
        let id = self.type_id(variant_type)?;
        if variant_type == VariantType::Nil {
            return self.header(id).map(|()| None);
        }
        match self.payload(value, id) {
            Ok(container) => Ok(container),
            Err(error) => Err(within_type(error, variant_type)),
        }
    }

    #[inline]
    fn payload<'v, R: Real>(
        &mut self,
        value: &'v Variant<R>,
        id: u8,
    ) -> Result<Option<Container<'v, R>>> {
        match value.payload() {
            Payload::Int(value) => self.int(id, value),
            Payload::Float(value) => self.float(id, value),
            Payload::Object(object) => {
                self.object(id, object)?;
                return Ok(value.container());
            }
            Payload::Dictionary(dictionary) => {
                self.dictionary(id, dictionary)?;
                return Ok(Some(Container::Dictionary(dictionary)));
            }
            Payload::Array(array) => {
                self.array(id, array)?;
                return Ok(Some(Container::Array(array)));
            }
            Payload::TypedArray(typed) | Payload::PackedTypedArray(typed) => {
                self.pandemonium_typed_array(id, value.variant_type(), typed)?;
                return Ok(value.container());
            }
            Payload::Numbers(_) => {
                let flagged = !self.encoder.dialect.lacks_real_flag(value.variant_type());
                match value.give_numbers(NumberPacket { writing: self, id, flagged }) {
                    Some(written) => written,
                    None => Err(self.refuse(
                        rule::DIALECT_VALUE,
                        "a type of numbers",
                        value.variant_type().name(),
                    )),
                }
            }
            Payload::Nil | Payload::Callable => self.header(id),
            Payload::Bool(value) => {
                self.header(id)?;
                self.out.record(&u32::from(value))
            }
            Payload::String(text) | Payload::StringName(text) => {
                self.header(id)?;
                self.text(text)
            }
            Payload::NodePath(path) => {
                self.header(id)?;
                self.node_path(path)
            }
            Payload::Rid(rid) => {
                self.header(id)?;
                self.rid(rid)
            }
            Payload::Signal(signal) => {
                self.header(id)?;
                let name = Text::new(self.text_bytes(&signal.name)?);
                self.out.record(&SignalRecord { name, object_id: signal.object_id })
            }
            Payload::PackedByteArray(bytes) => {
                self.header(id)?;
                self.count(bytes.len())?;
                self.out.record(&PackedBytes::new(bytes))
            }
            Payload::PackedStringArray(texts) => {
                self.header(id)?;
                self.strings(texts)
            }
            Payload::Image(image) => {
                self.header(id)?;
                self.image(image)
            }
            Payload::InputEvent(event) => {
                self.header(id)?;
                self.input_event(event)
            }
        }
        .map(|()| None)
    }

    fn rid(&mut self, rid: u64) -> Result<()> {
        if self.quirks.rid_id {
            return self.out.record(&rid);
        }
        if rid == 0 {
            return Ok(());
        }
        let expected = format!("the empty RID, the only one that {} stores", self.encoder.dialect);
        Err(self.refuse(rule::DIALECT_VALUE, expected, rid.to_string()))
    }

    /// Returns whether the next value has more containers around it than the engine reads.
    #[inline]
    const fn is_too_deep(&self) -> bool {
        self.open.len() > self.depth
    }

    /// Refuses a value with more containers around it than the engine reads.
    #[inline]
    fn within_depth(&self) -> Result<()> {
        if self.is_too_deep() {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(self.refuse(Rule::DEPTH_LIMIT, expected, "one more"));
        }
        Ok(())
    }

    /// The number of a type that the dialect must have.
    #[inline]
    fn type_id(&self, variant_type: VariantType) -> Result<u8> {
        self.encoder.dialect.type_id(variant_type).ok_or_else(|| {
            let expected = format!("a type that {} has", self.encoder.dialect);
            self.refuse(rule::DIALECT_TYPE, expected, variant_type.name())
        })
    }

    /// Refuses a count that a signed 32-bit number cannot hold.
    fn count(&self, count: usize) -> Result<()> {
        count_fits(count, self.out.position())
    }

    #[cold]
    fn refuse(&self, rule: Rule, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::new(rule, self.out.position() as u64, expected, found)
    }
}

#[cold]
fn within_type(error: Error, variant_type: VariantType) -> Error {
    error.under(Path::from(vec![PathSegment::Field(variant_type.path_name())]))
}

fn count_fits(count: usize, position: usize) -> Result<()> {
    match i32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => {
            let expected = "a count of at most 2147483647";
            Err(Error::new(rule::DIALECT_VALUE, position as u64, expected, count.to_string()))
        }
    }
}

/// The containers that are being written.
struct Opened<'v, R: Real> {
    /// The containers around the innermost one, the outermost first.
    outer: SmallVec<[Rest<'v, R>; 4]>,
    innermost: Rest<'v, R>,
}

/// The values of a container that are still to be written.
struct Rest<'v, R: Real> {
    container: Container<'v, R>,
    /// Whether the container declares the type of its elements or keys.
    is_typed: bool,
    values: Values<'v, R>,
}

enum Values<'v, R: Real> {
    Elements(slice::Iter<'v, Variant<R>>),
    /// The pairs, and the value whose key was written last.
    Pairs(slice::Iter<'v, (Variant<R>, Variant<R>)>, Option<&'v Variant<R>>),
    Properties(slice::Iter<'v, (VariantString, Variant<R>)>),
}

impl<'v, R: Real> Rest<'v, R> {
    /// Returns all values of a container.
    #[inline]
    fn of(container: Container<'v, R>) -> Self {
        let values = match container {
            Container::Array(array) => Values::Elements(array.iter()),
            Container::TypedArray(typed) | Container::PackedTypedArray(typed) => {
                Values::Elements(typed.elements.iter())
            }
            Container::Dictionary(pairs) => Values::Pairs(pairs.iter(), None),
            Container::Object(object) => Values::Properties(object.properties.iter()),
        };
        Self { container, is_typed: container.types()[0].is_some(), values }
    }

    /// Returns the level at the value that was given last.
    fn level(&self, start: Level) -> Level {
        let (left, is_value) = match &self.values {
            Values::Elements(elements) => (elements.len(), false),
            Values::Pairs(pairs, value) => (pairs.len(), value.is_none()),
            Values::Properties(properties) => (properties.len(), false),
        };
        start.behind((self.container.len() - left).saturating_sub(1), is_value)
    }
}

/// The target of a packet of a type that consists of numbers only.
struct NumberPacket<'w> {
    writing: &'w mut Writing,
    id: u8,
    /// Whether the header has a flag for real numbers of 64 bits.
    flagged: bool,
}

impl NumberPacket<'_> {
    /// Writes the header of a type of real numbers. Returns whether they have 64 bits.
    fn real_header(&mut self) -> Result<bool> {
        let double = self.writing.double();
        if double {
            self.writing.wide_header(self.id, self.flagged)?;
        } else {
            self.writing.header(self.id)?;
        }
        Ok(double)
    }

    /// Refuses values that the precision on the wire would change.
    fn fit<R: Real, T: RealMath<R>>(&self, values: &[T]) -> Result<()> {
        let fits = |numbers: &[R]| match self.writing.double() {
            true => self.writing.fits::<R, f64>(numbers),
            false => self.writing.fits::<R, f32>(numbers),
        };
        values.iter().try_for_each(|&value| with_numbers(value, fits))
    }
}

impl<R: Real> NumberSink<R> for NumberPacket<'_> {
    type Output = Result<()>;

    fn real_math<T: RealMath<R>>(mut self, value: &T) -> Result<()> {
        self.fit(slice::from_ref(value))?;
        if self.real_header()? {
            self.writing.out.record(&value.to_precision::<f64>())
        } else {
            self.writing.out.record(&value.to_precision::<f32>())
        }
    }

    fn math<T: Math>(self, value: &T) -> Result<()> {
        self.writing.header(self.id)?;
        self.writing.out.record(value)
    }

    fn packed_real_math<T: RealMath<R>>(mut self, values: &[T]) -> Result<()> {
        self.fit(values)?;
        let double = self.real_header()?;
        if double == R::DOUBLE {
            // No conversion is needed.
            return self.writing.packed(Cow::Borrowed(values));
        }
        if double {
            self.writing.packed(values.iter().map(|value| value.to_precision::<f64>()).collect())
        } else {
            self.writing.packed(values.iter().map(|value| value.to_precision::<f32>()).collect())
        }
    }

    fn packed<T: Element>(self, values: &[T]) -> Result<()> {
        self.writing.header(self.id)?;
        self.writing.packed(Cow::Borrowed(values))
    }
}
