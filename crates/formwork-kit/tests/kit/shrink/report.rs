//! The reports about findings.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use formwork_kit::Format;
use formwork_kit::case::{Broken, Profile, Reading};
use formwork_kit::oracle::Outcome;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::{AnswerForm, Cut, Deviation, Finding, Kind};
use formwork_kit::report::{self, Context};
use formwork_variant::codec;
use formwork_variant::{Dialect, Rule, Strictness};

fn context() -> Context {
    Context {
        reading: Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false },
        strictness: Strictness::Engine,
        target: "python3 -c 'import decoder; decoder.serve()'".into(),
        reference: None,
        options: vec!["--per-case".into()],
        seed: u64::MAX,
        answer: AnswerForm::Bytes,
        program: "formwork-kit".into(),
        folder: "/home/me/my decoder".into(),
    }
}

/// Returns a finding: an array whose count is too large by one is accepted.
fn refused() -> Finding {
    Finding {
        difference: Deviation {
            kind: Kind::AcceptsInvalid,
            about: "input.complete: array".into(),
            said: String::new(),
            detail: "accepted; it should have been rejected".into(),
        },
        packet: [19_u32, 1].iter().flat_map(|word| word.to_le_bytes()).collect(),
        first: [19_u32, 3, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect(),
        number: 12,
        profile: Profile::NearValid,
        subject: "Array".into(),
        is_row: false,
        broken: Some(Broken { rule: Rule::INPUT_COMPLETE, offset: 16 }),
        pair: None,
        before: Vec::new(),
        target: Outcome::Answered(Answer::Accepted { consumed: Some(9), bytes: Vec::new() }),
        reference: Outcome::Answered(Answer::Rejected {
            offset: Some(8),
            message: "expected a packet, found the end".into(),
        }),
        count: 3,
        cut: Cut::Nothing,
    }
}

/// Returns a finding: a value is read wrong after two others. Its texts contain markup and control
/// characters.
fn accepted() -> Finding {
    let int = |number: u32| [2, number].iter().flat_map(|word| word.to_le_bytes()).collect();
    let about = "\"/*\n\\\u{202e}@PACKET@ --> ``` <b> ]]>";
    Finding {
        difference: Deviation {
            kind: Kind::StateLeak,
            about: about.into(),
            said: String::new(),
            detail: format!("{about}\n# no heading\u{1b}[31m"),
        },
        packet: int(7),
        first: int(7_000_000),
        number: u64::MAX,
        profile: Profile::Edge,
        subject: about.into(),
        is_row: false,
        broken: None,
        pair: None,
        before: vec![int(1), Vec::new(), (0..40).collect()],
        target: Outcome::Answered(Answer::Accepted { consumed: Some(8), bytes: int(1) }),
        reference: Outcome::Answered(Answer::Accepted { consumed: Some(8), bytes: int(7) }),
        count: 1,
        cut: Cut::Nothing,
    }
}

/// Returns a finding: a crash on an empty packet, on which the reference has no opinion.
fn crashed() -> Finding {
    Finding {
        difference: Deviation {
            kind: Kind::Crash,
            about: "../../signal 11".into(),
            said: String::new(),
            detail: String::new(),
        },
        packet: Vec::new(),
        target: Outcome::Crashed { status: "signal 11 (SIGSEGV)".into(), stderr: "boom\n".into() },
        reference: Outcome::Answered(Answer::Skipped { what: "empty packets".into() }),
        ..refused()
    }
}

/// Writes the report on findings: its folder and its page.
fn written(findings: &[Finding]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    report::write(folder.path(), findings, &context()).unwrap();
    let page = fs::read_to_string(folder.path().join("index.md")).unwrap();
    (folder, page)
}

#[test]
fn a_report_has_everything_about_its_findings() {
    let findings = [refused(), accepted(), crashed()];
    let (folder, page) = written(&findings);
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["findings.jsonl", "index.md", "junit.xml"]);
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();

    // The rows are those of a suite.
    let rows = text("findings.jsonl");
    assert!(rows.is_ascii());
    let lines: Vec<serde_json::Value> =
        rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["suite"], &lines[0]["rows"]), (&"formwork".into(), &3.into()));
    assert_eq!(
        rows.lines().nth(1).unwrap(),
        r#"{"id":"accepts-invalid/input-complete-array/3833e287","tier":"strict","hex":"1300000001000000","result":"invalid","rule":"input.complete","kind":"accepts-invalid","about":"input.complete: array","detail":"accepted; it should have been rejected","subject":"Array","case":12,"cases":3}"#
    );
    let row = &lines[2];
    assert_eq!((&row["result"], &row["value"]), (&"valid".into(), &7.into()));
    let bytes = ["0200000007000000", "020001000700000000000000"];
    assert_eq!(row["bytes"], serde_json::json!(bytes));
    assert_eq!(row["about"], accepted().difference.about);
    assert_eq!(row["case"], u64::MAX);
    for (row, finding) in report::rows(&rows).unwrap().iter().zip(&findings) {
        assert_eq!(row.id, report::name(finding));
        assert_eq!(
            (&row.packet, &row.before, &row.pair),
            (&finding.packet, &finding.before, &None)
        );
    }
    assert!(report::rows("\n{}").unwrap_err().starts_with("line 2: "));

    let xml = text("junit.xml");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let cases: Vec<_> = document.descendants().filter(|it| it.has_tag_name("testcase")).collect();
    assert_eq!(cases.len(), 3);
    assert_eq!(cases[2].attribute("name"), Some("../../signal 11"));
    assert!(xml.contains(r#"<testsuites tests="3" failures="3">"#), "{xml}");

    assert!(page.contains("case 18446744073709551615 of seed 18446744073709551615"), "{page}");
    assert!(page.contains("broken on purpose at first | `input.complete` at byte 16;"), "{page}");
    assert!(page.contains("that the value took 8 bytes"), "{page}");
    assert!(page.contains("00000004  07 00 00 00"), "{page}");
    assert!(!page.contains("\n# no heading") && !page.contains('\u{1b}'), "{page}");
}

#[test]
fn a_report_takes_the_place_of_an_earlier_one_and_is_known() {
    let (folder, page) = written(&[refused()]);
    assert!(page.contains("| shown by | 3 cases |"), "{page}");
    assert!(report::is_report(folder.path()));
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    report::write(folder.path(), &[], &context()).unwrap();
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(text("index.md").contains("Nothing was found."));
    assert!(text("junit.xml").contains(r#"failures="0""#));
    assert_eq!(report::rows(&text("findings.jsonl")).unwrap(), []);
    assert_eq!(text("notes.txt"), "mine");
    let mine = tempfile::tempdir().unwrap();
    fs::write(mine.path().join("index.md"), "mine").unwrap();
    assert!(!report::is_report(mine.path()));
}

#[test]
fn a_reference_says_what_is_right() {
    let about = Context { reference: Some("other".into()), ..context() };
    let folder = tempfile::tempdir().unwrap();
    let refusing = Finding { reference: refused().reference, ..accepted() };
    report::write(folder.path(), &[refusing, accepted()], &about).unwrap();
    let rows = fs::read_to_string(folder.path().join("findings.jsonl")).unwrap();
    let lines: Vec<_> = rows.lines().skip(1).collect();
    assert!(lines[0].contains(r#""result":"invalid""#), "{rows}");
    assert!(lines[1].contains(r#""result":"valid","used":8"#), "{rows}");
}

#[test]
fn an_alb1_file_is_explained() {
    let packet = formwork_alb1::Document::new("CLayer").to_vec().unwrap();
    let finding = Finding { packet, ..refused() };
    let reading = Reading { format: Format::Alb1, allow_objects: false };
    let folder = tempfile::tempdir().unwrap();
    report::write(folder.path(), &[finding], &Context { reading, ..context() }).unwrap();
    let page = fs::read_to_string(folder.path().join("index.md")).unwrap();
    assert!(page.contains("TableEntry") && page.contains(" more lines"), "{page}");
}

#[test]
fn a_page_shows_the_packet_the_answers_and_the_bytes_that_differ() {
    let (folder, page) = written(&[accepted()]);
    let bytes = "    packet    00000000  02 00 00 00 07 00 00 00\n    \
                 expected  00000000  02 00 00 00 07 00 00 00\n    \
                 got       00000000  02 00 00 00 01 00 00 00\n    \
                 \u{20}                               ^^\n";
    assert!(page.contains(bytes), "{page}");
    assert!(page.contains("| shown by | 1 case |"), "{page}");
    // The command works in any folder.
    let rows = folder.path().join("findings.jsonl");
    let command =
        format!("cd '/home/me/my decoder' && formwork-kit fuzz --replay {}", rows.display());
    assert!(page.contains(&command), "{command}\n{page}");
    // A refused packet shows only the bytes of the packet.
    let (_folder, page) = written(&[refused()]);
    assert!(page.contains("packet    00000000  13 00 00 00 01 00 00 00\n"), "{page}");
    let sentence = Rule::INPUT_COMPLETE.description().trim();
    assert!(page.contains(&format!("The rule `input.complete`: {sentence}")), "{page}");
}

#[test]
fn a_page_never_shows_the_same_value_twice() {
    // A string with a NUL. The engine reads both answers as the same value.
    let string = |bytes: &[u8; 4]| [&[4, 0, 0, 0, 2, 0, 0, 0][..], bytes].concat();
    let answered =
        |bytes: Vec<u8>| Outcome::Answered(Answer::Accepted { consumed: Some(12), bytes });
    let finding = Finding {
        difference: Deviation {
            kind: Kind::DifferentValue,
            about: "writes back what the engine mends: string.canonical".into(),
            said: String::new(),
            detail: String::new(),
        },
        packet: string(b"\0b\0\0"),
        target: answered(string(b"\0b\0\0")),
        reference: answered(vec![4, 0, 0, 0, 0, 0, 0, 0]),
        ..refused()
    };
    let (_folder, page) = written(&[finding]);
    assert!(!page.contains("    \"\"\n"), "{page}");
    assert!(!page.contains("reads another value"), "{page}");
    assert!(page.contains("got       00000000  04 00 00 00 02 00 00 00 00 62 00 00\n"), "{page}");
    assert!(page.contains(codec::rule::STRING_CANONICAL.description().trim()), "{page}");
}

#[cfg(unix)]
#[test]
fn the_command_that_tries_them_again_can_be_run_from_anywhere() {
    use std::os::unix::fs::PermissionsExt;
    let start = tempfile::tempdir().unwrap();
    // A program in the place of `formwork-kit`, which prints its folder and its arguments.
    fs::write(start.path().join("formwork-kit"), "#!/bin/sh\npwd\nprintf '%s\\n' \"$@\"\n")
        .unwrap();
    let mut mode = fs::metadata(start.path().join("formwork-kit")).unwrap().permissions();
    mode.set_mode(0o755);
    fs::set_permissions(start.path().join("formwork-kit"), mode).unwrap();
    let program = start.path().join("formwork-kit").to_str().unwrap().to_owned();
    let about = Context { program, folder: start.path().into(), ..context() };
    let parent = tempfile::tempdir().unwrap();
    let rows = parent.path().join("findings.jsonl");
    let command = report::replay(&rows, &about);
    let ran = Command::new("sh").args(["-c", &command]).current_dir("/").output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let mut lines = said.lines();
    let place = fs::canonicalize(lines.next().unwrap()).unwrap();
    assert_eq!(place, fs::canonicalize(start.path()).unwrap());
    let file = rows.to_str().unwrap();
    assert_eq!(lines.by_ref().take(3).collect::<Vec<_>>(), ["fuzz", "--replay", file]);
    assert_eq!(lines.last(), Some("python3 -c 'import decoder; decoder.serve()'"));
}
