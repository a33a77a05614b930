//! The declaration on the first screen of the README, and what it gives.
//!
//!     cargo run --example scores

use formwork::{BinRead, BinWrite, Block, Schema, binrw, record};

/// A list of scores.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"SCOR")]
pub struct Scores {
    /// How many there are.
    #[br(assert(count <= 100))]
    count: u8,
    /// The best one first.
    #[br(count = count)]
    scores: Block<u16>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = b"SCOR\x03\x0c\0\x09\0\x07\0";
    print!("{}", record::dump::<Scores>(bytes));
    println!("{}", record::from_slice::<Scores>(&bytes[..8]).unwrap_err());

    let mut scores: Scores = record::from_slice(bytes)?;
    scores.scores.push(1);
    record::settle(&mut scores)?;
    assert_eq!(record::to_vec(&scores)?, b"SCOR\x04\x0c\0\x09\0\x07\0\x01\0");
    Ok(())
}
