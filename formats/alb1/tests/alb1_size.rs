//! Measures reading, verifying, listing and changing a layer of 50 MB with half a million objects; thoroughly, one of
//! 200 MB with two million.
//!
//! One test function, because it measures memory: nothing else may allocate meanwhile.

use std::io::Write;

use bytes::Bytes;
use formwork_alb1::terrain::{ObjectLayer, Root, hash};
use formwork_alb1::tree::{Colour, Grid, Object, Tree, TreeItem, TreeWalk, Version};
use formwork_alb1::{Document, Text};
use formwork_terrain::object_list::{Filter, Form, LayerObjects, Writer};
use formwork_testkit::Noise;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The number of objects.
fn count() -> u32 {
    formwork_testkit::rounds(500_000, 2_000_000)
}

/// The memory that may be used in addition to a multiple of the file's size.
const BESIDES: usize = 16 << 20;

const TEMPLATES: [&str; 10] =
    ["alder", "ash", "beech", "birch", "elm", "fir", "larch", "oak", "pine", "rowan"];

fn text(text: &str) -> Text {
    Text::new(text).expect("plain letters")
}

/// Makes the file: a forest of ten templates over a hundred kilometres, so that many objects have a separate leaf
/// and nearly all a separate group. Most of the file is cells, as in real ones.
fn file() -> Bytes {
    let mut noise = Noise::new(1);
    let hashes = TEMPLATES.map(|name| hash(name.as_bytes()));
    let placed = (0..count()).map(|id| {
        let (x, y) = (200_000.0 + 100_000.0 * noise.unit(), 100_000.0 * noise.unit());
        (
            hashes[id as usize % hashes.len()],
            Object { x, y, yaw: 90.5, scale: 1.0, z: -0.25, id, ..Object::default() },
        )
    });
    let mut layer = ObjectLayer::new(text("forest"), 1_400_000_000).expect("it can be made");
    for template in TEMPLATES {
        layer.add_template(text(template), text("trees"));
    }
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
    let tree = Tree::build(&grid, placed, Colour::from).expect("all are inside");
    layer.tree = tree.to_vec().expect("it can be written").into();
    drop(tree);
    layer.object_count = count() as i32;
    layer.next_object_id = count() as i32;
    let document = layer.to_document().expect("it can be made");
    drop(layer);
    document.to_vec().expect("it can be written").into()
}

/// Runs `work`, and checks that all the memory in use during it, the file's included, is at most `most`.
fn within<T>(most: usize, what: &str, file: &Bytes, work: impl FnOnce() -> T) -> T {
    MEMORY.reset_peak_usage();
    let result = work();
    let used = MEMORY.peak_usage();
    println!(
        "{what}: {} MB in all, {:.3} times the file",
        used / 1_000_000,
        used as f64 / file.len() as f64
    );
    assert!(used <= most, "{what}: {used} bytes, not {most}");
    result
}

#[test]
fn a_large_layer() {
    let file = file();
    assert!((75..150).contains(&(file.len() / count() as usize)), "{} bytes", file.len());
    assert!(MEMORY.current_usage() < file.len() + (4 << 20), "only the file is kept");

    let twice = 2 * file.len() + BESIDES;
    let document = within(twice, "read", &file, || Document::from_bytes(&file).expect("a layer"));
    let difference = within(twice, "compare", &file, || document.difference(&file));
    assert_eq!(difference, Ok(None));
    let layer = ObjectLayer::of(&document).expect("a layer");
    assert_eq!(layer.tree_version(), Version::V4);
    let counts = within(twice, "walk", &file, || {
        let (mut nodes, mut leaves, mut objects) = (0, 0, 0);
        for stop in TreeWalk::new(&layer.tree, Version::V4) {
            match stop.expect("a whole tree").item {
                TreeItem::Node(_) => nodes += 1,
                TreeItem::Leaf(_) => leaves += 1,
                TreeItem::Group { objects: all, .. } => objects += all.len(),
            }
        }
        (nodes, leaves, objects)
    });
    assert!(counts.0 > count() as usize / 4 && counts.1 > count() as usize / 2, "{counts:?}");
    assert_eq!(counts.2, count() as usize);
    for form in [Form::Text, Form::Csv] {
        let written = within(twice, &format!("list as {form:?}"), &file, || list(&layer, form));
        assert_eq!(written, u64::from(count()));
    }
    // Lists for everything, which can be changed.
    let whole = within(6 * file.len(), "whole tree", &file, || {
        Tree::read(&layer.tree, Version::V4).expect("a whole tree")
    });
    let placed = (whole.nodes.len(), whole.leaves.len(), whole.objects.len());
    assert_eq!(placed, counts);
    let same = within(6 * file.len(), "write the tree", &file, || {
        let mut rest = Rest(&layer.tree);
        whole.write_to(&mut rest).expect("it can be written");
        rest.0.is_empty()
    });
    assert!(same);
}

/// Writes a list of all objects, for a stream that forgets; how many.
fn list(layer: &ObjectLayer, form: Form) -> u64 {
    let filter = Filter::default();
    let mut writer = Writer::new(Forgets, form).expect("nothing can fail");
    let objects = LayerObjects::new(layer, &[], &filter).expect("a whole tree");
    objects.write(&mut writer).expect("every form can hold them");
    let written = writer.written();
    writer.finish().expect("nothing can fail");
    written
}

/// A stream that stores nothing.
struct Forgets;

impl Write for Forgets {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The bytes still to be written: the output must be equal to them.
struct Rest<'a>(&'a [u8]);

impl Write for Rest<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.strip_prefix(bytes).expect("the same bytes");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
