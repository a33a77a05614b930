//! Tests the formats of the gallery on files of the programs that usually write them.

use std::fmt::Debug;

use crate::examples::{
    bmp, cbor, class, dns, elf, git_index, gzip, kinds, messagepack, mo, nbt, png, sqlite, tar,
    tiff, tzif, wasm, wav, zip,
};
use crate::sample;
use formwork::record::{self, Declared};

/// Compares the format with each sample: it is read, written byte for byte, checked and settled without a change.
fn held_to<T: Declared + PartialEq + Debug>(names: &[&str]) -> Vec<Vec<u8>> {
    let samples: Vec<_> = names.iter().map(|name| sample(name)).collect();
    for (name, bytes) in names.iter().zip(&samples) {
        let mut value =
            record::from_slice::<T>(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(record::to_vec(&value).as_deref(), Ok(&**bytes), "{name}");
        assert_eq!(record::check::<T>(bytes), Ok(()), "{name}");
        record::settle(&mut value).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(record::to_vec(&value).as_deref(), Ok(&**bytes), "{name}, settled");
        let dump = record::dump::<T>(bytes);
        assert!(!dump.contains("fault:") && !dump.contains("odd:"), "{name}\n{dump}");
    }
    assert!(record::page::<T>().starts_with("# "), "a page has a title");
    samples
}

/// Holds the format to the samples, and audits it.
fn gallery<T: Declared + PartialEq + Debug>(names: &[&str]) -> record::Audit {
    let samples = held_to::<T>(names);
    let slices: Vec<&[u8]> = samples.iter().map(|bytes| &**bytes).collect();
    let audit = formwork::document::audit::<T>(&slices, 300)
        .ok()
        .unwrap_or_else(|faults| panic!("{faults}"));
    // The values that were never made are printed if the test fails.
    println!("{audit}");
    audit
}

#[test]
fn wav() {
    let audit = gallery::<wav::Wave>(&["tone.wav", "list.wav"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn png() {
    let audit = gallery::<png::Png>(&["rgb.png", "palette.png"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn gzip() {
    let audit = gallery::<gzip::Gzip>(&["plain.gz", "named.gz"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn tar() {
    let audit = gallery::<tar::Tar>(&["two.tar"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn git_index() {
    let audit =
        gallery::<git_index::Index>(&["version2.index", "version3.index", "version4.index"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn zip() {
    let audit = gallery::<zip::Zip>(&["two.zip"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn messagepack() {
    let audit = gallery::<messagepack::Value>(&["save.mpk"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn elf() {
    let audit = gallery::<elf::Elf>(&["answer.o", "big.o"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn bmp() {
    let audit = gallery::<bmp::Bitmap>(&["colors.bmp", "table.bmp"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn tzif() {
    let audit = gallery::<tzif::TimeZone>(&["fat.tzif", "slim.tzif"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn dns() {
    let audit = gallery::<dns::Message>(&["question.dns", "answer.dns"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn mo() {
    let audit = gallery::<mo::Messages>(&["little.mo", "big.mo"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn kinds() {
    let audit = formwork::document::audit::<kinds::Kinds>(&[], 8)
        .ok()
        .unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(audit.made, 8, "{audit}");
}

#[test]
fn nbt() {
    let audit = gallery::<nbt::Tag>(&["level.nbt"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn tiff() {
    let audit = gallery::<tiff::Tiff>(&["little.tiff", "big.tiff"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn wasm() {
    let audit = gallery::<wasm::Module>(&["answer.wasm"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn cbor() {
    let audit = gallery::<cbor::Item>(&["save.cbor", "open.cbor"]);
    assert_eq!(audit.never, Vec::<String>::new());
}

#[test]
fn class() {
    let audit = gallery::<class::Class>(&["Answer.class"]);
    assert_eq!((audit.made, audit.never), (300, vec![]));
}

#[test]
fn sqlite() {
    let samples = held_to::<sqlite::Database>(&["heroes.sqlite"]);
    // A page has 512 bytes and more.
    let audit = formwork::document::audit::<sqlite::Database>(&[], 10);
    let audit = audit.ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((audit.made, &audit.never), (10, &vec![]), "{audit}");
    let database: sqlite::Database = record::from_slice(&samples[0]).unwrap();
    assert_eq!(database.pages.len(), 6);
    let cells = record::views::<sqlite::Database>(&samples[0]).unwrap();
    let document = formwork::document::RecordFormat::new::<sqlite::Database>("sqlite", "");
    let document = formwork::document::Format::open(&document, &samples[0]).unwrap();
    let row = document.get("first/pointers/0/cell").unwrap().to_string();
    assert!(row.starts_with(r#"{"$TableLeaf":{"size":"#), "{row}");
    assert!(cells.len() > 30, "{}", cells.len());
}
