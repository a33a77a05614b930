//! Differences between the values of a file and those that the engine would write.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use formwork_godot::file::unread_layer;
use formwork_godot::settings::{self, Settings};
use formwork_variant::Real;
use formwork_variant::codec::{Canonicality, Rewriting, RoundTrip, Warning};
use formwork_variant::frame;
use formwork_variant::{Decoder, Error, Rule, Strictness};

use super::framing::FramingName;
use super::lines::{Finding, Grade};
use super::packets::Input;
use super::progress;
use super::quantity::counted;
use super::style::shown;

/// The differences between the values of a file and those that the engine would write.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Number of values that were read.
    pub(crate) values: u64,
    /// Whether padding is as the engine leaves it.
    pub(crate) unset_padding: bool,
    /// The other differences: of each packet the first ones.
    pub(crate) deviations: Vec<Deviation>,
    /// How many more there are, by rule.
    pub(crate) more: BTreeMap<&'static str, u64>,
    /// The names of settings, by which their values are reported.
    names: Vec<String>,
}

/// A part that the engine would write differently.
#[derive(Debug)]
pub(crate) struct Deviation {
    /// The name of the rule, or a description.
    pub(crate) rule: Cow<'static, str>,
    /// The offset in the file.
    pub(crate) offset: u64,
    /// The path of the value and field.
    pub(crate) path: String,
}

impl Deviation {
    /// Returns the deviation as a finding of `verify`.
    pub(crate) fn finding(&self) -> Finding {
        let Self { rule, offset, path } = self;
        let place = Finding::new(Grade::Warning, rule);
        Finding { offset: Some(*offset), path: path.clone(), ..place }
    }
}

impl Findings {
    /// Returns how many differences there are, except in padding that the engine leaves as it is.
    pub(crate) fn total(&self) -> u64 {
        self.deviations.len() as u64 + self.more.values().sum::<u64>()
    }

    /// Makes the findings of a file with `values` values and no difference.
    pub(crate) fn none(values: u64) -> Self {
        Self { values, ..Self::default() }
    }

    /// Reads the values of the input one by one, until one cannot be read.
    pub(crate) fn check<R: Real>(&mut self, input: &Input) -> Result<(), Error> {
        let decoder = input.decoder::<R>(Strictness::Engine);
        let canonical = input.decoder::<R>(Strictness::Canonical);
        let framed = input.framing != FramingName::Bare;
        if let Some(error) = unread_layer(input.source.layers(), input.dialect) {
            return Err(error);
        }
        self.check_settings(input)?;
        input.packets(|packet, base| {
            // Most packets are as the engine writes them: this check is fast.
            if let Ok(length) = walked(&canonical, packet, base)
                && (!framed || length == packet.len())
            {
                self.values += 1;
                return Ok(length);
            }
            let check = decoder.check(packet).map_err(|error| error.shifted(base))?;
            let index = self.values;
            self.values += 1;
            self.add(&check, index, base);
            let more = packet.len() - check.length;
            if framed && more > 0 {
                let offset = base + check.length as u64;
                let more = counted(more as u64, "byte");
                let path = format!("{}, {more} behind it", self.label(index));
                let rule = match input.framing {
                    FramingName::Settings => settings::rule::FILLED,
                    _ => frame::rule::FILLED,
                };
                self.deviations.push(Deviation { rule: rule.name().into(), offset, path });
            }
            Ok(check.length)
        })
    }

    /// Checks the parts of a settings file that are not packets.
    fn check_settings(&mut self, input: &Input) -> Result<(), Error> {
        if input.framing != FramingName::Settings {
            return Ok(());
        }
        let base = input.source.skipped() as u64;
        let located = |error: Error| error.closed().shifted(base);
        let mut settings = Settings::new(input.source.content()).map_err(located)?;
        let mut names = HashSet::new();
        for setting in settings.by_ref() {
            // Faults of packets are found where the packets are read.
            let Ok(setting) = setting else { return Ok(()) };
            if let Some(fault) = setting.fault_of_name() {
                return Err(located(fault));
            }
            self.names.push(shown(setting.name));
            if !names.insert(setting.name) {
                self.deviations.push(Deviation {
                    rule: settings::rule::REPEATED.name().into(),
                    offset: base + setting.start,
                    path: format!("{} stands in the file before", self.label(setting.index)),
                });
            }
        }
        let end = settings.position();
        if let more @ 1.. = input.source.content().len() - end {
            let rule = Rule::INPUT_TRAILING.name().into();
            let path = format!("{} behind the last setting", counted(more as u64, "byte"));
            self.deviations.push(Deviation { rule, offset: base + end as u64, path });
        }
        Ok(())
    }

    /// Returns the label of a packet: the name of a setting, or the number of a value.
    fn label(&self, index: u64) -> String {
        let name = usize::try_from(index).ok().and_then(|index| self.names.get(index));
        name.cloned().unwrap_or_else(|| format!("value {index}"))
    }

    fn add<R: Real>(&mut self, check: &RoundTrip<R>, index: u64, base: u64) {
        match check.form {
            Canonicality::Canonical => return,
            Canonicality::UnsetPadding => {
                self.unset_padding = true;
                return;
            }
            _ => {}
        }
        let (first, label) = (self.deviations.len(), self.label(index));
        self.deviations.extend(check.notes.iter().map(|Warning { rule, offset, path, .. }| {
            let path = format!("{label}: {path}");
            Deviation { rule: rule.name().into(), offset: base + offset, path }
        }));
        for (warning, count) in check.counts.iter() {
            *self.more.entry(warning.rule.name()).or_default() += count;
        }
        for Warning { rule, .. } in &check.notes {
            self.more.entry(rule.name()).and_modify(|count| *count -= 1);
        }
        self.more.retain(|_, count| *count > 0);
        // A note explains the difference already.
        if self.deviations.len() > first && !matches!(check.rewritten, Rewriting::Not(_)) {
            return;
        }
        let (rule, offset) = match &check.rewritten {
            Rewriting::Different { offset, .. } => ("written differently".into(), *offset as u64),
            Rewriting::Not(error) => (Cow::from(format!("cannot be written again ({error})")), 0),
            _ => return,
        };
        self.deviations.push(Deviation { rule, offset: base + offset, path: label });
    }
}

/// Reads a packet without making its value, and shows the progress; returns its length.
fn walked<R: Real>(decoder: &Decoder<R>, packet: &[u8], base: u64) -> Result<usize, Error> {
    /// Number of values between two updates of the progress.
    const STEP: usize = 1 << 14;
    let mut walk = decoder.walk(packet);
    if !progress::is_shown() {
        return walk.finish();
    }
    loop {
        progress::at(base + walk.offset() as u64);
        let Some(visit) = walk.by_ref().take(STEP).last() else { return Ok(walk.offset()) };
        visit?;
    }
}
