//! A format of your own: the PACK files of Quake, declared here and nowhere in the library.
//!
//!     cargo run --example own_format examples/own_format/hello.pak
#![warn(missing_docs)]

use formwork::binrw::{self, BinRead, BinWrite};
use formwork::generate::arbitrary::{Arbitrary, Unstructured};
use formwork::schema::Schema;
use formwork::wire::{Block, Each};
use formwork::{pages::record_page, record};

/// Many files in one: their contents, then a directory of them.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"PACK")]
#[schema(arbitrary)]
pub struct Pack {
    /// Where the directory starts.
    #[br(assert(directory_at >= 12))]
    pub directory_at: u32,
    /// Bytes of the directory.
    #[br(assert(directory_size.is_multiple_of(64)))]
    pub directory_size: u32,
    /// The contents of all files.
    #[br(count = directory_at - 12)]
    pub contents: Block<'static, u8>,
    /// What is where.
    #[br(count = directory_size / 64)]
    pub directory: Each<Entry>,
}

/// One file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Entry {
    /// Its path, with slashes.
    #[schema(text)]
    pub path: [u8; 56],
    /// Where its content starts.
    pub start: u32,
    /// Bytes of its content.
    pub size: u32,
}

/// What a fuzz target does: `fuzz_target!(|seed: &[u8]| round_trip(seed));`
pub fn round_trip(seed: &[u8]) {
    let Ok(pack) = Pack::arbitrary(&mut Unstructured::new(seed)) else { return };
    let bytes = record::to_vec(&pack).expect("what was made can be written");
    assert_eq!(record::from_slice::<Pack>(&bytes).expect("what was written can be read"), pack);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(std::env::args().nth(1).expect("the path of a .pak file"))?;
    let pack: Pack = record::from_slice(&bytes)?;
    assert_eq!(record::to_vec(&pack)?, bytes);
    print!("{}\n{}\n", record::dump::<Pack>(&bytes), record_page::<Pack>());
    record::breaches::<Pack>(&bytes)?.iter().for_each(|breach| println!("{breach}"));
    (0..=255).for_each(|seed| round_trip(&[seed; 200]));
    Ok(())
}
