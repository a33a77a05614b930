//! How much an input may ask for.

/// Limits on what reading may build, whatever the input claims.
///
/// A count or length is never believed further than the input reaches: what is allocated is at most
/// eight times the input that is left, or fourteen times in double precision (a null of four bytes is a
/// value of 32 bytes, or 56). These limits come on top of that.
///
/// Reading a whole value takes at most ten times the input and a mebibyte, sixteen times in double
/// precision. The exception is an array of other values that stands where Godot 4 wants texts, in an array
/// declared to hold PackedStringArrays, which no engine writes: a float of 300 digits is a text of 300.
///
/// Packs, settings, compiled scripts and binary resources take as much. Text takes more: that of a ConfigFile up to
/// 64 times its bytes, where it is made of keys like `a=1`. A list of faults takes up to 32 times the input.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Containers that may surround a value; [`None`] takes the dialect's own limit: the engine's
    /// 1024 (`MAX_RECURSION_DEPTH` of Godot 3.5 on, 4.x and Pandemonium), or
    /// [`Limits::DEPTH_WITHOUT_ENGINE_LIMIT`] where the engine has none.
    pub depth: Option<u32>,
    /// Bytes of one packet. A length word or count that announces more is refused at once.
    pub packet_bytes: u64,
    /// Bytes that a compressed or encrypted file may unpack to. A file that announces more is refused
    /// before anything is unpacked.
    pub unpacked_bytes: u64,
}

impl Limits {
    /// What a PacketPeerStream sends at most with the project settings it has by default
    /// (`max_buffer_po2` = 16, so a buffer of 65536 bytes with the length word in it):
    /// `Limits::default().packet_bytes(Limits::PACKET_PEER_STREAM_BYTES)` refuses what no such
    /// peer sends. (godotengine/godot, core/io/packet_peer.cpp; asked of Godot 3.2.3.)
    pub const PACKET_PEER_STREAM_BYTES: u64 = 65_532;

    /// What a PacketPeerStream receives at most by default: its ring buffer of 65536 bytes holds one
    /// byte less, so a frame whose packet has more bytes than this (as it may well send one itself)
    /// never becomes complete, and nothing behind it arrives.
    pub const PACKET_PEER_STREAM_RECEIVED_BYTES: u64 = 65_531;

    /// The depth limit for the engines that have none of their own (Godot 2, and 3 up to 3.4). They
    /// read until their stack overflows, which on a desktop is somewhere above this.
    pub const DEPTH_WITHOUT_ENGINE_LIMIT: u32 = 4096;

    /// The default for [`Limits::packet_bytes`]: as much as a signed 32-bit length word can say.
    pub const PACKET_BYTES: u64 = i32::MAX as u64;

    /// The default for [`Limits::unpacked_bytes`]: 256 MiB, many times a large save game.
    pub const UNPACKED_BYTES: u64 = 256 << 20;

    /// The default limits.
    #[must_use]
    pub const fn new() -> Self {
        Self { depth: None, packet_bytes: Self::PACKET_BYTES, unpacked_bytes: Self::UNPACKED_BYTES }
    }

    /// Chooses how many containers may surround a value.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Chooses how many bytes a packet may have.
    #[must_use]
    pub const fn packet_bytes(mut self, packet_bytes: u64) -> Self {
        self.packet_bytes = packet_bytes;
        self
    }

    /// Chooses how many bytes a compressed or encrypted file may unpack to.
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
