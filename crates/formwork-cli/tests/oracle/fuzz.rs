//! The command `fuzz` against our responder.

use formwork_kit::case::Reading;
use formwork_kit::suite::{Suite, Tier};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::{fs, io};

use serde_json::Value;

use crate::decoder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_formwork-kit");

fn fuzz(arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(["fuzz", "--no-growth"]);
    // Nothing hangs here, so an answer may be slow on a busy machine.
    if !arguments.contains(&"--time-limit") {
        command.args(["--time-limit", "60s"]);
    }
    command.args(arguments).output().expect("it runs")
}

fn responder(options: &str) -> String {
    format!("'{PROGRAM}' respond {options}")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

/// Returns the JSON lines of an output.
fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("it is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
}

/// Returns the findings in the summary as text.
fn findings(output: &Output) -> Vec<String> {
    let lines = lines(output);
    let summary = lines.last().expect("there is a summary");
    let summary = summary.get("summary").expect("it is called so");
    let one =
        |finding: &Value| format!("{} {} {}", finding["kind"], finding["about"], finding["count"]);
    let mut findings: Vec<_> =
        summary["differences"].as_array().expect("a list").iter().map(one).collect();
    findings.sort();
    findings
}

#[test]
fn nothing_is_found_in_a_decoder_that_is_right() {
    for (format, objects) in [
        ("godot3", false),
        ("godot2", true),
        ("godot4", true),
        ("pandemonium", false),
        ("alb1", false),
    ] {
        let allow: &[&str] = if objects { &["--allow-objects"] } else { &[] };
        let target = responder(&format!("--format {format} {}", allow.join(" ")));
        let common = ["--format", format, "--target", &target, "--count", "2000"];
        let output = fuzz(&[&common, allow].concat());
        assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
        let lines = lines(&output);
        assert_eq!(lines.len(), 1);
        let count = |name: &str| lines[0]["summary"]["counts"][name].as_u64().expect("a number");
        assert_eq!(count("agreed"), count("cases"));
        let reading = Reading { format: format.parse().expect("a format"), allow_objects: objects };
        let first = Suite::new(reading).only(&[Tier::Smoke, Tier::Core]).vectors().len() as u64;
        assert_eq!(count("cases") + count("repeated"), first + 2000);
    }
}

#[test]
fn a_packet_that_came_before_is_not_sent_again() {
    let target = responder("--format godot3");
    let valid = ["--format", "godot3", "--target", &target, "--profile", "valid"];
    let output = fuzz(&[&valid[..], &["--count", "800"]].concat());
    let counts = &lines(&output)[0]["summary"]["counts"];
    let made = Command::new(PROGRAM)
        .args(["generate", "--format", "godot3", "--profile", "valid", "--count", "800"])
        .output()
        .expect("it runs");
    let made: Vec<Value> = lines(&made);
    let packets: std::collections::HashSet<_> =
        made.iter().map(|line| line["bytes"].as_str().expect("hex")).collect();
    assert_eq!(packets.len(), made.len());
    assert!(packets.len() < 750, "some of 800 repeat another");
    assert_eq!(counts["cases"], packets.len());
    assert_eq!(counts["repeated"], 800 - packets.len());
}

#[test]
fn other_forms_of_answers_are_compared() {
    for form in ["json", "text", "verdict"] {
        for format in ["godot3", "godot4", "alb1"] {
            let target = responder(&format!("--format {format} --answer {form}"));
            let target =
                if form == "verdict" { responder(&format!("--format {format}")) } else { target };
            let output = fuzz(&[
                "--format",
                format,
                "--target",
                &target,
                "--answer",
                form,
                "--count",
                "1500",
                // (An array of RIDs is no text that can be read again.)
                "--no-suite",
                "--time-limit",
                "20s",
            ]);
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(status(&output), 0, "{format} {form}: {text}");
        }
    }
}

#[test]
fn what_another_dialect_reads_is_found_and_grouped() {
    let target = responder("--format godot4");
    let output =
        fuzz(&["--format", "godot3", "--target", &target, "--count", "400", "--no-shrink"]);
    assert_eq!(status(&output), 1);
    let findings = findings(&output);
    assert!(findings.iter().any(|finding| finding.contains("different-value")), "{findings:#?}");
    let mut names: Vec<_> =
        findings.iter().map(|finding| finding.rsplit_once(' ').expect("a count").0).collect();
    names.dedup();
    assert_eq!(names.len(), findings.len(), "one that is called the same is the same");
}

#[test]
fn a_reference_decides_instead_of_us() {
    let target = responder("--format godot4");
    let output = fuzz(&[
        "--format",
        "godot3",
        "--target",
        &target,
        "--reference",
        &target,
        "--count",
        "500",
    ]);
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
}

/// Tests a decoder that refuses packets that the engine would not write. Its findings are known.
fn strict(more: &[&str]) -> Output {
    let target = responder("--format godot3 --strictness canonical");
    fuzz(&[&["--format", "godot3", "--target", &target][..], more].concat())
}

#[test]
fn the_smallest_packet_is_in_the_report_and_shows_it_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("it is UTF-8");
    let output = strict(&["--count", "150", "--no-suite", "-o", path]);
    assert_eq!(status(&output), 1);
    let lines = lines(&output);
    let first = &lines[0]["difference"];
    assert_eq!(first["kind"], "rejects-acceptable");
    let rows = folder.path().join("findings.jsonl");
    let rows = rows.to_str().expect("it is UTF-8");
    let replayed = strict(&["--replay", rows]);
    assert_eq!(status(&replayed), 1);
    let seen = self::lines(&replayed);
    let names =
        |name: &str| seen.iter().map(|seen| seen["packet"][name].clone()).collect::<Vec<_>>();
    let found = |name: &str| {
        lines
            .iter()
            .filter_map(|line| Some(line.get("difference")?[name].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!((names("kind"), names("about")), (found("kind"), found("about")));
    assert_eq!(names("name"), found("row"));
    // A packet is a file, too.
    let packet = folder.path().join("packet.bin");
    let hex = first["packet"].as_str().expect("hex");
    fs::write(&packet, formwork_testkit::from_hex(hex)).expect("it can be written");
    let alone = strict(&["--replay", packet.to_str().expect("it is UTF-8")]);
    assert_eq!(self::lines(&alone)[0]["packet"]["about"], first["about"]);
    // The case is also found by its number.
    let number = first["number"].to_string();
    assert_eq!(status(&strict(&["--case", &number])), 1);
    let right = responder("--format godot3");
    let mended = fuzz(&["--format", "godot3", "--target", &right, "--replay", rows]);
    assert_eq!(status(&mended), 0);
}

#[test]
fn a_run_that_is_gone_on_with_finds_the_same_as_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state.json");
    let state = state.to_str().expect("it is UTF-8");
    let whole = strict(&["--count", "300", "--no-shrink"]);
    assert_eq!(status(&strict(&["--count", "120", "--no-shrink", "--state", state])), 1);
    let rest = strict(&["--count", "300", "--no-shrink", "--state", state, "--resume"]);
    assert_eq!(findings(&rest), findings(&whole));
    let last = |output: &Output| lines(output).pop().expect("a summary")["summary"].take();
    assert_eq!(last(&rest)["counts"], last(&whole)["counts"]);
    assert_eq!(last(&rest)["matrix"], last(&whole)["matrix"]);
    // The state of another run is refused.
    let other = strict(&["--count", "300", "--seed", "2", "--state", state, "--resume"]);
    assert_eq!(status(&other), 2);
}

#[test]
fn what_is_expected_is_no_fault_until_it_does_not_happen_any_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("known.toml");
    let name = file.to_str().expect("it is UTF-8");
    assert_eq!(status(&strict(&["--count", "150", "--write-expect", name])), 1);
    // Every expectation needs a reason.
    let refused = strict(&["--count", "150", "--expect", name]);
    assert_eq!(status(&refused), 2);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the reason is missing"));
    let text = fs::read_to_string(&file).expect("it was written");
    fs::write(&file, text.replace("reason = \"\"", "reason = \"it is strict\"")).expect("written");
    let expected = strict(&["--count", "150", "--expect", name]);
    assert_eq!(status(&expected), 0, "{}", String::from_utf8_lossy(&expected.stdout));
    // After the fault is fixed, each packet shows for certain that its finding is gone.
    let right = responder("--format godot3");
    let mended = ["--format", "godot3", "--target", &right, "--count", "1", "--expect", name];
    let output = fuzz(&mended);
    assert_eq!(status(&output), 1);
    let summary = lines(&output).pop().expect("a summary")["summary"].take();
    assert!(!summary["stale"].as_array().expect("a list").is_empty());
    // Without packets, an expectation is stale only after a long run.
    let general = "[[expected]]\nkind = \"crash\"\nabout = \"*\"\nreason = \"old\"\ncases = 100\n";
    fs::write(&file, general).expect("written");
    assert_eq!(status(&fuzz(&mended)), 0);
    let long = ["--format", "godot3", "--target", &right, "--count", "100", "--expect", name];
    assert_eq!(status(&fuzz(&long)), 1);
}

#[test]
fn the_first_finding_can_be_enough() {
    let output = strict(&["--count", "5000", "--fail-fast", "--no-shrink"]);
    assert_eq!(status(&output), 1);
    assert_eq!(findings(&output).len(), 1);
}

#[test]
fn the_exit_status_says_what_was_wrong() {
    let nothing = ["--format", "godot3", "--target"];
    let with = |target: &str| status(&fuzz(&[&nothing[..], &[target, "--count", "1"]].concat()));
    assert_eq!(with("/there/is/no/such/program"), 3);
    assert_eq!(with("'not closed"), 2);
    assert_eq!(status(&fuzz(&["--format", "godot3"])), 2);
    assert_eq!(status(&strict(&["--resume"])), 2);
}

#[test]
fn the_enumeration_alone_ends_when_it_is_exhausted() {
    let target = responder("--format godot3");
    let common = ["--format", "godot3", "--target", &target, "--profile", "enumerate"];
    let output = fuzz(&[&common[..], &["--count", "1000000"]].concat());
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
    let summary = lines(&output).pop().expect("a summary")["summary"].take();
    assert_eq!(summary["ended"], "all cases were run");
    let rows = summary["matrix"].as_array().expect("a list");
    assert!(rows.iter().all(|row| row["profile"] == "enumerate"), "{rows:?}");
    let made = Command::new(PROGRAM)
        .args(["generate", "--format", "godot3", "--profile", "enumerate", "--count", "1000000"])
        .output()
        .expect("it runs");
    let made = String::from_utf8(made.stdout).expect("it is UTF-8").lines().count();
    assert_eq!(summary["counts"]["cases"], made);
}

#[test]
fn a_program_that_does_not_speak_the_protocol_gets_advice_and_no_findings() {
    for silly in ["echo hello", "cat", "true", "'no-such-program'"] {
        let output = fuzz(&["--format", "godot3", "--target", silly, "--count", "100"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((status(&output), output.stdout.len()), (3, 0), "{silly}: {said}");
        assert!(said.contains("does not speak the protocol"), "{silly}: {said}");
        assert!(said.contains("--check-target"), "{silly}: {said}");
    }
    // A reference that gives no answers cannot judge any packet.
    let target = responder("--format godot3");
    let output = fuzz(&["--format", "godot3", "--target", &target, "--reference", "true"]);
    assert_eq!(status(&output), 3);
    // A decoder that refuses every packet speaks the protocol, and has findings.
    let refusing = ["--format", "godot4", "--target", &target, "--count", "30", "--no-shrink"];
    assert_eq!(status(&fuzz(&refusing)), 1);
}

#[test]
fn the_help_describes_the_protocol_and_the_responders_that_there_are() {
    let help = |command: &str| {
        let output = Command::new(PROGRAM).args([command, "--help"]).output().expect("it runs");
        String::from_utf8(output.stdout).expect("it is UTF-8")
    };
    let respond = help("respond");
    for said in ["status 0", "status 1", "status 2", "0xFFFFFFFF"] {
        assert!(respond.contains(said), "{said}: {respond}");
    }
    // The responder for Godot 3 has this option for its port.
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/responders/godot3/responder.gd");
    assert!(fs::read_to_string(script).expect("it is there").contains("\"--port=\""));
    // A long example continues on the next line.
    let fuzz = help("fuzz").replace(" \\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let example = "--path examples/responders/godot3 -s responder.gd --port={port}";
    assert!(fuzz.contains(example), "{fuzz}");
}

#[test]
fn the_folder_has_the_counts_of_the_end_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("it is UTF-8");
    let output = strict(&["--count", "600", "--no-shrink", "-o", path]);
    assert_eq!(status(&output), 1);
    let found: Vec<Value> =
        lines(&output).iter().filter_map(|line| line.get("difference").cloned()).collect();
    let summary = lines(&output).pop().expect("a summary")["summary"].take();
    let counts = summary["differences"].as_array().expect("a list");
    assert!(counts.iter().any(|finding| finding["count"].as_u64() > Some(1)), "{counts:?}");
    let rows = fs::read_to_string(folder.path().join("findings.jsonl")).expect("it is written");
    let rows = rows.lines().skip(1).map(|row| serde_json::from_str(row).expect("it is JSON"));
    let rows: Vec<Value> = rows.collect();
    assert_eq!((rows.len(), counts.len()), (found.len(), found.len()));
    for ((finding, end), row) in found.iter().zip(counts).zip(&rows) {
        assert_eq!((&row["id"], &row["cases"]), (&finding["row"], &end["count"]));
    }
    // Other runs and other files in the folder are not affected.
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("it is there");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("it is there").file_name();
        entries.map(name).collect::<BTreeSet<_>>()
    };
    let before = entries(folder.path());
    let right = responder("--format godot3");
    let mended = ["--format", "godot3", "--target", &right, "--count", "100", "-o"];
    let other = fuzz(&[&mended[..], &[path]].concat());
    assert_eq!(status(&other), 2);
    assert!(String::from_utf8_lossy(&other.stderr).contains("--resume"));
    assert_eq!(entries(folder.path()), before);
    let mine = tempfile::tempdir().expect("a folder");
    fs::write(mine.path().join("notes.txt"), "mine").expect("it can be written");
    let path = mine.path().to_str().expect("it is UTF-8");
    for more in [&[path][..], &[path, "--resume"]] {
        assert_eq!(status(&fuzz(&[&mended[..], more].concat())), 2);
        assert_eq!(entries(mine.path()).len(), 1);
    }
}

#[test]
fn a_run_whose_reader_is_gone_ends_quietly() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report");
    let mut command = Command::new(PROGRAM);
    let target = responder("--format godot3 --strictness canonical");
    command.args(["fuzz", "--format", "godot3", "--count", "600", "--no-shrink", "--no-growth"]);
    command.args(["--target", &target, "-o"]).arg(&report);
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    let output = command.stdout(writer).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    // There are findings, whoever reads of them.
    assert_eq!(status(&output), 1);
    assert!(report.join("findings.jsonl").is_file());
}

#[cfg(unix)]
#[test]
fn a_packet_is_replayed_with_one_start_of_the_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let starts = folder.path().join("starts");
    let packet = folder.path().join("one.bin");
    fs::write(&packet, [2, 0, 0, 0, 7, 0, 0, 0]).expect("it can be written");
    let target = format!(
        "sh -c 'echo started >> {}; exec {PROGRAM} respond --format godot3'",
        starts.display()
    );
    let packet = packet.to_str().expect("it is UTF-8");
    let output = fuzz(&["--format", "godot3", "--target", &target, "--replay", packet]);
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(&starts).expect("it was started"), "started\n");
}

/// Tests the responders that need no other packages, if the machine has Python and a C compiler.
#[cfg(unix)]
#[test]
fn the_responders_to_copy_have_no_findings_of_their_own() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/responders");
    let folder = tempfile::tempdir().expect("a folder");
    let compiled = folder.path().join("responder");
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let mut targets = Vec::new();
    if is_there("python3") {
        targets.push(("godot3", format!("python3 '{}'", samples.join("responder.py").display())));
    }
    if is_there("cc") {
        let source = samples.join("responder.c");
        let made = Command::new("cc").arg("-o").args([&compiled, &source]).status();
        assert!(made.expect("the compiler starts").success());
        let command = format!("'{}'", compiled.display());
        targets.extend([("godot3", command.clone()), ("godot4", command)]);
    }
    for (format, target) in targets {
        let output = fuzz(&["--format", format, "--target", &target, "--count", "6000"]);
        assert_eq!(findings(&output), [""; 0], "{format}, {target}");
        assert_eq!(status(&output), 0, "{format}, {target}");
    }
}

/// The names of findings contain no words of a decoder, so a change of its messages gives the same findings.
#[test]
fn no_word_of_a_decoder_is_in_the_name_of_a_finding() {
    // The first decoder refuses every array with a message, and the second crashes on arrays.
    for (how, one, other) in
        [("refuse", "no arrays yet", "Arrays: TODO 7"), ("", "Oops in line 3", "other words")]
    {
        let names = [one, other].map(|words| {
            let target = decoder::command(&format!("case {how} 'arrays={words}'"));
            let common = ["--format", "godot3", "--target", &target, "--count", "40", "--per-case"];
            let output = fuzz(
                &[&common[..], &["--answer", "verdict", "--profile", "enumerate", "--no-shrink"]]
                    .concat(),
            );
            findings(&output)
        });
        assert!(!names[0].is_empty());
        assert_eq!(names[0], names[1]);
        assert!(
            names[0].iter().all(|name| !name.contains("arrays yet") && !name.contains("Oops")),
            "{names:?}"
        );
    }
}
