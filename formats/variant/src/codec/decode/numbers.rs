//! Types that are nothing but numbers.

use std::any::Any;

use super::Reading;
use crate::{Math, NumberSource, Real, RealMath, Variant, VariantType};
use formwork::{Error, Result};
use formwork_records::wire::{Cursor, Element, read_record, with_numbers};

impl Reading<'_, '_> {
    /// Reads a value of a type that is nothing but numbers.
    pub(super) fn numbers<R: Real>(
        &mut self,
        variant_type: VariantType,
        wide: bool,
        start: usize,
    ) -> Result<Variant<R>> {
        let real_wide = self.real_wide(variant_type, wide, start)?;
        let numbers = NumberPacket { reading: self, real_wide, start };
        Variant::from_numbers(variant_type, numbers).unwrap_or(Ok(Variant::Nil))
    }

    /// Passes over a value of a type that is nothing but numbers.
    pub(super) fn pass_numbers<R: Real>(
        &mut self,
        variant_type: VariantType,
        wide: bool,
        start: usize,
    ) -> Result<()> {
        let real_wide = self.real_wide(variant_type, wide, start)?;
        let numbers = PassedNumbers(NumberPacket { reading: self, real_wide, start });
        match Variant::<R>::from_numbers(variant_type, numbers) {
            Ok(Err(passed)) => passed,
            Ok(Ok(_)) | Err(_) => Ok(()),
        }
    }
}

/// Takes a list of elements of this type out of something; [`None`] where it is something else.
fn of_same_type<T: 'static>(elements: &mut dyn Any) -> Option<Vec<T>> {
    elements.downcast_mut::<Vec<T>>().map(std::mem::take)
}

/// The packet of a type that is nothing but numbers, behind its header.
struct NumberPacket<'r, 'a, 'n> {
    reading: &'r mut Reading<'a, 'n>,
    /// Whether real numbers have 64 bits in it.
    real_wide: bool,
    /// Where the packet starts.
    start: usize,
}

impl NumberPacket<'_, '_, '_> {
    /// Makes a value of one in the width of the wire.
    fn in_precision<W: Real, R: Real, T: RealMath<R>>(&mut self, value: T::In<W>) -> Result<T> {
        with_numbers(value, |numbers| self.reading.fits::<W, R>(numbers, self.start))?;
        Ok(T::from_precision(value))
    }

    fn packed_in_precision<W: Real, R: Real, T: RealMath<R>>(mut self) -> Result<Vec<T>> {
        let mut values = self.reading.packed::<T::In<W>>()?;
        // In the width of the wire they are the very same type.
        if let Some(same) = of_same_type(&mut values) {
            return Ok(same);
        }
        values.into_iter().map(|value| self.in_precision::<W, R, T>(value)).collect()
    }
}

/// Passes over the packet of a type that is nothing but numbers: checks what reading it would.
struct PassedNumbers<'r, 'a, 'n>(NumberPacket<'r, 'a, 'n>);

impl PassedNumbers<'_, '_, '_> {
    fn one<W: Real, R: Real, T: RealMath<R>>(mut self) -> Result<()> {
        if !self.0.reading.must_fit::<W, R>() {
            return self.0.reading.pass_record::<T::In<W>>();
        }
        let value = self.0.reading.read::<T::In<W>>()?;
        self.0.in_precision::<W, R, T>(value).map(drop)
    }

    fn many<W: Real, R: Real, T: RealMath<R>>(mut self) -> Result<()> {
        let elements = self.0.reading.pass_packed::<T::In<W>>()?;
        if !self.0.reading.must_fit::<W, R>() {
            return Ok(());
        }
        let mut elements = Cursor::new(elements);
        while elements.left() > 0 {
            let value = read_record::<T::In<W>>(&mut elements)?;
            self.0.in_precision::<W, R, T>(value)?;
        }
        Ok(())
    }
}

/// Nothing is made, so whatever comes of it comes as the error.
impl<R: Real> NumberSource<R> for PassedNumbers<'_, '_, '_> {
    type Error = Result<()>;

    fn real_math<T: RealMath<R>>(self) -> std::result::Result<T, Result<()>> {
        Err(if self.0.real_wide { self.one::<f64, R, T>() } else { self.one::<f32, R, T>() })
    }

    fn math<T: Math>(self) -> std::result::Result<T, Result<()>> {
        Err(self.0.reading.pass_record::<T>())
    }

    fn packed_real_math<T: RealMath<R>>(self) -> std::result::Result<Vec<T>, Result<()>> {
        Err(if self.0.real_wide { self.many::<f64, R, T>() } else { self.many::<f32, R, T>() })
    }

    fn packed<T: Element>(self) -> std::result::Result<Vec<T>, Result<()>> {
        Err(self.0.reading.pass_packed::<T>().map(drop))
    }
}

impl<R: Real> NumberSource<R> for NumberPacket<'_, '_, '_> {
    type Error = Error;

    fn real_math<T: RealMath<R>>(mut self) -> Result<T> {
        if self.real_wide {
            let value = self.reading.read::<T::In<f64>>()?;
            self.in_precision::<f64, R, T>(value)
        } else {
            let value = self.reading.read::<T::In<f32>>()?;
            self.in_precision::<f32, R, T>(value)
        }
    }

    fn math<T: Math>(self) -> Result<T> {
        self.reading.read::<T>()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        if self.real_wide {
            self.packed_in_precision::<f64, R, T>()
        } else {
            self.packed_in_precision::<f32, R, T>()
        }
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        self.reading.packed()
    }
}
