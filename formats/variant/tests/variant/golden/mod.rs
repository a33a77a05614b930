//! The output of the real engines, and their reactions to inputs.

mod judge;
mod typed_elements;
mod verdicts;

use crate::cases::{ENGINES, Engine};

/// The answers of Godot 4.7-dev to the same inputs. (Its files are those of 4.6.3 byte for byte, except for the
/// random vectors of the encrypted ones.)
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
