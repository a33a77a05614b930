//! Rules about files that are opened as documents.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A file whose format can only be read does not change.
    pub const READ_ONLY = "document.read_only", Unsupported;
}
