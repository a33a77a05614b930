//! The program `formwork-kit`.

use std::process::ExitCode;

fn main() -> ExitCode {
    formwork_kit_cli::main()
}
