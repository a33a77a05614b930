//! Any file of the families, and of formats of your own: opened, looked into, changed, compared, merged, converted and
//! rescued.
//!
//! ```
//! use formwork_file::{Dialect, to_vec, variant};
//!
//! let save = to_vec(&variant!({ "gold": 5, "bag": ["lamp"] }), Dialect::GODOT3)?;
//!
//! let mut file = formwork_file::open(&save)?;
//! file.set("gold", "9999")?;
//! let (newer, losses) = file.convert(Dialect::GODOT4)?;
//! assert!(losses.is_empty());
//! assert_eq!(newer.get("gold")?.to_string(), "9999");
//! # Ok::<(), formwork_file::Error>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | open a file, whatever it is | [`open`] |
//! | say the engine, the password, the limits | [`Options`] |
//! | add formats of your own, or use only those | [`Formats`] |
//! | change a file, and take that back | [`File::set`], [`File::edit`], [`File::undo`] |
//! | show a tree, one level at a time | [`File::children`] |
//! | see what bytes mean | [`File::place`], [`File::fields`] |
//! | convert to another engine | [`File::convert`] |
//! | compare and merge | [`File::diff`], [`File::merge`] |
//! | open a file that is in another one, such as a save in a pack | [`File::inner`], [`File::set_bytes`] |
//! | read what is left of a damaged file | [`Formats::recover`] |
//!
//! Nothing here opens files, starts threads or prints.
#![warn(unreachable_pub)]

mod convert;
mod file;
pub mod formats;
mod guess;
mod history;
mod merge;
mod options;
mod place;
mod search;
mod wrapped;

pub use file::File;
pub use formats::{Fit, Formats};
pub use guess::Guess;
pub use merge::{Conflict, Merged, merge_json};
pub use options::Options;
pub use place::Field;

pub use formwork::document::{
    Change, ChangeKind, Child, Confidence, Document, Edit, Format, Grade, Json, Lost, Problem,
};
pub use formwork::{Error, Result};
pub use formwork_alb1::Limits;
pub use formwork_edit::Side;
pub use formwork_edit::convert::Loss;
pub use formwork_godot::Framing;
pub use formwork_godot::wrapper::Key;
pub use formwork_variant::{Dialect, Variant, from_slice, to_vec, variant};

formwork::rules! {
    /// The rules of this crate.
    pub const ALL;

    /// A file is of a known format.
    pub const KNOWN = "file.known", Malformed;
    /// A file has values of an engine where another engine is to get them.
    pub const VALUES = "file.values", Unrepresentable;
}

/// Opens a file of any of [our formats](Formats::OURS).
///
/// # Errors
///
/// Returns an error if the file is of no known format, damaged or encrypted, or if it means different things to several
/// engines: name one with [`Options`].
pub fn open(bytes: &[u8]) -> Result<File> {
    Options::new().open(bytes)
}
