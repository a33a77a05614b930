//! What is left of a damaged ALB1 file, through the program.

use formwork::alb1::terrain::{Polygon, Root, Shape, ShapeLayer, Vertex};
use formwork::alb1::{Document, Text};
use serde_json::Value as Json;

use crate::run::run_with;

/// A layer with three fields, and the same cut in the last.
fn layers() -> [Vec<u8>; 2] {
    let text = |text: &str| Text::new(text).expect("plain letters");
    let mut layer = ShapeLayer::new(text("fields"));
    for name in ["wheat", "rye", "maize"] {
        let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)].map(|(x, y)| Vertex::at(x, y));
        layer.shapes.push(Shape::Polygon(Polygon::new(text(name), corners.into())));
    }
    let document = layer.to_document().expect("a layer");
    let whole = document.to_vec().expect("it can be written");
    let maize = whole.windows(5).position(|some| some == b"maize").expect("its name");
    let cut = whole[..maize].to_vec();
    [whole, cut]
}

#[test]
fn what_is_left_of_a_damaged_file_is_a_file_again() {
    let [whole, cut] = layers();
    run_with(&["decode", "-"], &cut).with_status(1);
    let ended = run_with(&["decode", "-", "--recover"], &cut).with_status(1);
    for said in ["is damaged", "bytes could not be read", "\"$lost\""] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    let json: Json = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert!(json["$alb1"]["$lost"].is_object(), "{json}");
    let file = run_with(&["encode", "-", "-o", "-"], &ended.stdout).with_status(0).stdout;
    run_with(&["info", "-"], &file).with_status(0);
    let rescued = Document::from_slice(&file).expect("a document");
    let shapes = rescued.root.get(rescued.tags.id("mareas").expect("a tag"));
    assert_eq!(shapes.and_then(|shapes| shapes.as_array()).map(<[_]>::len), Some(3));
    let text = String::from_utf8_lossy(&file);
    assert!(text.contains("wheat") && text.contains("rye") && !text.contains("maize"));
    // Nothing more is lost of that.
    run_with(&["decode", "-", "--recover"], &file).with_status(0);
    assert!(whole.len() > cut.len());
}

#[test]
fn a_whole_file_is_not_marked() {
    let [whole, _] = layers();
    let ended = run_with(&["decode", "-", "--recover"], &whole).with_status(0);
    assert_eq!(ended.stderr, "");
    assert_eq!(ended.stdout, run_with(&["decode", "-"], &whole).with_status(0).stdout);
}

#[test]
fn info_says_that_a_file_is_damaged_and_what_helps() {
    let [_, cut] = layers();
    let ended = run_with(&["info", "-"], &cut).with_status(1);
    assert!(ended.text().contains("--recover"), "{}", ended.text());
}

#[test]
fn limits_and_formats_are_refused_as_by_decode() {
    let [_, cut] = layers();
    let ended = run_with(&["decode", "-", "--recover", "--max-packet", "100"], &cut).with_status(1);
    assert!(ended.stderr.contains("at most 100 bytes"), "{}", ended.stderr);
    assert_eq!(ended.stdout, b"");
    run_with(&["decode", "-", "--recover", "--format", "godot4"], &cut).with_status(2);
    run_with(&["decode", "-", "--recover", "--as", "text"], &cut).with_status(2);
}
