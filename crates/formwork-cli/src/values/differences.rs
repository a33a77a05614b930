//! Differences between the values of two files, by path.

use formwork_variant::Real;
use formwork_variant::dialect::Precision;
use formwork_variant::edit::{Compare, Names};

use super::{line, one};
use crate::changed::Changed;
use crate::failure::Failure;
use crate::packets::Input;

impl Input {
    /// Returns the differences to the values of another file, and whether only a part of a file was read. Floats are
    /// equal that differ by at most `tolerance`.
    pub(crate) fn differences(
        &self,
        new: &Self,
        tolerance: f64,
    ) -> Result<(Vec<Changed>, bool), Failure> {
        match [self, new].iter().any(|it| it.dialect.precision() == Precision::Double) {
            true => self.differences_in::<f64>(new, tolerance),
            false => self.differences_in::<f32>(new, tolerance),
        }
    }

    fn differences_in<R: Real>(
        &self,
        new: &Self,
        tolerance: f64,
    ) -> Result<(Vec<Changed>, bool), Failure> {
        let dialect = new.dialect;
        let (old_values, old_is_partial) = self.values_as_the_engine::<R>()?;
        let (new_values, new_is_partial) = new.values_as_the_engine::<R>()?;
        let old_values = self.converted(old_values, dialect);
        let several = old_values.len() != 1 || new_values.len() != 1;
        let (old, new) = (one(old_values, several), one(new_values, several));
        let found = Compare::new().tolerance(tolerance).values(&old, &new);
        let mut names = (Names::new(&old, dialect), Names::new(&new, dialect));
        let changed = found.iter().map(|it| line(it, &mut names, dialect)).collect();
        Ok((changed, old_is_partial || new_is_partial))
    }
}
