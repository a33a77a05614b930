//! Functions for the records of this library: reading, writing, a dump, packets that are broken. Formats of your own are
//! declared with the crate `formwork-definition`.
//!
//! Declare it with binrw's attributes, and derive [`Schema`] beside `BinRead` and `BinWrite`. The printed
//! page is [`pages::record_page`](crate::pages::record_page), arbitrary values come with
//! `#[schema(arbitrary)]`.
//!
//! ```
//! use formwork_variant::binrw::{self, BinRead, BinWrite};
//! use formwork_variant::record;
//! use formwork_variant::schema::Schema;
//! use formwork_variant::wire::Block;
//!
//! /// A list of scores.
//! #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
//! #[brw(little, magic = b"SCOR")]
//! struct Scores {
//!     /// How many.
//!     #[br(assert(count <= 10))]
//!     count: u8,
//!     /// The best one first.
//!     #[br(count = count)]
//!     scores: Block<'static, u16>,
//! }
//!
//! let scores: Scores = record::from_slice(b"SCOR\x02\x09\0\x07\0")?;
//! assert_eq!(*scores.scores, [9, 7]);
//! assert_eq!(record::to_vec(&scores)?, b"SCOR\x02\x09\0\x07\0");
//!
//! let error = record::from_slice::<Scores>(b"SCOR\x0b").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "offset 4 (0x4), count: expected `count <= 10`, found count = 11 (malformed, rule record.assert)"
//! );
//! # Ok::<(), formwork_variant::Error>(())
//! ```

mod breach;
mod fault;

use binrw::{BinRead, BinWrite, Endian};

pub use breach::{Breach, breaches};

use crate::error::Result;
use crate::inspect::{Inspector, Tree};
use crate::schema::Schema;
use crate::wire::{Cursor, error_from, read_record};
use fault::{faults, trailing};

/// Reads a record that is all of `bytes`.
///
/// # Errors
///
/// Where the type's own reader refuses the bytes, or does not use all of them. The error says which field of
/// the declaration it is, and where.
pub fn from_slice<T>(bytes: &[u8]) -> Result<T>
where
    T: for<'a> BinRead<Args<'a> = ()> + Schema,
{
    let mut input = Cursor::new(bytes);
    match read_record::<T>(&mut input) {
        Ok(record) if input.left() == 0 => Ok(record),
        Ok(_) => Err(trailing(input.position() as u64, input.left() as u64)),
        // The walk along the declaration knows the place; whether it is a fault the reader alone says.
        Err(error) => {
            let mut found = faults::<T>(bytes).filter(|fault| fault.rule() == error.rule());
            Err(found.next().unwrap_or(error))
        }
    }
}

/// Writes a record.
///
/// # Errors
///
/// Where its own writer fails, or where its reader would refuse what was written: a count that does not
/// agree with what it counts, something asserted that does not hold. Offsets are those of the bytes that would
/// have been written.
pub fn to_vec<T>(record: &T) -> Result<Vec<u8>>
where
    T: for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()> + Schema,
{
    let mut out = binrw::io::Cursor::new(Vec::new());
    record
        .write_options(&mut out, Endian::Little, ())
        .map_err(|error| error_from(&error, out.position()))?;
    let bytes = out.into_inner();
    from_slice::<T>(&bytes)?;
    Ok(bytes)
}

/// Checks that nothing in `bytes` is odd: every byte is what a writer would write that keeps to the
/// declaration.
///
/// This is stricter than [`from_slice`], which only refuses what the type's own reader does: padding and
/// reserved bits are zero, texts are UTF-8, numbers that stand for something stand for something known.
///
/// # Errors
///
/// The first thing that is odd or wrong.
pub fn check<T: Schema>(bytes: &[u8]) -> Result<()> {
    faults::<T>(bytes).next().map_or(Ok(()), Err)
}

/// Returns a line for each field: where it is, its bytes, its name, its type and what it says.
///
/// Bytes that are cut or wrong are shown up to the fault. [`Inspector`] and [`Tree`] have more to choose
/// from.
#[must_use]
pub fn dump<T: Schema>(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    // Writing to a vector cannot fail.
    let _ = Tree::default().write(Inspector::record::<T>(bytes), &mut out);
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use binrw::{BinRead, BinWrite};

    use super::*;
    use crate::error::Rule;
    use crate::wire::{ToEnd, rule};

    /// A list of lists.
    #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
    #[brw(little)]
    struct Lists {
        lists: ToEnd<List>,
    }

    /// A list.
    #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
    #[brw(little)]
    #[br(assert(count != 7))]
    struct List {
        count: u8,
        #[br(count = count)]
        bytes: Vec<u8>,
    }

    #[test]
    fn a_count_that_does_not_agree_is_not_written() {
        let list = |count, bytes: &[u8]| List { count, bytes: bytes.to_vec() };
        let lists = |last| Lists { lists: ToEnd(vec![list(1, b"x"), last]) };
        assert_eq!(to_vec(&lists(list(2, b"ab"))).unwrap(), b"\x01x\x02ab");
        let error = to_vec(&lists(list(2, b"a"))).unwrap_err();
        assert_eq!((error.rule(), error.offset()), (Rule::INPUT_COMPLETE, 3));
        assert_eq!(error.path().to_string(), "lists[1].bytes");
        let error = to_vec(&lists(list(7, b"1234567"))).unwrap_err();
        assert_eq!((error.rule(), error.offset()), (rule::RECORD_ASSERT, 2));
        assert_eq!(error.path().to_string(), "lists[1]");
    }
}
