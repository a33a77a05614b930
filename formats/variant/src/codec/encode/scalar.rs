//! Headers and numbers.

use super::Writing;
use crate::Real;
use crate::codec::rule;
use crate::dialect::{FloatWidth, IntWidth, Precision};
use crate::packet::{PlainHeader, WideHeader};
use formwork::{Error, Result};

impl Writing {
    #[inline]
    pub(super) fn header(&mut self, id: u8) -> Result<()> {
        self.out.record(&PlainHeader::new().with_type_id(id))
    }

    #[inline]
    pub(super) fn wide_header(&mut self, id: u8, wide: bool) -> Result<()> {
        self.out.record(&WideHeader::new().with_type_id(id).with_flag_64(wide))
    }

    pub(super) fn double(&self) -> bool {
        self.encoder.dialect.precision() == Precision::Double
    }

    /// Refuses components that the precision on the wire, `S`, would change.
    pub(super) fn fits<R: Real, S: Real>(&self, value: &[R]) -> Result<()> {
        components_fit::<R, S>(value, self.out.position() as u64)
    }

    #[inline]
    pub(super) fn int(&mut self, id: u8, value: i64) -> Result<()> {
        let narrow = i32::try_from(value);
        let narrow = match self.quirks.int_width {
            IntWidth::Wide => None,
            IntWidth::Shortest => narrow.ok(),
            IntWidth::Narrow => Some(narrow.map_err(|_| {
                let expected = format!("an int of 32 bits, as {} has", self.encoder.dialect);
                self.refuse(rule::DIALECT_VALUE, expected, value.to_string())
            })?),
        };
        let header = WideHeader::new().with_type_id(id).with_flag_64(narrow.is_none());
        match narrow {
            Some(narrow) => self.out.records(&header, &narrow),
            None => self.out.records(&header, &value),
        }
    }

    #[inline]
    pub(super) fn float(&mut self, id: u8, value: f64) -> Result<()> {
        if self.quirks.float_width == FloatWidth::Narrow && !value.fits::<f32>() {
            self.rounded(value)?;
        }
        let wide = self.quirks.float_width.is_wide(value);
        let header = WideHeader::new().with_type_id(id).with_flag_64(wide);
        if wide {
            self.out.records(&header, &value)
        } else {
            self.out.records(&header, &(value as f32))
        }
    }

    /// Refuses a float that 32 bits do not hold, unless the encoder rounds it.
    #[cold]
    fn rounded(&self, value: f64) -> Result<()> {
        // Rounding makes infinity of a number that is too large.
        if self.encoder.rounding && (value as f32).is_infinite() == value.is_infinite() {
            return Ok(());
        }
        let expected = format!("a number of 32 bits, as {} has", self.encoder.dialect);
        Err(self.refuse(rule::DIALECT_VALUE, expected, value.to_string()))
    }
}

/// Refuses components that the precision `S` would change: single precision rounds, and either makes
/// another NaN of a signalling one.
pub(super) fn components_fit<R: Real, S: Real>(value: &[R], offset: u64) -> Result<()> {
    if R::DOUBLE != S::DOUBLE && !value.iter().all(|number| number.fits::<S>()) {
        let width = if S::DOUBLE { "double" } else { "single" };
        let expected = format!("components that {width} precision holds");
        let found = format!("{value:?}");
        return Err(Error::new(rule::DIALECT_VALUE, offset, expected, found));
    }
    Ok(())
}
