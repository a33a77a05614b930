//! Replaces and adds features: the common part of shapes and key points.

use formwork::{Error, Result};
use formwork_alb1::Text;

use super::json::Json;
use super::read::wrong;
use crate::mode::Mode;
use crate::rule;

/// The numbers of features that were kept, changed, added and removed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PutFeatures {
    /// The number that stayed unchanged.
    pub kept: usize,
    /// The number that stayed with other properties or another geometry.
    pub changed: usize,
    /// The number that are new.
    pub added: usize,
    /// The number that were deleted.
    pub removed: usize,
}

/// Joins the old items and the wanted ones. `same` finds the unchanged old item of a wanted one, `known` an old item of
/// the same name; `change` takes over the data of the wanted item; `make` makes a new item. Old items keep their places
/// and new ones come last.
pub(super) fn join<T, W>(
    there: Vec<T>,
    wanted: &[W],
    mode: Mode,
    same: impl Fn(&T, &W) -> bool,
    known: impl Fn(&T, &W) -> bool,
    change: impl Fn(&mut T, &W) -> Result<()>,
    make: impl Fn(&W) -> Result<T>,
) -> Result<(Vec<T>, PutFeatures)> {
    let mut put = PutFeatures::default();
    let mut found: Vec<Option<usize>> = vec![None; wanted.len()];
    let mut open = vec![true; there.len()];
    if matches!(mode, Mode::Update | Mode::Mirror) {
        for by_name in [false, true] {
            let is_it = |there: &T, wanted: &W| match by_name {
                true => known(there, wanted),
                false => same(there, wanted),
            };
            // Wanted items are mostly in the order of the old ones.
            let mut start = 0;
            for (slot, wanted) in found.iter_mut().zip(wanted).filter(|(slot, _)| slot.is_none()) {
                let count = there.len();
                let positions = (start..count).chain(0..start.min(count));
                let hit = positions.into_iter().find(|&position| {
                    open.get(position) == Some(&true)
                        && there.get(position).is_some_and(|there| is_it(there, wanted))
                });
                if let Some(position) = hit {
                    (*slot, start) = (Some(position), position + 1);
                    open.iter_mut().skip(position).take(1).for_each(|open| *open = false);
                }
            }
        }
    }
    let mut by_position: Vec<Option<&W>> = vec![None; there.len()];
    for (found, wanted) in found.iter().zip(wanted) {
        if let Some(slot) = found.and_then(|position| by_position.get_mut(position)) {
            *slot = Some(wanted);
        }
    }
    let mut joined = Vec::new();
    for (mut it, wanted) in there.into_iter().zip(by_position) {
        match wanted {
            Some(wanted) if same(&it, wanted) => put.kept += 1,
            Some(wanted) => {
                change(&mut it, wanted)?;
                put.changed += 1;
            }
            None if mode.deletes() => {
                put.removed += 1;
                continue;
            }
            None => put.kept += 1,
        }
        joined.push(it);
    }
    for wanted in found.iter().zip(wanted).filter(|(it, _)| it.is_none()).map(|(_, it)| it) {
        joined.push(make(wanted)?);
        put.added += 1;
    }
    Ok((joined, put))
}

/// Reads a text that Windows-1252 can express.
pub(crate) fn text(json: &Json) -> Result<Text> {
    let text = match json {
        Json::Text(text) => text.clone(),
        Json::Integer(number) => number.to_string(),
        Json::Number(number) => number.to_string(),
        Json::Bool(it) => it.to_string(),
        Json::Null => String::new(),
        other => return Err(wrong("a text", other)),
    };
    Text::new(&text).ok_or_else(|| {
        let expected = "characters of Windows-1252";
        Error::new(rule::GEOJSON, 0, expected, format!("{text:?}"))
    })
}

/// Reads a finite number.
pub(crate) fn float(json: &Json) -> Result<f32> {
    let number = json.as_number().map(|number| number as f32);
    number.filter(|number| number.is_finite()).ok_or_else(|| wrong("a finite number", json))
}

/// Reads a bool.
pub(super) fn bool(json: &Json) -> Result<bool> {
    match json {
        Json::Bool(it) => Ok(*it),
        other => Err(wrong("true or false", other)),
    }
}
