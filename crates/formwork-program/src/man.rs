//! `man`: the help as pages for man(1).

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use super::failure::{Failure, Status};
use super::output::{OutputOptions, to_stdout};
use super::quantity::counted;
use super::report_line;
use super::style::shown;

/// Print the help as a page for 'man'
///
/// Without --into, prints the page of the program itself.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub struct ManPages {
    /// Write a page for each command into this folder, which is made if need be
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

const AFTER: &str = r#"Examples:
  formwork man > formwork.1
  formwork man --into man1

Exit status: 0 success, 2 wrong use, 3 a page could not be written."#;

impl ManPages {
    /// Prints or writes the pages of a program.
    pub fn run(self, command: Command) -> Result<Status, Failure> {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let Some(folder) = &self.into else {
            let page = page(&command);
            to_stdout(|out| {
                // The output records a write error itself.
                let _ = out.write_all(&page);
                Ok(())
            })?;
            return Ok(Status::Done);
        };
        fs::create_dir_all(folder).map_err(|error| {
            Failure::stream("could not be made", &folder.display().to_string(), &error)
        })?;
        let mut count = 0;
        write(&command, folder, &mut count)?;
        report_line(&format!("{}: {}", shown(folder.display()), counted(count, "page")));
        Ok(Status::Done)
    }
}

/// Writes the page of a command, and those of the commands below it.
fn write(command: &Command, folder: &Path, count: &mut u64) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let page = page(command);
    OutputOptions::file_at(&folder.join(format!("{name}.1"))).write(|out| {
        // The output records a write error itself.
        let _ = out.write_all(&page);
        Ok(())
    })?;
    *count += 1;
    command.get_subcommands().try_for_each(|command| write(command, folder, count))
}

fn page(command: &Command) -> Vec<u8> {
    let mut page = Vec::new();
    // Writing to a Vec does not fail.
    let _ = Man::new(command.clone()).render(&mut page);
    with_values(&String::from_utf8_lossy(&page), command).into_bytes()
}

/// Adds the names of the options' values to the line of the synopsis, where `clap_mangen` leaves
/// them out.
fn with_values(page: &str, command: &Command) -> String {
    let Some((start, rest)) = page.split_once(".SH SYNOPSIS\n") else { return page.to_owned() };
    let (line, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    let mut line = line.to_owned();
    for option in command.get_opts() {
        let (Some(long), Some(values)) = (option.get_long(), option.get_value_names()) else {
            continue;
        };
        let name = format!("\\fB\\-\\-{}\\fR", long.replace('-', "\\-"));
        line = line.replace(&name, &format!("{name} \\fI{}\\fR", values.join(" ")));
    }
    format!("{start}.SH SYNOPSIS\n{line}\n{rest}")
}
