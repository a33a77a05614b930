//! Tests the Variant family, and the views of it, against the output of real engines.

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
mod text_resource;
mod walk;
mod wrapper;
mod written;

use formwork_testkit::golden as cases;
