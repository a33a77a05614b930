//! The output of the verbs: text or JSON.

use clap::Args;
use serde::Serialize;

use formwork_program::failure::Failure;
use formwork_program::output::OutputOptions;

/// Options for what is printed.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PrintOptions {
    /// Print JSON
    ///
    /// Where files change, this is one object per file, on a line of its own: what changed, and where
    /// the file was written.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) output: OutputOptions,
}

impl PrintOptions {
    /// Prints a list: as JSON if asked for, and otherwise as text.
    pub(super) fn list(
        &self,
        list: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { print_json(list, &self.output) } else { print_text(&text(), &self.output) }
    }
}

/// Prints text.
pub(super) fn print_text(text: &str, output: &OutputOptions) -> Result<(), Failure> {
    output.write(|out| {
        // The output records a write error itself.
        let _ = out.write_all(text.as_bytes());
        Ok(())
    })
}

/// Prints JSON.
pub(super) fn print_json(value: &impl Serialize, output: &OutputOptions) -> Result<(), Failure> {
    output.write(|out| {
        // The output records a write error itself.
        let _ = serde_json::to_writer_pretty(&mut *out, value);
        let _ = writeln!(out);
        Ok(())
    })
}

/// Prints JSON on one line: for programs that read line by line, or for millions of numbers, as in
/// GeoJSON.
pub(super) fn print_json_line(
    value: &impl Serialize,
    output: &OutputOptions,
) -> Result<(), Failure> {
    output.write(|out| {
        // The output records a write error itself.
        let _ = serde_json::to_writer(&mut *out, value);
        let _ = writeln!(out);
        Ok(())
    })
}
