//! The first bytes by which files of the engines are known.

/// Compressed files (`File.open_compressed`).
pub(crate) const COMPRESSED: &[u8; 4] = b"GCPF";

/// Compressed resources: the same file, with another mark.
pub(crate) const PACKED_RESOURCE: &[u8; 4] = b"RSCC";

/// Encrypted files (`File.open_encrypted`).
pub(crate) const ENCRYPTED: &[u8; 4] = b"GDEC";
