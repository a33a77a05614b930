//! Parts of code that goes through any value, or puts any value together.
//!
//! [`Walk`] goes through a value, [`Builder`] makes one of its parts in order: neither takes stack for depth, and both give
//! the path of an error by the [levels](Level) around it.

pub use crate::value::naming::{is_shown, join, short, step};
#[cfg(feature = "steps")]
pub use crate::value::steps;
pub use crate::value::{Builder, Contents, Event, Fingerprints, Front, Level, Making, Walk, path};
