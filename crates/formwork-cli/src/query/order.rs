//! The order of values: null, bools, numbers, texts, arrays, dictionaries, then all others.

// `<` has no place for NaN among the numbers, sorting needs one.
#![allow(clippy::non_canonical_partial_ord_impl, reason = "see above")]

use std::cmp::Ordering;

use formwork_variant::Real;

use super::value::{Map, Value};

impl<R: Real> Value<R> {
    fn rank(&self) -> u8 {
        match self {
            Self::Nil => 0,
            Self::Bool(_) => 1,
            Self::Int(_) | Self::Long(_) | Self::Float(_) => 2,
            Self::Text(_) => 3,
            Self::List(_) => 4,
            Self::Native(native) if native.is_array() => 4,
            Self::Map(_) => 5,
            Self::Native(_) => 6,
        }
    }

    fn is_nan(&self) -> bool {
        matches!(self, Self::Float(number) if number.is_nan())
    }
}

impl<R: Real> Ord for Value<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(one), Self::Bool(other)) => one.cmp(other),
            (Self::Int(one), Self::Int(other)) => one.cmp(other),
            (Self::Int(one), Self::Float(other)) => int_and_float(*one, *other),
            (Self::Float(one), Self::Int(other)) => int_and_float(*other, *one).reverse(),
            (Self::Float(one), Self::Float(other)) => floats(*one, *other),
            (Self::Long(one), Self::Long(other)) => digits(one, other),
            (Self::Long(one), Self::Int(other)) => digits(one, &other.to_string()),
            (Self::Int(one), Self::Long(other)) => digits(&one.to_string(), other),
            (Self::Long(one), Self::Float(other)) => long_and_float(one, *other),
            (Self::Float(one), Self::Long(other)) => long_and_float(other, *one).reverse(),
            (Self::Text(one), Self::Text(other)) => one.text.as_bytes().cmp(other.text.as_bytes()),
            (Self::List(one), Self::List(other)) => one.elements.cmp(&other.elements),
            (Self::Map(one), Self::Map(other)) => maps(one, other),
            (Self::List(one), Self::Native(other)) if other.is_array() => {
                one.elements.cmp(&other.parts())
            }
            (Self::Native(one), Self::List(other)) if one.is_array() => {
                one.parts().cmp(&other.elements)
            }
            (Self::Native(one), Self::Native(other)) if one.is_array() && other.is_array() => {
                one.parts().cmp(&other.parts())
            }
            (Self::Native(one), Self::Native(other)) => {
                let types = one.type_name().cmp(other.type_name());
                types.then_with(|| match one.count() {
                    Some(_) => one.parts().cmp(&other.parts()),
                    None => self.to_string().cmp(&Self::Native(other.clone()).to_string()),
                })
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// Compares as the greatest total order that numbers have: NaN before all others.
fn floats(one: f64, other: f64) -> Ordering {
    one.partial_cmp(&other).unwrap_or_else(|| other.is_nan().cmp(&one.is_nan()))
}

/// Compares a whole number with any other, exactly.
fn int_and_float(int: i64, float: f64) -> Ordering {
    if float.is_nan() {
        return Ordering::Greater;
    }
    // Two to the 63rd: no int is as great.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if float >= END {
        return Ordering::Less;
    }
    if float < -END {
        return Ordering::Greater;
    }
    let whole = float.floor();
    int.cmp(&(whole as i64)).then(if float > whole { Ordering::Less } else { Ordering::Equal })
}

/// Compares a whole number of more than 64 bits with a float, exactly.
fn long_and_float(long: &str, float: f64) -> Ordering {
    if float.is_nan() {
        return Ordering::Greater;
    }
    if float.is_infinite() {
        return 0.0.partial_cmp(&float).unwrap_or(Ordering::Equal);
    }
    // A float with a fraction is far smaller, so rounding it changes nothing.
    digits(long, &format!("{float:.0}"))
}

/// Compares whole numbers in decimal digits without zeros in front.
fn digits(one: &str, other: &str) -> Ordering {
    match (one.strip_prefix('-'), other.strip_prefix('-')) {
        (None, None) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(one), Some(other)) => digits(other, one),
    }
}

/// Compares the sorted keys, then the values in their order.
fn maps<R: Real>(one: &Map<R>, other: &Map<R>) -> Ordering {
    let sorted = |map: &Map<R>| {
        let mut entries: Vec<_> =
            map.entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        entries.into_iter().unzip::<_, _, Vec<_>, Vec<_>>()
    };
    sorted(one).cmp(&sorted(other))
}

impl<R: Real> PartialOrd for Value<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // As in jq, whose filters ask for NaN so.
        if self.is_nan() && other.is_nan() {
            return Some(Ordering::Less);
        }
        Some(self.cmp(other))
    }
}

impl<R: Real> PartialEq for Value<R> {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl<R: Real> Eq for Value<R> {}
