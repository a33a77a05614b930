//! Rules about files of values.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A file is values of an engine.
    pub const VALUES = "file.values", Malformed;
    /// It is certain, or said, of which engine the values of a file are.
    pub const CERTAIN = "file.certain", Unsupported;
    /// The engine of the values opens files in their layers.
    pub const LAYER = "file.layer", Malformed;
    /// A changed file reads as the values that were to be written.
    pub const SAME = "file.same", Unrepresentable;
}
