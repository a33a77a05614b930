//! Filters on JSON, for documents of any format.

use std::path::Path;

use formwork::document::{Document, Json};
use formwork_variant::json::Style;

use super::run::{Feed, Filter};
use super::update::Updating;
use super::value::Value;
use super::{Printing, Query, Variables, guard, plain};
use crate::documents;
use crate::failure::{Failure, Status};
use crate::output::OutputOptions;
use crate::style::shown;

/// A filter and the variables that it knows.
pub(crate) struct JsonFilter<'q> {
    pub(crate) code: &'q str,
    pub(crate) variables: &'q Variables,
    /// The file that the filter is run on.
    pub(crate) file: &'q Path,
}

impl JsonFilter<'_> {
    /// Runs the filter on JSON, and hands each result to `take`.
    fn run(
        &self,
        json: &str,
        mut take: impl FnMut(Value<f32>) -> Result<(), Failure> + Send,
    ) -> Result<(), Failure> {
        let ended = guard::with_stack(|| {
            let filter = Filter::<f32>::new(self.code, self.variables.all(self.file, None)?, None)?;
            let input = plain::read(json).map_err(|error| Failure::no(error.to_string()))?;
            filter.run(vec![input], Feed::Each, &mut take)
        });
        ended.map_err(|error| Failure::unreadable(format!("the filter: {error}")))?
    }

    /// Prints what the filter gives.
    pub(crate) fn print(
        &self,
        json: &str,
        printing: &Printing,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        printing.take_effect();
        let (mut last, mut text) = (false, Vec::new());
        self.run(json, |value| {
            last = jaq_core::ValT::as_bool(&value);
            printing.print(value, &mut text, |value, out| {
                let written = writeln!(out, "{}", plain::to_json(value, printing.style()));
                written.map_err(|_| Failure::unread())
            })
        })?;
        output.write(|out| {
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(&text);
            Ok(())
        })?;
        Ok(if printing.exit_status && !last { Status::No } else { Status::Done })
    }

    /// Returns what the filter makes of a document that it changes.
    pub(crate) fn changed(&self, json: &Json, name: &str) -> Result<Json, Failure> {
        refuse_large(json, name)?;
        let mut new = documents::read_value(name, self.value(&json.to_string())?.as_bytes())?;
        documents::keep_forms(json, &mut new);
        Ok(new)
    }

    /// Returns the one value that the filter gives.
    fn value(&self, json: &str) -> Result<String, Failure> {
        let mut made = Vec::new();
        self.run(json, |value| {
            made.push(plain::to_json(&value, Style::Compact));
            Ok(())
        })?;
        let count = if made.is_empty() { "no value" } else { "several values" };
        match (made.pop(), made.pop()) {
            (Some(json), None) => Ok(json),
            _ => Err(Failure::no(format!("the filter gives {count}, and the file is one"))
                .hint("to change the file, write paths with |=, such as: .count |= . + 1")),
        }
    }
}

/// Returns JSON as filters see it.
fn input(json: &Json) -> Result<Value<f32>, Failure> {
    plain::read(&json.to_string()).map_err(|error| Failure::no(error.to_string()))
}

/// Refuses whole numbers that a filter would round: the file would get the rounded ones.
fn refuse_large(json: &Json, name: &str) -> Result<(), Failure> {
    let mut open = vec![json];
    while let Some(json) = open.pop() {
        match json {
            Json::Number(number)
                if !number.contains(['.', 'e', 'E']) && number.parse::<i64>().is_err() =>
            {
                return Err(Failure::no(format!(
                    "{name}: filters have whole numbers of 64 bits with a sign, and {number} would be rounded"
                ))
                .hint("to change one value: formwork set FILE PATH VALUE"));
            }
            Json::Array(elements) => open.extend(elements),
            Json::Object(members) => open.extend(members.iter().map(|it| &it.1)),
            _ => {}
        }
    }
    Ok(())
}

impl Query {
    /// Prints what the filter gives for the documents of files, as one sequence of values.
    pub(super) fn print_files(&self, files: &[documents::File<'_>]) -> Result<Status, Failure> {
        if let (Some(_), [file, ..]) = (self.options.index(), files) {
            return Err(file.no_index());
        }
        let filter = self.filter::<f32>(None)?;
        let mut inputs = Vec::new();
        for file in files {
            for json in each(&*file.open()?) {
                inputs.push(input(&json)?);
            }
        }
        self.print_all(&filter, inputs, |value, out| {
            let written = writeln!(out, "{}", plain::to_json(value, self.printing.style()));
            // A filter may go on for ever, but not when nobody listens.
            written.map_err(|_| Failure::unread())
        })
    }
}

/// Returns the kind of a document in words.
const fn kind(json: &Json) -> &'static str {
    match json {
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
        _ => "a single value",
    }
}

/// Returns the documents of a file.
fn each(document: &dyn Document) -> Vec<Json> {
    match (document.holds_several(), document.to_json()) {
        (true, Json::Array(documents)) => documents,
        (_, json) => vec![json],
    }
}

impl Updating<'_> {
    /// Returns what the filter makes of a document, or of each of several in a file.
    pub(super) fn document_of(&self, document: &dyn Document, name: &str) -> Result<Json, Failure> {
        let filter = self.query.filter::<f32>(None)?;
        let old = document.to_json();
        refuse_large(&old, name)?;
        let run = |inputs, feed| {
            let made = self.one(&filter, inputs, feed)?;
            documents::read_value(name, plain::to_json(&made, Style::Compact).as_bytes())
        };
        let olds = each(document);
        let inputs = olds.iter().map(input).collect::<Result<Vec<_>, _>>()?;
        let mut new = match (self.query.slurp, document.holds_several()) {
            (true, false) => match run(inputs, Feed::Slurped)? {
                Json::Array(mut all) if all.len() == 1 => all.remove(0),
                made => made,
            },
            (true, true) => run(inputs, Feed::Slurped)?,
            (false, true) => {
                let made = inputs.into_iter().map(|input| run(vec![input], Feed::Each));
                Json::Array(made.collect::<Result<_, _>>()?)
            }
            (false, false) => run(inputs, Feed::Each)?,
        };
        documents::keep_forms(&old, &mut new);
        let pairs = match (&old, &new) {
            (Json::Array(olds), Json::Array(news)) if document.holds_several() => {
                olds.iter().zip(news).collect()
            }
            _ => vec![(&old, &new)],
        };
        let other = pairs.into_iter().find(|(old, new)| kind(old) != kind(new));
        if let (Some((old, new)), false) = (other, self.query.force) {
            let (is, becomes) = (kind(old), kind(new));
            return Err(Failure::usage(format!(
                "{name}: the whole document, {is}, would become {becomes}: {}",
                shown(documents::short(new))
            ))
            .hint("to change a value in it, write its path with = or |=, such as: .player.gold = 5")
            .hint("to print a value, leave out -i; to write it all the same, use --force"));
        }
        Ok(new)
    }
}
