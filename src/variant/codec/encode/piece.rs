//! Writing piece by piece, for writers that have no whole value.

use std::ops::Range;

use super::{Writing, count_fits};
use crate::error::{Path, PathSegment, Result};
use crate::variant::packet::{ArrayRecord, ContainerCount, PackedBytes};
use crate::variant::{Level, Real, Variant, VariantType};
use crate::wire::{Nested, word};

/// Where the count of a container stands that is being written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(usize);

impl Writing {
    /// Bytes of the packet so far.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.out.position()
    }

    /// How many containers are open.
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

    /// Writes a value that holds no others and is none that packets are full of.
    fn other_leaf<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
        match self.packet(value)? {
            None => self.advance(),
            // A container was opened, and what it holds comes next.
            Some(_) => self.close(),
        }
        Ok(())
    }

    /// Whether the key of a dictionary comes next.
    #[inline]
    pub(crate) fn is_at_key(&self) -> bool {
        self.open.last().is_some_and(Level::is_at_key)
    }

    /// Writes the front of a container as that of an empty one; its values come next.
    pub(crate) fn open<R: Real>(&mut self, empty: &Variant<R>) -> Result<Count> {
        self.packet(empty)?;
        // Whatever the container is, its count is the last word of its front.
        Ok(Count(self.out.position() - size_of::<ContainerCount>()))
    }

    /// Completes the innermost container: it holds what was written since it was opened.
    pub(crate) fn complete(&mut self, at: Count) -> Result<()> {
        let values = self.open.last().map_or(0, Level::index);
        let count = word!(self.out.since(at.0), ArrayRecord, count: ContainerCount);
        let shared = count.is_some_and(|count| count.shared());
        count_fits(values as usize, at.0)?;
        let record = ArrayRecord {
            count: ContainerCount::from(values).with_shared(shared),
            elements: Nested::HERE,
        };
        self.out.replace(at.0, &record)?;
        self.close();
        Ok(())
    }

    /// Writes a String or StringName.
    #[inline]
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
