//! Turns every object of a layer of Terrain Builder by ninety degrees.
//!
//!     cargo run -p formwork-examples --example turn_objects -- formats/alb1/samples/valley.Layers/houses.tv4l turned.tv4l

use formwork_alb1::Document;
use formwork_alb1::terrain::{ObjectLayer, Root};
use formwork_alb1::tree::Tree;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("usage: turn_objects LAYER.tv4l OUT.tv4l".into());
    };
    let mut document = Document::from_slice(&std::fs::read(from)?)?;
    let mut layer = ObjectLayer::of(&document)?;
    let mut tree = Tree::read(&layer.tree, layer.tree_version())?;
    for object in &mut tree.objects {
        object.yaw = (object.yaw + 90.0) % 360.0;
    }
    // Stores the tree, the number of objects, and the fields that depend on them.
    layer.set_tree(&tree)?;
    // Unchanged fields keep their bytes of the file.
    layer.store_in(&mut document)?;
    println!("{} objects of the layer {} turned", tree.objects.len(), layer.name);
    std::fs::write(to, document.to_vec()?)?;
    Ok(())
}
