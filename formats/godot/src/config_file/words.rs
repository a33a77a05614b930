//! Finds the engine families whose words a text uses.

use super::ConfigFile;
use super::scan::Scan;
use formwork_variant::dialect::{Dialect, Family};

/// A word in a value that only one engine family writes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct EngineWord<'t> {
    /// The family.
    pub family: Family,
    /// The offset of the word.
    pub offset: usize,
    /// The word.
    pub word: &'t str,
    /// Whether it is only the way of writing that tells the family: every engine reads the word.
    is_manner: bool,
}

impl<'t> ConfigFile<'t> {
    /// Returns the newest dialect of the family whose words the values use; [`None`] as of [`family`](Self::family). Text
    /// resources always have one, by their format.
    #[must_use]
    pub fn dialect(&self) -> Option<Dialect> {
        if self.is_resource() {
            return Some(self.dialect_of_resource());
        }
        self.family().map(|family| match family {
            Family::Godot2 => Dialect::GODOT2,
            Family::Godot3 => Dialect::GODOT3,
            _ => Dialect::GODOT4,
        })
    }

    /// Returns the family whose words the values use; [`None`] if they use no such words, or those of several families.
    /// Godot 4 also reads the words of Godot 3, so that a text with words of both is its text.
    ///
    /// ```
    /// use formwork_godot::config_file::ConfigFile;
    /// use formwork_variant::dialect::Family;
    ///
    /// let family = |text| ConfigFile::parse(text).map(|file| file.family());
    /// assert_eq!(family("a=PoolStringArray( \"b\" )\n")?, Some(Family::Godot3));
    /// assert_eq!(family("a=[&\"b\"]\n")?, Some(Family::Godot4));
    /// assert_eq!(family("a=[1, \"PoolStringArray\"]\n")?, None);
    /// assert_eq!(family("a=[key(Space)]\n")?, Some(Family::Godot2));
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        let all = self.words();
        let has = |family| all.iter().any(|it| it.family == family && !it.is_manner);
        match (has(Family::Godot2), has(Family::Godot4)) {
            (false, true) => return Some(Family::Godot4),
            (true, false) if !has(Family::Godot3) => return Some(Family::Godot2),
            _ => {}
        }
        let first = all.first()?.family;
        all.iter().all(|it| it.family == first).then_some(first)
    }

    /// Returns the first words of different families, of which no engine before the newest reads all; empty if there
    /// are no two such words.
    #[must_use]
    pub fn mixed_words(&self) -> Vec<EngineWord<'t>> {
        let mut found: Vec<EngineWord<'t>> = Vec::new();
        for word in self.words().into_iter().filter(|it| !it.is_manner) {
            if !found.iter().any(|it| it.family == word.family) {
                found.push(word);
            }
        }
        if found.len() > 1 { found } else { Vec::new() }
    }

    /// Returns the words of families in the values, in the order of the text.
    fn words(&self) -> Vec<EngineWord<'t>> {
        let mut found = Vec::new();
        for entry in &self.entries {
            let text = self.text_of(entry);
            let family = match (&*entry.section, entry.key.as_str(), text) {
                ("", "config_version", "5") => Some(Family::Godot4),
                ("", "config_version", "3" | "4") => Some(Family::Godot3),
                _ => None,
            };
            let version = family.map(|family| {
                let word = self.text.get(entry.start..entry.value.end).unwrap_or_default();
                EngineWord { family, offset: entry.start, word, is_manner: false }
            });
            found.extend(version);
            words_in(text, entry.value.start, &mut found);
        }
        found
    }
}

/// Adds the words of families in the text of a value at `start`, outside of strings.
fn words_in<'t>(text: &'t str, start: usize, found: &mut Vec<EngineWord<'t>>) {
    let mut scan = Scan::new(text);
    let mut add = |at: usize, end: usize, family, is_manner| {
        let word = text.get(at..end).unwrap_or_default();
        found.push(EngineWord { family, offset: start + at, word, is_manner });
    };
    while let Some(byte) = scan.byte() {
        let at = scan.at;
        match byte {
            b'"' => {
                if scan.string().is_err() {
                    break;
                }
                if text[..at].ends_with('&') {
                    add(at - 1, scan.at, Family::Godot4, false);
                }
            }
            _ if byte.is_ascii_alphabetic() => {
                while scan.byte().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
                    scan.at += 1;
                }
                let (word, rest) = text[at..].split_at(scan.at - at);
                if let Some((family, is_manner)) = family_of(word, rest.as_bytes()) {
                    add(at, scan.at, family, is_manner);
                }
            }
            _ => scan.at += 1,
        }
    }
}

/// Returns the family that alone has a word, or writes it this way; `rest` is the text after the word. The second is
/// whether other families read the word, too.
fn family_of(word: &str, rest: &[u8]) -> Option<(Family, bool)> {
    let list = word.strip_suffix("Array");
    if list.is_some_and(|list| list.starts_with("Pool")) {
        return Some((Family::Godot3, false));
    }
    if list.is_some_and(|list| list.starts_with("Packed")) {
        return Some((Family::Godot4, false));
    }
    match word {
        "Vector2i" | "Vector3i" | "Vector4" | "Vector4i" | "Rect2i" | "Quaternion"
        | "Transform3D" | "Projection" => Some((Family::Godot4, false)),
        "Quat" | "Transform" => Some((Family::Godot3, false)),
        "Array" | "Dictionary" if rest.starts_with(b"[") => Some((Family::Godot4, false)),
        "key" | "mbutton" | "jbutton" | "jaxis" if rest.starts_with(b"(") => {
            Some((Family::Godot2, false))
        }
        // Godot 4 prints no blanks in the parentheses, the engines before it do.
        "Vector2" | "Vector3" | "Rect2" | "Color" | "Plane" | "AABB" | "Basis" | "Transform2D" => {
            match rest {
                [b'(', b' ', ..] => Some((Family::Godot3, true)),
                [b'(', ..] => Some((Family::Godot4, true)),
                _ => None,
            }
        }
        _ => None,
    }
}
