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
    let manual = repository.join("docs");
    if manual.is_dir() {
        pages.extend(files(&manual, "md"));
    }
    pages.extend(files(&repository.join("crates/formwork-cli/tests/transcripts"), "trycmd"));
    // `fuzz` looks for its targets there; the program is one.
    let program = Path::new(env!("CARGO_BIN_EXE_formwork"));
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        program.parent().map(Path::to_owned).into_iter().chain(std::env::split_paths(&folders));
    let path = std::env::join_paths(folders).expect("no folder has a colon in its name");
    for page in pages {
        let folder = tempfile::tempdir().expect("a folder can be made");
        furnish(repository, folder.path());
        std::env::set_current_dir(folder.path()).expect("the folder is there");
        let cases = TestCases::new();
        cases.register_bin("formwork", program);
        cases.register_bins(found("cmp").map(|path| ("cmp", path)));
        cases.env("COLUMNS", "80").env("NO_COLOR", "1").env("PATH", path.to_string_lossy());
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
    let rich = player.replace("100", "9999");
    let cell = r#"{"player": {"cell": {"$Vector2i": [3, 4]}, "home": {"$Vector2i": [0, 0]}}}"#;
    for (json, options) in [
        (player, &["--format", "godot4", "-o", "player.save"][..]),
        (cell, &["--format", "godot4", "-o", "lossy.save"]),
        (
            r#"[1, "two", 3.0]"#,
            &["--format", "godot4", "--framing", "frames", "--all", "-o", "several.save"],
        ),
        (r#"{"$Color": [1.0, 0.0, 0.0, 1.0]}"#, &["--format", "godot3", "-o", "color.bin"]),
    ] {
        fs::write(folder.join("made.json"), json).expect("a file can be written");
        let made = Command::new(env!("CARGO_BIN_EXE_formwork"))
            .args(["encode", "made.json"])
            .args(options)
            .current_dir(folder)
            .output()
            .expect("the program starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    fs::remove_file(folder.join("made.json")).expect("the file is there");
    let read = |name: &str| fs::read(folder.join(name)).expect("the file is there");
    let half = |name: &str| read(name)[..read(name).len() / 2].to_vec();
    let utf_16 = player.encode_utf16().flat_map(u16::to_le_bytes);
    for (name, bytes) in [
        ("cut.save", half("player.save")),
        ("cut.tv4l", half("valley.Layers/houses.tv4l")),
        ("cut.pcap", half("rpc.pcap")),
        ("head.save", [&b"MYGAME v1.0.0\0\0\0"[..], &read("player.save")].concat()),
        // A bool is one or zero where the engine writes it.
        ("odd.bin", vec![1, 0, 0, 0, 2, 0, 0, 0]),
        ("noise.bin", vec![0xff; 24]),
        ("empty.save", Vec::new()),
        ("notes.txt", b"Buy lamp oil.\n".to_vec()),
        ("list.txt", b"\"cottage\";200010.0;5.0;0.0;0.0;0.0;1.0;0.0;\n".to_vec()),
        ("rich.json", rich.clone().into()),
        ("comma.json", rich.replace("\"gold\": 9999,", "\"gold\": 9999").into()),
        ("short.json", rich.replace("[12.5, 4.0]", "[12.5]").into()),
        ("unknown.json", rich.replace("$Vector2", "$Vector9").into()),
        (
            "long.json",
            rich.replace("$Vector2", "$Vector2i").replace("[12.5, 4.0]", "[12, 4]").into(),
        ),
        ("utf16.json", [0xff, 0xfe].into_iter().chain(utf_16).collect()),
    ] {
        fs::write(folder.join(name), bytes).expect("a file can be written");
    }
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
