//! Decoders that stay and answer many packets.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::conversation::{Conversation, Manner, Stop, Watch};
use super::link::Link;
use super::process::{Process, REFUSES_MEMORY, said};
use super::spec::{Reach, with_port};
use super::{Limits, Outcome, Target, over};
use crate::oracle::protocol::Answer;

/// A decoder that is there.
struct Running {
    conversation: Conversation,
    process: Option<Process>,
    connection: Option<TcpStream>,
    /// When it was started; [`None`] once it has answered.
    since: Option<Instant>,
    /// Whether it was sent a packet.
    is_asked: bool,
    /// Whether it is refused memory, if there is a limit; or has none that could be limited.
    is_limited: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            // It may be closed already. What waits for it in a thread wakes up.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

/// A decoder that stays, one process after the other.
pub(super) struct Persistent {
    reach: Reach,
    limits: Limits,
    running: Option<Running>,
    /// The longest that it took to start, as far as that was seen.
    start: Option<Duration>,
    /// Whether it was seen to live without being asked.
    lives: bool,
    /// Whether it was ever out of turn: then it is listened to more closely.
    talkative: bool,
    unrepeated: Vec<usize>,
}

impl Persistent {
    /// How often to look after a process.
    const TICK: Duration = Duration::from_millis(20);
    /// How often to look after one that gets all the memory that it asks for.
    const CLOSE_TICK: Duration = Duration::from_millis(2);
    /// How often a connection is tried.
    const RETRY: Duration = Duration::from_millis(5);
    /// How long a decoder must live without being asked to count as started.
    const LIVES: Duration = Duration::from_secs(2);
    /// How long to wait for more than an answer from a decoder that has said too much before.
    const LISTEN: Duration = Duration::from_millis(10);

    pub(super) fn open(reach: Reach, limits: Limits) -> io::Result<Self> {
        let mut target = Self {
            reach,
            limits,
            running: None,
            start: None,
            lives: false,
            talkative: false,
            unrepeated: Vec::new(),
        };
        target.restart()?;
        Ok(target)
    }

    /// Starts or reaches the decoder.
    fn start(&self, memory: Option<u64>) -> io::Result<Running> {
        if self.limits.is_over() {
            return Err(over());
        }
        let (since, is_limited) = (Some(Instant::now()), true);
        match &self.reach {
            Reach::Pipes(command) => {
                let mut process = Process::start(command, memory, Stdio::piped())?;
                let (input, output) = process.streams()?;
                let conversation = Conversation::new(Link::new(input, output));
                Ok(Running {
                    conversation,
                    process: Some(process),
                    connection: None,
                    since,
                    is_asked: false,
                    is_limited,
                })
            }
            Reach::Connecting(command) => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
                listener.set_nonblocking(true)?;
                let command = with_port(command, listener.local_addr()?.port());
                let mut process = Process::start(&command, memory, Stdio::null())?;
                process.ignore_stdout();
                let stream = accept(&listener, &mut process, &self.limits)?;
                connected(stream, Some(process))
            }
            Reach::Standing(address) => {
                let stream = connect(address, &self.limits)?;
                connected(stream, None)
            }
        }
    }

    /// The memory that a process is refused more than.
    fn refused(&self) -> Option<u64> {
        (REFUSES_MEMORY && self.limits.memory > 0).then_some(self.limits.memory)
    }

    fn running(&mut self) -> io::Result<&mut Running> {
        let running = match self.running.take() {
            Some(running) => running,
            None => self.start(self.refused())?,
        };
        Ok(self.running.insert(running))
    }

    /// Asks packets, and appends the answers until something happens.
    fn ask(
        &mut self,
        packets: &[&[u8]],
        window: usize,
        outcomes: &mut Vec<Outcome>,
    ) -> io::Result<Result<(), Stop>> {
        let (limits, start) = (self.limits, self.start);
        let alone = window == 1 || packets.len() == 1;
        let listen = if self.talkative && alone { Self::LISTEN } else { Duration::ZERO };
        if self.limits.is_over() {
            return Ok(Err(Stop::Over));
        }
        let running = self.running()?;
        running.is_asked = true;
        let first = match running.since {
            None => limits.time,
            Some(_) => limits.time + start.map_or(limits.start, |start| 2 * start + limits.time),
        };
        let tick = if running.is_limited { Self::TICK } else { Self::CLOSE_TICK };
        let manner = Manner { window, first, time: limits.time, listen, tick, until: limits.until };
        // What connects may have been started by a process that has ended since.
        let may_end = running.connection.is_some();
        let Running { process, conversation, .. } = running;
        let mut watched = Watched { process: process.as_mut(), memory: limits.memory, may_end };
        let before = outcomes.len();
        let asked = conversation.ask(packets, manner, &mut watched, outcomes);
        if outcomes.len() > before
            && let Some(since) = running.since.take()
        {
            // More than one answer may have been waited for, which is on the safe side.
            self.start = self.start.max(Some(since.elapsed()));
        }
        self.talkative |= matches!(asked, Err(Stop::OutOfTurn(_)));
        Ok(asked)
    }

    /// Returns the outcome of the one packet in flight when the conversation stopped.
    fn outcome(&mut self, stop: Stop, packet: &[u8]) -> io::Result<Outcome> {
        let was_first = self.running.as_ref().is_some_and(|running| running.since.is_some());
        let outcome = self.ending(stop)?;
        let Outcome::Crashed { status, stderr } = outcome else { return Ok(outcome) };
        if matches!(self.reach, Reach::Standing(_)) {
            return Ok(Outcome::Crashed { status, stderr });
        }
        if self.start.is_none() && !self.lives {
            self.must_live(&status, &stderr)?;
        }
        if self.wants_more(packet, was_first)? {
            return Ok(Outcome::OutOfMemory { limit: self.limits.memory, stderr });
        }
        Ok(Outcome::Crashed { status, stderr })
    }

    /// Returns the outcome for a stop. The decoder is ended.
    fn ending(&mut self, stop: Stop) -> io::Result<Outcome> {
        let mut process = self.running.take().and_then(|mut running| running.process.take());
        Ok(match stop {
            Stop::Over => return Err(over()),
            Stop::Ended => {
                let (status, stderr) = match process {
                    Some(process) => process.finish(self.limits.left(Process::LEAVE)),
                    None => ("connection closed".to_owned(), String::new()),
                };
                Outcome::Crashed { status, stderr }
            }
            Stop::TimedOut => Outcome::Hung { limit: self.limits.time },
            Stop::Memory => {
                let stderr = process.as_mut().map(Process::stderr).unwrap_or_default();
                Outcome::OutOfMemory { limit: self.limits.memory, stderr }
            }
            Stop::OutOfTurn(found) => Outcome::OutOfTurn { found },
            Stop::Unsendable(error) => {
                Outcome::Answered(Answer::Skipped { what: error.to_string() })
            }
        })
    }

    /// A decoder that never answered and has ended: whether it does so without being asked.
    fn must_live(&mut self, status: &str, stderr: &str) -> io::Result<()> {
        let mut running = self.start(self.refused())?;
        if let Some(process) = &mut running.process
            && process.ended(self.limits.left(Self::LIVES)).is_some()
        {
            let stderr = stderr.trim_end();
            let colon = if stderr.is_empty() { "" } else { ":\n" };
            let message = format!("it ends before it is asked anything ({status}){colon}{stderr}");
            return Err(io::Error::other(message));
        }
        if self.limits.is_over() {
            return Err(over());
        }
        self.lives = true;
        Ok(())
    }

    /// Whether a process ended on this packet because it was refused memory: again with the limit it
    /// ends, and without it grows too large, or does not end.
    fn wants_more(&mut self, packet: &[u8], was_first: bool) -> io::Result<bool> {
        if self.refused().is_none() {
            return Ok(false);
        }
        let mut nowhere = Vec::new();
        if !was_first {
            let again = self.ask(&[packet], 1, &mut nowhere)?;
            self.running = None;
            match again {
                Err(Stop::Memory) => return Ok(true),
                Err(Stop::Ended) => {}
                Err(Stop::Over) => return Err(over()),
                _ => return Ok(false),
            }
        }
        self.running.insert(self.start(None)?).is_limited = false;
        let unlimited = self.ask(&[packet], 1, &mut nowhere)?;
        self.running = None;
        match unlimited {
            Err(Stop::Over) => Err(over()),
            unlimited => Ok(matches!(unlimited, Ok(()) | Err(Stop::Memory | Stop::TimedOut))),
        }
    }

    /// Something happened to one of several packets that were on their way: asks them again one by one
    /// until it is known to which. Says how many have an outcome then.
    fn one_by_one(
        &mut self,
        packets: &[&[u8]],
        suspect: usize,
        stop: Stop,
        offset: usize,
        outcomes: &mut Vec<Outcome>,
    ) -> io::Result<usize> {
        let base = outcomes.len();
        let first = self.ending(stop)?;
        let mut started = None;
        for (position, packet) in packets.iter().enumerate() {
            let Err(stop) = self.ask(&[packet], 1, outcomes)? else {
                // Not before the first answer, which waits for the process to start.
                started.get_or_insert_with(Instant::now);
                continue;
            };
            if matches!(stop, Stop::Over) {
                self.running = None;
                return Err(over());
            }
            // What came before it was asked is the work of the one before.
            let unasked = self.running.as_ref().is_some_and(|it| it.conversation.open() == 0)
                && outcomes.len() == base + position;
            let culprit = if unasked { position.saturating_sub(1) } else { position };
            outcomes.truncate(base + culprit);
            let outcome = self.outcome(stop, packets.get(culprit).unwrap_or(packet))?;
            outcomes.push(outcome);
            return Ok(culprit + 1);
        }
        // Together they may have been slow, and none of them a fault.
        let took = started.map_or(Duration::ZERO, |started| started.elapsed());
        let slow = matches!(first, Outcome::Hung { .. }) && took > self.limits.time;
        if !slow && let Some(outcome) = outcomes.get_mut(base + suspect) {
            *outcome = first;
            self.unrepeated.push(offset + suspect);
        }
        Ok(packets.len())
    }
}

/// The process of a conversation, if it was started here.
struct Watched<'p> {
    process: Option<&'p mut Process>,
    memory: u64,
    may_end: bool,
}

impl Watch for Watched<'_> {
    fn wrong(&mut self) -> Option<Stop> {
        let process = self.process.as_mut()?;
        if process.exceeds(self.memory) {
            return Some(Stop::Memory);
        }
        // Something that it started may hold its output open.
        (!self.may_end && process.ended(Duration::ZERO).is_some()).then_some(Stop::Ended)
    }

    fn delay(&mut self) -> Duration {
        self.process.as_ref().map_or(Duration::ZERO, |process| process.delay())
    }
}

/// How a decoder took the end of its input.
pub(in crate::oracle) struct Ended {
    /// Unrequested bytes of the decoder; [`None`] if it did not stop sending.
    pub(in crate::oracle) stray: Option<Vec<u8>>,
    /// Whether its process ended as one that is done does; [`None`] where it did not end, or there is
    /// none.
    pub(in crate::oracle) success: Option<bool>,
    /// How it ended.
    pub(in crate::oracle) status: String,
    /// The end of what it printed on standard error.
    pub(in crate::oracle) stderr: String,
    /// Whether there is a process.
    pub(in crate::oracle) is_process: bool,
}

impl Persistent {
    /// Ends the decoder's input.
    pub(in crate::oracle) fn end_of_input(&mut self) -> io::Result<Ended> {
        self.running()?;
        let Some(mut running) = self.running.take() else {
            return Err(io::Error::from(ErrorKind::NotConnected));
        };
        let patience = self.limits.left(self.limits.time + Self::LIVES);
        running.conversation.close();
        if let Some(connection) = &running.connection {
            connection.shutdown(Shutdown::Write)?;
        }
        let stray = running.conversation.rest(patience);
        let status = running.process.as_mut().and_then(|process| process.ended(patience));
        let stderr = running.process.as_mut().map(Process::stderr).unwrap_or_default();
        Ok(Ended {
            stray,
            success: status.map(|status| status.success()),
            status: status.map(said).unwrap_or_default(),
            stderr,
            is_process: running.process.is_some(),
        })
    }
}

impl Target for Persistent {
    fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()> {
        self.unrepeated.clear();
        let start = outcomes.len();
        loop {
            let base = outcomes.len();
            let done = base - start;
            let rest = packets.get(done..).unwrap_or_default();
            if rest.is_empty() {
                return Ok(());
            }
            let Err(stop) = self.ask(rest, self.limits.batch, outcomes)? else { return Ok(()) };
            if matches!(stop, Stop::Over) {
                self.running = None;
                return Err(over());
            }
            let answered = outcomes.len() - base;
            let open = self.running.as_ref().map_or(0, |running| running.conversation.open());
            if rest.len() == 1 && open + answered == 1 {
                // It can only be this one, whether it was answered or not.
                outcomes.truncate(base);
                let outcome = self.outcome(stop, rest.first().unwrap_or(&[].as_slice()))?;
                outcomes.push(outcome);
                continue;
            }
            // An answer or a byte is missing or surplus, and the later ones were taken for the answers to other
            // packets. If the process ended there are no later ones.
            let is_certain = matches!(stop, Stop::Ended | Stop::Memory);
            let from = if is_certain { answered } else { 0 };
            let to = (answered + open.max(1)).min(rest.len());
            outcomes.truncate(base + from);
            let asked = rest.get(from..to).unwrap_or_default();
            let suspect = answered.min(rest.len().saturating_sub(1)) - from;
            self.one_by_one(asked, suspect, stop, done + from, outcomes)?;
        }
    }

    fn restart(&mut self) -> io::Result<()> {
        // One that was asked nothing is as good as a new one.
        self.running.take_if(|running| running.is_asked);
        self.running()?;
        Ok(())
    }

    fn until(&mut self, until: Option<Instant>) {
        self.limits.until = until;
    }

    fn start_up(&self) -> Option<Duration> {
        self.start
    }

    fn expect_start_up(&mut self, time: Duration) {
        self.start = self.start.max(Some(time));
    }

    fn cpu_time(&self) -> Option<Duration> {
        self.running.as_ref()?.process.as_ref()?.cpu_time()
    }

    fn unrepeated(&self) -> &[usize] {
        &self.unrepeated
    }
}

/// A decoder over a connection, which has started when it is connected.
fn connected(stream: TcpStream, process: Option<Process>) -> io::Result<Running> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    let conversation = Conversation::new(Link::new(stream.try_clone()?, stream.try_clone()?));
    let connection = Some(stream);
    Ok(Running {
        conversation,
        process,
        connection,
        since: None,
        is_asked: false,
        is_limited: true,
    })
}

/// Waits for a process to connect.
fn accept(listener: &TcpListener, process: &mut Process, limits: &Limits) -> io::Result<TcpStream> {
    let start = limits.start;
    let started = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(stream),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        let why = if let Some(status) = process.ended(Duration::ZERO) {
            format!("it ends before it connects ({})", said(status))
        } else if limits.is_over() {
            return Err(over());
        } else if started.elapsed() > start {
            format!("it does not connect within {start:?}")
        } else {
            thread::sleep(Persistent::RETRY);
            continue;
        };
        return Err(io::Error::other(format!("{why}:\n{}", process.stderr().trim_end())));
    }
}

/// Connects to a server, which may just be starting again.
fn connect(address: &str, limits: &Limits) -> io::Result<TcpStream> {
    /// The shortest time that may be said.
    const SHORTEST: Duration = Duration::from_millis(1);
    let start = limits.start;
    let started = Instant::now();
    loop {
        let mut failed = io::Error::from(ErrorKind::AddrNotAvailable);
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, limits.left(start).max(SHORTEST)) {
                Ok(stream) => return Ok(stream),
                Err(error) => failed = error,
            }
        }
        if limits.is_over() {
            return Err(over());
        }
        if started.elapsed() > start {
            let message = format!("{address} cannot be connected to: {failed}");
            return Err(io::Error::new(failed.kind(), message));
        }
        thread::sleep(Persistent::RETRY);
    }
}
