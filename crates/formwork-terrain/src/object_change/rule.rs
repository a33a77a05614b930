//! Rules about changes of the objects in layers.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The numbers of a change are finite, and factors are above 0.
    pub const NUMBER = "object_change.number", Unrepresentable;
    /// An object that moves stays in the box of the layer's tree.
    pub const PLACE = "object_change.place", Unrepresentable;
    /// A template that objects get is known: to the layer, to a template library, or by its hash; or its
    /// library is given.
    pub const TEMPLATE = "object_change.template", Unrepresentable;
    /// The objects of layers that become one have distinct ids.
    pub const ID = "object_change.id", Unrepresentable;
    /// A layer is cut into two parts or more, and into no more than there is room for.
    pub const PARTS = "object_change.parts", Unrepresentable;
}
