//! The descriptions of formats: `schema`.

use clap::{Args, ValueEnum};

use crate::custom::own;
use crate::failure::{Failure, Status};
use crate::output::OutputOptions;

/// A form of descriptions.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Markdown
    Md,
    /// A definition of Kaitai Struct, whose compiler makes readers in other languages
    Ksy,
}

/// Print the description of a format
///
/// Describes every record, field and rule. The page is made of the declaration that the program reads and
/// writes with. Without FORMAT, lists the formats.
#[derive(Args, Debug)]
pub(crate) struct Schema {
    /// Format to describe
    #[arg(value_name = "FORMAT")]
    format: Option<String>,
    /// Output form
    #[arg(long = "as", value_enum, default_value_t = Form::Md, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    output: OutputOptions,
}

impl Schema {
    pub(super) fn run(self) -> Result<Status, Failure> {
        let formats = own().unwrap_or_default();
        let named = formats.iter().find(|it| self.format.as_deref() == Some(it.name()));
        let page = match (named, formats) {
            (Some(format), _) | (None, [format]) => match self.form {
                Form::Md => format.page(),
                Form::Ksy => format
                    .ksy()
                    .map_err(|error| Failure::no(format!("{}: {error}", format.name())))?,
            },
            (None, formats) => {
                let rows = formats
                    .iter()
                    .map(|format| format!("| {} | {} |\n", format.name(), format.description()));
                format!("| format | files |\n| --- | --- |\n{}", rows.collect::<String>())
            }
        };
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(page.as_bytes());
            Ok(())
        })?;
        Ok(Status::Done)
    }
}
