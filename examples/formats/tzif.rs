//! TZif: the times at which the clocks of a time zone change.
//!
//! Source: RFC 9636, "The Time Zone Information Format (TZif)".

use formwork::{BinRead, BinWrite, Block, Each, Schema, Until, binrw};

/// A time zone: the times that 32 bits hold, and from version 2 on those of 64 bits and a rule for what comes later.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct TimeZone {
    /// Counts of the first block.
    pub head: Head,
    /// Times of 32 bits.
    #[br(args { wide: false, ut: head.ut, standard: head.standard, leap_count: head.leaps, changes: head.times, kinds: head.types, letters: head.letters })]
    pub first: Data,
    /// Times of 64 bits, and the rule.
    #[br(if(head.version as u8 > 0))]
    pub second: Option<Second>,
}

/// The start of a block.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big, magic = b"TZif")]
pub struct Head {
    /// The version: a digit, and before version 2 a zero.
    pub version: Version,
    #[schema(zero)]
    pub reserved: [u8; 15],
    /// Number of indicators for universal time.
    #[br(assert(ut <= 256))]
    pub ut: u32,
    /// Number of indicators for standard time.
    #[br(assert(standard <= 256))]
    pub standard: u32,
    /// Number of leap seconds.
    pub leaps: u32,
    /// Number of changes.
    pub times: u32,
    /// Number of local times.
    #[br(assert((1..=256).contains(&types)))]
    pub types: u32,
    /// Bytes of the designations.
    #[br(assert(letters > 0))]
    pub letters: u32,
}

/// A version of the format.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Version {
    One = 0,
    Two = 50,
    Three = 51,
    Four = 52,
}

/// What a head counts.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import { wide: bool, ut: u32, standard: u32, leap_count: u32, changes: u32, kinds: u32, letters: u32 })]
#[brw(big)]
pub struct Data {
    /// When the clocks change, in seconds since 1970.
    #[br(if(!wide), count = changes)]
    pub times: Option<Block<i32>>,
    /// When the clocks change, in seconds since 1970.
    #[br(if(wide), count = changes)]
    pub wide_times: Option<Block<i64>>,
    /// The position of the local time that begins with each change.
    #[br(count = changes)]
    pub type_of_time: Block<u8>,
    /// The local times.
    #[br(count = kinds)]
    pub types: Each<LocalTime>,
    /// The designations, each with a zero behind it.
    #[br(count = letters)]
    #[schema(text)]
    pub designations: Block<u8>,
    /// The leap seconds.
    #[br(count = leap_count, args { inner: (wide,) })]
    pub leaps: Each<Leap>,
    /// Whether the changes of each local time were given in standard time.
    #[br(count = standard)]
    pub is_standard: Block<u8>,
    /// Whether the changes of each local time were given in universal time.
    #[br(count = ut)]
    pub is_ut: Block<u8>,
}

/// A local time.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct LocalTime {
    /// Seconds that are added to universal time.
    pub offset: i32,
    /// Whether it is daylight saving time.
    #[br(assert(is_daylight <= 1))]
    pub is_daylight: u8,
    /// Where its designation begins.
    pub designation: u8,
}

/// A leap second.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[br(import(wide: bool))]
#[brw(big)]
pub struct Leap {
    /// When it is.
    #[br(if(!wide))]
    pub at: Option<i32>,
    /// When it is.
    #[br(if(wide))]
    pub wide_at: Option<i64>,
    /// All leap seconds up to this one.
    pub correction: i32,
}

/// The second block.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Second {
    /// Its counts.
    pub head: Head,
    /// Times of 64 bits.
    #[br(args { wide: true, ut: head.ut, standard: head.standard, leap_count: head.leaps, changes: head.times, kinds: head.types, letters: head.letters })]
    pub data: Data,
    /// The rule for later times, between two line feeds, as the environment variable `TZ` has it.
    #[brw(magic = b"\n")]
    pub rule: Until<Letter>,
}

/// A letter of a line.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[schema(last = letter == 10)]
pub struct Letter {
    #[schema(letters)]
    pub letter: u8,
}
