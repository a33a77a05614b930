//! Names of places as people type them: `player/bag/1`.

use super::{Place, Step};
use crate::Dialect;
use crate::variant::{Container, Real, Variant, VariantString};

/// Bytes of a key, other than a string, up to which its text names it.
const SHORT: usize = 60;

impl Place {
    /// Returns the place as people type it: `player/bag/1`. In the same value the text leads back to it.
    ///
    /// The whole value has an empty name.
    #[must_use]
    pub fn name<R: Real>(&self, value: &Variant<R>, dialect: Dialect) -> String {
        let mut names = Vec::with_capacity(self.steps().len());
        let mut value = Some(value);
        for step in self.steps() {
            let Some(container) = value.and_then(Variant::container) else { break };
            names.push(name_of(*step, container, dialect));
            value = step.of(container);
        }
        names.join("/")
    }
}

/// Returns the name of a step into a container.
pub(super) fn name_of<R: Real>(
    step: Step,
    container: Container<'_, R>,
    dialect: Dialect,
) -> String {
    match (step, container) {
        (Step::Element(at), _) => at.to_string(),
        (Step::Property(at), Container::Object(object)) => {
            let names = || object.properties.iter().map(|(name, _)| Some(name));
            let own = object.properties.get(at).map(|(name, _)| name);
            string_name(own, names(), at).unwrap_or_else(|| format!("[{at}]"))
        }
        (Step::Value(at), Container::Dictionary(pairs)) => {
            let Some((key, _)) = pairs.as_slice().get(at) else { return format!("[{at}]") };
            let strings = || pairs.keys().map(Variant::as_string);
            if let Some(text) = key.as_string() {
                return string_name(Some(text), strings(), at).unwrap_or_else(|| format!("[{at}]"));
            }
            let text = key_text(key, dialect);
            let is_plain = text.len() <= SHORT
                && !text.contains(['/', '"', '\n'])
                && !text.starts_with('[')
                && !strings().flatten().any(|other| *other == *text)
                && !pairs.keys().take(at).any(|other| other == key);
            if is_plain { text } else { format!("[{at}]") }
        }
        (Step::Key(at), _) => format!("[{at}] (key)"),
        (Step::Property(at) | Step::Value(at), _) => format!("[{at}]"),
    }
}

/// Returns a key that is no string as a path names it.
pub(super) fn key_text<R: Real>(key: &Variant<R>, dialect: Dialect) -> String {
    match key.as_int() {
        Some(number) => number.to_string(),
        None => key.display(dialect).to_string(),
    }
}

/// Returns the name of a key that is a string, quoted where it must be. None where no name leads to it: an
/// earlier key has the same text, or it is not UTF-8.
fn string_name<'k>(
    own: Option<&VariantString>,
    all: impl Iterator<Item = Option<&'k VariantString>>,
    at: usize,
) -> Option<String> {
    let text = own?.as_str()?;
    let mut splits = false;
    for (position, other) in all.enumerate() {
        let Some(other) = other.and_then(VariantString::as_str) else { continue };
        if position < at && other == text {
            return None;
        }
        splits |= text.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
    }
    let is_plain = !splits
        && !text.is_empty()
        && !text.starts_with(['"', '[', '/'])
        && !text.ends_with('/')
        && !text.chars().any(char::is_control);
    Some(if is_plain { text.to_owned() } else { quoted(text) })
}

/// Returns the text in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
