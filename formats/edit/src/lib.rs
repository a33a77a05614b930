//! Finds values by path and changes them in the bytes; converts them to other engines.
//!
//! [`ValuePath`] is a path as users type it (`player/bag/1`) or as errors print it (`dictionary[2].value.array[0]`).
//! It leads to a [`Place`], which reads, changes or removes the value there. [`splice`] writes the packet of a
//! changed value: each value in it that did not change keeps its bytes. [`Compare`] lists the differences between
//! two values, [`Merge`] combines the changes of two sides. [`strays`] finds the values in a typed dictionary that
//! are not of its declared types. [`convert`](mod@convert) makes of a value one of another engine, and lists the losses.
//!
//! ```
//! use formwork_edit::{ValuePath, splice};
//! use formwork_variant::{Dialect, Encoder, variant, from_slice, to_vec};
//!
//! let old = variant!({ "player": { "gold": 100, "bag": ["sword", "lamp"] } });
//! let packet = to_vec(&old, Dialect::GODOT4)?;
//!
//! let place = ValuePath::new("player/gold").find(&old, Dialect::GODOT4)?;
//! let mut new = old.clone();
//! *place.get_mut(&mut new).unwrap() = 9999.into();
//!
//! let packet = splice(&packet, &new, &Encoder::new(Dialect::GODOT4))?;
//! assert_eq!(from_slice(&packet, Dialect::GODOT4)?.at("player/gold"), Some(&9999.into()));
//! # Ok::<(), formwork::Error>(())
//! ```

#![deny(clippy::wildcard_enum_match_arm)]
#![warn(unreachable_pub)]

mod align;
pub mod convert;
mod difference;
mod differing;
mod keys;
mod literal;
mod mend;
mod merge;
mod packets;
mod path;
mod remove;
pub mod rule;
mod seek;
mod splice;
mod stray;

pub use difference::{Compare, Difference, DifferenceKind};
pub use differing::differing;
pub use formwork_variant::place::{Names, Place, Step};
pub use literal::Literals;
pub use mend::{Mended, mend};
pub use merge::{Conflict, Merge, Merged, Side};
pub use path::{Entry, Target, ValuePath};
pub use remove::remove;
pub use seek::Replacement;
pub use splice::as_the_engine;
pub use splice::splice;
pub use stray::{Stray, new_stray, strays};

/// Returns every rule that the modules of this crate declare.
pub fn all_rules() -> impl Iterator<Item = formwork::Rule> {
    [rule::ALL, convert::rule::ALL].into_iter().flatten().copied()
}
