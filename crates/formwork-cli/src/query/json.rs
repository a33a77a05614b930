//! Filters on JSON, for documents of any format.

use formwork::document::{Document, Json};
use formwork_variant::json::Style;

use super::run::Feed;
use super::update::Updating;
use super::value::Value;
use super::{Query, plain};
use crate::documents;
use crate::failure::{Failure, Status};
use crate::style::shown;

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
    pub(super) fn print_files(&self, files: &[documents::File]) -> Result<Status, Failure> {
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
        new.keep_forms(&old);
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
                shown(crate::report::short(new))
            ))
            .hint("to change a value in it, write its path with = or |=, such as: .player.gold = 5")
            .hint("to print a value, leave out -i; to write it all the same, use --force"));
        }
        Ok(new)
    }
}
