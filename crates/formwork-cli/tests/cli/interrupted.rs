//! What is left where the program is ended in the middle of a write.

#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::run::command;

const OLD: &[u8] = b"the old file\n";

/// The files in a folder that are not written to the end.
fn unfinished(folder: &Path) -> Vec<fs::DirEntry> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("the folder can be read"));
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).collect()
}

/// Starts writing in the place of an old file, and returns when the new one is begun.
fn in_the_middle_of_a_write(folder: &Path) -> Child {
    let path = folder.join("values.jsonl");
    fs::write(&path, OLD).expect("a file can be written");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/captures/rpc.pcap");
    let capture = fs::read(sample).expect("the sample is there");
    let path = path.to_str().expect("a plain name");
    let mut child = command(&["packets", "-", "-o", path]).spawn().expect("the program starts");
    let stdin = child.stdin.as_mut().expect("it is piped");
    // It waits for more of the capture from here on.
    stdin.write_all(&capture).expect("it reads");
    stdin.flush().expect("it reads");
    while unfinished(folder).is_empty() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    child
}

fn end(child: &mut Child, signal: &str) -> Option<i32> {
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
fn a_killed_program_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = in_the_middle_of_a_write(folder.path());
    assert_eq!(end(&mut child, "-KILL"), None);
    assert_eq!(fs::read(folder.path().join("values.jsonl")).expect("the old file"), OLD);
}
