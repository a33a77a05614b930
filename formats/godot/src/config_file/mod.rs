//! ConfigFile text: `.cfg` files, `project.godot`, `export_presets.cfg`. Sections, keys, and values in the engines'
//! [text form](formwork_variant::text).
//!
//! Such a file is one value: a Dictionary with a Dictionary for each section. Keys before the first section are stored
//! under `""`. A text that is not a value by itself, such as `Resource("res://a.png")`, is kept as text in a Dictionary
//! `{"$text": ...}`.
//!
//! Keys are those that the engine reads: see [`ConfigFile::misread`]. (Sources: `VariantParser::parse_tag_assign_eof`
//! and `ConfigFile` of Godot 3 and 4, and what Godot 3.2.3 made of such files.)
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
//! Everything but the texts of changed values: comments, blanks, order, and texts that the engine would print
//! differently. If a section or key occurs twice, the last value counts, as in the engine.

mod change;
mod convert;
mod file;
mod heading;
mod looks;
mod misread;
mod resource;
pub mod rule;
mod scan;
mod sections;
mod spell;
mod words;

pub use change::{resource_section_for, section_for, to_config_file};
pub use convert::ConvertedText;
pub use file::{ConfigFile, Entry};
pub use misread::Misread;
pub use words::EngineWord;
