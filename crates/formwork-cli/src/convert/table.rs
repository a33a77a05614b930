//! `convert --table`: which type becomes which.

use clap::ValueEnum;
use formwork_edit::convert::Table;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Array, Dialect, Variant};

use super::Convert;
use crate::failure::{Failure, Status};
use crate::format::Format;

/// A form of the table.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(super) enum TableForm {
    /// Markdown
    #[default]
    Md,
    /// JSON
    Json,
}

impl Convert {
    /// Prints the table.
    pub(super) fn show_table(&self) -> Result<Status, Failure> {
        let dialect = |format: Option<Format>| match format {
            Some(Format::Alb1) => {
                Err(Failure::usage("--table shows types of engines, not of ALB1"))
            }
            Some(Format::Variant(dialect)) => Ok(Some(dialect)),
            None => Ok(None),
        };
        let table = Table::new(dialect(self.from)?, dialect(self.to)?);
        let text = match self.form.unwrap_or_default() {
            TableForm::Md => table.to_string(),
            TableForm::Json => table_json(&table) + "\n",
        };
        self.output.write_bytes(text.as_bytes())
    }
}

/// Returns the table as JSON.
fn table_json(table: &Table) -> String {
    let object = |(types, row): (&[String], &[String])| -> Variant {
        types.iter().map(String::as_str).zip(row.iter().map(String::as_str)).collect()
    };
    let rows: Array = table.rows().map(|row| object((table.head(), row))).collect();
    let losses = table.losses().iter().map(|kind| -> Variant {
        let says = [
            ("kind", kind.name()),
            ("description", kind.description()),
            ("nearest", kind.nearest()),
        ];
        says.into_iter().collect()
    });
    let losses: Array = losses.collect();
    plain([("types", Variant::Array(rows)), ("losses", Variant::Array(losses))])
}

/// Returns fields as an object of plain JSON, whose form is the same in every dialect.
fn plain<const N: usize>(fields: [(&str, Variant); N]) -> String {
    to_json(&fields.into_iter().collect(), Dialect::GODOT4, Style::Compact)
}
