//! Rules about packets with a length word.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The length word before a packet is not negative.
    pub const LENGTH = "frame.length", Malformed;
    /// The packet fills the length that its frame announces.
    pub const FILLED = "frame.filled", Malformed;
}
