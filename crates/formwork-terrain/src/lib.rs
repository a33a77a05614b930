//! What terrain makers work with beside the files of Terrain Builder themselves: lists of objects (text, CSV,
//! GeoJSON), sets of roads (JSON, YAML), template libraries (XML), the paths in a project; changes of
//! objects, shapes, key points and map frames; what is on a map, counted and drawn; and what can be wrong in
//! a project and its files.
//!
//! What a project is on disk, [`project`] knows; it is the only module that opens files. Projects, layers
//! and shapes as such are the library's: see [`formwork_alb1::terrain`].

mod area;
pub mod check;
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
use formwork::Rule;
pub use library::library;
pub use map_area::MapArea;
pub use mode::Mode;

/// Returns every rule of this crate.
///
/// ```
/// assert!(formwork_terrain::all_rules().any(|rule| rule.name() == "object_list.line"));
/// ```
pub fn all_rules() -> impl Iterator<Item = Rule> {
    [rule::ALL, object_list::rule::ALL, object_change::rule::ALL].into_iter().flatten().copied()
}
