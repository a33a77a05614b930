//! Filters on JSON, for documents of any format.

use std::path::Path;

use formwork_variant::json::Style;

use super::run::{Feed, Filter};
use super::{Printing, Variables, guard, plain};
use crate::failure::{Failure, Status};
use crate::output::OutputOptions;

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
        mut take: impl FnMut(super::value::Value<f32>) -> Result<(), Failure> + Send,
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

    /// Returns the one value that the filter gives.
    pub(crate) fn value(&self, json: &str) -> Result<String, Failure> {
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
