//! Differences between the values of two files, by path.

use formwork_edit::{Compare, Names, differing};
use formwork_variant::dialect::Precision;
use formwork_variant::{Dialect, Real, Strictness, Variant};

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
        if let Some([old, new]) = self.differing::<R>(new) {
            return Ok((changed(&old, &new, tolerance, dialect), false));
        }
        let (old_values, old_is_partial) = self.values_as_the_engine::<R>()?;
        let (new_values, new_is_partial) = new.values_as_the_engine::<R>()?;
        let old_values = self.converted(old_values, dialect);
        let several = old_values.len() != 1 || new_values.len() != 1;
        let (old, new) = (one(old_values, several), one(new_values, several));
        let is_partial = old_is_partial || new_is_partial;
        Ok((changed(&old, &new, tolerance, dialect), is_partial))
    }

    /// Returns the values of two files of one packet each, as far as they differ.
    fn differing<R: Real>(&self, new: &Self) -> Option<[Variant<R>; 2]> {
        let ((_, old_packet), (_, new_packet)) = (self.only_packet()?, new.only_packet()?);
        let is_one_dialect = self.dialect == new.dialect;
        is_one_dialect
            .then(|| differing(old_packet, new_packet, &self.decoder(Strictness::Engine)))?
    }
}

fn changed<R: Real>(
    old: &Variant<R>,
    new: &Variant<R>,
    tolerance: f64,
    dialect: Dialect,
) -> Vec<Changed> {
    let found = Compare::new().tolerance(tolerance).values(old, new);
    let mut names = (Names::new(old, dialect), Names::new(new, dialect));
    found.iter().map(|it| line(it, &mut names, dialect)).collect()
}
