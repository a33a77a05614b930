//! The program, called as a person or a script calls it.

mod alb1;
mod beside;
mod capture;
mod change;
mod config_file;
mod containers;
mod conventions;
mod convert;
mod diff;
mod dump;
mod edit;
#[path = "../../../../tests/engines/engine.rs"]
#[allow(dead_code, reason = "shared with the tests that need more of an engine")]
mod engine;
mod faults;
mod files;
mod folders;
mod generate;
mod graph;
mod info;
mod interrupted;
mod json_text;
mod merge;
mod objects;
mod packs;
mod query;
mod recover;
mod rescue;
mod resource;
mod respond;
mod run;
mod script;
mod settings;
mod shrink;
mod store;
mod surface;
mod terminal;
mod terrain;
mod terrain_verbs;
mod told;

use formwork_testkit::golden as cases;
