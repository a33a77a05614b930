//! Bytes: the common part of both format families.
//!
//! A slice cursor for binrw to read from, bulk arrays moved as blocks, and padding that is read instead of skipped.

mod block;
mod cursor;
mod fault;
mod list;
mod real;
mod repeat;
pub use formwork::wire::rule;
pub mod utf8;

pub use block::{Block, Components, CountArgs, Element, Number};
pub use cursor::Cursor;
pub use fault::{error_from, wrong_magic};
pub use list::{FromNumbers, NumberList};
pub use list::{value_of, values_of, with_numbers};
pub use real::Real;
pub use repeat::{Each, Padding, put_record, read_borrowed, read_record};
pub use repeat::{not_negative, read_record_in, word, word_at};
