//! Tools for terrain makers beyond the files of Terrain Builder: lists, roads, templates, paths, statistics, pictures and
//! checks of whole projects.
//!
//! ```no_run
//! use formwork_alb1::terrain::ObjectLayer;
//! use formwork_terrain::project::{FromDisk, Project};
//!
//! let valley = Project::open("valley.tv4p".as_ref(), &FromDisk)?;
//! for file in &valley.layers {
//!     let layer: ObjectLayer = file.view()?;
//!     println!("{}: {} objects", layer.name, layer.object_count);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | open a project with its layers and shapes | [`project`], the only module that opens files |
//! | list objects as text, CSV or GeoJSON, and import them | [`object_list`], [`geojson`] |
//! | move, turn and change objects | [`object_change`] |
//! | move types of road between projects | [`road_set`] |
//! | read an XML library of templates | [`library()`] |
//! | find and replace paths | [`paths`] |
//! | change the frame of a map | [`frame`] |
//! | count and draw | [`statistics`], [`plot`] |
//! | check a project and its files | [`check`], [`verify`] |
//!
//! Projects, layers and shapes themselves are in the library: see [`formwork_alb1::terrain`].

mod area;
pub mod check;
mod encoding;
pub mod frame;
pub mod geojson;
mod library;
mod map_area;
mod mode;
pub mod object_change;
pub mod object_list;
pub mod paths;
pub mod plot;
pub mod project;
pub mod road_set;
pub mod rule;
pub mod statistics;
pub mod verify;

pub use area::{Area, Ring};
pub use encoding::in_utf8;
use formwork::Rule;
pub use library::library;
pub use map_area::{MapArea, OutsideShapes};
pub use mode::Mode;

/// Returns every rule of this crate.
///
/// ```
/// assert!(formwork_terrain::all_rules().any(|rule| rule.name() == "object_list.line"));
/// ```
pub fn all_rules() -> impl Iterator<Item = Rule> {
    [rule::ALL, object_list::rule::ALL, object_change::rule::ALL].into_iter().flatten().copied()
}
