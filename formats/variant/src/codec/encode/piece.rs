//! Writing piece by piece, for writers that have no whole value.

use std::ops::Range;

use super::scalar::components_fit;
use super::text::plain_bytes;
use super::{Writing, count_fits, within_type};
use crate::codec::decode::{Event, RawNumbers, Reader};
use crate::codec::decoder::Decoder;
use crate::dialect::Dialect;
use crate::packet::{ArrayRecord, ContainerCount, PackedBytes, PlainHeader, Text};
use crate::{Container, Level, Limits, Object, Real, Variant, VariantType};
use formwork::{Deferred, Path, PathSegment, Result};
use formwork_records::wire::{put_record, word};

/// The positions of a container that is being written, and of its count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    start: usize,
    count: usize,
}

/// Returns the packet of a String without warnings for any reader or writer.
pub(crate) fn key_packet(dialect: Dialect, text: &str) -> Option<Vec<u8>> {
    let bytes = plain_bytes(text)?;
    let mut packet = Vec::new();
    put_record(
        &PlainHeader::new().with_type_id(dialect.type_id(VariantType::String)?),
        &mut packet,
    );
    put_record(&Text::new(bytes), &mut packet);
    Some(packet)
}

/// Makes the value of these numbers, if the precision `R` holds all of them exactly.
///
/// # Errors
///
/// Returns an error if one of the numbers would be another in `R`.
pub(crate) fn exactly<R: Real>(numbers: RawNumbers<'_>) -> Result<Variant<R>> {
    if numbers.is_real() {
        match numbers.is_wide() {
            true => numbers.values::<f64>(|numbers| components_fit::<f64, R>(numbers, 0)),
            false => numbers.values::<f32>(|numbers| components_fit::<f32, R>(numbers, 0)),
        }?;
    }
    Ok(numbers.value())
}

impl Writing {
    /// Returns the size of the packet so far.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.out.position()
    }

    /// Counts the value that was written as done.
    #[inline]
    fn advance(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.advance();
        }
    }

    /// Closes the innermost container, which is complete.
    #[inline]
    fn close(&mut self) {
        self.open.pop();
        self.advance();
    }

    /// Returns the number of open containers.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The bytes of the packet from one position to another.
    #[inline]
    pub(crate) fn written(&self, range: Range<usize>) -> &[u8] {
        self.out.since(range.start).get(..range.len()).unwrap_or_default()
    }

    /// Writes a value that holds no others.
    #[inline]
    pub(crate) fn leaf<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
        if self.within_depth().is_ok() && self.plain(value) {
            self.advance();
            return Ok(());
        }
        self.other_leaf(value)
    }

    /// Writes a value that holds no others and is not of a frequent type.
    fn other_leaf<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
        match self.packet(value)? {
            None => self.advance(),
            // A container was opened, which has no contents.
            Some(_) => self.close(),
        }
        Ok(())
    }

    /// Returns the number of a type if the next value is no key and not too deep: then no check depends on its
    /// place.
    #[inline]
    fn plain_id(&self, variant_type: VariantType) -> Option<u8> {
        if self.open.len() > self.depth || self.is_at_key() {
            return None;
        }
        self.encoder.dialect.type_id(variant_type)
    }

    /// Writes an int that is no key and has no warnings; returns whether it is one. If not, nothing is written, and
    /// [`Writing::leaf`] must write the value.
    #[inline]
    pub(crate) fn plain_int(&mut self, number: i64) -> bool {
        let id = self.plain_id(VariantType::Int);
        let is_written = id.is_some_and(|id| self.int(id, number).is_ok());
        if is_written {
            self.advance();
        }
        is_written
    }

    /// Writes a float, as [`Writing::plain_int`] writes an int.
    #[inline]
    pub(crate) fn plain_float(&mut self, number: f64) -> bool {
        let id = self.plain_id(VariantType::Float);
        let is_written = id.is_some_and(|id| self.float(id, number).is_ok());
        if is_written {
            self.advance();
        }
        is_written
    }

    /// Writes a math type, or a packed array of numbers or of a math type.
    #[inline]
    pub(crate) fn numbers(&mut self, numbers: RawNumbers<'_>) -> Result<()> {
        let variant_type = numbers.variant_type();
        let is_double = numbers.is_real() && self.double();
        if numbers.is_real() && numbers.is_wide() != is_double {
            return match numbers.is_wide() {
                true => self.other_leaf(&numbers.value::<f64>()),
                false => self.other_leaf(&numbers.value::<f32>()),
            };
        }
        self.within_depth()?;
        let id = self.type_id(variant_type)?;
        let (bytes, count) = numbers.parts();
        match is_double {
            true => self.wide_header(id, !self.encoder.dialect.lacks_real_flag(variant_type))?,
            false => self.header(id)?,
        }
        if let Some(count) = count {
            self.count(count).map_err(|error| within_type(error, variant_type))?;
            self.out.record(&(count as u32))?;
        }
        self.out.block(bytes);
        self.advance();
        Ok(())
    }

    /// Writes a packet of [`key_packet`], padded with zeros, as the next key; returns whether a key may come here.
    /// If not, nothing is written.
    #[inline]
    pub(crate) fn plain_key<const ROOM: usize>(
        &mut self,
        packet: &[u8; ROOM],
        length: usize,
    ) -> bool {
        let may_stand = self.open.len() <= self.depth;
        if may_stand {
            self.out.first_of(packet, length);
            self.advance();
        }
        may_stand
    }

    /// The dialect that is written.
    pub(crate) fn dialect(&self) -> Dialect {
        self.encoder.dialect
    }

    /// Returns the index of the next element, pair or property.
    pub(crate) fn pair(&self) -> u32 {
        self.open.last().map_or(0, Level::index)
    }

    /// Returns whether the key of a dictionary comes next.
    #[inline]
    pub(crate) fn is_at_key(&self) -> bool {
        self.open.last().is_some_and(Level::is_at_key)
    }

    /// Writes the front of a container as that of an empty one; its values come next.
    pub(crate) fn open<R: Real>(&mut self, empty: &Variant<R>) -> Result<Count> {
        let start = self.out.position();
        self.packet(empty)?;
        // In every container, the count is the last word of the front.
        Ok(Count { start, count: self.out.position() - size_of::<ContainerCount>() })
    }

    /// Writes the front of an empty array or dictionary without attributes, as [`Writing::open`] does.
    #[inline]
    pub(crate) fn open_plain(&mut self, variant_type: VariantType) -> Result<Count> {
        self.within_depth()?;
        let start = self.out.position();
        self.header(self.type_id(variant_type)?)?;
        let count = Count { start, count: self.out.position() };
        match variant_type == VariantType::Dictionary {
            true => self.pair_count(0, false)?,
            false => self.element_count(variant_type, 0, false)?,
        }
        Ok(count)
    }

    /// Completes the innermost container, whose contents were written since it was opened. With `check`, its elements or
    /// keys are compared with the types that it declares, and its keys with each other; `check` has the pairs whose
    /// keys are null objects.
    pub(crate) fn complete(&mut self, at: Count, check: Option<&[u32]>) -> Result<()> {
        let values = self.pair();
        let count = word!(self.out.since(at.count), ArrayRecord, count: ContainerCount);
        let shared = count.is_some_and(|count| count.shared());
        count_fits(values as usize, at.count)?;
        let record = ArrayRecord {
            count: ContainerCount::from(values).with_shared(shared),
            elements: Deferred::HERE,
        };
        self.out.replace(at.count, &record)?;
        if let Some(null_objects) = check {
            match self.double() {
                true => self.check_contents::<f64>(at, null_objects),
                false => self.check_contents::<f32>(at, null_objects),
            }?;
        }
        self.close();
        Ok(())
    }

    /// Checks the contents of the innermost container as those of one that is written as a whole. They are read again.
    #[inline(never)]
    fn check_contents<R: Real>(&mut self, at: Count, null_objects: &[u32]) -> Result<()> {
        let limits = Limits::new().depth(u32::MAX).packet_bytes(u64::MAX);
        let decoder = Decoder::new(self.encoder.dialect).allow_objects(true).limits(limits);
        let mut reader = Reader::of(&decoder, self.out.since(at.start));
        let Event::Begin(begin) = reader.next(true)? else { return Ok(()) };
        let front = reader.front_of(begin);
        let (mut values, mut offsets) = (Vec::new(), Vec::new());
        for _ in 0..begin.values() {
            offsets.push(at.start + reader.position());
            values.push(reader.value::<R>()?);
            reader.advance();
        }
        for &pair in null_objects {
            if let Some(key) = values.get_mut(2 * pair as usize) {
                *key = Variant::Object(Object::Null);
            }
        }
        let is_paired = begin.variant_type == VariantType::Dictionary;
        let made = if is_paired {
            let mut values = values.into_iter();
            let pairs = std::iter::from_fn(|| Some((values.next()?, values.next()?)));
            front.around_pairs(pairs.collect())
        } else {
            front.around_elements(values)
        };
        let elements: Vec<_> = match made.container() {
            Some(Container::Dictionary(pairs)) => pairs.iter().map(|(key, _)| key).collect(),
            Some(Container::Array(array)) => array.iter().collect(),
            Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
                typed.elements.iter().collect()
            }
            Some(Container::Object(_)) | None => return Ok(()),
        };
        let offsets = offsets.into_iter().step_by(if is_paired { 2 } else { 1 });
        for (index, (element, offset)) in elements.into_iter().zip(offsets).enumerate() {
            let kept = self.kept(made.container(), element);
            if let (Err(_), Some(level)) = (&kept, self.open.last_mut()) {
                *level = level.behind(index, false);
            }
            kept.map_err(|error| error.nowhere().or_at(offset as u64))?;
        }
        let offset = at.count + size_of::<ContainerCount>();
        match made.container() {
            Some(Container::Dictionary(pairs)) => self.keys_differ(pairs),
            _ => Ok(()),
        }
        .map_err(|error| within_type(error.nowhere().or_at(offset as u64), begin.variant_type))
    }

    /// Writes a text, as [`Writing::plain_int`] writes an int; a key, too.
    #[inline]
    pub(crate) fn plain_string(&mut self, variant_type: VariantType, text: &str) -> bool {
        let id = self.encoder.dialect.type_id(variant_type);
        let (Some(id), Some(bytes), true) = (id, plain_bytes(text), self.open.len() <= self.depth)
        else {
            return false;
        };
        let is_written = self.plain_text(id, bytes);
        self.advance();
        is_written
    }

    /// Writes a String or StringName.
    #[inline(never)]
    pub(crate) fn string(&mut self, variant_type: VariantType, text: &str) -> Result<()> {
        self.within_depth()?;
        let id = self.type_id(variant_type)?;
        self.header(id).and_then(|()| self.utf8(text)).map_err(|error| {
            error.under(Path::from(vec![PathSegment::Field(variant_type.path_name())]))
        })?;
        self.advance();
        Ok(())
    }

    /// Writes a byte array.
    pub(crate) fn byte_array(&mut self, bytes: &[u8]) -> Result<()> {
        self.within_depth()?;
        let variant_type = VariantType::PackedByteArray;
        let id = self.type_id(variant_type)?;
        self.header(id)
            .and_then(|()| self.count(bytes.len()))
            .and_then(|()| self.out.record(&PackedBytes::new(bytes)))
            .map_err(|error| {
                error.under(Path::from(vec![PathSegment::Field(variant_type.path_name())]))
            })?;
        self.advance();
        Ok(())
    }
}
