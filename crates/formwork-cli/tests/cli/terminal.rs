//! Output to a terminal and to a file. (`script` provides a terminal if it is installed; `src/terminal.rs`
//! tests the writer.)

use std::process::{Command, Stdio};

use crate::run::{run, run_with};

/// A text that would set a terminal's title, clear the terminal and reverse the direction of writing.
const TRICKS: &str = "x\u{1b}]0;title\u{7}\u{9b}2J\u{202e}y";

/// Returns the output of the program with both its outputs on a terminal.
fn on_a_terminal(arguments: &[&str]) -> Option<String> {
    let quoted = |text: &&str| format!("'{}'", text.replace('\'', r"'\''"));
    let words: Vec<_> =
        [env!("CARGO_BIN_EXE_formwork")].iter().chain(arguments).map(quoted).collect();
    let mut command = Command::new("script");
    command.args(["-q", "-c", &words.join(" "), "/dev/null"]).env("TERM", "xterm");
    command.env_remove("NO_COLOR").stdin(Stdio::null()).stderr(Stdio::null());
    let Ok(output) = command.output() else {
        println!("skipped: there is no script(1)");
        return None;
    };
    Some(String::from_utf8(output.stdout).expect("what is shown is UTF-8"))
}

#[test]
fn a_terminal_gets_no_control_sequence_of_a_value_and_a_pipe_gets_every_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tricks.bin");
    let path = path.to_str().expect("a plain name");
    let json = serde_json::json!({ "k\u{1b}[2Jey": TRICKS }).to_string();
    run_with(&["encode", "-", "--format", "godot4", "-o", path], json.as_bytes()).with_status(0);
    let decode = ["decode", path, "--format", "godot4", "--framing", "bare"];
    let piped = run(&[&decode[..], &["--as", "text"]].concat()).with_status(0);
    assert!(piped.text().contains(TRICKS), "{:?}", piped.text());
    for form in ["text", "json", "native"] {
        let Some(shown) = on_a_terminal(&[&decode[..], &["--as", form]].concat()) else { return };
        assert!(shown.contains("u001b]0;title"), "{shown:?}");
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{shown:?}");
    }
    let commands: [&[&str]; 3] = [
        &["info", path, "--format", "godot4"],
        &["dump", path, "--format", "godot4"],
        &[
            "convert",
            path,
            "--from",
            "godot4",
            "--framing",
            "bare",
            "--to",
            "godot3",
            "-o",
            "/dev/null",
        ],
    ];
    for arguments in commands {
        let shown = on_a_terminal(arguments).expect("as before");
        assert!(!shown.contains("\u{1b}]0"), "{shown:?}");
        assert!(!shown.contains("\u{1b}[2J"), "{shown:?}");
        assert!(!shown.contains(['\u{7}', '\u{9b}', '\u{202e}']), "{shown:?}");
    }
}

#[test]
fn a_terminal_gets_no_control_sequence_of_a_file_name_or_argument() {
    let name = format!("no such {TRICKS}");
    for arguments in
        [&["decode", &name][..], &["info", &name], &["decode", "--format", &name], &[&name]]
    {
        let Some(shown) = on_a_terminal(arguments) else { return };
        assert!(shown.contains("no such x"), "{shown:?}");
        assert!(!shown.contains("\u{1b}]0"), "{shown:?}");
        assert!(!shown.contains(['\u{7}', '\u{9b}', '\u{202e}']), "{shown:?}");
    }
}

#[test]
fn what_a_filter_gives_is_coloured_on_a_terminal_only() {
    let query = ["query", "-n", "{a: [1, \"b\"]}", "-c"];
    let plain = "{\"a\":[1,\"b\"]}\n";
    assert_eq!(run(&query).with_status(0).text(), plain);
    let always = run(&[&query[..], &["--color", "always"]].concat()).with_status(0);
    let coloured = run(&[&query[..], &["-C"]].concat()).with_status(0);
    assert!(coloured.text().contains("\u{1b}[36m\"a\""), "{:?}", coloured.text());
    assert_eq!(always.text(), coloured.text());
    let shown = |more: &[&str]| on_a_terminal(&[&query[..], more].concat());
    let Some(usual) = shown(&[]) else { return };
    assert_eq!(usual.replace('\r', ""), coloured.text());
    for more in [&["-M"][..], &["--color", "never"]] {
        assert_eq!(shown(more).expect("as before").replace('\r', ""), plain);
    }
}

#[test]
fn progress_is_shown_on_a_terminal_and_nowhere_else() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in 0..6 {
        std::fs::write(folder.path().join(format!("{name}.save")), [2, 0, 0, 0, 7, 0, 0, 0])
            .expect("a file");
    }
    let long = tempfile::NamedTempFile::new().expect("a file");
    // A PackedByteArray.
    let mut bytes = [29_u32, 40 << 20].map(u32::to_le_bytes).concat();
    bytes.resize(8 + (40 << 20), 0);
    std::fs::write(long.path(), bytes).expect("a file");
    for (path, said) in [(folder.path(), "of 6 files"), (long.path(), "41.94 MB, 0 s so far")] {
        let verify = ["verify", path.to_str().expect("a plain name"), "--format", "godot4"];
        let piped = run(&verify).with_status(0);
        assert_eq!((piped.text().lines().count(), &*piped.stderr), (1, ""), "{said}");
        let Some(shown) = on_a_terminal(&verify) else { return };
        assert!(shown.contains(said), "{shown:?}");
        let quiet = on_a_terminal(&[&verify[..], &["-q"]].concat()).expect("as before");
        assert!(!quiet.contains(said), "{quiet:?}");
    }
}
