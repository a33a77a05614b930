//! The command line of a program, with the names of its formats and examples of its commands.

use clap::CommandFactory;
use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;
use formwork::document::Format;

use super::Program;
use crate::arguments::{program, with_standard_input};
use crate::help::laid_out;

/// Commands and their examples, in which FILE is a file of the first format.
const EXAMPLES: [(&str, &str); 12] = [
    ("info", "info FILE\ninfo --json FILE"),
    ("dump", "dump FILE | less\ndump FILE --path list/0\ndump FILE --at 0x1d"),
    ("decode", "decode FILE\ndecode FILE -o FILE.json"),
    ("encode", "encode FILE.json -o new.FORMAT"),
    ("get", "get FILE\nget FILE list/0/name --raw"),
    ("set", "set FILE list/0/name Alice\nset FILE list/+ '{\"name\": \"Bob\"}' --add"),
    ("rm", "rm FILE list/0"),
    ("query", "query FILE '.list | length'\nquery FILE -i '.list[0].name = \"Alice\"'"),
    ("diff", "diff old.FORMAT new.FORMAT"),
    ("verify", "verify FILE\nverify *.FORMAT"),
    ("schema", "schema\nschema FORMAT"),
    ("undo", "undo FILE"),
];

/// The exit statuses of every command.
const STATUS: &str = "Exit status: 0 success, 1 the answer is no: a file is damaged, not valid or different, or there is \
                      no such value, 2 wrong use, 3 a file could not be read or written.";

/// Returns the command line of a program for these formats.
pub(crate) fn command(formats: &[&dyn Format]) -> clap::Command {
    let name = program();
    let listed: Vec<_> = formats
        .iter()
        .map(|format| format!("  {:<10}  {}", format.name(), format.description()))
        .collect();
    let first = formats.first().map_or("data", |format| format.name());
    let names: Vec<_> = formats.iter().map(|format| format.name()).collect();
    let about = format!("Read, check and change files of the formats {}", names.join(", "));
    let about = if names.len() == 1 { about.replace("formats", "format") } else { about };
    let after = format!(
        "Formats:\n{}\n\nStart here:\n  {name} info file.{first}\n  {name} decode file.{first}\n  \
         {name} verify file.{first}\n\n'{name} COMMAND --help' explains a command.",
        listed.join("\n")
    );
    let mut command = with_standard_input(Program::command()).bin_name(&name);
    command = command.about(about.clone()).long_about(about);
    command = command.after_help(after.clone()).after_long_help(after);
    for (verb, examples) in EXAMPLES {
        let examples = examples.lines().map(|line| {
            let file = format!("file.{first}");
            format!("  {name} {}", line.replace("FILE", &file).replace("FORMAT", first))
        });
        let help = format!("Examples:\n{}\n\n{STATUS}", examples.collect::<Vec<_>>().join("\n"));
        command = command.mut_subcommand(verb, |command| {
            let named = formats
                .iter()
                .map(|format| PossibleValue::new(format.name()).help(format.description()));
            let names = PossibleValuesParser::new(named.collect::<Vec<_>>());
            let has_format = command.get_arguments().any(|it| it.get_id() == "format");
            let command = match has_format {
                true => command.mut_arg("format", |it| it.value_parser(names)),
                false => command,
            };
            command.after_help(None::<&str>).after_long_help(help)
        });
    }
    laid_out(command)
}
