//! Effects of changed values on a save: which bytes stay, and which differ.

mod tally;

use formwork::document::{self, ChangeKind, Document, Mended, MendedKind};

use super::quantity::counted;
use super::style::shown;
use tally::Tally;

/// The differences between new values and the old ones.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Ints that were converted back to floats.
    floats: Tally,
    /// Dictionaries whose order of keys was restored.
    order: Tally,
    /// Values whose type changed.
    types: Tally,
    /// Values that changed.
    changed: Tally,
    /// Number of values that are rewritten because an engine would not write their bytes.
    pub(crate) rewritten: usize,
}

impl Found {
    /// Counts what a text changed in a document.
    pub(crate) fn of_document(document: &dyn Document, replaced: &document::Replaced) -> Self {
        let mut found = Self::default();
        let is_number = |step: &str| !step.is_empty() && step.bytes().all(|it| it.is_ascii_digit());
        let several = document.holds_several();
        let add = |tally: &mut Tally, path: &str, what: &str| {
            let pattern = path.split('/').enumerate().map(|(depth, step)| {
                let is_element = is_number(step) && !(several && depth == 0);
                if is_element { "*" } else { step }
            });
            let pattern = pattern.collect::<Vec<_>>().join("/");
            let named = |name: &str| match name {
                "" => "the value".to_owned(),
                name => short(&shown(name)),
            };
            let pattern = document.has_types().then(|| format!("{}{what}", named(&pattern)));
            tally.add(&format!("{}{what}", named(path)), pattern);
        };
        for Mended { kind, path } in &replaced.mended {
            let tally = match kind {
                MendedKind::Float => &mut found.floats,
                MendedKind::Order => &mut found.order,
            };
            add(tally, path, "");
        }
        for it in &replaced.changes {
            let is_whole = several && is_number(&it.path);
            match it.kind {
                ChangeKind::Added if is_whole => {
                    found.changed.add(&format!("value {} (new)", it.path), None);
                }
                ChangeKind::Removed if is_whole => {
                    found.changed.add(&format!("value {} (gone)", it.path), None);
                }
                kind => add(&mut found.changed, &it.path, words(kind)),
            }
            if let (Some(before), Some(after), true) = (&it.before, &it.after, document.has_types())
            {
                let [before, after] = [before, after].map(|it| document.type_name(it));
                if before != after {
                    add(&mut found.types, &it.path, &format!(": {before} -> {after}"));
                }
            }
        }
        found
    }

    /// Returns the remarks that are printed on separate lines.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.floats.is_empty() {
            remarks.push(format!("kept as float: {}", self.floats));
        }
        if !self.order.is_empty() {
            remarks.push(format!("kept the order of the keys: {}", self.order));
        }
        if !self.types.is_empty() {
            remarks.push(format!("type changed: {}", self.types));
        }
        if self.rewritten > 0 {
            remarks.push(format!(
                "{} had bytes that the engine ignores, such as padding; they are written as zeros now",
                counted(self.rewritten as u64, "value")
            ));
        }
        remarks
    }

    /// Returns the number of values that changed.
    pub(crate) const fn count(&self) -> usize {
        self.changed.total()
    }

    /// Returns the number of changes, in a few words.
    pub(crate) fn summary(&self) -> String {
        match self.changed.total() {
            0 => "nothing changed".to_owned(),
            total => format!("{} changed ({})", counted(total as u64, "value"), self.changed),
        }
    }
}

/// Returns a kind of change as the word after a place.
const fn words(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Removed => " (gone)",
        ChangeKind::Added => " (new)",
        ChangeKind::Moved => " (moved)",
        ChangeKind::TypeChanged => " (types)",
        _ => "",
    }
}

/// Shortens a long name to its two ends, to fit into a sentence.
fn short(name: &str) -> String {
    const END: usize = 60;
    let ends = (name.char_indices().nth(END), name.char_indices().nth_back(END - 1));
    match ends {
        (Some((front, _)), Some((back, _))) if front < back => {
            format!("{}...{}", &name[..front], &name[back..])
        }
        _ => name.to_owned(),
    }
}
