//! Tells ConfigFiles from other files with keys and sections.

use super::file::{ConfigFile, Entry};
use super::rule;
use super::scan::Headings;
use formwork_variant::Dialect;

impl ConfigFile<'_> {
    /// Returns whether a text is a ConfigFile, also a damaged one. `is_called_so` is whether its name has that ending, as
    /// `.cfg` does, which many other programs use, too.
    ///
    /// ```
    /// use formwork_godot::config_file::ConfigFile;
    ///
    /// assert!(ConfigFile::is_one("[a]\nx=Vector2(1, 2)\n", false));
    /// // A file of Arma, and one of Python.
    /// assert!(!ConfigFile::is_one("class Layers\n{\n  texture = \"\";\n};\n", true));
    /// assert!(!ConfigFile::is_one("name = foo\nroot = bar\n", true));
    /// ```
    #[must_use]
    pub fn is_one(text: &str, is_called_so: bool) -> bool {
        let name = |heading: &mut super::scan::Heading| heading.name.clone();
        let (file, fault) = ConfigFile::parse_up_to_fault(text, Headings::Names, name);
        let is_conflict = fault.as_ref().is_some_and(|it| it.rule() == rule::CONFLICT);
        if fault.is_some() && !is_called_so && !is_conflict {
            return false;
        }
        // Each family has values that others do not have.
        let is_value = |entry: &&Entry| {
            let dialects = [Dialect::GODOT4, Dialect::GODOT2];
            dialects.iter().any(|dialect| file.read_value::<f64>(entry, *dialect).is_ok())
        };
        let values = file.entries.iter().filter(is_value).count();
        let has_values = values > 0 && 2 * values >= file.entries.len();
        if file.sections.is_empty() && file.is_of_braces() {
            return false;
        }
        match is_called_so {
            false => has_values,
            true => {
                let has_nothing = file.entries.is_empty() && file.left.is_none() && fault.is_none();
                has_values || has_nothing || !file.sections.is_empty()
            }
        }
    }

    /// Returns whether braces or slashes are where a ConfigFile has keys, as in the files of Arma and DayZ.
    fn is_of_braces(&self) -> bool {
        let is_foreign =
            |text: &str| text.contains(['{', '}']) || text.contains("//") || text.contains("/*");
        let left = self.left.and_then(|at| self.text.get(at..));
        self.entries.iter().any(|entry| is_foreign(self.key_text(entry)))
            || left.is_some_and(is_foreign)
    }
}
