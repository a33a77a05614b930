//! Numbers of bytes and elements in words.

use std::fmt::{self, Display};

/// Returns a number of bytes in words: `1 byte`, `4 bytes`.
pub fn bytes<N: Display + PartialEq + From<u8>>(number: N) -> impl Display {
    Bytes { number, more: "" }
}

/// Returns a number of further bytes in words: `1 more byte`, `4 more bytes`.
pub fn more_bytes<N: Display + PartialEq + From<u8>>(number: N) -> impl Display {
    Bytes { number, more: "more " }
}

/// Returns a number of elements in words: `1 element`, `4 elements`.
pub fn elements<N: Display + PartialEq + From<u8>>(number: N) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} element{plural}")
}

struct Bytes<N> {
    number: N,
    more: &'static str,
}

impl<N: Display + PartialEq + From<u8>> Display for Bytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.number == N::from(1) { "" } else { "s" };
        write!(f, "{} {}byte{plural}", self.number, self.more)
    }
}
