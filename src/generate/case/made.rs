//! What a generator of packets hands over.

use super::Broken;

/// A packet that was made, and what its maker knows of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Made {
    /// The packet.
    pub(crate) bytes: Vec<u8>,
    /// The type or record that it is about, in the words of the format.
    pub(crate) subject: &'static str,
    /// The rule that it breaks, if one.
    pub(crate) broken: Option<Broken>,
    /// Other bytes with the same meaning: those that an engine writes.
    pub(crate) pair: Option<Vec<u8>>,
}
