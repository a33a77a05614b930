//! The first bytes by which files of the engines are known.

/// Compressed files (`File.open_compressed`).
pub(crate) const COMPRESSED: &[u8; 4] = b"GCPF";

/// Encrypted files (`File.open_encrypted`).
pub(crate) const ENCRYPTED: &[u8; 4] = b"GDEC";

/// Files of settings (`project.binary`, `engine.cfb`).
pub(crate) const SETTINGS: &[u8; 4] = b"ECFG";
