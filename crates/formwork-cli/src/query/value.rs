//! Values of filters: the JSON of jaq, with a limit of depth.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use formwork::document::Json;
use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::val::{Range, ValR, ValX};
use jaq_core::{Error, Exn};
use jaq_json::{Map, Num, Val};
use jaq_std::ValT as _;

use super::place::{self, Place};
use super::stack;

/// Arrays and objects in each other, at most: as many as JSON text may have.
const DEPTH: usize = 1024;

/// Bytes of a text that a filter repeats, at most.
const LONGEST: usize = 1 << 26;

/// Bits of a whole number that a filter calculates, at most.
const LARGEST: u64 = 1 << 16;

/// Digits of a whole number that filters calculate with. A longer number stays as it is written.
const DIGITS: usize = 4096;

/// JSON, and a depth that it does not exceed.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    pub(super) json: Val,
    depth: usize,
    /// Whether it is the null in a place where no value is. What comes back as it is, as `select` and `?` pass it over,
    /// is not put there.
    is_absent: bool,
}

impl Value {
    const fn new(json: Val, depth: usize) -> Self {
        Self { json, depth, is_absent: false }
    }

    /// Takes JSON whose depth is at most `depth`, if that is not too deep. Where it seems to be, the depth is measured.
    pub(super) fn within(json: Val, depth: usize) -> ValR<Self> {
        let depth = match &json {
            Val::Arr(_) | Val::Obj(_) if depth <= DEPTH => depth,
            json => measured(json),
        };
        match depth {
            0..=DEPTH => Ok(Self::new(json, depth)),
            _ => Err(Error::str(format_args!("a value nests more than {DEPTH} deep"))),
        }
    }

    /// Takes a part of this value.
    fn part(&self, json: Val) -> Self {
        // Parts of packed arrays are vectors, which nest as deep as the array does.
        let depth = self.depth.saturating_sub(1).max(2);
        let depth = if matches!(json, Val::Arr(_) | Val::Obj(_)) { depth } else { 0 };
        Self::new(json, depth)
    }

    /// Returns the text, if the value is one.
    pub(super) fn text(&self) -> Option<String> {
        Some(String::from_utf8_lossy(self.as_utf8_bytes()?).into_owned())
    }

    /// Returns what the value holds, with the keys or positions.
    fn inside(&self) -> ValR<Vec<(Self, Self)>, Self> {
        match place::inside(&self.json) {
            Some(inside) => {
                let pair = |(key, value)| (self.part(key), self.part(value));
                Ok(inside.into_iter().map(pair).collect())
            }
            None => Err(Error::typ(self.clone(), "iterable (array or object)")),
        }
    }
}

/// Returns how deep JSON nests.
fn measured(json: &Val) -> usize {
    match json {
        Val::Arr(elements) => 1 + elements.iter().map(measured).max().unwrap_or(0),
        Val::Obj(members) => 1 + members.values().map(measured).max().unwrap_or(0),
        _ => 0,
    }
}

/// Takes an error of jaq's JSON.
fn raised(error: Error<Val>) -> Error<Value> {
    let json = error.into_val();
    let depth = measured(&json);
    Error::new(Value::new(json, depth))
}

/// Reads a number. A whole number keeps all its digits, another number also its form.
fn number(text: &str) -> Num {
    let is_kept = text == "-0" || text.len() > DIGITS;
    let whole = if is_kept { None } else { Num::from_str_radix(text, 10) };
    whole.unwrap_or_else(|| Num::Dec(text.to_owned().into()))
}

/// Takes the JSON apart: a large file is not in memory twice.
impl From<Json> for Value {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Self::default(),
            Json::Bool(truth) => Self::from(truth),
            Json::Number(digits) => Self::new(Val::Num(number(&digits)), 0),
            Json::String(text) => Self::from(text),
            Json::Array(elements) => elements.into_iter().map(Self::from).collect(),
            Json::Object(members) => {
                if let [(tag, content)] = &members[..]
                    && let Some(number) = unusual((tag, content))
                {
                    return number.into();
                }
                let (mut map, mut deepest) = (Map::default(), 0);
                map.reserve(members.len());
                for (name, json) in members {
                    let value = Self::from(json);
                    deepest = deepest.max(value.depth);
                    map.insert(Val::from(name), value.json);
                }
                Self::new(Val::obj(map), deepest + 1)
            }
        }
    }
}

/// Returns the number that JSON has not: a zero with a sign, or infinity. (NaN is no number that is equal to itself.)
fn unusual((tag, content): (&str, &Json)) -> Option<f64> {
    let Json::String(text) = content else { return None };
    let numbers = [("-0", -0.0), ("inf", f64::INFINITY), ("-inf", f64::NEG_INFINITY)];
    let found = numbers.into_iter().find(|it| tag == "$float" && it.0 == text);
    found.map(|(_, number)| number)
}

/// Returns jaq's JSON as text is made of it.
fn of_jaq(value: &Val) -> Json {
    let text =
        |value: &Val| String::from_utf8_lossy(value.as_bytes().unwrap_or_default()).into_owned();
    match value {
        Val::Null => Json::Null,
        Val::Bool(truth) => Json::Bool(*truth),
        // (A number that JSON has not is written as in the JSON of values.)
        Val::Num(Num::Float(number)) if !number.is_finite() || number.to_bits() == 1 << 63 => {
            Json::tagged("$float", number.to_string().to_lowercase().into())
        }
        Val::Num(number) => Json::Number(number.to_string()),
        Val::BStr(_) | Val::TStr(_) => Json::String(text(value)),
        Val::Arr(elements) => Json::Array(elements.iter().map(of_jaq).collect()),
        Val::Obj(members) => {
            Json::Object(members.iter().map(|(name, value)| (text(name), of_jaq(value))).collect())
        }
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        of_jaq(&value.json)
    }
}

/// The JSON on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Json::from(self).fmt(f)
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.json.cmp(&other.json)
    }
}

macro_rules! scalars {
    ($($ty:ty)+) => { $(
        impl From<$ty> for Value {
            fn from(scalar: $ty) -> Self { Self::new(scalar.into(), 0) }
        }
    )+ };
}

scalars!(bool isize usize f64 String);

impl From<Range<Self>> for Value {
    fn from(range: Range<Self>) -> Self {
        let json = |bound: Option<Self>| bound.map(|bound| bound.json);
        Self::new((json(range.start)..json(range.end)).into(), 1)
    }
}

impl FromIterator<Self> for Value {
    fn from_iter<T: IntoIterator<Item = Self>>(values: T) -> Self {
        let mut deepest = 0;
        let json = values.into_iter().map(|value| {
            deepest = deepest.max(value.depth);
            value.json
        });
        let json = json.collect();
        Self::within(json, deepest + 1).unwrap_or_else(|_| {
            stack::note_too_deep();
            Self::default()
        })
    }
}

macro_rules! calculations {
    ($($operator:ident $method:ident)+) => { $(
        impl $operator for Value {
            type Output = ValR<Self>;

            fn $method(self, other: Self) -> ValR<Self> {
                let depth = self.depth.max(other.depth).max(1);
                refuse(stringify!($method), &self.json, &other.json)?;
                let made = match place::lists_together(stringify!($method), &self.json, &other.json) {
                    Some(made) => made.map_err(raised)?,
                    None => self.json.$method(other.json).map_err(raised)?,
                };
                Self::within(made, depth)
            }
        }
    )+ };
}

calculations!(Add add Sub sub Mul mul Div div Rem rem);

/// Refuses to divide by zero, and to multiply where the result might not fit into memory.
fn refuse(method: &str, one: &Val, other: &Val) -> Result<(), Error<Value>> {
    let bytes = |text: &Val, times: &Val| match (text.as_bytes(), times.as_f64()) {
        (Some(text), Some(times)) => text.len() as f64 * times,
        _ => 0.0,
    };
    let bits = |json: &Val| match json {
        Val::Num(Num::BigInt(number)) => number.bits(),
        _ => 0,
    };
    let is_large = bytes(one, other).max(bytes(other, one)) > LONGEST as f64
        || bits(one) + bits(other) > LARGEST;
    match method {
        "mul" if is_large => Err(Error::str("the product is too large")),
        "div" | "rem" if one.as_f64().is_some() && other.as_f64() == Some(0.0) => {
            Err(Error::str(format_args!("{one} cannot be divided by zero")))
        }
        _ => Ok(()),
    }
}

impl Neg for Value {
    type Output = ValR<Self>;

    fn neg(self) -> ValR<Self> {
        Self::within((-self.json).map_err(raised)?, 0)
    }
}

impl jaq_core::ValT for Value {
    fn from_num(text: &str) -> ValR<Self> {
        Ok(Self::new(Val::Num(number(text)), 0))
    }

    fn from_map<I: IntoIterator<Item = (Self, Self)>>(pairs: I) -> ValR<Self> {
        let (mut map, mut deepest) = (Map::default(), 0);
        for (key, value) in pairs {
            if !matches!(key.json, Val::TStr(_)) {
                return Err(Error::typ(key, "key of an object, which is a string"));
            }
            deepest = deepest.max(value.depth);
            map.insert(key.json, value.json);
        }
        Self::within(Val::obj(map), deepest + 1)
    }

    fn key_values(self) -> BoxIter<'static, ValR<(Self, Self), Self>> {
        match self.inside() {
            Ok(inside) => Box::new(inside.into_iter().map(Ok)),
            Err(error) => box_once(Err(error)),
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = ValR<Self>>> {
        Box::new(self.key_values().map(|pair| pair.map(|(_, value)| value)))
    }

    fn index(self, index: &Self) -> ValR<Self> {
        match Place::of(&self.json, &index.json) {
            Some(place) => Ok(self.part(place.get(&self.json))),
            // (jaq would take any value for a key, which no JSON has.)
            None if matches!(self.json, Val::Obj(_)) => Err(Error::index(self, index.clone())),
            None => Self::within(self.json.index(&index.json).map_err(raised)?, self.depth + 1),
        }
    }

    fn range(self, range: Range<&Self>) -> ValR<Self> {
        let json = match place::list(&self.json) {
            None if self.json == Val::Null => return Ok(self),
            Some(list) => Val::Arr(list),
            None => self.json,
        };
        let range = range.start.map(|it| &it.json)..range.end.map(|it| &it.json);
        Self::within(json.range(range).map_err(raised)?, self.depth)
    }

    fn map_values<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        let inside = match self.inside() {
            Ok(inside) => inside,
            Err(error) => return opt.fail(self, |_| Exn::from(error)),
        };
        // An object has one value for each key.
        let most = if place::has_keys(&self.json) { 1 } else { usize::MAX };
        let (mut made, mut deepest) = (Vec::with_capacity(inside.len()), 0);
        for (key, value) in inside {
            for new in f(value).take(most) {
                let new = new?;
                deepest = deepest.max(new.depth);
                made.push((key.json.clone(), new.json));
            }
        }
        let depth = self.depth.max(deepest + 4);
        Ok(Self::within(place::holding(self.json, made).map_err(raised)?, depth)?)
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        index: &Self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        use jaq_json::Val::Obj;
        if let Obj(range) = &index.json
            && !matches!(self.json, Obj(_))
        {
            let bound = |name: &str| range.get(&Val::from(name.to_owned())).cloned();
            let [start, end] = ["start", "end"].map(|name| bound(name).map(|json| self.part(json)));
            return self.map_range(start.as_ref()..end.as_ref(), opt, f);
        }
        let Some(place) = Place::of(&self.json, &index.json) else {
            return opt.fail(self, |value| Exn::from(Error::index(value, index.clone())));
        };
        let mut whole = self;
        let is_absent = !place.is_there(&whole.json);
        // What is taken out has no second owner, so that it is changed in place.
        let old = place.take(&mut whole.json);
        let old = Self { is_absent, ..whole.part(old) };
        let new = f(old).next().transpose()?;
        if is_absent && new.as_ref().is_none_or(|new| new.is_absent) {
            return Ok(whole);
        }
        let depth = new.as_ref().map_or(0, |new| new.depth) + place.depth();
        place.put(&mut whole.json, new.map(|new| new.json)).map_err(raised)?;
        Ok(Self::within(whole.json, whole.depth.max(depth))?)
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        range: Range<&Self>,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        let zero = Self::from(0_usize);
        let start = range.start.filter(|start| start.json != Val::Null).unwrap_or(&zero);
        let first = self.clone().range(None..Some(start));
        let (first, old) = match (first, self.clone().range(range)) {
            (Ok(first), Ok(old)) => (first, old),
            (Err(error), _) | (_, Err(error)) => return opt.fail(self, |_| Exn::from(error)),
        };
        let end = Self::from(place::count(&first.json) + place::count(&old.json));
        let whole = self.clone();
        let rest = self.range(Some(&end)..None)?;
        let new = f(old).next().transpose()?.unwrap_or_default();
        let made = ((first + new)? + rest)?;
        match &made.json {
            Val::Arr(list) if place::is_typed_list(&whole.json) => {
                let json = place::holding_list(whole.json, list.to_vec()).map_err(raised)?;
                Ok(Self::within(json, whole.depth.max(made.depth + 1))?)
            }
            _ => Ok(made),
        }
    }

    fn as_bool(&self) -> bool {
        self.json.as_bool()
    }

    fn into_string(self) -> Self {
        match self.json {
            Val::TStr(_) => self,
            _ => Self::from(self.to_string()),
        }
    }
}

impl jaq_std::ValT for Value {
    fn into_seq<S: FromIterator<Self>>(self) -> Result<S, Self> {
        match place::list(&self.json) {
            Some(list) => Ok(list.iter().map(|json| self.part(json.clone())).collect()),
            None => Err(self),
        }
    }

    fn is_int(&self) -> bool {
        self.json.is_int()
    }

    fn as_isize(&self) -> Option<isize> {
        self.json.as_isize()
    }

    fn as_f64(&self) -> Option<f64> {
        self.json.as_f64()
    }

    fn is_utf8_str(&self) -> bool {
        self.json.is_utf8_str()
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        self.json.as_bytes()
    }

    fn as_sub_str(&self, part: &[u8]) -> Self {
        Self::new(self.json.as_sub_str(part), 0)
    }

    fn from_utf8_bytes(bytes: impl AsRef<[u8]> + Send + 'static) -> Self {
        Self::new(Val::from_utf8_bytes(bytes), 0)
    }
}
