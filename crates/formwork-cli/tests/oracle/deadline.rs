//! The time limit is kept, whatever the target does. No test here measures time. The limits that would
//! otherwise have to pass are an hour, and a target is given a point in time, which is compared with others.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use formwork_kit::case::{Cases, Profile, Reading};
use formwork_kit::oracle::campaign::{Campaign, End, Options, Run, State, Watch};
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::target::{self, Limits, Outcome, Target, TargetSpec};
use formwork_kit::oracle::{Cut, Finding, Judge, Kind, Responder};

use crate::decoder;

const HOUR: Duration = Duration::from_secs(3600);

/// A time that is over soon: the tests only check whether the run ends at all.
const BRIEF: Duration = Duration::from_millis(300);

fn brief() -> Limits {
    let until = Some(Instant::now() + BRIEF);
    Limits { time: HOUR, start: HOUR, memory: 256 << 20, until, ..Limits::default() }
}

#[test]
fn a_process_that_hangs_is_given_up_when_the_time_is_over() {
    for arguments in ["", "buffered", "{port}"] {
        let spec = TargetSpec::persistent(&decoder::command(arguments)).expect("a command");
        for fault in ["hang", "spin", "silent", "half", "short"] {
            let mut target = target::open(&spec, &Limits { until: None, ..brief() }).unwrap();
            target.until(brief().until);
            let mut outcomes = Vec::new();
            let error = target.run(&[b"a", fault.as_bytes()], &mut outcomes).expect_err(fault);
            assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{fault}, {arguments}: {error}");
            assert!(outcomes.len() < 2, "{fault}, {arguments}: {outcomes:?}");
        }
    }
}

#[test]
fn a_process_for_each_packet_is_given_up_when_the_time_is_over() {
    for arguments in ["case", "case {}"] {
        let spec = TargetSpec::per_case(&decoder::command(arguments)).expect("a command");
        let mut target = target::open(&spec, &brief()).unwrap();
        let error = target.run(&[b"hang", b"hang", b"hang"], &mut Vec::new()).expect_err("over");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{error}");
    }
}

#[cfg(unix)]
#[test]
fn what_never_starts_is_given_up_when_the_time_is_over() {
    for command in ["sleep 1000", "sleep 1000 {port}", "sh -c 'trap \"\" TERM; sleep 1000'"] {
        let spec = TargetSpec::persistent(command).expect("a command");
        let mut outcomes = Vec::new();
        let error = target::open(&spec, &brief())
            .and_then(|mut target| target.run(&[b"a"], &mut outcomes))
            .expect_err("it does not answer");
        assert_eq!(
            (error.kind(), outcomes.len()),
            (io::ErrorKind::TimedOut, 0),
            "{command}: {error}"
        );
    }
}

/// A target in this process that hangs on some packets as long as it may, and records its deadlines.
#[derive(Clone)]
struct Hanging {
    told: Arc<Mutex<Vec<Instant>>>,
    until: Option<Instant>,
    responder: Responder,
    /// Returns whether a packet hangs.
    hangs: fn(&[u8]) -> bool,
}

impl Target for Hanging {
    fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()> {
        for packet in packets {
            if (self.hangs)(packet) {
                // The caller waits no longer than that.
                let until = self.until.expect("it was told when to give up");
                std::thread::sleep(until.saturating_duration_since(Instant::now()));
                return Err(io::Error::from(io::ErrorKind::TimedOut));
            }
            outcomes.push(Outcome::Answered(self.responder.answer(packet)));
        }
        Ok(())
    }

    fn restart(&mut self) -> io::Result<()> {
        // Past the deadline, no process would start either.
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(io::Error::from(io::ErrorKind::TimedOut));
        }
        Ok(())
    }

    fn until(&mut self, until: Option<Instant>) {
        self.told.lock().unwrap().extend(until);
        self.until = until;
    }
}

struct Nobody;

impl Watch for Nobody {
    fn found(&mut self, _: &Finding) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn progress(&mut self, _: &State) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
}

fn reading() -> Reading {
    Reading { format: "godot3".parse().unwrap(), allow_objects: false }
}

/// Runs a campaign of these cases against a target.
fn run<T: Target + 'static>(
    cases: &Cases,
    state: &mut State,
    options: Options,
    open: impl Fn() -> T,
) -> End {
    let judge = Judge::new(reading());
    let target = || Ok(Box::new(open()) as Box<dyn Target>);
    let campaign =
        Campaign { cases, first: &[], judge: &judge, target: &target, reference: None, options };
    campaign.run(state, &mut Nobody).unwrap()
}

#[test]
fn a_campaign_tells_all_its_targets_when_to_give_up() {
    let cases = Cases::new(reading(), 1);
    let told = Arc::new(Mutex::new(Vec::new()));
    let target = Hanging {
        told: Arc::clone(&told),
        until: None,
        responder: Responder::new(reading()),
        hangs: |packet| packet.len() > 8,
    };
    let mut options = Options::default();
    options.time = Some(Duration::from_millis(400));
    let before = Instant::now();
    let mut state = State::new(Run::new(reading(), 1, Vec::new()));
    assert_eq!(run(&cases, &mut state, options, || target.clone()), End::Time);
    let told = told.lock().unwrap();
    assert!(!told.is_empty());
    // The campaign began at `before` or later; `told` has the deadlines.
    let first = *told.iter().min().unwrap();
    let last = *told.iter().max().unwrap();
    assert!(first > before);
    assert!(last - first <= Duration::from_millis(440), "{:?}", last - first);
}

/// A target that is wrong about one packet and gives only one wrong answer, so that the finding could not be
/// repeated in time.
struct Once {
    wrong: Arc<Mutex<HashMap<Vec<u8>, u32>>>,
    responder: Responder,
    until: Option<Instant>,
}

impl Target for Once {
    fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()> {
        for packet in packets {
            let mut wrong = self.wrong.lock().unwrap();
            let times = wrong.entry(packet.to_vec()).or_default();
            *times += 1;
            if packet.is_empty() && *times > 1 {
                drop(wrong);
                let until = self.until.expect("it was told when to give up");
                std::thread::sleep(until.saturating_duration_since(Instant::now()));
                return Err(io::Error::from(io::ErrorKind::TimedOut));
            }
            outcomes.push(Outcome::Answered(match packet.is_empty() {
                true => Answer::Accepted { consumed: Some(0), bytes: Vec::new() },
                false => self.responder.answer(packet),
            }));
        }
        Ok(())
    }

    fn restart(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn until(&mut self, until: Option<Instant>) {
        self.until = until;
    }
}

#[test]
fn what_could_not_be_tried_again_in_time_is_a_finding_that_says_so() {
    let cases = Cases::new(reading(), 1).profiles(&[Profile::Enumerate]);
    let empty = (0..cases.enumerated()).find(|&number| cases.case(number).bytes.is_empty());
    let empty = empty.expect("the empty packet is enumerated");
    let wrong = Arc::new(Mutex::new(HashMap::new()));
    let open = || {
        let (wrong, responder) = (Arc::clone(&wrong), Responder::new(reading()));
        Once { wrong, responder, until: None }
    };
    let mut options = Options::default();
    options.count = Some(empty + 1);
    options.time = Some(Duration::from_secs(2));
    options.growth = false;
    let mut state = State::new(Run::new(reading(), 1, Vec::new()));
    state.next = empty;
    run(&cases, &mut state, options, open);
    let found: Vec<_> =
        state.findings.iter().map(|it| (it.difference.kind, it.cut, it.packet.len())).collect();
    assert_eq!(found, [(Kind::AcceptsInvalid, Cut::Confirming, 0)]);
}

/// Lets the time run out at the first packet of the growth measurement. The resumed run asks another target.
#[test]
fn growth_that_was_cut_short_is_measured_when_the_run_goes_on() {
    struct Busy {
        responder: Responder,
        until: Option<Instant>,
        is_busy: bool,
    }
    impl Target for Busy {
        fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()> {
            for packet in packets {
                if let Some(until) = self.until.filter(|_| self.is_busy && packet.len() > 4096) {
                    std::thread::sleep(until.saturating_duration_since(Instant::now()));
                    return Err(io::Error::from(io::ErrorKind::TimedOut));
                }
                outcomes.push(Outcome::Answered(self.responder.answer(packet)));
            }
            Ok(())
        }

        fn restart(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn until(&mut self, until: Option<Instant>) {
            self.until = until;
        }

        fn cpu_time(&self) -> Option<Duration> {
            self.is_busy.then_some(Duration::ZERO)
        }
    }
    let cases = Cases::new(reading(), 1).profiles(&[Profile::Valid]);
    let measure = |state: &mut State, time: Option<Duration>| {
        let (responder, is_busy) = (Responder::new(reading()), time.is_some());
        let mut options = Options::default();
        (options.count, options.time) = (Some(state.next), time);
        run(&cases, state, options, || Busy { responder, until: None, is_busy })
    };
    let mut state = State::new(Run::new(reading(), 1, Vec::new()));
    measure(&mut state, Some(BRIEF));
    assert!(!state.grown, "what was cut short counts as done");
    // With unlimited time, the growth is measured to the end.
    measure(&mut state, None);
    assert!(state.grown);
}

#[cfg(unix)]
#[test]
fn the_command_ends_when_its_time_is_over() {
    let program = env!("CARGO_BIN_EXE_formwork-kit");
    let hours = ["--time-limit", "1h", "--start-limit", "1h"];
    for (target, more) in [
        ("sleep 1000", vec![]),
        ("sleep 1000", vec!["--no-check-target"]),
        ("sleep 1000 {port}", vec!["--no-check-target"]),
        ("sleep 1000", vec!["--per-case", "--no-check-target"]),
    ] {
        let output = Command::new(program)
            .args(["fuzz", "--format", "godot3", "--time", "500ms", "--target", target])
            .args(hours)
            .args(&more)
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Nothing is known about a target that gave no answer.
        assert_eq!(output.status.code(), Some(3), "{target} {more:?}: {said}");
        assert!(said.contains("the target"), "{said}");
    }
}

/// The enumeration begins with the empty packet. A decoder that hangs on it is known to have started, so the
/// hour that a start may take is not waited for. The second process also uses this knowledge.
#[test]
fn a_hang_on_the_first_packet_does_not_wait_for_the_start() {
    let program = env!("CARGO_BIN_EXE_formwork-kit");
    let output = Command::new(program)
        .args(["fuzz", "--format", "godot3", "--count", "1", "--no-growth", "--start-limit", "1h"])
        .args(["--time-limit", "1s", "--target", &decoder::command("mute")])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(r#""kind":"hang""#), "{said}");
}
