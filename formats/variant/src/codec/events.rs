//! Events: what is in bytes, step by step.
//!
//! The reader of packets gives a leaf, the start of a container, the name of a property, the end. Values that are
//! encoded otherwise, as those of resource files, give the same events: they are [`Events`] with a [`Reader`], which
//! holds the input and the containers that are open, and keeps the limits of depth, counts and bytes. [`value_of`] makes
//! values of either.

pub use super::decode::{
    Begin, Event, Events, Held, Leaf, RawNumbers, Reader, in_other_order, value as value_of,
};
