//! Programs made with this crate and real engines exchange values and files: see README.md.

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

use formwork_testkit::golden as cases;
