//! The program `formwork`.

use std::process::ExitCode;

fn main() -> ExitCode {
    formwork_cli::main()
}
