//! Bytes: what both format families share, and nothing of either.
//!
//! A slice cursor for binrw to read from, bulk arrays moved as blocks, padding that is read instead
//! of skipped, and the macros that turn a declaration into a binrw type and its [schema](crate::schema).

mod big_endian;
mod block;
mod declare;
mod fault;
mod input;
mod list;
mod real;
mod repeat;
pub(crate) mod utf8;

pub use big_endian::BigEndian;
pub use block::{Block, Components, Element, Number};
pub(crate) use declare::{bits, declare};
pub(crate) use fault::error_from;
pub use input::Input;
pub use list::NumberList;
pub(crate) use list::{value_of, values_of, with_numbers};
pub use real::Real;
pub(crate) use repeat::{Count, not_negative, read_record};
pub use repeat::{Each, Padding};
