//! Packets that break rules: one that engines hold (near-valid), one that only the canonical strictness holds (edge), or
//! many at once (hostile).
//!
//! A value is made and written, and the [tree](crate::tree) of the packet is changed once. Our own readers say which rule
//! that breaks, and where. It is held against real engines in `tests/engines`.

mod hostile;
mod shape;
#[cfg(test)]
mod tests;

use arbitrary::{Result, Unstructured};

pub(crate) use hostile::hostile;

use formwork_alb1::{FieldType, Reader};
use formwork_records::generate::choice::chance;
use formwork_variant::codec::{Decoder, Encoder, Strictness};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::generate::{Config, variant, variant_of};
use formwork_variant::{Real, Variant, VariantType};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::made::Made;
use super::packets::verdicts;
use super::{Broken, Reading, alb1};
use crate::Format;
use crate::tree::{Tree, mutate};

/// A packet or file with one change, which breaks a rule that the engine holds.
///
/// The limits of `config` hold for the value before the change. A packet that breaks the rule of depth alone is as deep
/// as it takes.
///
/// [`None`] where no change that was tried breaks a rule.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub(crate) fn near_valid(
    u: &mut Unstructured<'_>,
    reading: &Reading,
    config: &Config,
) -> Result<Option<Made>> {
    Maker::new(reading, config, Strictness::Engine).breach(u)
}

/// A packet that the engine accepts, though it would not write it, or does so seldom; a file of ALB1 that is read, with one
/// change.
///
/// If only the canonical strictness refuses it, [`Made::broken`] has the rule, and [`Made::pair`] has the packet that
/// the engine would write for the same value, if there is one. The limits of `config` apply as in [`near_valid`];
/// values at the depth limit are as deep as required.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub(crate) fn edge(
    u: &mut Unstructured<'_>,
    reading: &Reading,
    config: &Config,
) -> Result<Option<Made>> {
    let maker = Maker::new(reading, config, Strictness::Canonical);
    let Some(dialect) = reading.format.dialect() else {
        return if chance(u, 3)? { maker.deep(u, Reader::DEPTH - 1) } else { maker.breach(u) };
    };
    if chance(u, 85)? {
        return maker.breach(u);
    }
    let (bytes, subject) = if chance(u, 5)? {
        (Some(shape::deepest(u, dialect)?), dialect.type_name(VariantType::Array))
    } else {
        match dialect.precision() {
            Precision::Single => written(&shape::odd::<f32>(u, dialect, &maker.config)?, dialect),
            Precision::Double => written(&shape::odd::<f64>(u, dialect, &maker.config)?, dialect),
        }
    };
    Ok(bytes.map(|bytes| Made { bytes, subject, broken: None, pair: None }))
}

/// Returns the packet of a value, and the name of its type.
fn written<R: Real>(value: &Variant<R>, dialect: Dialect) -> (Option<Vec<u8>>, &'static str) {
    // What the generator makes can be written.
    let bytes = Encoder::new(dialect).in_precision().encode(value).ok();
    (bytes, dialect.type_name(value.variant_type()))
}

/// The settings for which packets are made.
struct Maker<'r> {
    reading: &'r Reading,
    config: Config,
    strictness: Strictness,
}

/// Values that are made, at most, and changes that are tried of each.
const VALUES: usize = 4;
const TRIES: usize = 12;

/// Bytes of the seed that choose the changes.
const CHOICES: usize = 512;

impl<'r> Maker<'r> {
    fn new(reading: &'r Reading, config: &Config, strictness: Strictness) -> Self {
        let objects = config.objects && reading.allow_objects;
        Self { reading, config: Config { objects, ..config.clone() }, strictness }
    }

    /// A packet or file with one change that breaks a rule.
    fn breach(&self, u: &mut Unstructured<'_>) -> Result<Option<Made>> {
        let choices = &choices(u)?;
        let choices = &mut Unstructured::new(choices);
        // It takes a thousand containers.
        if self.strictness == Strictness::Engine && choices.ratio(1, 48)? {
            return match self.reading.format {
                Format::Variant(dialect) => self.too_deep(u, choices, dialect),
                Format::Alb1 => self.deep(choices, Reader::DEPTH),
            };
        }
        for _ in 0..VALUES {
            let Some(bytes) = self.valid(u, choices)? else { continue };
            let tree = Tree::of_vec(bytes, self.reading.format);
            // The last rule that is found is mostly one that few changes break.
            let mut found: Option<(Vec<u8>, Option<Broken>)> = None;
            for _ in 0..TRIES {
                let Some((_, bytes)) = tree.mutated(choices, &[])? else { continue };
                let Some(broken) = self.broken(&bytes) else { continue };
                let rule = |broken: &Option<Broken>| broken.map(|broken| broken.rule);
                if found.as_ref().is_none_or(|(_, old)| rule(old) != rule(&broken)) {
                    found = Some((bytes, broken));
                }
            }
            if let Some((bytes, broken)) = found {
                let subject = changed(&tree, &bytes);
                let pair = self.pair(&bytes);
                return Ok(Some(Made { bytes, subject, broken, pair }));
            }
        }
        Ok(None)
    }

    /// A packet or file that was changed a few times.
    fn damaged(&self, u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let choices = &choices(u)?;
        let choices = &mut Unstructured::new(choices);
        let bytes = self.valid(u, choices)?.unwrap_or_default();
        let mut tree = Tree::of_vec(bytes, self.reading.format);
        for _ in 0..choices.int_in_range(1..=8_u8)? {
            mutate(&mut tree, choices, &[])?;
        }
        Ok(tree.into_bytes())
    }

    /// A packet or file to change.
    fn valid(
        &self,
        u: &mut Unstructured<'_>,
        choices: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(dialect) = self.reading.format.dialect() else {
            return alb1::valid(u, &self.config).map(|made| Some(made.bytes));
        };
        match dialect.precision() {
            Precision::Single => self.packet::<f32>(u, choices, dialect),
            Precision::Double => self.packet::<f64>(u, choices, dialect),
        }
    }

    /// A packet of any value, or of a value of one type, as often as any.
    fn packet<R: Real>(
        &self,
        u: &mut Unstructured<'_>,
        choices: &mut Unstructured<'_>,
        dialect: Dialect,
    ) -> Result<Option<Vec<u8>>> {
        let types = dialect.rows().iter().map(|row| row.variant_type);
        let types: Vec<_> = types.filter(|one| self.config.types.contains(*one)).collect();
        let value = if types.is_empty() || choices.arbitrary()? {
            variant::<R>(u, dialect, &self.config)?
        } else {
            variant_of::<R>(u, *choices.choose(&types)?, dialect, &self.config)?
        };
        Ok(written(&value, dialect).0)
    }

    /// A value in one container more than the engine reads.
    fn too_deep(
        &self,
        u: &mut Unstructured<'_>,
        choices: &mut Unstructured<'_>,
        dialect: Dialect,
    ) -> Result<Option<Made>> {
        let Some(limit) = dialect.quirks().depth else { return Ok(None) };
        let mut bytes = shape::levels(choices, dialect, limit as usize + 1)?;
        bytes.extend(self.valid(u, choices)?.unwrap_or_default());
        let subject = dialect.type_name(VariantType::Array);
        let broken = self.broken(&bytes);
        Ok(broken.map(|broken| Made { bytes, subject, broken, pair: None }))
    }

    /// A file with a value in so many others.
    fn deep(&self, u: &mut Unstructured<'_>, layers: u32) -> Result<Option<Made>> {
        let bytes = alb1::deep(u, layers)?;
        let subject = FieldType::Object.variant();
        let broken = self.broken(&bytes);
        Ok(broken.map(|broken| Made { bytes, subject, broken, pair: None }))
    }

    /// Returns the rule that is broken in the strictness; [`None`] where the bytes are no such case. A file of ALB1 that is
    /// read need not break one.
    fn broken(&self, bytes: &[u8]) -> Option<Option<Broken>> {
        let [engine, canonical] = verdicts(bytes, self.reading);
        let is_odd = canonical.is_some() || self.reading.format == Format::Alb1;
        match self.strictness {
            Strictness::Engine => engine.map(Some),
            // An engine reads it.
            Strictness::Canonical => (engine.is_none() && is_odd).then_some(canonical),
        }
    }

    /// Returns the packet that the engine writes for the value of one that it reads.
    fn pair(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let dialect = self.reading.format.dialect()?;
        let decoder = Decoder::new(dialect).allow_objects(self.reading.allow_objects);
        match dialect.precision() {
            Precision::Single => pair(decoder.in_precision::<f32>(), bytes),
            Precision::Double => pair(decoder.in_precision::<f64>(), bytes),
        }
    }
}

/// Bytes that choose changes: the value takes what it gets of the seed.
fn choices(u: &mut Unstructured<'_>) -> Result<[u8; CHOICES]> {
    let mut choices = [0; CHOICES];
    Xoshiro256PlusPlus::seed_from_u64(u.arbitrary()?).fill_bytes(&mut choices);
    Ok(choices)
}

fn pair<R: Real>(decoder: Decoder<R>, bytes: &[u8]) -> Option<Vec<u8>> {
    let (value, _) = decoder.decode_prefix(bytes).ok()?;
    let pair = written(&value, decoder.dialect()).0?;
    let again = decoder.strictness(Strictness::Canonical).decode(&pair).ok()?;
    again.is_identical(&value).then_some(pair)
}

/// Returns the type of the innermost value in which the bytes differ first from those of the tree.
fn changed(tree: &Tree, bytes: &[u8]) -> &'static str {
    let old = tree.as_bytes();
    let at = old.iter().zip(bytes).position(|(old, new)| old != new);
    let at = at.unwrap_or(bytes.len().min(old.len().saturating_sub(1)));
    tree.type_at(at).unwrap_or("Document")
}

/// The bytes of words.
fn words<const N: usize>(words: [u32; N]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
