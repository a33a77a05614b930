//! A small decoder of Godot 3, Godot 4 and ALB1 that speaks the decoder protocol, with mistakes that can be
//! switched on. It measures the fuzz kit, and is a place to try the kit.
//!
//!     cargo run -p formwork-examples --example defective_decoder -- --format godot3 --defect strings-last-padding
//!     cargo run -p formwork-examples --example defective_decoder -- --list
//!
//! It shares no code with the library: it was written from the description of the formats. Without a
//! `--defect` it answers as `formwork-kit respond` does, except for two rare conversions in typed containers
//! of Godot 4. If a name may become a colour, or if a value other than a null, a bool, an int or a text
//! becomes a text, it answers that it skipped the packet.

mod alb1;
mod defect;
mod input;
mod memory;
mod protocol;
mod variant;

use std::process::ExitCode;

use defect::Defect;
use variant::Engine;

/// The format that is read.
#[derive(Clone, Copy)]
enum Format {
    Variant(Engine),
    Alb1,
}

impl Format {
    /// Returns the size of the stack in bytes. Nested values are read by recursive functions, up to 1024
    /// deep, and objects of ALB1 up to 64 deep. A defect that does not count the depth overflows the stack.
    const fn stack(self) -> usize {
        match self {
            Self::Variant(_) => 64 << 20,
            Self::Alb1 => 256 << 10,
        }
    }
}

fn main() -> ExitCode {
    let mut format = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--list", None) => {
                list();
                return ExitCode::SUCCESS;
            }
            ("--format", Some(name)) => match named(&name) {
                Some(known) => format = Some(known),
                None => return wrong(&format!("there is no format `{name}`")),
            },
            ("--defect", Some(name)) if defect::plant(&name) => {}
            ("--defect", Some(name)) => return wrong(&format!("there is no defect `{name}`")),
            (other, _) => return wrong(&format!("`{other}` is not understood")),
        }
    }
    let Some(format) = format else { return wrong("which --format?") };
    let serving = std::thread::Builder::new()
        .stack_size(format.stack())
        .spawn(move || protocol::serve(format));
    match serving.map(|serving| serving.join()) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        _ => ExitCode::from(3),
    }
}

fn named(name: &str) -> Option<Format> {
    Some(match name {
        "godot3" => Format::Variant(Engine::Godot3),
        "godot4" => Format::Variant(Engine::Godot4),
        "alb1" => Format::Alb1,
        _ => return None,
    })
}

/// Prints the name, the formats and the description of each defect, separated by tabs.
fn list() {
    for defect in Defect::ALL {
        println!("{}\t{}\t{}", defect.name(), defect.formats().join(","), defect.description());
    }
}

fn wrong(message: &str) -> ExitCode {
    eprintln!("defective_decoder: {message}");
    eprintln!("usage: defective_decoder --format godot3|godot4|alb1 [--defect NAME]... | --list");
    ExitCode::from(2)
}
