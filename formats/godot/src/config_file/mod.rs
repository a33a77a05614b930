//! ConfigFile text: `.cfg` files, `project.godot`, `export_presets.cfg`. Sections, keys, and values in the engines'
//! [text form](formwork_variant::text).
//!
//! Such a file is one value: a Dictionary with a Dictionary for each section. Keys before the first section stand
//! under `""`. A value that is none on its own, such as `Resource("res://a.png")`, is kept as its text, in a
//! Dictionary `{"$text": ...}`.
//!
//! ```
//! use formwork_variant::Dialect;
//! use formwork_godot::config_file::ConfigFile;
//!
//! let text = "; my settings\n[player]\n\nname=\"Ada\"   ; who plays\nhp=7\n";
//! let file = ConfigFile::parse(text)?;
//! let mut value: formwork_variant::Variant = file.read(Dialect::GODOT4);
//! assert_eq!(value["player"]["hp"], 7);
//!
//! value["player"]["hp"] = 100.into();
//! let text = file.with_values(&value, Dialect::GODOT4)?;
//! assert_eq!(text, "; my settings\n[player]\n\nname=\"Ada\"   ; who plays\nhp=100\n");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # What is kept
//!
//! All of a file but the texts of values that changed: comments, blanks, order, and what the engine would print
//! differently. Where a section or key comes twice, the last value counts, as in the engine.

mod change;
pub mod rule;
mod scan;
mod words;

pub use change::to_config_file;
pub use scan::{ConfigFile, Entry};

/// The key under which a value is kept that is text only.
const TEXT: &str = "$text";
