//! The expected findings, and whether they occurred.

use std::io;
use std::path::Path;
use std::time::Instant;

use formwork_kit::oracle::campaign::{Campaign, State};
use formwork_kit::oracle::{Expectation, Expectations, Finding, Met};

use formwork_program::failure::Failure;

/// The findings that are expected.
pub(super) struct Expected(Expectations);

impl Expected {
    /// Reads the file of expectations, if there is one.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(Expectations::default())) };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::stream("could not be read", &name, &error))?;
        let expectations = Expectations::parse(&text);
        expectations.map(Self).map_err(|error| Failure::usage(format!("{name}: {error}")))
    }

    /// Returns the expectation that covers a finding.
    pub(super) fn of(&self, finding: &Finding) -> Option<&Expectation> {
        self.0.of(finding.difference.kind, &finding.difference.about)
    }

    /// Returns the findings that no expectation covers.
    pub(super) fn unexpected<'f>(
        &self,
        findings: &'f [Finding],
    ) -> impl Iterator<Item = &'f Finding> {
        findings.iter().filter(|finding| self.of(finding).is_none())
    }

    /// Runs the packets of the expectations before the cases, until the time is up. Returns whether
    /// each packet showed its difference; these answers are certain. A packet that does not show it
    /// is run again: on a busy machine an answer may come too late.
    pub(super) fn try_packets(
        &self,
        campaign: &Campaign<'_>,
        until: Option<Instant>,
    ) -> io::Result<Vec<Option<bool>>> {
        /// Number of runs of a packet that does not show the expected difference.
        const TRIES: usize = 3;
        let is_over = || until.is_some_and(|until| Instant::now() >= until);
        let shown = |expected: &Expectation| {
            let Some(packet) = expected.packet.as_ref().filter(|_| !is_over()) else {
                return Ok(None);
            };
            for _ in 0..TRIES {
                let found = match campaign.try_again(&[], packet, expected.pair.as_deref()) {
                    Err(error) if error.kind() == io::ErrorKind::TimedOut && is_over() => {
                        return Ok(None);
                    }
                    seen => seen?.difference,
                };
                if found.is_some_and(|found| expected.covers(found.kind, &found.about)) {
                    return Ok(Some(true));
                }
            }
            Ok(Some(false))
        };
        self.0.iter().map(shown).collect()
    }

    /// Returns the expectations that no longer hold.
    pub(super) fn stale(&self, state: &State, shown: &[Option<bool>]) -> Vec<&Expectation> {
        let is_stale = |(expected, shown): &(&Expectation, &Option<bool>)| {
            let cases = state.counts.cases + state.counts.repeated;
            expected.met(&state.findings, cases, **shown) == Met::Stale
        };
        self.0.iter().zip(shown).filter(is_stale).map(|(expected, _)| expected).collect()
    }

    /// Returns the text of a file that expects these findings.
    pub(super) fn file_of(&self, findings: &[Finding]) -> String {
        self.0.file_of(findings)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use formwork_kit::case::{Cases, Reading};
    use formwork_kit::oracle::campaign::Options;
    use formwork_kit::oracle::protocol::Answer;
    use formwork_kit::oracle::target::{Outcome, Target};
    use formwork_kit::oracle::{Judge, Kind};

    use super::*;

    /// A decoder that accepts the empty packet, or gives no answer in time.
    struct Late(bool);

    impl Target for Late {
        fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()> {
            outcomes.extend(packets.iter().map(|_| match self.0 {
                true => Outcome::Hung { limit: std::time::Duration::from_millis(1) },
                false => {
                    Outcome::Answered(Answer::Accepted { consumed: Some(0), bytes: Vec::new() })
                }
            }));
            Ok(())
        }

        fn restart(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_expectation_whose_packet_was_answered_too_late_once_is_not_stale() {
        let reading = Reading { format: "godot3".parse().expect("a format"), allow_objects: false };
        let (cases, judge) = (Cases::new(reading, 1), Judge::new(reading));
        let file = format!(
            "[[expected]]\nkind = \"{}\"\nabout = \"*\"\nreason = \"a\"\npacket = \"\"\n",
            Kind::AcceptsInvalid
        );
        let expected = Expected(Expectations::parse(&file).expect("a file"));
        for (late, shown) in [(0, true), (2, true), (3, false)] {
            let opened = Cell::new(0);
            let open = || {
                opened.set(opened.get() + 1);
                Ok(Box::new(Late(opened.get() <= late)) as Box<dyn Target>)
            };
            let (target, options): (&dyn Fn() -> _, _) = (&open, Options::default());
            let campaign = Campaign {
                cases: &cases,
                first: &[],
                judge: &judge,
                target,
                reference: None,
                options,
            };
            assert_eq!(expected.try_packets(&campaign, None).expect("answers"), [Some(shown)]);
        }
    }
}
