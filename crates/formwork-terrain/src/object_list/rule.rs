//! Rules about lists of objects.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A line of an object list is what Terrain Builder imports:
    /// `"template";X;Y;yaw;pitch;roll;scale;Z;`.
    pub const LINE = "object_list.line", Malformed;
    /// A list in CSV names its columns in the first line, with commas between them: `template`, `x`,
    /// `y`, `yaw`, `pitch`, `roll`, `scale` and `z`, and `layer`, `id` and `library` if it has them.
    /// Each line has them all.
    pub const COLUMNS = "object_list.columns", Malformed;
    /// An object of a list has numbers and names that the form of the list can hold.
    pub const ENTRY = "object_list.entry", Unrepresentable;
    /// The template of an object that a list puts into a layer is known: to the layer, to a template
    /// library, or by its hash; or its library is given.
    pub const TEMPLATE = "object_list.template", Malformed;
    /// An object that a list puts into a layer is in the box of the layer's tree.
    pub const PLACE = "object_list.place", Malformed;
    /// The numbers of an object that a list puts into a layer are finite, its scale is above 0, and
    /// its angles and height are not beyond any map.
    pub const NUMBER = "object_list.number", Malformed;
    /// The layer that a line of an object list names is there.
    pub const LAYER = "object_list.layer", Malformed;
}
