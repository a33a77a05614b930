//! Prints the dump of a file of the gallery, the page of a format, or its definition for Kaitai Struct; or writes made values.
//!
//!     cargo run --example gallery png picture.png
//!     cargo run --example gallery png
//!     cargo run --example gallery png --ksy
//!     cargo run --example gallery png --made FOLDER

#[allow(missing_docs, reason = "the names are those of the formats")]
mod formats;

use std::error::Error;
use std::fs;
use std::io::stdout;
use std::path::Path;

use formats::{
    bmp, cbor, class, dns, elf, git_index, gzip, kinds, messagepack, mo, nbt, png, sqlite, tar,
    tiff, tzif, wasm, wav, zip,
};
use formwork::document::{Format, RecordFormat};
use formwork::record::{self, Declared};

const USAGE: &str = "usage: gallery FORMAT [FILE], gallery FORMAT --ksy, gallery FORMAT --made FOLDER [FILE..]; the formats are the \
    modules of examples/formats";

/// Values that are made, at most.
const MADE: u64 = 100;

/// Values of which broken copies are made.
const BROKEN: usize = 5;

fn show<T: Declared>(format: &str, more: &[String]) -> Result<(), Box<dyn Error>> {
    match more {
        [] => print!("{}", record::page::<T>()),
        [how] if how == "--ksy" => {
            let format = format.to_owned().leak();
            print!("{}", RecordFormat::new::<T>(format, "").ksy()?);
        }
        [how, folder, samples @ ..] if how == "--made" => made::<T>(Path::new(folder), samples)?,
        [file, ..] => record::dump_to::<T>(&fs::read(file)?, &mut stdout().lock())?,
    }
    Ok(())
}

/// Writes values that are made, samples, and broken copies, with what is right of each: its value as JSON and what its views
/// show, or why it is refused.
fn made<T: Declared>(folder: &Path, samples: &[String]) -> Result<(), Box<dyn Error>> {
    let format = RecordFormat::new::<T>("format", "");
    fs::create_dir_all(folder)?;
    let write = |name: &str, bytes: &[u8]| -> Result<(), Box<dyn Error>> {
        fs::write(folder.join(format!("{name}.bin")), bytes)?;
        let right = match format.open(bytes) {
            Ok(document) => {
                let mut right = document.to_json().to_string();
                for (path, _) in record::views::<T>(bytes).unwrap_or_default() {
                    let path = path.to_string().replace('[', ".").replace([']', '.'], "/");
                    let path = path.replace("//", "/");
                    // What a view shows may be damaged.
                    if let Ok(value) = document.get(&path) {
                        right.push_str(&format!("\n{path}\t{value}"));
                    }
                }
                right
            }
            Err(error) => format!("refused: {error}"),
        };
        Ok(fs::write(folder.join(format!("{name}.txt")), right)?)
    };
    let samples = samples.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    // Some declarations allow no value for some seeds.
    let made = (0..MADE).filter_map(|seed| record::generate_bytes::<T>(seed).ok());
    let made: Vec<_> = made.collect();
    for (at, bytes) in samples.iter().chain(&made).enumerate() {
        write(&at.to_string(), bytes)?;
        if at < BROKEN {
            for (number, copy) in record::broken::<T>(bytes).enumerate() {
                write(&format!("{at}-broken-{number}"), &copy.apply(bytes))?;
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (format, more) = arguments.split_first().ok_or(USAGE)?;
    match format.as_str() {
        "bmp" => show::<bmp::Bitmap>(format, more),
        "cbor" => show::<cbor::Item>(format, more),
        "class" => show::<class::Class>(format, more),
        "dns" => show::<dns::Message>(format, more),
        "elf" => show::<elf::Elf>(format, more),
        "git_index" => show::<git_index::Index>(format, more),
        "gzip" => show::<gzip::Gzip>(format, more),
        "kinds" => show::<kinds::Kinds>(format, more),
        "messagepack" => show::<messagepack::Value>(format, more),
        "mo" => show::<mo::Messages>(format, more),
        "nbt" => show::<nbt::Tag>(format, more),
        "png" => show::<png::Png>(format, more),
        "sqlite" => show::<sqlite::Database>(format, more),
        "tar" => show::<tar::Tar>(format, more),
        "tiff" => show::<tiff::Tiff>(format, more),
        "tzif" => show::<tzif::TimeZone>(format, more),
        "wasm" => show::<wasm::Module>(format, more),
        "wav" => show::<wav::Wave>(format, more),
        "zip" => show::<zip::Zip>(format, more),
        _ => Err(USAGE.into()),
    }
}
