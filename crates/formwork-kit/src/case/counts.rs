//! Counts at which readers go wrong, whatever is counted.

/// Counts at which 32-bit arithmetic ends.
pub(crate) const WRONG_COUNTS: &[u32] = &[
    0x0000_ffff,
    0x0001_0000,
    0x00ff_ffff,
    0x0100_0000,
    // Times 4, 8, 12, 16 the product is more than 32 bits hold.
    0x0fff_ffff,
    0x1000_0000,
    0x1000_0001,
    0x1555_5556,
    0x1fff_ffff,
    0x2000_0000,
    0x2000_0001,
    0x3fff_ffff,
    0x4000_0000,
    0x4000_0001,
    // Rounded up to a multiple of four they turn negative, or to zero.
    0x7fff_fffc,
    0x7fff_fffd,
    0x7fff_ffff,
    0xffff_fffc,
    0xffff_fffd,
    0xffff_fffe,
    0xffff_ffff,
    // Nothing but the sign, or the mark of a shared container.
    0x8000_0000,
    0x8000_0001,
];
