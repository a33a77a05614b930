//! The programs `formwork`, `formwork-kit` and `formwork-capture`, and programs for custom formats:
//! [`run`].
//!
//! Each command has a module; other modules are shared by several commands.

#![forbid(unsafe_code)]

mod alb1;
mod arguments;
mod around;
mod capture;
mod cases;
mod census;
mod change;
mod changed;
mod completions;
mod config_file;
mod container;
mod content;
mod contents;
mod convert;
mod converting;
mod custom;
mod decode;
mod decoded;
mod detected;
mod diff;
mod documents;
mod dump;
mod echo;
mod edit;
mod editor;
mod encode;
mod encoding;
mod failure;
mod file;
mod findings;
mod folder;
mod form;
mod format;
mod framing;
mod fuzz;
mod generate;
mod get;
mod graph;
mod guess;
mod help;
mod info;
mod input;
mod interrupt;
mod key;
mod kit;
mod layers;
mod lines;
mod listing;
mod lost_path;
mod man;
mod manner;
mod merge;
mod newer;
mod number;
mod output;
mod own;
mod pack;
mod packets;
mod place;
mod progress;
mod project;
mod quantity;
mod query;
mod recover;
mod report;
mod resource;
mod respond;
mod rm;
mod rows;
mod schema;
mod script;
mod set;
mod show;
mod shrink;
mod slashes;
mod source;
mod store;
mod style;
mod target;
mod terminal;
mod terrain;
mod traffic;
mod undo;
mod unknown;
mod value_text;
mod values;
mod verdict;
mod verify;
mod window;
mod writing;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::{Failure, Status};
use style::Palette;

/// Read, check and change saves of Godot games and files of Terrain Builder
#[derive(Debug, Parser)]
#[command(name = "formwork", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = SHORT_AFTER, after_long_help = LONG_AFTER)]
struct Program {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    manner: manner::MannerOptions,
}

const SHORT_AFTER: &str = "\
Start here:
  formwork info game.save                  show what the file is
  formwork game.save                       show what is in it
  formwork set game.save player/gold 9999  change a value
  formwork decode game.save -o game.json   turn it into JSON that you can edit
  formwork encode game.json --like game.save -o new.save

'formwork COMMAND --help' explains a command, with examples.
'formwork completions' and 'formwork man' are for shells and man pages.";

const LONG_AFTER: &str = "\
Start here:
  formwork info game.save
      Show what the file is and which engine wrote it.
  formwork game.save
      Show what is in it.
  formwork set game.save player/gold 9999
      Change a value, and nothing else in the file. The old file is kept as game.save.bak.
  formwork decode game.save -o game.json
      Turn the file into JSON. Edit it with any text editor.
  formwork encode game.json --like game.save -o new.save
      Turn the JSON back into a file like game.save.

What it reads:
Games made with Godot (2, 3 and 4) or Pandemonium store saves in a binary format called Variant, or as JSON. Terrain
Builder, the map editor for Arma and DayZ, stores projects and layers in ALB1 files. This program shows what is in such
a file, changes it, turns it into JSON that you can edit, and turns the JSON back into a file that the game reads.

Files:
Use '-' instead of a file, or name no file, to read standard input. Compressed files open without an option. Encrypted
files need --password. A file in the pack of a game is PACK!NAME, such as 'game.pck!project.binary', for
every command; the pack may be part of an executable. The program never runs anything in a file: it reads objects as data.

Formats:
The program detects the format of a file. If several formats fit, it asks you to choose one:
  --format godot3           the newest release of an engine: godot2, godot3,
                            godot4 or pandemonium
  --format godot4.1         one release
  --format godot4.1-double  a build with double precision
  --format alb1             Terrain Builder: .tv4p, .tv4l and .tv4s files
'formwork schema' lists all formats.

More:
'formwork COMMAND --help' explains a command, with examples. 'formwork completions' and 'formwork man' are for shells and
man pages. The program formwork-kit tests decoders, and formwork-capture finds values in recorded network traffic.

Exit status: 0 success, 1 a check failed (damaged, not valid, different, not found), 2 wrong use,
3 a file could not be read or written.";

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Info),
    Decode(decode::Decode),
    Encode(encode::Encode),
    Show(show::Show),
    Get(get::Get),
    Set(set::Set),
    Rm(rm::Rm),
    Edit(editor::Edit),
    Undo(undo::Undo),
    Query(Box<query::Query>),
    Convert(convert::Convert),
    Diff(diff::Diff),
    Merge(Box<merge::Merge>),
    Pack(pack::PackFiles),
    Dump(dump::Dump),
    Verify(verify::Verify),
    Graph(graph::GraphCommand),
    Schema(schema::Schema),
    Terrain(terrain::Terrain),
    #[command(hide = true)]
    Completions(completions::Completions),
    #[command(hide = true)]
    Man(man::ManPages),
}

/// Returns the command line that is parsed.
fn command_as_declared() -> clap::Command {
    help::laid_out(arguments::with_standard_input(Program::command()))
}

/// Runs the program `formwork`.
#[must_use]
pub fn main() -> ExitCode {
    let said: Vec<_> = std::env::args_os().collect();
    if let Some(failure) = arguments::moved(&said) {
        return exit(say(&failure));
    }
    let mut declared = command_as_declared();
    // The list of commands has to fit a terminal. (A built command also has the one that is hidden
    // here.)
    declared.build();
    let declared = declared.mut_subcommand("help", |help| help.hide(true));
    let mut arguments = show::named(&declared, said);
    if arguments::is_fed(&arguments) {
        arguments.push("show".into());
    }
    let program: Program = match parsed(declared, arguments) {
        Ok(program) => program,
        Err(code) => return code,
    };
    program.manner.take_effect();
    interrupt::clean_up();
    ended(match program.command {
        Command::Info(command) => command.run(),
        Command::Decode(command) => command.run(),
        Command::Encode(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Get(command) => command.run(),
        Command::Set(command) => command.run(),
        Command::Rm(command) => command.run(),
        Command::Edit(command) => command.run(),
        Command::Undo(command) => command.run(),
        Command::Query(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Diff(command) => command.run(),
        Command::Merge(command) => command.run(),
        Command::Pack(command) => command.run(),
        Command::Dump(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Graph(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Terrain(command) => command.run(),
        Command::Completions(command) => command.run(command_as_declared()),
        Command::Man(command) => command.run(command_as_declared()),
    })
}

/// Runs the program `formwork-kit`.
#[must_use]
pub fn main_kit() -> ExitCode {
    match parsed::<kit::Program>(kit::command(), std::env::args_os().collect()) {
        Ok(program) => ended(program.run()),
        Err(code) => code,
    }
}

/// Runs the program `formwork-capture`.
#[must_use]
pub fn main_capture() -> ExitCode {
    match parsed::<traffic::Program>(traffic::command(), std::env::args_os().collect()) {
        Ok(program) => ended(program.run()),
        Err(code) => code,
    }
}

/// Runs a program for custom formats: `info`, `dump`, `decode`, `encode`, `get`, `set`, `rm`,
/// `edit`, `query`, `diff`, `merge`, `verify`, `schema` and `undo`. A process runs one program.
///
/// ```no_run
/// use formwork::document::RecordFormat;
/// use formwork::{BinRead, BinWrite, Block, Schema, binrw};
///
/// /// A list of scores.
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// #[brw(little, magic = b"SCOR")]
/// struct Scores {
///     /// Number of scores.
///     count: u8,
///     /// The scores, the best one first.
///     #[br(count = count)]
///     scores: Block<u16>,
/// }
///
/// static SCORES: RecordFormat = RecordFormat::new::<Scores>("scores", "lists of scores");
///
/// fn main() -> std::process::ExitCode {
///     formwork_cli::run(&[&SCORES])
/// }
/// ```
#[must_use]
pub fn run(formats: &[&'static dyn formwork::document::Format]) -> ExitCode {
    documents::registry::use_only(formats);
    let arguments = std::env::args_os().collect();
    let own::Program { command, manner } = match parsed(own::command(formats), arguments) {
        Ok(program) => program,
        Err(code) => return code,
    };
    manner.take_effect();
    interrupt::clean_up();
    ended(command.run())
}

/// Parses the arguments; returns the exit status where they are wrong, or ask for help.
fn parsed<P: FromArgMatches>(
    mut command: clap::Command,
    arguments: Vec<OsString>,
) -> Result<P, ExitCode> {
    let matches = command.try_get_matches_from_mut(arguments);
    // Hidden options are those of the other kind of program.
    let matches = matches.and_then(|it| own::refuse_hidden(&mut command, &it).map(|()| it));
    if let Err(error) = &matches
        && error.use_stderr()
        && let Some(failure) = arguments::file_as_option(std::env::args_os().skip(1))
    {
        return Err(exit(say(&failure)));
    }
    if let Ok(matches) = &matches
        && let Err(failure) = arguments::file_is_named(matches)
    {
        return Err(exit(say(&failure)));
    }
    let parsed = matches.and_then(|matches| P::from_arg_matches(&matches));
    parsed.map_err(|error| error.format(&mut command)).map_err(|error| {
        // Prints the help or the error; where printing fails, nobody wants it.
        let _ = print(&error);
        if error.use_stderr() { exit(Status::Usage) } else { exit(Status::Done) }
    })
}

/// Returns the exit status of a command, after its failure was printed.
fn ended(ended: Result<Status, Failure>) -> ExitCode {
    let code = ended.map_or_else(
        |failure| {
            say(&failure);
            failure.code()
        },
        |status| status as u8,
    );
    progress::end();
    ExitCode::from(code)
}

/// Prints the help, or the error in the arguments.
fn print(error: &clap::Error) -> std::io::Result<()> {
    let mut arguments = std::env::args_os();
    if !arguments.any(|argument| argument.to_string_lossy().contains(terminal::is_control)) {
        return error.print();
    }
    // The message has no colours, as the arguments in it may hold control sequences.
    let mut out = terminal::stderr();
    write!(out, "{}", error.render())?;
    out.flush()
}

/// Prints a failure; returns its status.
fn say(failure: &Failure) -> Status {
    let message = failure.render(&Palette::stderr());
    // A failure to write to standard error is ignored: the exit status remains.
    progress::aside(|| {
        let mut out = terminal::stderr();
        let _ = out.write_all(message.as_bytes()).and_then(|()| out.flush());
    });
    failure.status()
}

/// Prints a remark that is not part of the output.
fn remark(text: &str) {
    if manner::is_quiet() {
        return;
    }
    let note = Palette::stderr().note;
    // A failure to write to standard error is ignored: the exit status remains.
    progress::aside(|| {
        let mut out = terminal::stderr();
        let _ = writeln!(out, "{note}note{note:#}: {text}").and_then(|()| out.flush());
    });
}

/// Prints a line about completed work.
fn report_line(text: &str) {
    if manner::is_quiet() {
        return;
    }
    // A failure to write to standard error is ignored: the exit status remains.
    progress::aside(|| {
        let _ = writeln!(anstream::stderr(), "{text}");
    });
}

fn exit(status: Status) -> ExitCode {
    ExitCode::from(status as u8)
}
