//! `convert`: values of one engine for another.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formwork::Dialect;
use formwork::convert::{Converter, Loss, LossKind, Table};
use formwork::detect::Other;
use formwork::json::{Style, to_json};
use formwork::variant::container::Key;
use formwork::variant::dialect::FloatWidth;
use formwork::variant::{Array, Real, Variant};

use super::container::{ContainerOptions, named};
use super::contents::{Contents, InputOptions, Opened};
use super::encode::bytes;
use super::failure::{Failure, Status};
use super::format::{AttitudeName, Format, LimitOptions, by_precision};
use super::input::{Source, stdin_once};
use super::key::KeyOptions;
use super::output::OutputOptions;
use super::packets::{FramingName, Input};
use super::remark;
use super::style::Palette;
use super::terminal;

/// Turn a file of one engine into one that another engine reads.
///
/// The engines number their types differently: a save of Godot 3 that Godot 4 opens is garbage. This
/// writes the same values as the other engine would have. What that engine has no form for is listed,
/// and then nothing is written, unless --lossy says that the nearest form will do.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER, after_help = "More and examples: --help")]
pub(crate) struct Convert {
    /// The file to read; '-' for standard input
    #[arg(value_name = "FILE", required_unless_present = "table")]
    file: Option<PathBuf>,
    /// The engine that is to read it, such as godot2, godot3, godot4.2 or pandemonium
    #[arg(short, long, value_name = "F", required_unless_present = "table")]
    to: Option<Format>,
    /// The engine that wrote it [default: found out]
    #[arg(short, long, alias = "format", value_name = "F")]
    from: Option<Format>,
    /// How the values stand in the file, and are to stand [default: found out]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "bare|frames|frames-be")]
    framing: Option<FramingName>,
    /// Pass over the first N bytes, which are a header of the game's own, and keep them; hex with 0x in
    /// front. Of a compressed or encrypted file, those of what is inside
    #[arg(long, value_name = "N", value_parser = super::format::bytes)]
    skip: Option<u64>,
    /// Write the nearest form of what has no counterpart. Everything that is lost is listed all the
    /// same
    #[arg(long)]
    lossy: bool,
    /// How to list what is lost: in lines of text, or in lines of JSON, for programs
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    report: ReportForm,
    /// Show which type becomes what, instead of converting a file
    #[arg(long, conflicts_with_all = ["file", "framing", "lossy", "container"])]
    table: bool,
    /// The form of the table [default: md]
    #[arg(long = "as", value_enum, value_name = "FORM", conflicts_with = "file")]
    form: Option<TableForm>,
    #[command(flatten)]
    container: ContainerOptions,
    #[command(flatten)]
    key: KeyOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// A form of what is lost.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum ReportForm {
    /// A line of text for each
    #[default]
    Text,
    /// A line of JSON for each
    Json,
}

/// What to say where losses are not wanted: how many of which kind, and what would be written.
fn refused(name: &str, losses: &BTreeMap<LossKind, u64>, to: Dialect) -> Failure {
    let all: u64 = losses.values().sum();
    let what = if all == 1 { "1 thing has".into() } else { format!("{all} things have") };
    let message = format!("{name}: {what} no exact counterpart in {to}; nothing was written");
    let mut failure = Failure::no(message);
    for (kind, count) in losses {
        let (description, nearest) = (kind.description(), kind.nearest());
        failure = failure.hint(format!("{count} {}: {to} {description}", kind.name()));
        failure = failure.hint(format!("  written with --lossy: {nearest}"));
    }
    if losses.keys().eq([&LossKind::Rounded]) && to.rules().float_width == FloatWidth::Narrow {
        failure = failure.hint(
            "Godot 2 keeps floats in 32 bits, which is about 7 digits: 0.4 is 0.4000000059604645 there.",
        );
    }
    failure.hint("With --lossy what they become, as listed above, is written.")
}

/// A form of the table.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum TableForm {
    /// Markdown, which a terminal shows well, too
    #[default]
    Md,
    /// JSON
    Json,
}

const AFTER: &str = "\
Examples:
  formwork convert game.save -o new.save --to godot4
  formwork convert game.save -o old.save --to godot3.5 --lossy
  formwork convert packet.bin -o packet3.bin --from godot4.2 --framing bare --to godot3

An encrypted file is written with the same password, in the way of the other engine; a compressed one
with the same compression, where that engine has it:
  formwork convert game.save -o new.save --to godot4 --password secret
  formwork convert game.save -o old.save --to godot2 --container none

An encrypted ConfigFile, or whatever else is in a compressed or encrypted file, goes into that of the
other engine as it is:
  formwork convert settings.cfg -o new.cfg --to godot4 --password secret

What becomes of which type:
  formwork convert --table
  formwork convert --table --from godot4 --to godot3

Each loss is a line on standard error: where, what, what it becomes and why. With --report json:
  {\"value\":0,\"kind\":\"type\",\"path\":\"dictionary[2].value\",\"place\":\"player/cell\", ...}

Exit status: 0 done, 1 the data is not valid or something would be lost, 2 wrong use, 3 something could
not be read or written. An existing file stays as it is unless all went well.";

impl Convert {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if self.table {
            return self.show_table();
        }
        let (Some(file), Some(to)) = (&self.file, self.to) else {
            return Err(Failure::usage("say which file, and --to"));
        };
        let Some(to) = to.dialect() else {
            return Err(Failure::usage("values are converted to those of an engine, not to ALB1"));
        };
        let passwords = [self.key.file(), self.container.new_key.file()];
        stdin_once(passwords.into_iter().flatten().chain([file.as_path()]))?;
        let key = self.key.key()?;
        let (format, framing) = (self.from, self.framing);
        let options = InputOptions { format, framing, skip: self.skip, key: self.key.clone() };
        let input = match Opened::open(file, &options, key.as_ref(), self.limits)? {
            Opened::Contents(Contents::Packets(input)) => input,
            Opened::Other(source, other) => return self.wrap_anew(source, other, to, key),
            Opened::Contents(Contents::Alb1(file)) => {
                let name = file.name;
                return Err(Failure::usage(format!(
                    "{name}: an ALB1 file holds no values of an engine"
                )));
            }
        };
        let closing = self.container.closing(input.source.layers(), Some(to), key)?;
        let closing = closing.keeping(&input.source);
        let mut status = Status::Done;
        let content = by_precision!(input.dialect, R => {
            by_precision!(to, S => self.convert::<R, S>(&input, to, &mut status)?)
        });
        let bytes = closing.close(&input.source.name, &content)?;
        self.output.write_binary(|out| {
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(&bytes);
            Ok(())
        })?;
        Ok(status)
    }

    /// Puts what is no values into the containers that the other engine has, as it is.
    fn wrap_anew(
        &self,
        source: Source,
        other: Option<Other>,
        to: Dialect,
        key: Option<Key>,
    ) -> Result<Status, Failure> {
        let closing = self.container.closing(source.layers(), Some(to), key)?.keeping(&source);
        let from = named(source.layers());
        let (name, into) = (&source.name, named(closing.layers()));
        let into = if into.is_empty() { "no container" } else { &into };
        let bytes = closing.close(name, source.content())?;
        self.output.write_binary(|out| {
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(&bytes);
            Ok(())
        })?;
        let what = other.map_or("something that no format fits", Other::description);
        remark(&format!("{name}: inside is {what}: it stays as it is, from {from} to {into}"));
        Ok(Status::Done)
    }

    /// The bytes of the input's values in another dialect.
    fn convert<R: Real, S: Real>(
        &self,
        input: &Input,
        to: Dialect,
        status: &mut Status,
    ) -> Result<Vec<u8>, Failure> {
        let name = &input.source.name;
        let encoder = self.limits.encoder(to);
        let limits = self.limits.limits();
        let converter = Converter::new(input.dialect, to).in_precision().limits(limits);
        let read = input.values::<R>(AttitudeName::Engine.into())?;
        if let Some(unread) = read.unread(name) {
            if !self.lossy {
                return Err(Failure::no(unread).hint("With --lossy they are left out."));
            }
            remark(&unread);
            *status = Status::No;
        }
        let values = read.values;
        let several = values.len() > 1;
        let mut losses = BTreeMap::<LossKind, u64>::new();
        let style = Palette::stderr().note;
        let mut listed = BufWriter::new(terminal::stderr());
        let converted: Vec<Variant<S>> = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| {
                converter.convert_noting(value, |loss| {
                    *losses.entry(loss.kind).or_default() += 1;
                    let line = match self.report {
                        ReportForm::Json => json(index, &loss),
                        ReportForm::Text if several => {
                            format!("{style}loss{style:#}: {name}: value {index}: {loss}")
                        }
                        ReportForm::Text => format!("{style}loss{style:#}: {name}: {loss}"),
                    };
                    // Without a working standard error there is still the exit status.
                    let _ = writeln!(listed, "{line}");
                })
            })
            .collect();
        // As above.
        let _ = listed.flush();
        drop(listed);
        if !losses.is_empty() && !self.lossy {
            return Err(refused(name, &losses, to));
        }
        bytes(&converted, &encoder, input.framing).map_err(|(index, error)| {
            let name = if several { format!("{name}, value {index}") } else { name.clone() };
            Failure::in_value(&name, error)
        })
    }

    fn show_table(&self) -> Result<Status, Failure> {
        let dialect = |format: Option<Format>| match format {
            Some(Format::Alb1) => {
                Err(Failure::usage("the table is about the values of engines, not ALB1"))
            }
            Some(Format::Variant(dialect)) => Ok(Some(dialect)),
            None => Ok(None),
        };
        let table = Table::new(dialect(self.from)?, dialect(self.to)?);
        let text = match self.form.unwrap_or_default() {
            TableForm::Md => table.to_string(),
            TableForm::Json => table_json(&table) + "\n",
        };
        self.output.write(|out| {
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(text.as_bytes());
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

/// A loss in a line of JSON.
fn json(index: usize, loss: &Loss) -> String {
    let text = |text: &str| Variant::from(text);
    plain([
        ("value", Variant::Int(i64::try_from(index).unwrap_or(i64::MAX))),
        ("kind", text(loss.kind.name())),
        ("path", text(&format!("{:#}", loss.path))),
        ("place", text(&loss.place)),
        ("type", text(loss.variant_type.name())),
        ("found", text(&loss.found)),
        ("nearest", text(&loss.nearest)),
        ("why", text(&loss.why)),
    ])
}

/// The table as JSON.
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

/// What plain JSON has: every dialect has the same form for it.
fn plain<const N: usize>(fields: [(&str, Variant); N]) -> String {
    to_json(&fields.into_iter().collect(), Dialect::GODOT4, Style::Compact)
}
