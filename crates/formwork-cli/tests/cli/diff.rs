//! `diff` on files, on folders, and as git calls it.

use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::{Document, Field, Object, ObjectPointer, Text, Value};
use serde_json::Value as Json;
use snapbox::str;

use crate::cases::formats;
use crate::run::{command, run};

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
    run(&["diff", "--strict", old, same]).with_status(1).prints(str![[r#"
--- [..]old.tv4p
+++ [..]same.tv4p
@@ (CVisitor4Project)
-(address) = 0x00000064
+(address) = 0x000000c8
-mactiveAreaLayer = -> CAreaLayer at 0x00000004
+mactiveAreaLayer = -> CAreaLayer at 0x00000008
@@ mframe["frame"] (SMapFrame)
-(address) = 0x0000006c
+(address) = 0x000000d0
-needToRebuildTerrain = false
+needToRebuildTerrain = true
"#]]);
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
    found.prints(str![[r#"
+++ [..]new/map.Shapes/dirt.tv4s (CAreaLayer): only in NEW
--- [..]old/map.Shapes/gone.tv4s (CAreaLayer): only in OLD
"#]]);

    // Another layer is active.
    store(&new, "map.tv4p", &project(512, 0x84, 100));
    let [old, new] = [old, new].map(|folder| folder.join("map.tv4p"));
    let (old, new) = (text(&old), text(&new));
    assert_eq!(run(&["diff", old, new]).with_status(0).text(), "");
    let found = run(&["diff", "--layers", old, new]).with_status(1);
    found.prints(str![[r#"
--- [..]old/map.tv4p
+++ [..]new/map.tv4p
@@ (CVisitor4Project)
-mactiveAreaLayer = -> CAreaLayer "grass"
+mactiveAreaLayer = -> CAreaLayer "dirt"
+++ [..]new/map.Shapes/dirt.tv4s (CAreaLayer): only in NEW
--- [..]old/map.Shapes/gone.tv4s (CAreaLayer): only in OLD
"#]]);
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
        if ["json", "tres", "words"].contains(&&*name) {
            assert_eq!(shown.stdout, bytes);
        }
        // The two sides of a difference, as git passes them.
        let ours = text(&path);
        let sides = ["diff", "--git", "a.save", ours, "0", "100644", "/dev/null", "0", "0"];
        run(&sides[..9]).with_status(0);
        let other = folder.path().join("other");
        fs::write(&other, b"{\"a\": 2}\n").unwrap();
        run(&["diff", "--git", "a.save", ours, "0", "100644", text(&other), "0", "100644"])
            .with_status(0);
    }
}

#[test]
fn differences_of_layers_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let old = store(folder.path(), "a.tv4p", &project(512, 4, 100));
    let new = store(folder.path(), "b.tv4p", &project(1024, 4, 100));
    let counted = run(&["diff", "--stat", text(&old), text(&new)]).with_status(1);
    assert_eq!(counted.text(), format!("{}: 1 changed\n", text(&new)));
    let counted = run(&["diff", "--stat", "--json", text(&old), text(&new)]).with_status(1);
    counted.prints(str![[r#"{"file":"[..]b.tv4p","changed":1}"#]]);
    let counted = run(&["diff", "--stat", text(&old), text(&old)]).with_status(0);
    assert_eq!(counted.text(), format!("{}: no differences\n", text(&old)));
}
