//! Rules about packs.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A pack starts with `GDPC`, and an executable with a pack in it has the pack's position.
    pub const MAGIC = "pack.magic", Malformed;
    /// The version of a pack is 0 to 4.
    pub const VERSION = "pack.version", Malformed;
    /// The flags of a pack and of its files are those that engines know.
    pub const FLAGS = "pack.flags", Malformed;
    /// The directory lies within the pack, after the head.
    pub const DIRECTORY = "pack.directory", Malformed;
    /// The encrypted directory is opened before the files are looked for.
    pub const SEALED = "pack.sealed", Unsupported;
    /// The size stored after a pack in an executable, and the executable's section, are the pack's.
    pub const PLACE = "pack.place", Malformed;
    /// The name of a file is a path within the game: UTF-8, without `..` and without a root.
    pub const NAME = "pack.name", Malformed;
    /// A name that occurs twice in the directory has the same content both times.
    pub const NAME_ONCE = "pack.name_once", Malformed;
    /// No file has the name of a folder in which another file is.
    pub const FOLDER = "pack.folder", Unrepresentable;
    /// The content of a file lies within the pack, outside its head and directory.
    pub const RANGE = "pack.range", Malformed;
    /// No two files share bytes.
    pub const OVERLAP = "pack.overlap", Malformed;
    /// The content of a file has the MD5 sum that the directory holds.
    pub const DIGEST = "pack.digest", Malformed;
    /// The pack has a file of that name.
    pub const FILE = "pack.file", Unrepresentable;
    /// The content of a file is stored in the pack itself.
    pub const CONTENT = "pack.content", Unrepresentable;
    /// The new content of an encrypted file is encrypted as Godot 4 does it.
    pub const ENCRYPTED = "pack.encrypted", Unrepresentable;
    /// Nothing that depends on a file's place follows the pack that is written.
    pub const BEHIND = "pack.behind", Unrepresentable;
    /// A zip archive is whole, and its files are stored or packed with Deflate.
    pub const ZIP = "pack.zip", Malformed;
    /// A number of a pack that is written fits its field.
    pub const LENGTH = "pack.length", Unrepresentable;
}
