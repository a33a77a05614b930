//! Rules about Rust types that are read and written with serde.

crate::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A value has a type that the Rust type is read from.
    pub const TYPE = "serde.type", Malformed;
    /// A value is one that the Rust type has: in the range of its numbers, for example.
    pub const VALUE = "serde.value", Malformed;
    /// A list has as many elements as the Rust type.
    pub const LENGTH = "serde.length", Malformed;
    /// A dictionary has the fields of the Rust struct, each once.
    pub const FIELD = "serde.field", Malformed;
    /// The name of an enum's variant is one that the Rust enum has.
    pub const VARIANT = "serde.variant", Malformed;
    /// The `Serialize` or `Deserialize` of a Rust type returns no error.
    pub const MESSAGE = "serde.message", Malformed;
}
