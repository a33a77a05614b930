//! `verify` of values of an engine.

use std::fmt::Write as _;

use formwork_variant::Error;

use crate::file::Checking;
use crate::findings::{Deviation, Findings};
use crate::format::{StrictnessName, by_precision};
use crate::framing::FramingName;
use crate::guess::engine_name;
use crate::layers::within;
use crate::lines::{Finding, Grade};
use crate::packets::Input;
use crate::quantity::counted;
use crate::style::shown;
use crate::verdict::{SHOWN, Verdict};

impl Input {
    /// Returns the verdict on the values.
    pub(super) fn verdict(&self, checking: Checking<'_>) -> Verdict {
        let mut findings = Findings::default();
        let checked = by_precision!(self.dialect, R => findings.check::<R>(self));
        let located = checked.is_err() || !findings.deviations.is_empty();
        let mut all: Vec<_> = findings.deviations.iter().map(Deviation::finding).collect();
        if let Err(error) = &checked {
            all.push(Finding { path: keys_or_path(self, error), ..Finding::damage(error) });
        }
        let (ok, mut says) = self.says(checking, checked, &findings);
        let (name, layers) = (&self.source.name, self.source.layers());
        let dialect =
            if checking.is_named { self.dialect.name() } else { engine_name(self.dialect) };
        let framing = self.framing.name();
        let within = within(layers);
        if located && !layers.is_empty() {
            says.push_str(UNPACKED);
        }
        let counts = if self.framing == FramingName::Settings { "setting" } else { "value" };
        let values = counted(findings.values, counts);
        let line = format!("{name}: {dialect}, {framing}{within}, {values}: {says}");
        if !ok && all.is_empty() {
            all.push(Finding::new(Grade::Warning, &says));
        }
        let more = findings.more.into_iter().collect();
        Verdict { ok, line, findings: all, more }
    }

    fn says(
        &self,
        checking: Checking<'_>,
        checked: Result<(), Error>,
        findings: &Findings,
    ) -> (bool, String) {
        if let Err(error) = checked {
            let keys = self.keys(&error);
            let keys = if keys.is_empty() { keys } else { format!("{keys}: ") };
            return (false, format!("damaged: {keys}{error}"));
        }
        if findings.values == 0 && self.framing != FramingName::Settings {
            return (false, "empty".into());
        }
        if !findings.deviations.is_empty() {
            let accepted = checking.strictness == StrictnessName::Engine;
            return (accepted, deviations(findings, checking.all));
        }
        if findings.unset_padding {
            return (true, "as the engine writes it, except for padding".into());
        }
        (true, "as the engine writes it".into())
    }
}

/// Returns the warnings in words.
fn deviations(findings: &Findings, all: bool) -> String {
    let deviations = &findings.deviations;
    let shown = if all { deviations.len() } else { SHOWN };
    let mut text = "the engine would write it differently: ".to_owned();
    for (position, Deviation { rule, offset, path }) in deviations.iter().take(shown).enumerate() {
        let comma = if position > 0 { "; " } else { "" };
        // Writing to a string does not fail.
        let _ = write!(text, "{comma}{rule} at offset {offset} (0x{offset:x})");
        if !path.is_empty() {
            let _ = write!(text, ", {path}");
        }
    }
    if let more @ 1.. = findings.total().saturating_sub(shown as u64) {
        let _ = write!(text, "; and {more} more");
    }
    text
}

/// Returns the place of a fault: the keys of the stored values, or else the fields of the format.
fn keys_or_path(input: &Input, error: &Error) -> String {
    let keys = input.keys(error);
    if keys.is_empty() { shown(error.path()) } else { keys }
}

/// The note about offsets, for a file with containers.
pub(crate) const UNPACKED: &str = " (offsets count in the unpacked content)";
