//! State that a decoder keeps from packet to packet. Without a defect it is not used.

use crate::variant::Dictionary;

#[derive(Default)]
pub(crate) struct Memory {
    /// The last string that was read.
    pub(crate) text: Vec<u8>,
    /// The last dictionary that was read.
    pub(crate) dictionary: Dictionary,
    /// A buffer of the size that a count announces.
    pub(crate) scratch: Vec<u8>,
    /// Memory that is never freed.
    pub(crate) leaked: Vec<Vec<u8>>,
    /// The last packet; the next one is read into it.
    pub(crate) packet: Vec<u8>,
    /// Whether the last packet was refused for its content.
    pub(crate) failed: bool,
    /// The tables of the first ALB1 file.
    pub(crate) tables: Option<[crate::alb1::Table; 2]>,
}
