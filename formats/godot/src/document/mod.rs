//! Files of Godot and Pandemonium as formats of programs that open files of any format.
//!
//! | format | files |
//! | --- | --- |
//! | [`SAVES`] | values in any framing and wrapper, and `project.binary` |
//! | [`CONFIG_FILES`] | ConfigFile text: `.cfg`, `project.godot` |
//! | [`TEXT_RESOURCES`] | resources and scenes as text: `.tres`, `.tscn` |
//! | [`VALUE_TEXTS`] | one value as an engine prints it (`var2str`, `var_to_str`) |
//! | [`PACKS`] | the packs of exported games |
//! | [`RESOURCES`] | binary resources and scenes, in which numbers can be changed |
//! | [`SCRIPTS`] | compiled scripts, which can only be read |
//!
//! [`Format`] and [`Document`](formwork::document::Document) are the interface: engine, precision, framing and wrapper
//! do not show. Values are JSON in the [lossless form](formwork_variant::json). Paths are those of
//! [`ValuePath`](formwork_edit::ValuePath); in a pack, `files/"levels/1.txt"`.
//!
//! ```
//! use formwork::document::{Edit, Format};
//! use formwork_godot::document::SAVES;
//! use formwork_variant::{Dialect, to_vec, variant};
//!
//! let packet = to_vec(&variant!({ "hp": 7, "speed": 1.5 }), Dialect::GODOT3)?;
//! let mut save = SAVES.open(&packet)?;
//! assert_eq!(save.to_json().to_string(), r#"{"hp":7,"speed":1.5}"#);
//!
//! let edits = [Edit::set("hp", save.typed("hp", "100")?), Edit::set("speed", save.typed("speed", "2")?)];
//! let changes: Vec<_> = save.edit(&edits)?.iter().map(ToString::to_string).collect();
//! assert_eq!(changes, ["hp: 7 -> 100", "speed: 1.5 -> 2.0"]);
//! assert_eq!(save.to_bytes(), to_vec(&variant!({ "hp": 100, "speed": 2.0 }), Dialect::GODOT3)?);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! Values whose JSON would be too deep are refused. Up to a nesting of [`DEEPEST`] none is.

mod config_file;
mod exported;
mod form;
mod opened;
mod pack;
pub mod rule;
mod save;
mod value_text;

use formwork::document::Format;
use formwork_records::limits::Limits;

pub use config_file::{CONFIG_FILES, ConfigFormat, TEXT_RESOURCES};
pub use exported::{RESOURCES, ResourceFormat, SCRIPTS, ScriptFormat};
pub use form::Form;
pub use opened::keys_on;
pub use pack::{PACKS, PackFormat};
pub use save::{SAVES, SaveFormat};
pub use value_text::{VALUE_TEXTS, ValueTextFormat};

/// Nesting of values that these formats read, whatever they are. The lossless JSON of a value takes one level for an array
/// or a dictionary of texts, and up to five for others, and [`Json::read`](formwork::document::Json::read) reads 1,024.
pub const DEEPEST: u32 = 200;

/// Returns all these formats, for programs that open any file.
#[must_use]
pub fn formats() -> [&'static dyn Format; 7] {
    [&PACKS, &RESOURCES, &SCRIPTS, &SAVES, &CONFIG_FILES, &TEXT_RESOURCES, &VALUE_TEXTS]
}

/// Returns limits whose values have JSON.
fn shallow(limits: Limits) -> Limits {
    limits.depth(limits.depth.map_or(DEEPEST, |depth| depth.min(DEEPEST)))
}
