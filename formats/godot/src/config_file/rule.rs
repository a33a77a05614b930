//! Rules about ConfigFile text.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A file is made of sections in brackets, of keys with a value each, and of comments.
    pub const SYNTAX = "config_file.syntax", Malformed;
    /// A file has no markers of a git conflict.
    pub const CONFLICT = "config_file.conflict", Malformed;
    /// The engine reads keys and sections as they look.
    pub const MISREAD = "config_file.misread", Malformed;
    /// A reference in a text resource leads to a resource of the file.
    pub const REFERENCE = "config_file.reference", Malformed;
    /// A value written as a ConfigFile is a Dictionary of sections, each a Dictionary with Strings as keys.
    pub const SECTIONS = "config_file.sections", Unrepresentable;
    /// The names of sections and keys can be read from the text: none has a line break or a NUL in it.
    pub const NAME = "config_file.name", Unrepresentable;
    /// The engine reads the text of a value.
    pub const VALUE = "config_file.value", Unrepresentable;
}
