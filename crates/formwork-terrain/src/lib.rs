//! Tools for terrain makers beyond the files of Terrain Builder: lists of objects (text, CSV, GeoJSON), sets of roads
//! (JSON, YAML), template libraries (XML) and the paths in a project; changes of objects, shapes, key points and map
//! frames; statistics and pictures of a map; and checks of a project and its files.
//!
//! Module [`project`] represents a project on disk; it is the only module that opens files. Projects, layers and shapes
//! themselves are in the library: see [`formwork_alb1::terrain`].

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
