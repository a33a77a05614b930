//! Parses targets as they are given on the command line.

use std::fmt;
use std::time::{Duration, Instant};

/// Placeholder in a command for the port to connect to.
const PORT: &str = "{port}";
/// Placeholder in a command for the file with the packet.
const FILE: &str = "{}";

/// The resources that a decoder may use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// How long an answer may take, once everything before it is answered. On Linux, the time in which a
    /// process of ours waits for a processor does not count, up to ten times this limit.
    pub time: Duration,
    /// How long a process may take to start, until its first answer (or its connection).
    pub start: Duration,
    /// Bytes of memory that a process may have; 0 for any number. On Linux it is refused more, and
    /// ended where it, with the processes it started, has more in memory; elsewhere nothing is done.
    pub memory: u64,
    /// Packets that may be sent before the first of them is answered.
    pub batch: usize,
    /// When to give up whatever is going on; [`None`]: never. Later than this nothing is started and
    /// nothing is waited for.
    pub until: Option<Instant>,
}

impl Limits {
    /// Returns how much of `time` is left: all of it, or less where the end comes before.
    pub(super) fn left(&self, time: Duration) -> Duration {
        self.until.map_or(time, |until| time.min(until.saturating_duration_since(Instant::now())))
    }

    /// Returns whether the end has come.
    pub(super) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Default for Limits {
    /// Two seconds, half a minute to start, 1 GiB, 256 packets.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(2),
            start: Duration::from_secs(30),
            memory: 1 << 30,
            batch: 256,
            until: None,
        }
    }
}

/// The decoder to test, and the way to reach it.
///
/// ```
/// use formwork_kit::oracle::target::TargetSpec;
///
/// let spec = TargetSpec::persistent("python3 'my decoder.py' --quiet")?;
/// assert_eq!(spec.to_string(), "python3 'my decoder.py' --quiet");
/// assert!(TargetSpec::persistent("tcp://localhost:4242").is_ok());
/// assert!(TargetSpec::persistent("python3 'my decoder.py").is_err());
/// # Ok::<(), formwork_kit::oracle::target::BadTarget>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TargetSpec {
    text: String,
    pub(super) route: Route,
}

/// How a decoder is reached.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Route {
    /// It stays, and speaks the protocol over a stream.
    Stream(Reach),
    /// A server that gets a packet in each datagram, and sends an answer in each.
    Udp(String),
    /// A process for each packet.
    PerCase {
        command: Vec<String>,
        /// Exit statuses that say: rejected.
        reject: Vec<i32>,
    },
}

/// How a decoder that stays is reached.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Reach {
    /// It is started, and talks over its standard input and output.
    Pipes(Vec<String>),
    /// It is started, and connects to us.
    Connecting(Vec<String>),
    /// It is there, and is connected to.
    Standing(String),
}

impl TargetSpec {
    /// The default exit status by which a process that gets one packet reports that it rejects it: 1. It is not 2, with
    /// which a Go program ends that panics.
    pub const REJECT_STATUS: i32 = 1;

    /// The exit status by which such a process says that it does not claim to read this: 77, as in
    /// Automake's tests.
    pub const SKIP_STATUS: i32 = 77;

    /// A decoder that stays and answers many packets, in the [protocol](crate::oracle::protocol):
    ///
    /// * a command: it is split into words as a shell does, but no shell runs it. The process answers
    ///   on its standard output what it reads from its standard input;
    /// * a command with `{port}` in it, for what has no binary standard input: `{port}` becomes a
    ///   number, to which the process connects on 127.0.0.1, and over that connection it answers;
    /// * `tcp://HOST:PORT`: a server that answers over a connection;
    /// * `udp://HOST:PORT`: a server that gets a packet (without a length) in each datagram, and sends
    ///   an answer in each.
    ///
    /// # Errors
    ///
    /// Fails if the text is none of these.
    pub fn persistent(text: &str) -> Result<Self, BadTarget> {
        let route = if let Some(address) = text.strip_prefix("tcp://") {
            Route::Stream(Reach::Standing(address_of(text, address)?))
        } else if let Some(address) = text.strip_prefix("udp://") {
            Route::Udp(address_of(text, address)?)
        } else {
            let words = words(text)?;
            Route::Stream(if text.contains(PORT) {
                Reach::Connecting(words)
            } else {
                Reach::Pipes(words)
            })
        };
        Ok(Self { text: text.to_owned(), route })
    }

    /// A command that is run for each packet, which it gets on its standard input or, where the command
    /// has `{}` in it, in a file whose name replaces `{}`. Its exit is its answer:
    ///
    /// * exit status 0: accepted, and what it prints is the form that was agreed on (nothing, if it
    ///   cannot say);
    /// * exit status 1, or those given by [`TargetSpec::reject_statuses`]: rejected, and the end of
    ///   what it prints on standard error is the message;
    /// * exit status 77: skipped, the same;
    /// * any other, and any signal: it crashed. A panic is 101 in Rust and 2 in Go. Uncaught exceptions
    ///   are 1 in Python, JavaScript and Java, and so look like a rejection: a decoder whose exceptions
    ///   are faults should catch those that are not, and exit with 1 itself, and end by a signal
    ///   otherwise.
    ///
    /// # Errors
    ///
    /// Fails if the text is no command.
    pub fn per_case(text: &str) -> Result<Self, BadTarget> {
        if text.starts_with("tcp://") || text.starts_with("udp://") || text.contains(PORT) {
            return Err(BadTarget::new(text, "is no command to run for each packet"));
        }
        let route = Route::PerCase { command: words(text)?, reject: vec![Self::REJECT_STATUS] };
        Ok(Self { text: text.to_owned(), route })
    }

    /// Chooses the exit statuses that say that a packet is rejected. (Only a command that is run for
    /// each packet has such.)
    #[must_use]
    pub fn reject_statuses(mut self, statuses: Vec<i32>) -> Self {
        if let Route::PerCase { reject, .. } = &mut self.route {
            *reject = statuses;
        }
        self
    }

    /// Whether it is a command that is run for each packet.
    #[must_use]
    pub const fn is_per_case(&self) -> bool {
        matches!(self.route, Route::PerCase { .. })
    }
}

impl fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// The words of a command; there is one at least.
fn words(text: &str) -> Result<Vec<String>, BadTarget> {
    match shlex::split(text) {
        None => Err(BadTarget::new(text, "has a quotation mark that is not closed")),
        Some(words) if words.is_empty() => Err(BadTarget::new(text, "is no command")),
        Some(words) => Ok(words),
    }
}

fn address_of(text: &str, address: &str) -> Result<String, BadTarget> {
    match address.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(address.to_owned())
        }
        _ => Err(BadTarget::new(text, "names no host and port")),
    }
}

/// The command with the port in it.
pub(super) fn with_port(command: &[String], port: u16) -> Vec<String> {
    command.iter().map(|word| word.replace(PORT, &port.to_string())).collect()
}

/// The command with the name of a file in it, if it asks for one.
pub(super) fn with_file(command: &[String], file: &str) -> Vec<String> {
    command.iter().map(|word| word.replace(FILE, file)).collect()
}

/// Whether the packet goes into a file.
pub(super) fn wants_file(command: &[String]) -> bool {
    command.iter().any(|word| word.contains(FILE))
}

/// The text is no target.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BadTarget {
    text: String,
    why: &'static str,
}

impl BadTarget {
    fn new(text: &str, why: &'static str) -> Self {
        Self { text: text.to_owned(), why }
    }
}

impl fmt::Display for BadTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the target `{}` {}", self.text, self.why)
    }
}

impl std::error::Error for BadTarget {}
