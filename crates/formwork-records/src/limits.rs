//! Limits on the memory that an input may take.

/// Limits on the values that a reader builds, whatever the input claims.
///
/// A count or length is never trusted beyond the input: at most eight times the remaining input is allocated, or
/// fourteen times in double precision (a null of four bytes is a value of 32 bytes, or 56). These limits apply in
/// addition.
///
/// Reading a whole value takes at most ten times the input and a mebibyte, sixteen times in double precision. The
/// exception is an array of other values in the place of texts in Godot 4, in an array declared to hold
/// PackedStringArrays, which no engine writes: a float of 300 digits is a text of 300.
///
/// Packs, settings, compiled scripts and binary resources take as much. Text takes more: a ConfigFile takes up to 64
/// times its bytes, if it consists of keys like `a=1`. A list of faults takes up to 32 times the input.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// The greatest number of containers around a value; [`None`] takes the dialect's limit: the engine's 1024
    /// (`MAX_RECURSION_DEPTH` of Godot 3.5 on, 4.x and Pandemonium), or [`Limits::DEPTH_WITHOUT_ENGINE_LIMIT`] if the
    /// engine has none.
    pub depth: Option<u32>,
    /// The greatest number of bytes of one packet. A length word or count that announces more is refused at once.
    pub packet_bytes: u64,
    /// The greatest number of bytes that a compressed or encrypted file may unpack to. A file that announces more is
    /// refused before anything is unpacked.
    pub unpacked_bytes: u64,
}

impl Limits {
    /// The largest packet that a PacketPeerStream sends with the default project settings (`max_buffer_po2` = 16, so a
    /// buffer of 65536 bytes that includes the length word):
    /// `Limits::default().packet_bytes(Limits::PACKET_PEER_STREAM_BYTES)` refuses packets that no such peer sends.
    /// (godotengine/godot, core/io/packet_peer.cpp; tested with Godot 3.2.3.)
    pub const PACKET_PEER_STREAM_BYTES: u64 = 65_532;

    /// The largest packet that a PacketPeerStream receives by default: its ring buffer of 65536 bytes holds one byte
    /// less, so a frame with a larger packet (which the peer itself may send) never becomes complete, and nothing after
    /// it arrives.
    pub const PACKET_PEER_STREAM_RECEIVED_BYTES: u64 = 65_531;

    /// The depth limit for engines that have none (Godot 2, and 3 up to 3.4). They read until their stack overflows,
    /// which on a desktop happens somewhere above this.
    pub const DEPTH_WITHOUT_ENGINE_LIMIT: u32 = 4096;

    /// The default for [`Limits::packet_bytes`]: the greatest number of a signed 32-bit length word.
    pub const PACKET_BYTES: u64 = i32::MAX as u64;

    /// The default for [`Limits::unpacked_bytes`]: 256 MiB, many times a large save game.
    pub const UNPACKED_BYTES: u64 = 256 << 20;

    /// The default limits.
    #[must_use]
    pub const fn new() -> Self {
        Self { depth: None, packet_bytes: Self::PACKET_BYTES, unpacked_bytes: Self::UNPACKED_BYTES }
    }

    /// Sets the greatest number of containers around a value.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Sets the greatest number of bytes of a packet.
    #[must_use]
    pub const fn packet_bytes(mut self, packet_bytes: u64) -> Self {
        self.packet_bytes = packet_bytes;
        self
    }

    /// Sets the greatest number of bytes that a compressed or encrypted file may unpack to.
    #[must_use]
    pub const fn unpacked_bytes(mut self, unpacked_bytes: u64) -> Self {
        self.unpacked_bytes = unpacked_bytes;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
