//! A user-defined format: the PACK files of Quake, declared here and nowhere in the library.
//!
//!     cargo run --example own_format examples/own_format/hello.pak
#![warn(missing_docs)]

use formwork::{BinRead, BinWrite, Block, Each, Schema, ToEnd, binrw, record};

/// Many files in one: their contents, then a directory of them.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"PACK")]
pub struct Pack {
    /// Where the directory starts.
    #[br(assert(directory_at >= 12))]
    pub directory_at: u32,
    /// Bytes of the directory.
    #[br(assert(directory_size.is_multiple_of(64)))]
    pub directory_size: u32,
    /// The contents of all files.
    #[br(count = directory_at - 12)]
    pub contents: Block<u8>,
    /// The directory.
    #[br(count = directory_size / 64)]
    pub directory: Each<Entry>,
}

/// One file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(view(content: ToEnd<u8>, at = start, bytes = size))]
pub struct Entry {
    /// Its path, with slashes.
    #[schema(text)]
    pub path: [u8; 56],
    /// Where its content starts.
    pub start: u32,
    /// Bytes of its content.
    pub size: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(std::env::args().nth(1).ok_or("the path of a .pak file")?)?;
    let mut pack: Pack = record::from_slice(&bytes)?;
    assert_eq!(record::to_vec(&pack)?, bytes);
    print!("{}\n{}\n", record::dump::<Pack>(&bytes), record::page::<Pack>());
    record::broken::<Pack>(&bytes).for_each(|copy| println!("{copy}"));

    pack.directory.pop();
    record::settle(&mut pack)?;
    assert_eq!(pack.directory_size, 64);
    Ok(())
}
