//! JSON objects for programs, each on a line.
//!
//! The keys that several commands print are declared once: of a fault in [`Finding`], of a file
//! that was made or changed in [`FileReport`], of a row of a dump in [`Row`], of a change of a
//! value in [`Changed`](super::changed). `lines.schema.json` lists the keys of all commands.

mod file_report;
mod finding;
mod row;

use std::io::Write;
use std::path::Path;

use serde::Serialize;

pub use file_report::FileReport;
pub use finding::{Finding, Grade};
pub use row::{Row, hex};

/// The name of standard input.
pub const STDIN: &str = "standard input";

/// Returns the name of an input for programs, with all its characters.
pub fn whole_name(path: &Path) -> String {
    if path.as_os_str() == "-" { STDIN.into() } else { path.to_string_lossy().into_owned() }
}

/// Returns a value as JSON on one line.
pub fn line(object: &impl Serialize) -> String {
    // Structs of strings, numbers and lists can always be written as JSON.
    serde_json::to_string(object).unwrap_or_default()
}

/// A JSON object that is printed on a line.
#[derive(Debug, Default)]
pub struct JsonLine {
    members: String,
}

impl JsonLine {
    /// Makes an object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a string member.
    pub fn text(self, name: &str, text: &str) -> Self {
        self.json(name, &serde_json::Value::from(text).to_string())
    }

    /// Adds a member whose value is JSON text.
    pub fn json(mut self, name: &str, json: &str) -> Self {
        let start = if self.members.is_empty() { "{" } else { "," };
        self.members += &format!("{start}{}:{json}", serde_json::Value::from(name));
        self
    }

    /// Adds a member whose value is JSON text, if there is one.
    pub fn json_if(self, name: &str, json: Option<&str>) -> Self {
        match json {
            Some(json) => self.json(name, json),
            None => self,
        }
    }

    /// Adds a boolean member.
    pub fn flag(self, name: &str, flag: bool) -> Self {
        self.json(name, if flag { "true" } else { "false" })
    }

    /// Returns the object as text.
    pub fn object(self) -> String {
        if self.members.is_empty() { "{}".to_owned() } else { self.members + "}" }
    }

    /// Prints the object.
    pub fn print(self, out: &mut dyn Write) {
        // The output records a write error itself.
        let _ = writeln!(out, "{}", self.object());
    }
}
