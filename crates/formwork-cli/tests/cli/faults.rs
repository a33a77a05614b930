//! Files that stay unharmed after errors, and readers that leave.

use std::io::Read;
use std::path::PathBuf;

use crate::cases::formats;
use crate::run::{command, run_with};

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
