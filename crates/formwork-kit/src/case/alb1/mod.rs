//! Cases for tests of other people's readers of ALB1: whole files, and what is known of them.
//!
//! | profile | files | our reader |
//! | --- | --- | --- |
//! | [`enumerate`] | one thing alone, each once | accepts |
//! | [`valid`] | any fields; the classes as Terrain Builder writes them | accepts |
//! | [`hostile`] | anything | ends, within memory |
//!
//! **Meaning.** A document has one form in bytes: whatever is accepted is written again byte for byte,
//! as sizes and counts follow from what is there, and all else (the order of fields, repeated names,
//! the bits of floats, the byte of a bool) is kept. So two files mean the same if they are the same
//! bytes, which is what [`Document::is_identical`](formwork_alb1::Document::is_identical) says of
//! documents, and no case has a pair. A decoder whose answer is its own re-encoding has to answer with
//! the request. (Addresses mean nothing by themselves, but nothing entitles a reader to change them.)
//!
//! **Quadtrees.** The reader of files takes the quadtree of an object layer for raw bytes. So nothing
//! about it can make a file one that is refused; what [`formwork_alb1::tree`](formwork_alb1::tree) refuses is an edge case
//! that names the rule and the byte of the file, because readers that look into the quadtree refuse it
//! rightly and those that do not accept it rightly.

mod enumerate;
mod hostile;
mod nest;
mod refused;
mod small;
mod terrain;
#[cfg(test)]
mod tests;
mod valid;

pub(crate) use enumerate::{PLAIN, enumerate};
pub(crate) use hostile::hostile;
pub(crate) use nest::deep;
pub(crate) use refused::refused;
pub(crate) use valid::{quadtree_fault, valid};
