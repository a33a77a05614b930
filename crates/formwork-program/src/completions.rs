//! `completions`: scripts for shells that complete commands and options.

use clap::Args;
use clap_complete::{Shell, generate};

use super::failure::{Failure, Status};
use super::output::OutputOptions;

/// Print a script that makes a shell complete commands and options
///
/// Each shell loads it in its own way; the examples are the usual ones.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub struct Completions {
    /// Shell that will read it
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork completions bash -o ~/.local/share/bash-completion/completions/formwork
  formwork completions zsh -o ~/.zfunc/_formwork
  formwork completions fish -o ~/.config/fish/completions/formwork.fish
  formwork completions powershell -o formwork.ps1

Exit status: 0 success, 2 wrong use, 3 the output could not be written."#;

impl Completions {
    /// Prints the script of a program.
    pub fn run(self, mut command: clap::Command) -> Result<Status, Failure> {
        let mut script = Vec::new();
        let name = command.get_name().to_owned();
        generate(self.shell, &mut command, name, &mut script);
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(&script);
            Ok(())
        })?;
        Ok(Status::Done)
    }
}
