//! The program `formwork-kit`: commands that test decoders.

use clap::{CommandFactory, Parser, Subcommand};

use super::completions::Completions;
use super::failure::{Failure, Status};
use super::fuzz::Fuzz;
use super::generate::Generate;
use super::man::ManPages;
use super::manner::MannerOptions;
use super::respond::Respond;
use super::shrink::Shrink;
use super::{arguments, help, interrupt};

/// Test decoders of the formats that formwork reads
#[derive(Debug, Parser)]
#[command(name = "formwork-kit", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = AFTER)]
pub(crate) struct Program {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    manner: MannerOptions,
}

const AFTER: &str = "\
Start here:
  formwork-kit fuzz --format godot3 --target 'python3 decoder.py' --check-target
  formwork-kit fuzz --format godot3 --target 'python3 decoder.py'
  formwork-kit generate --format godot3 --count 5

'formwork-kit COMMAND --help' explains a command, with examples. The program formwork reads and changes files.";

#[derive(Debug, Subcommand)]
enum Command {
    Fuzz(Box<Fuzz>),
    Generate(Generate),
    Respond(Respond),
    Shrink(Shrink),
    Completions(Completions),
    Man(ManPages),
}

/// Returns the command line of the program.
pub(crate) fn command() -> clap::Command {
    help::laid_out(help::named(arguments::with_standard_input(Program::command())))
}

impl Program {
    /// Runs the command that the arguments name.
    pub(crate) fn run(self) -> Result<Status, Failure> {
        self.manner.take_effect();
        // These two commands handle an interruption themselves.
        if !matches!(self.command, Command::Fuzz(_) | Command::Shrink(_)) {
            interrupt::clean_up();
        }
        match self.command {
            Command::Fuzz(command) => command.run(),
            Command::Generate(inner) => inner.run(),
            Command::Respond(inner) => inner.run(),
            Command::Shrink(inner) => inner.run(),
            Command::Completions(inner) => inner.run(command()),
            Command::Man(inner) => inner.run(command()),
        }
    }
}
