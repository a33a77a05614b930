//! Declared binary packets of game engines.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(unreachable_pub)]

pub mod codec;
pub mod dialect;
mod error;
pub mod frame;
#[cfg(feature = "arbitrary")]
#[doc(hidden)]
pub mod fuzzing;
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub mod generate;
#[cfg(feature = "json")]
pub mod json;
mod limits;
pub mod packet;
pub mod schema;
pub mod text;
pub mod variant;
pub mod wire;

pub use codec::{Attitude, Decoder, Encoder, from_reader, from_slice, to_vec, to_writer};
pub use dialect::Dialect;
pub use error::{Class, Error, Path, Result, Rule, Step};
pub use limits::Limits;
