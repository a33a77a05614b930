//! Differences between files of values, by path.

use std::io::Write;

use formwork::document::{Change, Document, Json};
use formwork_variant::dialect::Precision;
use formwork_variant::edit::{Compare, DifferenceKind, Names};
use formwork_variant::{Real, Variant};

use super::super::changed::Changed;
use super::super::content::{line, one};
use super::super::documents;
use super::super::failure::Failure;
use super::super::packets::Input;
use super::super::style::{Palette, shown};
use super::listing::{Form, counts_line, json};

/// The options of the comparison, and the form of the lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparing {
    pub(super) form: Form,
    pub(super) stat: bool,
    pub(super) tolerance: f64,
    pub(super) palette: Palette,
}

/// Result of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answer {
    /// Whether there are differences.
    pub(super) differs: bool,
    /// Whether only a part of a file was read.
    pub(super) is_partial: bool,
}

/// A file, and its name in messages.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) inside: Inside,
}

/// The content of a file that is compared.
pub(super) enum Inside {
    /// No file: git has none on this side.
    Nothing,
    /// Values of an engine.
    Values(Box<Input>),
    /// A document of any format: the name of the format, and the document.
    Document(&'static str, Box<dyn Document>),
}

impl Comparing {
    /// Compares two files.
    pub(super) fn files(
        &self,
        [old, new]: &[Side; 2],
        out: &mut dyn Write,
    ) -> Result<Answer, Failure> {
        match (&old.inside, &new.inside) {
            (Inside::Values(old_input), Inside::Values(new_input)) => {
                let double = |input: &Input| input.dialect.precision() == Precision::Double;
                if double(old_input) || double(new_input) {
                    return self.inputs::<f64>((&old.name, old_input), (&new.name, new_input), out);
                }
                self.inputs::<f32>((&old.name, old_input), (&new.name, new_input), out)
            }
            (
                Inside::Document(old_format, old_document),
                Inside::Document(new_format, new_document),
            ) => {
                if old_format != new_format {
                    return Err(Failure::usage(format!(
                        "a {old_format} and a {new_format} cannot be compared"
                    )));
                }
                let mut changes = old_document.diff(&**new_document);
                changes.retain(|change| !self.is_near(change));
                let changed: Vec<_> = changes.iter().map(documents::shown_change).collect();
                self.print((&old.name, &new.name), &changed, out);
                Ok(Answer { differs: !changed.is_empty(), is_partial: false })
            }
            (Inside::Nothing, Inside::Nothing) => Ok(Answer::default()),
            (Inside::Nothing, _) => {
                self.whole("added", &new.name, out);
                Ok(Answer { differs: true, is_partial: false })
            }
            (_, Inside::Nothing) => {
                self.whole("removed", &old.name, out);
                Ok(Answer { differs: true, is_partial: false })
            }
            _ => Err(Failure::usage("JSON and a save of an engine's values cannot be compared")
                .hint("to compare the values as JSON: formwork decode both, then formwork diff")),
        }
    }

    /// Returns whether a number changed by no more than the tolerance.
    fn is_near(&self, change: &Change) -> bool {
        let number = |json: &Option<Json>| match json {
            Some(Json::Number(number)) => number.parse::<f64>().ok(),
            _ => None,
        };
        let (before, after) = (number(&change.before), number(&change.after));
        let difference = before.zip(after).map(|(before, after)| (before - after).abs());
        self.tolerance > 0.0 && difference.is_some_and(|it| it <= self.tolerance)
    }

    /// Prints a file without a counterpart.
    fn whole(&self, kind: &str, name: &str, out: &mut dyn Write) {
        if self.form == Form::Json {
            return json(out, &[("kind", kind), ("file", name)], &[]);
        }
        let side = if kind == "removed" { "OLD" } else { "NEW" };
        // The output records a write error itself.
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
        let old_values = old.converted(old_values, dialect);
        let several = old_values.len() != 1 || new_values.len() != 1;
        let (old, new) = (one(old_values, several), one(new_values, several));
        let found = Compare::new().tolerance(self.tolerance).values(&old, &new);
        let mut names = (Names::new(&old, dialect), Names::new(&new, dialect));
        let changed: Vec<_> = found.iter().map(|it| line(it, &mut names, dialect)).collect();
        self.print((old_name, new_name), &changed, out);
        Ok(Answer { differs: !found.is_empty(), is_partial })
    }

    /// Prints the changes, or their number.
    fn print(&self, names: (&str, &str), changed: &[Changed], out: &mut dyn Write) {
        if self.stat {
            self.counts(names.1, changed, out);
        } else {
            self.lines(names, changed, out);
        }
    }

    fn lines(&self, (old, new): (&str, &str), changed: &[Changed], out: &mut dyn Write) {
        if self.form == Form::Json {
            changed.iter().for_each(|changed| changed.json(new).print(out));
            return;
        }
        if changed.is_empty() {
            return;
        }
        let Palette { error, good, note, .. } = self.palette;
        // The output records write errors itself, here and below.
        let _ = writeln!(out, "{error}--- {}{error:#}", shown(old));
        let _ = writeln!(out, "{good}+++ {}{good:#}", shown(new));
        for changed in changed {
            let ink = match changed.kind {
                kind if kind == DifferenceKind::Added.name() => good,
                kind if kind == DifferenceKind::Removed.name() => error,
                _ => note,
            };
            let _ = writeln!(out, "{ink}{}{ink:#}", changed.line());
        }
    }

    /// Prints the number of differences of each kind.
    fn counts(&self, name: &str, changed: &[Changed], out: &mut dyn Write) {
        let kinds = [
            DifferenceKind::Changed,
            DifferenceKind::Added,
            DifferenceKind::Removed,
            DifferenceKind::Moved,
            DifferenceKind::Front,
        ];
        let kinds = kinds.map(DifferenceKind::name);
        let count = |kind| changed.iter().filter(|it| it.kind == kind).count();
        counts_line(out, self.form, name, &kinds.map(|kind| (kind, count(kind))));
    }
}
