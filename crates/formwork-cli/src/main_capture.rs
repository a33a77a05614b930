//! The program `formwork-capture`.

use std::process::ExitCode;

fn main() -> ExitCode {
    formwork_capture_cli::main()
}
