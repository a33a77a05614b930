//! The command line of a program: its commands in words of any format, without the options for files of engines.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use formwork::document::Format;

use super::Program;
use crate::arguments::{program, with_standard_input};
use crate::help::laid_out;

/// A command in words of any format.
struct Words {
    command: &'static str,
    about: &'static str,
    /// More about the command.
    long: &'static str,
    /// Examples, in which FILE is a file of the first format, and FORMAT its name.
    examples: &'static str,
}

const WORDS: [Words; 15] = [
    Words {
        command: "info",
        about: "Show what a file is and what is in it",
        long: "Never fails on damaged files: the faults are listed. Of the files of a folder it prints a line each.",
        examples: "info FILE\ninfo --json FILE",
    },
    Words {
        command: "dump",
        about: "Show every byte of a file with its meaning",
        long: "Prints one row per field: offset, bytes, name, type and value. Works on damaged files too, and shows the \
               fault and what cannot be read.",
        examples: "dump FILE | less\ndump FILE --path list/0\ndump FILE --at 0x1d",
    },
    Words {
        command: "decode",
        about: "Turn a file into JSON",
        long: "The JSON has everything that is needed to make the file again: see 'encode'. With --views, what the file \
               points at is shown beside, by the path that 'get' takes; 'encode' takes the JSON without.",
        examples: "decode FILE\ndecode FILE -o FILE.json\ndecode FILE --views",
    },
    Words {
        command: "encode",
        about: "Turn JSON into a file",
        long: "Takes the JSON that 'decode' prints. Counts, sizes, tags and checksums are set from what is in it; they \
               may be left out.",
        examples: "encode FILE.json -o new.FORMAT",
    },
    Words {
        command: "get",
        about: "Print values of a file",
        long: "Prints the value at each PATH as JSON. Without a PATH, prints the whole file.",
        examples: "get FILE\nget FILE list/0/name --raw",
    },
    Words {
        command: "set",
        about: "Change values in a file",
        long: "Counts, sizes, tags and checksums that depend on a value change with it. The old file is kept as \
               NAME.bak. VALUE is JSON; a word that is no JSON is a string. With --add, list/+ is a new element at the \
               end, and list/+0 one before element 0.",
        examples: "set FILE list/0/name Alice\nset FILE list/+ '{\"name\": \"Bob\"}' --add",
    },
    Words {
        command: "rm",
        about: "Remove values from a file",
        long: "Removes elements of lists, and fields that may be missing. Counts, sizes and checksums change with \
               them. The old file is kept as NAME.bak.",
        examples: "rm FILE list/0",
    },
    Words {
        command: "edit",
        about: "Edit a file in your text editor",
        long: "Opens the file as JSON in the editor that the variable VISUAL or EDITOR names. When you save and close \
               the text, it is checked, and what changed is written. The old file is kept as NAME.bak.",
        examples: "edit FILE",
    },
    Words {
        command: "query",
        about: "Search and change a file with a jq filter",
        long: "FILTER is in the language of jq, and works on the JSON that 'decode' prints. With -i the file becomes \
               what the filter gives.",
        examples: "query FILE '.list | length'\nquery FILE -i '.list[0].name = \"Alice\"'",
    },
    Words {
        command: "diff",
        about: "Compare two files",
        long: "Compares fields and elements by what they say. Elements that moved because others were added or \
               removed are the same.",
        examples: "diff old.FORMAT new.FORMAT",
    },
    Words {
        command: "merge",
        about: "Merge two changed files that were one",
        long: "OURS and THEIRS are BASE with changes. The output is OURS with the changes of THEIRS. Where both changed \
               the same value, each in its own way, that is a conflict: it is listed, OURS is kept there, and the exit \
               status is 1.",
        examples: "merge base.FORMAT mine.FORMAT theirs.FORMAT -o merged.FORMAT",
    },
    Words {
        command: "verify",
        about: "Check that files are valid",
        long: "Prints one line per file: 'ok' or 'not ok', and why. A file is ok if it can be read, and a writer that \
               keeps to the declaration writes these bytes: checksums are right, texts are UTF-8, what is declared to \
               be zero is zero.",
        examples: "verify FILE\nverify *.FORMAT",
    },
    Words {
        command: "schema",
        about: "Print the description of a format",
        long: SCHEMA,
        examples: "schema\nschema FORMAT\nschema FORMAT --as ksy",
    },
    Words {
        command: "suite",
        about: "Write test vectors of a format",
        long: SUITE,
        examples: "suite --format FORMAT -o FORMAT.jsonl\nsuite FILE -o FORMAT.jsonl",
    },
    Words {
        command: "undo",
        about: "Undo the last change of a file",
        long: "Every command that replaces a file keeps the old one as NAME.bak, the one before as NAME.bak.2, and so on \
               up to ten. This command exchanges the file and a backup: to do the change again, run it once more.",
        examples: "undo FILE\nundo FILE 3",
    },
];

const SCHEMA: &str = "Describes every record, field and rule. The page is made of the declaration that the program reads \
                      and writes with. `--as ksy` is a definition of Kaitai Struct, whose compiler makes readers in other \
                      languages. Without FORMAT, lists the formats.";

const SUITE: &str = "Writes files of the format for tests of other readers, in any language: those of FILE, files that are \
                     made, and copies of both that are broken in all ways. It is one JSON object per line, in ASCII: the \
                     name, the file in hex, whether it is valid, acceptable or invalid, the bytes that a writer writes \
                     for it, and the rule that it breaks. The first line is about the suite. The same files give the \
                     same suite.";

/// The exit statuses of every command.
const STATUS: &str = "Exit status: 0 success, 1 the answer is no: a file is damaged, not valid or different, or there is \
                      no such value, 2 wrong use, 3 a file could not be read or written.";

/// The options that are for files of engines and of Terrain Builder.
const OF_ENGINES: [&str; 27] = [
    "all_elements",
    "as_given",
    "container",
    "force",
    "form",
    "format",
    "framing",
    "git",
    "index",
    "key",
    "layers",
    "max_depth",
    "max_packet",
    "max_unpacked",
    "name",
    "new_key",
    "new_password",
    "new_password_file",
    "password",
    "password_file",
    "recover",
    "skip",
    "strict",
    "strictness",
    "textconv",
    "tree",
    "type_name",
];

/// Options in words of any format.
const OPTIONS: [(&str, &str); 11] = [
    ("add", "Add the value if it is not there yet: list/+ is a new element at the end"),
    ("all", "Show all there is, of the files of a folder too"),
    ("at", "Show only what contains the byte at OFFSET (hex: 0x4d2)"),
    ("filter", "Filter, such as '.list[0].name'"),
    ("float_tolerance", "Take numbers for equal that differ by at most NUMBER"),
    ("like", "Take the format of this file"),
    ("no_backup", "Keep no backup of the old file, which otherwise is NAME.bak"),
    ("pairs", "Paths, and the new value at each"),
    ("path", "Show only what is at PATH, such as list/0"),
    ("paths", "Path of a value, such as list/0/name, or list/-1 for the last element"),
    ("all_deviations", "List all problems instead of the first three, and all files of a folder"),
];

/// Returns whether an option of a command is for files of engines and of Terrain Builder.
fn is_of_engines(command: &str, id: &str) -> bool {
    match id {
        "all" => ["decode", "encode"].contains(&command),
        "json" => command == "decode",
        id => command != "schema" && OF_ENGINES.contains(&id),
    }
}

/// Returns the command line of a program for these formats.
pub(crate) fn command(formats: &[&'static dyn Format]) -> clap::Command {
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
    // The version of the program itself is not known here.
    let version = concat!("made with formwork-cli ", env!("CARGO_PKG_VERSION"));
    command = command.display_name(&name).version(version);
    command = command.about(about.clone()).long_about(about);
    command = command.after_help(after.clone()).after_long_help(after);
    for Words { command: verb, about, long, examples } in WORDS {
        let examples = examples.lines().map(|line| {
            let file = format!("file.{first}");
            format!("  {name} {}", line.replace("FILE", &file).replace("FORMAT", first))
        });
        let help = format!("Examples:\n{}\n\n{STATUS}", examples.collect::<Vec<_>>().join("\n"));
        command = command.mut_subcommand(verb, |command| {
            let command = command.mut_args(|argument| match argument.get_id().as_str() {
                id if is_of_engines(verb, id) => {
                    let is_format = id == "format";
                    let argument = argument.hide(true);
                    if is_format { argument.short(None).long("engine") } else { argument }
                }
                "views" => argument.hide(false),
                "own_format" => {
                    argument.hide(false).short('f').long("format").value_parser(named(formats))
                }
                "format" => argument.value_parser(named(formats)),
                "paths" if verb == "diff" => argument,
                id => match OPTIONS.iter().find(|it| it.0 == id) {
                    Some((_, help)) => argument.help(*help).long_help(None::<&str>),
                    None => argument,
                },
            });
            let command = command.override_usage(None::<&str>);
            let command = command.about(about).long_about(format!("{about}\n\n{long}"));
            command.after_help(None::<&str>).after_long_help(help)
        });
    }
    laid_out(command)
}

/// Returns the parser of the names of formats.
fn named(formats: &[&'static dyn Format]) -> PossibleValuesParser {
    let named =
        formats.iter().map(|format| PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(named.collect::<Vec<_>>())
}

/// Refuses hidden options: those for files of engines, or for custom formats.
pub(crate) fn refuse_hidden(
    command: &mut clap::Command,
    matches: &ArgMatches,
) -> clap::error::Result<()> {
    let Some((verb, matches)) = matches.subcommand() else { return Ok(()) };
    let Some(command) = command.find_subcommand_mut(verb) else { return Ok(()) };
    let is_given = |id: &str| {
        matches.ids().any(|known| known == id)
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let refused =
        command.get_arguments().find(|it| it.is_hide_set() && is_given(it.get_id().as_str()));
    let Some(refused) = refused else { return Ok(()) };
    let name = refused.get_long().unwrap_or_else(|| refused.get_id().as_str());
    let message = format!("unexpected argument '--{name}' found");
    Err(command.error(ErrorKind::UnknownArgument, message))
}
