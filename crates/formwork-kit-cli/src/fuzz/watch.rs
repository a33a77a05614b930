//! Actions during a campaign: findings are printed and reported, progress is shown, the state is
//! saved.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use formwork_kit::oracle::Finding;
use formwork_kit::oracle::campaign::{State, Watch};
use formwork_kit::report::{self, Context};
use indicatif::{ProgressBar, ProgressStyle};

use super::expect::Expected;
use super::listing::Listing;
use super::unwritten;
use formwork_program::failure::Failure;
use formwork_program::interrupt;
use formwork_program::remark;

/// Interval between saves of the state.
const KEEP: Duration = Duration::from_secs(3);

/// Watches a campaign.
pub(super) struct Watcher<'a> {
    pub(super) listing: &'a Listing,
    pub(super) expected: &'a Expected,
    pub(super) folder: Option<&'a Path>,
    pub(super) context: &'a Context,
    pub(super) state: Option<PathBuf>,
    /// Number of unexpected findings after which the campaign stops.
    pub(super) stop_after: Option<usize>,
    /// Number of unexpected findings.
    pub(super) unexpected: usize,
    /// The findings.
    pub(super) found: Vec<Finding>,
    /// The failure that stopped the run, where a finding could not be printed or written.
    pub(super) failed: Option<Failure>,
    bar: ProgressBar,
    kept: Instant,
    shown: Instant,
    shown_cases: u64,
}

impl<'a> Watcher<'a> {
    /// Starts watching. From now on Ctrl-C ends the campaign instead of the program.
    pub(super) fn start(
        listing: &'a Listing,
        expected: &'a Expected,
        context: &'a Context,
    ) -> Result<Self, Failure> {
        interrupt::only_ask()?;
        let bar = match io::stderr().is_terminal() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        let (kept, shown) = (Instant::now(), Instant::now());
        Ok(Self {
            listing,
            expected,
            folder: None,
            context,
            state: None,
            stop_after: None,
            unexpected: 0,
            found: Vec::new(),
            failed: None,
            bar,
            kept,
            shown,
            shown_cases: 0,
        })
    }

    /// Adds a finding to the report.
    fn write(&mut self, finding: &Finding) -> Result<(), Failure> {
        let Some(folder) = self.folder else { return Ok(()) };
        self.found.push(finding.clone());
        report::write(folder, &self.found, self.context).map_err(|error| unwritten(folder, &error))
    }

    /// Removes the progress from the terminal.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Watcher<'_> {
    fn found(&mut self, finding: &Finding) -> io::Result<ControlFlow<()>> {
        let expected = self.expected.of(finding);
        let told = self.write(finding).and_then(|()| {
            self.bar.suspend(|| self.listing.finding(finding, expected, self.folder))
        });
        if let Err(failure) = told {
            self.failed = Some(failure);
            return Ok(ControlFlow::Break(()));
        }
        self.unexpected += usize::from(expected.is_none());
        let enough = self.stop_after.is_some_and(|enough| self.unexpected >= enough);
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn grow(&mut self, most: Duration) -> io::Result<()> {
        let most = most.as_secs();
        self.bar.suspend(|| {
            remark(&format!(
                "measuring how time grows with the size of packets: {most} s of CPU time at most (--no-growth)"
            ));
        });
        Ok(())
    }

    fn progress(&mut self, state: &State) -> io::Result<ControlFlow<()>> {
        /// Minimum interval between updates of the speed.
        const SHOW: Duration = Duration::from_millis(500);
        let since = self.shown.elapsed();
        if since >= SHOW {
            let cases = state.counts.cases;
            let speed = (cases - self.shown_cases.min(cases)) as f64 / since.as_secs_f64();
            let findings = state.findings.len();
            self.bar.set_message(format!("{cases} cases, {speed:.0}/s, {findings} findings"));
            self.bar.tick();
            (self.shown, self.shown_cases) = (Instant::now(), cases);
        }
        if let Some(path) = &self.state
            && self.kept.elapsed() >= KEEP
        {
            state.save(path)?;
            self.kept = Instant::now();
        }
        Ok(if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
