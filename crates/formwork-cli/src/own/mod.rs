//! Programs for custom formats: the commands of `formwork` that serve any [`Format`](formwork::document::Format).

mod help;
mod schema;
mod suite;

use clap::{Parser, Subcommand};

use super::failure::{Failure, Status};
use super::manner::MannerOptions;
use super::{decode, diff, dump, editor, encode, get, info, merge, query, rm, set, undo, verify};
pub(crate) use help::{command, refuse_hidden};

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
    Info(info::Info),
    Dump(dump::Dump),
    Decode(decode::Decode),
    Encode(encode::Encode),
    Get(get::Get),
    Set(set::Set),
    Rm(rm::Rm),
    Edit(editor::Edit),
    Query(Box<query::Query>),
    Diff(diff::Diff),
    Merge(Box<merge::Merge>),
    Verify(verify::Verify),
    Schema(schema::Schema),
    Suite(suite::Suite),
    Undo(undo::Undo),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Status, Failure> {
        match self {
            Self::Info(command) => command.run(),
            Self::Dump(command) => command.run(),
            Self::Decode(command) => command.run(),
            Self::Encode(command) => command.run(),
            Self::Get(command) => command.run(),
            Self::Set(command) => command.run(),
            Self::Rm(command) => command.run(),
            Self::Edit(command) => command.run(),
            Self::Query(command) => command.run(),
            Self::Diff(command) => command.run(),
            Self::Merge(command) => command.run(),
            Self::Verify(command) => command.run(),
            Self::Schema(command) => command.run(),
            Self::Suite(command) => command.run(),
            Self::Undo(command) => command.run(),
        }
    }
}
