//! From a path to what it leads to.

use super::{FieldPath, Kind, Part, Way, steps_to};
use crate::rule;
use crate::{Document, Field, Object, Table, Value};
use formwork::{Error, Path, PathSegment, Result};

impl Document {
    /// Returns the value of the field at a path.
    ///
    /// # Errors
    ///
    /// Returns an error if `path` is not in the form of a [`FieldPath`], leads to no field, or is empty (the root
    /// object: see [`Document::object`]). The error gives the failing step, as an offset in the text of the path and
    /// with the part of the path that exists, and says what the document has instead.
    pub fn get(&self, path: &str) -> Result<&Value> {
        self.field(&path.parse()?).map(|field| &field.value)
    }

    /// Returns the value of the field at a path, for changes.
    ///
    /// # Errors
    ///
    /// As [`Document::get`].
    pub fn get_mut(&mut self, path: &str) -> Result<&mut Value> {
        let path = path.parse()?;
        self.field_mut(&path).map(|field| &mut field.value)
    }

    /// The field at a path.
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to no field, as [`Document::get`].
    pub fn field(&self, path: &FieldPath) -> Result<&Field> {
        let found = Found::of(self, path)?;
        found.field(&self.root).ok_or_else(no_field)
    }

    /// The field at a path, to change it.
    ///
    /// # Errors
    ///
    /// As [`Document::field`].
    pub fn field_mut(&mut self, path: &FieldPath) -> Result<&mut Field> {
        let found = Found::of(self, path)?;
        found.field_mut(&mut self.root).ok_or_else(no_field)
    }

    /// The object at a path; the root object at the empty one.
    ///
    /// # Errors
    ///
    /// As [`Document::get`], and where the field holds something else.
    pub fn object(&self, path: &str) -> Result<&Object> {
        if path.is_empty() {
            return Ok(&self.root);
        }
        let value = self.get(path)?;
        value.as_object().ok_or_else(|| no_object(self, value))
    }

    /// The object at a path, to change it; the root object at the empty one.
    ///
    /// # Errors
    ///
    /// As [`Document::object`].
    pub fn object_mut(&mut self, path: &str) -> Result<&mut Object> {
        // To say what is there instead the whole document is needed.
        self.object(path)?;
        if path.is_empty() {
            return Ok(&mut self.root);
        }
        match self.get_mut(path)? {
            Value::Object(object) => Ok(object),
            _ => Err(no_field()),
        }
    }
}

#[cold]
fn no_field() -> Error {
    Error::new(rule::PATH, 0, "the path of a field", "the root object, which is in no field")
}

#[cold]
fn no_object(document: &Document, value: &Value) -> Error {
    Error::new(rule::PATH, 0, "the path of an object", describe(document, value))
}

/// Target of a path: positions in lists of fields, from the root inwards.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Found {
    positions: Vec<usize>,
}

impl Found {
    /// Returns what these positions lead to.
    #[must_use]
    pub const fn at(positions: Vec<usize>) -> Self {
        Self { positions }
    }

    /// Follows a path.
    ///
    /// # Errors
    ///
    /// As [`Document::get`].
    pub fn of(document: &Document, path: &FieldPath) -> Result<Self> {
        let mut finding = Finding { document, positions: Vec::new(), steps: Vec::new() };
        let mut list = List { kind: Kind::Tags, fields: &document.root.fields, holder: None };
        let mut parts = path.parts.iter().peekable();
        while let Some(part) = parts.next() {
            let candidates = finding.candidates(&list, part)?;
            let position = match candidates[..] {
                [position] => position,
                _ => {
                    // An index is read only after a tag that repeats.
                    let index = parts.peek().and_then(|part| match part.way {
                        Way::Index(index) => usize::try_from(index).ok(),
                        _ => None,
                    });
                    let occurrence = index.and_then(|index| candidates.get(index));
                    let Some(&position) = occurrence else {
                        let next = parts.peek().copied();
                        return Err(finding.ambiguous(part, next, candidates.len()));
                    };
                    parts.next();
                    position
                }
            };
            let Some(field) = list.fields.get(position) else { return Err(no_field()) };
            finding.went(&list, position);
            list = List { kind: Kind::Tags, fields: &[], holder: Some(&field.value) };
            if let Some(kind) = Kind::of(&field.value) {
                list.kind = kind;
                list.fields = field.value.fields();
            }
        }
        Ok(Self { positions: finding.positions })
    }

    /// Returns whether that is the root object.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns what holds the field, and its position there; [`None`] for the root.
    #[must_use]
    pub fn split_last(mut self) -> Option<(Self, usize)> {
        self.positions.pop().map(|last| (self, last))
    }

    /// Returns the field; [`None`] for the root.
    #[must_use]
    pub fn field<'d>(&self, root: &'d Object) -> Option<&'d Field> {
        let (first, rest) = self.positions.split_first()?;
        rest.iter().try_fold(root.fields.get(*first)?, |field, &position| {
            field.value.fields().get(position)
        })
    }

    /// Returns the field, to change it; [`None`] for the root.
    pub fn field_mut<'d>(&self, root: &'d mut Object) -> Option<&'d mut Field> {
        let (first, rest) = self.positions.split_first()?;
        rest.iter().try_fold(root.fields.get_mut(*first)?, |field, &position| {
            field.value.fields_mut().get_mut(position)
        })
    }
}

/// Fields to choose from.
struct List<'d> {
    kind: Kind,
    fields: &'d [Field],
    /// Container of the fields; [`None`] for the root object.
    holder: Option<&'d Value>,
}

struct Finding<'d> {
    document: &'d Document,
    positions: Vec<usize>,
    /// The steps that could be followed.
    steps: Vec<PathSegment>,
}

impl Finding<'_> {
    fn went(&mut self, list: &List<'_>, position: usize) {
        self.positions.push(position);
        match list.kind {
            Kind::Positions => self.steps.push(PathSegment::Index(position as u64)),
            Kind::Tags => {
                self.steps.extend(steps_to(&self.document.tags, list.fields, position));
            }
        }
    }

    /// The positions that a step can mean: one, or, where a tag repeats, several.
    fn candidates(&self, list: &List<'_>, part: &Part) -> Result<Vec<usize>> {
        let tags = &self.document.tags;
        let candidates = match (list.kind, &part.way) {
            (Kind::Tags, Way::Name(name)) => with_tag(list.fields, tags.id(name)),
            (Kind::Tags, Way::Tag(id)) => with_tag(list.fields, Some(*id)),
            (Kind::Positions, Way::Index(index)) => {
                let position = usize::try_from(*index).ok();
                position.filter(|&position| position < list.fields.len()).into_iter().collect()
            }
            (Kind::Positions, Way::Key(key)) => {
                let is_key = |value: &Value| value.as_text().is_some_and(|text| *text == **key);
                with_key(list.fields, |element| match &element.value {
                    Value::Object(object) => name_of(tags, object).is_some_and(|it| is_key(it.1)),
                    value => value.as_pair().is_some_and(|[first, _]| is_key(&first.value)),
                })
            }
            (Kind::Positions, Way::Number(number)) => with_key(list.fields, |element| {
                let pair = element.value.as_pair();
                pair.is_some_and(|[key, _]| key.value.as_integer() == Some(*number))
            }),
            (Kind::Positions, Way::Numbered(name, number)) => with_key(list.fields, |element| {
                let named = element.value.as_object().and_then(|object| name_of(tags, object));
                named.is_some_and(|(tag, value)| {
                    *tag == **name && value.as_integer() == Some(*number)
                })
            }),
            _ => Vec::new(),
        };
        match (candidates.len(), list.kind) {
            (0, _) => Err(self.missing(list, part)),
            (1, _) | (_, Kind::Tags) => Ok(candidates),
            (count, Kind::Positions) => {
                let is_pair = list.fields.iter().any(|field| field.value.as_pair().is_some());
                let (key, what) = if is_pair { ("key", "pair") } else { ("name", "object") };
                let expected = format!("a {key} that one {what} has; take its index instead");
                Err(self.error(
                    part,
                    expected,
                    format!("{count} {what}s with {}", shown(&part.way)),
                ))
            }
        }
    }

    #[cold]
    fn ambiguous(&self, part: &Part, next: Option<&Part>, count: usize) -> Error {
        let last = count.saturating_sub(1);
        let between = if count == 2 { "or" } else { "to" };
        let name = shown(&part.way);
        let expected =
            format!("[0] {between} [{last}] behind {name}, which the object has {count} times");
        let found = next.map_or_else(|| "the end of the path".into(), |next| shown(&next.way));
        self.error(next.unwrap_or(part), expected, found)
    }

    #[cold]
    fn missing(&self, list: &List<'_>, part: &Part) -> Error {
        let (tags, count) = (&self.document.tags, list.fields.len());
        let holder = list.holder.map_or_else(
            || format!("the root object, a {}", self.document.class_name(&self.document.root)),
            |value| describe(self.document, value),
        );
        let expected = match (list.holder.map(Kind::of), list.kind) {
            (Some(None), _) => "the end of the path".into(),
            (_, Kind::Tags) if list.fields.is_empty() => "the end of the path".into(),
            (_, Kind::Tags) => names(tags, list.fields, &part.way),
            (_, Kind::Positions) => match (&part.way, count.checked_sub(1)) {
                (_, None) => "the end of the path".into(),
                (Way::Key(_) | Way::Number(_) | Way::Numbered(..), Some(_)) => {
                    "the key of one of the pairs".into()
                }
                (_, Some(0)) => "[0]".into(),
                (_, Some(last)) => format!("an index from [0] to [{last}]"),
            },
        };
        self.error(part, expected, format!("{} in {holder}", shown(&part.way)))
    }

    #[cold]
    fn error(&self, part: &Part, expected: impl Into<String>, found: impl Into<String>) -> Error {
        let error = Error::new(rule::PATH, part.at as u64, expected, found);
        error.under(Path::from(self.steps.clone()))
    }
}

fn with_tag(fields: &[Field], tag: Option<u16>) -> Vec<usize> {
    let found = fields.iter().enumerate().filter(|(_, field)| Some(field.tag) == tag);
    found.map(|(position, _)| position).collect()
}

fn with_key(elements: &[Field], is_meant: impl Fn(&Field) -> bool) -> Vec<usize> {
    let found = elements.iter().enumerate().filter(|(_, element)| is_meant(element));
    found.map(|(position, _)| position).collect()
}

/// Returns the name of an object among the elements of an array, and the tag of its field.
pub(crate) fn name_of<'o>(tags: &Table, object: &'o Object) -> Option<(&'static str, &'o Value)> {
    let field = |name: &str| {
        let is = |field: &&Field| tags.name(field.tag).is_some_and(|tag| *tag == *name);
        object.fields.iter().find(is).map(|field| &field.value)
    };
    super::NAMES.iter().find_map(|&name| match field(name)? {
        Value::String(text) if text.as_bytes().is_empty() => None,
        value @ Value::String(_) => Some((name, value)),
        value => value.as_integer().map(|_| (name, value)),
    })
}

/// Names that are shown where there are more.
const SHOWN: usize = 8;

/// The tags that there are, the most similar to what was asked for first.
fn names(tags: &Table, fields: &[Field], asked: &Way) -> String {
    let mut names: Vec<String> = Vec::new();
    for step in fields.iter().map(|field| super::tag_step(tags, field.tag)) {
        if let PathSegment::Name(name) = step
            && !names.iter().any(|known| **known == *name)
        {
            names.push(name.into());
        }
        if names.len() > 8 * SHOWN {
            break;
        }
    }
    if let Way::Name(asked) = asked {
        names.sort_by(|one, other| similarity(other, asked).total_cmp(&similarity(one, asked)));
        if names.first().is_some_and(|nearest| similarity(nearest, asked) > 0.8) {
            names.truncate(1);
        }
    }
    let left_out = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let more = if left_out > 0 { " or another of its tags" } else { "" };
    format!("{}{more}", names.join(", "))
}

/// From 0 to 1.
fn similarity(one: &str, other: &str) -> f64 {
    strsim::jaro_winkler(&one.to_ascii_lowercase(), &other.to_ascii_lowercase())
}

/// Returns a step as text.
fn shown(way: &Way) -> String {
    FieldPath { parts: vec![Part { way: way.clone(), at: 0 }] }.to_string()
}

/// Returns a description of a value in words.
pub(crate) fn describe(document: &Document, value: &Value) -> String {
    match value {
        Value::Object(object) => format!("an object of class {}", document.class_name(object)),
        Value::Array(elements) => match elements.len() {
            1 => "an array of 1 element".into(),
            count => format!("an array of {count} elements"),
        },
        Value::Raw(bytes) => format!("{} raw bytes", bytes.len()),
        value => {
            let name = value.field_type().name();
            let article = if name.starts_with(['a', 'e', 'o', 'u']) { "an" } else { "a" };
            format!("{article} {name}")
        }
    }
}
