//! Adding, subtracting and the like.

use std::collections::BTreeSet;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
use std::rc::Rc;

use formwork_variant::Real;
use jaq_core::Error;
use jaq_core::ops::Math;

use super::value::{Map, Native, Text, Value, unshared};

/// A value, or why there is none.
pub(super) type Made<R> = Result<Value<R>, Error<Value<R>>>;

/// Bytes that a text grows to by being repeated, at most.
const LONGEST: usize = 1 << 28;

/// How two numbers become one.
type Numbers = (fn(i64, i64) -> Option<i64>, fn(f64, f64) -> f64);

impl<R: Real> Value<R> {
    /// Returns a number that is whole and has 64 bits.
    pub(super) fn whole(&self) -> Option<i64> {
        // Two to the 63rd is the first that is too large.
        const END: f64 = 9_223_372_036_854_775_808.0;
        match *self {
            Self::Int(number) => Some(number),
            Self::Float(number) if (-END..END).contains(&number) && number.trunc() == number => {
                Some(number as i64)
            }
            _ => None,
        }
    }

    /// Returns any number as a float.
    pub(super) fn float(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Long(digits) => digits.parse().ok(),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Calculates with two numbers, two vectors of a type, or a vector and a number. Whole numbers stay whole while
    /// they have room.
    fn calculated(&self, other: &Self, numbers: Numbers) -> Option<Made<R>> {
        let (whole, float) = numbers;
        Some(Ok(match (self, other) {
            (Self::Int(one), Self::Int(other)) => match whole(*one, *other) {
                Some(number) => Self::Int(number),
                None => Self::Float(plain_nan(float(*one as f64, *other as f64))),
            },
            (Self::Native(one), Self::Native(other)) => {
                if !is_vector(one) || one.type_name() != other.type_name() {
                    return None;
                }
                let pairs = one.parts().into_iter().zip(other.parts());
                let parts: Option<Result<Vec<_>, _>> =
                    pairs.map(|(one, other)| one.calculated(&other, numbers)).collect();
                return parts.map(|parts| one.with_parts(&parts?).map_err(Error::str));
            }
            _ => Self::Float(plain_nan(float(self.float()?, other.float()?))),
        }))
    }

    /// Calculates with each component of a vector and a number.
    fn scaled(&self, other: &Self, numbers: Numbers) -> Option<Made<R>> {
        let Self::Native(vector) = self else { return None };
        if !is_vector(vector) || other.float().is_none() {
            return None;
        }
        let parts = vector.parts().into_iter().map(|part| part.calculated(other, numbers));
        let parts: Option<Result<Vec<_>, _>> = parts.collect();
        parts.map(|parts| vector.with_parts(&parts?).map_err(Error::str))
    }

    /// Returns what an array holds.
    pub(super) fn elements(&self) -> Option<Vec<Self>> {
        match self {
            Self::List(list) => Some(list.elements.clone()),
            Self::Native(native) if native.is_array() => Some(native.parts()),
            _ => None,
        }
    }

    /// Returns the array with other elements: packed if it was.
    pub(super) fn with_elements(self, elements: Vec<Self>) -> Made<R> {
        match self {
            Self::List(list) => {
                super::value::List::of(list.mark.clone(), elements).map_err(Error::str)
            }
            Self::Native(native) => native.with_parts(&elements).map_err(Error::str),
            _ => Self::list(elements).map_err(Error::str),
        }
    }
}

/// Returns the number, and of the many that are no number the one that has no sign.
const fn plain_nan(number: f64) -> f64 {
    if number.is_nan() { f64::NAN } else { number }
}

fn is_vector<R: Real>(native: &Native<R>) -> bool {
    !native.is_array() && native.value.variant_type().numbers().is_some()
}

fn refused<R: Real>(one: Value<R>, how: Math, other: Value<R>) -> Made<R> {
    Err(Error::math(one, how, other))
}

/// Returns two texts as one. A text that nobody else holds grows where it is: filters join texts one by one.
fn joined<R: Real>(one: Rc<Text>, other: &Text) -> Value<R> {
    let copied = |one: &[u8]| Value::of_bytes(&[one, other.text.as_bytes()].concat());
    match (Rc::try_unwrap(one).map(|one| one.text.into_string()), other.text.as_str()) {
        (Ok(Ok(mut one)), Some(other)) => {
            one.push_str(other);
            Value::text(one)
        }
        (Ok(Ok(one)), None) => copied(one.as_bytes()),
        (Ok(Err(one)), _) => copied(one.as_bytes()),
        (Err(one), _) => copied(one.text.as_bytes()),
    }
}

impl<R: Real> Add for Value<R> {
    type Output = Made<R>;

    fn add(self, other: Self) -> Made<R> {
        let (one, other) = match (self, other) {
            (Self::Nil, value) | (value, Self::Nil) => return Ok(value),
            (Self::Text(one), Self::Text(other)) => return Ok(joined(one, &other)),
            (Self::Map(one), Self::Map(other)) => {
                let mut one = unshared(one);
                for (key, value) in other.entries.iter() {
                    one.entries.set(key.clone(), value.clone());
                }
                return one.holding(Self::Map(other).depth()).map_err(Error::str);
            }
            (Self::List(one), Self::List(other)) => {
                let mut one = unshared(one);
                one.elements.extend(other.elements.iter().cloned());
                return one.holding(Self::List(other).depth()).map_err(Error::str);
            }
            others => others,
        };
        if let Some(made) = one.calculated(&other, (i64::checked_add, f64::add)) {
            return made;
        }
        match (one.elements(), other.elements()) {
            (Some(mut elements), Some(more)) => {
                elements.extend(more);
                one.with_elements(elements)
            }
            _ => refused(one, Math::Add, other),
        }
    }
}

impl<R: Real> Sub for Value<R> {
    type Output = Made<R>;

    fn sub(self, other: Self) -> Made<R> {
        if let Some(made) = self.calculated(&other, (i64::checked_sub, f64::sub)) {
            return made;
        }
        match (self.elements(), other.elements()) {
            (Some(mut elements), Some(other)) => {
                let other: BTreeSet<_> = other.into_iter().collect();
                elements.retain(|element| !other.contains(element));
                self.with_elements(elements)
            }
            _ => refused(self, Math::Sub, other),
        }
    }
}

impl<R: Real> Mul for Value<R> {
    type Output = Made<R>;

    fn mul(self, other: Self) -> Made<R> {
        let numbers: Numbers = (i64::checked_mul, f64::mul);
        let made = self.calculated(&other, numbers);
        let made = made.or_else(|| self.scaled(&other, numbers));
        if let Some(made) = made.or_else(|| other.scaled(&self, numbers)) {
            return made;
        }
        match (self, other) {
            (Self::Text(text), number) | (number, Self::Text(text)) if number.float().is_some() => {
                let times = number.float().unwrap_or_default();
                if times <= 0.0 || times.is_nan() {
                    return Ok(Self::Nil);
                }
                let bytes = text.text.as_bytes();
                if times * bytes.len() as f64 > LONGEST as f64 {
                    return Err(Error::str(format_args!("a text of more than {LONGEST} bytes")));
                }
                Ok(Self::of_bytes(&bytes.repeat(times.ceil() as usize)))
            }
            (Self::Map(one), Self::Map(other)) => merged(&one, &other),
            (one, other) => refused(one, Math::Mul, other),
        }
    }
}

/// Merges dictionaries, and those in them.
fn merged<R: Real>(one: &Map<R>, other: &Map<R>) -> Made<R> {
    let mut made = one.clone();
    for (key, value) in other.entries.iter() {
        let value = match (made.entries.get(key), value) {
            (Some(Value::Map(one)), Value::Map(other)) => merged(one, other)?,
            _ => value.clone(),
        };
        made.entries.set(key.clone(), value);
    }
    Map::of(made.mark, made.entries).map_err(Error::str)
}

impl<R: Real> Div for Value<R> {
    type Output = Made<R>;

    fn div(self, other: Self) -> Made<R> {
        let is_number = self.float().is_some() || matches!(self, Self::Native(_));
        if is_number && other.float() == Some(0.0) {
            return refused(self, Math::Div, other);
        }
        // What divides without a rest stays whole.
        let whole = |one: i64, other: i64| {
            one.checked_rem(other).filter(|rest| *rest == 0).and(one.checked_div(other))
        };
        let numbers: Numbers = (whole, f64::div);
        let made = self.calculated(&other, numbers);
        if let Some(made) = made.or_else(|| self.scaled(&other, numbers)) {
            return made;
        }
        match (&self, &other) {
            (Self::Text(text), Self::Text(separator)) => {
                let pieces = split(text.text.as_bytes(), separator.text.as_bytes());
                Self::list(pieces.into_iter().map(Self::of_bytes).collect()).map_err(Error::str)
            }
            _ => refused(self, Math::Div, other),
        }
    }
}

/// Splits a text, at every character where the separator is empty.
fn split<'t>(text: &'t [u8], separator: &[u8]) -> Vec<&'t [u8]> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    if text.is_empty() {
        return pieces;
    }
    while at < text.len() {
        if separator.is_empty() {
            // No byte within a character is the first of one.
            if at > 0 && text[at] & 0xc0 != 0x80 {
                pieces.push(&text[start..at]);
                start = at;
            }
            at += 1;
        } else if text[at..].starts_with(separator) {
            pieces.push(&text[start..at]);
            at += separator.len();
            start = at;
        } else {
            at += 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

impl<R: Real> Rem for Value<R> {
    type Output = Made<R>;

    fn rem(self, other: Self) -> Made<R> {
        match (&self, &other) {
            (Self::Int(_), Self::Int(0)) => refused(self, Math::Rem, other),
            // The smallest number has no opposite; nothing is left of it, either.
            (Self::Int(one), Self::Int(other)) => Ok(Self::Int(one.wrapping_rem(*other))),
            _ => match (self.float(), other.float()) {
                // As jq does, without the fraction.
                (Some(one), Some(divisor)) => {
                    if one.is_nan() || divisor.is_nan() {
                        return Ok(Self::Float(f64::NAN));
                    }
                    match (one as i64, divisor as i64) {
                        (_, 0) => refused(self, Math::Rem, other),
                        (one, divisor) => Ok(Self::Int(one.wrapping_rem(divisor))),
                    }
                }
                _ => refused(self, Math::Rem, other),
            },
        }
    }
}

impl<R: Real> Neg for Value<R> {
    type Output = Made<R>;

    fn neg(self) -> Made<R> {
        match &self {
            Self::Int(number) => Ok(match number.checked_neg() {
                Some(number) => Self::Int(number),
                None => Self::Float(-(*number as f64)),
            }),
            Self::Long(digits) => {
                let opposite = match digits.strip_prefix('-') {
                    Some(digits) => Self::number(digits),
                    None => Self::number(&format!("-{digits}")),
                };
                opposite.map_err(Error::str)
            }
            Self::Float(number) => Ok(Self::Float(-number)),
            Self::Native(native) if is_vector(native) => {
                let parts: Result<Vec<_>, _> = native.parts().into_iter().map(Neg::neg).collect();
                native.with_parts(&parts?).map_err(Error::str)
            }
            _ => Err(Error::typ(self, "number")),
        }
    }
}
