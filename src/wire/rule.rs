//! Rules that bytes of a declared record can break.

crate::rules! {
    /// All rules about declared records.
    pub const ALL;

    /// Bytes that are declared to be always the same are these.
    pub const RECORD_MAGIC = "record.magic", Malformed;
    /// Conditions that the declaration asserts hold.
    pub const RECORD_ASSERT = "record.assert", Malformed;
    /// A number that has names is one of those that have one.
    pub const RECORD_NUMBER = "record.number", Malformed;
    /// An expression of the declaration has a value: it does not overflow or divide by zero.
    pub const RECORD_VALUE = "record.value", Malformed;
    /// One variant of a choice has conditions that hold.
    pub const RECORD_VARIANT = "record.variant", Malformed;
    /// A region ends where what is in it ends, and lies in the region around it.
    pub const RECORD_REGION = "record.region", Malformed;
    /// The last element of a list counts as no more elements than there is room for.
    pub const RECORD_SLOTS = "record.slots", Malformed;
    /// A list of elements without bytes has few of them.
    pub const RECORD_EMPTY = "record.empty", Malformed;
    /// A number in groups of seven bits has its shortest form and at most 64 bits.
    pub const RECORD_VARINT = "record.varint", Malformed;
    /// The family of the format knows which record is at a place.
    pub const RECORD_NESTED = "record.nested", Malformed;
    /// A checksum is that of the bytes.
    pub const RECORD_SUM = "record.sum", Malformed;
    /// Text is UTF-8.
    pub const RECORD_TEXT = "record.text", Malformed;
    /// Bytes declared to be zero are zero.
    pub const RECORD_ZERO = "record.zero", Malformed;
    /// Bytes that are coded are those of the code.
    pub const RECORD_CODE = "record.code", Malformed;
    /// A view lies in the file.
    pub const RECORD_VIEW = "record.view", Malformed;
    /// The counts, sizes and conditions of a record that is written are those of what is in it.
    pub const RECORD_AGREEMENT = "record.agreement", Unrepresentable;
    /// A declaration that is written as a definition of Kaitai Struct has nothing that Kaitai cannot say.
    pub const RECORD_KSY = "record.ksy", Unrepresentable;
}
