//! The format of a declared record.

use std::any::Any;
use std::io;
use std::ops::Range;

use super::form::{from_json, refuse_deeper, to_json};
use super::node::{Node, Value};
use super::{Change, Confidence, Document, Edit, Format, Json, Problem, Row, changes, rule};
use crate::error::{Error, ErrorKind, PathSegment, Result};
#[cfg(feature = "suite")]
use crate::record::Vector;
use crate::record::{self, Declared, Given, Key, Outermost, Run};
use crate::schema::Layout;
use crate::walk::{StepKind, Walk};
use crate::wire;

/// The format of a declared record: its name, with the layout and reader of its declaration.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    name: &'static str,
    description: &'static str,
    layout: Layout,
    page: fn() -> String,
    read: fn(&[u8]) -> Result<()>,
    #[cfg(feature = "suite")]
    suite: fn(&[&[u8]]) -> Vec<Vector>,
}

impl RecordFormat {
    /// Returns the format of `T`, which people call `name`.
    ///
    /// A record that does not say its order of bytes does not compile:
    ///
    /// ```compile_fail
    /// use formwork::document::RecordFormat;
    /// use formwork::{BinRead, BinWrite, Schema, binrw};
    ///
    /// #[derive(BinRead, BinWrite, Schema)]
    /// struct Head {
    ///     size: u32,
    /// }
    ///
    /// static FORMAT: RecordFormat = RecordFormat::new::<Head>("head", "");
    /// # fn main() {}
    /// ```
    #[must_use]
    pub const fn new<T: Declared>(name: &'static str, description: &'static str) -> Self {
        let () = Outermost::<T>::HAS_ORDER;
        let read = |bytes: &[u8]| record::from_slice::<T>(bytes).map(drop);
        Self {
            name,
            description,
            layout: T::LAYOUT,
            page: record::page::<T>,
            read,
            #[cfg(feature = "suite")]
            suite: record::suite::<T>,
        }
    }

    /// Returns the file of a value whose counts may be wrong. Views of what was in an older file follow it.
    fn settled(
        self,
        node: &mut Node,
        before: Option<&[u8]>,
        given: Option<&Given>,
    ) -> Result<Opened> {
        node.settle()?;
        let mut bytes = node.write(false)?;
        if let Some(before) = before
            && (self.read)(&bytes).is_ok()
        {
            record::follow(self.layout, before, &mut bytes, given)?;
        }
        let length = bytes.len();
        let read = |bytes: &[u8]| {
            // A fault after the last byte is one of the value, too.
            (self.read)(bytes).map_err(|error| match error.kind() {
                ErrorKind::Incomplete { .. } if error.offset() >= length as u64 => error.closed(),
                _ => error,
            })
        };
        record::mend_sums(self.layout, &mut bytes).or_else(|_| read(&bytes))?;
        read(&bytes)?;
        let there = Node::read(self.layout, &bytes)?;
        refuse_deeper(&there)?;
        if !there.is_like(node) {
            let [asked, now] = [&*node, &there].map(|node| to_json(node, None, Some(false)));
            let expected = "the fields in front to lead to the same fields and variants";
            let error = Error::new(rule::DOCUMENT_SETTLED, 0, expected, "others").nowhere();
            return Err(match changes(&asked, &now).first() {
                Some(change) => error.within_names(&change.path),
                None => error,
            });
        }
        Ok(Opened { format: self, bytes, node: there })
    }

    fn of_json(self, json: &Json, before: Option<&[u8]>) -> Result<(Json, Opened)> {
        let mut node = from_json(self.layout, None, json, Some(false))?;
        let asked = to_json(&node, None, Some(false));
        Ok((asked, self.settled(&mut node, before, None)?))
    }
}

/// Bytes of a magic by which a damaged file is recognised, at least.
const MAGIC: usize = 2;

impl Format for RecordFormat {
    fn name(&self) -> &'static str {
        self.name
    }

    fn description(&self) -> &'static str {
        self.description
    }

    fn page(&self) -> String {
        (self.page)()
    }

    #[cfg(feature = "ksy")]
    fn ksy(&self) -> Result<String> {
        record::ksy_of_layout(self.layout, self.name, false)
    }

    #[cfg(feature = "suite")]
    fn suite(&self, samples: &[&[u8]]) -> Vec<Vector> {
        (self.suite)(samples)
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        let mut confidence = Confidence::None;
        for step in Walk::over(self.layout, bytes, &()).for_reader() {
            match step {
                Ok(step) => {
                    let is_magic = matches!(step.kind, StepKind::Magic);
                    if is_magic && step.bytes.start == 0 && step.bytes.len() >= MAGIC {
                        confidence = Confidence::Start;
                    }
                }
                Err(_) => return confidence,
            }
        }
        if (self.read)(bytes).is_ok() { Confidence::Whole } else { confidence }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        (self.read)(bytes)?;
        let (format, node) = (*self, Node::read(self.layout, bytes)?);
        refuse_deeper(&node)?;
        Ok(Box::new(Opened { format, bytes: bytes.to_vec(), node }))
    }

    fn make(&self, json: &Json) -> Result<Box<dyn Document>> {
        Ok(Box::new(self.of_json(json, None)?.1))
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        let (odd, refused) = record::problems(self.layout, bytes);
        // The walk along the layout finds the reader's faults; the reader decides if the walk finds none.
        let is_sound = odd.is_empty() && refused.is_none();
        let refused = if is_sound { (self.read)(bytes).err() } else { refused };
        odd.into_iter().map(Problem::warning).chain(refused.map(Problem::damage)).collect()
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        record::rows(self.layout, bytes, each)
    }
}

/// A file of a declared record.
#[derive(Clone, Debug)]
struct Opened {
    format: RecordFormat,
    bytes: Vec<u8>,
    node: Node,
}

impl Opened {
    /// Takes the content of JSON, and returns the requested content and the changes.
    fn take(&mut self, json: &Json) -> Result<(Json, Vec<Change>)> {
        let before = self.to_json();
        let (asked, new) = self.format.of_json(json, Some(&self.bytes))?;
        if asked == before {
            // Bytes that JSON does not represent, such as wrong checksums, are kept.
            return Ok((asked, Vec::new()));
        }
        self.refuse_odd(&new)?;
        let changes = changes(&before, &new.to_json());
        *self = new;
        Ok((asked, changes))
    }

    /// Returns the view that a path leads into.
    fn viewed(&self, path: &str) -> Option<Viewed> {
        let names: Vec<&str> = path
            .split('/')
            .map(|name| name.trim_matches('"'))
            .filter(|name| !name.is_empty() && !name.starts_with('$'))
            .collect();
        viewed(Walk::over(self.format.layout, &self.bytes, &()), &names, 0, MOST_VIEWS)
    }

    /// Returns whether a path leads to nothing in the value, and into a view.
    fn is_in_view(&self, json: &Json, path: &str) -> bool {
        json.find(path.trim_end_matches(['/', '+'])).is_err() && self.viewed(path).is_some()
    }

    /// Changes what a view shows: in the bytes of the field that it is in, which may become more or fewer.
    fn edit_view(&mut self, edit: &Edit) -> Result<Vec<Change>> {
        let refused = |expected: &str, found: &str| {
            Error::new(rule::DOCUMENT_SETTLED, 0, expected, found)
                .nowhere()
                .within_names(edit.path())
        };
        let seen = self
            .viewed(edit.path())
            .ok_or_else(|| refused("a view", "none, after the other changes"))?;
        if seen.is_coded {
            return Err(refused("a view of bytes of the file", "one of a content that is coded"));
        }
        let mut asked = seen.json.clone();
        match edit {
            Edit::Set { value, adds, .. } => drop(asked.set(&seen.rest, value.clone(), *adds)?),
            Edit::Remove { .. } => drop(asked.remove(&seen.rest)?),
        }
        let mut node = from_json(seen.layout, None, &asked, Some(seen.big))
            .map_err(|error| error.within_names(&seen.path))?;
        node.settle().map_err(|error| error.within_names(&seen.path))?;
        asked = to_json(&node, None, Some(seen.big));
        if asked == seen.json {
            return Ok(Vec::new());
        }
        let new = node.write(seen.big)?;
        let mut changed = self.with_bytes(&seen, &new)?;
        let there = changed.viewed(&seen.path).map(|seen| seen.json);
        if there.as_ref() != Some(&asked) {
            let found = there.map_or_else(|| "none".to_owned(), |there| there.to_string());
            return Err(refused("the view to show what it was given", &found));
        }
        self.refuse_odd(&changed)?;
        let own = changes(&seen.json, &asked).into_iter().map(|mut change| {
            let places = [Some(&mut change.path), change.old_path.as_mut()];
            for place in places.into_iter().flatten() {
                *place = format!("{}/{place}", seen.path).trim_end_matches('/').to_owned();
            }
            change
        });
        let mut all: Vec<Change> = own.collect();
        all.extend(changes(&self.to_json(), &changed.to_json()));
        std::mem::swap(self, &mut changed);
        Ok(all)
    }

    /// Returns the file with other bytes of a view, as many or, in a field of bytes, more or fewer.
    fn with_bytes(&self, seen: &Viewed, new: &[u8]) -> Result<Self> {
        let (layout, key, place) = (self.format.layout, seen.key, seen.bytes.clone());
        if place.len() == new.len() {
            let mut bytes = self.bytes.clone();
            bytes[place].copy_from_slice(new);
            (self.format.read)(&bytes)?;
            record::mend_sums(layout, &mut bytes)?;
            let node = Node::read(layout, &bytes)?;
            return Ok(Self { bytes, node, ..self.clone() });
        }
        let (mut node, mut at, mut around) = (self.node.clone(), 0, None);
        for step in Walk::over(layout, &self.bytes, &()).for_reader() {
            let step = step?;
            let StepKind::Leaf(_) = step.kind else { continue };
            if step.bytes.start <= place.start && place.end <= step.bytes.end {
                around = Some((at, step.bytes.start));
                // Of two that touch, one begins there.
                if !place.is_empty() || step.bytes.start == place.start {
                    break;
                }
            }
            at += 1;
        }
        let field = around.and_then(|(mut at, start)| Some((node.leaf(&mut at)?, start)));
        let Some((Value::Bytes(bytes, _), start)) = field else {
            let expected = format!("{}, as before", wire::bytes(place.len()));
            let found = format!("{}, and the view is of several fields", new.len());
            let error = Error::new(wire::rule::RECORD_VIEW, place.start as u64, expected, found);
            return Err(error.within_names(&seen.path));
        };
        bytes.splice(place.start - start..place.end - start, new.iter().copied());
        let run = Run { new: place.start..place.start + new.len(), old: place };
        self.format.settled(&mut node, Some(&self.bytes), Some(&Given { key, run }))
    }

    /// Returns the path of a new element before the last one, where a list ends with a last element of a kind.
    fn before_end(&self, json: &Json, path: &str) -> Option<String> {
        let list = path.strip_suffix('+')?.trim_end_matches('/');
        let Json::Array(elements) = json.find(list).ok()? else { return None };
        let last = elements.len().checked_sub(1)?;
        let place = json.place(list).ok()?;
        let names = place.split('/').map(|name| name.trim_matches('"'));
        let node = names.filter(|name| !name.is_empty()).try_fold(&self.node, Node::inside)?;
        matches!(node.content().layout.inner(), Layout::Until(_)).then(|| format!("{path}{last}"))
    }

    /// Refuses a change that breaks a rule more often than the file did.
    fn refuse_odd(&self, new: &Self) -> Result<()> {
        let all = |bytes| {
            let (odd, refused) = record::problems(self.format.layout, bytes);
            odd.into_iter().chain(refused).collect::<Vec<_>>()
        };
        let found = all(&new.bytes);
        if found.is_empty() {
            return Ok(());
        }
        let before = all(&self.bytes);
        let count = |all: &[Error], rule| all.iter().filter(|it| it.rule() == rule).count();
        let is_new = |it: &&Error| {
            count(&found, it.rule()) > count(&before, it.rule())
                && !before.iter().any(|old| old.rule() == it.rule() && old.path() == it.path())
        };
        found.iter().find(is_new).map_or(Ok(()), |error| Err(error.clone()))
    }
}

/// Returns whether every member of a value is kept. (`asked` is the value in the form of the format.)
fn is_kept(value: &Json, asked: &Json, there: &Json) -> bool {
    match (value, asked, there) {
        (Json::Object(members), Json::Object(_), Json::Object(_)) => {
            members.iter().all(|(name, value)| match (asked.get(name), there.get(name)) {
                (Some(asked), Some(there)) => is_kept(value, asked, there),
                (asked, there) => asked == there,
            })
        }
        (Json::Array(values), Json::Array(asked), Json::Array(there)) => {
            let mut all = values.iter().zip(asked).zip(there);
            asked.len() == there.len()
                && all.all(|((value, asked), there)| is_kept(value, asked, there))
        }
        _ => asked == there,
    }
}

impl Document for Opened {
    fn summary(&self) -> Vec<(String, Json)> {
        summary(&self.to_json())
    }

    fn to_json(&self) -> Json {
        to_json(&self.node, None, Some(false))
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        let mut json = self.to_json();
        let (mut places, mut removed) = (Vec::new(), Vec::new());
        let (of_value, of_views): (Vec<_>, Vec<_>) =
            edits.iter().partition(|edit| !self.is_in_view(&json, edit.path()));
        if !of_views.is_empty() {
            let mut new = self.clone();
            let mut changes = if of_value.is_empty() {
                Vec::new()
            } else {
                new.edit(&of_value.into_iter().cloned().collect::<Vec<_>>())?
            };
            for edit in of_views {
                changes.extend(new.edit_view(edit)?);
            }
            *self = new;
            return Ok(changes);
        }
        for edit in edits {
            match edit {
                Edit::Set { path, value, adds } => {
                    // The element that ends a list stays the last one.
                    let before_end = if *adds { self.before_end(&json, path) } else { None };
                    let path = before_end.as_deref().unwrap_or(path);
                    places.push((json.set(path, value.clone(), *adds)?, value));
                }
                Edit::Remove { path } => {
                    json.remove(path)?;
                    // The next element of a list has the path now.
                    removed.extend(json.find(path).is_err().then_some(path));
                }
            }
        }
        let before = self.clone();
        let (asked, changes) = self.take(&json)?;
        let now = self.to_json();
        if let Some(path) = removed.into_iter().find(|path| now.find(path).is_ok()) {
            let expected = "a value, as the other fields give it";
            let error = Error::new(rule::DOCUMENT_SETTLED, 0, expected, "none");
            let place = now.place(path)?;
            *self = before;
            return Err(error.nowhere().within_names(&place));
        }
        for (place, value) in places {
            let (Ok(asked), Ok(there)) = (asked.find(&place), now.find(&place)) else { continue };
            if !is_kept(value, asked, there) {
                let expected = format!("{there}, as the other fields give it");
                let error = Error::new(rule::DOCUMENT_SETTLED, 0, expected, asked.to_string());
                *self = before;
                return Err(error.nowhere().within_names(&place));
            }
        }
        Ok(changes)
    }

    fn views(&self) -> Vec<(String, Json)> {
        let (mut all, mut left) = (Vec::new(), self.bytes.len().saturating_mul(4));
        let walk = Walk::over(self.format.layout, &self.bytes, &());
        all_viewed(walk, "", (&mut left, MOST_VIEWS), &mut all);
        all
    }

    fn get(&self, path: &str) -> Result<Json> {
        let found = self.to_json().find(path).cloned();
        found.or_else(|error| {
            let seen = self.viewed(path).ok_or_else(|| error.clone())?;
            seen.json.find(&seen.rest).cloned().map_err(|_| error)
        })
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        Ok(self.take(json)?.1)
    }

    fn fork(&self) -> Box<dyn Document> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}

/// How many views are in each other at most.
const MOST_VIEWS: u32 = 8;

/// A view that a path leads into.
struct Viewed {
    key: Key,
    layout: Layout,
    /// Its bytes in the file, and whether the highest byte of a number is first.
    bytes: Range<usize>,
    big: bool,
    /// Whether it is in a content that is coded.
    is_coded: bool,
    json: Json,
    /// The path of the view, and the path in it.
    path: String,
    rest: String,
}

/// Returns the view that these names lead into, the innermost one.
fn viewed(mut walk: Walk<'_>, names: &[&str], at: usize, left: u32) -> Option<Viewed> {
    while let Some(step) = walk.next() {
        let step = step.ok()?;
        let StepKind::View(view) = step.kind else { continue };
        let path = walk.path();
        let (segments, wanted) = (path.steps(), &names[at..]);
        if step.odd.is_some() || left == 0 || segments.len() > wanted.len() {
            continue;
        }
        let is_named = |(segment, name): (&PathSegment, &&str)| match segment {
            PathSegment::Field(field) => field == name,
            PathSegment::Index(index) => *name == index.to_string(),
            _ => false,
        };
        if !segments.iter().zip(wanted).all(is_named) {
            continue;
        }
        let (layout, at) = ((view.layout)(), at + segments.len());
        let (inner, rest) = (walk.enter_view(view, step.bytes.clone()), names[at..].join("/"));
        let mut ends = inner.clone();
        let node = Node::of_walk(layout, &mut ends).ok()?;
        let json = to_json(&node, None, Some(step.big));
        // A new element comes after the last one.
        if json.find(rest.trim_end_matches(['/', '+'])).is_err()
            && let Some(seen) = viewed(inner, names, at, left - 1)
        {
            return Some(seen);
        }
        let place = walk.place_of_view(view);
        return Some(Viewed {
            key: record::key_of(view, place, MOST_VIEWS - left),
            layout,
            bytes: step.bytes.start..ends.position(),
            big: step.big,
            is_coded: walk.is_in_code(),
            json,
            path: names[..at].join("/"),
            rest,
        });
    }
    None
}

/// Adds the values of all views with their paths, as long as bytes are `left` that may be looked at.
fn all_viewed(
    mut walk: Walk<'_>,
    around: &str,
    (left, depth): (&mut usize, u32),
    all: &mut Vec<(String, Json)>,
) {
    while let Some(Ok(step)) = walk.next() {
        let StepKind::View(view) = step.kind else { continue };
        if step.odd.is_some() || depth == 0 {
            continue;
        }
        let inner = walk.enter_view(view, step.bytes.clone());
        let (mut ends, most) = (inner.clone(), *left);
        // A view that is open ends where its type does.
        while ends.by_ref().any(|step| step.is_ok()) && ends.position() - step.bytes.start <= most {
        }
        let bytes = (ends.position() - step.bytes.start).max(1);
        *left = most.saturating_sub(bytes);
        if bytes > most {
            return;
        }
        let Ok(node) = Node::of_walk((view.layout)(), &mut inner.clone()) else { continue };
        let names = walk.path();
        let names = names.steps().iter().map(|segment| match segment {
            PathSegment::Index(index) => index.to_string(),
            segment => segment.to_string(),
        });
        let mut path = around.to_owned();
        for name in names {
            path.push_str(if path.is_empty() { "" } else { "/" });
            path.push_str(&name);
        }
        all.push((path.clone(), to_json(&node, None, Some(step.big))));
        all_viewed(inner, &path, (left, depth - 1), all);
    }
}

/// Letters of a string in a summary, at most.
const MOST_LETTERS: usize = 60;

/// Returns the members of an object, long ones by their size: `$elements`, `$fields` or `$letters`.
pub(super) fn summary(json: &Json) -> Vec<(String, Json)> {
    let whole = vec![("value".to_owned(), json.clone())];
    let members = if let Json::Object(members) = json { members } else { &whole };
    let short = members.iter().map(|(name, value)| {
        let value = match value {
            Json::Array(elements) => Json::tagged("$elements", elements.len().into()),
            Json::Object(members) => {
                let names = members.iter().map(|it| Json::from(&*it.0));
                Json::tagged("$fields", Json::Array(names.collect()))
            }
            Json::String(text) if text.chars().count() > MOST_LETTERS => {
                Json::tagged("$letters", text.chars().count().into())
            }
            value => value.clone(),
        };
        (name.clone(), value)
    });
    short.collect()
}
