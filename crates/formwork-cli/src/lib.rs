//! The program `formwork`, and programs for custom formats:
//! [`run`].
//!
//! Each command has a module; other modules are shared by several commands.

#![forbid(unsafe_code)]

mod alb1;
mod around;
mod census;
mod change;
mod config_file;
mod content;
mod contents;
mod convert;
mod converting;
mod decode;
mod decoded;
mod detected;
mod diff;
mod documents;
mod dump;
mod edit;
mod editor;
mod encode;
mod encoding;
mod file;
mod findings;
mod folder;
mod form;
mod get;
mod graph;
mod guess;
mod info;
mod listing;
mod lost_path;
mod merge;
mod newer;
mod number;
mod own;
mod pack;
mod packets;
mod place;
mod query;
mod report;
mod resource;
mod rm;
mod rows;
mod schema;
mod script;
mod set;
mod show;
mod slashes;
mod undo;
mod unknown;
mod value_text;
mod values;
mod verdict;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use formwork_program::{
    arguments, changed, completions, container, custom, ended, exit, failure, format, framing,
    help, input, interrupt, key, layers, lines, man, manner, output, parsed, progress, project,
    quantity, recover, remark, report_line, say, source, store, style, terminal, window, writing,
};

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
    Terrain(formwork_terrain_cli::Terrain),
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
    let program: Program = match parsed(declared, arguments, own::refuse_hidden) {
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
    let own::Program { command, manner } =
        match parsed(own::command(formats), arguments, own::refuse_hidden) {
            Ok(program) => program,
            Err(code) => return code,
        };
    manner.take_effect();
    interrupt::clean_up();
    ended(command.run())
}
