//! The functions that filters call: those of jaq, and some that depend on the kind of values.

use std::io::Write as _;

use formwork::document::Json;
use jaq_core::load::Lexer;
use jaq_core::load::parse::{Def, Parser};
use jaq_core::native::{Filter, Fun, bome, run, unary, v};
use jaq_core::{Error, RunPtr, ValR, ValT as _};
use jaq_json::{Num, Val};
use jaq_std::ValT as _;

use super::kind::Kind;
use super::value::Value;
use super::{guard, place};

/// Returns the filters that are made of others.
pub(super) fn definitions() -> impl Iterator<Item = Def<&'static str>> {
    let own = |text| {
        let mut tokens = Lexer::new(text).lex().unwrap_or_default();
        guard::guard(&mut tokens);
        Parser::new(&tokens).parse(|parser| parser.defs()).unwrap_or_default()
    };
    // jaq makes these by dividing by zero, which is an error here.
    let numbers = own("def infinite: 1e1000 + 0; def nan: infinite - infinite;");
    let of_jaq = jaq_std::defs().filter(|def| !["infinite", "nan"].contains(&def.name));
    let of_jaq = jaq_core::defs().chain(numbers).chain(of_jaq).chain(jaq_json::defs());
    of_jaq.chain(own(include_str!("prelude.jq")))
}

/// Returns the functions. Those of jaq that print use a log, which this program does not have.
pub(super) fn functions() -> impl Iterator<Item = Fun<Kind>> {
    let of_jaq = jaq_core::funs().chain(jaq_std::funs());
    let of_jaq = of_jaq.filter(|(name, ..)| !["debug_empty", "stderr_empty"].contains(name));
    let inputs = jaq_std::input::funs::<Kind>().into_vec();
    let own = inputs.into_iter().chain(own()).map(run::<Kind>);
    of_jaq.chain(own).chain([(guard::NAME, v(0), guard::check())])
}

fn own() -> Vec<Filter<RunPtr<Kind>>> {
    vec![
        ("debug_empty", v(0), |cv| {
            note(&format!("[\"DEBUG:\",{}]\n", cv.1));
            Box::new(std::iter::empty())
        }),
        ("stderr_empty", v(0), |cv| {
            note(&match cv.1.as_utf8_bytes() {
                Some(text) => String::from_utf8_lossy(text).into_owned(),
                None => cv.1.to_string(),
            });
            Box::new(std::iter::empty())
        }),
        ("tojson", v(0), |cv| bome(Ok(Value::from(cv.1.to_string())))),
        ("fromjson", v(0), |cv| {
            let text = cv.1.try_as_utf8_bytes().map(<[u8]>::to_vec);
            bome(text.and_then(|text| {
                let json = Json::read(&text);
                json.map(Value::from).map_err(|error| Error::str(format_args!("no JSON: {error}")))
            }))
        }),
        ("tag", v(0), |cv| {
            bome(
                Ok(place::tag(&cv.1.json).map_or_else(Value::default, |tag| tag.to_owned().into())),
            )
        }),
        ("length", v(0), |cv| bome(length(cv.1))),
        ("contains", v(1), |cv| {
            unary(cv, |value, part| Ok(contains(&value.json, &part.json).into()))
        }),
        ("has", v(1), |cv| {
            unary(cv, |value, key| match (&value.json, place::inside(&value.json)) {
                (Val::Obj(members), _) if members.contains_key(&key.json) => Ok(true.into()),
                (_, Some(inside)) => Ok(inside.iter().any(|(it, _)| *it == key.json).into()),
                (_, None) => Err(Error::index(value, key)),
            })
        }),
        ("indices", v(1), |cv| unary(cv, |value, part| indices(&value, &part))),
        ("bsearch", v(1), |cv| {
            unary(cv, |value, wanted| {
                let elements: Vec<Value> =
                    value.into_seq().map_err(|it| Error::typ(it, "array"))?;
                let found = elements.binary_search(&wanted);
                Ok(found.map_or_else(|at| Value::from(-1 - at as isize), Value::from))
            })
        }),
    ]
}

/// Prints what is no output.
fn note(text: &str) {
    let mut out = crate::terminal::stderr();
    // Without a working standard error nobody reads it.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn length(value: Value) -> Result<Value, Error<Value>> {
    match &value.json {
        Val::Bool(_) => Err(Error::str(format_args!("{value} has no length"))),
        Val::Num(number) if *number < Num::Int(0) => -value,
        Val::Num(_) => Ok(value),
        json => Ok(place::count(json).into()),
    }
}

fn indices(value: &Value, part: &Value) -> ValR<Value> {
    let letters = |text: String| text.chars().map(|it| Value::from(it as usize)).collect::<Value>();
    match (value.text(), part.text(), place::list(&part.json)) {
        _ if value.json == Val::Null => Ok(Value::default()),
        (Some(text), Some(part), _) => letters(text).index(&letters(part)),
        (_, _, Some(_)) => value.clone().index(part),
        _ => value.clone().index(&std::iter::once(part.clone()).collect()),
    }
}

fn contains(value: &Val, part: &Val) -> bool {
    match (value, part) {
        (Val::TStr(text), Val::TStr(part)) => {
            part.is_empty() || text.windows(part.len()).any(|window| window == &part[..])
        }
        (Val::Arr(all), Val::Arr(parts)) => {
            parts.iter().all(|part| all.iter().any(|value| contains(value, part)))
        }
        (Val::Obj(all), Val::Obj(parts)) => {
            parts.iter().all(|(key, part)| all.get(key).is_some_and(|value| contains(value, part)))
        }
        _ => value == part,
    }
}
