//! Rules about the quadtree of a layer.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A node of the quadtree has children as its kind and child mask say.
    pub const NODE = "alb1.tree.node", Malformed;
    /// The counts of a quadtree are not negative.
    pub const COUNT = "alb1.tree.count", Malformed;
    /// The quadtree fills its array.
    pub const FILLED = "alb1.tree.filled", Malformed;
    /// A quadtree that is written has as many parts as its masks and counts say.
    pub const PARTS = "alb1.tree.parts", Unrepresentable;
    /// The boxes of a quadtree are numbers of the width that its version has.
    pub const BOX = "alb1.tree.box", Unrepresentable;
    /// The levels of a quadtree are those that Terrain Builder makes.
    pub const GRID = "alb1.tree.grid", Unrepresentable;
    /// An object lies within the root box of the quadtree.
    pub const PLACE = "alb1.tree.place", Unrepresentable;
}
