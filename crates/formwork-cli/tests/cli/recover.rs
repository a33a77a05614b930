//! Recovery of damaged ALB1 files with the program.

use formwork_alb1::terrain::{ObjectLayer, Polygon, Root, Shape, ShapeLayer, Vertex, hash};
use formwork_alb1::tree::{Colour, Grid, Object, Tree, Version};
use formwork_alb1::{Document, Text};
use serde_json::Value as Json;
use snapbox::str;

use crate::run::{run, run_with};

/// Returns a layer with three fields, and the same layer cut in the last field.
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
    let ended = ended.says(str![[r#"
note: standard input is damaged: offset 2716 (0xa9c), mareas: expected 761 bytes of an object or array, found 756 left; at least 5 more bytes needed
note: 16 objects kept; 5 of 3472 bytes could not be read; 5 entries under "$lost"
note: bytes 3472..3472: default: malpha 1, msurfExportMapframeName "", msurfExportSurfName "" of CAreaLayer
note: bytes 3472..3472, mareas[2]: default: mname "" of CPolygonalArea
note: bytes 3467..3472, mareas[2]: unreadable: elements of mareas; malpha, msurfExportMapframeName, msurfExportSurfName of CAreaLayer
note: bytes 3472..3472, mareas[2]: cut off: it says that it ends at 3477, and ends at 3472
note: bytes 3472..3472, mareas: cut off: it says that it ends at 3477, and ends at 3472
"#]]);
    let json: Json = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert!(json["$alb1"]["$lost"].is_object(), "{json}");
    let file = run_with(&["encode", "-", "-o", "-"], &ended.stdout).with_status(0).stdout;
    run_with(&["info", "-"], &file).with_status(0);
    let rescued = Document::from_slice(&file).expect("a document");
    let shapes = rescued.root.get(rescued.tags.id("mareas").expect("a tag"));
    assert_eq!(shapes.and_then(|shapes| shapes.as_array()).map(<[_]>::len), Some(3));
    let text = String::from_utf8_lossy(&file);
    assert!(text.contains("wheat") && text.contains("rye") && !text.contains("maize"));
    // The recovered file loses nothing more.
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

/// Returns a layer with this number of objects, all of one template.
fn objects(count: u32) -> Vec<u8> {
    let text = |text: &str| Text::new(text).expect("plain letters");
    let mut layer = ObjectLayer::new(text("houses"), 7).expect("a layer");
    layer.add_template(text("barn"), text("farm"));
    let placed = (0..count).map(|id| {
        let x = 200_000.0 + f64::from(id) * 7.0;
        (hash(b"barn"), Object { x, y: 100.0, id, scale: 1.0, ..Object::default() })
    });
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
    let tree = Tree::build(&grid, placed, |_| Colour::from(1)).expect("a tree");
    layer.set_tree(&tree).expect("it can be written");
    layer.to_document().expect("a layer").to_vec().expect("it can be written")
}

#[test]
fn a_rescued_layer_is_taken_by_every_terrain_command() {
    let whole = objects(50);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rescued.tv4l").display().to_string();
    for (cut, kept) in
        [(10, Some(50)), (30, Some(50)), (whole.len() / 2, None), (whole.len() - 6_000, Some(0))]
    {
        let ended =
            run_with(&["decode", "-", "--recover"], &whole[..whole.len() - cut]).with_status(1);
        if let Some(kept) = kept.filter(|kept| *kept > 0) {
            let words = format!("{kept} of 50 placed objects kept");
            assert!(ended.stderr.contains(&words), "{words}: {}", ended.stderr);
        }
        assert!(ended.stderr.contains("mlayerID 0 of CLayer"), "{}", ended.stderr);
        run_with(&["encode", "-", "-o", &path], &ended.stdout).with_status(0);
        run(&["verify", &path]).with_status(0);
        for command in [
            &["layers"][..],
            &["layers", "--json"],
            &["objects"],
            &["objects", "--as", "csv"],
            &["objects", "--as", "geojson"],
            &["shapes"],
            &["verify"],
        ] {
            run(&[&["terrain"], command, &[&path]].concat()).with_status(0);
        }
        run(&["diff", &path, &path]).with_status(0);
    }
}

#[test]
fn a_file_with_a_damaged_start_is_rescued() {
    let whole = objects(5);
    let mut damaged = whole.clone();
    damaged[..4].fill(0);
    let ended = run_with(&["decode", "-", "--recover"], &damaged).with_status(1);
    let again = run_with(&["encode", "-", "-o", "-"], &ended.stdout).with_status(0).stdout;
    assert!(again == whole);
}
