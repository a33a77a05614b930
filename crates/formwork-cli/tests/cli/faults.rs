//! Error messages of the program, and files that stay unharmed after errors.

use std::io::Read;
use std::path::PathBuf;

use crate::cases::formats;
use crate::run::{command, run, run_with};

const OPTIONS: [&str; 4] = ["--format", "godot3", "--framing", "bare"];

fn arguments<'a>(first: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = first.to_vec();
    arguments.extend(OPTIONS);
    arguments
}

/// Returns a new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// An array of a null and the string "asdf", cut within the string.
const CUT: &[u8] = b"\x13\0\0\0\x02\0\0\0\0\0\0\0\x04\0\0\0\x04\0\0\0as";

#[test]
fn a_cut_input_is_located() {
    let ended = run_with(&arguments(&["decode", "-"]), CUT).with_status(1);
    assert!(ended.stdout.is_empty());
    let lines: Vec<_> = ended.stderr.lines().collect();
    assert!(lines[0].starts_with("error: standard input: expected "), "{}", ended.stderr);
    assert_eq!(lines[1], "  in 1");
    assert!(lines[2].starts_with("  at offset 20 (0x14), in array[1].string"), "{}", lines[2]);
    assert_eq!(lines[3], "  at least 2 more bytes are needed (rule input.complete)");
    assert_eq!(
        lines[4],
        "  00000000  13 00 00 00 02 00 00 00  00 00 00 00 04 00 00 00  |................|"
    );
    assert_eq!(
        lines[5].trim_end(),
        "  00000010  04 00 00 00 61 73                                 |....as|"
    );
    assert_eq!(lines[6], "                        ^^");
    assert_eq!(lines.len(), 7);
}

#[test]
fn a_cut_input_is_dumped_as_far_as_it_goes() {
    let ended = run_with(&arguments(&["dump", "-"]), CUT).with_status(1);
    assert!(
        ended.text().contains("fault at offset 20 (0x14), [0].array[1].string"),
        "{}",
        ended.text()
    );
    let at = run_with(&arguments(&["dump", "-", "--at", "0x10"]), CUT).with_status(0);
    assert!(at.text().contains("length"), "{}", at.text());
    let beyond = run_with(&arguments(&["dump", "-", "--at", "22"]), CUT).with_status(1);
    assert!(beyond.stderr.contains("no byte at offset 22 (0x16)"), "{}", beyond.stderr);
}

#[test]
fn verify_tells_the_four_kinds_apart() {
    let verify = |input: &[u8], options: &[&str], status: i32| {
        let mut arguments = arguments(&["verify", "-"]);
        arguments.extend(options);
        run_with(&arguments, input).with_status(status).text().to_owned()
    };
    let line = verify(&[0; 4], &[], 0);
    assert_eq!(line, "ok  standard input: godot3.6, bare, 1 value: as the engine writes it\n");
    // The NodePath "a" with a byte other than zero in its padding.
    let path = b"\x0f\0\0\0\x01\0\0\x80\0\0\0\0\0\0\0\0\x01\0\0\0a\0\0\x07";
    assert!(verify(path, &[], 0).contains(": as the engine writes it, except for padding"));
    let seven = &[0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];
    let line = verify(seven, &[], 1);
    let expected = "2 values: the engine would write it differently: bool.value at offset 8 (0x8), value 1: bool\n";
    assert!(line.starts_with("not ok  ") && line.ends_with(expected), "{line}");
    let line = verify(seven, &["--strictness", "engine"], 0);
    assert!(line.starts_with("ok  ") && line.ends_with(expected), "{line}");
    let line = verify(CUT, &["--strictness", "engine"], 1);
    assert!(line.contains("damaged: 1: offset 20 (0x14), array[1].string"), "{line}");
    assert!(verify(&[], &[], 1).contains("empty"));
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_being_verified() {
    let good = formats().join("godot3/golden/3.6.2/files/small.var2bytes.bin");
    let good = good.to_str().expect("a plain name");
    let ended = run(&arguments(&["verify", "no-such-file", good])).with_status(3);
    assert!(ended.text().starts_with("ok  "), "{}", ended.text());
    assert!(ended.stderr.contains("no-such-file: could not be read"), "{}", ended.stderr);
}

#[test]
fn wrong_use_is_status_2() {
    for wrong in [
        &["decode"][..],
        &["encode", "-"],
        &["nonsense"],
        &["decode", "-", "--format", "godot5"],
        &["verify", "-", "-", "--format", "godot3", "--framing", "bare"],
        &["respond"],
    ] {
        let ended = run(wrong).with_status(2);
        assert!(ended.stdout.is_empty());
        assert!(ended.stderr.starts_with("error: "), "{}", ended.stderr);
    }
    let ended = run(&["decode", "-", "--format", "alb1", "--framing", "bare"]).with_status(2);
    assert!(ended.stderr.contains("has no framing"), "{}", ended.stderr);
}

#[test]
fn what_cannot_be_read_or_written_is_status_3() {
    run(&arguments(&["decode", "no-such-file"])).with_status(3);
    let ended = run_with(&arguments(&["encode", "-", "-o", "no-such-folder/out"]), b"1");
    assert!(ended.with_status(3).stderr.contains("no-such-folder/out: could not be written"));
}

#[test]
fn a_fault_in_a_text_is_located() {
    let ended =
        run_with(&arguments(&["encode", "-", "-o", "-"]), b"{\n  \"a\": [1, }\n").with_status(1);
    assert!(ended.stdout.is_empty());
    assert!(ended.stderr.contains("at line 2, column"), "{}", ended.stderr);
    assert!(ended.stderr.contains("\n      \"a\": [1, }\n"), "{}", ended.stderr);
    let vector = b"{\"a\":{\"$Vector4\":[1.0,2.0,3.0,4.0]}}";
    let ended = run_with(&arguments(&["encode", "-", "-o", "-"]), vector).with_status(1);
    let expected = "expected a type that godot3.6 has, found Vector4";
    assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    assert!(ended.stderr.contains("in dictionary[0].value"), "{}", ended.stderr);
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let folder = folder("replaced");
    let target = folder.join("out.bin");
    let name = target.to_str().expect("a plain name");
    let encode = |json: &[u8]| run_with(&arguments(&["encode", "-", "-o", name]), json);
    encode(b"true").with_status(0);
    let before = std::fs::read(&target).expect("it was written");
    assert_eq!(before, [1, 0, 0, 0, 1, 0, 0, 0]);
    encode(b"[true, {\"$Vector4\":[1.0,2.0,3.0,4.0]}]").with_status(1);
    encode(b"[true").with_status(1);
    assert_eq!(std::fs::read(&target).expect("it is still there"), before);
    encode(b"2").with_status(0);
    assert_eq!(std::fs::read(&target).expect("it was written")[0], 2);
    assert_eq!(std::fs::read(folder.join("out.bin.bak")).expect("it was kept"), before);
    let left = std::fs::read_dir(&folder).expect("the folder is there").count();
    assert_eq!(left, 2, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions_and_links_lead_on() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("permissions");
    let (target, link) = (folder.join("out.bin"), folder.join("link.bin"));
    std::fs::write(&target, "old").expect("it can be written");
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o640)).expect("it can be set");
    std::os::unix::fs::symlink("out.bin", &link).expect("links can be made");
    let name = link.to_str().expect("a plain name");
    run_with(&arguments(&["encode", "-", "-o", name]), b"null").with_status(0);
    assert!(link.is_symlink());
    let metadata = std::fs::metadata(&target).expect("it is there");
    assert_eq!((metadata.len(), metadata.permissions().mode() & 0o777), (4, 0o640));
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    let big = formats().join("godot3/golden/3.6.2/files/big.var2bytes.bin");
    let big = big.to_str().expect("a plain name");
    for words in [&["dump", big][..], &["decode", big], &["decode", big, "--as", "text"]] {
        let mut child = command(&arguments(words)).spawn().expect("it starts");
        let mut start = [0; 16];
        let mut stdout = child.stdout.take().expect("piped");
        stdout.read_exact(&mut start).expect("it prints");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.stderr.is_empty(), "{}", output.stderr.escape_ascii());
        assert_eq!(output.status.code(), Some(0), "{words:?}");
    }
}
