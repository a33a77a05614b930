//! The decoder protocol: requests and answers of a decoder that runs as a process of its own.

/// What a decoder says about one packet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Answer {
    /// It read a value.
    Accepted {
        /// How many bytes of the packet the value took, where the decoder knows.
        consumed: Option<u32>,
        /// The value in the form that was agreed on: written again, or as JSON. Empty where the
        /// decoder cannot say.
        bytes: Vec<u8>,
    },
    /// It refused the packet.
    Rejected {
        /// Where the fault is, if known.
        offset: Option<u32>,
        /// Its own words.
        message: String,
    },
    /// It does not claim to read this type or feature.
    Skipped {
        /// What it does not read.
        what: String,
    },
}
