//! Programs made with this crate and real engines exchange values and files: see README.md.

#[path = "../../formats/variant/tests/variant/cases.rs"]
#[allow(dead_code, reason = "shared with the golden tests, which use the rest")]
mod cases;
mod config_file;
mod conversion;
mod engine;
mod exception;
mod exchange;
mod files;
mod keys;
mod made;
mod packs;
mod primitives;
mod sample;
mod session;
mod settings;
mod values;
mod verdicts;
