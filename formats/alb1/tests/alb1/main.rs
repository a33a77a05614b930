//! ALB1 files: synthetic ones that the crate ships, and any real ones that the machine has.

mod corpus;
mod damage;
mod diff;
mod document;
mod edit;
mod file_format;
mod frames;
mod geojson;
mod graph;
mod inspect;
mod json;
mod merge;
mod object_change;
mod object_list;
mod objects;
mod plot;
mod project_files;
mod random;
mod recover;
mod rescue;
mod road_set;
mod samples;
mod templates;
mod terrain;
mod terrain_check;
mod terrain_paths;
mod tree;
mod tree_build;
mod tree_bytes;
mod verify;
mod walk;
#[path = "../../../variant/tests/work/mod.rs"]
mod work;
