//! The command line as users type it, beyond the declarations of the commands.

use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use super::failure::Failure;
use super::style::shown;

/// Commands that read standard input where no file is given.
const READERS: [&str; 11] = [
    "info", "decode", "encode", "show", "get", "query", "convert", "dump", "verify", "graph",
    "shrink",
];
/// Names of their file arguments in the declarations.
const FILES: [&str; 3] = ["file", "files", "packet"];

/// Commands that were moved to another program.
const MOVED: [(&str, &str); 5] = [
    ("fuzz", "formwork-kit fuzz"),
    ("generate", "formwork-kit generate"),
    ("respond", "formwork-kit respond"),
    ("shrink", "formwork-kit shrink"),
    ("packets", "formwork-capture"),
];

/// Returns the failure for a command that was moved to another program, with its new command line.
pub fn moved(arguments: &[OsString]) -> Option<Failure> {
    let at = place_of_command(arguments)?;
    let at = if arguments[at] == "help" { at + 1 } else { at };
    let (name, new) =
        MOVED.into_iter().find(|(name, _)| arguments.get(at).is_some_and(|it| it == name))?;
    let program = new.split(' ').next().unwrap_or(new);
    let failure = Failure::usage(format!("'formwork {name}' is '{new}' now"));
    Some(failure.hint(format!("the options are the same; {program} is installed beside formwork")))
}

/// Lets commands read standard input where no file is given.
pub fn with_standard_input(command: Command) -> Command {
    READERS.into_iter().fold(command, |command, name| match command.find_subcommand(name) {
        Some(_) => command.mut_subcommand(name, reading_standard_input),
        None => command,
    })
}

/// Lets a command read standard input where no file is given.
pub fn reading_standard_input(command: Command) -> Command {
    // `mut_arg` moves an argument to the end, so all arguments are processed in order.
    let all: Vec<_> = command.get_positionals().map(|arg| arg.get_id().clone()).collect();
    all.into_iter().fold(command, |command, id| {
        let is_file = FILES.contains(&id.as_str());
        command.mut_arg(id, |arg| match is_file {
            true => arg.required(false).default_value("-").hide_default_value(true),
            false => arg,
        })
    })
}

/// Returns whether there are no arguments, and standard input has bytes.
pub fn is_fed(arguments: &[OsString]) -> bool {
    let stdin = io::stdin();
    // `fill_buf` leaves the bytes in the buffer for the later reader.
    arguments.len() < 2
        && !stdin.is_terminal()
        && stdin.lock().fill_buf().is_ok_and(|bytes| !bytes.is_empty())
}

/// Makes the failure for a file whose name starts with `-` and is taken for options.
pub fn file_as_option(mut arguments: impl Iterator<Item = OsString>) -> Option<Failure> {
    let is_file = |argument: &OsString| {
        argument.as_encoded_bytes().starts_with(b"-") && Path::new(argument).is_file()
    };
    let name = shown(arguments.find(is_file)?.to_string_lossy());
    let failure = Failure::usage(format!("{name}: the name of the file starts as an option does"));
    Some(failure.hint(format!("use ./{name}")))
}

/// Whether standard input is read only because no file is given.
static READS_UNNAMED: AtomicBool = AtomicBool::new(false);

/// Returns the failure for an empty standard input where no file is given.
pub fn nothing_named() -> Option<Failure> {
    READS_UNNAMED
        .load(Ordering::Relaxed)
        .then(|| Failure::usage("FILE is missing, and standard input is empty"))
}

/// Refuses to wait for a user to type a file.
pub fn file_is_named(matches: &ArgMatches) -> Result<(), Failure> {
    // A program without commands reads files itself.
    let (name, matches) = matches.subcommand().unwrap_or(("", matches));
    let is_reader = name.is_empty() || READERS.contains(&name);
    let is_asked = FILES.iter().any(|id| {
        let source = matches.try_contains_id(id).ok().and_then(|_| matches.value_source(id));
        is_reader && source == Some(ValueSource::DefaultValue)
    });
    // The table of types needs no file.
    let is_table = name == "convert" && matches.get_flag("table");
    READS_UNNAMED.store(is_asked, Ordering::Relaxed);
    match is_asked && !is_table && io::stdin().is_terminal() {
        true => Err(Failure::usage("FILE is missing").hint(format!(
            "'{} --help' shows how to use the command",
            format!("{} {name}", program()).trim_end()
        ))),
        false => Ok(()),
    }
}

/// Returns the name by which the program was called.
pub fn program() -> String {
    let path = std::env::args_os().next().map(PathBuf::from);
    let stem = path.as_ref().and_then(|path| path.file_stem());
    stem.map_or_else(|| "formwork".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Returns the position of the command: the first word that is no option and no value of an option.
fn place_of_command(arguments: &[OsString]) -> Option<usize> {
    let mut words = arguments.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        match word.to_string_lossy().as_ref() {
            "--color" => drop(words.next()),
            word if word.starts_with('-') => {}
            _ => return Some(at),
        }
    }
    None
}
