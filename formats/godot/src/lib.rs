//! The files that Godot 1.0 to 4.7 and Pandemonium write around their values, and which of them a file is.
//!
//! A file is opened, changed and written back in the same engine, framing and wrapper:
//!
//! ```
//! # #[cfg(feature = "wrapper")] {
//! use formwork_variant::{Dialect, to_vec, variant};
//!
//! let packet = to_vec(&variant!({ "hp": 7 }), Dialect::GODOT3)?;
//! let mut save = formwork_godot::open(packet)?;
//! save.value_mut()["hp"] = 100.into();
//! assert_eq!(save.to_vec()?, to_vec(&variant!({ "hp": 100 }), Dialect::GODOT3)?);
//! # }
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | open a file of values, whatever it is, and write it back | `open`, `file` (feature `wrapper`) |
//! | open compressed and encrypted files | `wrapper` (feature `wrapper`) |
//! | read, check and change the pack of an exported game | `pack` (feature `pack`) |
//! | read binary resources, settings and compiled scripts | [`resource`], [`settings`], [`script`] |
//! | see what is in bytes, field by field | [`inspect`] |
//! | read and change ConfigFile text, such as `project.godot` | [`config_file`]; [`project`] makes it of `project.binary`, and back |
//! | know which engine wrote bytes | [`detect`] |
//! | open these files beside those of other formats | `document` (feature `document`) |
//! | see the layouts | [`pages`] |
//!
//! The values themselves, and packets without a file, are in the crate `formwork-variant`.
//!
//! # Features
//!
//! None is on by default: `wrapper`, `pack`, `document` (which includes both), and `arbitrary`: `Arbitrary` for every
//! declared type.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(unreachable_pub)]

pub mod config_file;
pub mod detect;
#[cfg(feature = "document")]
#[cfg_attr(docsrs, doc(cfg(feature = "document")))]
pub mod document;
#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub mod file;
mod framing;
pub mod inspect;
mod magic;
#[cfg(feature = "pack")]
#[cfg_attr(docsrs, doc(cfg(feature = "pack")))]
pub mod pack;
pub mod pages;
pub mod project;
pub mod resource;
pub mod script;
pub mod settings;
pub mod value_text;
#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub mod wrapper;

#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub use file::{Opener, RecoveredFile, ValueFile, open};
pub use framing::Framing;

use formwork::Rule;

/// Returns every rule that the modules of this crate declare, as far as their features are switched on.
pub fn all_rules() -> impl Iterator<Item = Rule> {
    let lists = [
        settings::rule::ALL,
        resource::rule::ALL,
        script::rule::ALL,
        #[cfg(feature = "wrapper")]
        wrapper::rule::ALL,
        #[cfg(feature = "pack")]
        pack::rule::ALL,
        config_file::rule::ALL,
        #[cfg(feature = "wrapper")]
        file::rule::ALL,
        #[cfg(feature = "document")]
        document::rule::ALL,
    ];
    lists.into_iter().flatten().copied()
}
