//! Rules about recorded traffic.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A capture is a file in the form of pcap or pcapng, whole to its end.
    pub const FILE = "capture.file", Malformed;
    /// A recorded packet is of the kind that its conversation has.
    pub const PACKET = "capture.packet", Malformed;
}
