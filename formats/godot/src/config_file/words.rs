//! Finds the engine family whose words a text uses.

use super::ConfigFile;
use super::scan::Scan;
use formwork_variant::dialect::{Dialect, Family};

impl ConfigFile<'_> {
    /// Returns the newest dialect of the family whose words the values use; [`None`] as of [`family`](Self::family).
    #[must_use]
    pub fn dialect(&self) -> Option<Dialect> {
        self.family().map(|family| match family {
            Family::Godot3 => Dialect::GODOT3,
            _ => Dialect::GODOT4,
        })
    }

    /// Returns the family whose words the values use; [`None`] if they use no such words, or those of several families.
    ///
    /// ```
    /// use formwork_godot::config_file::ConfigFile;
    /// use formwork_variant::dialect::Family;
    ///
    /// let family = |text| ConfigFile::parse(text).map(|file| file.family());
    /// assert_eq!(family("a=PoolStringArray( \"b\" )\n")?, Some(Family::Godot3));
    /// assert_eq!(family("a=[&\"b\"]\n")?, Some(Family::Godot4));
    /// assert_eq!(family("a=[1, \"PoolStringArray\"]\n")?, None);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        let mut found: Option<Family> = None;
        for entry in &self.entries {
            let text = self.text_of(entry);
            let version = match (&*entry.section, entry.key.as_str(), text) {
                ("", "config_version", "5") => Some(Family::Godot4),
                ("", "config_version", "3" | "4") => Some(Family::Godot3),
                _ => None,
            };
            for family in version.into_iter().chain(families(text)) {
                match found {
                    Some(known) if known != family => return None,
                    _ => found = Some(family),
                }
            }
        }
        found
    }
}

/// Returns the families of the words in the text of a value, outside of strings.
fn families(text: &str) -> Vec<Family> {
    let mut found = Vec::new();
    let mut scan = Scan::new(text);
    while let Some(byte) = scan.byte() {
        let start = scan.at;
        match byte {
            b'"' => {
                if text[..start].ends_with('&') {
                    found.push(Family::Godot4);
                }
                if scan.string().is_err() {
                    break;
                }
            }
            _ if byte.is_ascii_alphabetic() => {
                while scan.byte().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
                    scan.at += 1;
                }
                let (word, rest) = text[start..].split_at(scan.at - start);
                found.extend(family_of(word, rest.as_bytes()));
            }
            _ => scan.at += 1,
        }
    }
    found
}

/// Returns the family that alone has a word or writes it this way; `rest` is the text after the word.
fn family_of(word: &str, rest: &[u8]) -> Option<Family> {
    let list = word.strip_suffix("Array");
    if list.is_some_and(|list| list.starts_with("Pool")) {
        return Some(Family::Godot3);
    }
    if list.is_some_and(|list| list.starts_with("Packed")) {
        return Some(Family::Godot4);
    }
    match word {
        "Vector2i" | "Vector3i" | "Vector4" | "Vector4i" | "Rect2i" | "Quaternion"
        | "Transform3D" | "Projection" => Some(Family::Godot4),
        "Quat" | "Transform" => Some(Family::Godot3),
        "Array" | "Dictionary" if rest.starts_with(b"[") => Some(Family::Godot4),
        // Godot 4 prints no blanks in the parentheses, the engines before it do.
        "Vector2" | "Vector3" | "Rect2" | "Color" | "Plane" | "AABB" | "Basis" | "Transform2D" => {
            match rest {
                [b'(', b' ', ..] => Some(Family::Godot3),
                [b'(', ..] => Some(Family::Godot4),
                _ => None,
            }
        }
        _ => None,
    }
}
