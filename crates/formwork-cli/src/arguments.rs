//! The command line as people type it: what the declarations of the commands do not say.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::failure::Failure;

/// Commands that read standard input where no file is named.
const READERS: [&str; 12] = [
    "info", "decode", "encode", "show", "get", "query", "convert", "dump", "verify", "graph",
    "packets", "shrink",
];
/// What their files are called in the declarations.
const FILES: [&str; 3] = ["file", "files", "packet"];

/// The command whose project may stand behind its verbs.
const TERRAIN: &str = "terrain";
const PROJECT: &str = "project";

/// Commands whose forms are chosen with `--as`, and their form for programs.
const FORMS: [(&str, &str); 5] = [
    ("show", "json"),
    ("graph", "json"),
    ("packets", "json"),
    ("generate", "jsonl"),
    ("fuzz", "json"),
];
/// The option that asks every command for its form for programs.
const JSON: &str = "--json";

/// Adds `--json` to the commands that have a form for programs under another name.
pub(crate) fn with_json(command: Command) -> Command {
    FORMS.iter().fold(command, |command, (name, form)| {
        command.mut_subcommand(name, |command| {
            let option = Arg::new("json").long(&JSON[2..]).action(ArgAction::SetTrue);
            command.arg(option.help(format!("Print JSON: --as {form}")))
        })
    })
}

/// Returns the arguments with the form that `--json` stands for.
pub(crate) fn with_form(arguments: Vec<OsString>) -> Vec<OsString> {
    let name = place_of_command(&arguments).map(|at| &arguments[at]);
    let known = FORMS.iter().find(|(known, _)| name.is_some_and(|name| *name == *known));
    let Some((_, form)) = known else { return arguments };
    let mut is_option = true;
    let words = arguments.into_iter().map(|word| {
        is_option &= word != "--";
        if is_option && word == JSON { format!("--as={form}").into() } else { word }
    });
    words.collect()
}

/// Lets commands read standard input where no file is named.
pub(crate) fn with_standard_input(mut command: Command) -> Command {
    for name in READERS {
        command = command.mut_subcommand(name, |command| {
            // Changing one puts it behind the others, so all are taken in turn.
            let all: Vec<_> = command.get_positionals().map(|arg| arg.get_id().clone()).collect();
            all.into_iter().fold(command, |command, id| {
                let is_file = FILES.contains(&id.as_str());
                command.mut_arg(id, |arg| match is_file {
                    true => arg.required(false).default_value("-").hide_default_value(true),
                    false => arg,
                })
            })
        });
    }
    command
}

/// Whether nothing is said at all, and standard input has something to show.
pub(crate) fn is_fed(arguments: &[OsString]) -> bool {
    let stdin = io::stdin();
    // What is looked at here is still there for whoever reads it.
    arguments.len() < 2
        && !stdin.is_terminal()
        && stdin.lock().fill_buf().is_ok_and(|bytes| !bytes.is_empty())
}

/// Whether standard input is read only because no file is named.
static READS_UNNAMED: AtomicBool = AtomicBool::new(false);

/// Returns why nothing is read, where no file is named and standard input is empty.
pub(crate) fn nothing_named() -> Option<Failure> {
    READS_UNNAMED
        .load(Ordering::Relaxed)
        .then(|| Failure::usage("FILE is missing, and standard input is empty"))
}

/// Refuses to wait for a person to type a file.
pub(crate) fn file_is_named(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let is_asked = FILES.iter().any(|id| {
        let source = matches.try_contains_id(id).ok().and_then(|_| matches.value_source(id));
        READERS.contains(&name) && source == Some(ValueSource::DefaultValue)
    });
    // The table of types needs no file.
    let is_table = name == "convert" && matches.get_flag("table");
    READS_UNNAMED.store(is_asked, Ordering::Relaxed);
    match is_asked && !is_table && io::stdin().is_terminal() {
        true => Err(Failure::usage("FILE is missing")
            .hint(format!("'formwork {name} --help' shows how to use the command"))),
        false => Ok(()),
    }
}

/// Puts the project of `terrain` behind its verbs, as help and completions show it: `terrain layers PROJECT`.
pub(crate) fn with_project_last(command: Command) -> Command {
    command.mut_subcommand(TERRAIN, |terrain| {
        let Some(project) = terrain.get_arguments().find(|arg| arg.get_id() == PROJECT) else {
            return terrain;
        };
        let project = project.clone();
        let terrain = terrain.mut_arg(PROJECT, |arg| arg.required(false).hide(true));
        terrain.mut_subcommands(|verb| behind(verb, &project))
    })
}

/// Adds the project as the first argument of a verb, or of the verbs below it.
fn behind(verb: Command, project: &Arg) -> Command {
    if verb.has_subcommands() {
        let optional = project.clone().required(false).hide(true);
        let verb = if verb.get_positionals().next().is_none() { verb.arg(optional) } else { verb };
        return verb.mut_subcommands(|inner| behind(inner, project));
    }
    let own: Vec<_> = verb.get_positionals().map(|arg| arg.get_id().clone()).collect();
    let verb = own
        .into_iter()
        .enumerate()
        .fold(verb, |verb, (number, id)| verb.mut_arg(id, |arg| arg.index(number + 2)));
    verb.arg(project.clone().index(1))
}

/// Whether `terrain` is used with its verb in front of the project.
pub(crate) fn has_verb_first(command: &Command, arguments: &[OsString]) -> bool {
    let Some(at) = place_of_terrain(arguments) else { return false };
    let Some(terrain) = command.find_subcommand(TERRAIN) else { return false };
    match arguments.get(at + 1) {
        // A project from standard input.
        Some(word) if word == "-" => false,
        // Its own help names the verbs.
        Some(word) if word.to_string_lossy().starts_with('-') => true,
        Some(word) => word == "help" || terrain.find_subcommand(word).is_some(),
        None => true,
    }
}

/// Returns the arguments with the project in front of the verb, as the declarations have it.
pub(crate) fn project_first(
    declared: &Command,
    arguments: &[OsString],
    matches: &ArgMatches,
) -> Option<Vec<OsString>> {
    let project = project_of(matches.subcommand()?.1)?;
    let at = place_of_terrain(arguments)?;
    // An option may have the same value: then it does not matter which of the two is taken.
    let places = (at + 2..arguments.len()).filter(|&place| arguments[place] == project);
    places
        .map(|place| {
            let mut words = arguments.to_vec();
            let project = words.remove(place);
            words.insert(at + 1, project);
            words
        })
        .find(|words| declared.clone().try_get_matches_from(words).is_ok())
}

/// The project among the matches of `terrain` and of its verbs.
fn project_of(matches: &ArgMatches) -> Option<OsString> {
    let own = matches.try_get_raw(PROJECT).ok().flatten();
    let own = own.and_then(|mut values| values.next()).map(OsStr::to_owned);
    own.or_else(|| project_of(matches.subcommand()?.1))
}

/// Where the word `terrain` stands as the command.
fn place_of_terrain(arguments: &[OsString]) -> Option<usize> {
    place_of_command(arguments).filter(|&at| arguments[at] == TERRAIN)
}

/// Where the name of the command stands: the first word that is no option and no value of one.
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
