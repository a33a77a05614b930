//! docs/own_format.md shows what the example's code and output are.

use std::fs;
use std::path::Path;

use formwork::pages::record_page;
use formwork::record;

use super::pak::{Entry, Pack, round_trip};
use super::proof;

const SAMPLE: &[u8] = include_bytes!("../../../examples/own_format/hello.pak");
const EXAMPLE: &str = include_str!("../../../examples/own_format.rs");

fn error() -> String {
    let mut bytes = SAMPLE.to_vec();
    bytes[4] = 3;
    format!("{}\n", record::from_slice::<Pack>(&bytes).expect_err("it starts too early"))
}

fn breaches() -> String {
    let breaches = record::breaches::<Pack>(SAMPLE).expect("the sample is whole");
    breaches.iter().map(|breach| format!("{breach}\n")).collect()
}

#[test]
fn the_page_shows_what_the_example_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/own_format.md");
    let page = fs::read_to_string(&path).expect("the page can be read");
    let mut made = String::new();
    let mut lines = page.split_inclusive('\n');
    while let Some(line) = lines.next() {
        made.push_str(line);
        let shown = match line.trim_end() {
            "```text error" => error(),
            "```text dump" => record::dump::<Pack>(SAMPLE),
            "```text cut" => record::dump::<Pack>(&SAMPLE[..SAMPLE.len() - 5]),
            "```markdown page" => record_page::<Pack>(),
            "```text breaches" => breaches(),
            _ => continue,
        };
        made.push_str(&shown);
        let end = lines.by_ref().find(|line| line.trim_end() == "```");
        made.push_str(end.expect("the block ends"));
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &made).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).expect("the page can be read");
    assert!(written == made, "the page is old; BLESS=1 writes it anew");
}

#[test]
fn the_code_of_the_page_is_the_examples() {
    let page = include_str!("../../../docs/own_format.md");
    let blocks: Vec<_> = page.split("\n```rust\n").skip(1).collect();
    assert_eq!(blocks.len(), 4);
    for block in blocks {
        let code = block.split("\n```\n").next().expect("the block ends");
        assert!(EXAMPLE.contains(code), "{code}");
    }
}

#[test]
fn the_example_is_short() {
    assert!(EXAMPLE.lines().count() <= 60);
}

#[test]
fn a_pack_is_read_changed_and_written() {
    let mut pack: Pack = record::from_slice(SAMPLE).expect("the sample is whole");
    assert_eq!((pack.directory.len(), pack.directory[1].size), (2, 17));
    assert_eq!(record::to_vec(&pack).expect("it was read"), SAMPLE);
    pack.directory.0.push(Entry { path: [b'x'; 56], start: 12, size: 1 });
    let error = record::to_vec(&pack).expect_err("the directory is longer than it says");
    assert_eq!(
        error.to_string(),
        "offset 184 (0xb8): expected the end, found 64 more bytes (trailing, rule input.trailing)"
    );
    pack.directory_size += 64;
    assert_eq!(record::to_vec(&pack).expect("now it agrees").len(), SAMPLE.len() + 64);
}

#[test]
fn what_is_promised_of_any_format_holds_of_packs() {
    let made = proof::arbitrary_values_are_whole::<Pack>();
    let lengths = made.iter().map(Vec::len);
    assert!(lengths.clone().max() > Some(12 + 64 * 8), "large ones, too");
    assert!(lengths.filter(|&length| length > 12).count() > 150, "not only empty ones");
    proof::nothing_panics::<Pack>(SAMPLE);
    for bytes in made.iter().take(50) {
        proof::breaches_are_as_was_said::<Pack>(bytes);
    }
    let breaches = proof::breaches_are_as_was_said::<Pack>(SAMPLE);
    for (field, how) in [
        ("magic", "other bytes"),
        ("directory_at", "what is asserted does not hold"),
        ("directory_at", "a count far too large"),
        ("directory_size", "a count far too large"),
        ("directory_size", "a count one too large"),
        ("directory_size", "a count one too small"),
        ("directory[0].path", "not UTF-8"),
        ("", "a byte more at the end"),
    ] {
        let found = breaches.iter().find(|it| it.field.to_string() == field && it.how == how);
        assert!(found.is_some(), "{field}: {how}");
    }
}

#[test]
fn the_fuzz_target_finds_nothing() {
    for seed in 0..=255 {
        round_trip(&[seed; 300]);
    }
}
