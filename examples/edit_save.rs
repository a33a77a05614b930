//! Opens a save game, changes one value, and writes the save back: `cargo run -p formwork-examples --example edit_save IN OUT`.
//!
//! Without arguments it takes a save that a real Godot 3.6 wrote, and prints its content.

use std::error::Error;
use std::path::{Path, PathBuf};

use formwork_variant::{Decoder, Dialect, Encoder};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let sample = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("formats/godot3/golden/3.6.2/files/small.var2bytes.bin");
    let input = arguments.next().unwrap_or(sample);
    let dialect = Dialect::GODOT3;

    let mut save = Decoder::new(dialect).decode(&std::fs::read(&input)?)?;
    if let Some(pairs) = save.as_dictionary() {
        for (key, value) in pairs {
            println!("{}: {}", key.display(dialect), value.variant_type().name());
        }
    }
    if save.is_dictionary() {
        save["edited_by"] = "formwork".into();
    }
    if let Some(output) = arguments.next() {
        std::fs::write(output, Encoder::new(dialect).encode(&save)?)?;
    }
    Ok(())
}
