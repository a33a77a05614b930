//! Selects the lines of a list for one layer.

use std::collections::HashSet;

use formwork::{Error, Result};
use formwork_alb1::to_str;

use super::Line;
use super::import::at_line;
use crate::object_list::rule;

/// Keeps the lines for one layer: those that name it, and those that name none. Returns the number of removed lines,
/// which name one of the `others`.
///
/// # Errors
///
/// Returns all lines that name a layer which is neither `target` nor one of the `others`, each name once; or, if lines
/// name layers and none names the target, the first of these. The lines are then unchanged.
pub fn keep_lines_of_layer(
    lines: &mut Vec<Line<'_>>,
    target: &[u8],
    others: &[&[u8]],
) -> Result<usize, Vec<Error>> {
    let mut unknown: HashSet<&[u8]> = HashSet::new();
    let mut faults = Vec::new();
    let (mut named, mut first_other) = (false, None);
    for line in &*lines {
        let Some(layer) = line.entry.layer.as_deref() else { continue };
        named |= layer == target;
        if layer != target && others.contains(&layer) {
            first_other.get_or_insert((line, layer));
        } else if layer != target && unknown.insert(layer) {
            faults.push(fault(line, layer, "the name of a layer that is there"));
        }
    }
    if let (Some((line, layer)), false, true) = (first_other, named, faults.is_empty()) {
        let expected = format!("the name of the layer that gets the list, \"{}\"", to_str(target));
        faults.push(fault(line, layer, &expected));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let before = lines.len();
    lines.retain(|line| line.entry.layer.as_deref().is_none_or(|layer| layer == target));
    Ok(before - lines.len())
}

#[cold]
fn fault(line: &Line<'_>, layer: &[u8], expected: &str) -> Error {
    let found = format!("\"{}\"", to_str(layer));
    at_line(Error::new(rule::LAYER, 0, expected, found).within("layer"), line)
}
