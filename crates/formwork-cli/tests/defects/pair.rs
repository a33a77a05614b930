//! A defect that only a pair of packets with the same meaning shows.

use std::fs;
use std::process::{Command, Output};

use formwork_testkit::from_hex;
use serde_json::Value;

use crate::decoder::{self, FORMATS};

fn fuzz(defect: Option<&str>, more: &[&str]) -> Output {
    let target = decoder::command(FORMATS[0], defect);
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwork-kit"));
    command.args(["fuzz", "--format", "godot3", "--no-growth", "--time-limit", "60s"]);
    command.args(["--profile", "edge", "--target", &target]).args(more).output().expect("it runs")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("it is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
}

#[test]
fn a_decoder_that_reads_the_halves_of_a_pair_differently_is_found_shrunk_replayed_and_expected() {
    let defect = Some("unusual-without-value");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("it is UTF-8");
    let known = folder.path().join("known.toml");
    let known = known.to_str().expect("it is UTF-8");
    let found = fuzz(defect, &["--count", "400", "-o", path, "--write-expect", known]);
    assert_eq!(status(&found), 1, "{}", String::from_utf8_lossy(&found.stderr));
    let told = lines(&found);
    // A single defect gives a single finding.
    assert_eq!(told.len(), 2, "{told:#?}");
    let (finding, summary) = (&told[0]["difference"], &told[1]["summary"]);
    assert_eq!(finding["kind"], "pair-differs");
    assert_eq!(finding["about"], "only one of them is answered with a value");
    let hex = |value: &Value| value.as_str().expect("hex").to_owned();
    let (packet, pair) = (hex(&finding["packet"]), hex(&finding["pair"]["packet"]));
    assert_ne!(packet, pair);
    assert!(packet.len() <= 2 * 12, "it was made small: {packet}");
    assert!(summary["differences"][0]["count"].as_u64() > Some(10), "{summary}");

    let run = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is written");
    let row = run("findings.jsonl").lines().nth(1).map(serde_json::from_str::<Value>);
    let row = row.expect("a row").expect("it is JSON");
    assert_eq!((&row["id"], &row["hex"]), (&finding["row"], &finding["packet"]));
    assert_eq!(row["pair"], *pair);
    assert!(run("index.md").contains("With the other half of the pair"), "{}", run("index.md"));
    assert!(run("junit.xml").contains("godot3.6.pair-differs"), "{}", run("junit.xml"));

    // The replay tries both halves.
    let rows = folder.path().join("findings.jsonl");
    let rows = rows.to_str().expect("it is UTF-8");
    let replayed = fuzz(defect, &["--replay", rows]);
    assert_eq!((status(&replayed), &lines(&replayed)[0]["packet"]["kind"]), (1, &finding["kind"]));
    assert_eq!(status(&fuzz(None, &["--replay", rows])), 0);
    let number = finding["number"].to_string();
    assert_eq!(status(&fuzz(defect, &["--case", &number])), 1);

    // An expected finding is tried with both halves too.
    let text = fs::read_to_string(known).expect("it was written");
    assert!(text.contains(&format!("pair = \"{pair}\"")), "{text}");
    fs::write(known, text.replace("reason = \"\"", "reason = \"as it is\"")).expect("written");
    assert_eq!(status(&fuzz(defect, &["--count", "100", "--expect", known])), 0);
    assert_eq!(status(&fuzz(None, &["--count", "100", "--expect", known])), 1);
}

#[test]
fn a_packet_by_itself_does_not_show_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("it is UTF-8");
    let defect = Some("unusual-without-value");
    let found = lines(&fuzz(defect, &["--count", "100", "-o", path]));
    let finding = &found[0]["difference"];
    for packet in [&finding["packet"], &finding["pair"]["packet"]] {
        let alone = folder.path().join("alone.bin");
        fs::write(&alone, from_hex(packet.as_str().expect("hex"))).expect("it can be written");
        let alone = alone.to_str().expect("it is UTF-8");
        assert_eq!(status(&fuzz(defect, &["--replay", alone])), 0, "{packet}");
    }
}
