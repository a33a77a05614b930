//! What a decoder keeps from packet to packet. Without a defect, nothing.

use crate::variant::Dictionary;

#[derive(Default)]
pub(crate) struct Memory {
    /// The string that was read last.
    pub(crate) text: Vec<u8>,
    /// The dictionary that was read last.
    pub(crate) dictionary: Dictionary,
    /// A buffer for what a count announces.
    pub(crate) scratch: Vec<u8>,
    /// What is never given back.
    pub(crate) leaked: Vec<Vec<u8>>,
    /// The last packet, to read the next one into.
    pub(crate) packet: Vec<u8>,
    /// Whether the last packet was refused for what stands in it.
    pub(crate) failed: bool,
    /// The tables of the first ALB1 file.
    pub(crate) tables: Option<[crate::alb1::Table; 2]>,
}
