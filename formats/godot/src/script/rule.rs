//! Rules about compiled scripts.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The version of a compiled script is 1 to 13 (Godot 1 to 3), 100 or 101 (Godot 4.3 on).
    pub const VERSION = "script.version", Unsupported;
    /// The packed part of a compiled script of Godot 4 unpacks to the bytes that the head announces.
    pub const PACKED = "script.packed", Malformed;
    /// An identifier of a compiled script is a text of Unicode characters; in Godot 1 to 3 it ends with a
    /// zero byte.
    pub const IDENTIFIER = "script.identifier", Malformed;
    /// A file that starts with `GDSC` is a compiled script and not a shader cache of Godot 4.
    pub const SHADER_CACHE = "script.shader_cache", Unsupported;
}
