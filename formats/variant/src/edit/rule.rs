//! Rules about changing values.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A path leads to a value.
    pub const PATH = "edit.path", Malformed;
    /// What is taken away is an entry of a dictionary, an element of an array or one of several values.
    pub const REMOVE = "edit.remove", Unrepresentable;
}
