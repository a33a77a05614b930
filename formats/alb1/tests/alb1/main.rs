//! ALB1 files: synthetic ones that the crate ships, and any real ones that the machine has.

#![allow(clippy::type_complexity, reason = "the rows of tables are written once")]

mod addresses;
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
mod mended;
mod merge;
mod merge_table;
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
mod tree_table;
mod verify;
mod walk;
