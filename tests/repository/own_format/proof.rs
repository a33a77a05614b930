//! What is promised about any format, held against one.

use std::fmt::Debug;

use formwork_variant::binrw::{BinRead, BinWrite};
use formwork_variant::generate::arbitrary::{Arbitrary, Unstructured};
use formwork_variant::record::{self, Breach};
use formwork_variant::schema::Schema;

/// Seeds of many lengths; the same ones each time.
fn seeds() -> impl Iterator<Item = Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    (0..300).map(move |round| {
        let mut seed = vec![0; 2 * round];
        for byte in &mut seed {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *byte = state as u8;
        }
        seed
    })
}

/// Arbitrary values are whole: they are written, read back the same, and nothing in them is odd. Returns the
/// bytes of them all.
pub(super) fn arbitrary_values_are_whole<T>() -> Vec<Vec<u8>>
where
    T: for<'a> Arbitrary<'a>
        + for<'a> BinRead<Args<'a> = ()>
        + for<'a> BinWrite<Args<'a> = ()>
        + Schema
        + Debug
        + PartialEq,
{
    let values = seeds().map(|seed| {
        let value = T::arbitrary(&mut Unstructured::new(&seed)).expect("a value");
        let bytes = record::to_vec(&value).expect("what was made can be written");
        assert_eq!(record::from_slice::<T>(&bytes).as_ref(), Ok(&value));
        assert_eq!(record::check::<T>(&bytes), Ok(()), "{value:?}");
        bytes
    });
    values.collect()
}

/// Each breach breaks what it says: the reader refuses it with the same error where that was said, and accepts
/// it where not. Returns them.
pub(super) fn breaches_are_as_was_said<T>(bytes: &[u8]) -> Vec<Breach>
where
    T: for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()> + Schema + Debug,
{
    let breaches = record::breaches::<T>(bytes).expect("the bytes are whole");
    for breach in &breaches {
        assert_ne!(breach.bytes, bytes, "{breach}");
        assert_eq!(record::check::<T>(&breach.bytes).as_ref(), Err(&breach.error));
        let read = record::from_slice::<T>(&breach.bytes);
        match breach.is_refused {
            true => assert_eq!(read.expect_err("it was said to be refused"), breach.error),
            false => drop(read.expect("it was said to be read")),
        }
        // binrw by itself, without our walk along the declaration.
        let mut input = formwork_variant::wire::Cursor::new(&breach.bytes);
        let alone = T::read_options(&mut input, formwork_variant::binrw::Endian::Little, ());
        let refuses = alone.is_err() || input.left() > 0;
        assert_eq!(refuses, breach.is_refused, "{breach}");
        // Nothing panics over it.
        assert!(!record::dump::<T>(&breach.bytes).is_empty());
    }
    breaches
}
