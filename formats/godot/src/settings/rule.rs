//! Rules about files of settings.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A file of settings starts with `ECFG`.
    pub const MAGIC = "settings.magic", Malformed;
    /// The name of a setting is text in UTF-8 without a zero byte.
    pub const NAME = "settings.name", Malformed;
    /// The length of a name counts its bytes, not its characters as Godot up to 3.2 has it, which no engine reads back.
    pub const NAME_LENGTH = "settings.name_length", Malformed;
    /// A setting occurs in a file once.
    pub const REPEATED = "settings.repeated", Malformed;
    /// The value of a setting fills the length before it.
    pub const FILLED = "settings.filled", Malformed;
    /// Only one Dictionary without declared types can be written as a file of settings.
    pub const DICTIONARY = "settings.dictionary", Unrepresentable;
    /// The keys of that Dictionary are Strings.
    pub const KEY = "settings.key", Unrepresentable;
}
