//! Tests the Variant family, and the views of it, against the output of real engines.

mod cases;
mod config_file;
mod convert;
mod detect;
mod edit;
mod face;
mod frames;
mod generate;
mod golden;
mod inspect;
mod json;
mod json_page;
mod packed;
mod paths;
mod record_cuts;
mod resource;
mod script;
mod serde;
mod settings;
mod text;
mod walk;
#[path = "../work/mod.rs"]
mod work;
mod wrapper;
mod written;
