//! `schema`: describes formats, from their declarations.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use formwork_alb1::page::alb1_page;
use formwork_godot::pages::{container_page, pack_page, resource_page, script_page};
use formwork_godot::pages::{settings_page, variant_page};
use formwork_variant::Dialect;

use super::failure::{Failure, Status};
use super::output::OutputOptions;
use formwork_kit::Format;

/// A form of descriptions.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Markdown
    Md,
}

/// The subject of a description: the formats of contents, and the containers around them.
#[derive(Clone, Copy, Debug)]
enum Subject {
    Format(Format),
    Containers,
    Settings,
    Packs,
    Script,
    Resource,
}

/// The name of the compressed and encrypted files.
const CONTAINERS: &str = "containers";
/// The name of compiled scripts.
const SCRIPT: &str = "script";
/// The name of binary resources and scenes.
const RESOURCE: &str = "resource";

/// The name of settings files.
const SETTINGS: &str = "settings";

/// The name of the packs of exported games.
const PACKS: &str = "packs";

fn subject(name: &str) -> Result<Subject, String> {
    if name.eq_ignore_ascii_case(CONTAINERS) {
        return Ok(Subject::Containers);
    }
    let known = [
        (SETTINGS, Subject::Settings),
        (PACKS, Subject::Packs),
        (SCRIPT, Subject::Script),
        (RESOURCE, Subject::Resource),
    ];
    for (known, subject) in known {
        if name.eq_ignore_ascii_case(known) {
            return Ok(subject);
        }
    }
    let format = name.parse().map(Subject::Format);
    format.map_err(|error: formwork_kit::UnknownFormat| {
        format!("{error}, {CONTAINERS}, {SETTINGS}, {PACKS}, {SCRIPT} and {RESOURCE}")
    })
}

/// Print the description of a format
///
/// Describes every type, field and rule. The page is made from the declarations that the program
/// reads and writes with. Without --format, lists all formats.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Schema {
    /// Format to describe, such as godot3, godot4.2, alb1, containers, settings, packs, script or resource
    #[arg(short, long, value_name = "FORMAT", value_parser = subject)]
    format: Option<Subject>,
    /// The same without --format
    #[arg(value_name = "FORMAT", value_parser = subject, conflicts_with = "format")]
    subject: Option<Subject>,
    /// Output form
    #[arg(long = "as", value_enum, default_value_t = Form::Md, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork schema
  formwork schema godot3
  formwork schema --format godot4 --as md -o godot4.md

Exit status: 0 success, 2 wrong use, 3 the page could not be written."#;

impl Schema {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let Form::Md = self.form;
        let page = match self.format.or(self.subject) {
            None => list(),
            Some(Subject::Format(Format::Variant(dialect))) => variant_page(dialect),
            Some(Subject::Format(Format::Alb1)) => alb1_page(),
            Some(Subject::Containers) => container_page(),
            Some(Subject::Settings) => settings_page(),
            Some(Subject::Packs) => pack_page(),
            Some(Subject::Script) => script_page(),
            Some(Subject::Resource) => resource_page(),
        };
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(page.as_bytes());
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

/// Lists the formats.
fn list() -> String {
    let mut page = "| format | types | engines |\n| --- | --- | --- |\n".to_owned();
    for dialect in Dialect::all() {
        let (types, engines) = (dialect.rows().len(), dialect.description());
        // Writing to a string does not fail.
        let _ = writeln!(page, "| {dialect} | {types} | {engines} |");
    }
    let types = formwork_alb1::FieldType::ALL.len();
    let _ = writeln!(page, "| {} | {types} | Terrain Builder (Arma 3, DayZ) |", Format::ALB1);
    page.push_str(
        "\n`godot2`, `godot3`, `godot4` and `pandemonium` mean the newest of each family. A \
         Godot 4 name with `-double` added means an engine built with double precision. \
         `containers` describes the engines' compressed and encrypted files, `settings` \
         project.binary and engine.cfb, `packs` the packs of exported games, `script` compiled scripts \
         (.gdc), `resource` binary resources and scenes (.res, .scn).\n",
    );
    page
}
