//! Headers and numbers.

use super::Reader;
use crate::codec::rule;
use crate::dialect::{FloatWidth, IntWidth, Precision};
use crate::{Real, VariantType};
use formwork::{Error, Result};

impl Reader<'_, '_> {
    /// Reports flags that have no meaning for the type: engines ignore them.
    pub(super) fn header_flags(
        &mut self,
        variant_type: VariantType,
        word: u32,
        start: usize,
    ) -> Result<()> {
        let Some(packet) = self.decoder.dialect.packet(variant_type) else { return Ok(()) };
        match word & packet.header.unused_bits() {
            0 => Ok(()),
            unused => self.warn(rule::HEADER_FLAGS, start, format_args!("0x{unused:08x} set")),
        }
    }

    /// Returns whether the real components of a value of this type are 64 bits wide here.
    #[inline]
    pub(super) fn real_wide(
        &mut self,
        variant_type: VariantType,
        flag: bool,
        start: usize,
    ) -> Result<bool> {
        if !self.quirks.real_flag {
            return Ok(false);
        }
        let double = self.decoder.dialect.precision() == Precision::Double;
        if self.decoder.dialect.lacks_real_flag(variant_type) {
            if flag {
                self.warn(rule::HEADER_FLAGS, start, "the flag that these builds forget")?;
            }
            return Ok(true);
        }
        if flag != double {
            self.warn(rule::REAL_PRECISION, start, if flag { "64 bits" } else { "32 bits" })?;
        }
        Ok(flag)
    }

    /// Reads a bool, whose packet starts at `start`.
    #[inline(always)]
    pub(super) fn bool(&mut self, start: usize) -> Result<bool> {
        let value = self.read::<u32>()?;
        if value > 1 {
            self.warn(rule::BOOL_VALUE, start + 4, value)?;
        }
        Ok(value != 0)
    }

    #[inline(always)]
    pub(super) fn int(&mut self, wide: bool, start: usize) -> Result<i64> {
        let (value, wide) = if wide && !self.quirks.whole_header {
            (self.read::<i64>()?, true)
        } else {
            (i64::from(self.read::<i32>()?), false)
        };
        let canonical = match self.quirks.int_width {
            IntWidth::Narrow => !wide,
            IntWidth::Wide => wide,
            IntWidth::Shortest => wide == i32::try_from(value).is_err(),
        };
        if !canonical {
            self.warn(rule::INT_WIDTH, start, format_args!("{value} in {}", bits(wide)))?;
        }
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn float(&mut self, wide: bool, start: usize) -> Result<f64> {
        let (value, wide) = if wide && !self.quirks.whole_header {
            (self.read::<f64>()?, true)
        } else {
            let single = self.read::<f32>()?;
            let value = f64::from(single);
            // Checked by the bits: a compiler may remove a widening and narrowing as useless.
            let quiet = !single.is_nan() || single.to_bits() & QUIET != 0;
            if !quiet && self.quirks.float_width == FloatWidth::Narrow {
                let found = format_args!("0x{:08x}", single.to_bits());
                self.warn(rule::FLOAT_NAN, start + 4, found)?;
            }
            (value, false)
        };
        let canonical = wide == self.quirks.float_width.is_wide(value);
        if !canonical {
            self.warn(rule::FLOAT_WIDTH, start, format_args!("{value} in {}", bits(wide)))?;
        }
        Ok(value)
    }
}

/// The bit of a 32-bit NaN that makes it a quiet one.
const QUIET: u32 = 1 << 22;

const fn bits(wide: bool) -> &'static str {
    if wide { "64 bits" } else { "32 bits" }
}

/// Refuses components that change in `R`: NaNs that widening makes quiet ones.
pub(super) fn components_widen<W: Real, R: Real>(wire: &[W], offset: u64) -> Result<()> {
    if wire.iter().all(|number| number.fits::<R>()) {
        return Ok(());
    }
    let expected = format!("that {}", rule::FLOAT_NAN.demand());
    Err(Error::new(rule::FLOAT_NAN, offset, expected, "a NaN that changes in 64 bits"))
}

/// Refuses components of a double-precision build that `R` does not hold exactly.
pub(super) fn components_hold<W: Real, R: Real>(wire: &[W], offset: u64) -> Result<()> {
    if wire.iter().all(|number| number.fits::<R>()) {
        return Ok(());
    }
    let expected = "components that 32 bits hold (Variant<f64> holds all)";
    Err(Error::new(rule::REAL_FITS, offset, expected, format!("{wire:?}")))
}
