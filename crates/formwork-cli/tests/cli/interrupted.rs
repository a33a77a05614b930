//! Files after the program is ended in the middle of a write.

#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::run::{command, run};

const OLD: &[u8] = b"the old file\n";

/// Returns the unfinished files in a folder.
fn unfinished(folder: &Path) -> Vec<fs::DirEntry> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("the folder can be read"));
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).collect()
}

/// Starts to overwrite an old file, and returns once the new file is begun.
fn in_the_middle_of_a_write(folder: &Path) -> Child {
    let path = folder.join("values.jsonl");
    fs::write(&path, OLD).expect("a file can be written");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/captures/rpc.pcap");
    let capture = fs::read(sample).expect("the sample is there");
    let path = path.to_str().expect("a plain name");
    let mut child = command(&["packets", "-", "-o", path]).spawn().expect("the program starts");
    let stdin = child.stdin.as_mut().expect("it is piped");
    // From here on, the program waits for more of the capture.
    stdin.write_all(&capture).expect("it reads");
    stdin.flush().expect("it reads");
    while unfinished(folder).is_empty() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    child
}

fn end(child: &mut Child, signal: &str) -> Option<i32> {
    // The open input keeps the program from ending by itself.
    let _input = child.stdin.take();
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.expect("there is kill").success());
    child.wait().expect("it ends").code()
}

#[test]
fn ctrl_c_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = in_the_middle_of_a_write(folder.path());
    assert_eq!(end(&mut child, "-INT"), Some(130));
    assert_eq!(fs::read(folder.path().join("values.jsonl")).expect("the old file"), OLD);
    assert!(unfinished(folder.path()).is_empty(), "{:?}", unfinished(folder.path()));
}

#[test]
fn a_request_to_end_leaves_the_old_file_and_nothing_else() {
    for signal in ["-TERM", "-HUP"] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = in_the_middle_of_a_write(folder.path());
        assert_eq!(end(&mut child, signal), Some(130), "{signal}");
        assert_eq!(fs::read(folder.path().join("values.jsonl")).expect("the old file"), OLD);
        assert!(unfinished(folder.path()).is_empty(), "{:?}", unfinished(folder.path()));
    }
}

#[test]
fn what_a_killed_program_leaves_is_in_nobodys_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = in_the_middle_of_a_write(folder.path());
    end(&mut child, "-KILL");
    assert_eq!(unfinished(folder.path()).len(), 1);
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain name").to_owned();
    fs::remove_file(path("values.jsonl")).expect("it is there");
    fs::write(path("made.json"), "7").expect("a file");
    run(&["encode", &path("made.json"), "--format", "godot4", "-o", &path("a.save")])
        .with_status(0);
    fs::remove_file(path("made.json")).expect("it is there");
    // `verify` does not count the unfinished file.
    let ended = run(&["verify", &path("")]).with_status(0);
    assert_eq!(ended.text(), "1 file: 1 ok\n");
    run(&["set", &path("a.save"), "", "8"]).with_status(0);
    assert_eq!(unfinished(folder.path()).len(), 1);
}

#[test]
fn a_killed_program_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = in_the_middle_of_a_write(folder.path());
    assert_eq!(end(&mut child, "-KILL"), None);
    assert_eq!(fs::read(folder.path().join("values.jsonl")).expect("the old file"), OLD);
}
