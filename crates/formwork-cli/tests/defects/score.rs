//! Runs campaigns against the decoder up to the first finding.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use formwork_kit::Format;
use formwork_kit::case::{Cases, Reading};
use formwork_kit::oracle::campaign::{Campaign, Options, Run, State, Watch};
use formwork_kit::oracle::target::{self, Limits};
use formwork_kit::oracle::{Finding, Judge, Kind};

use crate::decoder;

/// A campaign against the decoder with one defect or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hunt<'d> {
    pub(crate) format: Format,
    pub(crate) defect: Option<&'d str>,
    pub(crate) seed: u64,
}

impl fmt::Display for Hunt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { defect, seed, .. } = self;
        let format = decoder::name(self.format);
        write!(f, "{} ({format}, seed {seed})", defect.unwrap_or("no defect"))
    }
}

/// The first finding: the number of cases, its kind and its subject.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "shown where a test fails")]
pub(crate) struct Found {
    cases: u64,
    kind: Kind,
    about: String,
}

impl Hunt<'_> {
    /// Runs up to `count` cases.
    fn run(&self, count: u64) -> io::Result<Option<Found>> {
        let cases = cases(self.format, self.seed);
        let reading = *cases.reading();
        let judge = Judge::new(reading);
        let spec = decoder::spec(self.format, self.defect);
        // A decoder without a defect does not hang, and may be slow on a busy machine.
        let time = match self.defect {
            Some(_) => Limits::default().time,
            None => Duration::from_secs(60),
        };
        let limits = Limits { time, memory: 256 << 20, ..Limits::default() };
        let open = || target::open(&spec, &limits);
        let mut options = Options::default();
        options.count = Some(count);
        options.shrink = None;
        // The packets that grow are the same values in both formats of Godot, read by the same code.
        options.growth =
            self.defect.is_some() || self.format != decoder::FORMATS[0] || crate::is_whole();
        let campaign = Campaign {
            cases: &cases,
            first: &[],
            judge: &judge,
            target: &open,
            reference: None,
            options,
        };
        let mut state = State::new(Run::new(reading, self.seed, Vec::new()));
        let mut first = First(None);
        campaign.run(&mut state, &mut first)?;
        if first.0.is_none() && self.defect.is_none() && !state.unrepeatable.is_empty() {
            return Err(io::Error::other(state.unrepeatable.join("; ")));
        }
        Ok(first.0)
    }
}

/// Returns the cases of a seed. The enumeration takes longest to make, and is made once for all campaigns.
fn cases(format: Format, seed: u64) -> Cases {
    static MADE: Mutex<Vec<(Format, u64, Cases)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().expect("no thread panicked");
    let known = made.iter().find(|(of, with, _)| (*of, *with) == (format, seed));
    if let Some((_, _, cases)) = known {
        return cases.clone();
    }
    let cases = Cases::new(Reading { format, allow_objects: false }, seed);
    let _ = cases.enumerated();
    made.push((format, seed, cases.clone()));
    cases
}

/// Ends a campaign at the first finding.
struct First(Option<Found>);

impl Watch for First {
    fn found(&mut self, finding: &Finding) -> io::Result<ControlFlow<()>> {
        self.0 = Some(Found {
            cases: finding.number + 1,
            kind: finding.difference.kind,
            about: finding.difference.about.clone(),
        });
        Ok(ControlFlow::Break(()))
    }

    fn progress(&mut self, _: &State) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Runs all campaigns. Twice as many run at a time as there are cores, so that a hanging decoder does not
/// idle a core.
pub(crate) fn all(hunts: &[Hunt<'_>], count: u64) -> Vec<Option<Found>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![None; hunts.len()]);
    let workers = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(hunt) = hunts.get(position) else { break };
                    let one = hunt.run(count).unwrap_or_else(|error| panic!("{hunt}: {error}"));
                    found.lock().expect("no thread panicked")[position] = one;
                }
            });
        }
    });
    found.into_inner().expect("no thread panicked")
}
