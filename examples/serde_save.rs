//! Reads, changes and writes a save game as a user-defined struct.
//!
//!     cargo run -p formwork-examples --example serde_save -- IN OUT
//!
//! Without arguments it takes a save that a real Godot 3.6 wrote, and prints who plays.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use formwork_variant::Dialect;
use formwork_variant::Variant;
use formwork_variant::Vector3;
use formwork_variant::serde::{from_slice, to_vec};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize)]
struct Save {
    version: u32,
    player: Player,
    inventory: Vec<Item>,
    /// All other entries of the save, which are kept.
    #[serde(flatten)]
    rest: BTreeMap<String, Variant>,
}

#[derive(Deserialize, Serialize)]
struct Player {
    name: String,
    level: u8,
    position: Vector3,
    #[serde(flatten)]
    rest: BTreeMap<String, Variant>,
}

#[derive(Deserialize, Serialize)]
struct Item {
    name: String,
    qty: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, Variant>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let sample = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("formats/godot3/golden/3.6.2/files/small.var2bytes.bin");
    let bytes = std::fs::read(arguments.next().unwrap_or(sample))?;

    let mut save: Save = from_slice(&bytes, Dialect::GODOT3)?;
    let Player { name, level, position, .. } = &save.player;
    println!("{name}, level {level}, at {}, {}, {}", position.x, position.y, position.z);
    for item in &mut save.inventory {
        println!("{} {}", item.qty, item.name);
        item.qty += 1;
    }
    if let Some(output) = arguments.next() {
        std::fs::write(output, to_vec(&save, Dialect::GODOT3)?)?;
    }
    Ok(())
}
