//! Packets and files written by real engines and programs.

use std::path::{Path, PathBuf};

use formwork_kit::Format;
use formwork_variant::Dialect;

fn formats() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../formats")
}

/// Returns the values in the golden files of every engine.
pub fn golden() -> Vec<(Dialect, Vec<u8>)> {
    let engines = [
        ("godot2/golden", "godot2"),
        ("godot3/golden/3.2.3", "godot3.2"),
        ("godot3/golden/3.6.2", "godot3.6"),
        ("godot4/golden/4.6.3", "godot4.6"),
        ("pandemonium/golden", "pandemonium5"),
    ];
    let mut all = Vec::new();
    for (folder, dialect) in engines {
        let dialect: Dialect = dialect.parse().unwrap();
        let path = formats().join(folder).join("values.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        let before = all.len();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let Some(hex) = line.get("hex").and_then(|hex| hex.as_str()) else { continue };
            all.push((dialect, formwork_testkit::from_hex(hex)));
        }
        assert!(all.len() > before + 20, "{folder}");
    }
    all
}

/// Returns projects, layers and shapes.
pub fn alb1() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    collect(&formats().join("alb1/samples"), &mut files);
    assert!(files.len() > 3);
    files
}

fn collect(folder: &Path, files: &mut Vec<Vec<u8>>) {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if let bytes = std::fs::read(&path).unwrap()
            && bytes.starts_with(b"ALB1")
        {
            files.push(bytes);
        }
    }
}

/// Returns all samples with their formats.
pub fn all() -> Vec<(Format, Vec<u8>)> {
    let golden = golden().into_iter().map(|(dialect, bytes)| (Format::Variant(dialect), bytes));
    golden.chain(alb1().into_iter().map(|bytes| (Format::Alb1, bytes))).collect()
}
