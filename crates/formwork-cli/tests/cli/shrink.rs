//! `shrink`: makes packets smaller while a decoder or a command gives the same verdict.

use std::fs;
use std::path::Path;

use snapbox::str;

use crate::run::{Ended, run, run_with};

/// Returns [null, [true, "needle in a haystack"], a bool of 2] as Godot 3 would write it if it could.
fn packet() -> Vec<u8> {
    let words =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|it| it.to_le_bytes()).collect() };
    let text = b"needle in a haystack";
    [words(&[19, 3, 0, 19, 2, 1, 1, 4, 20]), text.to_vec(), words(&[1, 2])].concat()
}

fn shrink(folder: &Path, rest: &[&str]) -> Ended {
    let input = folder.join("packet.bin");
    fs::write(&input, packet()).unwrap();
    let (input, output) = (input.to_str().unwrap(), folder.join("small.bin"));
    let arguments = ["shrink", input, "--format", "godot3", "-o", output.to_str().unwrap()];
    run(&[&arguments, rest].concat())
}

fn result(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("small.bin")).unwrap()
}

/// Returns a bool of 2 in an array. The decoder's message mentions the array, and messages tell faults apart.
fn in_an_array() -> Vec<u8> {
    [19_u32, 1, 1, 2].iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns a command line of `formwork-kit`.
fn kit(rest: &str) -> String {
    format!("'{}' {rest}", env!("CARGO_BIN_EXE_formwork-kit"))
}

#[test]
fn a_fault_of_a_decoder_stays_the_same_one() {
    let folder = tempfile::tempdir().unwrap();
    // The decoder refuses more than the engine.
    let target = kit("respond --format godot3 --strictness canonical");
    let ended = shrink(folder.path(), &["--target", &target]).with_status(0);
    assert_eq!(result(folder.path()), in_an_array(), "{}", ended.stderr);
    let summary: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let summary = &summary["summary"];
    assert_eq!(summary["kind"], "rejects-acceptable");
    assert_eq!((&summary["first_size"], &summary["size"]), (&64.into(), &16.into()));
    assert_eq!(summary["finished"], true);
}

#[test]
fn a_decoder_with_a_reference_of_its_own_is_judged_by_that() {
    let folder = tempfile::tempdir().unwrap();
    let target = kit("respond --format godot3");
    let reference = kit("respond --format godot3 --strictness canonical");
    let options = ["--target", &target, "--reference", &reference];
    shrink(folder.path(), &options).with_status(0);
    // The words of a reference's refusal do not count, so any packet that only the reference refuses is a
    // result.
    assert_eq!(result(folder.path()), [0, 0, 1, 0]);
}

#[test]
#[cfg(unix)]
fn a_predicate_is_any_command_with_a_file_or_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    for predicate in ["grep -q needle {}", "grep -q needle"] {
        shrink(folder.path(), &["--predicate", predicate]).with_status(0);
        assert_eq!(result(folder.path()), b"needle", "{predicate}");
        fs::remove_file(folder.path().join("small.bin")).unwrap();
    }
    let program = env!("CARGO_BIN_EXE_formwork");
    let predicate = format!("'{program}' decode --format godot3 --framing bare {{}}");
    shrink(folder.path(), &["--predicate", &predicate]).with_status(0);
    assert_eq!(result(folder.path()), [0, 0, 0, 0]);
}

#[test]
#[cfg(unix)]
fn a_packet_may_come_and_go_by_standard_streams() {
    let arguments = ["shrink", "-", "-f", "godot3", "--predicate", "grep -q stack", "-o", "-"];
    let ended = run_with(&arguments, &packet()).with_status(0);
    assert_eq!(ended.stdout, b"stack");
    ended.says(str!["note: 5 bytes of 64"]);
}

#[test]
#[cfg(unix)]
fn a_budget_ends_the_search_and_keeps_the_best() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--predicate", "grep -q needle", "--runs", "3"];
    let ended = shrink(folder.path(), &options).with_status(0);
    let summary: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let summary = &summary["summary"];
    assert_eq!((&summary["runs"], &summary["finished"]), (&3.into(), &false.into()));
    assert_eq!(summary["size"], result(folder.path()).len());
    ended.says(str!["note: --runs or --time is used up; there may be a smaller packet"]);
    assert!(result(folder.path()).windows(6).any(|it| it == b"needle"));
}

#[test]
#[cfg(unix)]
fn a_packet_that_shows_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    shrink(folder.path(), &["--predicate", "grep -q absent"])
        .with_status(2)
        .says(str!["error: [..]packet.bin: the predicate does not accept this packet itself"]);
    let target = kit("respond --format godot3");
    shrink(folder.path(), &["--target", &target]).with_status(2).says(str![
        "error: [..]packet.bin: nothing is wrong with the target's answer to this packet"
    ]);
    assert!(!folder.path().join("small.bin").exists());
}

#[test]
#[cfg(unix)]
fn a_predicate_that_changes_its_mind_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("flag");
    let flag = flag.to_str().unwrap();
    // The command alternates between yes and no.
    let command = format!("if [ -e {flag} ]; then rm {flag}; exit 1; else touch {flag}; fi");
    let predicate = shlex::try_join(["sh", "-c", &command]).unwrap();
    shrink(folder.path(), &["--predicate", &predicate]).with_status(2).says(str![
        "error: [..]packet.bin: the predicate gives two different answers to this packet"
    ]);

    // The command accepts every packet with a needle, and alternates for all others. A single yes does not
    // count.
    let command = format!(
        "grep -q needle || if [ -e {flag} ]; then rm {flag}; exit 1; else touch {flag}; fi"
    );
    let predicate = shlex::try_join(["sh", "-c", &command]).unwrap();
    shrink(folder.path(), &["--predicate", &predicate]).with_status(0).says(str![[r#"
note: 86 packets showed the fault only once: not kept
"#]]);
    assert_eq!(result(folder.path()), b"needle");
}

#[test]
fn options_that_contradict_each_other_are_wrong_use() {
    let folder = tempfile::tempdir().unwrap();
    shrink(folder.path(), &[]).with_status(2);
    shrink(folder.path(), &["--predicate", "true", "--target", "true"]).with_status(2);
    shrink(folder.path(), &["--predicate", "true", "--answer", "json"]).with_status(2);
    shrink(folder.path(), &["--predicate", "'"]).with_status(2);
    shrink(folder.path(), &["--predicate", "/nowhere/at-all"]).with_status(3);
}
