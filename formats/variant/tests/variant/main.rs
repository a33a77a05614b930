//! Tests the Variant family, and the views of it, against the output of real engines.

#![allow(clippy::type_complexity, reason = "the rows of tables are written once")]

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
mod key_order;
mod limits;
mod merge;
mod packed;
mod paths;
mod record_cuts;
mod resource;
mod script;
mod serde;
mod settings;
mod splice;
mod streams;
mod text;
mod text_resource;
mod walk;
mod wrapper;
mod written;

use formwork_testkit::golden as cases;
