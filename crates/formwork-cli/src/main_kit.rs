//! The program `formwork-kit`.

use std::process::ExitCode;

fn main() -> ExitCode {
    formwork_cli::main_kit()
}
