//! Paths to fields: `objManager.mroadbase.mroad[3].name`.

mod find;
mod parse;

use std::fmt;
use std::str::FromStr;

pub use find::Found;
pub(super) use find::describe;
#[cfg(feature = "diff")]
pub(super) use find::name_of;

use super::{Field, Table, Value};
use formwork::{Error, Path, PathSegment, Result};

/// A path to a field, to look it up by: what [`Walk::path`](super::Walk::path), errors and differences
/// print.
///
/// | step | leads to |
/// | --- | --- |
/// | `mname`, `objManager.mapFrame` | the field with this tag, of an object or a pair |
/// | `#75` | the field whose tag has this id: for names that the tag table does not have, has twice, or that hold a character with a meaning in paths |
/// | `mroad[3]` | an element of an array, counted from 0 |
/// | `libs[1]` | where several fields have the tag: the second of them |
/// | `libs[1][3]` | an element of that |
/// | `mobjectsDelta["a\b.p3d"]` | the pair of an array whose first half is this string; `\"` is a quote and `\\` a backslash; before other characters a single backslash is allowed |
/// | `mcontents[=12]` | the pair whose first half is this whole number |
/// | `mroad["asphalt"]` | the object in an array that has this name |
/// | `mcross[id 4]` | the object in an array that has this number in place of a name |
///
/// The empty path is the root object.
///
/// An error of reading names the first of several fields with one tag without an index, as the reader
/// cannot know that more will follow.
///
/// ```
/// use formwork_alb1::{Document, Field, Text, Value};
///
/// let mut layer = Document::new("CLayer");
/// let [libs, pair, key, data] =
///     ["libs", "pair", "key", "data"].map(|name| layer.tags.id(name).unwrap());
/// let template = [Field::new(key, Text::new("oak").unwrap()), Field::new(data, Value::SignedLong(5))];
/// layer.root.fields = vec![
///     Field::new(libs, Vec::new()),
///     Field::new(libs, vec![Field::new(pair, template)]),
/// ];
/// assert_eq!(layer.get("libs[1][0].data")?, &Value::SignedLong(5));
/// assert_eq!(layer.get(r#"libs[1]["oak"].data"#)?, &Value::SignedLong(5));
///
/// let error = layer.get("libs.data").unwrap_err();
/// assert_eq!(error.expected(), "[0] or [1] behind libs, which the object has 2 times");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct FieldPath {
    parts: Vec<Part>,
}

/// A step of a path, and where it starts in the text of the path.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct Part {
    way: Way,
    at: usize,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum Way {
    Name(Box<str>),
    Tag(u16),
    Index(u64),
    Key(Box<str>),
    Number(i64),
    Numbered(Box<str>, i64),
}

/// The fields that name an object among the elements of an array, the best first.
pub(super) const NAMES: &[&str] = &["mname", "name", "mid", "id"];

impl FieldPath {
    /// Whether it leads to the root object.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the path for errors, in which keys are no separate steps.
    pub(super) fn to_path(&self) -> Path {
        let step = |part: &Part| match &part.way {
            Way::Name(name) => Some(PathSegment::Name(name.clone())),
            Way::Tag(id) => Some(PathSegment::Name(format!("#{id}").into())),
            Way::Index(index) => Some(PathSegment::Index(*index)),
            Way::Key(_) | Way::Number(_) | Way::Numbered(..) => None,
        };
        let steps: Option<Vec<PathSegment>> = self.parts.iter().map(step).collect();
        steps.unwrap_or_else(|| vec![PathSegment::Name(self.to_string().into())]).into()
    }
}

impl FromStr for FieldPath {
    type Err = Error;

    /// # Errors
    ///
    /// Returns an error if the text is no path; the error's offset is the byte of the text.
    fn from_str(text: &str) -> Result<Self> {
        parse::parts(text).map(|parts| Self { parts })
    }
}

impl From<&Path> for FieldPath {
    fn from(path: &Path) -> Self {
        let way = |step: &PathSegment| match step {
            PathSegment::Field(name) => named(name),
            PathSegment::Name(name) => named(name),
            PathSegment::Index(index) => Way::Index(*index),
        };
        Self { parts: path.steps().iter().map(|step| Part { way: way(step), at: 0 }).collect() }
    }
}

#[cfg(all(feature = "diff", feature = "json"))]
impl FieldPath {
    /// Returns the path of what these steps lead to from here.
    pub(super) fn below(&self, steps: Vec<PathSegment>) -> Self {
        let below = Self::from(&Path::from(steps));
        Self { parts: self.parts.iter().cloned().chain(below.parts).collect() }
    }
}

/// A name, or the id of a tag.
fn named(name: &str) -> Way {
    let id = name.strip_prefix('#').and_then(|id| id.parse().ok());
    id.map_or_else(|| Way::Name(name.into()), Way::Tag)
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, Part { way, .. }) in self.parts.iter().enumerate() {
            if position > 0 && matches!(way, Way::Name(_) | Way::Tag(_)) {
                f.write_str(".")?;
            }
            match way {
                Way::Name(name) => f.write_str(name)?,
                Way::Tag(id) => write!(f, "#{id}")?,
                Way::Index(index) => write!(f, "[{index}]")?,
                Way::Key(key) => {
                    write!(f, "[\"{}\"]", key.replace('\\', "\\\\").replace('"', "\\\""))?;
                }
                Way::Number(number) => write!(f, "[={number}]")?,
                Way::Numbered(name, number) => write!(f, "[{name} {number}]")?,
            }
        }
        Ok(())
    }
}

/// Kind of name that a path uses for the fields of a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// Their tags: in objects and pairs.
    Tags,
    /// Their positions: in arrays.
    Positions,
}

impl Kind {
    /// For values that hold fields.
    pub(super) const fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Object(_) | Value::Pair(_) => Some(Self::Tags),
            Value::Array(_) => Some(Self::Positions),
            _ => None,
        }
    }
}

/// The name of a tag as a step of a path, or its id where the name would not lead back to it.
#[cold]
pub(crate) fn tag_step(tags: &Table, tag: u16) -> PathSegment {
    let name = tags.display(tag);
    if parse::is_name(&name) && tags.id(&name) == Some(tag) {
        return PathSegment::Name(name.into());
    }
    PathSegment::Name(format!("#{tag}").into())
}

/// Returns the steps to a field of an object or pair that is known whole.
#[must_use]
pub fn steps_to(tags: &Table, fields: &[Field], position: usize) -> Vec<PathSegment> {
    let Some(tag) = fields.get(position).map(|field| field.tag) else { return Vec::new() };
    let mut steps = vec![tag_step(tags, tag)];
    let with_tag = |fields: &[Field]| fields.iter().filter(|field| field.tag == tag).count();
    if with_tag(fields) > 1 {
        let earlier = with_tag(fields.get(..position).unwrap_or_default());
        steps.push(PathSegment::Index(earlier as u64));
    }
    steps
}
