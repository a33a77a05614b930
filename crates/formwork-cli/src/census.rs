//! Counts of the values in an input; of a damaged input, the readable part is counted.

use std::collections::BTreeMap;

use formwork_godot::inspect::{Inspector, Kind, SpanType};
use formwork_variant::codec::WarningCounts;
use formwork_variant::codec::events::Event;
use formwork_variant::{Error, Strictness};
use formwork_variant::{Real, VariantType};

use super::format::by_precision;
use super::framing::FramingName;
use super::packets::Input;

/// The counts of an input.
#[derive(Debug, Default)]
pub(crate) struct Census {
    /// Number of outermost values.
    pub(crate) values: u64,
    /// Number of values of each type, with the inner ones.
    pub(crate) types: BTreeMap<&'static str, u64>,
    /// Number of settings, where the input is a settings file: together they are one value.
    pub(crate) settings: Option<u64>,
    /// The types of the first few outermost values.
    pub(crate) outermost: Vec<&'static str>,
    /// Number of containers around the innermost value.
    pub(crate) deepest: usize,
    /// The faults of the input.
    pub(crate) faults: Vec<Error>,
    /// Number of bytes that were not read because of the faults.
    pub(crate) unread: u64,
    /// Whether every byte is known to be as the engine writes it. If false, this was not checked.
    pub(crate) is_canonical: bool,
}

impl Census {
    /// Counts the values of an input.
    pub(crate) fn of(input: &Input) -> Self {
        // The precision of the values also decides whether they are as the engine writes them.
        let sound = by_precision!(input.dialect, R => Self::of_sound::<R>(input));
        sound.unwrap_or_else(|| Self::as_far_as_read(input))
    }

    /// Counts an input without faults and without bytes that are not read. Returns none for others.
    fn of_sound<R: Real>(input: &Input) -> Option<Self> {
        // The bytes between and after settings are counted by the inspector.
        if input.framing == FramingName::Settings {
            return None;
        }
        let mut census = Self { is_canonical: true, ..Self::default() };
        let mut counts = [0_u64; VariantType::ALL.len()];
        let decoder = input.decoder::<R>(Strictness::Engine);
        let read = input.packets(|packet, _| {
            let mut warnings = WarningCounts::default();
            let mut walk = decoder.walk_counting_warnings(packet, &mut warnings);
            let mut is_plain = true;
            for visit in walk.by_ref() {
                let visit = visit?;
                if visit.event == Event::End {
                    continue;
                }
                let variant_type = visit.variant_type;
                // A value before these types may give the type of their elements.
                is_plain &= !matches!(
                    variant_type,
                    VariantType::TypedArray | VariantType::PackedTypedArray
                );
                counts[variant_type as usize] += 1;
                census.deepest = census.deepest.max(visit.depth);
                if visit.depth == 0 {
                    census.add_outermost(input.dialect.type_name(variant_type));
                }
            }
            let length = walk.offset();
            let is_filled = input.framing == FramingName::Bare || length == packet.len();
            // Warnings are checked one by one where they count.
            if is_plain && is_filled {
                census.is_canonical &= warnings.is_empty();
                return Ok(length);
            }
            // The error itself is not used: the inspector reports the faults.
            Err(Error::io(0, std::io::ErrorKind::InvalidData.into()))
        });
        read.ok()?;
        for (variant_type, count) in VariantType::ALL.iter().zip(counts) {
            if count > 0 {
                *census.types.entry(input.dialect.type_name(*variant_type)).or_default() += count;
            }
        }
        Some(census)
    }

    /// Counts an outermost value.
    fn add_outermost(&mut self, name: &'static str) {
        /// Number of types that are listed, more than enough to describe a file.
        const LISTED: usize = 16;
        self.values += 1;
        if self.outermost.len() < LISTED {
            self.outermost.push(name);
        }
    }

    /// Counts the readable values, and the unread bytes.
    fn as_far_as_read(input: &Input) -> Self {
        let mut census = Self::default();
        let mut around: Vec<u32> = Vec::new();
        let inspector = Inspector::new(input.source.bytes_to_end(), input.dialect)
            .behind(input.source.skipped());
        for item in inspector.framing(input.framing.framing()) {
            let span = match item {
                Ok(span) => span,
                Err(fault) => {
                    census.faults.push(fault);
                    continue;
                }
            };
            while around.last().is_some_and(|depth| *depth >= span.depth) {
                around.pop();
            }
            match (span.kind, span.layout) {
                (Kind::Rest, _) => census.unread += span.length.unwrap_or_default(),
                (_, SpanType::Packet(name)) => {
                    *census.types.entry(name).or_default() += 1;
                    census.deepest = census.deepest.max(around.len());
                    if around.is_empty() {
                        census.add_outermost(name);
                    }
                    around.push(span.depth);
                }
                _ => {}
            }
        }
        if input.framing == FramingName::Settings {
            census.settings = Some(std::mem::replace(&mut census.values, 1));
            census.outermost = vec!["Dictionary"];
        }
        census
    }

    /// Returns the types, the most frequent first.
    pub(crate) fn by_count(&self) -> Vec<(&'static str, u64)> {
        let mut types: Vec<_> = self.types.iter().map(|(&name, &count)| (name, count)).collect();
        types.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        types
    }
}
