//! Differences between files of values, path by path.

use std::io::Write;

use formwork_variant::Dialect;
use formwork_variant::convert::Converter;
use formwork_variant::dialect::Precision;
use formwork_variant::edit::{Compare, Difference, DifferenceKind, Names};
use formwork_variant::{Array, Real, Variant};

use super::super::change::Changed;
use super::super::editor::line;
use super::super::failure::Failure;
use super::super::packets::Input;
use super::super::quantity::counted;
use super::super::remark;
use super::super::style::{Palette, shown};
use super::listing::{Form, counts_line, json};

/// How files of values are compared, and what the lines look like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparing {
    pub(super) form: Form,
    pub(super) stat: bool,
    pub(super) tolerance: f64,
    pub(super) palette: Palette,
}

/// What comparing found out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answer {
    /// Whether something differs.
    pub(super) differs: bool,
    /// Whether a file was read only in part.
    pub(super) is_partial: bool,
}

/// A file, and what to call it.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) name: String,
    /// What is in it; nothing where git has no such file.
    pub(super) input: Option<Input>,
}

impl Comparing {
    /// Compares two files.
    pub(super) fn files(
        &self,
        [old, new]: &[Side; 2],
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        match (&old.input, &new.input) {
            (Some(old_input), Some(new_input)) => {
                let double = |input: &Input| input.dialect.precision() == Precision::Double;
                if double(old_input) || double(new_input) {
                    return self.inputs::<f64>((&old.name, old_input), (&new.name, new_input), out);
                }
                self.inputs::<f32>((&old.name, old_input), (&new.name, new_input), out)
            }
            (None, None) => Ok(Answer::default()),
            (old_input, _) => {
                let (kind, name) = match old_input {
                    Some(_) => ("removed", &old.name),
                    None => ("added", &new.name),
                };
                self.whole(kind, name, out);
                Ok(Answer { differs: true, is_partial: false })
            }
        }
    }

    /// A file without a counterpart.
    fn whole(&self, kind: &str, name: &str, out: &mut dyn Write) {
        if self.form == Form::Json {
            return json(out, &[("kind", kind), ("file", name)], &[]);
        }
        let side = if kind == "removed" { "OLD" } else { "NEW" };
        // Why it failed is remembered by the output itself.
        let _ = writeln!(out, "{}: only in {side}", shown(name));
    }

    fn inputs<R: Real>(
        &self,
        (old_name, old): (&str, &Input),
        (new_name, new): (&str, &Input),
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        let mut is_partial = false;
        let mut values = |input: &Input| -> Result<Vec<Variant<R>>, Failure> {
            let (values, passed_over) = input.values_as_the_engine()?;
            is_partial |= passed_over;
            Ok(values)
        };
        let (old_values, new_values) = (values(old)?, values(new)?);
        let dialect = new.dialect;
        let old_values = converted(old_values, old, dialect);
        let several = old_values.len() != 1 || new_values.len() != 1;
        let (old, new) = (one(old_values, several), one(new_values, several));
        let found = Compare::new().tolerance(self.tolerance).values(&old, &new);
        let mut names = (Names::new(&old, dialect), Names::new(&new, dialect));
        let lines: Vec<_> = found.iter().map(|it| (it, line(it, &mut names, dialect))).collect();
        if self.stat {
            self.counts(new_name, &lines, out);
        } else {
            self.lines((old_name, new_name), &lines, out);
        }
        Ok(Answer { differs: !found.is_empty(), is_partial })
    }

    fn lines<R: Real>(
        &self,
        (old, new): (&str, &str),
        lines: &[(&Difference<'_, R>, Changed)],
        out: &mut dyn Write,
    ) {
        if self.form == Form::Json {
            for (_, changed) in lines {
                changed.json(new).print(out);
            }
            return;
        }
        if lines.is_empty() {
            return;
        }
        let Palette { error, good, note, .. } = self.palette;
        // As above, here and below.
        let _ = writeln!(out, "{error}--- {}{error:#}", shown(old));
        let _ = writeln!(out, "{good}+++ {}{good:#}", shown(new));
        for (difference, changed) in lines {
            let ink = match difference.kind {
                DifferenceKind::Added => good,
                DifferenceKind::Removed => error,
                _ => note,
            };
            let _ = writeln!(out, "{ink}{}{ink:#}", changed.line());
        }
    }

    /// Prints how many differences there are of each kind.
    fn counts<R: Real>(
        &self,
        name: &str,
        lines: &[(&Difference<'_, R>, Changed)],
        out: &mut dyn Write,
    ) {
        let kinds = [
            DifferenceKind::Changed,
            DifferenceKind::Added,
            DifferenceKind::Removed,
            DifferenceKind::Moved,
            DifferenceKind::Front,
        ];
        let count = |kind| lines.iter().filter(|(it, _)| it.kind == kind).count();
        let counts = kinds.map(|kind| (kind.name(), count(kind)));
        counts_line(out, self.form, name, &counts);
    }
}

/// Returns several values as one list.
pub(crate) fn one<R: Real>(mut values: Vec<Variant<R>>, several: bool) -> Variant<R> {
    match values.pop() {
        Some(value) if !several => value,
        last => Variant::Array(values.into_iter().chain(last).collect::<Array<R>>()),
    }
}

/// Returns the values of a file as the other file's engine has them.
pub(crate) fn converted<R: Real>(
    values: Vec<Variant<R>>,
    input: &Input,
    to: Dialect,
) -> Vec<Variant<R>> {
    if input.dialect == to {
        return values;
    }
    let converter = Converter::new(input.dialect, to).in_precision::<R>();
    let mut lost = 0;
    let values = values
        .into_iter()
        .map(|value| {
            let made = converter.convert(value);
            lost += made.losses().len();
            made.lossy()
        })
        .collect();
    if lost > 0 {
        remark(&format!(
            "{}: {} of {} written for {to} would lose something; compared as they would become",
            input.source.name,
            counted(lost as u64, "value"),
            input.dialect
        ));
    }
    values
}
