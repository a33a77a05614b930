//! Going into values: by key, position and range, to read and to change.

use std::rc::Rc;

use formwork_variant::{Real, VariantString};
use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::val::{Range, ValR, ValX};
use jaq_core::{Error, Exn};

use super::entries::Entries;
use super::math::Made;
use super::plain;
use super::value::{List, Map, Mark, Text, TextKind, Value, unshared};

/// The most null elements that a filter adds to an array before a new one.
const MOST_ADDED: i64 = 1 << 16;

impl<R: Real> jaq_core::ValT for Value<R> {
    fn from_num(text: &str) -> ValR<Self> {
        Self::number(text).map_err(Error::str)
    }

    fn from_map<I: IntoIterator<Item = (Self, Self)>>(pairs: I) -> ValR<Self> {
        Map::of(Mark::Made, pairs.into_iter().collect()).map_err(Error::str)
    }

    fn key_values(self) -> BoxIter<'static, ValR<(Self, Self), Self>> {
        let numbered = |(at, value): (usize, Self)| Ok((Self::Int(at as i64), value));
        match self {
            Self::Map(map) => {
                let pairs = map.entries.iter().map(|(key, value)| Ok((key.clone(), value.clone())));
                Box::new(pairs.collect::<Vec<_>>().into_iter())
            }
            value => match value.inside() {
                Ok(values) => Box::new(values.into_iter().enumerate().map(numbered)),
                Err(error) => box_once(Err(error)),
            },
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = ValR<Self>>> {
        match self.inside() {
            Ok(values) => Box::new(values.into_iter().map(Ok)),
            Err(error) => box_once(Err(error)),
        }
    }

    fn index(self, index: &Self) -> ValR<Self> {
        self.entry(index).map(Option::unwrap_or_default)
    }

    fn range(self, range: Range<&Self>) -> ValR<Self> {
        if matches!(self, Self::Nil) {
            return Ok(Self::Nil);
        }
        if let Self::Text(text) = &self {
            let letters: Vec<_> = text.text.numbers().collect();
            let (start, end) = bounds(range, letters.len())?;
            return Ok(Self::text(VariantString::from_numbers(
                letters[start..end].iter().copied(),
            )));
        }
        match self.elements() {
            Some(elements) => {
                let (start, end) = bounds(range, elements.len())?;
                self.with_elements(elements[start..end].to_vec())
            }
            None => Err(Error::typ(self, "text or array")),
        }
    }

    fn map_values<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        match self {
            Self::List(list) => {
                let list = unshared(list);
                let elements: Result<Vec<_>, _> = list.elements.into_iter().flat_map(f).collect();
                Ok(List::of(list.mark, elements?).map_err(Error::str)?)
            }
            Self::Map(map) => {
                let map = unshared(map);
                let mut entries = Entries::default();
                for (key, value) in map.entries.iter() {
                    if let Some(value) = f(value.clone()).next() {
                        entries.push(key.clone(), value?);
                    }
                }
                Ok(Map::of(map.mark, entries).map_err(Error::str)?)
            }
            Self::Native(native) if native.count().is_some() => {
                let parts: Result<Vec<_>, _> = native.parts().into_iter().flat_map(f).collect();
                Ok(native.with_parts(&parts?).map_err(Error::str)?)
            }
            value => opt.fail(value, |value| Error::typ(value, "array or dictionary").into()),
        }
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        index: &Self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        if let (Some((start, end)), false) = (slice(index), matches!(self, Self::Map(_))) {
            return self.map_range(start.as_ref()..end.as_ref(), opt, f);
        }
        let old = match self.entry(index) {
            Ok(old) => old.unwrap_or_default(),
            Err(error) => return opt.fail(self, |_| error.into()),
        };
        let new = f(old).next().transpose()?;
        match opt {
            Opt::Essential => Ok(self.with(index, new)?),
            Opt::Optional => Ok(self.clone().with(index, new).unwrap_or(self)),
        }
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        range: Range<&Self>,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        let wrong = |value: Self| Exn::from(Error::typ(value, "array"));
        let found = self.elements().ok_or_else(|| Error::typ(self.clone(), "array"));
        let found = found.and_then(|all| bounds(range, all.len()).map(|range| (all, range)));
        let (mut all, (start, end)) = match found {
            Ok(found) => found,
            Err(error) => return opt.fail(self, |_| error.into()),
        };
        let old = Self::list(all[start..end].to_vec()).map_err(Error::str)?;
        let new = match f(old).next().transpose()? {
            Some(new) => new.elements().ok_or_else(|| wrong(new))?,
            None => Vec::new(),
        };
        all.splice(start..end, new);
        Ok(self.with_elements(all)?)
    }

    fn as_bool(&self) -> bool {
        !matches!(self, Self::Nil | Self::Bool(false))
    }

    fn into_string(self) -> Self {
        match self {
            Self::Text(text) => Self::text(text.text.clone()),
            value => Self::text(value.to_string()),
        }
    }
}

impl<R: Real> jaq_std::ValT for Value<R> {
    fn into_seq<S: FromIterator<Self>>(self) -> Result<S, Self> {
        match self.elements() {
            Some(elements) => Ok(elements.into_iter().collect()),
            None => Err(self),
        }
    }

    fn is_int(&self) -> bool {
        matches!(self, Self::Int(_))
    }

    fn as_isize(&self) -> Option<isize> {
        match self {
            Self::Int(number) => isize::try_from(*number).ok(),
            _ => None,
        }
    }

    fn as_f64(&self) -> Option<f64> {
        self.float()
    }

    fn is_utf8_str(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text.text.as_bytes()),
            _ => None,
        }
    }

    fn as_sub_str(&self, part: &[u8]) -> Self {
        Self::of_bytes(part)
    }

    fn from_utf8_bytes(bytes: impl AsRef<[u8]> + Send + 'static) -> Self {
        Self::of_bytes(bytes.as_ref())
    }
}

impl<R: Real> Value<R> {
    /// Returns the values right in this one.
    fn inside(self) -> Result<Vec<Self>, Error<Self>> {
        match &self {
            Self::Map(map) => Ok(map.entries.iter().map(|(_, value)| value.clone()).collect()),
            Self::Native(native) if native.count().is_some() => Ok(native.parts()),
            value => match value.elements() {
                Some(elements) => Ok(elements),
                None => Err(Error::typ(self, "array or dictionary")),
            },
        }
    }

    /// Returns the value at a key or position, if there is one.
    pub(super) fn entry(&self, index: &Self) -> Result<Option<Self>, Error<Self>> {
        let wrong = || Error::index(self.clone(), index.clone());
        if let (Some((start, end)), false) = (slice(index), matches!(self, Self::Map(_))) {
            let part = jaq_core::ValT::range(self.clone(), start.as_ref()..end.as_ref());
            return part.map(Some);
        }
        match self {
            Self::Nil => Ok(None),
            Self::Map(map) if map.refuses(index) => Err(wrong()),
            Self::Map(map) => match map.entries.get(index) {
                Some(value) => Ok(Some(value.clone())),
                None => Ok(plain::route(self, index).and_then(|route| self.at(&route))),
            },
            Self::List(list) => match (index, position(index, list.elements.len())) {
                (_, Some(at)) => Ok(at.and_then(|at| list.elements.get(at)).cloned()),
                (Self::Text(_), _) => match plain::route(self, index) {
                    Some(route) => Ok(self.at(&route)),
                    None => Err(wrong()),
                },
                (Self::List(row), _) => Ok(Some(places(&list.elements, &row.elements))),
                _ => Err(wrong()),
            },
            Self::Native(native) => match (index, native.count()) {
                (Self::Text(name), Some(_)) => {
                    let name = name.text.as_str().unwrap_or_default();
                    native.member(name).map(Some).ok_or_else(wrong)
                }
                (_, Some(count)) => match position(index, count) {
                    Some(at) => Ok(at.and_then(|at| native.part(at))),
                    None => Err(wrong()),
                },
                (_, None) => Err(wrong()),
            },
            Self::Bool(_) | Self::Int(_) | Self::Long(_) | Self::Float(_) | Self::Text(_) => {
                Err(wrong())
            }
        }
    }

    /// Returns the value that a list of keys leads to.
    fn at(&self, route: &[Self]) -> Option<Self> {
        route.iter().try_fold(self.clone(), |value, key| value.entry(key).ok().flatten())
    }

    /// Returns the value with another one at a key or position, or, with none, without that entry.
    fn with(self, index: &Self, new: Option<Self>) -> Made<R> {
        let route = match &self {
            Self::Map(map) if map.entries.position(index).is_none() => plain::route(&self, index),
            Self::List(_) if matches!(index, Self::Text(_)) => plain::route(&self, index),
            _ => None,
        };
        if let Some(route) = route {
            return self.with_route(&route, new);
        }
        let wrong = |value: Self| Error::index(value, index.clone());
        match self {
            Self::Nil => match (index, new) {
                (_, None) => Ok(Self::Nil),
                (Self::Text(_), Some(new)) => {
                    let entries = [(index.clone(), new)].into_iter().collect();
                    Map::of(Mark::Made, entries).map_err(Error::str)
                }
                (index, Some(new)) => match index.whole() {
                    Some(at @ 0..=MOST_ADDED) => {
                        let mut elements = vec![Self::Nil; at as usize];
                        elements.push(new);
                        Self::list(elements).map_err(Error::str)
                    }
                    _ => Err(wrong(Self::Nil)),
                },
            },
            Self::Map(map) if map.refuses(index) => Err(wrong(Self::Map(map))),
            Self::Map(map) => {
                let mut map = unshared(map);
                let inside = new.as_ref().map_or(0, Self::depth).max(index.depth());
                match (map.entries.position(index), new) {
                    (Some(at), Some(new)) => map.entries.put(at, new),
                    (Some(at), None) => map.entries.remove(at),
                    (None, Some(new)) => map.entries.push(index.clone(), new),
                    (None, None) => {}
                }
                map.holding(inside).map_err(Error::str)
            }
            Self::List(list) => {
                let mut list = unshared(list);
                let count = list.elements.len();
                let inside = new.as_ref().map_or(0, Self::depth);
                match (position(index, count).flatten(), new) {
                    (Some(at), Some(new)) if at < count => list.elements[at] = new,
                    (Some(at), Some(new)) if at - count <= MOST_ADDED as usize => {
                        list.elements.resize(at, Self::Nil);
                        list.elements.push(new);
                    }
                    (Some(at), None) if at < count => drop(list.elements.remove(at)),
                    (_, None) => {}
                    _ => {
                        return Err(Error::str(format_args!(
                            "there is no element {index}: the array has {count}"
                        )));
                    }
                }
                list.holding(inside).map_err(Error::str)
            }
            Self::Native(native) => match (index, new) {
                (Self::Text(name), Some(new)) => {
                    let name = name.text.as_str().unwrap_or_default();
                    native.with_member(name, &new).map_err(Error::str)
                }
                (index, new) => {
                    let mut parts = native.parts();
                    match (position(index, parts.len()).flatten(), new) {
                        (Some(at), Some(new)) if at < parts.len() => parts[at] = new,
                        (Some(at), Some(new)) if at == parts.len() => parts.push(new),
                        (Some(at), None) if at < parts.len() => drop(parts.remove(at)),
                        _ => return Err(wrong(Self::Native(native))),
                    }
                    native.with_parts(&parts).map_err(Error::str)
                }
            },
            value => Err(wrong(value)),
        }
    }

    /// Returns the value with another one where a row of keys leads; without the entry around it where there is none.
    fn with_route(self, route: &[Self], new: Option<Self>) -> Made<R> {
        let (Some((first, rest)), Some(_)) = (route.split_first(), self.at(route)) else {
            return new.map_or(Ok(self), Ok);
        };
        // Without what it holds a field is none.
        let is_last = match rest {
            [] => true,
            [Self::Text(_)] => matches!(first, Self::Int(_)),
            _ => false,
        };
        let removes = new.is_none() && is_last;
        let inner = match removes {
            true => None,
            false => Some(self.entry(first)?.unwrap_or_default().with_route(rest, new)?),
        };
        self.with(first, inner)
    }
}

/// Returns the bounds that a dictionary with `start` or `end` says.
#[allow(clippy::type_complexity, reason = "both ends, each of which may be open")]
fn slice<R: Real>(index: &Value<R>) -> Option<(Option<Value<R>>, Option<Value<R>>)> {
    let Value::Map(map) = index else { return None };
    let get = |name: &str| map.entries.get(&Value::text(name)).cloned();
    let found = (get("start"), get("end"));
    let known = usize::from(found.0.is_some()) + usize::from(found.1.is_some());
    (known == map.entries.len()).then_some(found)
}

/// Returns the position in a list of `count` values that a number means; a negative number counts from the end. `None`
/// is for a number that is not whole, `Some(None)` for one before the first value.
fn position<R: Real>(index: &Value<R>, count: usize) -> Option<Option<usize>> {
    let number = match index {
        Value::Float(float) if float.is_finite() => Value::<R>::Float(float.floor()).whole()?,
        _ => index.whole()?,
    };
    Some(match usize::try_from(number.unsigned_abs()) {
        Ok(at) if number >= 0 => Some(at),
        Ok(back) => count.checked_sub(back),
        Err(_) => None,
    })
}

/// Returns the range of elements that two ends mean.
fn bounds<R: Real>(
    range: Range<&Value<R>>,
    count: usize,
) -> Result<(usize, usize), Error<Value<R>>> {
    let end = |value: Option<&Value<R>>, open: usize, whole: fn(f64) -> f64| match value {
        None | Some(Value::Nil) => Ok(open),
        Some(value) => {
            let rounded = match value {
                Value::Float(number) => Value::Float(whole(*number)),
                value => value.clone(),
            };
            match position(&rounded, count) {
                Some(at) => Ok(at.unwrap_or(0).min(count)),
                None => Err(Error::typ(value.clone(), "whole number")),
            }
        }
    };
    // A fraction makes the range longer at both ends.
    let start = end(range.start, 0, f64::floor)?;
    let end = end(range.end, count, f64::ceil)?;
    Ok((start, end.max(start)))
}

/// Returns the positions of a row of elements in another.
pub(super) fn places<R: Real>(all: &[Value<R>], row: &[Value<R>]) -> Value<R> {
    if row.is_empty() {
        return Value::Nil;
    }
    let found = all.windows(row.len()).enumerate().filter(|(_, window)| *window == row);
    Value::list(found.map(|(at, _)| Value::Int(at as i64)).collect()).unwrap_or_default()
}

impl<R: Real> From<bool> for Value<R> {
    fn from(bool: bool) -> Self {
        Self::Bool(bool)
    }
}

impl<R: Real> From<isize> for Value<R> {
    fn from(number: isize) -> Self {
        Self::Int(number as i64)
    }
}

impl<R: Real> From<usize> for Value<R> {
    fn from(number: usize) -> Self {
        i64::try_from(number).map_or(Self::Float(number as f64), Self::Int)
    }
}

impl<R: Real> From<f64> for Value<R> {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl<R: Real> From<String> for Value<R> {
    fn from(text: String) -> Self {
        Self::Text(Rc::new(Text { text: text.into(), kind: TextKind::String }))
    }
}

impl<R: Real> From<Range<Self>> for Value<R> {
    fn from(range: Range<Self>) -> Self {
        let ends = [("start", range.start), ("end", range.end)];
        let entries = ends.into_iter().filter_map(|(name, end)| Some((Self::text(name), end?)));
        Map::of(Mark::Made, entries.collect()).unwrap_or_default()
    }
}

impl<R: Real> FromIterator<Self> for Value<R> {
    fn from_iter<I: IntoIterator<Item = Self>>(elements: I) -> Self {
        // This function has no error to return; the caller of the filter asks for it.
        Self::list(elements.into_iter().collect()).unwrap_or_else(|_| {
            super::guard::note_too_deep();
            Self::Nil
        })
    }
}
