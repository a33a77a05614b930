//! Rules about records that follow from their declarations.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// Where a declaration says which bytes stand there, these do.
    pub const RECORD_MAGIC = "record.magic", Malformed;
    /// What a declaration asserts holds.
    pub const RECORD_ASSERT = "record.assert", Malformed;
    /// A number that stands for something is one of those that the declaration names.
    pub const RECORD_NUMBER = "record.number", Malformed;
    /// Padding and reserved bytes and bits are zero.
    pub const RECORD_ZERO = "record.zero", Malformed;
    /// A text is UTF-8.
    pub const RECORD_TEXT = "record.text", Malformed;
    /// A count or condition is an expression that a declaration can be walked by.
    pub const RECORD_EXPRESSION = "record.expression", Unsupported;
}
