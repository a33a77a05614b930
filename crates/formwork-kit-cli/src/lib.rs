//! The program `formwork-kit`: commands that test decoders.

#![forbid(unsafe_code)]

mod cases;
mod fuzz;
mod generate;
mod respond;
mod shrink;
mod target;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use formwork_program::completions::Completions;
use formwork_program::failure::{Failure, Status};
use formwork_program::man::ManPages;
use formwork_program::manner::MannerOptions;
use formwork_program::{arguments, ended, help, interrupt, parsed};

use fuzz::Fuzz;
use generate::Generate;
use respond::Respond;
use shrink::Shrink;

/// Test decoders of the formats that formwork reads
#[derive(Debug, Parser)]
#[command(name = "formwork-kit", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = AFTER)]
struct Program {
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
fn command() -> clap::Command {
    help::laid_out(help::named(arguments::with_standard_input(Program::command())))
}

impl Program {
    /// Runs the command that the arguments name.
    fn run(self) -> Result<Status, Failure> {
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

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    match parsed::<Program>(command(), std::env::args_os().collect(), |_, _| Ok(())) {
        Ok(program) => ended(program.run()),
        Err(code) => code,
    }
}
