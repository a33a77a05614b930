//! Decoders that do everything wrong are driven: what befalls one packet is not blamed on another, and
//! nothing is left behind.

use std::time::Duration;

use formwork::oracle::protocol::Answer;
use formwork::oracle::target::{self, Limits, Outcome, Target, TargetSpec};

use crate::decoder;

fn limits() -> Limits {
    Limits { time: Duration::from_secs(2), memory: 256 << 20, ..Limits::default() }
}

fn open(arguments: &str) -> Box<dyn Target> {
    let spec = TargetSpec::persistent(&decoder::command(arguments)).expect("it is a command");
    target::open(&spec, &limits()).expect("it starts")
}

fn run(target: &mut dyn Target, packets: &[&str]) -> Vec<Outcome> {
    let packets: Vec<_> = packets.iter().map(|packet| packet.as_bytes()).collect();
    let mut outcomes = Vec::new();
    target.run(&packets, &mut outcomes).expect("it can be started");
    assert_eq!(outcomes.len(), packets.len());
    outcomes
}

/// The answer of a packet that nothing befell.
fn echo(packet: &str) -> Outcome {
    let consumed = u32::try_from(packet.len()).ok();
    Outcome::Answered(Answer::Accepted { consumed, bytes: packet.as_bytes().to_vec() })
}

/// In a word what came of a packet.
fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Answered(Answer::Accepted { .. }) => "accepted",
        Outcome::Answered(Answer::Rejected { .. }) => "rejected",
        Outcome::Answered(Answer::Skipped { .. }) => "skipped",
        Outcome::Crashed { .. } => "crashed",
        Outcome::Hung { .. } => "hung",
        Outcome::OutOfMemory { .. } => "memory",
        Outcome::OutOfTurn { .. } => "out of turn",
        _ => "?",
    }
}

#[test]
fn a_fault_is_blamed_on_its_packet_wherever_it_stands() {
    let faults = [
        ("crash", "crashed"),
        ("exit 0", "crashed"),
        ("hang", "hung"),
        ("spin", "hung"),
        ("silent", "hung"),
        ("half", "out of turn"),
        ("garbage", "out of turn"),
        ("twice", "out of turn"),
        ("short", "out of turn"),
        ("flood", "out of turn"),
        ("grow", "memory"),
        ("reserve 9999999999", "memory"),
    ];
    std::thread::scope(|scope| {
        for (fault, expected) in faults {
            for arguments in ["", "buffered"] {
                // What is buffered until the end of the input never arrives.
                let last = if arguments.is_empty() { "last" } else { "flush" };
                scope.spawn(move || {
                    let mut target = open(arguments);
                    let packets = ["a", "bb", "ccc", fault, "dddd", "", "flush", last];
                    for _ in 0..2 {
                        let outcomes = run(&mut *target, &packets);
                        for (packet, outcome) in packets.iter().zip(&outcomes) {
                            if *packet == fault {
                                assert_eq!(word(outcome), expected, "{fault}: {outcome:?}");
                            } else {
                                assert_eq!(*outcome, echo(packet), "beside {fault}");
                            }
                        }
                        assert!(target.unrepeated().is_empty(), "{fault}");
                    }
                });
            }
        }
    });
}
