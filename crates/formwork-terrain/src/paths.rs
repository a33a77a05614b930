//! Paths of files in a project: the fields that hold them, and the replacement of a moved folder.
//!
//! They follow the rules of Windows: case does not matter, `/` is equal to `\`, and several separators are equal to
//! one. The classes declare which fields hold paths, and from where the paths start.

use std::collections::{BTreeMap, HashMap};

use formwork::{Error, Path, PathSegment, Result};
use formwork_alb1::path::Found;
use formwork_alb1::terrain;
use formwork_alb1::terrain::{Class, Content, DATA, KEY, PathKind};
use formwork_alb1::{Document, Field, Object, Text, Value};

use crate::rule;

/// The drive from which Terrain Builder's tools take the paths of models.
pub const PROJECT_DRIVE: &str = "P:";

/// A path in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePath {
    /// The field that holds it, as [`Document::get`] takes it.
    pub at: Path,
    /// The kind of file, and the start of the path.
    pub kind: PathKind,
    /// The path. It is never empty.
    pub text: Text,
}

impl FilePath {
    /// Returns the path with its drive; [`None`] for a path from the folder of the project, and for a name that is not
    /// a path.
    #[must_use]
    pub fn absolute(&self) -> Option<String> {
        let text = self.text.to_str();
        match self.kind {
            _ if has_drive(&text) => Some(text.into_owned()),
            PathKind::OnDrive => {
                Some(format!("{PROJECT_DRIVE}\\{}", text.trim_start_matches(is_separator)))
            }
            _ => None,
        }
    }

    /// Returns the name of the user whose profile holds the file: `name` of `C:\Users\name\...`.
    #[must_use]
    pub fn profile(&self) -> Option<String> {
        let absolute = self.absolute()?;
        let mut parts = parts(&absolute).skip(1);
        let folder = parts.next()?;
        let known = ["Users", "Documents and Settings"];
        if !known.iter().any(|known| folder.eq_ignore_ascii_case(known)) {
            return None;
        }
        parts.next().filter(|name| !name.eq_ignore_ascii_case("Public")).map(str::to_owned)
    }
}

/// Returns the folders and the file in a path, one after another, the drive first.
pub fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split(is_separator).filter(|part| !part.is_empty() && *part != ".")
}

/// Whether a path starts with a drive: `C:\`.
#[must_use]
pub fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', rest @ ..] if letter.is_ascii_alphabetic()
        && rest.first().is_none_or(|&byte| is_separator(char::from(byte))))
}

fn is_separator(character: char) -> bool {
    matches!(character, '\\' | '/')
}

/// Returns every path in the fields that the declared classes have for paths, in the order of the file. Names that
/// Terrain Builder makes of paths ([`PathKind::Label`]) are included if they have a drive.
#[must_use]
pub fn file_paths(document: &Document) -> Vec<FilePath> {
    Visit::all(document).into_iter().map(|(path, _)| path).collect()
}

/// The paths of one drive, or of the folder of the project.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct DriveUse {
    /// The drive; empty for the folder of the project.
    pub drive: String,
    /// The folder that holds all of them.
    pub folder: String,
    /// The number of paths.
    pub paths: usize,
}

/// Returns the drives of the paths of a document, in the order of the drives.
#[must_use]
pub fn drives(document: &Document) -> Vec<DriveUse> {
    let mut drives: BTreeMap<String, (Vec<String>, usize)> = BTreeMap::new();
    for path in file_paths(document) {
        let text = path.absolute().unwrap_or_else(|| path.text.to_string());
        let mut folders: Vec<String> = parts(&text).map(str::to_owned).collect();
        // The last part is the file, except in folders.
        if path.kind != PathKind::Folder && folders.len() > 1 {
            folders.pop();
        }
        let drive = folders.first().filter(|drive| has_drive(drive)).cloned().unwrap_or_default();
        let (common, count) =
            drives.entry(drive.to_ascii_uppercase()).or_insert_with(|| (folders.clone(), 0));
        let same = common.iter().zip(&folders);
        let same = same.take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count();
        common.truncate(same);
        *count += 1;
    }
    let uses = drives.into_iter().map(|(drive, (folders, paths))| {
        let root = if folders.len() == 1 && !drive.is_empty() { "\\" } else { "" };
        DriveUse { drive, folder: folders.join("\\") + root, paths }
    });
    uses.collect()
}

/// A visit of a document along the declared classes. No class contains itself, so the depth is bounded.
struct Visit<'d> {
    document: &'d Document,
    at: Vec<PathSegment>,
    /// The path as positions, so that found fields need not be searched again: a hostile object may have a million
    /// fields before the one that counts.
    positions: Vec<usize>,
    found: Vec<(FilePath, Found)>,
}

impl<'d> Visit<'d> {
    /// Returns every path, and the field that holds it.
    fn all(document: &'d Document) -> Vec<(FilePath, Found)> {
        let (at, positions, found) = (Vec::new(), Vec::new(), Vec::new());
        let mut visit = Self { document, at, positions, found };
        visit.object(&document.root);
        visit.found
    }

    fn object(&mut self, object: &Object) {
        let Some(class) = terrain::class(&self.document.class_name(object)) else { return };
        for declared in class.fields.iter().filter(|declared| leads_to_paths(&declared.content)) {
            let Some(tag) = self.document.tags.id(declared.tag) else { continue };
            let depth = self.at.len();
            self.at.push(PathSegment::Name(declared.tag.into()));
            if object.all(tag).nth(1).is_some() {
                self.at.push(PathSegment::Index(declared.occurrence as u64));
            }
            let mut same = object.fields.iter().enumerate().filter(|(_, field)| field.tag == tag);
            if let Some((position, field)) = same.nth(declared.occurrence) {
                self.positions.push(position);
                self.value(&field.value, &declared.content);
                self.positions.pop();
            }
            self.at.truncate(depth);
        }
    }

    fn value(&mut self, value: &Value, content: &Content) {
        match (content, value) {
            (Content::Path(kind), Value::String(text)) => {
                let shown = *kind != PathKind::Label || has_drive(&text.to_str());
                if shown && !text.as_bytes().is_empty() {
                    let at = Path::from(self.at.clone());
                    let path = FilePath { at, kind: *kind, text: text.clone() };
                    self.found.push((path, Found::at(self.positions.clone())));
                }
            }
            (Content::Object(_) | Content::AnyOf(_), Value::Object(object)) => self.object(object),
            (Content::List(content), Value::Array(elements)) => {
                self.each(elements, |visit, element| visit.value(&element.value, content));
            }
            (Content::Pairs(key, data), Value::Array(elements)) => {
                self.each(elements, |visit, element| {
                    let Some(pair) = element.value.as_pair() else { return };
                    let halves = pair.iter().zip([(KEY, key), (DATA, data)]);
                    for (position, (half, (name, content))) in halves.enumerate() {
                        visit.at.push(PathSegment::Name(name.into()));
                        visit.positions.push(position);
                        visit.value(&half.value, content);
                        visit.positions.pop();
                        visit.at.pop();
                    }
                });
            }
            _ => {}
        }
    }

    fn each(&mut self, elements: &[Field], mut visit: impl FnMut(&mut Self, &Field)) {
        for (index, element) in elements.iter().enumerate() {
            self.at.push(PathSegment::Index(index as u64));
            self.positions.push(index);
            visit(self, element);
            self.positions.pop();
            self.at.pop();
        }
    }
}

fn leads_to_paths(content: &Content) -> bool {
    match content {
        Content::Path(_) => true,
        Content::Object(name) => class_leads_to_paths(terrain::class(name)),
        Content::AnyOf(names) => {
            names.iter().any(|name| class_leads_to_paths(terrain::class(name)))
        }
        Content::List(content) => leads_to_paths(content),
        Content::Pairs(key, data) => leads_to_paths(key) || leads_to_paths(data),
        _ => false,
    }
}

fn class_leads_to_paths(class: Option<&Class>) -> bool {
    class.is_some_and(|class| class.fields.iter().any(|field| leads_to_paths(&field.content)))
}

/// The replacement of a folder by another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Replacement {
    old: Vec<String>,
    new: String,
}

/// The result for a path.
enum New {
    Path(String),
    /// The path stays, as it cannot leave the project drive.
    Left,
}

/// The result of a replacement.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Replaced {
    /// The number of changed fields.
    pub changed: usize,
    /// The number of removed pairs, whose new keys and contents are those of other pairs.
    pub merged: usize,
    /// The fields that start with the old folder and were left, because they start at the project drive without naming
    /// it, and the new folder is on another drive.
    pub left: Vec<Path>,
}

impl Replacement {
    /// Makes the replacement of the folder (or file) `old` by `new`. Both have a drive, or neither: then they are
    /// folders of the project drive.
    ///
    /// # Errors
    ///
    /// [`formwork_alb1::rule::PATH`] if one is empty, if only one has a drive, or if `new` has a character that is not
    /// in Windows-1252.
    pub fn new(old: &str, new: &str) -> Result<Self> {
        let wrong = |expected: &str, found: &str| {
            Err(Error::new(formwork_alb1::rule::PATH, 0, expected, format!("{found:?}")))
        };
        let first: Vec<_> = parts(old).map(str::to_owned).collect();
        if first.is_empty() || parts(new).next().is_none() {
            return wrong("two folders", if first.is_empty() { old } else { new });
        }
        if has_drive(old) != has_drive(new) {
            return wrong("two folders with a drive, or two without", new);
        }
        if Text::new(new).is_none() {
            return wrong("characters of Windows-1252", new);
        }
        let new = new.replace('/', "\\").trim_end_matches('\\').to_owned();
        Ok(Self { old: first, new })
    }

    /// Returns the new path; [`None`] if it does not start with the old folder.
    #[must_use]
    pub fn apply(&self, path: &str) -> Option<String> {
        let mut rest = path;
        for part in &self.old {
            rest = rest.trim_start_matches(is_separator);
            let here = rest.split(is_separator).next().unwrap_or_default();
            if !here.eq_ignore_ascii_case(part) {
                return None;
            }
            rest = rest.get(here.len()..).unwrap_or_default();
        }
        Some(format!("{}{rest}", self.new))
    }

    /// Returns the new path in a document; [`None`] if it does not start with the old folder.
    fn new_of(&self, path: &FilePath) -> Option<New> {
        let with_drive = self.old.first().is_some_and(|first| has_drive(first));
        let text = path.text.to_str();
        match path.kind {
            PathKind::OnDrive if with_drive && !has_drive(&text) => {
                let new = path.absolute().and_then(|path| self.apply(&path))?;
                Some(match new.get(..PROJECT_DRIVE.len()) {
                    Some(drive) if drive.eq_ignore_ascii_case(PROJECT_DRIVE) => {
                        New::Path(without_drive(&new))
                    }
                    _ => New::Left,
                })
            }
            PathKind::Label if !with_drive => None,
            _ => self.apply(&text).map(New::Path),
        }
    }

    /// Changes every path of a document that starts with the old folder, including the names that Terrain Builder made
    /// of paths. The pairs with a changed path as key stay in ascending order.
    ///
    /// If two folders become one, two pairs may get the same key (case does not matter, as in names of files). If both
    /// have the same content, one of them is kept.
    ///
    /// # Errors
    ///
    /// [`rule::KEY`] if two pairs would get the same key with different contents. The document is then unchanged.
    pub fn apply_to(&self, document: &mut Document) -> Result<Replaced> {
        Self::apply_all(std::slice::from_ref(self), document)
    }

    /// Changes every path of a document that starts with one of the old folders, as [`Replacement::apply_to`]. If
    /// several fit, the longest old folder counts, so that two folders may be swapped.
    ///
    /// # Errors
    ///
    /// As [`Replacement::apply_to`].
    pub fn apply_all(replacements: &[Self], document: &mut Document) -> Result<Replaced> {
        let mut longest_first: Vec<&Self> = replacements.iter().collect();
        longest_first.sort_by_key(|it| std::cmp::Reverse(it.old.len()));
        let mut replaced = Replaced::default();
        let mut changes: Vec<(FilePath, Found, Text)> = Vec::new();
        for (path, found) in Visit::all(document) {
            let new = longest_first.iter().find_map(|it| it.new_of(&path));
            let new = match new {
                None => continue,
                Some(New::Left) => {
                    replaced.left.push(path.at);
                    continue;
                }
                Some(New::Path(new)) => new,
            };
            let new = Text::new(&new).unwrap_or_else(|| Text::from_bytes(new.as_bytes()));
            if path.text != new {
                changes.push((path, found, new));
            }
        }
        replaced.changed = changes.len();
        let keyed = keyed(&changes);
        let mut merged: Vec<(&Found, Vec<usize>)> = Vec::new();
        for (array, new_keys) in &keyed {
            let pairs = array.field(&document.root).map(|field| field.value.fields());
            merged.push((array, same_keys(pairs.unwrap_or_default(), new_keys)?));
        }
        for (_, found, new) in &changes {
            if let Some(field) = found.field_mut(&mut document.root) {
                field.value = Value::String(new.clone());
            }
        }
        for (array, merged) in merged {
            replaced.merged += merged.len();
            if let Some(field) = array.field_mut(&mut document.root) {
                drop_and_sort(&mut field.value, &merged);
            }
        }
        Ok(replaced)
    }
}

/// Returns the arrays whose keys change, each with the positions of the changed pairs and their new keys.
fn keyed(changes: &[(FilePath, Found, Text)]) -> Vec<(Found, BTreeMap<usize, &Text>)> {
    let mut keyed: Vec<(Found, BTreeMap<usize, &Text>)> = Vec::new();
    for (path, found, new) in changes {
        let is_key = matches!(path.at.steps(), [.., PathSegment::Index(_), PathSegment::Name(half)]
            if **half == *KEY);
        // The array is two steps out, around the pair.
        let pair = found.clone().split_last().filter(|_| is_key);
        let Some((array, position)) = pair.and_then(|(pair, _)| pair.split_last()) else {
            continue;
        };
        match keyed.last_mut().filter(|(last, _)| *last == array) {
            Some((_, keys)) => drop(keys.insert(position, new)),
            None => keyed.push((array, BTreeMap::from([(position, new)]))),
        }
    }
    keyed
}

/// Returns the positions of pairs that become unneeded, because another pair gets the same key and has the same
/// content; an error if the contents differ. A key that occurred twice before is kept.
fn same_keys(pairs: &[Field], new_keys: &BTreeMap<usize, &Text>) -> Result<Vec<usize>> {
    let folded = |text: &Text| text.as_bytes().to_ascii_lowercase();
    let mut by_key: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
    for (position, pair) in pairs.iter().enumerate() {
        let Some(old) = key_of(pair) else { continue };
        let key = new_keys.get(&position).copied().unwrap_or(old);
        by_key.entry(folded(key)).or_default().push(position);
    }
    let mut unneeded = Vec::new();
    let mut clashes: Vec<(usize, usize)> = Vec::new();
    for positions in by_key.values() {
        // A pair whose key does not change is kept.
        let stays = positions.iter().find(|position| !new_keys.contains_key(position));
        let Some(&stays) = stays.or(positions.first()) else { continue };
        let old_key = pairs.get(stays).and_then(key_of).map(folded);
        for &position in positions.iter().filter(|position| **position != stays) {
            let was_same = pairs.get(position).and_then(key_of).map(folded) == old_key;
            match (pairs.get(position), pairs.get(stays)) {
                _ if was_same => {}
                (Some(one), Some(other)) if say_the_same(one, other) => unneeded.push(position),
                _ => clashes.push((stays.min(position), stays.max(position))),
            }
        }
    }
    let Some(&(one, other)) = clashes.iter().min() else {
        unneeded.sort_unstable();
        return Ok(unneeded);
    };
    let old =
        |position| pairs.get(position).and_then(key_of).map(Text::to_string).unwrap_or_default();
    let more = match clashes.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more such keys"),
    };
    let (one, other) = (old(one), old(other));
    let found = format!("the same key for {one:?} and {other:?}, which say different things{more}");
    Err(Error::new(rule::KEY, 0, "a key of its own for each pair", found))
}

fn key_of(pair: &Field) -> Option<&Text> {
    match pair.value.as_pair() {
        Some([Field { value: Value::String(text), .. }, _]) => Some(text),
        _ => None,
    }
}

/// Whether two pairs hold the same; the addresses of objects do not count.
fn say_the_same(one: &Field, other: &Field) -> bool {
    let (Some([_, one]), Some([_, other])) = (one.value.as_pair(), other.value.as_pair()) else {
        return false;
    };
    match (&one.value, &other.value) {
        (Value::Object(one), Value::Object(other)) => {
            let same = |(one, other): (&Field, &Field)| {
                one.tag == other.tag && one.value.is_identical(&other.value)
            };
            one.class == other.class
                && one.fields.len() == other.fields.len()
                && one.fields.iter().zip(&other.fields).all(same)
        }
        (one, other) => one.is_identical(other),
    }
}

/// Removes pairs at ascending positions, and sorts the others by their keys.
fn drop_and_sort(array: &mut Value, unneeded: &[usize]) {
    if let Value::Array(pairs) = array {
        let mut position = 0;
        pairs.retain(|_| {
            position += 1;
            unneeded.binary_search(&(position - 1)).is_err()
        });
        pairs.sort_by_cached_key(|pair| key_of(pair).cloned());
    }
}

/// Returns a path of the project drive without the drive, as models have it.
fn without_drive(path: &str) -> String {
    let rest = path.get(PROJECT_DRIVE.len()..).unwrap_or_default();
    rest.trim_start_matches(is_separator).to_owned()
}
