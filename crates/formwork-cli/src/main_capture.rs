//! The program `formwork-capture`.

use std::process::ExitCode;

fn main() -> ExitCode {
    formwork_cli::main_capture()
}
