//! Prints the dump of a file of the gallery, or the page of a format.
//!
//!     cargo run --example gallery png picture.png
//!     cargo run --example gallery png

#[allow(missing_docs, reason = "the names are those of the formats")]
mod formats;

use std::error::Error;
use std::io::stdout;

use formats::{bmp, dns, elf, git_index, gzip, messagepack, mo, png, tar, tzif, wav, zip};
use formwork::{Schema, record};

fn show<T: Schema>(file: Option<String>) -> Result<(), Box<dyn Error>> {
    match file {
        Some(file) => record::dump_to::<T>(&std::fs::read(file)?, &mut stdout().lock())?,
        None => print!("{}", record::page::<T>()),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (format, file) = (arguments.next().unwrap_or_default(), arguments.next());
    match format.as_str() {
        "bmp" => show::<bmp::Bitmap>(file),
        "dns" => show::<dns::Message>(file),
        "elf" => show::<elf::Elf>(file),
        "git_index" => show::<git_index::Index>(file),
        "gzip" => show::<gzip::Gzip>(file),
        "messagepack" => show::<messagepack::Value>(file),
        "mo" => show::<mo::Messages>(file),
        "png" => show::<png::Png>(file),
        "tar" => show::<tar::Tar>(file),
        "tzif" => show::<tzif::TimeZone>(file),
        "wav" => show::<wav::Wave>(file),
        "zip" => show::<zip::Zip>(file),
        _ => {
            Err("usage: gallery FORMAT [FILE]; the formats are the modules of examples/formats"
                .into())
        }
    }
}
