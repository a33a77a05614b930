//! What is expected, and whether it came true.

use std::io;
use std::path::Path;
use std::time::Instant;

use formwork::oracle::campaign::{Campaign, State};
use formwork::oracle::{Expectation, Expectations, Finding, Met};

use crate::failure::Failure;

/// The findings that are expected.
pub(super) struct Expected(Expectations);

impl Expected {
    /// Reads the file, if there is one.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(Expectations::default())) };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::stream("could not be read", &name, &error))?;
        let expectations = Expectations::parse(&text);
        expectations.map(Self).map_err(|error| Failure::usage(format!("{name}: {error}")))
    }

    /// The expectation that a finding is covered by.
    pub(super) fn of(&self, finding: &Finding) -> Option<&Expectation> {
        self.0.of(finding.difference.kind, &finding.difference.about)
    }

    /// The findings that none covers.
    pub(super) fn unexpected<'f>(
        &self,
        findings: &'f [Finding],
    ) -> impl Iterator<Item = &'f Finding> {
        findings.iter().filter(|finding| self.of(finding).is_none())
    }

    /// What the packets of the expectations show, as far as there is time. They are asked before the
    /// cases: they say for certain.
    pub(super) fn try_packets(
        &self,
        campaign: &Campaign<'_>,
        until: Option<Instant>,
    ) -> io::Result<Vec<Option<bool>>> {
        let is_over = || until.is_some_and(|until| Instant::now() >= until);
        let shown = |expected: &Expectation| {
            let Some(packet) = expected.packet.as_ref().filter(|_| !is_over()) else {
                return Ok(None);
            };
            let found = match campaign.try_again(&[], packet) {
                Err(error) if error.kind() == io::ErrorKind::TimedOut && is_over() => {
                    return Ok(None);
                }
                seen => seen?.difference,
            };
            Ok(Some(found.is_some_and(|found| expected.covers(found.kind, &found.about))))
        };
        self.0.iter().map(shown).collect()
    }

    /// Those that did not come true.
    pub(super) fn stale(&self, state: &State, shown: &[Option<bool>]) -> Vec<&Expectation> {
        let is_stale = |(expected, shown): &(&Expectation, &Option<bool>)| {
            expected.met(&state.findings, state.counts.cases, **shown) == Met::Stale
        };
        self.0.iter().zip(shown).filter(is_stale).map(|(expected, _)| expected).collect()
    }

    /// A file that expects what was found.
    pub(super) fn file_of(&self, findings: &[Finding]) -> String {
        self.0.file_of(findings)
    }
}
