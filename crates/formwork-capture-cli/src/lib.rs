//! The program `formwork-capture`: extracts values from recorded network traffic.

#![forbid(unsafe_code)]

mod capture;

use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};

use capture::Packets;
use formwork_program::completions::Completions;
use formwork_program::failure::{Failure, Status};
use formwork_program::man::ManPages;
use formwork_program::manner::MannerOptions;
use formwork_program::{arguments, ended, help, interrupt, parsed};

/// The options of [`Packets`], whose help is that of the program, and two commands.
#[derive(Debug, Parser)]
#[command(name = "formwork-capture", version, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Program {
    #[command(flatten)]
    packets: Packets,
    #[command(flatten)]
    manner: MannerOptions,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Completions(Completions),
    Man(ManPages),
}

/// Returns the command line of the program.
fn command() -> clap::Command {
    let packets = Packets::augment_args(clap::Command::new("packets"));
    let (about, long_about) = (packets.get_about().cloned(), packets.get_long_about().cloned());
    let command = Program::command().about(about.unwrap_or_default());
    let command = command.long_about(long_about.unwrap_or_default());
    let command = arguments::reading_standard_input(command);
    help::laid_out(help::named(command))
}

impl Program {
    /// Runs the command that the arguments name.
    fn run(self) -> Result<Status, Failure> {
        self.manner.take_effect();
        interrupt::clean_up();
        match self.command {
            None => self.packets.run(),
            Some(Command::Completions(inner)) => inner.run(command()),
            Some(Command::Man(inner)) => inner.run(command()),
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
