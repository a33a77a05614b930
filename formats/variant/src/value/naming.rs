//! Places in a value, in the names that the user stored: `player/inventory/3`.

use super::{Real, Variant, VariantString};

/// Characters shown of a text.
const SHOWN: usize = 60;

/// Shortens a text and removes control characters, which a terminal would obey.
pub fn short(text: &VariantString) -> String {
    let clean = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let number = |number: u32| char::from_u32(number).map_or(char::REPLACEMENT_CHARACTER, clean);
    let mut numbers = text.numbers();
    let mut shown: String = numbers.by_ref().take(SHOWN).map(number).collect();
    if numbers.next().is_some() {
        shown.push_str("...");
    }
    shown
}

/// A key as a step of a place.
pub fn step<S: Real>(key: &Variant<S>, index: usize) -> String {
    match (key.as_string(), key.as_int()) {
        (Some(text), _) if !text.is_empty() => short(text),
        (_, Some(number)) => number.to_string(),
        (_, None) => format!("[{index}]"),
    }
}

/// The steps shown at either end of a place that is too long to be read in full.
const ENDS: usize = 12;

/// Returns whether the step at index `at` is shown, of a place of `steps` steps.
pub const fn is_shown(at: usize, steps: usize) -> bool {
    at < ENDS || at + ENDS >= steps
}

/// Joins the shown steps of a place of `steps` steps.
pub fn join(shown: &[String], steps: usize) -> String {
    match (shown.split_at_checked(ENDS), steps.saturating_sub(shown.len())) {
        (Some((first, last)), left_out @ 1..) => {
            format!("{}/(... {left_out} steps ...)/{}", first.join("/"), last.join("/"))
        }
        _ => shown.join("/"),
    }
}
