//! Rules about the files of Terrain Builder.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// An ALB1 file starts with `ALB1` and format version 1.
    pub const HEADER = "alb1.header", Malformed;
    /// The two tables of an ALB1 file have the ids 2 and 3 and the type byte 0x0F.
    pub const TABLE = "alb1.table", Malformed;
    /// The type of a field is 0x01 to 0x15.
    pub const FIELD_TYPE = "alb1.field_type", Malformed;
    /// An object or array fills the bytes that its size word announces, and these lie within what
    /// encloses it.
    pub const BLOB_SIZE = "alb1.blob_size", Malformed;
    /// The content of an array has as many fields, or bytes, as its count says.
    pub const ARRAY = "alb1.array", Malformed;
    /// A string holds at most 65535 bytes, an array of numbers at most 255 numbers, an object or
    /// array at most 4 GiB.
    pub const LENGTH = "alb1.length", Unrepresentable;
    /// A path leads to a field of the document.
    pub const PATH = "alb1.path", Malformed;
    /// An edit keeps the type of a field, the likeness of an array's elements and the difference of
    /// addresses.
    pub const EDIT = "alb1.edit", Unrepresentable;
    /// A text that is to be a value is one of the field's type.
    pub const VALUE = "alb1.value", Malformed;
    /// A file is whole: nothing of it had to be recovered.
    pub const RECOVERED = "alb1.recovered", Malformed;
    /// A file has the bytes that a writer gives its document. (The name is that of `formwork verify`.)
    pub const WRITTEN = "written_differently", Malformed;
}
