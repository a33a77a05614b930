//! Effects of changed values on a save: which bytes stay, and which differ.

mod tally;

use formwork_variant::Dialect;
use formwork_variant::edit::{Difference, DifferenceKind, Mended, Names, Place, mend};
use formwork_variant::{Real, Variant};

use super::changed::Changed;
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
    /// Mends a new value: other programs write 11.0 as 11, and change the order of keys. `number` is the position of
    /// the value among several.
    pub(crate) fn mend<R: Real>(
        &mut self,
        old: &Variant<R>,
        new: &mut Variant<R>,
        number: Option<usize>,
        dialect: Dialect,
    ) {
        let Mended { floats, in_order } = mend(old, new, dialect);
        let mut names = Names::new(&*new, dialect);
        floats.iter().for_each(|place| add(&mut self.floats, &mut names, place, number, ""));
        in_order.iter().for_each(|place| add(&mut self.order, &mut names, place, number, ""));
    }

    /// Counts a difference between an old and a new value, whose names these are.
    pub(crate) fn difference<R: Real>(
        &mut self,
        it: &Difference<'_, R>,
        (old, new): &mut (Names<'_, R>, Names<'_, R>),
        number: Option<usize>,
        dialect: Dialect,
    ) {
        let changed = &mut self.changed;
        match it.kind {
            DifferenceKind::Removed => return add(changed, old, &it.old, number, " (gone)"),
            DifferenceKind::Added => add(changed, new, &it.new, number, " (new)"),
            DifferenceKind::Moved => add(changed, new, &it.new, number, " (moved)"),
            DifferenceKind::Front => add(changed, new, &it.new, number, " (types)"),
            _ => add(changed, new, &it.new, number, ""),
        }
        let types = (it.before.map(Variant::variant_type), it.after.map(Variant::variant_type));
        if let (Some(before), Some(after)) = types
            && before != after
        {
            let [before, after] = [before, after].map(|it| dialect.type_name(it));
            add(&mut self.types, new, &it.new, number, &format!(": {before} -> {after}"));
        }
    }

    /// Counts changes of a file that no engine wrote.
    pub(crate) fn of(changed: &[Changed]) -> Self {
        let mut found = Self::default();
        for Changed { kind, place, .. } in changed {
            let what = match *kind {
                "removed" => " (gone)",
                "added" => " (new)",
                "moved" => " (moved)",
                _ => "",
            };
            let place = if place.is_empty() { "the value" } else { place };
            found.changed.add(&format!("{}{what}", short(&shown(place))), None);
        }
        found
    }

    /// Counts the values that were added or removed at the end.
    pub(crate) fn length(&mut self, old: usize, new: usize) {
        (old..new).for_each(|number| self.changed.add(&format!("value {number} (new)"), None));
        (new..old).for_each(|number| self.changed.add(&format!("value {number} (gone)"), None));
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

/// Adds a place to a tally, by its name and by what it shares with others.
fn add<R: Real>(
    tally: &mut Tally,
    names: &mut Names<'_, R>,
    place: &Place,
    number: Option<usize>,
    what: &str,
) {
    let named = |name: String| match number {
        None if name.is_empty() => "the value".to_owned(),
        None => short(&shown(name)),
        Some(number) if name.is_empty() => number.to_string(),
        Some(number) => format!("{number}/{}", short(&shown(name))),
    };
    let (name, pattern) = (named(names.name(place)), named(names.pattern(place)));
    tally.add(&format!("{name}{what}"), Some(format!("{pattern}{what}")));
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
