//! Drives decoders with every kind of fault. The fault of one packet is not blamed on another, and no process
//! is left behind.

use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use formwork_kit::oracle::protocol::{Answer, serve};
use formwork_kit::oracle::target::{self, Limits, Outcome, Target, TargetSpec};

use crate::decoder;

/// A limit that is long enough for a busy machine if nothing hangs.
const PATIENCE: Duration = Duration::from_secs(30);

fn limits(time: Duration) -> Limits {
    Limits { time, memory: 64 << 20, ..Limits::default() }
}

fn open_with(arguments: &str, limits: Limits) -> Box<dyn Target> {
    let spec = TargetSpec::persistent(&decoder::command(arguments)).expect("it is a command");
    target::open(&spec, &limits).expect("it starts")
}

fn open(arguments: &str) -> Box<dyn Target> {
    open_with(arguments, limits(PATIENCE))
}

fn run(target: &mut dyn Target, packets: &[&str]) -> Vec<Outcome> {
    let packets: Vec<_> = packets.iter().map(|packet| packet.as_bytes()).collect();
    let mut outcomes = Vec::new();
    target.run(&packets, &mut outcomes).expect("it can be started");
    assert_eq!(outcomes.len(), packets.len());
    outcomes
}

/// Returns the answer to a packet without a fault.
fn echo(packet: &str) -> Outcome {
    let consumed = u32::try_from(packet.len()).ok();
    Outcome::Answered(Answer::Accepted { consumed, bytes: packet.as_bytes().to_vec() })
}

fn rejected(offset: Option<u32>) -> Outcome {
    Outcome::Answered(Answer::Rejected { offset, message: "rejected, as told".to_owned() })
}

/// Returns the outcome of a packet as a word.
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

/// Checks that a fault among faultless packets is blamed on the right packet, twice.
fn is_found(fault: &str, expected: &str, time: Duration) {
    for arguments in ["", "buffered"] {
        let mut target = open_with(arguments, limits(time));
        let packets = ["a", "bb", "ccc", fault, "dddd", "", "last"];
        for _ in 0..2 {
            let outcomes = run(&mut *target, &packets);
            for (packet, outcome) in packets.iter().zip(&outcomes) {
                if *packet == fault {
                    assert_eq!(word(outcome), expected, "{fault}: {outcome:?}");
                } else {
                    assert_eq!(*outcome, echo(packet), "beside {fault}, {arguments}");
                }
            }
            assert!(target.unrepeated().is_empty(), "{fault}, {arguments}");
        }
        // A single packet has the same outcome.
        target.restart().expect("it starts");
        assert_eq!(word(&run(&mut *target, &[fault])[0]), expected);
        assert_eq!(run(&mut *target, &["after"]), [echo("after")]);
    }
}

#[test]
fn a_crash_is_blamed_on_its_packet() {
    is_found("crash", "crashed", PATIENCE);
    is_found("exit 0", "crashed", PATIENCE);
}

#[test]
fn what_is_no_answer_is_blamed_on_its_packet() {
    for fault in ["garbage", "twice", "flood"] {
        is_found(fault, "out of turn", PATIENCE);
    }
}

#[test]
#[ignore = "waits for a minute for what never answers; .ci/run has the time"]
fn a_hang_is_blamed_on_its_packet() {
    let time = Duration::from_secs(3);
    thread::scope(|scope| {
        let faults = [
            ("hang", "hung"),
            ("silent", "hung"),
            ("half", "out of turn"),
            ("short", "out of turn"),
        ];
        for (fault, expected) in faults {
            scope.spawn(move || is_found(fault, expected, time));
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_told_from_a_crash() {
    is_found("grow", "memory", PATIENCE);
    // The memory is refused at once; otherwise it would never be used.
    is_found("reserve 999999999", "memory", PATIENCE);
    // A decoder that continues without the memory has no fault.
    let mut target = open("");
    let answer = Answer::Rejected { offset: Some(0), message: "too large".to_owned() };
    assert_eq!(run(&mut *target, &["try 999999999"]), [Outcome::Answered(answer)]);
    assert_eq!(run(&mut *target, &["try 99999"]), [echo("try 99999")]);
    // Without a limit, the memory is granted.
    let mut target = open_with("", Limits { memory: 0, ..limits(PATIENCE) });
    assert_eq!(run(&mut *target, &["reserve 999999999"]), [echo("reserve 999999999")]);
}

#[test]
fn how_it_ended_is_said() {
    let mut target = open("");
    let outcomes = run(&mut *target, &["crash", "exit 0", "exit 101"]);
    let said = |outcome: &Outcome| match outcome {
        Outcome::Crashed { status, stderr } => (status.clone(), stderr.clone()),
        other => panic!("{other:?}"),
    };
    let statuses: Vec<_> = outcomes.iter().map(said).collect();
    assert_eq!(statuses[0].1, "crashing, as told\n");
    if cfg!(target_os = "linux") {
        assert_eq!(statuses[0].0, "signal 6 (SIGABRT)");
    }
    assert_eq!(statuses[1].0, "exit status 0");
    assert_eq!(statuses[2].0, "exit status 101");
}

#[test]
fn many_packets_of_all_sizes_come_back_in_order() {
    for arguments in ["", "buffered", "{port}", "buffered {port}"] {
        let mut target = open(arguments);
        let large = "x".repeat(3_000_000);
        let packets: Vec<_> = (0..2000)
            .map(|number| match number % 500 {
                77 => format!("{number}{large}"),
                _ => format!("{number}{}", &large[..number % 300]),
            })
            .collect();
        let packets: Vec<_> = packets.iter().map(String::as_str).collect();
        let outcomes = run(&mut *target, &packets);
        for (packet, outcome) in packets.iter().zip(&outcomes) {
            assert!(*outcome == echo(packet), "{}", &packet[..8.min(packet.len())]);
        }
    }
}

#[test]
fn rejections_have_a_place_and_a_message() {
    let mut target = open("");
    let outcomes = run(&mut *target, &["reject 7", "a", "reject 4294967295"]);
    assert_eq!(outcomes, [rejected(Some(7)), echo("a"), rejected(None)]);
}

#[test]
fn what_is_printed_on_standard_error_does_not_hold_it_up() {
    // The decoder prints a megabyte.
    let mut target = open("");
    assert_eq!(run(&mut *target, &["complain", "b"]), [echo("complain"), echo("b")]);
    let Some(Outcome::Crashed { stderr, .. }) = run(&mut *target, &["crash"]).pop() else {
        panic!("it crashes")
    };
    assert!(stderr.len() <= 4096, "{}", stderr.len());
    assert!(stderr.ends_with("something is wrong\ncrashing, as told\n"), "{stderr}");
}

#[test]
fn what_depends_on_packets_before_is_said_not_to_come_again() {
    let mut target = open("buffered");
    assert_eq!(run(&mut *target, &["poison"]), [echo("poison")]);
    let outcomes = run(&mut *target, &["a", "dose", "b"]);
    // The first unanswered packet is blamed.
    let first = outcomes.iter().position(|outcome| word(outcome) == "crashed");
    let first = first.unwrap_or_else(|| panic!("{outcomes:?}"));
    assert!(first <= 1, "{outcomes:?}");
    assert_eq!(target.unrepeated(), [first]);
    assert_eq!(run(&mut *target, &["dose"]), [echo("dose")]);
    assert!(target.unrepeated().is_empty());
    // If the cause is among the packets, the crash is repeated.
    let outcomes = run(&mut *target, &["a", "poison", "b", "dose", "c"]);
    assert_eq!(word(&outcomes[3]), "crashed");
    assert!(target.unrepeated().is_empty());
}

#[test]
fn many_that_are_slow_together_do_not_hang() {
    // Each answer comes well within the limit, but all answers together take longer.
    let mut target = open_with("buffered", limits(Duration::from_secs(2)));
    assert_eq!(run(&mut *target, &["a"]), [echo("a")]);
    let packets = ["sleep 400"; 12];
    assert!(run(&mut *target, &packets).iter().all(|outcome| *outcome == echo("sleep 400")));
    assert!(target.unrepeated().is_empty());
}

#[test]
fn what_cannot_start_is_said_to() {
    let none = TargetSpec::persistent("no-such-program --at-all").expect("it is a command");
    let error = target::open(&none, &limits(PATIENCE)).err().expect("there is none");
    assert!(error.to_string().starts_with("no-such-program cannot be started"), "{error}");
    for arguments in ["exit", "exit {port}"] {
        let spec = TargetSpec::persistent(&decoder::command(arguments)).expect("it is a command");
        let error = target::open(&spec, &limits(PATIENCE))
            .and_then(|mut target| target.run(&[b"a", b"b"], &mut Vec::new()))
            .expect_err("it ends at once");
        let error = error.to_string();
        assert!(error.contains("exit status 3") && error.ends_with("no configuration"), "{error}");
    }
}

#[test]
fn what_it_says_unasked_is_out_of_turn() {
    let mut target = open("banner");
    let outcomes = run(&mut *target, &["a", "b"]);
    let Outcome::OutOfTurn { found } = &outcomes[0] else { panic!("{outcomes:?}") };
    assert!(found.contains("Welcome!"), "{found}");
}

/// Returns whether a process with this number is alive.
#[cfg(target_os = "linux")]
fn is_alive(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // A process that has ended and waits for its parent does not count.
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[cfg(target_os = "linux")]
fn must_end(id: &str) {
    let started = Instant::now();
    while is_alive(id) {
        assert!(started.elapsed() < PATIENCE, "{id} is left behind");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the number of the child that the decoder printed.
#[cfg(target_os = "linux")]
fn child(stderr: &str) -> String {
    let line = stderr.lines().find_map(|line| line.strip_prefix("child ")).expect("it has one");
    line.to_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind() {
    // The child ends with the decoder, however the decoder ends.
    for fault in ["crash", "exit 0"] {
        let mut target = open("child");
        let Outcome::Crashed { stderr, .. } = &run(&mut *target, &[fault])[0] else { panic!() };
        must_end(&child(stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind_by_one_that_is_dropped() {
    // A file has the number of the child, because a dropped target reports nothing.
    let folder = tempfile::tempdir().expect("there is room");
    let script = folder.path().join("both.sh");
    let program = decoder::command("");
    let text = format!("sleep 1000 & echo $! > child; echo $$ > self; {program}");
    std::fs::write(&script, text).expect("there is room");
    let (own, child) = (folder.path().join("self"), folder.path().join("child"));
    let command = format!("sh -c 'cd {} && . ./both.sh'", folder.path().display());
    let spec = TargetSpec::persistent(&command).expect("it is a command");
    let mut target = target::open(&spec, &limits(PATIENCE)).expect("it starts");
    assert_eq!(run(&mut *target, &["a"]), [echo("a")]);
    let number = |path: &Path| std::fs::read_to_string(path).expect("it is written");
    let (own, child) = (number(&own), number(&child));
    assert!(is_alive(own.trim()) && is_alive(child.trim()));
    drop(target);
    must_end(own.trim());
    must_end(child.trim());
}

#[cfg(target_os = "linux")]
#[test]
fn memory_of_what_it_starts_counts_too() {
    // A shell runs the decoder and waits for it.
    let command = format!("sh -c \"{}; true\"", decoder::command("").replace('\'', ""));
    let spec = TargetSpec::persistent(&command).expect("it is a command");
    let mut target = target::open(&spec, &limits(PATIENCE)).expect("it starts");
    let outcomes = run(&mut *target, &["a", "grow", "b"]);
    assert_eq!(outcomes.iter().map(word).collect::<Vec<_>>(), ["accepted", "memory", "accepted"]);
}

#[cfg(target_os = "linux")]
#[test]
fn its_time_is_counted() {
    let mut target = open("");
    run(&mut *target, &["a"]);
    let before = target.cpu_time().expect("it runs");
    run(&mut *target, &["sleep 400"]);
    let slept = target.cpu_time().expect("it runs") - before;
    run(&mut *target, &["work 400"]);
    let worked = target.cpu_time().expect("it runs") - before - slept;
    assert!(worked > Duration::from_millis(10).max(slept), "{worked:?}, {slept:?}");
}

#[test]
fn a_process_for_each_packet() {
    // Both tests wait for the limit of a hang, so they run at the same time.
    thread::scope(|tests| {
        for arguments in ["case", "case {}"] {
            tests.spawn(|| a_process_is_started_for_each(arguments));
        }
    });
}

fn a_process_is_started_for_each(arguments: &str) {
    let spec = TargetSpec::per_case(&decoder::command(arguments)).expect("it is a command");
    let mut target = target::open(&spec, &limits(Duration::from_secs(5))).expect("it starts");
    let accepted = |bytes: &str| {
        let bytes = bytes.as_bytes().to_vec();
        Outcome::Answered(Answer::Accepted { consumed: None, bytes })
    };
    let large = "y".repeat(1 << 20);
    let mut packets = vec!["a", "", "reject", "skip", "status 9", "crash", "hang", &large, "b"];
    if cfg!(target_os = "linux") {
        packets.push("grow");
    }
    let outcomes = run(&mut *target, &packets);
    assert_eq!(outcomes[..3], [accepted("a"), accepted(""), rejected(None)]);
    assert_eq!(word(&outcomes[3]), "skipped");
    let status = "exit status 9".to_owned();
    assert_eq!(outcomes[4], Outcome::Crashed { status, stderr: String::new() });
    assert_eq!((word(&outcomes[5]), word(&outcomes[6])), ("crashed", "hung"));
    assert!(outcomes[7] == accepted(&large) && outcomes[8] == accepted("b"));
    assert!(packets.len() == 9 || word(&outcomes[9]) == "memory", "{:?}", outcomes[9]);
    let mut target = target::open(&spec.reject_statuses(vec![1, 9]), &limits(PATIENCE)).unwrap();
    assert_eq!(word(&run(&mut *target, &["status 9"])[0]), "rejected");
}

#[test]
fn it_may_connect_to_us() {
    is_found_over_tcp("{port}");
    is_found_over_tcp("buffered {port}");
}

fn is_found_over_tcp(arguments: &str) {
    let mut target = open(arguments);
    let outcomes = run(&mut *target, &["a", "crash", "twice", "b"]);
    assert_eq!(
        outcomes.iter().map(word).collect::<Vec<_>>(),
        ["accepted", "crashed", "out of turn", "accepted"]
    );
    let Outcome::Crashed { stderr, .. } = &outcomes[1] else { panic!() };
    assert_eq!(stderr, "crashing, as told\n");
}

#[test]
fn a_standing_server_is_connected_to_again() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut input = stream.expect("somebody connects");
            let mut output = input.try_clone().expect("it can be");
            let _ = serve(&mut input, &mut output, |packet, answers| {
                if packet == b"crash" {
                    // The panic closes the connection, and the next connection is accepted.
                    answers.extend(*b"?");
                    return;
                }
                let consumed = Some(packet.len() as u32);
                let answer = Answer::Accepted { consumed, bytes: packet.to_vec() };
                answer.append_to(answers).expect("it is short");
            });
        }
    });
    let spec = TargetSpec::persistent(&format!("tcp://{address}")).expect("it is one");
    let mut target = target::open(&spec, &limits(PATIENCE)).expect("it is there");
    let outcomes = run(&mut *target, &["a", "crash", "b"]);
    assert_eq!(
        outcomes.iter().map(word).collect::<Vec<_>>(),
        ["accepted", "out of turn", "accepted"]
    );
    target.restart().expect("it is still there");
    assert_eq!(run(&mut *target, &["c"]), [echo("c")]);
}

/// Starts a datagram server that loses, shortens and lengthens answers on request.
fn datagram_server() -> SocketAddr {
    let server = UdpSocket::bind("127.0.0.1:0").expect("a port is free");
    let address = server.local_addr().expect("it is bound");
    thread::spawn(move || {
        let mut piece = vec![0; 1 << 16];
        let mut lost = false;
        while let Ok((count, from)) = server.recv_from(&mut piece) {
            let packet = &piece[..count];
            let mut answer = Vec::new();
            let consumed = Some(count as u32);
            let accepted = Answer::Accepted { consumed, bytes: packet.to_vec() };
            accepted.append_to(&mut answer).expect("it is short");
            match packet {
                b"hang" => continue,
                b"lose" if !lost => {
                    lost = true;
                    continue;
                }
                b"short" => drop(answer.pop()),
                b"long" => answer.push(0),
                b"close" => return,
                _ => {}
            }
            server.send_to(&answer, from).expect("it can be sent");
        }
    });
    address
}

fn open_datagrams() -> Box<dyn Target> {
    let spec = TargetSpec::persistent(&format!("udp://{}", datagram_server())).expect("it is one");
    let brief = Limits { start: Duration::from_secs(3), ..limits(Duration::from_secs(3)) };
    target::open(&spec, &brief).expect("it can be")
}

/// Each test waits for a generous limit, so they run at the same time.
#[test]
fn datagrams_may_get_lost_once() {
    thread::scope(|tests| {
        tests.spawn(|| {
            let outcomes = run(&mut *open_datagrams(), &["a", "lose", "b"]);
            assert_eq!(outcomes, [echo("a"), echo("lose"), echo("b")]);
        });
        tests.spawn(|| {
            let large = "z".repeat(70_000);
            let outcomes =
                run(&mut *open_datagrams(), &["a", "hang", "short", "long", &large, "b"]);
            let words: Vec<_> = outcomes.iter().map(word).collect();
            let expected =
                ["accepted", "hung", "out of turn", "out of turn", "skipped", "accepted"];
            assert_eq!(words, expected);
        });
        tests.spawn(|| {
            let mut target = open_datagrams();
            assert_eq!(word(&run(&mut *target, &["close"])[0]), "crashed");
            let error = target.run(&[b"a"], &mut Vec::new()).expect_err("nobody is there");
            assert!(error.to_string().starts_with("nobody listens"), "{error}");
        });
    });
}
