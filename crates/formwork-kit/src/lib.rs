//! Tests of decoders: packets and files that are numbered and known to be right or wrong, a mutator that knows the
//! formats, and what drives decoders of others with them, judges what they answer and makes the packet that shows a fault
//! small.
//!
//! ```
//! use formwork_kit::Format;
//! use formwork_variant::Dialect;
//! use formwork_kit::case::{Cases, Reading};
//!
//! let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
//! let cases = Cases::new(reading, 7);
//! let bytes = cases.case(0).bytes;
//! assert_eq!(bytes, cases.case(0).bytes);
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | test a decoder that is a program, in any language | [`oracle`], or the program `formwork-kit` |
//! | test a decoder of this process, in a `#[test]` or a fuzz target | [`judge()`], [`judge_bytes`] |
//! | test a decoder with data alone | [`suite`]: named packets, each with what is right |
//! | write down what was found | [`report`] |
//! | make cases from a seed and a number | [`case`] |
//! | fuzz with a mutator that knows the format | [`mutator`]; [`dictionary()`] has the words |
//! | take bytes apart, change and shorten them | [`tree`] |
//! | know where two values or documents differ first | [`difference`] |
//!
//! The feature `campaigns`, which is on by default, has what drives programs, and the reports. In a test of your own
//! decoder, take the crate with `default-features = false`.

#![cfg_attr(not(feature = "campaigns"), allow(dead_code, reason = "campaigns call it"))]

pub mod case;
mod dictionary;
pub mod difference;
mod digest;
mod format;
mod in_process;
pub mod mutator;
mod named;
pub mod oracle;
#[cfg(feature = "campaigns")]
pub mod report;
pub mod suite;
pub mod tree;

pub use dictionary::dictionary;
pub use format::{Format, UnknownFormat, all_rules};
pub use in_process::{Fault, judge, judge_bytes};
