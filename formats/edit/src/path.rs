//! Paths as users type them, and their targets.

use super::{Place, Step, rule};
use formwork::{Error, Result};
use formwork_variant::Dialect;
use formwork_variant::place::{Keys, key_text};
use formwork_variant::{Container, ContainerMut, Real, Variant, VariantType};

/// A path to a value.
///
/// | step | leads to |
/// | --- | --- |
/// | `player/gold` | the entry of a dictionary with this key, the property of an object with this name |
/// | `bag/1`, `bag/-1` | the element of an array at this position; from the end if negative |
/// | `12`, `true`, `Vector2(1, 2)` | an entry whose key is no string: the key as the engine prints it |
/// | `"a/b"` | a key that is a string, in quotation marks; `\"`, `\\`, `\n` and `\u000a` as in JSON |
/// | `[3]` | the entry, element or property at this position |
/// | `bag/+`, `bag/+1` | a new element at the end of an array, or before this position |
///
/// A key that contains `/` needs no quotation marks if no shorter key fits: `application/config/name`. With several
/// values, the first step is the number of the value. The empty path is the whole value.
///
/// The exact form, as errors and dumps print it, leads to the same places: `dictionary[2].value.array[0]`.
#[derive(Clone, Debug)]
pub struct ValuePath<'t> {
    text: &'t str,
    segments: Vec<Segment<'t>>,
}

/// The text between two `/`.
#[derive(Clone, Debug)]
pub(super) struct Segment<'t> {
    pub(super) text: &'t str,
    /// The unquoted text, if the segment is quoted.
    pub(super) quoted: Option<String>,
    /// The start of the segment in the path.
    at: usize,
}

/// The target of a path.
#[derive(Clone, Debug)]
pub enum Target<R: Real = f32> {
    /// A value that is there.
    There(Place),
    /// A new entry of the container at this place.
    New(Place, Entry<R>),
}

/// An entry that a container does not have yet.
#[derive(Clone, Debug)]
pub enum Entry<R: Real = f32> {
    /// A pair with this key, after the others.
    Key(Variant<R>),
    /// An element before the one at this position.
    Element(usize),
}

/// The state of the search.
#[derive(Clone)]
struct State<'v, R: Real> {
    value: &'v Variant<R>,
    place: Place,
    /// The next segment.
    at: usize,
}

impl<'t> ValuePath<'t> {
    /// Reads the text of a path. Every text is accepted; [`find`](Self::find) returns an error if it leads to
    /// nothing.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let mut segments = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let (length, quoted) = match quotation(rest) {
                Some((length, content)) => (length, Some(content)),
                None => (rest.find('/').unwrap_or(rest.len()), None),
            };
            if length > 0 {
                segments.push(Segment { text: &rest[..length], quoted, at });
            }
            at += length + 1;
        }
        Self { text, segments }
    }

    /// Returns the texts between the slashes.
    pub(super) fn segments(&self) -> &[Segment<'t>] {
        &self.segments
    }

    /// Finds the place in a value.
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to nothing. The error's offset is a byte of the path's text; it names the
    /// last place that the path leads to, the value there, and similar keys.
    pub fn find<R: Real>(&self, value: &Variant<R>, dialect: Dialect) -> Result<Place> {
        self.find_in(std::slice::from_ref(value), dialect).map(|(_, place)| place)
    }

    /// Finds the place in one of several values: returns the number of the value, and the place in it.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_in<R: Real>(
        &self,
        values: &[Variant<R>],
        dialect: Dialect,
    ) -> Result<(usize, Place)> {
        let (number, deepest) = match self.search(values, dialect) {
            Ok((number, Ok(place))) => return Ok((number, place)),
            Ok((number, Err(deepest))) => (number, deepest),
            Err(error) => return self.exact(values, dialect).unwrap_or(Err(error)),
        };
        match self.exact(values, dialect) {
            Some(found) => found,
            None => Err(self.missing(&values[number], &deepest, dialect)),
        }
    }

    /// Finds the place in one of several values, or the container that can have a new entry there.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find), if no container can have such an entry.
    pub fn find_or_new<R: Real>(
        &self,
        values: &[Variant<R>],
        dialect: Dialect,
    ) -> Result<(usize, Target<R>)> {
        let error = match self.find_in(values, dialect) {
            Ok((number, place)) => return Ok((number, Target::There(place))),
            Err(error) => error,
        };
        match self.search(values, dialect) {
            Ok((number, Err(deepest))) => match self.entry(&deepest) {
                Some(entry) => Ok((number, Target::New(deepest.place, entry))),
                None => Err(error),
            },
            _ => Err(error),
        }
    }

    /// Follows the path as users type it. If it leads to nothing, returns the last state of the search.
    #[allow(clippy::type_complexity, reason = "a place, or how far the path leads")]
    fn search<'v, R: Real>(
        &self,
        values: &'v [Variant<R>],
        dialect: Dialect,
    ) -> Result<(usize, std::result::Result<Place, State<'v, R>>)> {
        let (number, first) = match (values, self.segments.first()) {
            ([_], _) => (0, 0),
            (_, segment) => {
                let number = segment.and_then(|segment| position(segment.text, values.len()));
                let Some(number) = number else {
                    let expected = match values.len() {
                        0 => "a file with values".to_owned(),
                        count => format!("the number of a value, 0 to {}", count - 1),
                    };
                    let found = segment.map_or("the end of the path", |segment| segment.text);
                    return Err(Error::new(rule::PATH, 0, expected, found));
                };
                (number, 1)
            }
        };
        let mut deepest: Option<State<'v, R>> = None;
        let start = || State { value: &values[number], place: Place::default(), at: first };
        let mut waiting = vec![start()];
        while let Some(state) = waiting.pop() {
            if state.at == self.segments.len() {
                return Ok((number, Ok(state.place)));
            }
            let before = waiting.len();
            self.step(&state, dialect, &mut waiting);
            // The shortest key comes first.
            waiting[before..].reverse();
            if deepest.as_ref().is_none_or(|deepest| deepest.at < state.at) {
                deepest = Some(state);
            }
        }
        Ok((number, Err(deepest.unwrap_or_else(start))))
    }

    /// Adds the values that the next segment, or several as one key, can lead to.
    fn step<'v, R: Real>(
        &self,
        state: &State<'v, R>,
        dialect: Dialect,
        waiting: &mut Vec<State<'v, R>>,
    ) {
        let Some(container) = state.value.container() else { return };
        let segment = &self.segments[state.at];
        let mut add = |at: usize, taken: usize| {
            let step = Step::to(container, at);
            let Some(value) = step.of(container) else { return };
            waiting.push(State { value, place: state.place.inside(step), at: state.at + taken });
        };
        let by_position = segment.quoted.is_none().then(|| bracketed(segment.text)).flatten();
        let named: &dyn Fn(&str) -> Option<usize> = &|text| match container {
            Container::Dictionary(pairs) => pairs.position(text),
            Container::Object(object) => {
                object.properties.iter().position(|(name, _)| *name == *text)
            }
            Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => None,
        };
        if let Some(text) = &segment.quoted {
            named(text).into_iter().for_each(|at| add(at, 1));
            return;
        }
        let found = named(segment.text).or_else(|| match container {
            Container::Dictionary(pairs) => pairs.keys().position(|key| {
                key.as_string().is_none() && key_text(key, dialect) == segment.text
            }),
            Container::Object(_) => None,
            Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
                position(segment.text, container.len())
            }
        });
        found.or(by_position).into_iter().for_each(|at| add(at, 1));
        for taken in 2..=self.segments.len() - state.at {
            if self.segments[state.at + taken - 1].quoted.is_some() {
                break;
            }
            named(self.joined(state.at, taken)).into_iter().for_each(|at| add(at, taken));
        }
    }

    /// Returns the text of `taken` segments from this one on.
    fn joined(&self, from: usize, taken: usize) -> &'t str {
        let (first, last) = (&self.segments[from], &self.segments[from + taken - 1]);
        &self.text[first.at..last.at + last.text.len()]
    }

    /// Returns the entry that the rest of the path names, if the container can have a new one.
    fn entry<R: Real>(&self, deepest: &State<'_, R>) -> Option<Entry<R>> {
        let segment = self.segments.get(deepest.at)?;
        let left = self.segments.len() - deepest.at;
        let container = deepest.value.container()?;
        match container {
            Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
                let length = container.len();
                let at = match segment.text.strip_prefix('+') {
                    Some("") => length,
                    Some(number) => number.parse().ok()?,
                    None => segment.text.parse().ok().filter(|&at: &usize| at == length)?,
                };
                (left == 1 && at <= length).then_some(Entry::Element(at))
            }
            Container::Dictionary(pairs) => {
                let has_slashes =
                    || pairs.keys().any(|key| key.as_str().is_some_and(|key| key.contains('/')));
                let text = match &segment.quoted {
                    Some(text) if left == 1 => text.as_str(),
                    None if left == 1 || has_slashes() => self.joined(deepest.at, left),
                    _ => return None,
                };
                let all = |is: fn(&Variant<R>) -> bool| !pairs.is_empty() && pairs.keys().all(is);
                if segment.quoted.is_none()
                    && all(|key| key.as_int().is_some())
                    && let Ok(number) = text.parse::<i64>()
                {
                    return Some(Entry::Key(Variant::Int(number)));
                }
                Some(Entry::Key(if all(|key| matches!(key, Variant::StringName(_))) {
                    Variant::StringName(text.into())
                } else {
                    Variant::String(text.into())
                }))
            }
            Container::Object(_) => None,
        }
    }

    #[cold]
    fn missing<R: Real>(
        &self,
        top: &Variant<R>,
        deepest: &State<'_, R>,
        dialect: Dialect,
    ) -> Error {
        let State { value, place, at } = deepest;
        let segment = self.segments.get(*at);
        let asked = segment.map_or("", |segment| segment.quoted.as_deref().unwrap_or(segment.text));
        let name = place.name(top, dialect);
        let here = describe(value, dialect);
        let here = if name.is_empty() { here } else { format!("{name} ({here})") };
        let expected = match value.container() {
            None => "the end of the path".to_owned(),
            Some(container) if container.is_empty() => "the end of the path".to_owned(),
            Some(container @ (Container::Dictionary(_) | Container::Object(_))) => {
                near(container, asked, dialect)
            }
            Some(container) => match container.len() {
                1 => "0".to_owned(),
                count => format!("a position from 0 to {}", count - 1),
            },
        };
        let offset = segment.map_or(self.text.len(), |segment| segment.at) as u64;
        let error = Error::new(rule::PATH, offset, expected, format!("{asked} in {here}"));
        error.under(place.exact(top))
    }

    /// Follows the path as errors print it. Returns [`None`] if it does not look like one.
    fn exact<R: Real>(
        &self,
        values: &[Variant<R>],
        dialect: Dialect,
    ) -> Option<Result<(usize, Place)>> {
        let mut parts = parts(self.text)?.into_iter().peekable();
        let first = parts.peek()?;
        let number = match (first.name, first.index) {
            ("frame" | "", Some(number)) => {
                let at = first.at;
                parts.next();
                if number >= values.len() {
                    let expected = format!("the number of one of {} values", values.len());
                    return Some(Err(Error::new(
                        rule::PATH,
                        at as u64,
                        expected,
                        number.to_string(),
                    )));
                }
                number
            }
            _ if values.len() == 1 => 0,
            _ => return None,
        };
        let mut value = &values[number];
        let mut steps = Vec::new();
        while let Some(part) = parts.next() {
            let own = value.variant_type();
            if (part.name, part.index) == ("packet", None) {
                continue;
            }
            let is_own = part.name == own.path_name();
            let step = match (is_own.then_some(own), part.index) {
                (Some(VariantType::Dictionary), Some(at)) => {
                    match parts.next().map(|part| part.name) {
                        Some("key") => Some(Step::Key(at)),
                        Some("value") | None => Some(Step::Value(at)),
                        Some(_) => None,
                    }
                }
                (Some(VariantType::Object), None) => match parts.next() {
                    Some(Part { name: "properties", index: Some(at), .. }) => {
                        Some(Step::Property(at))
                    }
                    // Fields of the object itself.
                    _ => break,
                },
                (Some(_), Some(at)) => Some(Step::Element(at)),
                // Fields of the value itself.
                (Some(_), None) => break,
                (None, _) => None,
            };
            let found = step.and_then(|step| Some((step, step.of(value.container()?)?)));
            let Some((step, inner)) = found else {
                let path = Place::from(steps).exact(&values[number]);
                let expected = format!("a place in {}", describe(value, dialect));
                let error = Error::new(rule::PATH, part.at as u64, expected, part.to_string());
                return Some(Err(error.under(path)));
            };
            steps.push(step);
            value = inner;
        }
        Some(Ok((number, steps.into())))
    }
}

impl<R: Real> Target<R> {
    /// Returns the place of the value, once it is there.
    #[must_use]
    pub fn place(&self, value: &Variant<R>) -> Place {
        match self {
            Self::There(place) => place.clone(),
            Self::New(holder, entry) => {
                let length =
                    holder.get(value).and_then(Variant::container).map_or(0, Container::len);
                let step = match entry {
                    Entry::Key(_) => Step::Value(length.saturating_sub(1)),
                    Entry::Element(at) => Step::Element(*at),
                };
                holder.inside(step)
            }
        }
    }

    /// Returns the value whose type a new value there has: the one that is there, or for a new element one of the
    /// others, if these are all of one type and hold no values themselves.
    #[must_use]
    pub fn model<'v>(&self, value: &'v Variant<R>) -> Option<&'v Variant<R>> {
        let holder = match self {
            Self::There(place) => return place.get(value),
            Self::New(holder, Entry::Element(_)) => holder.get(value)?,
            Self::New(_, Entry::Key(_)) => return None,
        };
        let elements = match holder.container()? {
            Container::Array(array) => array,
            Container::TypedArray(typed) | Container::PackedTypedArray(typed) => &typed.elements,
            Container::Dictionary(_) | Container::Object(_) => return None,
        };
        let first = elements.first().filter(|first| first.container().is_none())?;
        let is_alike = |value: &Variant<R>| value.variant_type() == first.variant_type();
        elements.iter().all(is_alike).then_some(first)
    }

    /// Puts a value there. Returns the old value, and [`None`] for a new entry. If the value has no such place,
    /// nothing changes.
    pub fn put(&self, value: &mut Variant<R>, new: Variant<R>) -> Option<Variant<R>> {
        match self {
            Self::There(place) => place.get_mut(value).map(|old| std::mem::replace(old, new)),
            Self::New(holder, entry) => {
                match (holder.get_mut(value)?.container_mut()?, entry) {
                    (ContainerMut::Dictionary(pairs), Entry::Key(key)) => {
                        pairs.push((key.clone(), new));
                    }
                    (ContainerMut::Array(array), Entry::Element(at)) if *at <= array.len() => {
                        array.insert(*at, new);
                    }
                    (
                        ContainerMut::Array(_)
                        | ContainerMut::Dictionary(_)
                        | ContainerMut::Object(_),
                        _,
                    ) => {}
                }
                None
            }
        }
    }
}

/// A step of an exact path.
struct Part<'t> {
    name: &'t str,
    index: Option<usize>,
    at: usize,
}

impl std::fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)?;
        self.index.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// Returns the steps of an exact path: names of the declarations, and positions.
fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut at = 0;
    let mut parts = Vec::new();
    for step in text.split('.') {
        let (name, index) = match step.split_once('[') {
            Some((name, index)) => (name, Some(index.strip_suffix(']')?.parse().ok()?)),
            None => (step, None),
        };
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_whole = !name.is_empty() || (at == 0 && index.is_some());
        if !is_whole || !name.chars().all(is_name) {
            return None;
        }
        parts.push(Part { name, index, at });
        at += step.len() + 1;
    }
    // A single bare word is a missing key.
    (parts.len() > 1 || parts.first()?.index.is_some()).then_some(parts)
}

/// Returns the position of a number, counted from the end if it is negative.
pub(super) fn position(text: &str, length: usize) -> Option<usize> {
    let at = match text.strip_prefix('-') {
        Some(back) => {
            let back = back.parse::<usize>().ok().filter(|&back| back > 0)?;
            length.checked_sub(back)?
        }
        // A sign before the number is not part of a position.
        None => text.parse::<usize>().ok().filter(|_| !text.starts_with('+'))?,
    };
    (at < length).then_some(at)
}

/// Returns the position in `[3]`.
pub(super) fn bracketed(text: &str) -> Option<usize> {
    text.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Returns the length of the quotation that a text starts with, and its content.
fn quotation(text: &str) -> Option<(usize, String)> {
    let mut content = String::new();
    let mut chars = text.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let length = at + 2;
                let is_end = text[length..].is_empty() || text[length..].starts_with('/');
                return is_end.then_some((length, content));
            }
            '\\' => content.push(match chars.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                c => c,
            }),
            c => content.push(c),
        }
    }
    None
}

/// Describes a value in words.
fn describe<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    let name = dialect.type_name(value.variant_type());
    let article = if name.starts_with(['A', 'a', 'i', 'I', 'O', 'o']) { "an" } else { "a" };
    let Some(container) = value.container() else { return format!("{article} {name}") };
    let (one, several) = match container {
        Container::Dictionary(_) => ("entry", "entries"),
        Container::Object(_) => ("property", "properties"),
        Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
            ("element", "elements")
        }
    };
    match container.len() {
        1 => format!("{article} {name} of 1 {one}"),
        count => format!("{article} {name} of {count} {several}"),
    }
}

/// Returns the names that a container has, those that come close to the one asked for first.
fn near<R: Real>(container: Container<'_, R>, asked: &str, dialect: Dialect) -> String {
    /// The most names that are compared, and the most that are shown.
    const LOOKED_AT: usize = 1000;
    const SHOWN: usize = 6;
    /// The least similarity of a suggested name.
    const CLOSE: f64 = 0.8;
    let asked = asked.to_lowercase();
    let keys = Keys::of(container, dialect);
    let mut names: Vec<(f64, String)> = (0..container.len().min(LOOKED_AT))
        .map(|at| keys.name(Step::to(container, at), container, dialect))
        .map(|name| (strsim::jaro_winkler(&name.to_lowercase(), &asked), name))
        .collect();
    if names.iter().any(|(likeness, _)| *likeness > CLOSE) {
        names.retain(|(likeness, _)| *likeness > CLOSE);
        names.sort_by(|one, other| other.0.total_cmp(&one.0));
    }
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    names.truncate(SHOWN);
    let names: Vec<_> = names.into_iter().map(|(_, name)| name).collect();
    format!("{}{more}", names.join(", "))
}
