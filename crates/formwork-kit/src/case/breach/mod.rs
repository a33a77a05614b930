//! Packets that break rules: exactly one that engines hold (near-valid), one that only the canonical
//! strictness holds (edge), or many at once (hostile).
//!
//! A value is made and written, the packet is [taken apart](map), and one row of the
//! [table](table::BREACHES) edits a node of its tree. Each row knows which rule it breaks; our own
//! reader says where, and packets of which it says something else are not used. It is held against real engines in
//! `tests/engines`.

mod accepted;
mod hostile;
mod map;
mod mutation;
mod refused;
mod shape;
mod table;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};

pub(crate) use hostile::hostile;

use formwork_records::generate::choice::chance;
use formwork_variant::Rule;
use formwork_variant::codec::{self, Encoder, Strictness};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::generate::{Config, Types};
use formwork_variant::{Real, Variant, VariantType};

use self::map::{Kind, Map, Point};
use self::mutation::Mutation;
use self::table::{BREACHES, Breach};
use super::Reading;
use super::made::Made;
use super::packets::verdicts;
use crate::tree::Edit;

/// A packet that breaks exactly one rule that the engine holds; all else in it agrees.
///
/// The limits of `config` hold for the value that is broken. A packet that breaks the rule of depth
/// alone is as deep as it takes.
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
    /// The types of the dialect that may come up.
    types: Types,
    strictness: Strictness,
}

/// Values that are made for a breach, at most, before another breach is tried; and how many of those.
const VALUES: usize = 4;
const TRIES: usize = 4;

/// Bytes of the seed that choose the breach and how it is done.
const CHOICES: usize = 96;

impl Maker {
    fn new(dialect: Dialect, objects: bool, config: &Config, strictness: Strictness) -> Self {
        let config = Config { objects: config.objects && objects, ..config.clone() };
        let types = dialect.rows().iter().map(|row| row.variant_type);
        let types = types.filter(|one| config.types.contains(*one)).collect();
        Self { dialect, objects, config, types, strictness }
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

    /// A packet with one breach.
    fn breach<R: Real>(&self, u: &mut Unstructured<'_>) -> Result<Option<Made>> {
        let breaches: Vec<&Breach> = BREACHES.iter().filter(|it| self.applies(it)).collect();
        // Chosen first, as the value takes what it gets.
        let mut choices = [0; CHOICES];
        u.fill_buffer(&mut choices)?;
        let mut choices = Unstructured::new(&choices);
        for _ in 0..TRIES {
            let breach = *choices.choose(&breaches)?;
            // It takes a thousand containers.
            if breach.rule == Rule::DEPTH_LIMIT && !choices.ratio(1, 4)? {
                continue;
            }
            if let Some(made) = self.attempt::<R>(u, &mut choices, breach)? {
                return Ok(Some(made));
            }
        }
        // What can be done in every packet, a null among them.
        for breach in breaches.into_iter().filter(|breach| every_type(breach)) {
            if let Some(made) = self.attempt::<R>(u, &mut choices, breach)? {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    /// Makes values until one lends itself to the breach.
    fn attempt<R: Real>(
        &self,
        u: &mut Unstructured<'_>,
        choices: &mut Unstructured<'_>,
        breach: &Breach,
    ) -> Result<Option<Made>> {
        let types: Vec<VariantType> = self.types(breach).collect();
        for _ in 0..VALUES {
            let value = shape::value::<R>(u, self.dialect, &self.config, &types)?;
            let Some(bytes) = self.written(&value) else { continue };
            if let Some(made) = self.apply::<R>(choices, breach, bytes)? {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    /// Whether there are packets in which the breach can be done.
    fn applies(&self, breach: &Breach) -> bool {
        breach.strictness == self.strictness
            && (breach.when)(self.dialect.quirks(), self.objects)
            && (every_type(breach) || self.types(breach).next().is_some())
    }

    /// The types in whose packets the breach can be done, as far as they may come up; none where that
    /// are all.
    fn types(&self, breach: &Breach) -> impl Iterator<Item = VariantType> {
        let points = if every_type(breach) { &[] } else { breach.points };
        let types = points.iter().flat_map(|kind| types_of(breach.rule, *kind)).copied();
        types.filter(|one| self.types.contains(*one))
    }

    /// Does the breach at some point of the packet that lends itself to it.
    fn apply<R: Real>(
        &self,
        choices: &mut Unstructured<'_>,
        breach: &Breach,
        bytes: Vec<u8>,
    ) -> Result<Option<Made>> {
        let map = Map::of(bytes, self.dialect);
        let is_one = |point: &&Point| breach.points.contains(&point.kind);
        let count = map.points.iter().filter(is_one).count();
        if count == 0 {
            return Ok(None);
        }
        let first = choices.choose_index(count)?;
        let points = map.points.iter().filter(is_one).cycle();
        for &point in points.skip(first).take(count.min(POINTS)) {
            let Some(mut mutation) = Mutation::at(point, &map, choices, self) else { continue };
            if !(breach.change)(&mut mutation)? {
                continue;
            }
            let (bytes, pair) = (mutation.edit.finish(), mutation.pair.map(Edit::finish));
            let [engine, canonical] = verdicts::<R>(&bytes, self.dialect, self.objects);
            let broken = match self.strictness {
                Strictness::Engine => engine,
                // An engine reads it.
                Strictness::Canonical => canonical.filter(|_| engine.is_none()),
            };
            if broken.is_some_and(|broken| broken.rule == breach.rule) {
                let subject = map.name_of(point.packet);
                return Ok(Some(Made { bytes, subject, broken, pair }));
            }
        }
        Ok(None)
    }
}

/// Points of a packet at which a breach is tried.
const POINTS: usize = 64;

/// Whether a breach can be done in packets of every type.
fn every_type(breach: &Breach) -> bool {
    breach.points.contains(&Kind::Header) && types_of(breach.rule, Kind::Header).is_empty()
}

/// The types whose packets have points of this kind at which the rule can be broken; none where that
/// are all.
fn types_of(rule: Rule, kind: Kind) -> &'static [VariantType] {
    use VariantType as T;
    /// The packed arrays, the types that consist of numbers only, and the types with two precisions.
    static PACKED: LazyLock<Vec<T>> = LazyLock::new(|| types_that(is_packed));
    static PACKED_REAL: LazyLock<Vec<T>> =
        LazyLock::new(|| types_that(|one| one.is_real() && is_packed(one)));
    static REAL: LazyLock<Vec<T>> =
        LazyLock::new(|| types_that(|one| one.is_real() && !is_packed(one)));
    match (kind, rule) {
        (Kind::Header, codec::rule::BOOL_VALUE) => &[T::Bool],
        (Kind::Header, codec::rule::INT_WIDTH) => &[T::Int],
        (Kind::Header, codec::rule::FLOAT_WIDTH | codec::rule::FLOAT_NAN) => &[T::Float],
        (Kind::Header, codec::rule::OBJECT_FORM) => &[T::Nil, T::Object],
        (Kind::Header, codec::rule::REAL_PRECISION) => &REAL,
        (Kind::Packed, codec::rule::REAL_PRECISION) => &PACKED_REAL,
        (Kind::Header, _) => &[],
        (Kind::Text, _) => &[T::String, T::StringName, T::Signal, T::Object],
        (Kind::PathText | Kind::Path, _) => &[T::NodePath],
        (Kind::Terminated | Kind::Strings, _) => &[T::PackedStringArray],
        (Kind::Bytes, _) => &[T::PackedByteArray],
        (Kind::Packed, _) => &PACKED,
        (Kind::Count, _) => &[T::Array, T::Dictionary, T::TypedArray, T::PackedTypedArray],
        (Kind::Properties, _) => &[T::Object],
        (Kind::ElementType | Kind::ElementName, _) => &[T::Array, T::Dictionary],
        (Kind::ElementWord | Kind::ClassHeader, _) => &[T::TypedArray, T::PackedTypedArray],
        (Kind::Image, _) => &[T::Image],
        (Kind::Event, _) => &[T::InputEvent],
    }
}

fn types_that(is_one: impl Fn(VariantType) -> bool) -> Vec<VariantType> {
    VariantType::ALL.iter().copied().filter(|one| is_one(*one)).collect()
}

/// Whether values of the type are packed arrays of numbers.
fn is_packed(variant_type: VariantType) -> bool {
    variant_type.numbers().is_some_and(|numbers| numbers.element.is_some())
}
