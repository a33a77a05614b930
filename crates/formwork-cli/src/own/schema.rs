//! The descriptions of formats: `schema`.

use clap::Args;

use crate::custom::own;
use crate::failure::{Failure, Status};
use crate::output::OutputOptions;

/// Print the description of a format
///
/// Describes every record, field and rule in Markdown. The page is made of the declaration that the program reads and
/// writes with. Without FORMAT, lists the formats.
#[derive(Args, Debug)]
pub(crate) struct Schema {
    /// Format to describe
    #[arg(value_name = "FORMAT")]
    format: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Schema {
    pub(super) fn run(self) -> Result<Status, Failure> {
        let formats = own().unwrap_or_default();
        let named = formats.iter().find(|it| self.format.as_deref() == Some(it.name()));
        let page = match (named, formats) {
            (Some(format), _) => format.page(),
            (None, [format]) => format.page(),
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
