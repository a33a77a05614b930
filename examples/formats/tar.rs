//! tar: files, each after a header of text.
//!
//! Source: POSIX.1-2017, "pax", section "ustar Interchange Format".

use formwork::{BinRead, BinWrite, Block, Schema, ToEnd, binrw};

/// Files, then blocks of zeros.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Tar {
    /// The members.
    pub members: ToEnd<Member>,
}

/// 512 bytes of a member, or of the end.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub enum Member {
    /// The end: a block of zeros.
    #[brw(magic = 0u8)]
    End(#[schema(zero)] [u8; 511]),
    /// A file.
    File(File),
}

/// A file: a header of 512 bytes, and its content up to a multiple of 512.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(inverse(octal = to_octal))]
pub struct File {
    /// The name.
    #[schema(text)]
    pub name: [u8; 100],
    /// Who may read and write it, in octal.
    #[schema(text)]
    pub mode: [u8; 8],
    /// The number of its owner, in octal.
    #[schema(text)]
    pub owner: [u8; 8],
    /// The number of its group, in octal.
    #[schema(text)]
    pub group: [u8; 8],
    /// Bytes of the content, in octal.
    #[br(assert(octal(&size) < 0x2_0000_0000))]
    #[schema(text)]
    pub size: [u8; 12],
    /// When it was changed: seconds since 1970, in octal.
    #[schema(text)]
    pub time: [u8; 12],
    /// The sum of all bytes of the header, in octal.
    #[schema(letters, sum = checksum, over = name..=rest, with = b' ')]
    pub checksum: [u8; 8],
    /// `0` for a file, `5` for a folder, `2` for a symbolic link.
    #[schema(letters)]
    pub kind: u8,
    /// Where a link leads.
    #[schema(text)]
    pub link: [u8; 100],
    /// `ustar` and a version.
    #[schema(letters)]
    pub format: [u8; 8],
    /// The name of the owner.
    #[schema(text)]
    pub owner_name: [u8; 32],
    /// The name of the group.
    #[schema(text)]
    pub group_name: [u8; 32],
    /// Numbers of the device, and what goes in front of the name.
    #[schema(letters)]
    pub rest: [u8; 183],
    /// The content.
    #[br(count = octal(&size))]
    pub content: Block<u8>,
    /// Zeros up to a multiple of 512.
    #[br(count = octal(&size).next_multiple_of(512) - octal(&size))]
    #[schema(zero)]
    pub padding: Block<u8>,
}

/// Returns a number of octal digits, which a zero or a blank ends.
fn octal(text: &[u8]) -> u64 {
    let digits = text
        .iter()
        .skip_while(|byte| **byte == b' ')
        .take_while(|byte| (b'0'..=b'7').contains(*byte));
    digits.take(21).fold(0, |number, digit| number << 3 | u64::from(digit - b'0'))
}

fn to_octal(number: u64) -> [u8; 12] {
    let mut out = [0; 12];
    for (index, digit) in out[..11].iter_mut().enumerate() {
        *digit = b'0' + (number >> (3 * (10 - index)) & 7) as u8;
    }
    out
}

/// Returns the sum of all bytes as six octal digits, a zero and a blank.
fn checksum(header: &[u8]) -> [u8; 8] {
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    let mut out = *b"000000\0 ";
    for (index, digit) in out[..6].iter_mut().enumerate() {
        *digit = b'0' + (sum >> (3 * (5 - index)) & 7) as u8;
    }
    out
}
