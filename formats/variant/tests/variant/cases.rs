//! The golden files, line by line.

use std::path::{Path, PathBuf};

use formwork_variant::Dialect;
use serde_json::Value;

/// A real engine, the folder of its golden files and the dialect that speaks for it.
pub struct Engine {
    pub name: &'static str,
    pub folder: &'static str,
    pub dialect: &'static str,
    /// The file that names the cases in which we do not follow the engine, and why.
    pub exceptions: &'static str,
}

pub const ENGINES: [Engine; 5] = [
    Engine {
        name: "Godot 2.1.6",
        folder: "godot2/golden",
        dialect: "godot2",
        exceptions: "godot2/exceptions.tsv",
    },
    Engine {
        name: "Godot 3.2.3",
        folder: "godot3/golden/3.2.3",
        dialect: "godot3.2",
        exceptions: "godot3/exceptions-3.2.3.tsv",
    },
    Engine {
        name: "Godot 3.6.2",
        folder: "godot3/golden/3.6.2",
        dialect: "godot3.6",
        exceptions: "godot3/exceptions-3.6.2.tsv",
    },
    Engine {
        name: "Godot 4.6.3",
        folder: "godot4/golden/4.6.3",
        dialect: "godot4.6",
        exceptions: "godot4/exceptions-4.6.3.tsv",
    },
    Engine {
        name: "Pandemonium 5.3",
        folder: "pandemonium/golden",
        dialect: "pandemonium5",
        exceptions: "pandemonium/exceptions.tsv",
    },
];

pub fn formats() -> PathBuf {
    // Tests of other members of the workspace use this file, too.
    let member = Path::new(env!("CARGO_MANIFEST_DIR"));
    let formats = member.ancestors().map(|folder| folder.join("formats"));
    formats.into_iter().find(|formats| formats.is_dir()).expect("the repository has the folder")
}

impl Engine {
    pub fn dialect(&self) -> Dialect {
        self.dialect.parse().expect("the table above names dialects")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        formats().join(self.folder).join(name)
    }

    /// The lines of a JSON Lines file. A missing file is a failure.
    pub fn lines(&self, name: &str) -> Vec<Case> {
        let path = self.file(name);
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.split('\n')
            .filter(|line| !line.is_empty())
            .map(|line| Case(serde_json::from_str(line).expect("golden lines are JSON")))
            .collect()
    }
}

/// One line of a golden file.
pub struct Case(pub Value);

impl Case {
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    pub fn flag(&self, field: &str) -> bool {
        self.0.get(field).and_then(Value::as_bool).unwrap_or(false)
    }

    pub fn bytes(&self, field: &str) -> Option<Vec<u8>> {
        let hex = self.text(field)?;
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("golden hex");
        Some((0..hex.len()).step_by(2).map(byte).collect())
    }

    pub fn offsets(&self, field: &str) -> Vec<usize> {
        let list = self.0.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
        list.iter().filter_map(Value::as_u64).map(|offset| offset as usize).collect()
    }
}

/// Zeros where the content is not determined by the value.
pub fn masked(mut bytes: Vec<u8>, unspecified: &[usize]) -> Vec<u8> {
    for &offset in unspecified {
        if let Some(byte) = bytes.get_mut(offset) {
            *byte = 0;
        }
    }
    bytes
}
