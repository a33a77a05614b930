//! Compares bytes with the engine's output for the same value.

use super::decode;
use super::warnings::Notes;
use super::{Decoder, Encoder, Warning, WarningCounts};
use crate::{Real, Variant};
use formwork::{Error, Result};

/// The result of [`Decoder::check`] for a packet that the engine accepts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RoundTrip<R: Real = f32> {
    /// The value.
    pub value: Variant<R>,
    /// The size of the value in bytes.
    pub length: usize,
    /// The first 10,000 places that the engine accepts but would not write.
    pub notes: Vec<Warning>,
    /// How many such places there are, by rule.
    pub counts: WarningCounts,
    /// The result of writing the value again.
    pub rewritten: Rewriting,
    /// The form of the bytes, as the overall result.
    pub form: Canonicality,
}

/// The result of writing a value again.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rewriting {
    /// No byte differs.
    Same,
    /// Other bytes.
    Different {
        /// The offset of the first difference.
        offset: usize,
        /// The new number of bytes.
        length: usize,
    },
    /// The dialect cannot write the value it read.
    Not(Error),
}

/// The relation of bytes to the engine's output for the same value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Canonicality {
    /// They are the same.
    Canonical,
    /// They are the same except for padding that the engine's writer leaves uninitialised.
    UnsetPadding,
    /// The engine accepts them, but would not write them.
    NotCanonical,
}

impl<R: Real> Decoder<R> {
    /// Reads the value that `bytes` starts with, and compares the bytes with the engine's output for it.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` does not start with a value.
    pub fn check(&self, bytes: &[u8]) -> Result<RoundTrip<R>> {
        let (mut notes, mut counts) = (Vec::new(), WarningCounts::default());
        let noted = Notes::first(&mut notes, &mut counts, bytes.len());
        let (value, length) = decode::read(self, bytes, Some(noted))?;
        let encoder = Encoder::new(self.dialect).in_precision().limits(self.limits);
        let rewritten = match encoder.encode(&value) {
            Ok(again) => compare(&bytes[..length], &again),
            Err(error) => Rewriting::Not(error),
        };
        let form = match &rewritten {
            Rewriting::Same if notes.is_empty() => Canonicality::Canonical,
            Rewriting::Different { length: now, .. }
                if *now == length && !notes.is_empty() && counts.only_padding_as_left() =>
            {
                Canonicality::UnsetPadding
            }
            _ => Canonicality::NotCanonical,
        };
        Ok(RoundTrip { value, length, notes, counts, rewritten, form })
    }
}

fn compare(bytes: &[u8], again: &[u8]) -> Rewriting {
    if bytes == again {
        return Rewriting::Same;
    }
    let same = bytes.iter().zip(again).take_while(|(a, b)| a == b).count();
    Rewriting::Different { offset: same, length: again.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;
    use crate::codec::rule;

    fn form(bytes: &[u8], dialect: Dialect) -> Canonicality {
        Decoder::new(dialect).check(bytes).expect("a value").form
    }

    #[test]
    fn padding_is_excused_where_the_engine_leaves_it_unset() {
        // The String "asdf!" and the NodePath "a", with padding that is not zero.
        let string = b"\x04\0\0\0\x05\0\0\0asdf!\0\0\x07";
        let path = b"\x0f\0\0\0\x01\0\0\x80\0\0\0\0\0\0\0\0\x01\0\0\0a\0\0\x07";
        assert_eq!(form(string, Dialect::GODOT2), Canonicality::UnsetPadding);
        assert_eq!(form(string, Dialect::GODOT3), Canonicality::NotCanonical);
        assert_eq!(form(path, Dialect::GODOT3), Canonicality::UnsetPadding);
        let mut zeros = *string;
        zeros[15] = 0;
        assert_eq!(form(&zeros, Dialect::GODOT3), Canonicality::Canonical);
    }

    #[test]
    fn what_is_not_written_again_deviates() {
        // A bool of 7.
        let check = Decoder::new(Dialect::GODOT4).check(&[1, 0, 0, 0, 7, 0, 0, 0]);
        let check = check.expect("a value");
        assert_eq!(check.form, Canonicality::NotCanonical);
        assert_eq!(check.rewritten, Rewriting::Different { offset: 4, length: 8 });
        assert_eq!(check.notes[0].rule, rule::BOOL_VALUE);
    }
}
