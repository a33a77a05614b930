//! Decoders under test, and how they are reached.

mod conversation;
mod datagram;
mod link;
mod per_case;
mod persistent;
mod process;
mod spec;
mod tail;

pub use spec::{BadTarget, Limits, TargetSpec};

use std::io;
use std::time::{Duration, Instant};

use datagram::Datagrams;
use per_case::PerCase;
pub(super) use persistent::Ended;
use persistent::Persistent;
use spec::Route;

pub use super::outcome::Outcome;

/// A decoder under test.
pub trait Target: Send {
    /// Sends the packets, all before the first answer is waited for, and appends one outcome for
    /// each, in order. A process that crashed, hung or answered out of turn is replaced, and the
    /// packets after it are sent to the new one: a fault is blamed on its own packet only. (A surplus answer that
    /// arrives after all packets have one cannot be detected here. The campaign detects it: it sends each packet with a
    /// wrong answer again alone.)
    ///
    /// # Errors
    ///
    /// Fails if the target cannot be started or reached at all; or, with the kind
    /// [`TimedOut`](io::ErrorKind::TimedOut), if the time given by [`Target::until`] is over: then only the packets
    /// whose outcome was known in time have one.
    fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()>;

    /// Sees to it that the next packet meets a decoder that has seen none.
    ///
    /// # Errors
    ///
    /// Fails if the target cannot be started or reached, or the time is over.
    fn restart(&mut self) -> io::Result<()>;

    /// Says when to give up whatever is going on; [`None`]: never. A target that does not keep this
    /// holds up the end of a campaign.
    fn until(&mut self, _: Option<Instant>) {}

    /// Returns how long the decoder takes to start, as far as that was seen.
    fn start_up(&self) -> Option<Duration> {
        None
    }

    /// Tells how long the decoder took to start elsewhere, so that an answer to the first packet is not
    /// waited for as long as an unknown decoder may take to start.
    fn expect_start_up(&mut self, _: Duration) {}

    /// How long the decoder's process has been computing since it was started, where that can be
    /// known.
    fn cpu_time(&self) -> Option<Duration> {
        None
    }

    /// Returns the packets of the last run whose outcome did not come again when they were sent one by one. A fault
    /// while several packets were in flight is the outcome of the first of them without an answer; earlier packets may
    /// have caused it.
    fn unrepeated(&self) -> &[usize] {
        &[]
    }
}

/// Returns the error that says that the time is over.
fn over() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the time is over")
}

/// Starts or reaches a decoder. (One that is run for each packet is started with the first. A UDP server is not
/// contacted before it either.)
///
/// # Errors
///
/// Fails if it cannot be started or reached.
pub fn open(spec: &TargetSpec, limits: &Limits) -> io::Result<Box<dyn Target>> {
    Ok(match &spec.route {
        Route::Udp(address) => Box::new(Datagrams::open(address, *limits)?),
        Route::PerCase { command, reject } => {
            Box::new(PerCase::new(command.clone(), reject.clone(), *limits))
        }
        Route::Stream(reach) => Box::new(Persistent::open(reach.clone(), *limits)?),
    })
}

/// Starts or reaches a decoder, asks it packets, and ends its input. [`None`] where a decoder so reached
/// has no input that could end.
pub(super) fn end_of_input(
    spec: &TargetSpec,
    limits: &Limits,
    packets: &[&[u8]],
) -> io::Result<Option<(Vec<Outcome>, Ended)>> {
    let Route::Stream(reach) = &spec.route else { return Ok(None) };
    let mut target = Persistent::open(reach.clone(), *limits)?;
    let mut outcomes = Vec::new();
    target.run(packets, &mut outcomes)?;
    Ok(Some((outcomes, target.end_of_input()?)))
}
