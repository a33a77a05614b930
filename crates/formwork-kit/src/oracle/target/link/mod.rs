//! The two directions of a conversation with a decoder, neither of which waits for the other.

#[cfg(target_os = "linux")]
mod polled;
#[cfg_attr(
    target_os = "linux",
    expect(dead_code, reason = "compiled here, too, so that it goes on compiling elsewhere")
)]
mod threads;

#[cfg(target_os = "linux")]
pub(super) use polled::Link;
#[cfg(not(target_os = "linux"))]
pub(super) use threads::Link;

/// The result of waiting for bytes.
pub(super) enum Arrived {
    Bytes(Vec<u8>),
    Nothing,
    /// Nothing can arrive any more.
    End,
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::time::Duration;

    use super::{Arrived, Link};

    #[test]
    fn a_time_that_no_clock_reaches_is_no_limit() {
        let (output, mut decoder) = io::pipe().expect("a pipe");
        decoder.write_all(b"answer").expect("there is room");
        let mut link = Link::listening(output);
        assert!(matches!(link.receive(Duration::MAX), Arrived::Bytes(bytes) if bytes == b"answer"));
    }
}
