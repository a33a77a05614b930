//! Tests of decoders: packets and files that are numbered and known to be right or wrong, a mutator that
//! knows the formats, and what drives decoders of others with them, judges what they answer and makes the
//! packet that shows a fault small.
//!
//! * [`case`] makes packets by profile from a seed and a number, and says what is known of each.
//! * [`tree`] takes bytes apart field by field, changes and shortens them; [`mutator`] does that for a fuzzer.
//! * [`difference`] says where two values or documents differ first.
//! * [`suite`] is the packets as data: named, each with what is right, for tests that start no program of ours.
//! * [`oracle`] runs decoders that are not ours, and finds where they differ from ours.
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

pub mod case;
mod dictionary;
pub mod difference;
mod digest;
mod format;
pub mod mutator;
pub mod oracle;
pub mod suite;
pub mod tree;

pub use dictionary::dictionary;
pub use format::{Format, UnknownFormat, all_rules};
