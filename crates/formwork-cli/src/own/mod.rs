//! Programs for custom formats: all commands, for any [`Format`].

mod changes;
mod compare;
mod file;
mod help;
mod look;
mod make;
mod verify;

use clap::{Parser, Subcommand};
use formwork::document::Format;

use super::failure::{Failure, Status};
use super::manner::MannerOptions;
use super::undo::Undo;
pub(crate) use help::command;

/// A program for some formats.
#[derive(Debug, Parser)]
#[command(name = "program", max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Program {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) manner: MannerOptions,
}

/// A command of such a program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(look::Info),
    Dump(look::Dump),
    Decode(make::Decode),
    Encode(make::Encode),
    Get(look::Get),
    Set(changes::Set),
    Rm(changes::Rm),
    Query(changes::Query),
    Diff(compare::Diff),
    Verify(verify::Verify),
    Schema(make::Schema),
    Undo(Undo),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        match self {
            Self::Info(command) => command.run(formats),
            Self::Dump(command) => command.run(formats),
            Self::Decode(command) => command.run(formats),
            Self::Encode(command) => command.run(formats),
            Self::Get(command) => command.run(formats),
            Self::Set(command) => command.run(formats),
            Self::Rm(command) => command.run(formats),
            Self::Query(command) => command.run(formats),
            Self::Diff(command) => command.run(formats),
            Self::Verify(command) => command.run(formats),
            Self::Schema(command) => command.run(formats),
            Self::Undo(command) => command.run(),
        }
    }
}
