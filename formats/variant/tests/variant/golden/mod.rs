//! What the real engines wrote, and how they reacted to what they read.

mod judge;
mod typed_elements;
mod verdicts;

use crate::cases::{ENGINES, Engine};

/// What Godot 4.7-dev made of the same inputs. (Its files are those of 4.6.3 byte for byte, but for the random
/// vectors of the encrypted ones.)
const GODOT4_7: Engine = Engine {
    name: "Godot 4.7-dev",
    folder: "godot4/golden/4.7-dev",
    dialect: "godot4.7",
    exceptions: "godot4/exceptions-4.7-dev.tsv",
};

/// The engines whose values and verdicts are there.
fn engines() -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().chain([&GODOT4_7])
}
