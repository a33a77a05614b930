//! The two directions of a conversation with a decoder, neither of which waits for the other.

#[cfg(target_os = "linux")]
#[path = "polled.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "threads.rs"]
mod system;

pub(super) use system::Link;

/// What came of waiting for bytes.
pub(super) enum Arrived {
    Bytes(Vec<u8>),
    Nothing,
    /// Nothing can arrive any more.
    End,
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;
