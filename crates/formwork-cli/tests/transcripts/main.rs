//! What the program prints, as text to be read: help, successes and failures.
//!
//! Each page is run in a folder of its own, which holds the files of [`furnish`]; the commands of a page run
//! in order. `TRYCMD=overwrite cargo test -p formwork-cli --test transcripts` writes the pages anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use trycmd::TestCases;

/// Runs every page. One test, as the current folder belongs to the whole process.
#[test]
fn pages_show_what_the_program_prints() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    let mut pages = vec![repository.join("README.md")];
    pages.extend(files(&repository.join("docs"), "md"));
    pages.extend(files(&repository.join("crates/formwork-cli/tests/transcripts"), "trycmd"));
    for page in pages {
        let folder = tempfile::tempdir().expect("a folder can be made");
        furnish(repository, folder.path());
        std::env::set_current_dir(folder.path()).expect("the folder is there");
        let cases = TestCases::new();
        cases.register_bin("formwork", Path::new(env!("CARGO_BIN_EXE_formwork")));
        cases.register_bins(found("cmp").map(|path| ("cmp", path)));
        cases.env("COLUMNS", "80").env("NO_COLOR", "1");
        cases.case(page).run();
        std::env::set_current_dir(repository).expect("the folder is there");
    }
}

/// Puts the files into a folder that the pages work with.
fn furnish(repository: &Path, folder: &Path) {
    let formats = repository.join("formats");
    for (name, sample) in [
        ("level.save", "godot4/golden/4.6.3/files/small.save"),
        ("locked.save", "godot4/golden/4.6.3/files/small.encrypted.save"),
        ("old.save", "godot3/golden/3.6.2/files/small.save"),
        ("packed.save", "godot3/golden/3.6.2/files/small.zstd.save"),
        ("rpc.pcap", "captures/rpc.pcap"),
        ("valley.tv4p", "alb1/samples/valley.tv4p"),
        ("valley.Layers/houses.tv4l", "alb1/samples/valley.Layers/houses.tv4l"),
        ("valley.Layers/old trees.tv4l", "alb1/samples/valley.Layers/old trees.tv4l"),
        ("valley.Shapes/fields.tv4s", "alb1/samples/valley.Shapes/fields.tv4s"),
        ("TemplateLibs/houses.tml", "alb1/samples/TemplateLibs/houses.tml"),
        ("TemplateLibs/trees.tml", "alb1/samples/TemplateLibs/trees.tml"),
    ] {
        let to = folder.join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder can be made");
        fs::copy(formats.join(sample), to).expect("the sample is there");
    }
    let player = r#"{
        "player": {"name": "Ada", "gold": 100, "hp": 72.5, "position": {"$Vector2": [12.5, 4.0]}},
        "inventory": ["lamp", "rope"],
        "level": 3
    }"#;
    fs::write(folder.join("player.json"), player).expect("a file can be written");
    let made = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .args(["encode", "player.json", "--format", "godot4", "-o", "player.save"])
        .current_dir(folder)
        .output()
        .expect("the program starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    fs::remove_file(folder.join("player.json")).expect("the file is there");
    let level = fs::read(folder.join("level.save")).expect("the sample is there");
    fs::write(folder.join("cut.save"), &level[..level.len() / 2]).expect("a file can be written");
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut found: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    found.sort();
    found
}

/// Where a program of the system is.
fn found(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}
