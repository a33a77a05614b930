//! Test vectors of a format: `suite`.

use std::path::PathBuf;

use clap::Args;
use formwork::document::Format;
use formwork::record;

use crate::custom::own;
use crate::documents::registry;
use crate::failure::{Failure, Status};
use crate::input::stdin_once;
use crate::output::OutputOptions;
use crate::source::Source;

/// Write test vectors of a format
///
/// Writes good and broken files and what a reader makes of each, for readers in other languages.
#[derive(Args, Debug)]
pub(crate) struct Suite {
    /// Files to start from, besides those that are made ('-' for standard input)
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the vectors [default: that of the files]
    #[arg(long, value_name = "FORMAT", hide = true)]
    own_format: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Suite {
    pub(super) fn run(self) -> Result<Status, Failure> {
        stdin_once(&self.files)?;
        let sources = self.files.iter().map(|file| Source::read(file));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        let format = self.format(&sources)?;
        let samples: Vec<&[u8]> = sources.iter().map(Source::content).collect();
        let lines = record::suite_lines(format.name(), &format.suite(&samples));
        self.output.write_bytes(lines.as_bytes())
    }

    /// Returns the format of the option, the only one, or that of all files.
    fn format(&self, sources: &[Source]) -> Result<&'static dyn Format, Failure> {
        let formats = own().unwrap_or_default();
        let named = formats.iter().find(|it| self.own_format.as_deref() == Some(it.name()));
        match (named, formats, sources) {
            (Some(format), ..) | (None, [format], _) => Ok(*format),
            (None, _, []) => {
                Err(Failure::usage("no format").hint("use --format FORMAT to choose one"))
            }
            (None, _, [first, others @ ..]) => {
                let found = |source| {
                    let found = registry::detected(source, None)?;
                    found.map(|it| it.0).ok_or_else(|| Failure::usage("no format"))
                };
                let format = found(first)?;
                for other in others {
                    let name = found(other)?.name();
                    if name != format.name() {
                        let message = format!("{}: {name}, not {}", other.name, format.name());
                        return Err(Failure::usage(message).hint("a suite is of one format"));
                    }
                }
                Ok(format)
            }
        }
    }
}
