//! Files that filters read and change: JSON to the filter, and back into the file.

use std::borrow::Cow;

use formwork::document::Json;
use formwork_variant::Dialect;

use super::filter::{self, Feed, Filter};
use super::value::Value;
use super::{Query, place, read, stack};
use crate::content::{Fidelity, Replacing};
use crate::failure::{Failure, Status};
use crate::form::Form;
use crate::source::{self, Source};
use crate::style::shown;

/// Changes that people are told, unless they want all.
const SHOWN: usize = 20;

/// The name of what a filter gives, in messages.
const MADE: &str = "what the filter gives";

impl Query {
    /// Returns the names of members with which the filter begins, if it looks at nothing else.
    pub(super) fn leading(&self) -> Result<Vec<String>, Failure> {
        // A filter from a pipe can be read once.
        Ok(if self.from_file.is_none() { filter::leading(&self.code()?) } else { Vec::new() })
    }

    fn code(&self) -> Result<Cow<'_, str>, Failure> {
        Ok(match &self.from_file {
            None => Cow::from(&self.filter),
            Some(path) => String::from_utf8(read(path)?)
                .map_err(|_| Failure::usage(format!("{}: this is no text", source::name(path))))?
                .into(),
        })
    }

    /// Runs what runs the filter where it has enough stack.
    fn ready<T: Send>(
        &self,
        run: impl FnOnce(&Filter) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        let code = self.code()?;
        let ended =
            stack::with_stack(|| run(&Filter::new(&code, self.variables.all(&self.file)?)?));
        ended.unwrap_or_else(|| Err(Failure::unreadable("the filter could not be run")))
    }

    /// Prints what the filter gives, as `decode` prints the values of the dialect.
    pub(super) fn print_made(
        &self,
        (inputs, feed): (Vec<Json>, Feed),
        dialect: Option<Dialect>,
    ) -> Result<Status, Failure> {
        self.ready(|filter| {
            let mut last = false;
            let inputs = inputs.into_iter().map(Value::from).collect();
            let output = self.options.output();
            let palette = self.printing.palette(&output);
            output.write(|out| {
                filter.run(inputs, feed, |value| {
                    last = jaq_core::ValT::as_bool(&value);
                    self.printing.print(&value, dialect, palette.as_ref(), out)
                })
            })?;
            Ok(if self.printing.exit_status && !last { Status::No } else { Status::Done })
        })
    }

    /// Makes the file what the filter gives.
    pub(super) fn update(&mut self) -> Result<Status, Failure> {
        (self.options.lines, self.options.trees) = (Some(SHOWN), self.tree);
        let mut changes = 0;
        let status = self.options.run(&self.file, &mut |content| {
            let (olds, is_list) = content.json();
            let mut news = self.changed(&olds, content.name)?;
            let new = match (is_list, news.len()) {
                (true, _) => Json::Array(news),
                (false, 1) => news.remove(0),
                (false, _) => {
                    return Err(Failure::no(format!("{}: the file is one value", content.name)));
                }
            };
            let text = Source::of_bytes(MADE.to_owned(), new.to_string().into_bytes());
            let by = Replacing::by(Form::Json, Fidelity::Exact);
            let replaced = content.replace(&text, by);
            let changed = replaced.map_err(|failure| failure.in_new_value(""))?.changed;
            changes = changed.len();
            Ok(changed)
        })?;
        if changes == 0 {
            let name = source::name(&self.file);
            self.options.say(&self.file, &format!("{name}: nothing changed"))?;
        }
        Ok(status)
    }

    /// Returns what the filter makes of each value, in the types and forms of the old one; with `--slurp`, what
    /// it makes of the list of all. A whole value keeps its kind, unless that is forced.
    fn changed(&self, olds: &[Json], name: &str) -> Result<Vec<Json>, Failure> {
        let mut news = self.ready(|filter| {
            if self.slurp {
                return match one(filter, olds, Feed::Slurped)? {
                    Json::Array(news) => Ok(news),
                    _ => Err(Failure::no(
                        "with --slurp the filter is to give the list of all values",
                    )),
                };
            }
            olds.chunks(1).map(|old| one(filter, old, Feed::Each)).collect()
        })?;
        // Of lists of different lengths, nobody knows which value was which.
        let are_pairs = olds.len() == news.len();
        for (old, new) in olds.iter().zip(&mut news) {
            if self.slurp && olds.contains(new) {
                continue;
            }
            if are_pairs {
                new.for_each_with(old, &keep_type);
                new.keep_forms(old);
            }
            if !self.force && kind(old) != kind(new) {
                let (is, becomes) = (shown(kind(old)), shown(kind(new)));
                return Err(Failure::usage(format!(
                    "{name}: the whole value, {is}, would become {becomes}: {}",
                    shown(crate::report::short(new))
                ))
                .hint("to change a value in it, write its path with = or |=, such as: .player.gold = 5")
                .hint("to print a value, leave out -i; to write it all the same, use --force"));
            }
        }
        Ok(news)
    }
}

/// Runs the filter, which is to give one value.
fn one(filter: &Filter, inputs: &[Json], feed: Feed) -> Result<Json, Failure> {
    let mut made = None;
    let failed = |what| {
        Failure::no(format!("the filter gives {what}"))
            .hint("to change the file, write paths with |=, such as: .player.gold |= . + 1")
    };
    filter.run(inputs.iter().cloned().map(Value::from).collect(), feed, |value| {
        match made.replace(Json::from(&value)) {
            None => Ok(()),
            Some(_) => Err(failed("several values where the file has one")),
        }
    })?;
    made.ok_or_else(|| failed("no value, so nothing can be written"))
}

/// Returns the kind of a value in words.
fn kind(json: &Json) -> &str {
    match json {
        Json::Object(members) => match members.first() {
            Some((name, _)) if name == "$float" => "a number",
            Some((name, _)) if name.starts_with('$') && name != "$dictionary" => name,
            _ => json.kind(),
        },
        json => json.kind(),
    }
}

/// Returns a list of vectors as the numbers in them.
fn flat(vectors: Vec<Json>) -> Vec<Json> {
    let numbers = |it: Json| match it {
        Json::Array(numbers) => numbers,
        Json::Object(mut members) if members.len() == 1 => match members.remove(0).1 {
            Json::Array(numbers) => numbers,
            other => vec![other],
        },
        other => vec![other],
    };
    vectors.into_iter().flat_map(numbers).collect()
}

/// Returns whether a value is a list of as many numbers, or has one under the name of its type.
fn is_vector(json: &Json, count: usize) -> bool {
    match (json, json.tag()) {
        (Json::Array(numbers), _) | (_, Some((_, Json::Array(numbers)))) => numbers.len() == count,
        _ => false,
    }
}

/// Gives a new value the type of the old one: `[1, 2]` becomes a Vector2 where a Vector2 is.
fn keep_type(old: &Json, new: &mut Json) {
    let Json::Object(olds) = old else { return };
    let Some((tag, content)) = olds.first().filter(|it| it.0.starts_with('$')) else { return };
    *new = match (&**tag, content, std::mem::take(new)) {
        ("$float", _, Json::Number(digits)) if !digits.contains(['.', 'e', 'E']) => {
            Json::Number(digits + ".0")
        }
        ("$dictionary", _, Json::Object(members))
            if !members.iter().any(|it| it.0.starts_with('$')) =>
        {
            let pairs = members.into_iter().map(|(key, it)| Json::Array(vec![key.into(), it]));
            let content = (tag.clone(), Json::Array(pairs.collect()));
            Json::Object(std::iter::once(content).chain(olds[1..].iter().cloned()).collect())
        }
        (tag, Json::Array(_), Json::Array(new)) => {
            let is_rows =
                place::row_of(tag).is_some_and(|count| new.iter().all(|it| is_vector(it, count)));
            let content = (tag.to_owned(), Json::Array(if is_rows { flat(new) } else { new }));
            Json::Object(std::iter::once(content).chain(olds[1..].iter().cloned()).collect())
        }
        (_, Json::String(_), it @ Json::String(_)) => {
            let content = (tag.clone(), it);
            Json::Object(std::iter::once(content).chain(olds[1..].iter().cloned()).collect())
        }
        // Bytes are a text, and are read from a list, too.
        (name, Json::String(_), it @ Json::Array(_)) if place::is_bytes(name) => {
            Json::tagged(name, it)
        }
        (_, _, it) => it,
    };
}
