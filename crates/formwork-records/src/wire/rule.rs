//! Rules about records that follow from their declarations.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// Bytes that a declaration fixes have the declared values.
    pub const RECORD_MAGIC = "record.magic", Malformed;
    /// The assertions of a declaration hold.
    pub const RECORD_ASSERT = "record.assert", Malformed;
    /// A number with a declared list of meanings is in that list.
    pub const RECORD_NUMBER = "record.number", Malformed;
    /// Padding and reserved bytes and bits are zero.
    pub const RECORD_ZERO = "record.zero", Malformed;
    /// A text is UTF-8.
    pub const RECORD_TEXT = "record.text", Malformed;
    /// A count or condition is an expression by which a declaration can be walked.
    pub const RECORD_EXPRESSION = "record.expression", Unsupported;
}
