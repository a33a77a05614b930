//! Packets that grow: does the target's time grow no faster than they do?

use std::io;
use std::time::{Duration, Instant};

use crate::Format;
use formwork_alb1::{Document, Field, Object, Text, Value};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::{Dictionary, NodePath, Real, Variant, VariantString};
use formwork_variant::{Encoder, Limits};

use super::{Cut, Found, Running, is_late};
use crate::case::{Case, Profile};
use crate::oracle::finding::{Deviation, Kind};
use crate::oracle::outcome::Outcome;
use crate::oracle::protocol::Answer;

/// How much larger the larger packet is.
const FACTOR: u64 = 16;
/// Tolerated ratio of the CPU time of one large packet to that of [`FACTOR`] runs of the small one, which have as many
/// bytes together. Quadratic time would give [`FACTOR`]; linear time gave up to 4 on a busy machine, for data that no
/// cache held any more.
const TOLERATED: u32 = 8;
/// CPU time that is worth a finding.
const FLOOR: Duration = Duration::from_millis(60);
/// CPU time after which growing further would only cost time.
const ENOUGH: Duration = Duration::from_secs(2);
/// CPU time of the target that all this may take. (Not time by the clock: on a busy machine that would be over
/// before anything is measured.)
const LONGEST: Duration = Duration::from_secs(20);
/// Elements of the smallest packet, and of the largest.
const SIZES: (u64, u64) = (1 << 8, 1 << 18);
/// How much larger the next packet is while none takes long.
const STEP: u64 = 8;
/// The arrays in each other with which [`Shape::Depth`] begins.
const SHALLOWEST: u64 = 2;

/// The quantity that grows.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Keys,
    Numbers,
    Strings,
    Arrays,
    Depth,
    Text,
    Wide,
    Bytes,
    Integers,
    Texts,
    Names,
    Fields,
    Objects,
    Raw,
    Tags,
}

impl Shape {
    const VARIANT: &[Self] = &[
        Self::Keys,
        Self::Numbers,
        Self::Strings,
        Self::Arrays,
        Self::Depth,
        Self::Text,
        Self::Wide,
        Self::Bytes,
        Self::Integers,
        Self::Texts,
        Self::Names,
    ];
    const ALB1: &[Self] = &[
        Self::Fields,
        Self::Objects,
        Self::Strings,
        Self::Numbers,
        Self::Depth,
        Self::Raw,
        Self::Tags,
    ];

    /// Returns the name for reports.
    const fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys of a Dictionary",
            Self::Numbers => "numbers in an array",
            Self::Strings => "strings in an array",
            Self::Arrays => "arrays in an array",
            Self::Depth => "depth",
            Self::Text => "a long string",
            Self::Wide => "a long string that is not ASCII",
            Self::Bytes => "a packed array of bytes",
            Self::Integers => "a packed array of ints",
            Self::Texts => "a packed array of strings",
            Self::Names => "names of a NodePath",
            Self::Fields => "fields of an object",
            Self::Objects => "objects in an array",
            Self::Raw => "raw bytes",
            Self::Tags => "names in the tag table",
        }
    }

    /// Returns the packet with `size` elements; [`None`] if the format has no such value.
    fn packet(self, format: Format, size: u64) -> Option<Vec<u8>> {
        match format {
            Format::Variant(dialect) => match dialect.precision() {
                Precision::Single => self.value::<f32>(dialect, size),
                Precision::Double => self.value::<f64>(dialect, size),
            },
            Format::Alb1 => self.document(size)?.to_vec().ok(),
        }
    }

    fn value<R: Real>(self, dialect: Dialect, size: u64) -> Option<Vec<u8>> {
        let int = |number: u64| Variant::Int(number.cast_signed() & 0x7fff_ffff);
        let name = |number: u64| VariantString::from(format!("key{number}"));
        let array =
            |make: &dyn Fn(u64) -> Variant<R>| Variant::Array((0..size).map(make).collect());
        let value: Variant<R> = match self {
            Self::Keys => {
                let pair = |number| (Variant::String(name(number)), int(number));
                Variant::Dictionary(Dictionary::from((0..size).map(pair).collect::<Vec<_>>()))
            }
            Self::Numbers => array(&int),
            Self::Strings => array(&|number| Variant::String(name(number))),
            Self::Arrays => array(&|_| Variant::Array(Vec::new().into())),
            Self::Depth => {
                let deepest = dialect.quirks().depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
                if size >= u64::from(deepest) {
                    return None;
                }
                let wrap = |value, _| Variant::Array(vec![value].into());
                (0..size).fold(Variant::Nil, wrap)
            }
            Self::Text => Variant::String("a".repeat(usize::try_from(8 * size).ok()?).into()),
            Self::Wide => Variant::String("é".repeat(usize::try_from(4 * size).ok()?).into()),
            Self::Bytes => Variant::PackedByteArray(vec![7; usize::try_from(8 * size).ok()?]),
            Self::Integers => Variant::PackedInt32Array(vec![7; usize::try_from(2 * size).ok()?]),
            Self::Texts => Variant::PackedStringArray((0..size).map(name).collect()),
            Self::Names => {
                // A larger count is in no packet.
                if size > 0x7fff {
                    return None;
                }
                let names = (0..size).map(name).collect();
                Variant::NodePath(Box::new(NodePath { names, ..NodePath::default() }))
            }
            Self::Fields | Self::Objects | Self::Raw | Self::Tags => return None,
        };
        Encoder::new(dialect).in_precision().encode(&value).ok()
    }

    fn document(self, size: u64) -> Option<Document> {
        let mut document = Document::new("CLayer");
        let tag = document.tags.id("mname")?;
        let int = |number: u64| Field::new(tag, Value::SignedInt(number as i32));
        let text = |number: u64| Some(Field::new(tag, Text::new(&format!("name{number}"))?));
        let fields: Vec<Field> = match self {
            Self::Fields => (0..size).map(int).collect(),
            Self::Numbers => vec![Field::new(tag, Value::Array((0..size).map(int).collect()))],
            Self::Strings => {
                let elements = (0..size).map(text).collect::<Option<_>>()?;
                vec![Field::new(tag, Value::Array(elements))]
            }
            Self::Objects => {
                let class = document.root.class;
                let object = |number: u64| {
                    let (address, fields) = (0x2000_0000 + number as u32, vec![int(number)]);
                    Field::new(tag, Value::Object(Box::new(Object { class, address, fields })))
                };
                vec![Field::new(tag, Value::Array((0..size).map(object).collect()))]
            }
            Self::Depth => {
                if size >= 64 {
                    return None;
                }
                let wrap = |field, _| Field::new(tag, Value::Array(vec![field]));
                vec![(0..size).fold(int(7), wrap)]
            }
            Self::Raw => {
                let bytes = vec![7; usize::try_from(8 * size).ok()?];
                vec![Field::new(tag, Value::Raw(bytes.into()))]
            }
            Self::Tags => {
                if size > 0xf000 {
                    return None;
                }
                for number in 0..size {
                    document.tags.add(&format!("tag{number}"))?;
                }
                Vec::new()
            }
            _ => return None,
        };
        document.root.fields.extend(fields);
        Some(document)
    }
}

impl Running<'_, '_> {
    /// Measures how the target's time grows with each shape.
    pub(super) fn grow(&mut self) -> io::Result<()> {
        self.watch.grow(LONGEST)?;
        let format = self.campaign.judge.reading().format;
        let shapes = match format {
            Format::Variant(_) => Shape::VARIANT,
            Format::Alb1 => Shape::ALB1,
        };
        let patience = self.campaign.options.time.map(|time| (time / 4).min(LONGEST));
        let until = patience.map(|patience| Instant::now() + patience);
        self.trial_until = until.or(self.latest);
        let measured = self.measure_all(format, shapes);
        self.trial_until = self.latest;
        match measured {
            // A run that goes on begins with the shape that was not measured to the end.
            Err(error) if is_late(&error, until) => Ok(()),
            measured => measured,
        }
    }

    /// Measures the shapes that were not measured yet.
    fn measure_all(&mut self, format: Format, shapes: &[Shape]) -> io::Result<()> {
        let mut left = LONGEST;
        while let Some(&shape) = shapes.get(self.state.shapes) {
            if self.end().is_some() || left.is_zero() {
                return Ok(());
            }
            if let Some((packet, detail)) = self.measure(format, shape, &mut left)? {
                self.slow(packet, shape, detail)?;
            }
            self.state.shapes += 1;
        }
        self.state.grown = true;
        Ok(())
    }

    /// Returns the packet that takes the target far more time than a smaller one repeated to the same size, and the
    /// ratio. `left` is the CPU time that this and later measurements may take.
    fn measure(
        &mut self,
        format: Format,
        shape: Shape,
        left: &mut Duration,
    ) -> io::Result<Option<(Vec<u8>, String)>> {
        let (mut size, largest) = SIZES;
        if let Shape::Depth = shape {
            size = SHALLOWEST;
        }
        while size * FACTOR <= largest {
            let Some(large) = shape.packet(format, size * FACTOR) else { return Ok(None) };
            let Some(one) = self.trial()?.cpu_time(&large, 1)? else { return Ok(None) };
            *left = left.saturating_sub(one);
            if one >= FLOOR {
                let Some(small) = shape.packet(format, size) else { return Ok(None) };
                if let Some(detail) = self.compare(&small, &large, left)? {
                    return Ok(Some((large, detail)));
                }
            }
            if one > ENOUGH || left.is_zero() {
                return Ok(None);
            }
            // In small steps where a time in proportion to the square would soon be over the limit.
            size *= if one < FLOOR / 64 { STEP } else { 2 };
        }
        Ok(None)
    }

    /// Whether the larger packet takes more time than is tolerated, three times, so that what else the
    /// machine does is no matter; and what was measured.
    fn compare(
        &mut self,
        small: &[u8],
        large: &[u8],
        left: &mut Duration,
    ) -> io::Result<Option<String>> {
        let mut worst = (Duration::MAX, Duration::ZERO);
        for _ in 0..3 {
            let trial = self.trial()?;
            let (one, many) = (trial.cpu_time(large, 1)?, trial.cpu_time(small, FACTOR as usize)?);
            let (Some(one), Some(many)) = (one, many) else { return Ok(None) };
            *left = left.saturating_sub(one + many);
            if one < FLOOR || one <= many * TOLERATED {
                return Ok(None);
            }
            worst = (worst.0.min(one), worst.1.max(many));
        }
        Ok(Some(format!(
            "{} bytes take {} ms of CPU time; {FACTOR} times {} bytes take {} ms",
            large.len(),
            worst.0.as_millis(),
            small.len(),
            worst.1.as_millis(),
        )))
    }

    fn slow(&mut self, packet: Vec<u8>, shape: Shape, detail: String) -> io::Result<()> {
        let reference = self.campaign.judge.reference(&packet);
        let length = u32::try_from(packet.len()).ok();
        let case = Case {
            number: self.state.next,
            profile: Profile::Hostile,
            subject: shape.name(),
            bytes: packet.clone(),
            broken: None,
            pair: None,
        };
        let about = format!("time grows faster than {}", shape.name());
        let difference = Deviation::new(Kind::Slow, about, detail);
        let outcome = Outcome::Answered(Answer::Accepted { consumed: length, bytes: Vec::new() });
        let (before, pair, cut) = (Vec::new(), None, Cut::Nothing);
        self.add(&case, Found { difference, packet, before, pair, outcome, reference, cut })
            .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_variant::Decoder;

    #[test]
    fn every_shape_is_a_valid_packet() {
        for shape in Shape::VARIANT {
            for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::PANDEMONIUM, Dialect::GODOT4]
            {
                let packet = shape.packet(Format::Variant(dialect), 32).unwrap();
                Decoder::new(dialect).decode(&packet).unwrap();
            }
        }
        for shape in Shape::ALB1 {
            let packet = shape.packet(Format::Alb1, 32).unwrap();
            formwork_alb1::Reader::new().read(&packet).unwrap();
        }
    }

    /// Two packets of one size would be measured against each other, and say nothing.
    #[test]
    fn every_shape_grows_as_long_as_it_is_measured() {
        let formats =
            [(Format::Variant(Dialect::GODOT3), Shape::VARIANT), (Format::Alb1, Shape::ALB1)];
        for (format, shapes) in formats {
            for &shape in shapes {
                let first = if matches!(shape, Shape::Depth) { SHALLOWEST } else { SIZES.0 };
                let sizes = std::iter::successors(Some(first), |size| Some(size * FACTOR));
                let packets = sizes.take(2).map_while(|size| shape.packet(format, size));
                let lengths: Vec<_> = packets.map(|packet| packet.len()).collect();
                assert!(lengths.is_sorted_by(|one, next| one < next), "{shape:?}: {lengths:?}");
            }
        }
        // A NodePath has no more names than its count can say.
        assert!(Shape::Names.packet(Format::Variant(Dialect::GODOT3), 1 << 15).is_none());
    }
}
