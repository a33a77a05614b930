//! The check of adapters: it passes a correct adapter, and names the faults of others.

use std::time::Duration;

use formwork_kit::case::Reading;
use formwork_kit::oracle::check::{Check, check};
use formwork_kit::oracle::target::{Limits, TargetSpec};

use crate::decoder;

fn checked(command: &str, format: &str) -> Vec<Check> {
    let reading = Reading { format: format.parse().expect("it is one"), allow_objects: false };
    let spec = TargetSpec::persistent(command).expect("it is a command");
    // A decoder that waits for the end of its input waits for this time. Decoders that answer have the usual
    // time.
    let time = if command.contains("waits") { 1 } else { 20 };
    check(&spec, &Limits { time: Duration::from_secs(time), ..Limits::default() }, reading)
}

#[test]
fn our_own_responder_passes() {
    for format in ["godot2", "godot3", "godot4", "pandemonium", "godot4.1-double", "alb1"] {
        for answer in ["bytes", "json", "text"] {
            let program = env!("CARGO_BIN_EXE_formwork-kit");
            let command = format!("'{program}' respond --format {format} --answer {answer}");
            let checks = checked(&command, format);
            assert_eq!(checks.len(), 11);
            for check in checks {
                assert!(check.passed, "{format}, {answer}: {}: {}", check.name, check.detail);
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let wrong = |arguments: &str| {
        let checks = checked(&decoder::command(arguments), "godot3");
        checks.into_iter().filter(|check| !check.passed).collect::<Vec<_>>()
    };
    // The decoder accepts every packet, and has no other fault.
    let names: Vec<_> = wrong("").iter().map(|check| check.name).collect();
    assert_eq!(names, ["refuses what is no packet, and goes on"]);
    let banner = wrong("banner");
    assert_eq!((banner.len(), banner[0].name), (1, "starts"), "{banner:?}");
    assert!(banner[0].detail.contains("standard output"), "{banner:?}");
    let waits = wrong("waits");
    assert_eq!((waits.len(), waits[0].name), (1, "starts"), "{waits:?}");
    assert!(waits[0].detail.contains("do not wait for the end of the input"), "{waits:?}");
    let start = wrong("exit");
    assert_eq!((start.len(), start[0].name), (1, "starts"));
    assert!(start[0].detail.contains("no configuration"), "{}", start[0].detail);
}
