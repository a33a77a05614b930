//! Writes values: the methods of an [`Encoder`].

use super::encode;
use super::encoder::Encoder;
use crate::{Real, Variant};
use formwork::Result;

impl<R: Real> Encoder<R> {
    /// Returns the value's packet. A reader at canonical strictness that allows objects gives the very
    /// same value back, with these exceptions:
    ///
    /// - Most engines write a null object as a plain null, and read it as that; where both are keys of one
    ///   dictionary, only the last of the two pairs is read.
    /// - What [`rounding`](Self::rounding) and [`objects`](Self::objects) change.
    /// - Two numbers that engines keep although no type has them, those of
    ///   [`InputEventKind::Other`](crate::InputEventKind::Other) and
    ///   [`ElementType::Unknown`](crate::ElementType::Unknown): only the engine's strictness reads
    ///   them.
    ///
    /// # Errors
    ///
    /// Returns an error if the dialect cannot express the value: an unknown type, a number out of range, a string it
    /// cannot hold, a value nested deeper than its engine reads, elements that are not of the declared type, keys
    /// that are the same to the engine.
    pub fn encode(&self, value: &Variant<R>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.encode_into(value, &mut out)?;
        Ok(out)
    }

    /// Appends the value's packet to `out`, which is left unchanged on an error.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`].
    pub fn encode_into(&self, value: &Variant<R>, out: &mut Vec<u8>) -> Result<()> {
        encode::write(self, value, out)
    }
}
