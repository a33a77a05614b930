//! A program for two formats of the gallery, which inspects, changes, compares and checks pictures and
//! sounds.
//!
//!     cargo run --example own_program info examples/formats/samples/rgb.png

#![allow(missing_docs, reason = "the names are those of the formats")]

#[path = "formats/png.rs"]
mod png;
#[path = "formats/wav.rs"]
mod wav;

use std::process::ExitCode;

use formwork::document::RecordFormat;

static PNG: RecordFormat = RecordFormat::new::<png::Png>("png", "pictures");
static WAV: RecordFormat = RecordFormat::new::<wav::Wave>("wav", "sounds");

pub fn main() -> ExitCode {
    formwork_cli::run(&[&PNG, &WAV])
}
