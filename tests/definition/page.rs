//! The README and the page "Declare a format of your own" show what the library prints.
//! `UPDATE=1 cargo test --test definition page` writes them.

#[allow(dead_code, missing_docs, reason = "the example has a `main`")]
#[path = "../../examples/own_format.rs"]
mod own_format;
#[allow(dead_code, missing_docs, reason = "the example has a `main`")]
#[path = "../../examples/scores.rs"]
mod scores;

use crate::examples::png;
use formwork::record;
use own_format::Pack;
use scores::Scores;

/// The file of the example.
const SCORES: &[u8] = b"SCOR\x03\x0c\0\x09\0\x07\0";

fn read(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Returns what is to be in a block of the page.
fn block(name: &str) -> Option<String> {
    let pack = bytes("examples/own_format/hello.pak");
    let lines = |text: String| {
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>()
    };
    Some(match name {
        "text png" => {
            lines(record::dump::<png::Png>(&bytes("examples/formats/samples/wrong_crc.png")))
        }
        "text dump" => lines(record::dump::<Pack>(&pack)),
        "text cut" => lines(record::dump::<Pack>(&pack[..pack.len() - 5])),
        "markdown page" => record::page::<Pack>(),
        "text broken" => record::broken::<Pack>(&pack).map(|copy| format!("{copy}\n")).collect(),
        "text error" => {
            let error = record::from_slice::<Pack>(b"PACK\x03\0\0\0\0\0\0\0").unwrap_err();
            format!("{error}\n")
        }
        "text scores" => {
            let error = record::from_slice::<Scores>(&SCORES[..8]).unwrap_err();
            format!("{}\n{error}\n", lines(record::dump::<Scores>(SCORES)))
        }
        "rust scores" => {
            let source = read("examples/scores.rs");
            let start = source.find("#[derive").unwrap();
            source[start..source.find("\nfn main").unwrap()].to_owned()
        }
        "rust declare" => {
            let source = read("examples/own_format.rs");
            let start = source.find("use formwork").unwrap();
            source[start..source.find("\nfn main").unwrap()].to_owned()
        }
        "rust program" => {
            let source = read("examples/own_program.rs");
            source[source.find("use std").unwrap()..].to_owned()
        }
        _ => return None,
    })
}

/// Compares a page with what is printed now in its blocks, of which there are this many.
fn shows_what_is_printed(path: &str, count: usize) {
    let page = read(path);
    let (mut made, mut rest) = (String::new(), page.as_str());
    let mut blocks = 0;
    while let Some(start) = rest.find("\n```") {
        let (before, after) = rest.split_at(start + 4);
        made.push_str(before);
        let (name, body) = after.split_once('\n').unwrap();
        // (An empty block ends with the line after its first one.)
        let end = format!("\n{body}").find("\n```").unwrap();
        let (there, after) = (&body[..end], &body[end..]);
        let expected = block(name);
        blocks += usize::from(expected.is_some());
        made.push_str(name);
        made.push('\n');
        made.push_str(&expected.unwrap_or_else(|| there.to_owned()));
        made.push_str("```");
        rest = &after[3..];
    }
    made.push_str(rest);
    assert_eq!(blocks, count, "every block of {path} is made");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR")), made).unwrap();
    } else {
        assert_eq!(made, page);
    }
}

#[test]
fn the_page_shows_what_is_printed() {
    shows_what_is_printed("docs/own_format.md", 8);
}

#[test]
fn the_readme_shows_what_is_printed() {
    shows_what_is_printed("README.md", 2);
}

#[test]
fn the_format_of_the_page_is_audited() {
    let pack = bytes("examples/own_format/hello.pak");
    let audit =
        record::audit::<Pack>(&[&pack], 500).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((audit.made, audit.never), (500, vec![]));
}
