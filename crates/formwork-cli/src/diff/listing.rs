//! Differences as lines.

use std::io::Write;

use formwork_alb1::diff::ChangeKind;
use formwork_edit::DifferenceKind;

use super::super::changed::{Changed, ShownValue};
use super::super::lines::JsonLine;
use super::super::style::{Palette, shown};
use super::super::terminal::Ink;

/// The form of the lines.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// Text, much like `diff -u`, grouped by object.
    Lines,
    /// A JSON object for each difference.
    Json,
}

/// Prints differences.
pub(super) struct Listing<'o> {
    out: &'o mut dyn Write,
    form: Form,
    palette: Palette,
}

impl<'o> Listing<'o> {
    pub(super) fn new(out: &'o mut dyn Write, form: Form, palette: Palette) -> Self {
        Self { out, form, palette }
    }

    /// Prints a file without a counterpart, with the class of its root if it has one; or a file whose bytes differ.
    pub(super) fn whole(&mut self, kind: ChangeKind, name: &str, class: Option<&str>) {
        if self.form == Form::Json {
            let line = JsonLine::new().text("kind", kind.name()).text("file", name);
            return class.into_iter().fold(line, |line, it| line.text("class", it)).print(self.out);
        }
        let what = match kind {
            ChangeKind::Removed => "only in OLD",
            ChangeKind::Added => "only in NEW",
            _ => "its bytes differ",
        };
        let name = shown(name);
        // The output records write errors itself, here and below.
        let _ = match class {
            None => writeln!(self.out, "{name}: {what}"),
            Some(class) => {
                let (sign, ink) = self.signed(kind.name());
                let name = format!("{ink}{sign}{sign}{sign} {name}{ink:#}");
                writeln!(self.out, "{name} ({class}): {what}")
            }
        };
    }

    /// Prints the differences of two files.
    pub(super) fn pair(&mut self, [old, new]: [&str; 2], found: &[Changed]) {
        if self.form == Form::Json {
            return found.iter().for_each(|changed| changed.json(new).print(self.out));
        }
        if found.is_empty() {
            return;
        }
        let Palette { name, error, good, .. } = self.palette;
        let _ = writeln!(self.out, "{error}--- {}{error:#}", shown(old));
        let _ = writeln!(self.out, "{good}+++ {}{good:#}", shown(new));
        let mut around = None;
        for changed in found {
            let Some(holder) = &changed.holder else {
                let (_, ink) = self.signed(changed.kind);
                let _ = writeln!(self.out, "{ink}{}{ink:#}", changed.line());
                continue;
            };
            let here = (&holder.object, &holder.class);
            if around != Some(here) {
                let blank = if holder.object.is_empty() { "" } else { " " };
                let class = match &*holder.class {
                    "" => String::new(),
                    class => format!(" ({class})"),
                };
                let _ = writeln!(self.out, "{name}@@{blank}{}{class}{name:#}", holder.object);
                around = Some(here);
            }
            self.field(&holder.field, changed);
        }
    }

    /// Prints the number of differences of each kind.
    pub(super) fn counts(&mut self, name: &str, found: &[Changed]) {
        let kinds = [
            ChangeKind::Changed.name(),
            ChangeKind::Added.name(),
            ChangeKind::Removed.name(),
            ChangeKind::Moved.name(),
            ChangeKind::TypeChanged.name(),
            DifferenceKind::Front.name(),
        ];
        let count = |kind: &str| found.iter().filter(|it| it.kind == kind).count();
        let counts = kinds.map(|kind| (kind, count(kind))).into_iter().filter(|it| it.1 > 0);
        if self.form == Form::Json {
            let line = JsonLine::new().text("file", name);
            let add =
                |line: JsonLine, (kind, count): (&str, usize)| line.json(kind, &count.to_string());
            return counts.fold(line, add).print(self.out);
        }
        let counts: Vec<_> = counts.map(|(kind, count)| format!("{count} {kind}")).collect();
        let counts = if counts.is_empty() { "no differences".into() } else { counts.join(", ") };
        let _ = writeln!(self.out, "{}: {counts}", shown(name));
    }

    /// Prints the field of an object on a line for each side.
    fn field(&mut self, field: &str, changed: &Changed) {
        let (sign, ink) = self.signed(changed.kind);
        let text = |value: &Option<ShownValue>| value.as_ref().map(|it| it.text.clone());
        let (before, after) = (text(&changed.before), text(&changed.after));
        if changed.kind == ChangeKind::Moved.name() {
            let _ = match (before, after) {
                (Some(from), Some(to)) => {
                    writeln!(self.out, "{ink}{sign}{field} {from} -> {to}{ink:#}")
                }
                _ => writeln!(self.out, "{ink}{sign}{field} moved{ink:#}"),
            };
            return;
        }
        for (kind, text) in [(ChangeKind::Removed, before), (ChangeKind::Added, after)] {
            let (Some(text), (sign, ink)) = (text, self.signed(kind.name())) else { continue };
            let _ = writeln!(self.out, "{ink}{sign}{field} = {text}{ink:#}");
        }
    }

    fn signed(&self, kind: &str) -> (char, Ink) {
        match kind {
            kind if kind == ChangeKind::Removed.name() => ('-', self.palette.error),
            kind if kind == ChangeKind::Added.name() => ('+', self.palette.good),
            _ => ('~', self.palette.note),
        }
    }
}
