//! Differences as lines.

use std::io::Write;

use formwork_alb1::diff::{ChangeKind, Difference};
use formwork_terrain::project::ProjectFile;

use super::super::changed::ShownValue;
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

    /// Prints a file without a counterpart.
    pub(super) fn whole(&mut self, kind: ChangeKind, file: &ProjectFile) {
        let (name, class) = (&file.name, file.document.class_name(&file.document.root));
        if self.form == Form::Json {
            let members = [("kind", kind.name()), ("file", &**name), ("class", &*class)];
            return json(self.out, &members, &[]);
        }
        let (sign, style) = self.signed(kind);
        let what = if kind == ChangeKind::Removed { "only in OLD" } else { "only in NEW" };
        // The output records a write error itself.
        let _ = writeln!(self.out, "{style}{sign}{sign}{sign} {name}{style:#} ({class}): {what}");
    }

    /// Prints the differences of two files.
    pub(super) fn pair(&mut self, old: &ProjectFile, new: &ProjectFile, found: &[Difference]) {
        if self.form == Form::Json {
            return found.iter().for_each(|difference| self.json_line(new, difference));
        }
        if found.is_empty() {
            return;
        }
        let Palette { name, .. } = self.palette;
        for (kind, file) in [(ChangeKind::Removed, old), (ChangeKind::Added, new)] {
            let (sign, style) = self.signed(kind);
            // The output records write errors itself, here and below.
            let _ = writeln!(self.out, "{style}{sign}{sign}{sign} {}{style:#}", file.name);
        }
        let mut around = None;
        for difference in found {
            let place = difference.place();
            let here = (&place.object, &place.class);
            if around != Some(here) {
                let _ = match (place.object.is_empty(), place.class.is_empty()) {
                    (true, true) => writeln!(self.out, "{name}@@{name:#}"),
                    (true, false) => writeln!(self.out, "{name}@@ ({}){name:#}", place.class),
                    _ => writeln!(self.out, "{name}@@ {} ({}){name:#}", place.object, place.class),
                };
                around = Some(here);
            }
            self.lines(difference);
        }
    }

    /// Prints the number of differences of each kind.
    pub(super) fn counts(&mut self, new: &ProjectFile, found: &[Difference]) {
        let kinds = [
            ChangeKind::Changed,
            ChangeKind::Added,
            ChangeKind::Removed,
            ChangeKind::Moved,
            ChangeKind::TypeChanged,
        ];
        let count = |kind| found.iter().filter(|it| it.kind == kind).count();
        let counts = kinds.map(|kind| (kind.name(), count(kind)));
        counts_line(self.out, self.form, &new.name, &counts);
    }

    fn lines(&mut self, difference: &Difference) {
        let field = &difference.place().field;
        if difference.kind == ChangeKind::Moved {
            let (sign, style) = self.signed(ChangeKind::Moved);
            let _ = match (&difference.before, &difference.after) {
                (Some(from), Some(to)) => {
                    writeln!(self.out, "{style}{sign}{field} {from} -> {to}{style:#}")
                }
                _ => writeln!(self.out, "{style}{sign}{field} moved{style:#}"),
            };
            return;
        }
        let sides =
            [(ChangeKind::Removed, &difference.before), (ChangeKind::Added, &difference.after)];
        for (kind, text) in sides {
            let Some(text) = text else { continue };
            let (sign, style) = self.signed(kind);
            let _ = writeln!(self.out, "{style}{sign}{field} = {text}{style:#}");
        }
    }

    fn signed(&self, kind: ChangeKind) -> (char, Ink) {
        match kind {
            ChangeKind::Removed => ('-', self.palette.error),
            ChangeKind::Added => ('+', self.palette.good),
            _ => ('~', self.palette.note),
        }
    }

    fn json_line(&mut self, file: &ProjectFile, difference: &Difference) {
        let (old, new) = (difference.old.to_string(), difference.new.to_string());
        let mut members = vec![("kind", difference.kind.name()), ("file", &*file.name)];
        members.push(("path", if difference.kind == ChangeKind::Removed { &old } else { &new }));
        if !matches!(difference.kind, ChangeKind::Added | ChangeKind::Removed) && old != new {
            members.push(("old_path", &old));
        }
        members.push(("class", &difference.place().class));
        let value = |words: &Option<String>| {
            words.as_deref().map(|words| ShownValue::of_words(words).json().to_owned())
        };
        let values = [("before", value(&difference.before)), ("after", value(&difference.after))];
        json(self.out, &members, &values);
    }
}

/// Prints the number of differences of each kind on one line.
pub(super) fn counts_line(
    out: &mut dyn Write,
    form: Form,
    name: &str,
    counts: &[(&'static str, usize)],
) {
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    if form == Form::Json {
        let numbers: Vec<_> =
            counts.map(|(kind, count)| (*kind, Some(count.to_string()))).collect();
        return json(out, &[("file", name)], &numbers);
    }
    let counts: Vec<_> = counts.map(|(kind, count)| format!("{count} {kind}")).collect();
    let counts = if counts.is_empty() { "no differences".into() } else { counts.join(", ") };
    // The output records a write error itself.
    let _ = writeln!(out, "{}: {counts}", shown(name));
}

/// Prints an object on one line: strings, and values that are JSON text.
pub(super) fn json(out: &mut dyn Write, texts: &[(&str, &str)], values: &[(&str, Option<String>)]) {
    let line = texts.iter().fold(JsonLine::new(), |line, (name, text)| line.text(name, text));
    let add =
        |line: JsonLine, (name, json): &(&str, Option<String>)| line.json_if(name, json.as_deref());
    values.iter().fold(line, add).print(out);
}
