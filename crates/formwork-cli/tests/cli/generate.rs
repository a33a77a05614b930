//! `generate`: the packets that it writes can be read by others.

use std::fs;
use std::path::Path;

use formwork_testkit::from_hex;
use serde_json::Value;
use snapbox::str;

use crate::cases::formats;
use crate::run::{run, run_with};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Returns the number of packets left out because they repeat an earlier one, as printed.
fn left_out(said: &str) -> usize {
    let count = said.split_once("left out ").and_then(|(_, rest)| rest.split(' ').next());
    count.map_or(0, |count| count.parse().expect("a number"))
}

fn bytes(hex: &Value) -> Vec<u8> {
    from_hex(hex.as_str().expect("bytes are text"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("it can be read").file_name().into_string().expect("a plain name")
    };
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn json_lines_say_what_respond_says() {
    for (format, objects) in [("godot3", None), ("godot4", Some("--allow-objects")), ("alb1", None)]
    {
        let arguments = ["generate", "--format", format, "--profile", "edge,near-valid,valid"];
        let arguments: Vec<_> =
            arguments.into_iter().chain(objects).chain(["--count", "60"]).collect();
        let made = run(&arguments).with_status(0);
        let lines = lines(made.text());
        assert_eq!(lines.len() + left_out(&made.stderr), 60);
        let mut requests = Vec::new();
        for line in &lines {
            let packet = bytes(&line["bytes"]);
            requests.extend_from_slice(&(packet.len() as u32).to_le_bytes());
            requests.extend_from_slice(&packet);
        }
        // The frames that the program writes are the same.
        let framed: Vec<_> =
            arguments.iter().copied().chain(["--as", "frames", "-o", "-"]).collect();
        assert_eq!(run(&framed).with_status(0).stdout, requests);

        let respond = ["respond", "--format", format].into_iter().chain(objects);
        let answers = run_with(&respond.collect::<Vec<_>>(), &requests).with_status(0).stdout;
        let mut rest = answers.as_slice();
        for line in &lines {
            let (head, behind) = rest.split_at(9);
            let word =
                |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("4 bytes"));
            let (_, behind) = behind.split_at(word(5) as usize);
            rest = behind;
            if head[0] == 0 {
                assert_eq!(line["verdict"], "accepted", "{line}");
                assert_eq!(line["consumed"], word(1), "{line}");
                // Values at the engine's limit of depth have no JSON, because readers of JSON refuse that
                // depth.
                assert_ne!(line.get("value").is_some(), line.get("too_deep").is_some(), "{line}");
                if format != "alb1" {
                    assert_eq!(line["canonical"], line.get("rule").is_none(), "{line}");
                }
            } else {
                assert_eq!(line["verdict"], "rejected", "{line}");
                assert_eq!(line["offset"], word(1), "{line}");
                assert_eq!(line["profile"], "near-valid", "{line}");
            }
        }
        assert!(rest.is_empty());
    }
}

#[test]
fn the_same_options_make_the_same_and_parts_fit_together() {
    let options = ["generate", "--format", "godot3", "--seed", "9", "--bytes", "base64"];
    let with = |more: &[&str]| {
        let arguments: Vec<_> = options.iter().chain(more).copied().collect();
        run(&arguments).with_status(0).stdout
    };
    let all = with(&["--count", "40", "--first", "4000"]);
    assert_eq!(all, with(&["--count", "40", "--first", "4000"]));
    let parts =
        [with(&["--count", "15", "--first", "4000"]), with(&["--count", "25", "--first", "4015"])];
    assert_eq!(all, parts.concat());
    let other = run(&["generate", "--format", "godot3", "--first", "4000", "--count", "40"]);
    assert_ne!(all, other.stdout);
}

#[test]
fn a_suite_can_be_used_without_us() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let suite = folder.path().join("suite");
    let suite_name = suite.to_str().expect("a plain name");
    let arguments = [
        "generate",
        "--format",
        "godot4",
        "--as",
        "files",
        "--profile",
        "edge,near-valid",
        "--pairs",
        "--count",
        "80",
        "-o",
        suite_name,
    ];
    let made = run(&arguments).with_status(0);
    let expected = fs::read_to_string(suite.join("expected.jsonl")).expect("it is there");
    let lines = lines(&expected);
    assert_eq!(lines.len() + left_out(&made.stderr), 80);
    let mut pairs = 0;
    for line in &lines {
        let file = line["file"].as_str().expect("a name");
        assert!(line.get("bytes").is_none());
        let packet = fs::read(suite.join(file)).expect("the file is there");
        let number = format!(
            "{:06}-{}",
            line["number"].as_u64().expect("a number"),
            line["profile"].as_str().expect("a name")
        );
        assert!(file.starts_with(&number), "{file}");
        if line["profile"] == "near-valid" {
            let rule = line["rule"].as_str().expect("a rule");
            assert_eq!(file, format!("{number}-{rule}.bin"));
        }
        if let Some(pair) = line.get("pair") {
            pairs += 1;
            let other = file.replace(".bin", ".pair.bin");
            assert_eq!(fs::read(suite.join(other)).expect("it is there"), bytes(pair));
            assert_ne!(packet, bytes(pair));
        }
    }
    assert!(pairs > 0);
    assert_eq!(names(&suite).len(), lines.len() + pairs + 1);
    // Nothing is left next to the folder, and an existing folder is not overwritten.
    assert_eq!(names(folder.path()), ["suite"]);
    run(&arguments).with_status(2).says(str![[r#"
error: [..]suite: this folder is not empty
  hint: choose another folder, or remove this one
"#]]);
}

#[test]
fn a_corpus_has_each_packet_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for form in ["libfuzzer", "afl"] {
        let corpus = folder.path().join(form);
        // An existing empty folder is used.
        fs::create_dir(&corpus).expect("it can be made");
        let name = corpus.to_str().expect("a plain name");
        let arguments = [
            "generate",
            "--format",
            "godot3",
            "--profile",
            "valid",
            "--types",
            "bool",
            "--count",
            "200",
        ];
        let arguments: Vec<_> = arguments.into_iter().chain(["--as", form, "-o", name]).collect();
        run(&arguments).with_status(0);
        let packets: Vec<_> = names(&corpus)
            .iter()
            .map(|file| fs::read(corpus.join(file)).expect("it can be read"))
            .collect();
        let distinct: std::collections::BTreeSet<_> = packets.iter().collect();
        assert_eq!(distinct.len(), packets.len());
        assert!(packets.contains(&vec![1, 0, 0, 0, 1, 0, 0, 0]));
    }
}

#[test]
fn packets_of_a_save_come_back_changed() {
    let engine = &crate::cases::ENGINES[0];
    let files = crate::files::plain_files();
    let plain =
        files.iter().find(|plain| plain.engine.dialect == engine.dialect && plain.values > 1);
    let plain = plain.expect("each engine has plain files");
    let options = [
        "generate",
        "--format",
        engine.dialect,
        "--count",
        "200",
        "--profile",
        "hostile,edge,valid",
    ];
    let from: Vec<_> = options
        .iter()
        .copied()
        .chain(["--framing", plain.framing, "--from", plain.path()])
        .collect();
    let changed = run(&from).with_status(0);
    assert_ne!(changed.stdout, run(&options).with_status(0).stdout);
    assert_eq!(lines(changed.text()).len() + left_out(&changed.stderr), 200);
}

/// A file of settings has a packet for each of them, and none is a Dictionary of all.
#[test]
fn each_setting_of_a_file_is_a_packet_to_start_from() {
    let samples = formats().join("settings/samples");
    for (dialect, name) in [("godot3.2", "3.2.3"), ("godot3.6", "3.6.2"), ("godot4.6", "4.6.3")] {
        let file = samples.join(format!("{name}.settings.binary"));
        let file = file.to_str().expect("a plain name");
        for types in ["int", "String", "Color"] {
            let options = ["generate", "--format", dialect, "--count", "60", "--types", types];
            let hostile = [&options[..], &["--profile", "hostile"]].concat();
            let made = run(&[&hostile[..], &["--from", file]].concat()).with_status(0);
            assert_ne!(made.stdout, run(&hostile).with_status(0).stdout, "{name}: {types}");
        }
    }
}

/// libFuzzer makes inputs as long as the longest seed, and half a megabyte stops it.
#[test]
fn a_corpus_for_fuzzers_has_no_packet_of_more_than_4_kib() {
    let folder = tempfile::tempdir().expect("there is room");
    let longest = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let arguments =
            ["generate", "--format", "godot3", "--profile", "hostile", "--count", "300"];
        let folder = ["--as", "libfuzzer", "-o", path.to_str().expect("a plain name")];
        run(&[&arguments[..], &folder, more].concat()).with_status(0);
        let sizes = names(&path)
            .into_iter()
            .map(|name| fs::metadata(path.join(name)).expect("it can be read").len());
        sizes.max().expect("there are packets")
    };
    let capped = longest("capped", &[]);
    assert!((1000..=4096).contains(&capped), "{capped}");
    let less = longest("less", &["--max-size", "100"]);
    assert!(less <= 100, "{less}");
    let any = longest("any", &["--max-size", "0"]);
    assert!(any > 100_000, "{any}");
}

#[test]
fn types_limit_every_kind_of_packets() {
    let save = formats().join("godot3/golden/3.6.2/files/small.save");
    let save = save.to_str().expect("a plain name");
    for profile in ["enumerate", "valid", "edge", "near-valid", "hostile"] {
        let start = ["generate", "--format", "godot3", "--types", "bool,int", "--count", "300"];
        let made = run(&[&start[..], &["--profile", profile]].concat()).with_status(0);
        let lines = lines(made.text());
        assert!(!lines.is_empty(), "{profile}");
        for line in &lines {
            // The number of the type is 1 or 2.
            assert!(matches!(bytes(&line["bytes"])[..], [1 | 2, ..]), "{profile}: {line}");
        }
    }
    let refused = ["generate", "--format", "godot3", "--types", "bool", "--from", save];
    run(&refused).with_status(2).says(str![[r#"
error: --types bool: every packet of --from has other types, too
  hint: name all types of the packets, containers too
"#]]);
}

#[test]
fn options_that_would_have_no_effect_are_refused() {
    let suite = "the suite has its own packets; --tier selects parts of it";
    let words = "the words are those of all packets of the format";
    let options: [&[&str]; 13] = [
        &["--count", "5"],
        &["--count", "1000"],
        &["--first", "0"],
        &["--bytes", "hex"],
        &["--bytes", "base64"],
        &["--seed", "1"],
        &["--profile", "valid"],
        &["--types", "int"],
        &["--max-nodes", "3"],
        &["--max-depth", "3"],
        &["--max-bytes", "3"],
        &["--max-size", "1M"],
        &["--pairs"],
    ];
    for option in options {
        for (form, hint) in [(&["--as", "suite"][..], suite), (&["--dictionary"], words)] {
            let start = ["generate", "--format", "godot3"];
            let arguments: Vec<_> = start.iter().chain(form).chain(option).copied().collect();
            let name = option[0];
            let expected =
                format!("error: {name} does not go with {}\n  hint: {hint}\n", form.join(" "));
            let output = run(&arguments).with_status(2);
            assert_eq!(output.stderr, expected);
            assert!(output.stdout.is_empty());
        }
    }
    for form in ["frames", "libfuzzer", "afl"] {
        let arguments = ["generate", "--format", "godot3", "--bytes", "hex", "--as", form];
        run(&arguments).with_status(2).says(str![[r#"
error: --bytes goes with JSON lines only
  hint: --as jsonl and --as files write them
"#]]);
    }
}
