//! Writes values as text: whole, or in place of an old value with the bytes of all that did not change.

use std::ops::Range;

use super::file::{ConfigFile, form};
use super::rule;
use super::scan::{Element, Scan};
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::text::{TextForm, kept_text};
use formwork_variant::{Array, Dialect, Dictionary, Real, Variant};

/// Containers around a value that is replaced alone, at most.
const DEEPEST: u32 = 64;

/// The engine that reads a value, and the place of the value.
pub(super) struct Speller<'s> {
    pub(super) dialect: Dialect,
    pub(super) section: &'s str,
    pub(super) key: &'s str,
    /// Whether the engine erases a key whose value is null.
    pub(super) erases_nulls: bool,
}

impl Speller<'_> {
    /// Returns the text of a value in the form that the engine reads.
    pub(super) fn text<R: Real>(&self, value: &Variant<R>) -> Result<String> {
        if self.erases_nulls && value.is_nil() {
            let found = "null, which makes the engine erase the key: remove the key instead";
            return Err(self.refused("a value that the engine keeps", found));
        }
        if let Some(text) = kept_text(value).and_then(|text| text.as_str()) {
            let line = format!("key={text}");
            let is_one = ConfigFile::parse(&line).is_ok_and(|it| {
                it.left.is_none() && matches!(it.entries(), [one] if it.text_of(one) == text)
            });
            return if is_one { Ok(text.to_owned()) } else { self.unread(&format!("{text:?}")) };
        }
        let form = form::<R>(self.dialect);
        if !are_references(value, form) {
            return self.unread("a text that is no reference");
        }
        let text = form.write(value);
        match (text.as_str(), form.read(&text)) {
            (Some(text), Ok(_)) => Ok(text.trim_end().to_owned()),
            _ => self.unread(value.variant_type().name()),
        }
    }

    fn unread(&self, found: &str) -> Result<String> {
        Err(self.refused("a value with a text that the engine reads", found))
    }

    fn refused(&self, expected: &str, found: &str) -> Error {
        let path = [self.section, self.key].map(|name| PathSegment::Name(name.to_owned().into()));
        Error::new(rule::VALUE, 0, expected, found).under(Path::from(path.to_vec()))
    }

    /// Returns the text of `new` in place of `text`, which is that of `old`. Elements that are the same keep their bytes.
    pub(super) fn respell<R: Real>(
        &self,
        text: &str,
        old: &Variant<R>,
        new: &Variant<R>,
    ) -> Result<String> {
        self.respell_within(text, old, new, DEEPEST)
    }

    fn respell_within<R: Real>(
        &self,
        text: &str,
        old: &Variant<R>,
        new: &Variant<R>,
        depth: u32,
    ) -> Result<String> {
        let elements = || Scan::new(text).elements();
        let is_kept = kept_text(old).is_some() || kept_text(new).is_some();
        let changes = match (old, new) {
            _ if is_kept || depth == 0 => None,
            (Variant::Array(old), Variant::Array(new)) if is_alike(old, new) => {
                elements().and_then(|all| self.elements(text, &all, (old, new), depth))
            }
            (Variant::Dictionary(old), Variant::Dictionary(new))
                if old.key_type() == new.key_type() && old.value_type() == new.value_type() =>
            {
                elements().and_then(|all| self.pairs(text, &all, (old, new), depth))
            }
            _ => None,
        };
        match changes {
            Some(changes) => Ok(apply(text, changes?)),
            None => self.text(new),
        }
    }

    /// Returns the changes in the text of an Array, if some of its elements keep their text.
    fn elements<R: Real>(
        &self,
        text: &str,
        all: &[Element],
        (old, new): (&Array<R>, &Array<R>),
        depth: u32,
    ) -> Option<Result<Changes>> {
        if old.is_empty() || all.len() != old.len() || new.len() < old.len() {
            return None;
        }
        let mut changes = Vec::new();
        for ((element, old), new) in all.iter().zip(old).zip(new) {
            if let Err(error) = self.change(text, element, (old, new), depth, &mut changes) {
                return Some(Err(error));
            }
        }
        let end = all.last()?.value.end;
        for value in new.iter().skip(old.len()) {
            match self.within(value) {
                Ok(added) => changes.push((end..end, format!(", {added}"))),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(changes))
    }

    /// Returns the changes in the text of a Dictionary, if some of its pairs keep their text.
    fn pairs<R: Real>(
        &self,
        text: &str,
        all: &[Element],
        (old, new): (&Dictionary<R>, &Dictionary<R>),
        depth: u32,
    ) -> Option<Result<Changes>> {
        if all.len() != old.len() || all.is_empty() {
            return None;
        }
        let (mut changes, mut kept, mut removed) = (Vec::new(), 0, None);
        let mut news = new.iter().peekable();
        for (at, (element, (key, old))) in all.iter().zip(old).enumerate() {
            match news.peek() {
                Some((name, value)) if name.is_identical(key) => {
                    if let Err(error) =
                        self.change(text, element, (old, value), depth, &mut changes)
                    {
                        return Some(Err(error));
                    }
                    kept += 1;
                    news.next();
                }
                _ if removed.is_none() => removed = Some(at),
                // Other orders are written anew.
                _ => return None,
            }
        }
        if kept == 0 {
            return None;
        }
        if let Some(at) = removed {
            changes.push((without(all, at)?, String::new()));
        }
        let end = all.last()?.value.end;
        let is_on_lines = text.contains('\n');
        for (key, value) in news {
            match self.within(key).and_then(|key| Ok((key, self.within(value)?))) {
                Ok((key, value)) => {
                    let gap = if is_on_lines { ",\n" } else { ", " };
                    changes.push((end..end, format!("{gap}{key}: {value}")));
                }
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(changes))
    }

    fn change<R: Real>(
        &self,
        text: &str,
        element: &Element,
        (old, new): (&Variant<R>, &Variant<R>),
        depth: u32,
        changes: &mut Changes,
    ) -> Result<()> {
        if !old.is_identical(new) {
            let text = text.get(element.value.clone()).unwrap_or_default();
            let within = Speller { erases_nulls: false, ..*self };
            let new = within.respell_within(text, old, new, depth - 1)?;
            changes.push((element.value.clone(), new));
        }
        Ok(())
    }

    /// Returns the text of a value in a container.
    fn within<R: Real>(&self, value: &Variant<R>) -> Result<String> {
        Speller { erases_nulls: false, ..*self }.text(value)
    }
}

/// Texts in place of ranges.
pub(super) type Changes = Vec<(Range<usize>, String)>;

/// Replaces ranges of the text, which do not overlap.
pub(super) fn apply(text: &str, mut changes: Changes) -> String {
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in changes {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&new);
        at = range.end.max(at);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

fn is_alike<R: Real>(old: &Array<R>, new: &Array<R>) -> bool {
    old.element_type() == new.element_type()
}

/// Returns the range of a pair with the comma before or after it.
fn without(all: &[Element], at: usize) -> Option<Range<usize>> {
    let start = |element: &Element| element.key.as_ref().map(|key| key.start);
    match at.checked_sub(1) {
        Some(before) => Some(all.get(before)?.value.end..all.get(at)?.value.end),
        None => Some(start(all.first()?)?..start(all.get(1)?)?),
    }
}

/// Returns whether each text in a value is the text of a reference.
fn are_references<R: Real>(value: &Variant<R>, form: TextForm<R>) -> bool {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Variant::Dictionary(pairs) => match kept_text(value) {
                Some(text) if !form.read(text).is_ok_and(|it| kept_text(&it).is_some()) => {
                    return false;
                }
                Some(_) => {}
                None => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            },
            Variant::Array(array) => left.extend(array),
            _ => {}
        }
    }
    true
}
