//! Reads the golden files line by line.

use std::path::PathBuf;

use formwork_variant::Dialect;
use serde_json::Value;

pub use crate::formats;

/// A real engine, the folder of its golden files and the dialect that speaks for it.
#[derive(Debug)]
pub struct Engine {
    /// The engine and its release.
    pub name: &'static str,
    /// The folder below `formats/`.
    pub folder: &'static str,
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The file that names the cases in which we do not follow the engine, and why.
    pub exceptions: &'static str,
}

/// The engines that have golden files.
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

impl Engine {
    /// Returns the dialect.
    ///
    /// # Panics
    ///
    /// Panics if the table above names none.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect.parse().expect("the table above names dialects")
    }

    /// Returns the path of a golden file.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        formats().join(self.folder).join(name)
    }

    /// Returns the lines of a file of JSON Lines.
    ///
    /// # Panics
    ///
    /// Panics if there is no such file, or a line is no JSON.
    #[must_use]
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

/// A line of a golden file.
#[derive(Debug)]
pub struct Case(pub Value);

impl Case {
    /// Returns a text of the line.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    /// Returns whether a member is `true`.
    #[must_use]
    pub fn flag(&self, field: &str) -> bool {
        self.0.get(field).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Returns the bytes that a text of the line has as digits.
    #[must_use]
    pub fn bytes(&self, field: &str) -> Option<Vec<u8>> {
        self.text(field).map(super::from_hex)
    }

    /// Returns a list of offsets; none where there is no such member.
    #[must_use]
    pub fn offsets(&self, field: &str) -> Vec<usize> {
        let list = self.0.get(field).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_u64).map(|offset| offset as usize).collect()
    }
}

/// Returns the bytes with zeros where the content is not determined by the value.
#[must_use]
pub fn masked(mut bytes: Vec<u8>, unspecified: &[usize]) -> Vec<u8> {
    for &offset in unspecified {
        if let Some(byte) = bytes.get_mut(offset) {
            *byte = 0;
        }
    }
    bytes
}
