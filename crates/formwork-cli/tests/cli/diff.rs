//! `diff` on files, on folders, and as git calls it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use formwork_alb1::{Document, Field, Object, ObjectPointer, Text, Value};
use serde_json::Value as Json;

use crate::cases::formats;
use crate::run::{command, run, run_with};

/// Returns a project with this number of cells, whose active layer has this address.
fn project(cells: i32, active: u32, address: u32) -> Document {
    let mut project = Document::new("CVisitor4Project");
    let tag = |name: &str| project.tags.id(name).unwrap();
    let class = |name: &str| project.classes.id(name).unwrap() as i16;
    let frame = Object {
        class: class("SMapFrame"),
        address: address + 8,
        fields: vec![
            Field::new(tag("name"), Text::new("frame").unwrap()),
            Field::new(tag("size"), Value::SignedInt(cells)),
            Field::new(tag("needToRebuildTerrain"), address.is_multiple_of(8)),
        ],
    };
    let pointer = ObjectPointer { class: class("CAreaLayer"), address: active };
    let fields = vec![
        Field::new(tag("mactiveAreaLayer"), pointer),
        Field::new(tag("mframe"), vec![Field::new(tag("item"), frame)]),
    ];
    project.root.fields = fields;
    project.root.address = address;
    project
}

fn shapes(name: &str, address: u32) -> Document {
    let mut layer = Document::new("CAreaLayer");
    let tag = layer.tags.id("mname").unwrap();
    layer.root.fields.push(Field::new(tag, Text::new(name).unwrap()));
    layer.root.address = address;
    layer
}

fn store(folder: &Path, name: &str, document: &Document) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, document.to_vec().unwrap()).unwrap();
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("plain names")
}

#[test]
fn two_files() {
    let folder = tempfile::tempdir().unwrap();
    let old = store(folder.path(), "old.tv4p", &project(512, 4, 100));
    let same = store(folder.path(), "same.tv4p", &project(512, 8, 200));
    let new = store(folder.path(), "new.tv4p", &project(1024, 4, 100));
    let (old, same, new) = (text(&old), text(&same), text(&new));
    assert_eq!(run(&["diff", old, same]).with_status(0).text(), "");
    let found = run(&["diff", old, new]).with_status(1);
    let expected = [
        &format!("--- {old}"),
        &format!("+++ {new}"),
        r#"@@ mframe["frame"] (SMapFrame)"#,
        "-size = 512",
        "+size = 1024",
    ];
    assert_eq!(found.text().lines().collect::<Vec<_>>(), expected);
    assert!(run(&["diff", "--strict", old, same]).with_status(1).text().contains("(address)"));
    assert_eq!(run(&["diff", "--quiet", old, new]).with_status(1).text(), "");
    let json = run(&["diff", "--json", old, new]).with_status(1);
    let json: Json = serde_json::from_str(json.text()).unwrap();
    assert_eq!(json["kind"], "changed");
    assert_eq!(json["path"], r#"mframe["frame"].size"#);
    assert_eq!((&json["before"], &json["after"]), (&512.into(), &1024.into()));
    let forced = command(&["diff", old, new]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
}

#[test]
fn two_folders() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    // The same layer is active, at another address in memory.
    store(&old, "map.tv4p", &project(512, 0x40, 100));
    store(&old, "map.Shapes/grass.tv4s", &shapes("grass", 0x40));
    store(&old, "map.Shapes/gone.tv4s", &shapes("gone", 0x44));
    store(&new, "map.tv4p", &project(512, 0x80, 100));
    store(&new, "map.Shapes/grass.tv4s", &shapes("grass", 0x80));
    store(&new, "map.Shapes/dirt.tv4s", &shapes("dirt", 0x84));
    let found = run(&["diff", text(&old), text(&new)]).with_status(1);
    let ends: Vec<_> = found.text().lines().map(|line| &line[..3]).collect();
    assert_eq!(ends, ["+++", "---"], "{}", found.text());
    assert!(found.text().contains("dirt.tv4s (CAreaLayer): only in NEW"));
    assert!(found.text().contains("gone.tv4s (CAreaLayer): only in OLD"));

    // Another layer is active.
    store(&new, "map.tv4p", &project(512, 0x84, 100));
    let [old, new] = [old, new].map(|folder| folder.join("map.tv4p"));
    let (old, new) = (text(&old), text(&new));
    assert_eq!(run(&["diff", old, new]).with_status(0).text(), "");
    let found = run(&["diff", "--layers", old, new]).with_status(1);
    assert!(
        found.text().contains("+mactiveAreaLayer = -> CAreaLayer \"dirt\""),
        "{}",
        found.text()
    );
}

#[test]
fn what_cannot_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let good = store(folder.path(), "good.tv4s", &shapes("a", 4));
    let bad = folder.path().join("bad.tv4s");
    for (content, says) in [
        (&b"version https://git-lfs.github.com/spec/v1\n"[..], "Git LFS pointer"),
        (b"\x04\0\0\0hello", "\"ALB1\""),
        (b"ALB1\x01\0\0\0", "bytes"),
    ] {
        fs::write(&bad, content).unwrap();
        let ended = run(&["diff", text(&good), text(&bad)]).with_status(3);
        assert!(ended.stderr.contains(says), "{}", ended.stderr);
    }
    run(&["diff", text(&good), "there is no such file"]).with_status(3);
    run(&["diff", text(&good)]).with_status(2);
    run(&["diff", text(&good), text(folder.path())]).with_status(2);
    run(&["diff", "-", "-"]).with_status(2);
    // The error names the options and files that cannot be combined.
    let save = folder.path().join("a.save");
    let made = ["encode", "-", "--format", "godot4", "--framing", "frames", "-o", text(&save)];
    run_with(&made, b"{}").with_status(0);
    let strict = run(&["diff", "--strict", text(&save), text(&save)]).with_status(2);
    assert!(
        strict.stderr.contains("--strict is for files of Terrain Builder"),
        "{}",
        strict.stderr
    );
    let pack = formats().join("pack/samples/3.6.2/export.pck");
    let mixed = run(&["diff", "--stat", text(&pack), text(&save)]).with_status(2);
    assert!(mixed.stderr.contains("a pack and another file"), "{}", mixed.stderr);
}

#[test]
fn text_for_git() {
    let folder = tempfile::tempdir().unwrap();
    let path = store(folder.path(), "a.tv4p", &project(512, 4, 100));
    let shown = run(&["diff", "--textconv", text(&path)]).with_status(0);
    let expected = [
        "(class) CVisitor4Project",
        "mactiveAreaLayer -> CAreaLayer",
        r#"mframe["frame"] (SMapFrame)"#,
        r#"mframe["frame"].name = "frame""#,
        r#"mframe["frame"].size = 512"#,
    ];
    assert_eq!(shown.text().lines().collect::<Vec<_>>(), expected);
    let pointer = folder.path().join("pointer.tv4p");
    fs::write(&pointer, "version https://git-lfs.github.com/spec/v1\n").unwrap();
    let shown = run(&["diff", "--textconv", text(&pointer)]).with_status(0);
    assert_eq!(shown.text(), "version https://git-lfs.github.com/spec/v1\n");
    run(&["diff", "--textconv", text(&path), text(&path)]).with_status(2);
}

/// Runs git in this folder without the settings of the machine. Returns [`None`] if there is no git.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let ended = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .ok()?;
    assert!(ended.status.success(), "{arguments:?}: {}", ended.stderr.escape_ascii());
    Some(String::from_utf8(ended.stdout).unwrap())
}

#[test]
fn git_calls_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if git(folder, &["init", "-q"]).is_none() {
        return println!("skipped: no git");
    }
    let program = env!("CARGO_BIN_EXE_formwork");
    let git = |arguments: &[&str]| git(folder, arguments).unwrap();
    fs::write(folder.join(".gitattributes"), "*.tv4p diff=formwork\n").unwrap();
    git(&["config", "diff.formwork.textconv", &format!("\"{program}\" diff --textconv")]);
    store(folder, "a.tv4p", &project(512, 4, 100));
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    // After another save, git sees a changed file without a difference to show.
    store(folder, "a.tv4p", &project(512, 8, 200));
    assert!(!git(&["diff"]).contains("@@"));
    store(folder, "a.tv4p", &project(1024, 8, 200));
    let shown = git(&["diff", "-U0"]);
    assert!(
        shown.contains("\n-mframe[\"frame\"].size = 512\n+mframe[\"frame\"].size = 1024\n"),
        "{shown}"
    );

    git(&["config", "diff.formwork.command", &format!("\"{program}\" diff --git")]);
    let shown = git(&["diff"]);
    assert!(
        shown.contains("@@ mframe[\"frame\"] (SMapFrame)\n-size = 512\n+size = 1024\n"),
        "{shown}"
    );
    fs::remove_file(folder.join("a.tv4p")).unwrap();
    assert!(git(&["diff"]).contains("only in OLD"));
}

/// Returns files of every kind, whole, cut and with a changed byte, and bytes of no format.
fn anything() -> Vec<(String, Vec<u8>)> {
    let mut all = vec![
        ("json".to_owned(), b"{\"a\": 1}\n".to_vec()),
        ("tres".to_owned(), b"[gd_resource type=\"Theme\" format=2]\n\n[resource]\n".to_vec()),
        ("noise".to_owned(), vec![0x9c, 0, 1, 2, 250, 251, 3]),
        ("empty".to_owned(), Vec::new()),
        ("zeros".to_owned(), vec![0; 64]),
        ("locked".to_owned(), b"GDEC\x01\0\0\0".to_vec()),
        ("cut".to_owned(), b"ALB1\0\0".to_vec()),
        ("words".to_owned(), "Größe: 5\r\n".as_bytes().to_vec()),
        ("latin".to_owned(), b"Gr\xf6\xdfe: 5\n".to_vec()),
    ];
    let mut add = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        all.push((format!("half-{name}"), bytes[..bytes.len() / 2].to_vec()));
        let mut other = bytes.clone();
        other[bytes.len() / 3] ^= 0x55;
        all.push((format!("other-{name}"), other));
        all.push((name, bytes));
    };
    for folder in [
        "alb1/samples",
        "alb1/samples/valley.Layers",
        "config_file/samples",
        "frames/samples",
        "pack/samples",
        "resource/samples",
        "script/samples",
        "settings/samples",
    ] {
        let folder = formats().join(folder);
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.metadata().is_ok_and(|it| it.is_file() && it.len() < 1 << 16) {
                add(&entry.path());
            }
        }
    }
    all
}

#[test]
fn any_bytes_are_text_for_git() {
    let folder = tempfile::tempdir().unwrap();
    let all = anything();
    assert!(all.len() > 20, "{}", all.len());
    for (name, bytes) in all {
        let path = folder.path().join(&name);
        fs::write(&path, &bytes).unwrap();
        let shown = run(&["diff", "--textconv", text(&path)]).with_status(0);
        assert_eq!(shown.stdout.is_empty(), bytes.is_empty(), "{name}");
        match &*name {
            "json" | "tres" | "words" => assert_eq!(shown.stdout, bytes),
            "noise" | "zeros" | "locked" | "cut" | "latin" => {
                let shown = shown.text();
                let last = shown.lines().last().unwrap();
                assert!(last.starts_with("  md5         ") && last.len() == 46, "{name}: {last}");
                assert!(shown.contains("  format  "), "{name}: {shown}");
                assert!(!shown.contains(text(folder.path())), "{name}: {shown}");
            }
            _ => {}
        }
        // The two sides of a difference, as git passes them.
        let ours = text(&path);
        let sides = ["diff", "--git", "a.save", ours, "0", "100644", "/dev/null", "0", "0"];
        run(&sides[..9]).with_status(0);
        let other = folder.path().join("other");
        fs::write(&other, b"{\"a\": 2}\n").unwrap();
        let shown =
            run(&["diff", "--git", "a.save", ours, "0", "100644", text(&other), "0", "100644"])
                .with_status(0);
        if name == "json" {
            assert_eq!(shown.text(), "--- a/a.save\n+++ b/a.save\na: 1 -> 2\n");
        }
        if name == "words" {
            assert!(shown.text().starts_with("--- a/a.save\n+++ b/a.save\n@@ -1,1 "));
        }
    }
    // A missing file does not count as an empty one.
    run(&["diff", "--textconv", text(&folder.path().join("none"))]).with_status(3);
}

#[test]
fn one_unreadable_file_does_not_end_the_log_of_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if git(folder, &["init", "-q"]).is_none() {
        return println!("skipped: no git");
    }
    let program = env!("CARGO_BIN_EXE_formwork");
    let git = |arguments: &[&str]| git(folder, arguments).unwrap();
    fs::write(folder.join(".gitattributes"), "*.save diff=formwork\n").unwrap();
    let save = |value: &str| {
        let path = folder.join("z.save");
        fs::write(folder.join("value.json"), value).unwrap();
        let from = text(&folder.join("value.json")).to_owned();
        let options = ["--format", "godot4", "--framing", "frames"];
        run(&[&["encode", &from, "-o", text(&path)], &options[..]].concat()).with_status(0);
    };
    fs::write(folder.join("a.save"), "gold: 100\n").unwrap();
    fs::write(folder.join("n.save"), [7, 0, 0, 0, 200]).unwrap();
    save("{\"level\": 1}");
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    fs::write(folder.join("a.save"), "gold: 200\n").unwrap();
    fs::write(folder.join("n.save"), [7, 0, 0, 0, 201]).unwrap();
    save("{\"level\": 2}");
    for (key, command) in [("textconv", "--textconv"), ("command", "--git")] {
        git(&["config", &format!("diff.formwork.{key}"), &format!("\"{program}\" diff {command}")]);
        let shown = git(&["diff", "HEAD"]);
        let has = |line: &str| assert!(shown.contains(line), "{command}: {line}: {shown}");
        has("-gold: 100\n+gold: 200\n");
        has("+  md5         ");
        has(if command == "--git" { "level: 1 -> 2" } else { "+  \"level\": 2" });
    }
    git(&["commit", "-qam", "two"]);
    assert!(git(&["log", "-p", "--ext-diff"]).contains("level: 1 -> 2"));
    assert!(git(&["log", "-p"]).contains("+gold: 200"));
}

#[test]
fn differences_of_layers_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let old = store(folder.path(), "a.tv4p", &project(512, 4, 100));
    let new = store(folder.path(), "b.tv4p", &project(1024, 4, 100));
    let counted = run(&["diff", "--stat", text(&old), text(&new)]).with_status(1);
    assert_eq!(counted.text(), format!("{}: 1 changed\n", text(&new)));
    let counted = run(&["diff", "--stat", "--json", text(&old), text(&new)]).with_status(1);
    assert!(counted.text().ends_with(",\"changed\":1}\n"), "{}", counted.text());
    let counted = run(&["diff", "--stat", text(&old), text(&old)]).with_status(0);
    assert_eq!(counted.text(), format!("{}: no differences\n", text(&old)));
}
