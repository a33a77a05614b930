//! The result of a generator of cases.

use super::Broken;

/// A packet, and what is known of it: a [`Case`](super::Case) before it has a number.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Made {
    /// The packet (or the ALB1 file).
    pub(crate) bytes: Vec<u8>,
    /// The type or record that it is about.
    pub(crate) subject: &'static str,
    /// The rule that it breaks.
    pub(crate) broken: Option<Broken>,
    /// Other bytes with the same meaning.
    pub(crate) pair: Option<Vec<u8>>,
}
