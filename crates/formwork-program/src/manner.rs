//! Options about the output that every command has.

use std::sync::atomic::{AtomicBool, Ordering};

use anstream::ColorChoice;
use clap::{Args, ValueEnum};

static IS_QUIET: AtomicBool = AtomicBool::new(false);
static IS_VERBOSE: AtomicBool = AtomicBool::new(false);

/// How the program speaks.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Display")]
pub struct MannerOptions {
    /// When to use colours: auto, always or never [default: auto]
    ///
    /// 'auto' uses them on a terminal, unless the variable NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    color: When,
    /// Print no notes, only results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print all there is, not only the first of many
    #[arg(short, long, global = true)]
    verbose: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum When {
    /// On a terminal
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl MannerOptions {
    /// Applies the options to all output from now on.
    pub fn take_effect(self) {
        match self.color {
            When::Auto => {}
            When::Always => ColorChoice::AlwaysAnsi.write_global(),
            When::Never => ColorChoice::Never.write_global(),
        }
        IS_QUIET.store(self.quiet, Ordering::Relaxed);
        IS_VERBOSE.store(self.verbose, Ordering::Relaxed);
    }
}

/// Returns whether notes are suppressed.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Returns whether full output is wanted.
pub fn is_verbose() -> bool {
    IS_VERBOSE.load(Ordering::Relaxed)
}
