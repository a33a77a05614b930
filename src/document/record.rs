//! The format of a declared record.

use std::any::Any;
use std::io;

use super::form::{from_json, refuse_deeper, to_json};
use super::node::Node;
use super::{Change, Confidence, Document, Edit, Format, Json, Problem, Row, changes, rule};
use crate::error::{Error, ErrorKind, PathSegment, Result};
#[cfg(feature = "suite")]
use crate::record::Vector;
use crate::record::{self, Declared, Outermost};
use crate::schema::Layout;
use crate::walk::{StepKind, Walk};

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
    fn settled(self, node: &mut Node, before: Option<&[u8]>) -> Result<Opened> {
        node.settle()?;
        let mut bytes = node.write()?;
        if let Some(before) = before
            && (self.read)(&bytes).is_ok()
        {
            record::follow(self.layout, before, &mut bytes)?;
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
        Ok((asked, self.settled(&mut node, before)?))
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
            let names: Vec<&str> = path
                .split('/')
                .map(|name| name.trim_matches('"'))
                .filter(|name| !name.is_empty() && !name.starts_with('$'))
                .collect();
            let walk = Walk::over(self.format.layout, &self.bytes, &());
            viewed(walk, &names, MOST_VIEWS).ok_or(error)
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

/// Returns the value at the end of these names, of which one is that of a view.
fn viewed(mut walk: Walk<'_>, names: &[&str], left: u32) -> Option<Json> {
    while let Some(step) = walk.next() {
        let step = step.ok()?;
        let StepKind::View(view) = step.kind else { continue };
        let path = walk.path();
        let segments = path.steps();
        if step.odd.is_some() || left == 0 || segments.len() > names.len() {
            continue;
        }
        let is_named = |(segment, name): (&PathSegment, &&str)| match segment {
            PathSegment::Field(field) => field == name,
            PathSegment::Index(index) => *name == index.to_string(),
            _ => false,
        };
        if !segments.iter().zip(names).all(is_named) {
            continue;
        }
        let (layout, rest) = ((view.layout)(), &names[segments.len()..]);
        let inner = walk.enter_view(view, step.bytes);
        let node = Node::of_walk(layout, inner.clone()).ok()?;
        let json = to_json(&node, None, Some(step.big));
        return match json.find(&rest.join("/")) {
            Ok(found) => Some(found.clone()),
            Err(_) => viewed(inner, rest, left - 1),
        };
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
        let Ok(node) = Node::of_walk((view.layout)(), inner.clone()) else { continue };
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
