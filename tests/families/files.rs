//! Heads of wrappers, packs, scripts and datagrams.

use formwork::modular_bitfield::prelude::*;
use formwork::schema::numbered;
use formwork::{
    BinRead, BinWrite, Block, Deferred, Each, Nested, OrEnd, Schema, Slice, ToEnd, binrw, record,
};

use super::variant::{Godot, VALUE, words};
use super::{hold, sample};

/// A compressed file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct CompressedFile {
    pub head: CompressedHead,
    #[br(count = head.total / head.block_size + 1)]
    pub sizes: Block<u32>,
    #[br(count = sizes.total())]
    pub blocks: Block,
    pub trailer: OrEnd<Trailer>,
}

/// The mark at the end.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little, magic = b"GCPF")]
pub struct Trailer {}

const COMPRESSIONS: &[(i128, &str)] =
    &numbered(["FastLZ", "Deflate", "Zstandard", "gzip", "Brotli"]);

/// The start of a compressed file.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct CompressedHead {
    #[schema(letters)]
    pub magic: u32,
    #[schema(names = COMPRESSIONS)]
    pub mode: u32,
    pub block_size: u32,
    pub total: u32,
}

/// The start of an encrypted file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct EcbHead {
    #[schema(letters)]
    pub magic: u32,
    pub mode: u32,
    #[schema(hex)]
    pub digest: [u8; 16],
    pub length: u64,
    pub data: Deferred<ToEnd<u8>>,
}

words! {
    /// Flags of a pack.
    PackFlags: u32 {
        directory_encrypted: bool,
        relative: bool,
        sparse: bool,
        #[schema(zero)] unused: B29,
    }
    /// Flags of a file.
    FileFlags: u32 {
        encrypted: bool,
        removal: bool,
        delta: bool,
        #[schema(zero)] unused: B29,
    }
    /// The first byte of a token.
    TokenByte: u8 {
        kind: B7,
        indexed: bool,
    }
    /// The first word of a datagram.
    PeerWord: u16 {
        peer: B12,
        session: B2,
        compressed: bool,
        timed: bool,
    }
    /// The first byte of a command.
    CommandByte: u8 {
        number: B4,
        #[schema(zero)] unused: B2,
        unsequenced: bool,
        acknowledge: bool,
    }
}

/// The start of a pack.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PackStart {
    #[schema(letters)]
    pub magic: u32,
    pub version: u32,
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

/// A pack of version 0 or 1.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct PlainPack {
    pub start: PackStart,
    #[schema(zero)]
    pub reserved: [u32; 16],
    pub directory: PackDirectory,
    pub contents: Deferred<ToEnd<u8>>,
}

/// A directory.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct PackDirectory {
    pub count: u32,
    #[br(count = count)]
    pub files: Each<PackEntry<'static>>,
}

/// A file of a pack.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(content: ToEnd<u8>, at = offset, bytes = size))]
pub struct PackEntry<'a> {
    pub length: u32,
    #[br(count = length)]
    #[schema(text)]
    pub name: Slice<'a>,
    pub offset: u64,
    pub size: u64,
    #[schema(hex)]
    pub digest: [u8; 16],
}

/// A pack of version 3 or 4.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct PlacedPackHead {
    pub start: PackStart,
    pub flags: PackFlags,
    pub file_base: u64,
    pub directory: u64,
    pub salt: [u8; 32],
    #[schema(zero)]
    pub reserved: [u32; 8],
    pub rest: Deferred<ToEnd<u8>>,
}

/// A file of a pack of version 2 to 4.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct FlaggedPackEntry<'a> {
    pub entry: PackEntry<'a>,
    pub flags: FileFlags,
}

/// A compiled script.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"GDSC")]
pub struct ScriptFile {
    #[br(assert(version <= 13))]
    pub version: u32,
    pub identifier_count: u32,
    pub constant_count: u32,
    pub line_count: u32,
    pub token_count: u32,
    #[br(count = identifier_count)]
    pub identifiers: Each<Identifier<'static>>,
    #[br(count = constant_count)]
    pub constants: Deferred<Each<Nested<VALUE>>>,
    #[br(count = line_count)]
    pub lines: Deferred<Each<TokenPlace>>,
    #[br(count = token_count)]
    pub tokens: Deferred<Each<Token>>,
}

/// A name, each byte combined with 0xb6.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Identifier<'a> {
    pub length: u32,
    #[br(count = length)]
    #[schema(text, mask = 0xb6)]
    pub bytes: Slice<'a>,
}

/// A name in UTF-32.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct WideIdentifier<'a> {
    pub length: u32,
    #[br(count = length)]
    #[schema(text, mask = 0xb6)]
    pub characters: Slice<'a, u32>,
}

/// The first token of a line.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct TokenPlace {
    pub token: u32,
    pub place: u32,
}

/// 24 bits.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct TokenIndex {
    pub low: u16,
    pub high: u8,
}

/// A token.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct Token {
    pub first: TokenByte,
    #[br(if(first.indexed()))]
    pub index: Option<TokenIndex>,
}

/// A datagram whose first word is big endian.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct DatagramHead {
    pub peer: PeerWord,
    #[br(if(peer.timed()))]
    pub time: Option<u16>,
    pub commands: Deferred<ToEnd<u8>>,
}

/// The start of a command.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
pub struct CommandHead {
    pub command: CommandByte,
    pub channel: u8,
    pub sequence: u16,
}

#[test]
fn wrappers() {
    let with = record::with(&());
    for name in ["small.zstd.save", "small.gzip.save", "small.fastlz.save"] {
        hold::<CompressedFile>(with, &sample(&format!("godot3/golden/3.2.3/files/{name}")));
    }
    let mut file = sample("godot3/golden/3.2.3/files/small.zstd.save");
    file.truncate(file.len() - 4);
    hold::<CompressedFile>(with, &file);
    file.pop();
    assert_eq!(with.check::<CompressedFile>(&file).unwrap_err().path().to_string(), "blocks");
    hold::<EcbHead>(with, &sample("godot3/golden/3.2.3/files/small.encrypted.save"));
}

#[test]
fn packs() {
    let with = record::with(&());
    hold::<PlainPack>(with, &sample("pack/samples/3.2.3/packer.pck"));
    hold::<PlacedPackHead>(with, &sample("pack/samples/4.6.3/packer.pck"));
    hold::<FlaggedPackEntry<'_>>(
        with,
        b"\x04\0\0\0icon\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0yyyyyyyyyyyyyyyy\x02\0\0\0",
    );
}

#[test]
fn scripts() {
    let godot = Godot(3);
    let with = record::with(&godot);
    let file = sample("script/samples/godot-3.2.3.gdc");
    hold::<ScriptFile>(with, &file);
    let dump = with.dump::<ScriptFile>(&file);
    assert!(
        dump.contains("\"Reference\"") || dump.contains("\"Vector2\"") || dump.contains("\"Sample"),
        "{dump}"
    );
    hold::<WideIdentifier<'_>>(with, &[1, 0, 0, 0, b'a' ^ 0xb6, 0xb6, 0xb6, 0xb6]);
    hold::<Token>(with, &[0x81, 1, 0, 0]);
    let wrong = with.check::<WideIdentifier<'_>>(&[1, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(wrong.rule(), formwork::wire::rule::RECORD_TEXT);
}

#[test]
fn datagrams() {
    let with = record::with(&());
    hold::<DatagramHead>(with, &[0x80, 1, 0, 7, 1, 2, 3]);
    hold::<CommandHead>(with, &[0x86, 255, 0, 7]);
}
