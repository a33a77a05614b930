//! Answers formwork's decoder protocol: put your decoder in the place of `read`. This decoder is formwork
//! itself, which reads packets of Godot 3. (`formwork-kit respond` does the same, with options.)
//!
//! A separate crate needs `formwork` and `formwork-kit`.

use std::io;
use std::process::ExitCode;

use formwork_kit::oracle::protocol::{Answer, ServeError, serve};
use formwork_variant::{Decoder, Dialect, ErrorKind, Variant, to_vec};

fn read(packet: &[u8]) -> Answer {
    match Decoder::new(Dialect::GODOT3).decode_prefix(packet) {
        Ok((value, taken)) => Answer::Accepted {
            consumed: u32::try_from(taken).ok(),
            // The value, written again. An empty answer means that it cannot be written.
            bytes: written(&value),
        },
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            Answer::Skipped { what: error.to_string() }
        }
        Err(error) => Answer::Rejected {
            offset: u32::try_from(error.offset()).ok(),
            message: error.to_string(),
        },
    }
}

fn written(value: &Variant) -> Vec<u8> {
    to_vec(value, Dialect::GODOT3).unwrap_or_default()
}

fn main() -> ExitCode {
    let served = serve(&mut io::stdin().lock(), &mut io::stdout().lock(), |packet, answers| {
        if let Err(error) = read(packet).append_to(answers) {
            // The answer is longer than the protocol allows. The tester notices that no answer comes.
            eprintln!("{error}");
        }
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        // The tester has closed the pipe.
        Err(ServeError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
