//! `info` of values of an engine.

use std::collections::BTreeMap;

use formwork_variant::{Error, Object, Strictness, Variant};

use super::only_a_number;
use crate::census::Census;
use crate::findings::{Deviation, Findings};
use crate::format::by_precision;
use crate::lines::Finding;
use crate::packets::Input;
use crate::report::{Entry, Report};

impl Report {
    /// Adds the facts about the values.
    pub(super) fn values(&mut self, input: &Input) {
        let census = Census::of(input);
        let outermost = census.outermost.iter().map(|name| (*name).to_owned()).collect();
        self.add_for_programs("value_count", Entry::Number(census.values, ""));
        self.add("values", Entry::Values(census.values, outermost));
        if let Some(settings) = census.settings {
            self.add("settings", Entry::Amount(settings, "name"));
        }
        if census.values > 0 {
            let types = census.by_count();
            let types = types.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
            self.add("types", Entry::Counts(types));
            self.add("nesting", Entry::Amount(census.deepest as u64, "container level"));
        }
        if census.values == 1
            && census.settings.is_none()
            && let Some(number) = number_of_object(input)
        {
            self.add("object", Entry::line(only_a_number(number)));
        }
        let (mut findings, mut checked) = (Findings::none(census.values), Ok(()));
        if !census.is_canonical {
            findings = Findings::default();
            checked = by_precision!(input.dialect, R => findings.check::<R>(input));
        }
        let whole = checked.is_ok();
        self.find(findings.deviations.iter().map(Deviation::finding));
        if let more @ 1.. = findings.total() - findings.deviations.len() as u64 {
            self.add_for_programs("more_count", Entry::Number(more, ""));
        }
        self.find(census.faults.iter().map(Finding::damage));
        if let (Err(error), []) = (&checked, &census.faults[..]) {
            self.find([Finding::damage(error)]);
        }
        let faults = faults(checked.err(), &census.faults);
        if findings.values > 0 {
            self.add("form", form(&findings, whole));
        }
        if !findings.deviations.is_empty() {
            self.add_for_people("warnings", Entry::Lines(warnings(&findings)));
        }
        let located = !findings.deviations.is_empty() || !faults.is_empty();
        if !faults.is_empty() {
            self.add_for_people("faults", Entry::Lines(faults));
        }
        if located && !input.source.layers().is_empty() {
            self.add_for_people("offsets", Entry::line("count in the unpacked content"));
        }
        if let length @ 1.. = input.source.file.behind().len() {
            self.add("behind", Entry::Amount(length as u64, "byte"));
        }
        if census.unread > 0 {
            self.add("unread", Entry::Amount(census.unread, "byte"));
        }
    }
}

/// Returns the id of the object that a file with one value has instead of the object.
fn number_of_object(input: &Input) -> Option<u64> {
    /// Maximum number of bytes of such a packet, with its length.
    const LONGEST: usize = 16;
    if input.source.content().len() > LONGEST {
        return None;
    }
    let values = by_precision!(input.dialect, R => {
        let read = input.values::<R>(Strictness::Engine).ok()?;
        read.values.iter().map(|value| {
            if let Variant::Object(Object::Id(number)) = value { Some(*number) } else { None }
        }).collect::<Option<Vec<_>>>()
    });
    match values.as_deref() {
        Some([number]) => Some(*number),
        _ => None,
    }
}

/// Compares the bytes with those that the engine would write.
fn form(findings: &Findings, whole: bool) -> Entry {
    let (name, words) = match (findings.deviations.is_empty(), findings.unset_padding) {
        (false, _) => ("deviating", "the engine reads it, but would write it differently"),
        (true, true) => ("padding", "as the engine writes it, except for padding"),
        (true, false) => ("canonical", "as the engine writes it"),
    };
    let partly = if whole { "" } else { ", as far as it can be read" };
    Entry::named(name, format!("{words}{partly}"))
}

/// Returns the warnings, one line for each rule.
fn warnings(findings: &Findings) -> Vec<String> {
    /// Number of offsets that are listed for each rule.
    const LISTED: usize = 3;
    let mut groups: BTreeMap<&str, (u64, Vec<String>)> = BTreeMap::new();
    for Deviation { rule, offset, .. } in &findings.deviations {
        let (count, offsets) = groups.entry(rule).or_default();
        *count += 1;
        if offsets.len() < LISTED {
            offsets.push(format!("{offset} (0x{offset:x})"));
        }
    }
    for (rule, more) in &findings.more {
        groups.entry(rule).or_default().0 += more;
    }
    let line = |(rule, (count, offsets)): (&str, (u64, Vec<String>))| {
        let more = if count > offsets.len() as u64 { ", ..." } else { "" };
        format!("{count} x {rule}, at offset {}{more}", offsets.join(", "))
    };
    groups.into_iter().map(line).collect()
}

fn faults(refused: Option<Error>, seen: &[Error]) -> Vec<String> {
    /// Number of faults that are listed.
    const LISTED: usize = 5;
    // Where packets are framed, the inspector continues after a fault; the reader does not.
    let mut faults: Vec<_> = match (refused, seen) {
        (Some(error), []) => vec![error.to_string()],
        (_, seen) => seen.iter().take(LISTED).map(ToString::to_string).collect(),
    };
    if let more @ 1.. = seen.len().saturating_sub(LISTED) {
        faults.push(format!("and {more} more"));
    }
    faults
}
