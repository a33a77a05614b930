//! The reports about findings. The tests for copying in them are run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use formwork_kit::Format;
use formwork_kit::case::{Broken, Profile, Reading};
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::report::{self, Context};
use formwork_kit::oracle::target::Outcome;
use formwork_kit::oracle::{AnswerForm, Cut, Deviation, Finding, Kind};
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

fn written(finding: &Finding) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = report::write(folder.path(), finding, &context()).unwrap();
    (folder, path)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                names.push(name.replace('\\', "/"));
            }
        }
    }
    names.sort();
    names
}

#[test]
fn a_folder_has_everything_about_a_finding() {
    let finding = accepted();
    let (parent, folder) = written(&finding);
    assert_eq!(
        files(&folder),
        [
            ".formwork",
            "README.md",
            "before/0000.bin",
            "before/0001.bin",
            "before/0002.bin",
            "dump.txt",
            "first.bin",
            "packet.bin",
            "packet.json",
            "packet.txt",
            "reference.bin",
            "reference.json",
            "reference.txt",
            "replay.sh",
            "target.bin",
            "target.json",
            "target.txt",
            "test.c",
            "test.mjs",
            "test.py",
            "test.rs",
            "test_godot3.gd",
            "test_godot4.gd",
        ]
    );
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(fs::read(folder.join("packet.bin")).unwrap(), finding.packet);
    assert_eq!(fs::read(folder.join("before/0002.bin")).unwrap(), finding.before[2]);
    assert_eq!(text("packet.json"), "7\n");
    assert_eq!(text("target.json"), "1");
    assert!(text("dump.txt").contains("00000004  07 00 00 00"), "{}", text("dump.txt"));
    assert_eq!(
        text("replay.sh").lines().last().unwrap(),
        "exec formwork-kit fuzz --replay \"$packet\" --format godot3.6 --per-case --target \
         \"python3 -c 'import decoder; decoder.serve()'\""
    );
    let page = text("README.md");
    assert!(page.contains("case 18446744073709551615 of seed 18446744073709551615"), "{page}");
    assert!(page.contains("the value takes 8 bytes"), "{page}");
    assert!(!page.contains("\n# no heading") && !page.contains('\u{1b}'), "{page}");
    // The folder contains nothing more.
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
}

#[test]
fn a_finding_that_comes_again_takes_the_place_of_its_folder() {
    let (parent, folder) = written(&refused());
    fs::write(folder.join("old"), "").unwrap();
    let again = report::write(parent.path(), &refused(), &context()).unwrap();
    assert_eq!(again, folder);
    assert!(!folder.join("old").exists());
    let other = report::write(parent.path(), &crashed(), &context()).unwrap();
    assert_eq!(other.parent(), Some(parent.path()));
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 2);
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(
        page.contains("broken on purpose in first.bin | `input.complete` at byte 16;"),
        "{page}"
    );
    assert!(page.contains("It refuses the packet."), "{page}");
}

#[test]
fn the_pages_of_a_run_are_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let findings = [refused(), accepted(), crashed()];
    report::write_run(folder.path(), &findings, &context()).unwrap();
    assert_eq!(files(folder.path()), ["findings.json", "index.md", "junit.xml"]);
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text("findings.json")).unwrap();
    assert_eq!(json["seed"], "18446744073709551615");
    assert_eq!(json["findings"][0]["packet"], "1300000001000000");
    assert_eq!(json["findings"][1]["about"], accepted().difference.about);
    assert_eq!(json["findings"][2]["folder"], report::name(&crashed()));
    let xml = text("junit.xml");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let cases: Vec<_> = document.descendants().filter(|it| it.has_tag_name("testcase")).collect();
    assert_eq!(cases.len(), 3);
    assert_eq!(cases[2].attribute("name"), Some("../../signal 11"));
    assert!(xml.contains(r#"<testsuites tests="3" failures="3">"#), "{xml}");
    let index = text("index.md");
    assert_eq!(index.lines().filter(|line| line.starts_with('|')).count(), 5, "{index}");

    report::write_run(folder.path(), &[], &context()).unwrap();
    assert!(text("index.md").contains("Nothing was found."));
    assert!(text("junit.xml").contains(r#"failures="0""#));
}

#[test]
fn an_alb1_file_has_its_own_dump_and_no_test_for_engines() {
    let packet = formwork_alb1::Document::new("CLayer").to_vec().unwrap();
    let finding = Finding { packet, ..refused() };
    let reading = Reading { format: Format::Alb1, allow_objects: false };
    let folder = tempfile::tempdir().unwrap();
    let about = Context { reading, ..context() };
    let path = report::write(folder.path(), &finding, &about).unwrap();
    assert!(path.join("packet.json").exists());
    assert!(path.join("test.c").exists());
    assert!(!path.join("test_godot3.gd").exists());
    let dump = fs::read_to_string(path.join("dump.txt")).unwrap();
    assert!(dump.contains("CLayer"), "{dump}");
}

/// A language of the tests for copying: how a file is run, a decoder that accepts the packet correctly, and a
/// decoder that refuses every packet.
struct Language {
    file: &'static str,
    accepts: &'static str,
    refuses: &'static str,
    run: fn(&Path) -> Option<bool>,
}

/// Returns whether the command succeeds, or [`None`] if there is no such program.
fn succeeds(command: &mut Command) -> Option<bool> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    Some(output.status.success())
}

const LANGUAGES: &[Language] = &[
    Language {
        file: "test.rs",
        accepts: "    let _ = packet;\n    Some((CONSUMED, VALUE.to_vec()))",
        refuses: "    let _ = packet;\n    None",
        run: |file| {
            let program = file.with_extension("out");
            let mut compiler = Command::new("rustc");
            compiler.arg("--test").arg("-o").arg(&program).arg(file);
            let compiled = compiler.args(["-D", "warnings"]).output().ok()?;
            let said = String::from_utf8_lossy(&compiled.stderr);
            assert!(compiled.status.success(), "{said}");
            succeeds(&mut Command::new(program))
        },
    },
    Language {
        file: "test.py",
        accepts: "    return CONSUMED, VALUE",
        refuses: "    return None",
        run: |file| succeeds(Command::new("python3").arg(file)),
    },
    Language {
        file: "test.mjs",
        accepts: "  return [CONSUMED, VALUE];",
        refuses: "  return null;",
        run: |file| succeeds(Command::new("node").arg(file)),
    },
    Language {
        file: "test.c",
        accepts: "    *consumed = CONSUMED; *value = VALUE; return 1;",
        refuses: "    return 0;",
        run: |file| {
            let program = file.with_extension("c.out");
            let mut compiler = Command::new("cc");
            compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]);
            let compiled = compiler.arg("-o").arg(&program).arg(file).output().ok()?;
            let said = String::from_utf8_lossy(&compiled.stderr);
            assert!(compiled.status.success(), "{said}");
            succeeds(&mut Command::new(program))
        },
    },
    Language {
        file: "test_godot3.gd",
        accepts: "\treturn [CONSUMED, VALUE]",
        refuses: "\treturn null",
        run: |file| engine("godot3", file),
    },
    Language {
        file: "test_godot4.gd",
        accepts: "\treturn [CONSUMED, VALUE]",
        refuses: "\treturn null",
        run: |file| engine("godot4", file),
    },
];

/// Returns whether a script succeeds in an engine of this family. The engine is named in `FORMWORK_ENGINES`
/// or installed.
fn engine(family: &str, script: &Path) -> Option<bool> {
    let named = std::env::var("FORMWORK_ENGINES").unwrap_or_default();
    let paths = named.split([':', ',', ' ', '\n']).chain(["godot3-server"]);
    let path = paths.filter(|path| !path.is_empty()).find(|path| {
        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(family)
    })?;
    let folder = script.parent()?;
    // Engines need a project and an empty folder.
    fs::write(folder.join("project.godot"), "").unwrap();
    let mut command = Command::new(path);
    if family == "godot4" {
        command.arg("--headless");
    }
    command.arg("--path").arg(folder).arg("--script").arg(script.file_name()?);
    succeeds(command.env("HOME", folder))
}

fn with_decoder(folder: &Path, file: &str, decoder: &str) -> PathBuf {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.contains("CALL YOUR DECODER HERE") {
            lines.next();
            out.push_str(decoder);
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    let path = folder.join(format!("filled_{file}"));
    fs::write(&path, out).unwrap();
    path
}

/// Checks that each test fails as it is written, passes with a correct decoder, and fails with a faulty one.
#[test]
fn ready_made_tests_run_in_every_language_that_is_installed() {
    // A finding, whether accepting the packet is right, and whether refusing it is right.
    let findings = [(refused(), false, true), (accepted(), true, false), (crashed(), true, true)];
    let mut ran = Vec::new();
    for (finding, accepting, refusing) in findings {
        let (_parent, folder) = written(&finding);
        for Language { file, accepts, refuses, run } in LANGUAGES {
            let Some(unfilled) = run(&folder.join(file)) else { continue };
            let what = format!("{file} of {}", finding.difference.kind);
            assert!(!unfilled, "{what} passes without a decoder");
            assert_eq!(run(&with_decoder(&folder, file, accepts)), Some(accepting), "{what}");
            assert_eq!(run(&with_decoder(&folder, file, refuses)), Some(refusing), "{what}");
            ran.push(*file);
        }
    }
    ran.dedup();
    println!("{ran:?}");
    assert!(ran.contains(&"test.rs"), "rustc is there, as this is a test in Rust");
}

#[test]
fn a_page_shows_the_packet_the_answers_and_the_bytes_that_differ() {
    let (_parent, folder) = written(&accepted());
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let bytes = "    packet    00000000  02 00 00 00 07 00 00 00\n    \
                 expected  00000000  02 00 00 00 07 00 00 00\n    \
                 got       00000000  02 00 00 00 01 00 00 00\n    \
                 \u{20}                               ^^\n";
    assert!(page.contains(bytes), "{page}");
    assert!(page.contains("| shown by | 1 case |"), "{page}");
    // The command works in any folder.
    let command =
        format!("cd '/home/me/my decoder' && formwork-kit fuzz --replay {}", folder.display());
    assert!(page.contains(&command), "{command}\n{page}");
    // A refused packet shows only the bytes of the packet.
    let (_parent, folder) = written(&refused());
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
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
    let (_parent, folder) = written(&finding);
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(!page.contains("    \"\"\n"), "{page}");
    assert!(!page.contains("reads another value"), "{page}");
    assert!(page.contains("got       00000000  04 00 00 00 02 00 00 00 00 62 00 00\n"), "{page}");
    assert!(page.contains(codec::rule::STRING_CANONICAL.description().trim()), "{page}");
}

#[test]
fn counts_are_brought_up_to_date_and_what_a_user_has_changed_stays() {
    let (parent, folder) = written(&refused());
    fs::write(folder.join("test.py"), "mine").unwrap();
    let finding = Finding { count: 4711, ..refused() };
    report::refresh(parent.path(), &finding, &context()).unwrap();
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(page.contains("| shown by | 4711 cases |"), "{page}");
    assert_eq!(fs::read_to_string(folder.join("test.py")).unwrap(), "mine");
}

#[test]
fn a_folder_with_a_report_is_known() {
    let (parent, _) = written(&accepted());
    assert!(report::is_report(parent.path()).unwrap());
    let run = tempfile::tempdir().unwrap();
    assert!(!report::is_report(run.path()).unwrap());
    fs::create_dir(run.path().join("mine")).unwrap();
    fs::write(run.path().join("mine/README.md"), "mine").unwrap();
    assert!(!report::is_report(run.path()).unwrap());
    report::write_run(run.path(), &[], &context()).unwrap();
    assert!(report::is_report(run.path()).unwrap());
}

#[cfg(unix)]
#[test]
fn the_script_that_tries_it_again_can_be_run_from_anywhere() {
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
    let folder = report::write(parent.path(), &refused(), &about).unwrap();
    let ran = Command::new(folder.join("replay.sh")).current_dir("/").output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let mut lines = said.lines();
    let place = fs::canonicalize(lines.next().unwrap()).unwrap();
    assert_eq!(place, fs::canonicalize(start.path()).unwrap());
    assert_eq!([lines.next(), lines.next()], [Some("fuzz"), Some("--replay")]);
    let packet = Path::new(lines.next().unwrap());
    assert!(packet.is_absolute());
    assert_eq!(fs::read(packet).unwrap(), refused().packet);
}

/// The judge takes numbers of different widths as equal, and so do the tests for copying.
#[test]
fn ready_made_tests_accept_other_widths_as_the_judge_does() {
    let (_parent, folder) = written(&accepted());
    let wide = |list: &str| list.replace(' ', "");
    for name in ["test.rs", "test.py", "test.mjs", "test.c", "test_godot3.gd", "test_godot4.gd"] {
        let text = wide(&fs::read_to_string(folder.join(name)).unwrap());
        let bytes = "0x02,0x00,0x01,0x00,0x07,0x00,0x00,0x00,0x00,0x00,0x00,0x00,";
        assert!(text.contains(bytes), "{name}: {text}");
        // An answer with mixed widths is not in the list, so the test refers to the judge.
        assert!(text.contains("ifonlynumbershaveotherwidths,askreplay.sh"), "{name}: {text}");
    }
    let decoder = "    let _ = packet;\n    Some((CONSUMED, OTHERS[0].to_vec()))";
    let rust = LANGUAGES.iter().find(|language| language.file == "test.rs").unwrap();
    assert_eq!((rust.run)(&with_decoder(&folder, "test.rs", decoder)), Some(true));
    let other = "    let _ = packet;\n    Some((CONSUMED, vec![2, 0, 0, 0, 8, 0, 0, 0]))";
    assert_eq!((rust.run)(&with_decoder(&folder, "test.rs", other)), Some(false));
}
