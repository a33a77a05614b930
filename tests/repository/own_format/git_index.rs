//! The index of a Git repository (`.git/index`, version 2), declared from docs/own_format.md alone.

#![allow(missing_docs, dead_code, reason = "the declarations are the tests' own")]

use formwork_variant::binrw::{self, BinRead, BinWrite};
use formwork_variant::pages::record_page;
use formwork_variant::record;
use formwork_variant::schema::Schema;
use formwork_variant::wire::{Block, Each, ToEnd};
use modular_bitfield::prelude::*;

use super::proof;

/// What `git add` of three files writes.
const SAMPLE: &[u8] = include_bytes!("sample.index");

/// The files that the next commit will have.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"DIRC")]
#[schema(arbitrary)]
pub(super) struct Index {
    #[br(assert(version == 2))]
    version: u32,
    /// How many files.
    count: u32,
    /// The files, by name.
    #[br(count = count)]
    entries: Each<Entry>,
    /// Extensions, and 20 bytes of a checksum.
    rest: ToEnd<u8>,
}

/// A file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub(super) struct Entry {
    /// When its metadata changed.
    changed: Time,
    /// When its content changed.
    modified: Time,
    device: u32,
    inode: u32,
    mode: Mode,
    user: u32,
    group: u32,
    /// Bytes of its content, cut to 32 bits.
    size: u32,
    /// The id of its content.
    id: [u8; 20],
    flags: Flags,
    /// Its path.
    #[br(count = flags.name_length())]
    #[schema(text)]
    name: Block<'static, u8>,
    /// Up to a multiple of eight, one at least.
    #[br(count = 8 - (62 + flags.name_length()) % 8)]
    #[schema(zero)]
    padding: Block<'static, u8>,
}

/// A moment.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub(super) struct Time {
    seconds: u32,
    #[br(assert(nanoseconds < 1_000_000_000))]
    nanoseconds: u32,
}

/// What kind of file it is, and who may do what.
#[derive(Schema)]
#[bitfield]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
#[repr(u32)]
pub(super) struct Mode {
    permissions: B9,
    #[schema(zero)]
    unused: B3,
    /// 8 a file, 10 a symbolic link, 14 another repository.
    kind: B4,
    #[schema(zero)]
    unused_high: B16,
}

/// What else is known.
#[derive(Schema)]
#[bitfield]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u16| raw.into())]
#[bw(map = |word: &Self| u16::from(*word))]
#[repr(u16)]
pub(super) struct Flags {
    name_length: B12,
    /// Which side of a merge it is from.
    stage: B2,
    #[schema(zero)]
    unused: B1,
    /// Whether Git should not look for changes.
    assume_valid: bool,
}

#[test]
fn the_index_that_git_wrote_is_read() {
    let index: Index = record::from_slice(SAMPLE).expect("git wrote it");
    let names: Vec<_> =
        index.entries.iter().map(|entry| String::from_utf8_lossy(&entry.name)).collect();
    assert_eq!(names, ["README", "link", "src/main.rs"]);
    let modes: Vec<_> =
        index.entries.iter().map(|entry| (entry.mode.kind(), entry.mode.permissions())).collect();
    assert_eq!(modes, [(8, 0o644), (10, 0), (8, 0o755)]);
    assert_eq!(record::to_vec(&index).expect("it was read"), SAMPLE);
    assert_eq!(record::check::<Index>(SAMPLE), Ok(()));
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn an_index_is_shown_and_printed() {
    let dump = record::dump::<Index>(SAMPLE);
    for line in [
        "00000004 00 00 00 02 version u32 (big endian) 2",
        "00000024 00 00 81 a4 mode Mode (big endian) 420, kind 0x8",
        "00000048 00 06 flags Flags (big endian) 6",
        "0000004a 52 45 41 44 4d 45 name u8[6] \"README\"",
    ] {
        assert!(dump.lines().any(|shown| words(shown) == words(line)), "{line}\n{dump}");
    }
    let page = record_page::<Index>();
    for line in [
        "| 36 | `size` | `u32 (big endian)` |  | Bytes of its content, cut to 32 bits. |",
        "| 62 | `name` | `u8` | `flags.name_length` times | Its path. |",
        "|  | `padding` | `u8` | `8 - (62 + flags.name_length) % 8` times | Up to a multiple of eight, one at \
         least. Always zero. |",
        "| 60 | `flags` | [Flags](#flags) (big endian) |  |  |",
        "| 0 to 11 | `name_length` |  |",
    ] {
        assert!(page.lines().any(|shown| shown == line), "{line}\n{page}");
    }
}

#[test]
fn errors_say_which_field_of_the_index_it_is() {
    let broken = |at: usize, byte: u8| {
        let mut bytes = SAMPLE.to_vec();
        bytes[at] = byte;
        record::from_slice::<Index>(&bytes).expect_err("it is broken").to_string()
    };
    // The nanoseconds of the second entry's first time.
    assert_eq!(
        broken(88, 0x7f),
        "offset 88 (0x58), entries[1].changed.nanoseconds: expected `nanoseconds < 1000000000`, found \
         nanoseconds = 2139613071 (malformed, rule record.assert)"
    );
    assert_eq!(
        broken(7, 4),
        "offset 4 (0x4), version: expected `version == 2`, found version = 4 (malformed, rule record.assert)"
    );
    let error = record::from_slice::<Index>(&SAMPLE[..0xdc]).expect_err("it is cut");
    assert_eq!(
        error.to_string(),
        "offset 218 (0xda), entries[2].name: expected 11 bytes, found 2 left; at least 9 more bytes needed"
    );
    // So little is left that three entries cannot stand there.
    let error = record::from_slice::<Index>(&SAMPLE[..0x4c]).expect_err("it is cut");
    assert_eq!(
        error.to_string(),
        "offset 12 (0xc), entries: expected 3 elements of at least 62 bytes, found 64 left; at least 122 more \
         bytes needed"
    );
}

#[test]
fn what_is_promised_of_any_format_holds_of_indexes() {
    let made = proof::arbitrary_values_are_whole::<Index>();
    assert!(made.iter().filter(|bytes| bytes.len() > 200).count() > 50, "not only empty ones");
    for bytes in made.iter().take(50) {
        proof::breaches_are_as_was_said::<Index>(bytes);
    }
    let breaches = proof::breaches_are_as_was_said::<Index>(SAMPLE);
    for (field, how) in [
        ("count", "a count far too large"),
        ("entries[0].changed.nanoseconds", "what is asserted does not hold"),
        ("entries[0].mode.unused", "an unused bit set"),
        ("entries[0].mode.unused_high", "an unused bit set"),
        ("entries[0].padding", "not zero"),
        ("entries[0].name", "not UTF-8"),
        ("entries[2].name", "cut in it"),
    ] {
        let found = breaches.iter().find(|it| it.field.to_string() == field && it.how == how);
        assert!(found.is_some(), "{field}: {how}");
    }
}
