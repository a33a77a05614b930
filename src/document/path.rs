//! Paths into JSON: `chunks/0/content/width`.
//!
//! | step | leads to |
//! | --- | --- |
//! | `width` | the member of an object |
//! | `0`, `-1` | an element of an array, counted from its start, or from its end |
//! | `"a/b"` | a member whose name has a slash, a dot or a bracket, and no quotation mark |
//! | `+`, `+0` | a new element at the end of an array, or before an element |
//!
//! `chunks[0].content.width`, as errors print paths, leads to the same. An object with one member whose name begins
//! with `$` holds the variant of a choice; steps pass through it.

use std::cmp::Reverse;

use super::{Json, rule};
use crate::error::{Error, Result};

/// A step of a path.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Name(String),
    New(Option<usize>),
}

fn steps(path: &str) -> Vec<Step> {
    let is_dotted = !path.contains(['/', '"']) && path.contains(['.', '[']);
    let (mut steps, mut rest) = (Vec::new(), path);
    while !rest.is_empty() {
        if let Some((name, after)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            steps.push(Step::Name(name.to_owned()));
            rest = after.strip_prefix('/').unwrap_or(after);
            continue;
        }
        let between: &[char] = if is_dotted { &['.', '['] } else { &['/'] };
        let (step, after) = rest.split_once(between).unwrap_or((rest, ""));
        rest = after;
        let step = if is_dotted { step.trim_end_matches(']') } else { step };
        let new = step.strip_prefix('+');
        match new.map(|digits| (digits.is_empty(), digits.parse())) {
            _ if step.is_empty() => {}
            Some((true, _)) => steps.push(Step::New(None)),
            Some((_, Ok(at))) => steps.push(Step::New(Some(at))),
            _ => steps.push(Step::Name(step.to_owned())),
        }
    }
    steps
}

/// Returns the steps of a path, if each is a name or a position from the start of an array.
pub(super) fn plain_steps(path: &str) -> Option<Vec<String>> {
    let name = |step| match step {
        Step::Name(name) => Some(name),
        Step::New(_) => None,
    };
    steps(path).into_iter().map(name).collect()
}

/// Returns the different paths among those of [`Json::place`], the last one in the document first: removing an element
/// moves those after it.
pub(super) fn last_first(mut places: Vec<String>) -> Vec<String> {
    places.sort_by_cached_key(|place| {
        let steps = place.split('/').map(|step| (step.parse::<usize>().ok(), step.to_owned()));
        Reverse(steps.collect::<Vec<_>>())
    });
    places.dedup();
    places
}

/// Returns a name as a step of a path: in quotation marks where it would mean something else.
pub(super) fn step_of(name: &str) -> String {
    let is_plain =
        !name.is_empty() && !name.starts_with('+') && !name.contains(['/', '.', '[', '"']);
    if is_plain || name.contains('"') { name.to_owned() } else { format!("\"{name}\"") }
}

/// Returns the position of an element.
fn position(step: &str, length: usize) -> Option<usize> {
    let at = match step.strip_prefix('-') {
        Some(digits) => length.checked_sub(digits.parse().ok()?)?,
        None => step.parse().ok()?,
    };
    (at < length).then_some(at)
}

/// Names of members that an error lists, at most.
const NAMED: usize = 24;

/// Returns a place that is not there.
#[cold]
fn missing(path: &str, around: &Json) -> Error {
    let expected = match around {
        Json::Object(members) if members.is_empty() => {
            "no more steps: the object is empty".to_owned()
        }
        Json::Object(members) => {
            let names: Vec<_> = members.iter().take(NAMED).map(|it| step_of(&it.0)).collect();
            let more = match members.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("one of {}{more}", names.join(", "))
        }
        Json::Array(elements) => match elements.len() {
            0 => "no more steps: the list is empty".to_owned(),
            length => format!("an element from 0 to {}", length - 1),
        },
        other => format!("no more steps behind {}", other.kind()),
    };
    Error::new(rule::DOCUMENT_PATH, 0, expected, format!("`{path}`")).nowhere()
}

fn descend<'j>(json: &'j Json, step: &str) -> Option<&'j Json> {
    let found = match json {
        Json::Array(elements) => position(step, elements.len()).map(|at| &elements[at]),
        json => json.get(step),
    };
    found.or_else(|| descend(json.tag()?.1, step))
}

fn descend_mut<'j>(json: &'j mut Json, step: &str) -> Option<&'j mut Json> {
    if json.tag().is_some() && json.get(step).is_none() {
        return match json {
            Json::Object(members) => descend_mut(&mut members[0].1, step),
            _ => None,
        };
    }
    match json {
        Json::Array(elements) => position(step, elements.len()).map(|at| &mut elements[at]),
        Json::Object(members) => members.iter_mut().find(|it| it.0 == step).map(|it| &mut it.1),
        _ => None,
    }
}

impl Json {
    /// Returns the steps of a path. Several are one where a name has a slash, or a dot, and no name without it is there.
    fn steps(&self, path: &str) -> Vec<Step> {
        let sign = if path.contains('/') { '/' } else { '.' };
        let mut rest = steps(path).into_iter().peekable();
        let (mut json, mut all) = (Some(self), Vec::new());
        while let Some(step) = rest.next() {
            let Step::Name(mut name) = step else {
                json = None;
                all.push(step);
                continue;
            };
            let mut inner = json.and_then(|json| descend(json, &name));
            if let (Some(around), None) = (json, inner) {
                let mut joined = name.clone();
                for (count, next) in rest.clone().enumerate() {
                    let Step::Name(next) = next else { break };
                    joined.push(sign);
                    joined.push_str(&next);
                    inner = descend(around, &joined);
                    if inner.is_some() {
                        name = joined;
                        rest.nth(count);
                        break;
                    }
                }
            }
            json = inner;
            all.push(Step::Name(name));
        }
        all
    }

    /// Returns the value at a path.
    ///
    /// ```
    /// use formwork::document::Json;
    ///
    /// let json = Json::read(br#"{"chunks": [{"content": {"$Header": {"width": 4}}}]}"#)?;
    /// assert_eq!(json.find("chunks/0/content/width")?, &Json::from(4));
    /// assert_eq!(json.find("chunks[-1].content.width")?, &Json::from(4));
    /// assert_eq!(
    ///     json.find("chunks/7").unwrap_err().to_string(),
    ///     "expected an element from 0 to 0, found `chunks/7` (malformed, rule document.path)"
    /// );
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the path leads to nothing. The error lists the existing names.
    pub fn find(&self, path: &str) -> Result<&Self> {
        self.steps(path).iter().try_fold(self, |json, step| match step {
            Step::Name(step) => descend(json, step).ok_or_else(|| missing(path, untagged(json))),
            Step::New(_) => Err(missing(path, untagged(json))),
        })
    }

    /// Returns the positions of the members and elements that lead to a value; [`None`] if there is none.
    pub(super) fn positions(&self, path: &str) -> Option<Vec<usize>> {
        let (mut json, mut positions) = (self, Vec::new());
        for step in steps(path) {
            let Step::Name(name) = step else { return None };
            let at = loop {
                let found = match json {
                    Self::Array(elements) => position(&name, elements.len()),
                    Self::Object(members) => members.iter().position(|it| it.0 == name),
                    _ => None,
                };
                match found {
                    Some(at) => break at,
                    // Steps pass through a variant without its name.
                    None => json = json.tag()?.1,
                }
                positions.push(0);
            };
            positions.push(at);
            json = json.at(at)?;
        }
        Some(positions)
    }

    /// Returns the member or element at a position.
    pub(super) fn at(&self, position: usize) -> Option<&Self> {
        match self {
            Self::Array(elements) => elements.get(position),
            Self::Object(members) => members.get(position).map(|it| &it.1),
            _ => None,
        }
    }

    /// Returns the path of a value with slashes, and with elements counted from the start.
    ///
    /// # Errors
    ///
    /// Fails if the path leads to nothing.
    pub fn place(&self, path: &str) -> Result<String> {
        let (mut json, mut place) = (self, Vec::new());
        let mut steps = self.steps(path).into_iter().peekable();
        while let Some(step) = steps.next() {
            let Step::Name(name) = step else { return Err(missing(path, untagged(json))) };
            let inner = descend(json, &name).ok_or_else(|| missing(path, untagged(json)))?;
            if steps.peek().is_some() && json.tag().is_some_and(|(tag, _)| tag == name) {
                // Steps pass through a variant without its name.
                json = inner;
                continue;
            }
            place.push(match untagged(json) {
                Self::Array(elements) => {
                    position(&name, elements.len()).map_or(name, |at| at.to_string())
                }
                _ => step_of(&name),
            });
            json = inner;
        }
        Ok(place.join("/"))
    }

    /// Sets the value at a path, or adds it where `adds` allows that, and returns the path of the value.
    ///
    /// # Errors
    ///
    /// Fails if the path leads to nothing.
    pub fn set(&mut self, path: &str, value: Self, adds: bool) -> Result<String> {
        let mut all = self.steps(path);
        let Some(last) = all.pop() else {
            *self = value;
            return Ok(String::new());
        };
        let mut around = &mut *self;
        let mut place = String::new();
        for step in all {
            let Step::Name(name) = step else { return Err(missing(path, around)) };
            if descend(around, &name).is_none() {
                return Err(missing(path, untagged(around)));
            }
            place.push_str(&step_of(&name));
            place.push('/');
            match descend_mut(around, &name) {
                Some(inner) => around = inner,
                None => return Ok(place),
            }
        }
        if let Step::Name(name) = &last
            && descend(around, name).is_some()
        {
            if let Some(there) = descend_mut(around, name) {
                *there = value;
            }
            return Ok(place + &step_of(name));
        }
        let around = untagged_mut(around);
        match (around, last) {
            (Self::Array(elements), Step::New(at)) if at.unwrap_or(0) <= elements.len() && adds => {
                let at = at.unwrap_or(elements.len());
                elements.insert(at, value);
                Ok(place + &at.to_string())
            }
            (Self::Object(members), Step::Name(name)) if adds => {
                place.push_str(&step_of(&name));
                members.push((name, value));
                Ok(place)
            }
            (around, _) => Err(missing(path, around)),
        }
    }

    /// Removes the value at a path.
    ///
    /// # Errors
    ///
    /// Fails if the path leads to nothing.
    pub fn remove(&mut self, path: &str) -> Result<Self> {
        let mut all = self.steps(path);
        let Some(Step::Name(last)) = all.pop() else { return Err(missing(path, self)) };
        let mut around = &mut *self;
        for step in all {
            let Step::Name(name) = step else { return Err(missing(path, around)) };
            if descend(around, &name).is_none() {
                return Err(missing(path, untagged(around)));
            }
            match descend_mut(around, &name) {
                Some(inner) => around = inner,
                None => return Ok(Self::Null),
            }
        }
        let around = untagged_mut(around);
        let removed = match &mut *around {
            Self::Array(elements) => position(&last, elements.len()).map(|at| elements.remove(at)),
            Self::Object(members) => {
                let at = members.iter().position(|it| it.0 == last);
                at.map(|at| members.remove(at).1)
            }
            _ => None,
        };
        removed.ok_or_else(|| missing(path, around))
    }
}

fn untagged(json: &Json) -> &Json {
    json.tag().map_or(json, |(_, inner)| untagged(inner))
}

fn untagged_mut(json: &mut Json) -> &mut Json {
    if json.tag().is_none() {
        return json;
    }
    match json {
        Json::Object(members) => untagged_mut(&mut members[0].1),
        _ => json,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_whole_where_nothing_is_removed() {
        let text = r#"{"l":[1,2],"o":{"a":1}}"#;
        let mut json = Json::read(text.as_bytes()).unwrap();
        for path in ["l/9", "l/a", "o/b", "o/a/b"] {
            assert!(json.remove(path).is_err(), "{path}");
        }
        assert_eq!(json.to_string(), text);
    }

    #[test]
    fn a_name_with_a_slash_is_found_as_it_is_listed() {
        let json = Json::read(br#"{"a/b":{"c.d":1},"x y":2,"e/f/g":[3]}"#).unwrap();
        for path in ["a/b/c.d", "\"a/b\"/\"c.d\"", "e/f/g/0", "x y"] {
            assert!(json.find(path).is_ok(), "{path}");
        }
        assert_eq!(json.place("a/b/c.d"), Ok("\"a/b\"/\"c.d\"".into()));
        assert_eq!(json.find("q").unwrap_err().expected(), "one of \"a/b\", x y, \"e/f/g\"");
        let mut changed = json.clone();
        changed.set("a/b/c.d", 5.into(), false).unwrap();
        changed.remove("e/f/g").unwrap();
        assert_eq!(changed.to_string(), r#"{"a/b":{"c.d":5},"x y":2}"#);
    }

    #[test]
    fn places_pass_through_variants() {
        let json = Json::read(br#"{"t":{"$T":{"w":1}}}"#).unwrap();
        assert_eq!(json.place("t/$T/w"), json.place("t/w"));
        assert_eq!(json.place("t/$T"), Ok("t/$T".to_owned()));
    }
}
