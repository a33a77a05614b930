//! Parts that the programs of formwork share: arguments, files and their backups, output, errors, progress and colours.
//!
//! | modules | job |
//! | --- | --- |
//! | [`arguments`], [`help`], [`manner`], [`completions`], [`man`] | the command line: paths that look like options, the layout of help, how much is printed |
//! | [`source`], [`input`], [`container`], [`recover`], [`key`], [`custom`], [`format`](mod@format), [`framing`], [`layers`] | files as they come in, and the names of formats and limits |
//! | [`output`], [`store`], [`writing`], [`project`], [`interrupt`] | files as they go out: replaced as a whole, the old one kept, nothing half written |
//! | [`failure`], [`window`], [`lines`], [`changed`] | errors with the bytes around them, and JSON for programs |
//! | [`terminal`], [`style`], [`progress`], [`quantity`], [`echo`] | what people see |
//!
//! It is made for the programs of this workspace, and promises no others that it stays as it is.

#![forbid(unsafe_code)]

pub mod arguments;
pub mod changed;
pub mod completions;
pub mod container;
pub mod custom;
pub mod echo;
pub mod failure;
pub mod format;
pub mod framing;
pub mod help;
pub mod input;
pub mod interrupt;
pub mod key;
pub mod layers;
pub mod lines;
pub mod man;
pub mod manner;
pub mod output;
pub mod progress;
pub mod project;
pub mod quantity;
pub mod recover;
pub mod source;
pub mod store;
pub mod style;
pub mod terminal;
pub mod window;
pub mod writing;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches};

use failure::{Failure, Status};
use style::Palette;

/// Parses the arguments; returns the exit status where they are wrong, or ask for help.
///
/// # Errors
///
/// Fails as `refuse` does, and if the arguments are wrong or ask for help: then help or error are printed.
pub fn parsed<P: FromArgMatches>(
    mut command: clap::Command,
    arguments: Vec<OsString>,
    refuse: impl FnOnce(&mut clap::Command, &ArgMatches) -> Result<(), clap::Error>,
) -> Result<P, ExitCode> {
    let matches = command.try_get_matches_from_mut(arguments);
    let matches = matches.and_then(|it| refuse(&mut command, &it).map(|()| it));
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
pub fn ended(ended: Result<Status, Failure>) -> ExitCode {
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
pub fn say(failure: &Failure) -> Status {
    let message = failure.render(&Palette::stderr());
    // A failure to write to standard error is ignored: the exit status remains.
    progress::aside(|| {
        let mut out = terminal::stderr();
        let _ = out.write_all(message.as_bytes()).and_then(|()| out.flush());
    });
    failure.status()
}

/// Prints a remark that is not part of the output.
pub fn remark(text: &str) {
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
pub fn report_line(text: &str) {
    if manner::is_quiet() {
        return;
    }
    // A failure to write to standard error is ignored: the exit status remains.
    progress::aside(|| {
        let _ = writeln!(anstream::stderr(), "{text}");
    });
}

/// Returns the exit status for the system.
#[must_use]
pub fn exit(status: Status) -> ExitCode {
    ExitCode::from(status as u8)
}
