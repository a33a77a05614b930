//! Rules about the decoder protocol.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The status of an answer in the decoder protocol is 0, 1 or 2.
    pub const STATUS = "protocol.status", Malformed;
    /// A message of the decoder protocol is at most as long as its length word can hold, and an answer at most 1 GiB.
    pub const LENGTH = "protocol.length", Malformed;
}
