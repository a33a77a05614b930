//! Changes of values, as text and as JSON.

use formwork::document::{self, Holder, Json};
use formwork_variant::Dialect;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Real, Variant};

use super::lines::JsonLine;
use super::terminal;

/// A value of a change, as text and as JSON.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ShownValue {
    /// The text on one line of any length.
    pub text: String,
    json: String,
}

impl ShownValue {
    /// Shows a value as the engine prints it. A float has all its digits.
    pub fn of<R: Real>(value: &Variant<R>, dialect: Dialect) -> Self {
        let text = on_one_line(&value.display(dialect).to_string());
        let json = to_json(value, dialect, Style::Compact);
        let text = match value {
            // Zero has a sign, too.
            Variant::Float(number)
                if number.is_finite() && text.parse().map(f64::to_bits) != Ok(number.to_bits()) =>
            {
                json.clone()
            }
            _ => text,
        };
        Self { text, json }
    }

    /// Shows a value of a document as people read it. A float has all its digits.
    pub fn of_document(document: &dyn document::Document, value: &Json) -> Self {
        let (text, json) = (on_one_line(&document.shown(value)), value.to_string());
        let bits = |text: &str| text.parse().map(f64::to_bits);
        let text = match value {
            // Zero has a sign, too.
            Json::Number(number)
                if number.contains(['.', 'e', 'E']) && bits(&text) != bits(number) =>
            {
                json.clone()
            }
            _ => text,
        };
        Self { text, json }
    }

    /// Shows a value from its text. The JSON is the text itself where that is JSON, and otherwise a
    /// string.
    pub fn of_words(words: &str) -> Self {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(words).is_ok();
        let json =
            if is_json { words.to_owned() } else { serde_json::Value::from(words).to_string() };
        Self { text: on_one_line(words), json }
    }

    /// Replaces the text.
    pub fn called(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// Returns the value as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns the first part of the text.
    pub fn brief(&self) -> String {
        part(&self.text, 0)
    }
}

/// Shortens the texts of values that differ: long texts are cut to the first difference, and texts
/// that the engine prints alike are replaced with their JSON.
pub fn told_apart<const N: usize>(values: [Option<&ShownValue>; N]) -> [Option<String>; N] {
    let texts = values.map(|value| value.map(|value| &*value.text));
    let is_same = texts.iter().flatten().count() > 1 && common(&texts).is_none();
    let texts = if is_same { values.map(|value| value.map(|it| &*it.json)) } else { texts };
    let from = match common(&texts) {
        Some(common) if common + AFTER > ROOM => common.saturating_sub(BEFORE),
        _ => 0,
    };
    texts.map(|text| text.map(|text| part(text, from)))
}

/// Maximum number of characters of a value in a line.
const ROOM: usize = 60;

/// Number of characters that are kept before the first difference of long texts.
const BEFORE: usize = 20;

/// Number of characters of the difference that are always shown.
const AFTER: usize = 20;

/// Returns the number of characters that the texts have in common at their start; none where the
/// texts are equal.
fn common<const N: usize>(texts: &[Option<&str>; N]) -> Option<usize> {
    let mut all = texts.iter().flatten();
    let first = all.next()?;
    all.filter(|text| text != &first)
        .map(|text| first.chars().zip(text.chars()).take_while(|(one, other)| one == other).count())
        .min()
}

/// Returns the part of a text from the character `from`.
fn part(text: &str, from: usize) -> String {
    let length = text.chars().count();
    if length <= ROOM {
        return text.to_owned();
    }
    let start = if from > 0 { "..." } else { "" };
    let end = if from + ROOM < length { "..." } else { "" };
    let part: String = text.chars().skip(from).take(ROOM).collect();
    format!("{start}{part}{end}")
}

/// Returns a text on one line. Blanks and line breaks between values become one blank. Blanks in
/// strings stay; line breaks in strings become `\n`.
fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let (mut in_string, mut is_escaped) = (false, false);
    for character in text.chars() {
        match character {
            '"' if !is_escaped => {
                in_string = !in_string;
                line.push('"');
            }
            character if character.is_whitespace() && !in_string => {
                if !line.ends_with(' ') && !line.is_empty() {
                    line.push(' ');
                }
            }
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            character if character.is_control() || terminal::is_format(character) => {
                line.push(char::REPLACEMENT_CHARACTER);
            }
            character => line.push(character),
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    line.truncate(line.trim_end().len());
    line
}

/// A change of one value.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Kind of the change: `changed`, `added`, `removed`, `moved`, or `same` where the new value is the old one.
    pub kind: &'static str,
    /// Path of the value.
    pub place: String,
    /// Path of the value before the change, if it was another one.
    pub old_place: Option<String>,
    /// The object that holds the field, in documents of objects.
    pub holder: Option<Holder>,
    /// Value before the change, if there was one.
    pub before: Option<ShownValue>,
    /// Value after the change, if there is one.
    pub after: Option<ShownValue>,
}

impl Changed {
    /// Makes the change of a value that stays at its place.
    pub const fn at(
        place: String,
        kind: &'static str,
        before: Option<ShownValue>,
        after: Option<ShownValue>,
    ) -> Self {
        Self { kind, place, old_place: None, holder: None, before, after }
    }

    /// Makes the change of a new entry.
    pub const fn added(place: String, after: ShownValue) -> Self {
        Self::at(place, "added", None, Some(after))
    }

    /// Makes the change of a removed entry.
    pub const fn removed(place: String, before: ShownValue) -> Self {
        Self::at(place, "removed", Some(before), None)
    }

    /// Makes the change of a value that replaces another.
    pub const fn replaced(
        place: String,
        before: ShownValue,
        after: ShownValue,
        is_same: bool,
    ) -> Self {
        let kind = if is_same { "same" } else { "changed" };
        Self::at(place, kind, Some(before), Some(after))
    }

    /// Puts the path of the containing value before the path.
    pub fn inside(mut self, outer: &str) -> Self {
        let inside = |place: String| {
            let slash = if outer.is_empty() || place.is_empty() { "" } else { "/" };
            format!("{outer}{slash}{place}")
        };
        (self.place, self.old_place) = (inside(self.place), self.old_place.map(inside));
        self
    }

    /// Returns the name of the place in text output.
    fn place(&self) -> &str {
        if self.place.is_empty() { "the value" } else { &self.place }
    }

    /// Returns the values, shortened.
    fn values(&self) -> [Option<String>; 2] {
        match self.kind {
            "same" => [&self.before, &self.after].map(|it| it.as_ref().map(ShownValue::brief)),
            _ => told_apart([self.before.as_ref(), self.after.as_ref()]),
        }
    }

    /// Returns the change as a plan: `would change player/gold: 100 -> 9999`.
    pub fn plan(&self) -> String {
        let place = self.place();
        match self.values() {
            _ if self.kind == "same" => self.line(),
            [None, Some(after)] => format!("would add {place}: {after}"),
            [Some(before), None] => format!("would remove {place}: {before}"),
            _ => format!("would change {}", self.line()),
        }
    }

    /// Returns the change as a line: `player/gold: 100 -> 9999`.
    pub fn line(&self) -> String {
        let place = self.place();
        match self.values() {
            [_, Some(after)] if self.kind == "same" => format!("{place}: {after} as before"),
            [Some(before), Some(after)] => format!("{place}: {before} -> {after}"),
            [None, Some(after)] => format!("{place}: added {after}"),
            [Some(before), None] => format!("{place}: removed {before}"),
            [None, None] => place.to_owned(),
        }
    }

    /// Returns the change as JSON.
    pub fn json(&self, file: &str) -> JsonLine {
        let json = |value: &Option<ShownValue>| value.as_ref().map(|it| it.json.clone());
        let line = JsonLine::new().text("kind", self.kind).text("file", file);
        let line = line.text("path", &self.place);
        let line = self.old_place.iter().fold(line, |line, it| line.text("old_path", it));
        let line = self.holder.iter().fold(line, |line, it| line.text("class", &it.class));
        line.json_if("before", json(&self.before).as_deref())
            .json_if("after", json(&self.after).as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> ShownValue {
        ShownValue::of(&Variant::<f32>::from(text), Dialect::GODOT4)
    }

    #[test]
    fn long_texts_are_cut_to_where_they_differ() {
        let (one, other) = (format!("{}a-{}", "x".repeat(70), "y".repeat(70)), "x".repeat(75));
        let texts = told_apart([Some(&value(&one)), Some(&value(&other)), None]);
        let (x, y) = ("x".repeat(20), "y".repeat(38));
        let expected = [Some(format!("...{x}a-{y}...")), Some(format!("...{x}xxxxx\"")), None];
        assert_eq!(texts, expected);
    }

    #[test]
    fn blanks_in_strings_stay() {
        assert_eq!(on_one_line("{\n\"a  b\\\"\n\t\":  1\n}\n"), "{ \"a  b\\\"\\n\\t\": 1 }");
        assert_ne!(value("two lines").text, value("two\nlines").text);
    }
}
