//! The program `formwork-capture`: extracts values from recorded network traffic.

use clap::{Args, CommandFactory, Parser, Subcommand};

use super::capture::Packets;
use super::completions::Completions;
use super::failure::{Failure, Status};
use super::man::ManPages;
use super::manner::MannerOptions;
use super::{arguments, help, interrupt};

/// The options of [`Packets`], whose help is that of the program, and two commands.
#[derive(Debug, Parser)]
#[command(name = "formwork-capture", version, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Program {
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
pub(crate) fn command() -> clap::Command {
    let packets = Packets::augment_args(clap::Command::new("packets"));
    let (about, long_about) = (packets.get_about().cloned(), packets.get_long_about().cloned());
    let command = Program::command().about(about.unwrap_or_default());
    let command = command.long_about(long_about.unwrap_or_default());
    let command = arguments::reading_standard_input(command);
    help::laid_out(help::named(command))
}

impl Program {
    /// Runs the command that the arguments name.
    pub(crate) fn run(self) -> Result<Status, Failure> {
        self.manner.take_effect();
        interrupt::clean_up();
        match self.command {
            None => self.packets.run(),
            Some(Command::Completions(inner)) => inner.run(command()),
            Some(Command::Man(inner)) => inner.run(command()),
        }
    }
}
