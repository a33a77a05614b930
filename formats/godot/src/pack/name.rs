//! Names of files in a pack.

use std::collections::BTreeSet;
use std::ops::Bound;

/// The start of all names in packs of engines before Godot 4.4.
const ROOT: &str = "res://";

/// Returns the name without the `res://` that it may start with, which makes the two spellings of a name equal.
#[must_use]
pub fn within_game(name: &str) -> &str {
    name.strip_prefix(ROOT).unwrap_or(name)
}

/// Returns the first of the `new` names that is a folder of another name, or that another name is a folder of, and that
/// other one. No folder can hold both.
pub(super) fn folder_and_file<'n>(
    new: impl IntoIterator<Item = &'n str>,
    all: &BTreeSet<&'n str>,
) -> Option<(&'n str, &'n str)> {
    new.into_iter().find_map(|name| {
        let folders = name.match_indices('/').filter_map(|(end, _)| name.get(..end));
        let file = folders.filter_map(|folder| all.get(folder)).next();
        let inside = || {
            let start = format!("{name}/");
            let next =
                all.range::<str, _>((Bound::Excluded(start.as_str()), Bound::Unbounded)).next();
            next.filter(|other| other.starts_with(&start))
        };
        file.or_else(inside).map(|other| (name, *other))
    })
}

/// Returns why the name is not a path to a file within the game's folder: it leads out of that folder, or is not a
/// valid path on some system. [`None`] if it is such a path.
///
/// ```
/// use formwork_godot::pack::unsafe_part;
///
/// assert_eq!(unsafe_part("res://art/icon.png"), None);
/// assert_eq!(unsafe_part("res://../../.bashrc"), Some("it leads out of the folder with '..'"));
/// ```
#[must_use]
pub fn unsafe_part(name: &str) -> Option<&'static str> {
    let path = within_game(name);
    if path.is_empty() {
        return Some("it is empty");
    }
    if path.contains(|c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER) {
        return Some("it has a character that no name of a file has");
    }
    if path.contains('\\') {
        return Some("it has a backslash, which separates folders on Windows");
    }
    if path.contains(':') {
        return Some("it has a ':', which stands for a drive or another root");
    }
    path.split('/').find_map(|part| match part {
        "" if path.starts_with('/') => Some("it starts at the root of the system"),
        "" => Some("a folder in it has no name"),
        "." => Some("a folder in it is '.'"),
        ".." => Some("it leads out of the folder with '..'"),
        _ if part.ends_with(['.', ' ']) => {
            Some("a part of it ends in '.' or a space, which Windows leaves out")
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_known() {
        for name in [
            "",
            "res://",
            "res:///etc/passwd",
            "/etc/passwd",
            "..",
            "res://../x",
            "a/../../x",
            "a//b",
            "a/",
            "./a",
            "C:/x",
            "a\\..\\b",
            "res://res://x",
            "user://x",
            "a\0b",
            "a\nb",
            "a/b.",
            "a /b",
        ] {
            assert!(unsafe_part(name).is_some(), "{name:?}");
        }
        for name in ["a", "res://a", ".godot/exported/1/x.scn", "..a", "a..b/c", "Größe.png"] {
            assert_eq!(unsafe_part(name), None, "{name:?}");
        }
    }
}
