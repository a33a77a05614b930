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

use formwork_records::generate::choice::chance;
use formwork_variant::codec::{Decoder, Encoder, Strictness};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::generate::{Config, variant, variant_of};
use formwork_variant::{Real, Variant, VariantType};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::made::Made;
use super::packets::verdicts;
use super::{Broken, Reading};
use crate::Format;
use crate::tree::{Node, Tree};

/// A packet with one change, which breaks a rule that the engine holds.
///
/// The limits of `config` hold for the value before the change. A packet that breaks the rule of depth alone is as deep
/// as it takes.
///
/// [`None`] where the format has no Variant packets, or the seed makes no value that can be broken.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub(crate) fn near_valid(
    u: &mut Unstructured<'_>,
    reading: &Reading,
    config: &Config,
) -> Result<Option<Made>> {
    let Some(dialect) = reading.format.dialect() else { return Ok(None) };
    let maker = Maker::new(dialect, reading.allow_objects, config, Strictness::Engine);
    match dialect.precision() {
        Precision::Single => maker.breach::<f32>(u),
        Precision::Double => maker.breach::<f64>(u),
    }
}

/// A packet that the engine accepts, though it would not write it, or does so seldom.
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
    let Some(dialect) = reading.format.dialect() else { return Ok(None) };
    let maker = Maker::new(dialect, reading.allow_objects, config, Strictness::Canonical);
    match dialect.precision() {
        Precision::Single => maker.edge::<f32>(u),
        Precision::Double => maker.edge::<f64>(u),
    }
}

/// The settings for which packets are made.
struct Maker {
    dialect: Dialect,
    objects: bool,
    config: Config,
    strictness: Strictness,
}

/// Values that are made, at most, and changes that are tried of each.
const VALUES: usize = 4;
const TRIES: usize = 12;

/// Bytes of the seed that choose the changes.
const CHOICES: usize = 512;

impl Maker {
    fn new(dialect: Dialect, objects: bool, config: &Config, strictness: Strictness) -> Self {
        let config = Config { objects: config.objects && objects, ..config.clone() };
        Self { dialect, objects, config, strictness }
    }

    fn edge<R: Real>(&self, u: &mut Unstructured<'_>) -> Result<Option<Made>> {
        if chance(u, 85)? {
            return self.breach::<R>(u);
        }
        let (bytes, name) = if chance(u, 5)? {
            let array = self.dialect.type_name(VariantType::Array);
            (shape::deepest(u, self.dialect)?, array)
        } else {
            let value = shape::odd::<R>(u, self.dialect, &self.config)?;
            let Some(bytes) = self.written(&value) else { return Ok(None) };
            (bytes, self.dialect.type_name(value.variant_type()))
        };
        Ok(Some(Made { bytes, subject: name, broken: None, pair: None }))
    }

    fn written<R: Real>(&self, value: &Variant<R>) -> Option<Vec<u8>> {
        // What the generator makes can be written.
        Encoder::new(self.dialect).in_precision().encode(value).ok()
    }

    /// A packet with one change that breaks a rule.
    fn breach<R: Real>(&self, u: &mut Unstructured<'_>) -> Result<Option<Made>> {
        let mut choices = [0; CHOICES];
        Xoshiro256PlusPlus::seed_from_u64(u.arbitrary()?).fill_bytes(&mut choices);
        let choices = &mut Unstructured::new(&choices);
        // It takes a thousand containers.
        if self.strictness == Strictness::Engine && choices.ratio(1, 48)? {
            return self.too_deep::<R>(u, choices);
        }
        for _ in 0..VALUES {
            let Some(bytes) = self.written(&self.value::<R>(u, choices)?) else { continue };
            let tree = Tree::of_vec(bytes, Format::Variant(self.dialect));
            // The last rule that is found is mostly one that few changes break.
            let mut found: Option<(Vec<u8>, Broken)> = None;
            for _ in 0..TRIES {
                let Some((_, bytes)) = tree.mutated(choices, &[])? else { continue };
                let broken = self.broken::<R>(&bytes);
                let is_new =
                    |it: &Broken| found.as_ref().is_none_or(|(_, old)| old.rule != it.rule);
                if let Some(broken) = broken.filter(is_new) {
                    found = Some((bytes, broken));
                }
            }
            if let Some((bytes, broken)) = found {
                let subject = changed(&tree, &bytes);
                let pair = self.pair::<R>(&bytes);
                return Ok(Some(Made { bytes, subject, broken: Some(broken), pair }));
            }
        }
        Ok(None)
    }

    /// A value to change: of one type, as often as any.
    fn value<R: Real>(
        &self,
        u: &mut Unstructured<'_>,
        choices: &mut Unstructured<'_>,
    ) -> Result<Variant<R>> {
        let types = self.dialect.rows().iter().map(|row| row.variant_type);
        let types: Vec<_> = types.filter(|one| self.config.types.contains(*one)).collect();
        if types.is_empty() || choices.arbitrary()? {
            return variant(u, self.dialect, &self.config);
        }
        variant_of(u, *choices.choose(&types)?, self.dialect, &self.config)
    }

    /// A value in one container more than the engine reads.
    fn too_deep<R: Real>(
        &self,
        u: &mut Unstructured<'_>,
        choices: &mut Unstructured<'_>,
    ) -> Result<Option<Made>> {
        let Some(limit) = self.dialect.quirks().depth else { return Ok(None) };
        let mut bytes = shape::levels(choices, self.dialect, limit as usize + 1)?;
        bytes.extend(self.written(&self.value::<R>(u, choices)?).unwrap_or_default());
        let broken = self.broken::<R>(&bytes);
        let subject = self.dialect.type_name(VariantType::Array);
        Ok(broken.map(|broken| Made { bytes, subject, broken: Some(broken), pair: None }))
    }

    /// Returns the rule that a packet breaks in the strictness.
    fn broken<R: Real>(&self, bytes: &[u8]) -> Option<Broken> {
        let [engine, canonical] = verdicts::<R>(bytes, self.dialect, self.objects);
        match self.strictness {
            Strictness::Engine => engine,
            // An engine reads it.
            Strictness::Canonical => canonical.filter(|_| engine.is_none()),
        }
    }

    /// Returns the packet that the engine writes for the value of one that it reads.
    fn pair<R: Real>(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let decoder = Decoder::new(self.dialect).in_precision::<R>().allow_objects(self.objects);
        let (value, _) = decoder.decode_prefix(bytes).ok()?;
        let pair = self.written(&value)?;
        let again = decoder.strictness(Strictness::Canonical).decode(&pair).ok()?;
        again.is_identical(&value).then_some(pair)
    }
}

/// Returns the type of the innermost packet in which the bytes differ first from those of the tree.
fn changed(tree: &Tree, bytes: &[u8]) -> &'static str {
    let old = tree.as_bytes();
    let at = old.iter().zip(bytes).position(|(old, new)| old != new);
    let at = at.unwrap_or(bytes.len().min(old.len().saturating_sub(1)));
    let packet = |node: &Node| node.packet_name().filter(|_| node.range().contains(&at));
    tree.nodes.iter().rev().find_map(packet).unwrap_or_default()
}

/// The bytes of words.
fn words<const N: usize>(words: [u32; N]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
