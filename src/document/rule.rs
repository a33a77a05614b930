//! Rules that JSON, paths and changes of documents can break.

crate::rules! {
    /// All rules about documents.
    pub const ALL;

    /// A JSON text keeps to the grammar of RFC 8259, and names each member of an object once.
    pub const JSON_SYNTAX = "json.syntax", Malformed;
    /// A JSON text has nothing that engines read although JSON has it not.
    pub const JSON_STRICT = "json.strict", Malformed;
    /// A number of JSON is one: engines write words for others, and do not read these.
    pub const JSON_NUMBER = "json.number", Malformed;
    /// A JSON text is in UTF-8.
    pub const JSON_ENCODING = "json.encoding", Malformed;
    /// A path leads to a value.
    pub const DOCUMENT_PATH = "document.path", Malformed;
    /// A value fits the field that it is for.
    pub const DOCUMENT_VALUE = "document.value", Unrepresentable;
    /// A type that is named is one of the format.
    pub const DOCUMENT_TYPE = "document.type", Unsupported;
    /// A text is in a form that the format has.
    pub const DOCUMENT_FORM = "document.form", Unsupported;
    /// A field that other fields decide has the value that they give.
    pub const DOCUMENT_SETTLED = "document.settled", Unrepresentable;
}
