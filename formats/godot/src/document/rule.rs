//! Rules about files that are opened as documents.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A file whose format can only be read does not change.
    pub const READ_ONLY = "document.read_only", Unsupported;
    /// A text of several values is a list of them.
    pub const LIST = "document.list", Malformed;
    /// A text is in UTF-8.
    pub const UTF8 = "document.utf8", Malformed;
    /// A file that changes can be written again as far as it was read.
    pub const WHOLE = "document.whole", Unsupported;
    /// A text of a value is one value, and nothing else.
    pub const VALUE = "document.one_value", Malformed;
    /// A number chooses one of the values of a file.
    pub const NUMBER = "document.number", Malformed;
}
