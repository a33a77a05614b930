//! Types of fields beyond numbers and records: lists, blocks, regions, texts, numbers in other forms.
//!
//! | in the file | type | arguments |
//! | --- | --- | --- |
//! | numbers, moved as one block | [`Block<u16>`](Block) | `count` |
//! | the same, written without a copy | [`Slice<'_, u16>`](Slice) | `count` |
//! | records | [`Each<Entry>`](Each) | `count`, `inner` |
//! | elements up to the end of the region | [`ToEnd<Entry>`](ToEnd) | `inner` |
//! | elements up to one that marks itself as the last | [`Until<Chunk>`](Until) | `inner` |
//! | a region of a known size | [`Within<T>`](Within) | `bytes`, `inner` |
//! | all but the last bytes | [`Before<T>`](Before) | `left`, `inner` |
//! | bytes and a zero, or [another end](Ending) | [`Terminated`] | |
//! | the same, where the end of the region will do | [`TerminatedOrEnd`] | |
//! | bytes before an end, which stays | [`UpTo`] | |
//! | a number whose length is up to its value | [`Varint<Leb128>`](Varint) | |
//! | a content that is combined with a key, turned or packed | [`Coded<Xor<7>, T>`](Coded) | `key`, `inner` |
//! | zeros up to a multiple of a length | [`Padding<4>`](Padding) | the length |
//! | a part that may be missing at the end | [`OrEnd<T>`](OrEnd) | those of `T` |
//! | a part that the caller reads and writes | [`Deferred<T>`](Deferred) | those of `T` |
//! | a part that a family puts there | [`Nested<ID>`](Nested) | |
//! | an enum's number that may be another one | [`Open<Kind>`](Open) | |
//!
//! The reader of each of them and its layout agree; `record::audit` holds them to it.

mod arguments;
mod block;
mod checked;
mod coded;
mod cursor;
mod deferred;
mod depth;
mod direct;
mod fault;
mod list;
mod open;
mod or_end;
mod padding;
mod region;
pub mod rule;
mod terminated;
mod varint;

pub use arguments::{Handed, Inner, InnerBuilder, ListArguments, NoCount};
pub use block::{Block, Count, Number, Slice};
pub(crate) use coded::not_coded;
pub use coded::{Code, Coded, CodedArguments, CodedBuilder, Key, Rotate, RotateKey, Xor, XorKey};
pub use cursor::Cursor;
pub(crate) use cursor::span;
pub use deferred::{Deferred, Nested};
pub use list::{Each, Last, ToEnd, Until};
pub use open::{Numbered, Open};
pub use or_end::OrEnd;
pub use padding::Padding;
pub(crate) use padding::needed;
pub use region::{Before, BeforeArguments, BeforeBuilder, Within, WithinArguments, WithinBuilder};
pub use terminated::{Byte, Ending, Follow, Terminated, TerminatedOrEnd, UpTo, WideZero, Zero};
pub use varint::{
    BigBytes, CompactSize, Git, Leb128, LittleBytes, Midi, PaddedLeb128, SignedLeb128, Sqlite,
    Undecoded, Varint, VarintKind, VarintNumber,
};

#[doc(hidden)]
pub use crate::error::{bytes, elements, more_bytes};
#[doc(hidden)]
pub use block::missing;
#[doc(hidden)]
pub use checked::{Checked, Distance, Shift};
pub(crate) use checked::{checked, shift_left, shift_right};
#[doc(hidden)]
pub use depth::Depth;
pub(crate) use depth::too_deep;
#[doc(hidden)]
pub use direct::{
    Borrowing, Direct, Directly, Missed, enter, head_of, take, take_array, take_magic,
};
pub(crate) use fault::{error_of, raise};
pub(crate) use list::{MOST_EMPTY, slots_left, too_many_empty};
pub(crate) use region::{cut_region, not_filled};
pub(crate) use terminated::{end_inside, no_end};
pub(crate) use varint::{unwritten, wrong as wrong_varint};
