//! Declared records as documents: JSON both ways, changes, settled counts and checksums, differences.

use crate::examples::{elf, git_index, gzip, messagepack, png, tar, wav, zip};
use crate::sample;
use formwork::document::{Confidence, Document, Edit, Format, Json, RecordFormat};
use formwork::record::{self, Declared};

static PNG: RecordFormat = RecordFormat::new::<png::Png>("png", "pictures");
static WAV: RecordFormat = RecordFormat::new::<wav::Wave>("wav", "sounds");

fn json(text: &str) -> Json {
    Json::read(text.as_bytes()).unwrap()
}

/// Checks for samples and made values that their JSON makes the same bytes.
fn both_ways<T: Declared>(names: &[&str]) {
    let format = RecordFormat::new::<T>("format", "a format");
    let samples = names.iter().map(|name| sample(name));
    let made = (0..300).filter_map(|seed| record::generate_bytes::<T>(seed).ok());
    let mut count = 0;
    for bytes in samples.chain(made) {
        let document = format.open(&bytes).unwrap();
        assert_eq!(document.to_bytes(), bytes);
        let json = document.to_json();
        let text = format!("{json:#}");
        assert_eq!(Json::read(text.as_bytes()).unwrap(), json, "{text}");
        let again = format.make(&json).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(again.to_bytes() == bytes, "{text}\n{:#}", again.to_json());
        count += 1;
    }
    assert!(count > 250, "{count} values");
}

#[test]
fn json_of_wav_is_lossless() {
    both_ways::<wav::Wave>(&["tone.wav", "list.wav"]);
}

#[test]
fn json_of_png_is_lossless() {
    both_ways::<png::Png>(&["rgb.png", "palette.png"]);
}

#[test]
fn json_of_gzip_is_lossless() {
    both_ways::<gzip::Gzip>(&["plain.gz", "named.gz"]);
}

#[test]
fn json_of_tar_is_lossless() {
    both_ways::<tar::Tar>(&["two.tar"]);
}

#[test]
fn json_of_the_index_of_git_is_lossless() {
    both_ways::<git_index::Index>(&["version2.index", "version3.index", "version4.index"]);
}

#[test]
fn json_of_messagepack_is_lossless() {
    both_ways::<messagepack::Value>(&["save.mpk"]);
}

#[test]
fn json_of_zip_is_lossless() {
    both_ways::<zip::Zip>(&["two.zip"]);
}

#[test]
fn json_of_elf_is_lossless() {
    both_ways::<elf::Elf>(&["answer.o", "big.o"]);
}

fn changed(document: &mut dyn Document, edits: &[Edit]) -> Vec<String> {
    document.edit(edits).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn a_change_settles_sizes_and_checksums() {
    let mut document = PNG.open(&sample("rgb.png")).unwrap();
    let changes = changed(&mut *document, &[Edit::set("chunks/1/content/text", "a".into())]);
    let text = "chunks/1/content/text: \"four by four\" -> \"a\"";
    assert_eq!(changes[..2], ["chunks/1/size: 18 -> 7", text]);
    assert!(changes.len() == 3 && changes[2].starts_with("chunks/1/crc: "), "{changes:?}");
    let bytes = document.to_bytes();
    assert_eq!(record::check::<png::Png>(&bytes), Ok(()));
    assert_eq!(bytes.len(), sample("rgb.png").len() - 11);
}

#[test]
fn what_is_settled_may_be_left_out() {
    let mut document = PNG.open(&sample("rgb.png")).unwrap();
    let chunk = json(r#"{"content": {"$Text": {"keyword": "Author", "text": "me"}}}"#);
    let changes = changed(&mut *document, &[Edit::add("chunks/+1", chunk)]);
    assert_eq!(changes.len(), 1);
    let chunk = document.get("chunks/1").unwrap();
    assert_eq!(chunk.get("size"), Some(&9.into()));
    assert_eq!(chunk.get("id"), Some(&"tEXt".into()));
    assert_eq!(record::check::<png::Png>(&document.to_bytes()), Ok(()));
}

#[test]
fn zeros_that_fill_up_follow_the_size() {
    let mut document = WAV.open(&sample("list.wav")).unwrap();
    let path = |document: &dyn Document| {
        let json = document.to_json();
        let chunks = json.find("form/chunks").unwrap();
        let Json::Array(chunks) = chunks else { panic!("a list") };
        let list = chunks.iter().position(|it| it.get("id") == Some(&"LIST".into())).unwrap();
        format!("form/chunks/{list}/content/entries/0")
    };
    let entry = path(&*document);
    for (text, has_pad) in [("odd\0 ", true), ("even\0 ", false), ("x", true), ("", false)] {
        document.edit(&[Edit::set(format!("{entry}/text"), text.into())]).unwrap();
        let there = document.get(&entry).unwrap();
        assert_eq!(there.get("pad").is_some(), has_pad, "{text:?}: {there}");
        assert_eq!(record::check::<wav::Wave>(&document.to_bytes()), Ok(()));
    }
}

#[test]
fn what_other_fields_decide_cannot_be_set() {
    let bytes = sample("rgb.png");
    let mut document = PNG.open(&bytes).unwrap();
    for (path, value, expected) in [
        (
            "chunks/0/size",
            json("99"),
            "chunks[0].size: expected 13, as the other fields give it, found 99",
        ),
        (
            "chunks/0/crc",
            json("1"),
            "chunks[0].crc: expected \"0x26930929\", as the other fields give it",
        ),
        ("chunks/1/id", json("\"tIME\""), "chunks[1].id: expected \"tEXt\", as the other fields"),
        ("chunks/0/content/width", json("0"), "chunks[0].content.width: expected `width > 0`"),
        (
            "chunks/0/content/width",
            json("-1"),
            "chunks[0].content.width: expected a number: u32, found -1",
        ),
        ("chunks/0/content/color", json("\"Pink\""), "expected one of 0 Gray, 2 Rgb, 3 Palette"),
        (
            "chunks/0/content/compression",
            json("1"),
            "chunks[0].content.compression: expected a zero, found 1",
        ),
        ("chunks/0/content/size", json("1"), "expected one of width, height"),
        ("chunks/9", json("1"), "expected an element from 0 to 3, found `chunks/9`"),
        ("chunks/1/content", json("{\"$Txt\":1}"), "an object with one of $Header, $Palette"),
        (
            "chunks/1",
            json("{\"content\":{\"$Other\":\"\"}}"),
            "expected a value: no other field gives it",
        ),
    ] {
        let error = document.edit(&[Edit::set(path, value)]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
        assert!(document.to_bytes() == bytes, "nothing changed");
    }
}

#[test]
fn what_other_fields_decide_cannot_be_removed() {
    let mut document = PNG.open(&sample("rgb.png")).unwrap();
    let error = document.edit(&[Edit::remove("chunks/0/crc")]).unwrap_err().to_string();
    assert!(error.starts_with("chunks[0].crc: expected a value, as the other fields give it"));
    assert_eq!(
        document.edit(&[Edit::remove("chunks/1"), Edit::remove("chunks/1")]).unwrap().len(),
        2
    );
}

#[test]
fn wrong_checksums_stay_until_something_changes() {
    let bytes = sample("wrong_crc.png");
    let mut document = PNG.open(&bytes).unwrap();
    let same = document.to_json();
    assert_eq!(document.set_json(&same).unwrap(), []);
    assert!(document.to_bytes() == bytes);
    let problems = PNG.problems(&bytes);
    assert_eq!((problems.len(), problems[0].offset()), (1, 0x3b));
    document.edit(&[Edit::set("chunks/0/content/interlace", 1.into())]).unwrap();
    assert_eq!(PNG.problems(&document.to_bytes()), []);
}

#[test]
fn files_are_recognised() {
    let (png, wav) = (sample("rgb.png"), sample("tone.wav"));
    assert_eq!((PNG.sniff(&png), WAV.sniff(&png)), (Confidence::Whole, Confidence::None));
    assert_eq!((PNG.sniff(&wav), WAV.sniff(&wav)), (Confidence::None, Confidence::Whole));
    assert_eq!(PNG.sniff(&png[..60]), Confidence::Start);
    assert_eq!(PNG.problems(&png[..60]).len(), 1);
    assert!(PNG.open(&png[..60]).is_err());
}

#[test]
fn two_files_differ_where_they_differ() {
    let bytes = sample("rgb.png");
    let (one, mut other) = (PNG.open(&bytes).unwrap(), PNG.open(&bytes).unwrap());
    other
        .edit(&[Edit::remove("chunks/1"), Edit::set("chunks/0/content/height", 5.into())])
        .unwrap();
    let changes: Vec<_> = one.diff(&*other).iter().map(|it| it.path.clone()).collect();
    assert_eq!(changes, ["chunks/0/content/height", "chunks/0/crc", "chunks/1"]);
}

#[test]
fn rows_are_the_lines_of_the_dump() {
    let bytes = sample("wrong_crc.png");
    let (mut lines, mut paths) = (Vec::new(), Vec::new());
    let mut each = |row: &formwork::document::Row<'_>| {
        lines.push(row.to_string());
        paths.push(row.path().to_string());
        Ok(())
    };
    PNG.rows(&bytes, &mut each).unwrap();
    let dump = record::dump::<png::Png>(&bytes);
    assert_eq!(lines.join("\n"), dump.split_once('\n').unwrap().1.trim_end());
    assert!(paths.contains(&"chunks[0].content.width".to_owned()));
}
