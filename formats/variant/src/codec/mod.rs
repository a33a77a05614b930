//! Converts packets to values and back.
//!
//! Reading has two levels of strictness: [`Strictness::Engine`] accepts the same bytes as the dialect's engine, with
//! the same result; [`Strictness::Canonical`] accepts only bytes that writing the value would produce again.

mod decode;
mod decoder;
mod encode;
mod encoder;
pub mod events;
mod keep;
mod read;
mod recovered;
pub mod resync;
mod round_trip;
pub mod rule;
mod stream;
mod warnings;
mod write;

pub use decode::Met;
pub use decode::{Part, Visit, Walk};
pub use decoder::{Decoder, Strictness, Warning};
pub use encode::text_bytes;
pub use encoder::{Encoder, ObjectForm};
pub use keep::is_of as is_element_of;
pub use read::Values;
pub(crate) use recovered::Salvaged;
pub use recovered::{Damage, Lost, Recovered};
pub use round_trip::{Canonicality, Rewriting, RoundTrip};
pub use stream::{from_reader, to_writer};
pub use warnings::WarningCounts;

#[cfg(feature = "serde")]
pub(crate) use self::{
    decode::{Begin, Event, Held, Leaf, RawNumber, RawNumbers, Reader},
    encode::{Count, Writing, append_in, exactly, key_packet},
    read::no_more,
    stream::read_all,
};

use crate::Variant;
use crate::dialect::Dialect;
use formwork::Result;

/// The value that `bytes` is, whole.
///
/// At the engine's strictness and with the default limits; objects in full form are refused, as the
/// engines do. See [`Decoder`] for everything else.
///
/// ```
/// use formwork_variant::{Dialect, from_slice};
///
/// let bytes = [4, 0, 0, 0, 3, 0, 0, 0, b'a', b's', b'd', 0];
/// let value = from_slice(&bytes, Dialect::GODOT3)?;
/// assert_eq!(value.as_str(), Some("asd"));
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the bytes are not one value of the dialect, or more than one.
pub fn from_slice(bytes: &[u8], dialect: Dialect) -> Result<Variant> {
    Decoder::new(dialect).decode(bytes)
}

/// The packet of a value, as the dialect's engine would write it.
///
/// ```
/// use formwork_variant::{Dialect, to_vec};
///
/// assert_eq!(to_vec(&"asd".into(), Dialect::GODOT4)?, [4, 0, 0, 0, 3, 0, 0, 0, 97, 115, 100, 0]);
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the dialect cannot express the value.
pub fn to_vec(value: &Variant, dialect: Dialect) -> Result<Vec<u8>> {
    Encoder::new(dialect).encode(value)
}
