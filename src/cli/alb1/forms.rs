//! `decode` and `encode` of ALB1 files.

use formwork::json::Style;
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
        style: Style,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        if form != Form::Json {
            let (name, form) = (&self.name, form.name());
            return Err(Failure::usage(format!("{name}: an ALB1 file has no form '{form}'"))
                .hint("say --as json, which keeps every byte"));
        }
        let document = self.document()?;
        let json = DocumentJson::new().style(style);
        output.write(|out| {
            let written = json.write(&document, &mut *out);
            written.map_err(|error| Failure::in_value(&self.name, error))?;
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(b"\n");
            Ok(())
        })?;
        Ok(Status::Done)
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
