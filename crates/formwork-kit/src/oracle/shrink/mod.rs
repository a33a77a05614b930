//! Makes the packet that shows a fault small.
//!
//! [`shrink`] takes a packet and a question: "does this packet still show it?". It asks the question
//! about smaller and smaller packets, first about those that lack a part of the value, then about
//! those that lack bytes, and keeps the smallest for which the answer was yes.
//!
//! ```
//! use formwork_kit::oracle::shrink::{Budget, shrink};
//! use formwork_kit::Format;
//! use formwork_variant::{Dialect, from_slice, to_vec};
//! use formwork_variant::Variant;
//!
//! // A decoder that fails at any empty string.
//! let value: Variant = [("hp", Variant::Int(7)), ("name", Variant::from(""))].into_iter().collect();
//! let packet = to_vec(&value, Dialect::GODOT3)?;
//! let falls = |packet: &[u8]| packet.ends_with(&[4, 0, 0, 0, 0, 0, 0, 0]);
//!
//! let format = Format::Variant(Dialect::GODOT3);
//! let shrunk = shrink(&packet, format, Budget::default(), &mut |packet| falls(packet));
//! assert_eq!(shrunk.packet, [4, 0, 0, 0, 0, 0, 0, 0]);
//! # Ok::<(), formwork_variant::Error>(())
//! ```
//!
//! Guarantees:
//!
//! * the result is the packet given, or one about which the question was answered with yes;
//! * it is never larger, and no question is asked twice;
//! * the same packet, question and budget of runs give the same result, unless the budget has a time, too.

mod attempts;
mod bytes;
mod sequence;
mod structure;

use std::time::Duration;

pub use sequence::{SameSequence, ShrunkSequence, shrink_sequence};

use crate::Format;
use attempts::Attempts;

/// How much work shrinking may be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Budget {
    /// Questions that may be asked. Default: 1000.
    pub runs: u64,
    /// Time that may pass; the question that is being asked then is still waited for. Default: any.
    pub time: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { runs: 1000, time: None }
    }
}

/// The result of shrinking a packet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Shrunk {
    /// The smallest packet that was found.
    pub packet: Vec<u8>,
    /// How many questions were asked.
    pub runs: u64,
    /// Whether nothing that was left to try would have helped: the budget was enough.
    pub finished: bool,
}

/// The smallest packet found for which `same` says yes, beginning with `packet`, for which it is
/// taken to say yes. Smaller means shorter, then with fewer bytes that are not zero, then with lower
/// numbers.
pub fn shrink(
    packet: &[u8],
    format: Format,
    budget: Budget,
    same: &mut dyn FnMut(&[u8]) -> bool,
) -> Shrunk {
    let mut attempts = Attempts::new(packet, budget, same);
    while attempts.goes_on() {
        let runs = bytes::shorten_runs(&mut attempts, format);
        let parts = structure::reduce(&mut attempts, format);
        let bytes = bytes::reduce(&mut attempts, format);
        if !runs && !parts && !bytes {
            break;
        }
    }
    attempts.end()
}
