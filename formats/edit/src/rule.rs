//! Rules about changing values.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A path leads to a value.
    pub const PATH = "edit.path", Malformed;
    /// Only an entry of a dictionary, an element of an array or one of several values can be removed.
    pub const REMOVE = "edit.remove", Unrepresentable;
    /// A value in a typed dictionary is of the type that the dictionary declares.
    pub const TYPED = "edit.typed", Unrepresentable;
}
