//! Rules about binary resources and scenes.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The format version of a resource file is at most 6.
    pub const FORMAT = "resource.format", Unsupported;
    /// A compressed resource file is one that the feature `wrapper` can unpack.
    pub const PACKED = "resource.packed", Unsupported;
    /// A value in a resource file is of a type that its engine has.
    pub const TYPE = "resource.type", Malformed;
    /// A reference in a resource file is none, by path, internal or external (0 to 3).
    pub const REFERENCE = "resource.reference", Malformed;
    /// An image in a resource file is empty, raw, lossless or lossy (0 to 3).
    pub const IMAGE = "resource.image", Malformed;
    /// A text in a resource file is UTF-8 as the engine reads it.
    pub const TEXT = "resource.text", Malformed;
    /// A name that is given by its number is in the resource file's table.
    pub const NAME = "resource.name", Malformed;
    /// The names that a resource file gives by their numbers are together at most 16 times as long as the file.
    pub const NAMES = "resource.names", Limit;
    /// The resources in a file follow each other without gaps, at the offsets of the file's table.
    pub const OFFSET = "resource.offset", Malformed;
    /// In a resource file only numbers are changed, each in the bytes that it has.
    pub const FIXED = "resource.fixed", Unrepresentable;
}
