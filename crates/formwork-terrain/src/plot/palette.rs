//! The colours of a picture. They differ in brightness, too, so that most people can tell them apart.

/// Kinds of objects, the most frequent first.
pub(super) const OBJECTS: [&str; 12] = [
    "#1f6fb4", "#e66c00", "#2e8b3d", "#c2272d", "#7b4fa3", "#8c5a3c", "#d1499b", "#138f9a",
    "#9a8f00", "#4c4cc4", "#6b9e1f", "#e0a100",
];
/// All other kinds.
pub(super) const OTHER: &str = "#8a8f98";
/// Layers of shapes, one after another.
pub(super) const SHAPES: [&str; 6] =
    ["#3d7a2a", "#2a6f97", "#9c4221", "#6d3b8e", "#7a6a00", "#a0305f"];
/// Roads.
pub(super) const ROAD: &str = "#4a4a4a";
/// Densities, from few objects to many.
pub(super) const DENSITIES: [&str; 7] =
    ["#d6e6f4", "#abcfe6", "#7bb4d9", "#4b97c9", "#2576b5", "#0d539b", "#072f63"];
