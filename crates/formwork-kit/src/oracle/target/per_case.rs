//! Decoders that are run anew for each packet.

use std::io::{self, Write};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::link::{Arrived, Link};
use super::process::{Process, REFUSES_MEMORY, said};
use super::spec::{TargetSpec, wants_file, with_file};
use super::{Limits, Outcome, Target, over};
use crate::oracle::protocol::{ANSWER_BYTES, Answer};

/// A command to run for each packet; several are run at once.
pub(super) struct PerCase {
    command: Vec<String>,
    reject: Vec<i32>,
    limits: Limits,
    /// The longest that one took that ended by itself, in nanoseconds.
    longest: AtomicU64,
}

impl PerCase {
    /// How often to look after a process that says nothing.
    const TICK: Duration = Duration::from_millis(20);

    pub(super) fn new(command: Vec<String>, reject: Vec<i32>, limits: Limits) -> Self {
        Self { command, reject, limits, longest: AtomicU64::new(0) }
    }

    /// Runs the process for a packet.
    fn case(&self, packet: &[u8]) -> io::Result<Outcome> {
        let refused = (REFUSES_MEMORY && self.limits.memory > 0).then_some(self.limits.memory);
        let outcome = self.once(packet, refused)?;
        let Outcome::Crashed { status, stderr } = outcome else { return Ok(outcome) };
        // Did it crash because it was refused memory?
        if refused.is_some() && !matches!(self.once(packet, None)?, Outcome::Crashed { .. }) {
            return Ok(Outcome::OutOfMemory { limit: self.limits.memory, stderr });
        }
        Ok(Outcome::Crashed { status, stderr })
    }

    /// Runs the command once.
    fn once(&self, packet: &[u8], memory: Option<u64>) -> io::Result<Outcome> {
        if self.limits.is_over() {
            return Err(over());
        }
        let started = Instant::now();
        let deadline = started + self.patience();
        // The file is gone when this is.
        let mut file = None;
        let (mut process, mut link) = if wants_file(&self.command) {
            let file = file.insert(tempfile::NamedTempFile::new()?);
            file.write_all(packet)?;
            let command = with_file(&self.command, &file.path().to_string_lossy());
            let mut process = Process::start(&command, memory, Stdio::null())?;
            let output =
                process.stdout().ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
            (process, Link::listening(output))
        } else {
            let mut process = Process::start(&self.command, memory, Stdio::piped())?;
            let (input, output) = process.streams()?;
            let mut link = Link::new(input, output);
            link.send(packet.to_vec());
            link.close();
            (process, link)
        };
        let mut printed = Vec::new();
        loop {
            match link.receive(Self::TICK) {
                Arrived::Bytes(bytes) => printed.extend(bytes),
                Arrived::End => break,
                Arrived::Nothing => {}
            }
            if process.exceeds(self.limits.memory) {
                let (limit, stderr) = (self.limits.memory, process.stderr());
                return Ok(Outcome::OutOfMemory { limit, stderr });
            }
            if printed.len() as u64 > u64::from(ANSWER_BYTES) {
                let found = format!("more than {ANSWER_BYTES} bytes on standard output");
                return Ok(Outcome::OutOfTurn { found });
            }
            if self.limits.is_over() {
                return Err(over());
            }
            let now = Instant::now();
            if now > deadline && now > deadline + self.delay(&process) {
                return Ok(Outcome::Hung { limit: self.limits.time });
            }
        }
        let deadline = deadline + self.delay(&process);
        let left = deadline.saturating_duration_since(Instant::now());
        let Some(status) = process.ended(self.limits.left(left)) else {
            if self.limits.is_over() {
                return Err(over());
            }
            return Ok(Outcome::Hung { limit: self.limits.time });
        };
        let took = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.longest.fetch_max(took, Ordering::Relaxed);
        let stderr = process.stderr();
        Ok(Outcome::Answered(match status.code() {
            Some(0) => Answer::Accepted { consumed: None, bytes: printed },
            Some(code) if self.reject.contains(&code) => {
                Answer::Rejected { offset: None, message: stderr.trim().to_owned() }
            }
            Some(TargetSpec::SKIP_STATUS) => Answer::Skipped { what: stderr.trim().to_owned() },
            _ => return Ok(Outcome::Crashed { status: said(status), stderr }),
        }))
    }

    /// How much longer a process may take as it got no processor.
    fn delay(&self, process: &Process) -> Duration {
        process.delay().min(Process::MOST_DELAY * self.limits.time)
    }

    /// How long a process may take: what it may take for the packet, and what it took to start before,
    /// as far as that is known.
    fn patience(&self) -> Duration {
        match self.longest.load(Ordering::Relaxed) {
            0 => self.limits.time + self.limits.start,
            longest => self.limits.time + 2 * Duration::from_nanos(longest),
        }
    }
}

impl Target for PerCase {
    fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()> {
        let at_once = thread::available_parallelism().map_or(1, usize::from).min(packets.len());
        let next = AtomicUsize::new(0);
        let (this, next, (done, came)) = (&*self, &next, mpsc::channel());
        let mut all: Vec<_> = thread::scope(|scope| {
            for _ in 0..at_once {
                let done = done.clone();
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(packet) = packets.get(number) else { return };
                        // Somebody waits for it.
                        let _ = done.send((number, this.case(packet)));
                    }
                });
            }
            drop(done);
            came.into_iter().collect()
        });
        all.sort_by_key(|(number, _)| *number);
        for (_, outcome) in all {
            outcomes.push(outcome?);
        }
        Ok(())
    }

    /// Every packet meets a fresh process anyhow.
    fn restart(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn until(&mut self, until: Option<Instant>) {
        self.limits.until = until;
    }

    fn start_up(&self) -> Option<Duration> {
        match self.longest.load(Ordering::Relaxed) {
            0 => None,
            longest => Some(Duration::from_nanos(longest)),
        }
    }

    fn expect_start_up(&mut self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.longest.fetch_max(nanos, Ordering::Relaxed);
    }
}
