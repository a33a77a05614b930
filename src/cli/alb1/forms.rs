//! `decode` and `encode` of ALB1 files.

use std::fmt;
use std::io::Write;

use formwork::alb1::diff::content;
use formwork::json::alb1::DocumentJson;

use super::File;
use crate::cli::failure::{Failure, Status};
use crate::cli::form::{Form, without_mark};
use crate::cli::format::LimitOptions;
use crate::cli::input::Source;
use crate::cli::output::OutputOptions;

impl File {
    /// Writes the document in this form.
    pub(crate) fn decode(
        &self,
        form: Form,
        json: DocumentJson,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        if form == Form::Native {
            let name = &self.name;
            return Err(Failure::usage(format!("{name}: an ALB1 file has no form 'native'"))
                .hint("say --as json, which keeps every byte, or --as text"));
        }
        let document = self.document()?;
        output.write(|out| {
            // Where writing fails the output itself remembers why.
            if form == Form::Text {
                let _ = content(&document, &mut Lines(out));
                return Ok(());
            }
            let written = json.write(&document, &mut *out);
            written.map_err(|error| Failure::in_value(&self.name, error))?;
            let _ = out.write_all(b"\n");
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

/// Takes text for a stream of bytes.
struct Lines<'o>(&'o mut dyn Write);

impl fmt::Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_all(text.as_bytes()).map_err(|_| fmt::Error)
    }
}

/// Writes the ALB1 file that the JSON of `source` is.
pub(crate) fn encode(
    source: &Source,
    limits: LimitOptions,
    output: &OutputOptions,
) -> Result<Status, Failure> {
    let json = without_mark(&source.bytes);
    let document = DocumentJson::new().limits(limits.limits()).read(json);
    let document = document.map_err(|error| Failure::in_text(&source.name, json, error))?;
    output.write_binary(|out| {
        document.write_to(out).map_err(|error| Failure::in_value(&source.name, error))
    })?;
    Ok(Status::Done)
}
