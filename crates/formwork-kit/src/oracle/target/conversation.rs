//! Requests and answers over a link, in order.

use std::time::{Duration, Instant};

use formwork_variant::Error;
use formwork_variant::frame::Pending;

use super::Outcome;
use super::link::{Arrived, Link};
use super::process::Process;
use crate::oracle::protocol::{append_request, read_answer};

/// Why a conversation stopped.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// The decoder's output ended.
    Ended,
    /// No answer came in time.
    TimedOut,
    /// It has too much memory.
    Memory,
    /// The bytes are no answer, or an answer without a request.
    OutOfTurn(String),
    /// The packet cannot be sent at all.
    Unsendable(Error),
    /// Everything has to end now.
    Over,
}

/// How packets are asked.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Packets that may be unanswered at a time.
    pub(super) window: usize,
    /// How long the first answer may take.
    pub(super) first: Duration,
    /// How long each other may take, once everything before it is answered.
    pub(super) time: Duration,
    /// Time to wait for unrequested bytes after the last answer.
    pub(super) listen: Duration,
    /// How often to look after the process.
    pub(super) tick: Duration,
    /// When to give up, whatever is going on.
    pub(super) until: Option<Instant>,
}

/// Reports on the decoder's process besides its answers.
pub(super) trait Watch {
    /// Returns what is wrong with it, if anything is.
    fn wrong(&mut self) -> Option<Stop>;
    /// Returns how long it has been ready to compute and got no processor, all in all.
    fn delay(&mut self) -> Duration;
}

/// Requests that were sent, and answers that arrived.
pub(super) struct Conversation {
    link: Link,
    arrived: Pending,
    /// Sent and not answered.
    open: usize,
}

impl Conversation {
    /// Bytes of requests that are sent ahead.
    const AHEAD: usize = 1 << 18;

    pub(super) fn new(link: Link) -> Self {
        Self { link, arrived: Pending::default(), open: 0 }
    }

    /// How many packets were sent that are not answered.
    pub(super) const fn open(&self) -> usize {
        self.open
    }

    /// Asks the packets and appends the answers, until something happens.
    pub(super) fn ask(
        &mut self,
        packets: &[&[u8]],
        manner: Manner,
        process: &mut dyn Watch,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Stop> {
        self.take_stray(Duration::ZERO)?;
        let mut unsent = packets;
        let mut looked = Instant::now();
        let mut deadline = looked + manner.first;
        // The delay at the first look after the last answer. A decoder that answers soon is not looked at.
        let mut delay_before = None;
        loop {
            self.send(&mut unsent, manner.window)?;
            if self.open == 0 {
                return self.take_stray(manner.listen);
            }
            let now = Instant::now();
            if manner.until.is_some_and(|until| now >= until) {
                return Err(Stop::Over);
            }
            // The error, which is returned after all available bytes were read.
            let mut wrong = None;
            if now - looked >= manner.tick {
                looked = now;
                wrong = process.wrong();
                delay_before.get_or_insert_with(|| process.delay());
            }
            let patience = match wrong {
                Some(_) => Duration::ZERO,
                // Behind the deadline, every tick decides anew.
                None => {
                    let end = if now < deadline { deadline } else { now + manner.tick };
                    let end = manner.until.map_or(end, |until| end.min(until));
                    end.saturating_duration_since(now).min(manner.tick)
                }
            };
            match self.link.receive(patience) {
                Arrived::Bytes(bytes) => {
                    self.arrived.room().extend_from_slice(&bytes);
                    if self.take_answers(outcomes)? {
                        // What is behind in a batch may wait for what is before it in the decoder's
                        // own buffers, so that the limit is somewhat longer the more is unanswered.
                        let share = self.open as f64 / manner.window.max(1) as f64;
                        deadline = Instant::now() + manner.time.mul_f64(1.0 + share.min(1.0));
                        delay_before = None;
                    }
                }
                Arrived::End => return Err(Stop::Ended),
                Arrived::Nothing => {
                    if let Some(stop) = wrong {
                        return Err(stop);
                    }
                    let now = Instant::now();
                    if now < deadline {
                        continue;
                    }
                    let before = *delay_before.get_or_insert_with(|| process.delay());
                    let delay = process.delay().saturating_sub(before);
                    if now >= deadline + delay.min(Process::MOST_DELAY * manner.time) {
                        return Err(process.wrong().unwrap_or_else(|| self.late()));
                    }
                }
            }
        }
    }

    /// Sends as many packets as may be unanswered, when half of them are answered.
    fn send(&mut self, unsent: &mut &[&[u8]], window: usize) -> Result<(), Stop> {
        if self.open > window / 2 {
            return Ok(());
        }
        let mut requests = Vec::new();
        while self.open < window.max(1)
            && requests.len() < Self::AHEAD
            && let Some((packet, rest)) = unsent.split_first()
        {
            if let Err(error) = append_request(packet, &mut requests) {
                return Err(Stop::Unsendable(error));
            }
            self.open += 1;
            *unsent = rest;
        }
        if !requests.is_empty() {
            self.link.send(requests);
        }
        Ok(())
    }

    /// Takes the answers that have arrived; whether there were any.
    fn take_answers(&mut self, outcomes: &mut Vec<Outcome>) -> Result<bool, Stop> {
        let mut any = false;
        loop {
            if self.open == 0 {
                return self.take_stray(Duration::ZERO).map(|()| any);
            }
            match read_answer(self.arrived.rest()) {
                Ok(None) => return Ok(any),
                Ok(Some((answer, length))) => {
                    self.arrived.take(length);
                    self.open -= 1;
                    any = true;
                    outcomes.push(Outcome::Answered(answer));
                }
                Err(error) => {
                    let shown = shown(self.arrived.rest());
                    return Err(Stop::OutOfTurn(format!("{error}: {shown}")));
                }
            }
        }
    }

    /// Nothing may be there that nobody asked for.
    fn take_stray(&mut self, patience: Duration) -> Result<(), Stop> {
        if self.arrived.is_empty()
            && let Arrived::Bytes(bytes) = self.link.receive(patience)
        {
            self.arrived.room().extend_from_slice(&bytes);
        }
        if self.arrived.is_empty() {
            return Ok(());
        }
        let shown = shown(self.arrived.rest());
        Err(Stop::OutOfTurn(format!("more bytes than the answers: {shown}")))
    }

    /// No answer came in time; perhaps a part of one.
    fn late(&self) -> Stop {
        match self.arrived.len() {
            0 => Stop::TimedOut,
            _ => {
                let shown = shown(self.arrived.rest());
                Stop::OutOfTurn(format!("the beginning of an answer: {shown}"))
            }
        }
    }

    /// Ends the decoder's input.
    pub(super) fn close(&mut self) {
        self.link.close();
    }

    /// Reads the unrequested bytes until the decoder's output ends; [`None`] if it does not end in time, or is too
    /// long.
    pub(super) fn rest(&mut self, patience: Duration) -> Option<Vec<u8>> {
        /// Bytes of which nobody wants to read more.
        const TOO_MUCH: usize = 1 << 24;
        let deadline = Instant::now() + patience;
        loop {
            match self.link.receive(deadline.saturating_duration_since(Instant::now())) {
                Arrived::Bytes(_) if self.arrived.len() > TOO_MUCH => return None,
                Arrived::Bytes(bytes) => self.arrived.room().extend_from_slice(&bytes),
                Arrived::End => return Some(self.arrived.rest().to_vec()),
                Arrived::Nothing => return None,
            }
        }
    }
}

/// The first of some bytes, for people.
fn shown(bytes: &[u8]) -> String {
    const SHOWN: usize = 24;
    match bytes.get(..SHOWN) {
        Some(first) => format!("`{}` and {} more", first.escape_ascii(), bytes.len() - SHOWN),
        None => format!("`{}`", bytes.escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// A process that gets no processor for so long once it was looked at.
    struct Waiting {
        is_known: bool,
        delay: Duration,
    }

    impl Watch for Waiting {
        fn wrong(&mut self) -> Option<Stop> {
            None
        }

        fn delay(&mut self) -> Duration {
            if std::mem::replace(&mut self.is_known, true) { self.delay } else { Duration::ZERO }
        }
    }

    #[test]
    fn the_time_in_which_it_gets_no_processor_is_not_counted() {
        let time = Duration::from_millis(40);
        let manner = Manner {
            window: 1,
            first: time,
            time,
            listen: Duration::ZERO,
            tick: Duration::from_millis(2),
            until: None,
        };
        let hour = Duration::from_secs(3600);
        // An hour is not waited for.
        for (delay, counted) in
            [(Duration::ZERO, 1), (2 * time, 3), (hour, 1 + Process::MOST_DELAY)]
        {
            let (output, _never_written) = io::pipe().expect("a pipe");
            let mut conversation = Conversation::new(Link::listening(output));
            let started = Instant::now();
            let mut process = Waiting { is_known: false, delay };
            let asked = conversation.ask(&[b"a"], manner, &mut process, &mut Vec::new());
            assert!(matches!(asked, Err(Stop::TimedOut)), "{asked:?}");
            assert!(started.elapsed() >= counted * time, "{:?}", started.elapsed());
        }
    }
}
