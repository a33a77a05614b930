//! The functions that filters call: jq's own, and some for values of engines.

use std::collections::BTreeSet;
use std::io::Write as _;

use formwork_variant::json::{Json, Style};
use formwork_variant::{Dialect, Limits};
use formwork_variant::{NodePath, Real, Variant, VariantString, VariantType};
use jaq_core::load::parse::Def;
use jaq_core::native::{Filter, Fun, bome, run, unary, v};
use jaq_core::{Error, RunPtr, ValR, load};

use super::data::Kind;
use super::value::{Text, TextKind, Value};
use super::{access, guard, native, plain, regex};

/// The filters that are made of others: jq's own, and what they need.
pub(super) fn definitions() -> impl Iterator<Item = Def<&'static str>> {
    let own = |text| load::parse(text, |parser| parser.defs()).unwrap_or_default();
    jaq_core::defs()
        .chain(own(include_str!("checked.jq")))
        .chain(jaq_std::defs().filter(|def| {
            !regex::REPLACED.contains(&def.name) && !["infinite", "nan"].contains(&def.name)
        }))
        .chain(own(include_str!("definitions.jq")))
}

/// The functions of jaq that overflow with numbers that are no times, and their names after the check.
const CHECKED: [(&str, &str); 6] = [
    ("gmtime", "unchecked_gmtime"),
    ("localtime", "unchecked_localtime"),
    ("mktime", "unchecked_mktime"),
    ("todateiso8601", "unchecked_todateiso8601"),
    ("strftime", "unchecked_strftime"),
    ("strflocaltime", "unchecked_strflocaltime"),
];

/// The functions of jaq that are otherwise here: they print by themselves, calculate too far, match too little, or give
/// a large float all the digits of a whole number.
const REPLACED: [&str; 9] = [
    "debug_empty",
    "stderr_empty",
    "implode",
    "matches",
    "split_matches",
    "split_",
    "floor",
    "round",
    "ceil",
];

/// Returns all functions.
pub(super) fn functions<R: Real>() -> impl Iterator<Item = Fun<Kind<R>>> {
    let inputs = jaq_std::input::funs::<Kind<R>>().into_vec().into_iter();
    let standard = jaq_core::funs().chain(jaq_std::funs());
    let check = (guard::NAME, v(0), guard::check());
    let own = inputs.chain(own()).chain(regex::functions());
    let own = own.map(|function| run::<Kind<R>>(function));
    let standard = standard.filter(|(name, ..)| !REPLACED.contains(name)).map(|(name, of, run)| {
        let checked = CHECKED.iter().find(|(known, _)| *known == name);
        (checked.map_or(name, |(_, name)| name), of, run)
    });
    let again = jaq_core::funs().filter_map(|(name, of, run)| match name {
        "first" => Some((guard::FIRST, of, run)),
        "last" => Some((guard::LAST, of, run)),
        _ => None,
    });
    standard.chain(own).chain(again).chain([check])
}

/// Returns the functions that filters may call, each with the number of its arguments: `map/1`.
fn names<R: Real>() -> BTreeSet<String> {
    let made = definitions().map(|def| (def.name, def.args.len()));
    let given = functions::<R>().map(|(name, arguments, _)| (name, arguments.len()));
    let is_word = |name: &str| {
        name.starts_with(|it: char| it.is_ascii_lowercase()) && !name.starts_with("unchecked_")
    };
    let all = made.chain(given).filter(|(name, _)| is_word(name));
    all.map(|(name, arguments)| format!("{name}/{arguments}")).collect()
}

fn own<R: Real>() -> Vec<Filter<RunPtr<Kind<R>>>> {
    vec![
        ("debug_empty", v(0), |cv| {
            note(&format!("[\"DEBUG:\",{}]\n", cv.1));
            Box::new(std::iter::empty())
        }),
        ("stderr_empty", v(0), |cv| {
            match &cv.1 {
                Value::Text(text) => note(&text.text.to_string_lossy()),
                value => note(&value.to_string()),
            }
            Box::new(std::iter::empty())
        }),
        ("implode", v(0), |cv| bome(imploded(&cv.1))),
        ("floor", v(0), |cv| bome(rounded(cv.1, f64::floor))),
        ("round", v(0), |cv| bome(rounded(cv.1, f64::round))),
        ("ceil", v(0), |cv| bome(rounded(cv.1, f64::ceil))),
        ("time", v(0), |cv| bome(time(cv.1))),
        ("length", v(0), |cv| bome(length(&cv.1))),
        ("contains", v(1), |cv| unary(cv, |value, part| Ok(contains(&value, &part).into()))),
        ("has", v(1), |cv| {
            unary(cv, |value, key| match &value {
                // A field of a document is found by its tag, but no key of what is around it.
                Value::Map(map) => Ok(map.entries.position(&key).is_some().into()),
                value => value.entry(&key).map(|found| found.is_some().into()),
            })
        }),
        ("indices", v(1), |cv| unary(cv, |value, part| indices(&value, &part))),
        ("bsearch", v(1), |cv| {
            unary(cv, |value, wanted| {
                let elements = value.elements().ok_or_else(|| Error::typ(value, "array"))?;
                Ok(match elements.binary_search(&wanted) {
                    Ok(at) => Value::from(at),
                    Err(at) => Value::Int(-1 - at as i64),
                })
            })
        }),
        ("tojson", v(0), |cv| {
            let json = match cv.0.data().dialect {
                Some(dialect) => cv.1.to_json(dialect),
                None => plain::to_json(&cv.1, Style::Compact),
            };
            bome(Ok(Value::from(json)))
        }),
        ("fromjson", v(0), |cv| {
            let Value::Text(text) = &cv.1 else { return bome(Err(Error::typ(cv.1, "string"))) };
            bome(from_json(&text.text.to_string_lossy(), cv.0.data().dialect).map_err(Error::str))
        }),
        ("builtins", v(0), |_| {
            let names = names::<R>().into_iter().map(Value::text).collect();
            bome(Value::list(names).map_err(Error::str))
        }),
        ("is_native", v(0), |cv| {
            bome(Ok(matches!(&cv.1, Value::Native(native) if !native.is_array()).into()))
        }),
        ("type_name", v(0), |cv| {
            let dialect = cv.0.data().dialect.unwrap_or(Dialect::GODOT4);
            let variant_type = cv.1.to_variant(dialect).variant_type();
            bome(Ok(Value::text(dialect.type_name(variant_type))))
        }),
        ("of_type", v(1), |cv| {
            let dialect = cv.0.data().dialect.unwrap_or(Dialect::GODOT4);
            unary(cv, move |value, name| of_type(&value, &name, dialect).map_err(Error::str))
        }),
    ]
}

/// Prints what is no output.
fn note(text: &str) {
    let mut out = crate::terminal::stderr();
    // Without a working standard error nobody reads it.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Reads JSON that holds one value.
pub(super) fn from_json<R: Real>(json: &str, dialect: Option<Dialect>) -> Result<Value<R>, String> {
    let Some(dialect) = dialect else {
        return plain::read(json).map_err(|error| format!("no JSON: {error}"));
    };
    // An engine rounds such a number, also where it is only read and printed.
    if json.bytes().filter(u8::is_ascii_digit).count() > 18
        && let Ok(value) = plain::read(json)
        && value.keeps_digits()
    {
        return Ok(value);
    }
    let deep = u32::try_from(super::value::DEPTH).unwrap_or(u32::MAX);
    let form = Json::lossless(dialect).in_precision::<R>().limits(Limits::default().depth(deep));
    let value = form.read(json.as_bytes()).map_err(|error| {
        format!("no JSON of {dialect}: expected {}, found {}", error.expected(), error.found())
    })?;
    Value::of(&value, dialect).map_err(|error| error.to_string())
}

/// Returns what may be a time: seconds, or a list of year, month and so on.
fn time<R: Real>(value: Value<R>) -> ValR<Value<R>> {
    /// Seconds of 200,000 years, which no calendar here has.
    const MOST: i64 = 1 << 42;
    match value {
        Value::Int(number) if !(-MOST..MOST).contains(&number) => {
            Err(Error::str(format_args!("{number} is no time")))
        }
        value => match value.elements() {
            Some(parts)
                if parts.get(1).is_some_and(|it| !(0..12).contains(&it.whole().unwrap_or(0))) =>
            {
                Err(Error::str(format_args!("{value} is no time: months are 0 to 11")))
            }
            _ => Ok(value),
        },
    }
}

/// Returns a number without its fraction: a whole number if it has 64 bits.
fn rounded<R: Real>(value: Value<R>, round: fn(f64) -> f64) -> ValR<Value<R>> {
    match (&value, value.float()) {
        (Value::Int(_) | Value::Long(_), _) => Ok(value),
        (_, Some(number)) => {
            let number = Value::Float(round(number));
            Ok(number.whole().map_or(number, Value::Int))
        }
        (_, None) => Err(Error::typ(value, "number")),
    }
}

fn imploded<R: Real>(value: &Value<R>) -> ValR<Value<R>> {
    let letters = value.elements().ok_or_else(|| Error::typ(value.clone(), "array"))?;
    let letter = |letter: &Value<R>| {
        let number = letter.whole().and_then(|number| u32::try_from(number).ok());
        number
            .filter(|number| char::from_u32(*number).is_some())
            .ok_or_else(|| Error::str(format_args!("{letter} is the number of no character")))
    };
    let letters: Result<Vec<_>, _> = letters.iter().map(letter).collect();
    Ok(Value::text(VariantString::from_numbers(letters?)))
}

fn length<R: Real>(value: &Value<R>) -> ValR<Value<R>> {
    Ok(match value {
        Value::Nil => Value::Int(0),
        Value::Int(number) => match number.checked_abs() {
            Some(number) => Value::Int(number),
            None => Value::Float((*number as f64).abs()),
        },
        Value::Long(digits) => match digits.strip_prefix('-') {
            Some(digits) => Value::number(digits).map_err(Error::str)?,
            None => value.clone(),
        },
        Value::Float(number) => Value::Float(number.abs()),
        Value::Text(text) => Value::from(text.text.numbers().count()),
        Value::List(list) => Value::from(list.elements.len()),
        Value::Map(map) => Value::from(map.entries.len()),
        Value::Native(native) => match native.count() {
            Some(count) => Value::from(count),
            None => return Err(Error::str(format_args!("{value} has no length"))),
        },
        Value::Bool(_) => return Err(Error::str(format_args!("{value} has no length"))),
    })
}

fn contains<R: Real>(value: &Value<R>, part: &Value<R>) -> bool {
    match (value, part) {
        (Value::Text(text), Value::Text(part)) => {
            let (text, part) = (text.text.as_bytes(), part.text.as_bytes());
            part.is_empty() || text.windows(part.len()).any(|window| window == part)
        }
        (Value::Map(map), Value::Map(part)) => part
            .entries
            .iter()
            .all(|(key, part)| map.entries.get(key).is_some_and(|value| contains(value, part))),
        _ => match (value.elements(), part.elements()) {
            (Some(all), Some(parts)) => {
                parts.iter().all(|part| all.iter().any(|value| contains(value, part)))
            }
            _ => value == part,
        },
    }
}

fn indices<R: Real>(value: &Value<R>, part: &Value<R>) -> ValR<Value<R>> {
    match (value, part) {
        (Value::Nil, _) => Ok(Value::Nil),
        (Value::Text(text), Value::Text(part)) => {
            let letters = |text: &Text| text.text.numbers().collect::<Vec<_>>();
            let (text, part) = (letters(text), letters(part));
            if part.is_empty() {
                return Ok(Value::Nil);
            }
            let found = text.windows(part.len()).enumerate().filter(|(_, it)| *it == part);
            Ok(found.map(|(at, _)| Value::from(at)).collect())
        }
        _ => {
            let wrong = || Error::index(value.clone(), part.clone());
            let elements = value.elements().ok_or_else(wrong)?;
            let row = part.elements().unwrap_or_else(|| vec![part.clone()]);
            Ok(access::places(&elements, &row))
        }
    }
}

/// Returns a value as one of another type: `[1, 2]` as a Vector2.
fn of_type<R: Real>(
    value: &Value<R>,
    name: &Value<R>,
    dialect: Dialect,
) -> Result<Value<R>, String> {
    let wanted = match name {
        Value::Text(text) => text.text.to_string_lossy().into_owned(),
        other => other.to_string(),
    };
    let Some(variant_type) = dialect.type_named(&wanted) else {
        return Err(format!("{dialect} has no type '{wanted}'"));
    };
    let wrong = || format!("{value} cannot be a {wanted}");
    let text = |kind: fn(&VariantString) -> TextKind| match value {
        Value::Text(text) => {
            let kind = kind(&text.text);
            Ok(Value::Text(Text { text: text.text.clone(), kind }.into()))
        }
        _ => Err(wrong()),
    };
    match variant_type {
        _ if value.to_variant(dialect).variant_type() == variant_type
            && !matches!(value, Value::Long(_)) =>
        {
            Ok(value.clone())
        }
        VariantType::Int => value.whole().map(Value::Int).ok_or_else(wrong),
        VariantType::Float => value.float().map(Value::Float).ok_or_else(wrong),
        VariantType::String => text(|_| TextKind::String),
        VariantType::StringName => text(|_| TextKind::StringName),
        VariantType::NodePath => text(|text| TextKind::NodePath(NodePath::parse(text))),
        VariantType::Array => match value.elements() {
            Some(elements) => Value::list(elements).map_err(|error| error.to_string()),
            None => Err(wrong()),
        },
        variant_type => {
            let parts = match value {
                Value::Native(native) if native.count().is_some() => native.parts(),
                value => value.elements().ok_or_else(wrong)?,
            };
            let made: Variant<R> = native::made(variant_type, &parts, dialect)?;
            Value::of(&made, dialect).map_err(|error| error.to_string())
        }
    }
}
