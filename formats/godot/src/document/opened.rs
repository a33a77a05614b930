//! Opened files of values: JSON and paths on one side, values and the bytes around them on the other.

use std::any::Any;
use std::cell::OnceCell;
use std::collections::btree_map::Entry as MapEntry;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;

use bytes::Bytes;

use crate::Framing;
use crate::inspect::Inspector;
use formwork::document::{
    Change, ChangeKind, Child, Conflict, Differences, Document, Edit, Fidelity, Json, Mended,
    MendedKind, Merged, Replaced, Replacing, Row,
};
use formwork::{Error, Path, PathSegment, Result};
use formwork_edit::convert::Converter;
use formwork_edit::{
    Compare, Difference, DifferenceKind, Literals, Merge, Names, Place, Replacement, Side, Step,
    Target, ValuePath, differing, mend, new_stray, remove, rule, strays,
};
use formwork_records::inspect::rows;
use formwork_records::limits::Limits;
use formwork_variant::json::{Json as JsonForm, Style, to_json};
use formwork_variant::{
    Array, Decoder, Dialect, Dictionary, ElementType, Encoder, Real, Strictness, Variant,
    VariantType,
};

use super::form::Form;

/// The part of a file around its values.
pub(super) trait Around<R: Real>: Send {
    /// Returns a copy.
    fn copy(&self) -> Box<dyn Around<R>>;

    /// The dictionaries around the keys of a text: 1 in a ConfigFile, a dictionary for each section; 2 in a text resource,
    /// for kinds of sections and their ids; 0 in other files.
    fn levels(&self) -> u8 {
        0
    }

    /// Returns what a summary says before the number of values.
    fn summary(&self) -> Vec<(&'static str, Json)>;

    /// Returns the bytes of the file with these values. With `anew` no value keeps its bytes.
    fn write(&self, values: &[Variant<R>], anew: bool) -> Result<Vec<u8>>;

    /// Returns the value that the file has in the place of a new one: where the engine has floats of 32 bits, they are
    /// rounded.
    fn stored(&self, value: Variant<R>) -> Variant<R> {
        value
    }

    /// Returns the number and the error of the first value that the file cannot have.
    fn unwritten(&self, _: &[Variant<R>]) -> Option<(usize, Error)> {
        None
    }

    /// Returns the content of the layers of a file, with the offset of its values.
    fn content(&self, bytes: &Bytes) -> Result<(Bytes, usize)> {
        Ok((bytes.clone(), 0))
    }

    /// Returns the place of the value at a path, in the content of the layers after the header.
    fn place(
        &self,
        _content: &[u8],
        _number: Option<usize>,
        _path: &str,
    ) -> Result<Option<Range<usize>>> {
        Ok(None)
    }

    /// Returns the bytes of a file with another value in the place of one of its type, where that changes no other bytes:
    /// it costs a look through the file, and no value is made or written but this one. The path is the whole one.
    fn replaced(
        &self,
        _bytes: &Bytes,
        _number: Option<usize>,
        _path: &str,
        _new: &Variant<R>,
    ) -> Result<Option<(Vec<u8>, Replacement<R>)>> {
        Ok(None)
    }

    /// Returns the value at a path, if it can be made without the others.
    fn sought(&self, _bytes: &Bytes, _number: Option<usize>, _path: &str) -> Option<Variant<R>> {
        None
    }

    /// Returns the packet of the only value, if a file of these bytes has no more.
    fn only_packet(&self, _bytes: &Bytes) -> Option<Bytes> {
        None
    }

    /// Returns the number of values of the file that was opened.
    fn count(&self) -> usize {
        1
    }

    /// Makes the values of a file of these bytes.
    fn read(&self, _bytes: &Bytes) -> Result<Vec<Variant<R>>> {
        Ok(Vec::new())
    }

    /// Returns the path at which a new value is added, and adds the container that it needs.
    fn make_room(&self, _: &mut [Variant<R>], path: &str) -> String {
        path.to_owned()
    }

    /// Returns the reader of typed values.
    fn literals(&self, dialect: Dialect) -> Literals {
        Literals::new(dialect)
    }
}

impl<R: Real> Clone for Box<dyn Around<R>> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// An opened file.
#[derive(Clone)]
pub(super) struct Opened<R: Real> {
    around: Box<dyn Around<R>>,
    /// The values, where they were made: most of what is done to a large file is about one of them.
    values: OnceCell<Result<Vec<Variant<R>>>>,
    bytes: Bytes,
    dialect: Dialect,
    limits: Limits,
    /// The number of the value that was chosen: paths and JSON are those of this one then.
    chosen: Option<usize>,
}

/// Returns a value as JSON, or the error for one that is too deep for that.
pub(super) fn json<R: Real>(value: &Variant<R>, dialect: Dialect) -> Result<Json> {
    let text = to_json(value, dialect, Style::Compact);
    // The offset would be one in this text, which nobody else has.
    Json::read(text.as_bytes()).map_err(Error::nowhere)
}

/// Refuses a value that is deeper than the limits, or than JSON.
pub(super) fn refuse_deep<R: Real>(
    value: &Variant<R>,
    (dialect, limits): (Dialect, Limits),
) -> Result<()> {
    if limits.depth.is_some() {
        let written = Encoder::new(dialect).in_precision().limits(limits).encode(value);
        written.map_err(|error| {
            let keys = keys_on(value, error.path());
            error.nowhere().at_place(keys)
        })?;
    }
    json(value, dialect).map(drop)
}

impl<R: Real> Opened<R> {
    /// Returns a file of these bytes. Without values they are made when they are needed.
    pub(super) fn new(
        around: Box<dyn Around<R>>,
        values: Option<Vec<Variant<R>>>,
        bytes: Bytes,
        (dialect, limits): (Dialect, Limits),
    ) -> Self {
        let values = values.map_or_else(OnceCell::new, |values| OnceCell::from(Ok(values)));
        Self { around, values, bytes, dialect, limits, chosen: None }
    }

    /// Returns the values, and makes them first if that was put off.
    fn all(&self) -> Result<&[Variant<R>]> {
        let values = self.values.get_or_init(|| self.around.read(&self.bytes));
        values.as_deref().map_err(Clone::clone)
    }

    /// Returns the number of values.
    fn count(&self) -> usize {
        match self.values.get() {
            Some(Ok(values)) => values.len(),
            _ => self.around.count(),
        }
    }

    /// Returns the number of the value that a path is in, if there are several, and the path in it.
    fn numbered<'p>(&self, path: &'p str) -> Option<(Option<usize>, &'p str)> {
        if self.chosen.is_some() || self.count() == 1 {
            return Some((self.chosen, path));
        }
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        let number = first.parse().ok().filter(|number| *number < self.count())?;
        Some((Some(number), rest))
    }

    /// Returns the value at a whole path, where the others are not made yet.
    fn seek(&self, path: &str) -> Option<Variant<R>> {
        if path.is_empty() || self.values.get().is_some() {
            return None;
        }
        let (number, path) = self.numbered(path)?;
        self.around.sought(&self.bytes, number, path)
    }

    /// Returns the file with this value chosen; a negative number counts from the last one.
    pub(super) fn choosing(mut self, number: Option<i64>) -> Result<Self> {
        let Some(number) = number else { return Ok(self) };
        let count = self.count();
        let at = usize::try_from(number).ok();
        let at = at.or_else(|| count.checked_sub(usize::try_from(number.unsigned_abs()).ok()?));
        self.chosen = at.filter(|at| *at < count);
        match self.chosen {
            Some(_) => Ok(self),
            None => {
                let found = number.to_string();
                let expected = format!("the number of one of {count} values");
                Err(Error::new(super::rule::NUMBER, 0, expected, found).nowhere())
            }
        }
    }

    /// Returns the values that paths lead to: all, or the chosen one.
    fn values(&self) -> &[Variant<R>] {
        // (The packets were walked through. What cannot be read all the same is not written: see `take`.)
        let all = self.all().unwrap_or_default();
        self.chosen.map_or(all, |number| all.get(number..=number).unwrap_or_default())
    }

    /// Returns a value of the file as JSON. Values that are too deep are refused before they are in the file.
    fn json(&self, value: &Variant<R>) -> Json {
        json(value, self.dialect).unwrap_or_default()
    }

    fn value(&self, json: &Json) -> Result<Variant<R>> {
        let form = JsonForm::lossless(self.dialect).in_precision().limits(self.limits);
        // The offset would be one in this text, which nobody else has.
        form.read(json.to_string().as_bytes()).map_err(Error::nowhere)
    }

    /// Returns the values of [`Document::to_json`] of a file with several values, or with one.
    fn values_of(&self, json: &Json, holds_several: bool) -> Result<Vec<Variant<R>>> {
        match json {
            Json::Array(all) if holds_several => all.iter().map(|it| self.value(it)).collect(),
            json => Ok(vec![self.value(json)?]),
        }
    }

    /// Returns the path of a value in one of several.
    fn path(&self, number: usize, name: String) -> String {
        match (self.holds_several(), name.is_empty()) {
            (false, _) => name,
            (true, true) => number.to_string(),
            (true, false) => format!("{number}/{name}"),
        }
    }

    fn set(
        &self,
        values: &mut [Variant<R>],
        path: &str,
        new: &Json,
        adds: bool,
    ) -> Result<Option<Change>> {
        let (new, dialect) = (self.around.stored(self.value(new)?), self.dialect);
        let found = ValuePath::new(path).find_in(values, dialect);
        let (number, target) = match found {
            Ok((number, place)) => (number, Target::There(place)),
            Err(_) if adds => {
                let path = self.around.make_room(values, path);
                ValuePath::new(&path).find_or_new(values, dialect)?
            }
            Err(error) => return Err(error),
        };
        let after = Some(self.json(&new));
        let before = target.put(&mut values[number], new);
        let place = target.place(&values[number]);
        let is_same = before.as_ref().zip(place.get(&values[number]));
        if is_same.is_some_and(|(old, new)| old.is_identical(new)) {
            return Ok(None);
        }
        let path = self.path(number, place.name(&values[number], dialect));
        Ok(Some(Change::new(path, before.map(|old| self.json(&old)), after)))
    }

    /// Sets a value where that changes no other bytes. Returns [`None`] where it may.
    fn replace(&mut self, path: &str, new: &Json) -> Result<Option<Option<Change>>> {
        let new = self.around.stored(self.value(new)?);
        if self.is_deep() {
            return Ok(None);
        }
        let Some((number, inner)) = self.numbered(path) else { return Ok(None) };
        let replaced = self.around.replaced(&self.bytes, number, inner, &new)?;
        let Some((bytes, Replacement { old, new, .. })) = replaced else { return Ok(None) };
        if old.is_identical(&new) {
            return Ok(Some(None));
        }
        let (before, after) = (self.json(&old), self.json(&new));
        if let Some(Ok(values)) = self.values.get_mut() {
            let value = &mut values[number.unwrap_or_default()];
            let place = ValuePath::new(inner).find(value, self.dialect)?;
            Target::There(place).put(value, new);
        }
        self.bytes = bytes.into();
        Ok(Some(Some(Change::new(path.to_owned(), Some(before), Some(after)))))
    }

    /// Returns the differences to other values.
    fn differences(&self, old: &[Variant<R>], new: &[Variant<R>]) -> Vec<Change> {
        differences(old, new, (self.dialect, 0.0))
    }

    /// Takes new values in the place of those that paths lead to, if the file can hold them.
    fn take(&mut self, new: Vec<Variant<R>>, anew: bool) -> Result<()> {
        let known = self.values().iter().flat_map(strays).map(|stray| stray.value.clone());
        if let Some((number, stray)) = new_stray(&known.collect::<Vec<_>>(), &new) {
            let name = self.path(number, stray.place.name(&new[number], self.dialect));
            let declared = declared_name(stray.declared, self.dialect);
            let own = self.dialect.type_name(stray.value.variant_type());
            let found = format!("{}, of the type {own}", stray.value.display(self.dialect));
            let error = Error::new(rule::TYPED, 0, format!("the declared type {declared}"), found);
            let segments = name.split('/').map(|name| PathSegment::Name(name.to_owned().into()));
            return Err(error.nowhere().under(segments.collect::<Path>()));
        }
        let all = match self.chosen {
            None => new,
            Some(number) => {
                let [value] = &new[..] else {
                    let (expected, found) = ("one value", format!("{} values", new.len()));
                    return Err(Error::new(super::rule::NUMBER, 0, expected, found).nowhere());
                };
                let mut all = self.all()?.to_vec();
                all[number] = value.clone();
                all
            }
        };
        let is_same = |(old, new): (&Variant<R>, &Variant<R>)| old.is_identical(new);
        let mut pairs = self.all()?.iter().zip(&all);
        if !anew && all.len() == self.count() && pairs.all(is_same) {
            return Ok(());
        }
        if self.is_deep() {
            all.iter().try_for_each(|value| json(value, self.dialect).map(drop))?;
        }
        let bytes = self.around.write(&all, anew).map_err(|error| {
            // The keys of the value that cannot be written say more than its place among packets.
            let Some((number, error)) = self.around.unwritten(&all) else { return error };
            let keys = keys_on(&all[number], error.path());
            let keys = if all.len() > 1 { format!("{number}/{keys}") } else { keys };
            error.at_place(keys.trim_end_matches('/'))
        })?;
        self.bytes = bytes.into();
        self.values = OnceCell::from(Ok(all));
        Ok(())
    }

    /// Returns the value whose type a new value at a path has.
    fn model(&self, path: &str) -> Option<Variant<R>> {
        self.seek(path).or_else(|| {
            let found = ValuePath::new(path).find_or_new(self.values(), self.dialect);
            let (number, target) = found.ok()?;
            target.model(&self.values()[number]).cloned()
        })
    }

    /// Returns whether the limits allow values whose JSON is too deep.
    fn is_deep(&self) -> bool {
        self.limits.depth.is_none_or(|depth| depth > super::DEEPEST)
    }

    /// Returns a reader of what the engine reads.
    fn decoder(&self) -> Decoder<R> {
        let decoder = Decoder::new(self.dialect).in_precision().strictness(Strictness::Engine);
        decoder.limits(self.limits).allow_objects(true)
    }

    fn literals(&self) -> Literals {
        self.around.literals(self.dialect).limits(self.limits)
    }

    fn child(&self, path: String, name: String, value: &Variant<R>) -> Child {
        let length = value.container().map(|it| it.len());
        Child {
            path,
            name,
            type_name: self.dialect.type_name(value.variant_type()).to_owned(),
            shown: length.is_none().then(|| value.display(self.dialect).to_string()),
            length,
        }
    }

    /// Returns the values of another document of the format, as they would be in this one.
    fn others(&self, other: &dyn Document, losses: &mut usize) -> Result<Vec<Variant<R>>> {
        let any = other.as_any();
        if let Some((values, from)) = known::<f32>(any) {
            return Ok(converted(values, (from, self.dialect), losses));
        }
        match known::<f64>(any) {
            Some((values, from)) => Ok(converted(values, (from, self.dialect), losses)),
            // The other document is of another format.
            None => self.values_of(&other.json(), other.holds_several()),
        }
    }

    /// Returns the differences to values of another engine, in that engine.
    fn differences_to<S: Real>(
        &self,
        new: &[Variant<S>],
        (to, tolerance): (Dialect, f64),
    ) -> Differences {
        let mut losses = 0;
        let old: Vec<Variant<S>> = converted(self.values(), (self.dialect, to), &mut losses);
        // (Of different numbers of values each is one of a list.)
        let several = old.len() != 1 || new.len() != 1;
        let (old, new) = match several {
            true => (vec![one(old, true)], vec![one(new.to_vec(), true)]),
            false => (old, new.to_vec()),
        };
        Differences { changes: differences(&old, &new, (to, tolerance)), losses }
    }

    /// Reads the values of a text: one, or a list.
    fn read(&self, text: &[u8], form: Form, is_one: bool) -> Result<Vec<Variant<R>>> {
        match is_one {
            true => Ok(vec![form.read(text, self.dialect, self.limits)?]),
            false => form.read_all(text, self.dialect, self.limits),
        }
    }
}

/// Returns the differences between the values of two files of one dialect. Floats are equal that differ by at most a
/// tolerance.
fn differences<R: Real>(
    old: &[Variant<R>],
    new: &[Variant<R>],
    (dialect, tolerance): (Dialect, f64),
) -> Vec<Change> {
    let several = old.len().max(new.len()) != 1;
    let path = |number: usize, name: String| match (several, name.is_empty()) {
        (false, _) => name,
        (true, true) => number.to_string(),
        (true, false) => format!("{number}/{name}"),
    };
    let mut changes = Vec::new();
    for (number, (old, new)) in old.iter().zip(new).enumerate() {
        let mut names = (Names::new(old, dialect), Names::new(new, dialect));
        for it in Compare::new().tolerance(tolerance).values(old, new) {
            let mut change = difference(&it, &mut names, dialect);
            change.path = path(number, change.path);
            change.old_path = change.old_path.map(|old| path(number, old));
            changes.push(change);
        }
    }
    let lone = |values: &[Variant<R>], from: usize| {
        let rest = values.iter().enumerate().skip(from);
        let json = |value| json(value, dialect).unwrap_or_default();
        rest.map(|(number, value)| (number.to_string(), json(value))).collect::<Vec<_>>()
    };
    let added = lone(new, old.len()).into_iter();
    changes.extend(added.map(|(path, value)| Change::new(path, None, Some(value))));
    let gone = lone(old, new.len()).into_iter();
    changes.extend(gone.map(|(path, value)| Change::new(path, Some(value), None)));
    changes
}

/// Returns a difference, whose names are those of the old and the new value.
fn difference<R: Real>(
    it: &Difference<'_, R>,
    (olds, news): &mut (Names<'_, R>, Names<'_, R>),
    dialect: Dialect,
) -> Change {
    let json =
        |value: Option<&Variant<R>>| value.map(|value| json(value, dialect).unwrap_or_default());
    if it.kind == DifferenceKind::Removed {
        return Change::new(olds.name(&it.old), json(it.before), json(it.after));
    }
    let mut change = Change::new(news.name(&it.new), json(it.before), json(it.after));
    if it.kind != DifferenceKind::Added {
        change.old_path = Some(olds.name(&it.old)).filter(|old| *old != change.path);
    }
    match it.kind {
        DifferenceKind::Moved => {
            change.kind = ChangeKind::Moved;
            change.words =
                Some([&it.old, &it.new].map(|place| format!("position {}", position(place))));
        }
        DifferenceKind::Front => {
            change.kind = ChangeKind::TypeChanged;
            let types = [it.before, it.after].map(|value| value.map(|it| types_of(it, dialect)));
            change.words = types[0].clone().zip(types[1].clone()).map(|it| [it.0, it.1]);
        }
        _ => {}
    }
    change
}

/// Returns the type of a value, with the types that it declares: `Dictionary[String, int]`.
fn types_of<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    let own = dialect.type_name(value.variant_type());
    let of = |declared: Option<&ElementType>| declared.map(|it| declared_name(it, dialect));
    let all = match value {
        Variant::Dictionary(pairs) => match [pairs.key_type(), pairs.value_type()].map(of) {
            [None, None] => None,
            types => Some(types.map(|it| it.unwrap_or_else(|| "Variant".to_owned())).join(", ")),
        },
        Variant::Array(array) => of(array.element_type()),
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => of(Some(&typed.element)),
        _ => None,
    };
    all.map_or_else(|| own.to_owned(), |types| format!("{own}[{types}]"))
}

/// Returns values of an engine as they are in another one, and counts those that lose something.
fn converted<R: Real, S: Real>(
    values: &[Variant<S>],
    (from, to): (Dialect, Dialect),
    losses: &mut usize,
) -> Vec<Variant<R>> {
    let converter = Converter::new(from, to).in_precision::<R>();
    let convert = |value: &Variant<S>| {
        let made = converter.convert(value.clone());
        *losses += if from == to { 0 } else { made.losses().len() };
        made.lossy()
    };
    values.iter().map(convert).collect()
}

/// Returns the values of a document of values, if it is one in this precision.
fn known<S: Real>(other: &dyn Any) -> Option<(&[Variant<S>], Dialect)> {
    let other = other.downcast_ref::<Opened<S>>()?;
    Some((other.values(), other.dialect))
}

/// Returns the name of a declared type.
fn declared_name(declared: &ElementType, dialect: Dialect) -> String {
    match declared {
        ElementType::Builtin(wanted) => dialect.type_name(*wanted).to_owned(),
        ElementType::Class(name) | ElementType::Script(name) => name.to_string_lossy().into_owned(),
        _ => "another type".to_owned(),
    }
}

/// Returns the position of an entry in its container.
fn position(place: &Place) -> usize {
    match place.steps().last() {
        Some(Step::Element(at) | Step::Key(at) | Step::Value(at) | Step::Property(at)) => *at,
        None => 0,
    }
}

/// Returns the values as one: as a list where there are several.
fn one<R: Real>(mut values: Vec<Variant<R>>, several: bool) -> Variant<R> {
    match values.pop() {
        Some(value) if !several => value,
        last => Variant::Array(values.into_iter().chain(last).collect::<Array<R>>()),
    }
}

/// Returns the keys and positions along a path into a value: `player/bag/1`.
#[must_use]
pub fn keys_on<R: Real>(value: &Variant<R>, path: &Path) -> String {
    let (mut value, mut place) = (Some(value), Vec::new());
    for steps in path.steps().windows(2) {
        let (PathSegment::Field(field), PathSegment::Index(index)) = (&steps[0], &steps[1]) else {
            continue;
        };
        let index = usize::try_from(*index).unwrap_or(usize::MAX);
        value = match (*field, value) {
            ("dictionary", Some(Variant::Dictionary(dictionary))) => {
                let key = dictionary.keys().nth(index);
                place.push(match key.and_then(Variant::as_str).filter(|key| !key.is_empty()) {
                    Some(key) => key.to_owned(),
                    None => match key.and_then(Variant::as_int) {
                        Some(number) => number.to_string(),
                        None => format!("[{index}]"),
                    },
                });
                dictionary.values().nth(index)
            }
            ("array", Some(Variant::Array(array))) => {
                place.push(index.to_string());
                array.get(index)
            }
            (_, value) => value,
        };
    }
    place.join("/")
}

/// Adds to the base of a text the sections that both sides added, in this number of levels: a section is no value, so
/// that only its keys can be in conflict.
fn add_sections<R: Real>(
    base: &mut Variant<R>,
    ours: &Variant<R>,
    theirs: &Variant<R>,
    levels: u8,
) {
    let (Variant::Dictionary(base), Variant::Dictionary(ours), Variant::Dictionary(theirs)) =
        (base, ours, theirs)
    else {
        return;
    };
    if levels == 0 {
        return;
    }
    let by_name = |side: &'_ Dictionary<R>| -> HashMap<String, usize> {
        let names = side.keys().enumerate();
        names.filter_map(|(at, key)| Some((key.as_str()?.to_owned(), at))).collect()
    };
    let (theirs_by_name, there) = (by_name(theirs), by_name(base));
    for (name, ours) in ours {
        let Some(text) = name.as_str() else { continue };
        let Some((_, theirs)) = theirs_by_name.get(text).and_then(|at| theirs.as_slice().get(*at))
        else {
            continue;
        };
        if !there.contains_key(text) {
            base.push((name.clone(), Variant::Dictionary(Dictionary::new())));
        }
        if levels > 1
            && let Some(base) = base.get_mut(text)
        {
            add_sections(base, ours, theirs, levels - 1);
        }
    }
}

/// Returns the error of a text that is no value of a type.
fn no_value(type_name: &str, text: &str) -> Error {
    let found = format!("`{text}`");
    Error::new(formwork::document::rule::DOCUMENT_VALUE, 0, type_name, found).nowhere()
}

/// The words for a value of any type.
const ANY: &str = "JSON or the engine's text";

impl<R: Real> Document for Opened<R> {
    fn summary(&self) -> Vec<(String, Json)> {
        let around = self.around.summary();
        let mut summary: Vec<_> =
            around.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        match self.values() {
            [value] => {
                let kind = self.dialect.type_name(value.variant_type());
                summary.push(("type".to_owned(), kind.into()));
                let length = value.container().map(|it| ("entries".to_owned(), it.len().into()));
                summary.extend(length);
            }
            several => summary.push(("values".to_owned(), several.len().into())),
        }
        summary
    }

    fn to_json(&self) -> Json {
        match self.values() {
            [value] => self.json(value),
            several => Json::Array(several.iter().map(|value| self.json(value)).collect()),
        }
    }

    fn holds_several(&self) -> bool {
        self.chosen.is_none() && self.count() != 1
    }

    fn get(&self, path: &str) -> Result<Json> {
        if path.is_empty() {
            return Ok(self.to_json());
        }
        if let Some(value) = self.seek(path) {
            return json(&value, self.dialect);
        }
        let (number, place) = ValuePath::new(path).find_in(self.values(), self.dialect)?;
        Ok(place.get(&self.values()[number]).map(|value| self.json(value)).unwrap_or_default())
    }

    fn children(&self, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
        let (values, dialect) = (self.values(), self.dialect);
        if path.is_empty() && self.holds_several() {
            let end = range.end.min(values.len());
            let some = values.get(range.start.min(end)..end).unwrap_or_default();
            let numbers = (range.start..).map(|number| number.to_string());
            let child = |(at, it): (String, _)| self.child(at.clone(), at, it);
            return Ok(numbers.zip(some).map(child).collect());
        }
        let (number, place) = match path {
            "" => (0, Place::default()),
            path => ValuePath::new(path).find_in(values, dialect)?,
        };
        let Some(value) = values.get(number) else { return Ok(Vec::new()) };
        let Some(container) = place.get(value).and_then(Variant::container) else {
            return Ok(Vec::new());
        };
        let mut names = Names::new(value, dialect);
        let before = names.name(&place);
        let children = (range.start..range.end.min(container.len())).filter_map(|at| {
            let step = Step::to(container, at);
            let path = names.name(&place.inside(step));
            let name = path.get(before.len()..).unwrap_or(&path).trim_start_matches('/').to_owned();
            Some(self.child(self.path(number, path), name, step.of(container)?))
        });
        Ok(children.collect())
    }

    fn look(&self, path: &str) -> Result<Child> {
        let (values, dialect) = (self.values(), self.dialect);
        if path.is_empty() && self.holds_several() {
            let (shown, length) = (None, Some(values.len()));
            let (path, name) = (String::new(), String::new());
            return Ok(Child { path, name, type_name: "values".to_owned(), shown, length });
        }
        let (number, place) = ValuePath::new(path).find_in(values, dialect)?;
        let whole = &values[number];
        let path = self.path(number, place.name(whole, dialect));
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(self.child(path, name, place.get(whole).unwrap_or(whole)))
    }

    fn type_name(&self, value: &Json) -> String {
        match self.value(value) {
            Ok(value) => self.dialect.type_name(value.variant_type()).to_owned(),
            Err(_) => value.kind().to_owned(),
        }
    }

    fn typed(&self, path: &str, text: &str) -> Result<Json> {
        let model = self.model(path).filter(|model| !model.is_nil());
        let read = match &model {
            Some(model) => self.literals().like(text, model),
            None => self.literals().any(text),
        };
        let type_name = || {
            let of = |model: &Variant<R>| self.dialect.type_name(model.variant_type());
            model.as_ref().map_or(ANY, of)
        };
        json(&read.ok_or_else(|| no_value(type_name(), text))?, self.dialect)
    }

    fn has_types(&self) -> bool {
        true
    }

    fn typed_as(&self, text: &str, type_name: Option<&str>) -> Result<Json> {
        let literals = self.literals();
        let read: Option<Variant<R>> = match type_name {
            None => literals.any(text),
            Some(name) => match self.dialect.type_named(name) {
                Some(named) => literals.of_type(text, named),
                None => {
                    let expected = format!("a type of {}", self.dialect);
                    let rule = formwork::document::rule::DOCUMENT_TYPE;
                    return Err(Error::new(rule, 0, expected, name).nowhere());
                }
            },
        };
        let read = read.ok_or_else(|| no_value(type_name.unwrap_or(ANY), text))?;
        json(&read, self.dialect)
    }

    /// A new value of no named type is a byte array.
    fn of_bytes(&self, path: &str, type_name: Option<&str>, bytes: &[u8]) -> Option<Json> {
        let there = || self.model(path).filter(|it| !it.is_nil()).map(|it| it.variant_type());
        let own = match type_name {
            Some(name) => self.dialect.type_named(name)?,
            None => there().unwrap_or(VariantType::PackedByteArray),
        };
        let value: Variant<R> = match own {
            VariantType::PackedByteArray => Variant::PackedByteArray(bytes.to_vec()),
            VariantType::String => Variant::from(std::str::from_utf8(bytes).ok()?),
            VariantType::StringName => Variant::StringName(std::str::from_utf8(bytes).ok()?.into()),
            _ => return None,
        };
        json(&value, self.dialect).ok()
    }

    fn bytes_at(&self, path: &str) -> Result<Option<Vec<u8>>> {
        Ok(match self.value(&self.get(path)?)? {
            Variant::PackedByteArray(bytes) => Some(bytes),
            value => value.as_string().map(|text| text.as_bytes().to_vec()),
        })
    }

    /// Returns a value as the engine prints it.
    fn shown(&self, value: &Json) -> String {
        match self.value(value) {
            Ok(value) => value.display(self.dialect).to_string(),
            Err(_) => value.to_string(),
        }
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        // (`save entry/edit` of benches/counts.)
        if let [Edit::Set { path, value, .. }] = edits
            && !path.is_empty()
            && let Some(change) = self.replace(path, value)?
        {
            return Ok(change.into_iter().collect());
        }
        let (mut new, mut changes) = (self.values().to_vec(), Vec::new());
        for edit in edits {
            match edit {
                Edit::Set { path, value, .. } if path.is_empty() => {
                    let other = self.values_of(value, self.holds_several())?;
                    let other: Vec<_> =
                        other.into_iter().map(|it| self.around.stored(it)).collect();
                    changes.extend(self.differences(&new, &other));
                    new = other;
                }
                Edit::Set { path, value, adds } => {
                    changes.extend(self.set(&mut new, path, value, *adds)?);
                }
                Edit::Remove { path } => {
                    let (number, place) = ValuePath::new(path).find_in(&new, self.dialect)?;
                    let path = self.path(number, place.name(&new[number], self.dialect));
                    let old = remove(&mut new, number, &place)?;
                    changes.push(Change::new(path, Some(self.json(&old)), None));
                }
            }
        }
        self.take(new, false)?;
        Ok(changes)
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Change>> {
        let (mut places, mut changes) = (BTreeMap::new(), Vec::new());
        for path in paths {
            let (number, place) = ValuePath::new(path).find_in(self.values(), self.dialect)?;
            let value = &self.values()[number];
            let name = self.path(number, place.name(value, self.dialect));
            if let MapEntry::Vacant(entry) = places.entry((number, place)) {
                let old = entry.key().1.get(value).map(|old| self.json(old));
                changes.push(Change::new(name, old, None));
                entry.insert(());
            }
        }
        let mut new = self.values().to_vec();
        // The last value is taken first, so that the others stay at their places.
        for (number, place) in places.into_keys().rev() {
            remove(&mut new, number, &place)?;
        }
        self.take(new, false)?;
        Ok(changes)
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        self.edit(&[Edit::set("", json.clone())])
    }

    fn read_text(&self, form: &str, text: &[u8]) -> Result<Json> {
        let read: Variant<R> = Form::named(form)?.read(text, self.dialect, self.limits)?;
        json(&read, self.dialect)
    }

    fn write_text(
        &self,
        path: &str,
        form: &str,
        style: Style,
        out: &mut dyn io::Write,
    ) -> Result<()> {
        let (form, dialect) = (Form::named(form)?, self.dialect);
        if path.is_empty() {
            return match self.values() {
                [value] => form.write(value, dialect, style, out),
                several => form.write_all(several.to_vec(), dialect, style, out),
            };
        }
        if let Some(value) = self.seek(path) {
            return form.write(&value, dialect, style, out);
        }
        let (number, place) = ValuePath::new(path).find_in(self.values(), dialect)?;
        let whole = &self.values()[number];
        form.write(place.get(whole).unwrap_or(whole), dialect, style, out)
    }

    fn set_text(&mut self, text: &[u8], replacing: Replacing<'_>) -> Result<Replaced> {
        let Replacing { form, fidelity, is_list } = replacing;
        let form = Form::named(form)?;
        let mut new = self.read(text, form, !self.holds_several() && !is_list)?;
        let mut replaced = Replaced::default();
        // The native form has the type of every number.
        if fidelity == Fidelity::Mended && form != Form::Native {
            let several = self.values().len().max(new.len()) > 1;
            for (number, (old, new)) in self.values().iter().zip(&mut new).enumerate() {
                let mended = mend(old, new, self.dialect);
                let mut names = Names::new(&*new, self.dialect);
                let kinds =
                    [(MendedKind::Float, mended.floats), (MendedKind::Order, mended.in_order)];
                for (kind, places) in kinds {
                    replaced.mended.extend(places.iter().map(|place| {
                        let name = names.name(place);
                        let path = match (several, name.is_empty()) {
                            (false, _) => name,
                            (true, true) => number.to_string(),
                            (true, false) => format!("{number}/{name}"),
                        };
                        Mended { kind, path }
                    }));
                }
            }
        }
        let new: Vec<_> = new.into_iter().map(|value| self.around.stored(value)).collect();
        replaced.changes = self.differences(self.values(), &new);
        self.take(new, fidelity == Fidelity::Anew)?;
        Ok(replaced)
    }

    fn merge(
        &mut self,
        base: Option<&dyn Document>,
        theirs: Option<&dyn Document>,
        wins: bool,
    ) -> Result<Option<Merged>> {
        let mut losses = 0;
        let mut version =
            |it: Option<&dyn Document>| it.map(|it| self.others(it, &mut losses)).transpose();
        let (theirs, base) = (version(theirs)?.unwrap_or_default(), version(base)?);
        let is_one = |values: &[Variant<R>]| values.len() == 1;
        let several = !is_one(self.values())
            || !is_one(&theirs)
            || base.as_deref().is_some_and(|base| !is_one(base));
        let (ours, theirs) = (one(self.values().to_vec(), several), one(theirs, several));
        let mut base = match (base, &ours) {
            (Some(base), _) => one(base, several),
            (None, Variant::Dictionary(_)) => Variant::Dictionary(Dictionary::new()),
            (None, Variant::Array(_)) => Variant::Array(Array::new()),
            (None, _) => Variant::Nil,
        };
        add_sections(&mut base, &ours, &theirs, self.around.levels());
        let side = if wins { Side::Theirs } else { Side::Ours };
        let merged = Merge::new().prefer(side).values(&base, &ours, &theirs);
        let json = |value: Option<&Variant<R>>| value.map(|value| self.json(value));
        let mut names = [&ours, &theirs].map(|value| Names::new(value, self.dialect));
        let [in_ours, in_theirs] = &mut names;
        let conflicts = merged.conflicts.iter().map(|it| Conflict {
            path: it.name(in_ours, in_theirs),
            base: json(it.base),
            ours: json(it.ours),
            theirs: json(it.theirs),
        });
        let conflicts = conflicts.collect();
        let new = match (several, merged.value) {
            (true, Variant::Array(array)) => array.into_vec(),
            (_, value) => vec![value],
        };
        let changes = self.differences(self.values(), &new);
        self.take(new, false)?;
        Ok(Some(Merged { changes, conflicts, losses, told: None }))
    }

    fn fork(&self) -> Box<dyn Document> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn diff_within(&self, other: &dyn Document, tolerance: Option<f64>) -> Differences {
        let (any, within) = (other.as_any(), tolerance.unwrap_or_default());
        if let Some(other) = any.downcast_ref::<Self>()
            && self.dialect == other.dialect
            && [self, other].iter().all(|it| it.values.get().is_none() && it.chosen.is_none())
            && let (Some(old), Some(new)) =
                (self.around.only_packet(&self.bytes), other.around.only_packet(&other.bytes))
            && let Some([old, new]) = differing(&old, &new, &self.decoder())
        {
            let changes = differences(&[old], &[new], (self.dialect, within));
            return Differences { changes, losses: 0 };
        }
        if let Some((new, to)) = known::<f64>(any) {
            return self.differences_to(new, (to, within));
        }
        match known::<f32>(any) {
            // (Single numbers are double ones, too.)
            Some((new, to)) => {
                self.differences_to(&converted::<R, f32>(new, (to, to), &mut 0), (to, within))
            }
            // The other document is of another format.
            None => {
                let changes = formwork::document::changes(&self.to_json(), &other.to_json());
                Differences { changes, losses: 0 }
            }
        }
    }

    fn content(&self) -> Result<Vec<u8>> {
        Ok(self.around.content(&self.bytes)?.0.to_vec())
    }

    fn place(&self, path: &str) -> Result<Option<Range<u64>>> {
        if path.is_empty() && self.holds_several() {
            return Ok(None);
        }
        let first = || path.split('/').next().unwrap_or_default();
        let (number, rest) = self.numbered(path).ok_or_else(|| no_number(first()))?;
        let (content, start) = self.around.content(&self.bytes)?;
        let values = content.get(start..).unwrap_or_default();
        let Some(range) = self.around.place(values, number, rest)? else {
            return self.get(path).map(|_| None);
        };
        let offset = |at: usize| (start + at) as u64;
        Ok(Some(offset(range.start)..offset(range.end)))
    }

    fn rows(&self, path: &str, each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>) -> Result<bool> {
        let Some(place) = Document::place(self, path)? else { return Ok(false) };
        let content = self.around.content(&self.bytes)?.0;
        // A place is one of the content, in memory.
        let packet = content.get(..place.end as usize).unwrap_or(&content);
        let inspector = Inspector::new(packet, self.dialect).behind(place.start as usize);
        // An error of `each` only ends the rows early.
        let _ = rows::of_spans(inspector.framing(Framing::Bare).list_elements(true), each);
        Ok(true)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    fn into_bytes(self: Box<Self>) -> Vec<u8> {
        let Self { around, bytes, .. } = *self;
        // (It may share the bytes.)
        drop(around);
        bytes.into()
    }
}

#[cold]
fn no_number(found: &str) -> Error {
    Error::new(formwork::document::rule::DOCUMENT_PATH, 0, "the number of a value", found).nowhere()
}
