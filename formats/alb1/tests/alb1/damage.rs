//! Damages files in ways that a seed determines, and records their intact parts.

use std::ops::Range;

use formwork_alb1::{Document, Field, FieldType, Object, Value};
use formwork_testkit::Noise;

/// An object of a whole file, and its position: the range of its field with the head.
pub(crate) struct Known<'d> {
    pub(crate) object: &'d Object,
    pub(crate) range: Range<usize>,
    /// The ranges of the plain values in the object, with their heads.
    pub(crate) values: Vec<Range<usize>>,
}

/// Whether a value holds no fields or raw bytes.
pub(crate) const fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Raw(_) | Value::Pair(_) | Value::Object(_))
}

/// The positions of the sizes, counts and lengths of a file, and of the objects.
#[derive(Default)]
pub(crate) struct Map<'d> {
    pub(crate) objects: Vec<Known<'d>>,
    /// The place of a length, how many bytes it has, and the field it belongs to.
    lengths: Vec<(usize, usize, Range<usize>)>,
}

impl<'d> Map<'d> {
    pub(crate) fn of(document: &'d Document, size: usize) -> Self {
        let mut map = Self::default();
        let end = map.fields(&document.root.fields, 0);
        // The fields of the root end where the file ends.
        let shift = size - end;
        for known in &mut map.objects {
            for range in known.values.iter_mut().chain([&mut known.range]) {
                *range = range.start + shift..range.end + shift;
            }
        }
        for (at, _, range) in &mut map.lengths {
            *at += shift;
            *range = range.start + shift..range.end + shift;
        }
        map
    }

    fn fields(&mut self, fields: &'d [Field], start: usize) -> usize {
        fields.iter().fold(start, |at, field| self.field(field, at))
    }

    fn field(&mut self, field: &'d Field, start: usize) -> usize {
        let body = start + 3;
        let (end, lengths) = match &field.value {
            Value::Array(elements) => (self.fields(elements, body + 8), vec![(0, 4), (4, 4)]),
            Value::Raw(raw) => (body + 8 + raw.len(), vec![(0, 4), (4, 4)]),
            Value::Pair(pair) => (self.fields(&pair[..], body), vec![]),
            Value::String(text) => (body + 2 + text.as_bytes().len(), vec![(0, 2)]),
            Value::Object(object) => {
                let (mut values, mut end) = (Vec::new(), body + 10);
                for field in &object.fields {
                    let from = end;
                    end = self.field(field, from);
                    if is_plain(&field.value) {
                        values.push(from..end);
                    }
                }
                self.objects.push(Known { object, range: start..end, values });
                (end, vec![(0, 4)])
            }
            other => {
                let counted = matches!(
                    other.field_type(),
                    FieldType::ArrayOfFloat | FieldType::ArrayOfDouble
                );
                let size = match other {
                    Value::ArrayOfFloat(all) => 1 + 4 * all.len(),
                    Value::ArrayOfDouble(all) => 1 + 8 * all.len(),
                    other => other.field_type().extent(&[]).unwrap() as usize,
                };
                (body + size, if counted { vec![(0, 1)] } else { vec![] })
            }
        };
        for (offset, size) in lengths {
            self.lengths.push((body + offset, size, start..end));
        }
        end
    }
}

/// The kinds of damage.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Kind {
    /// Its end is missing.
    Cut,
    /// A block is zeros.
    Zeroed,
    /// Up to eight bytes are others.
    Flipped,
    /// A size, count or length is another.
    Length,
}

/// Every kind of damage.
pub(crate) const KINDS: [Kind; 4] = [Kind::Cut, Kind::Zeroed, Kind::Flipped, Kind::Length];

/// A damaged file, and the ranges of its changed bytes.
pub(crate) struct Damage {
    pub(crate) bytes: Vec<u8>,
    touched: Vec<Range<usize>>,
    /// For a wrong length: the field it is of; its content is whole.
    of: Option<Range<usize>>,
}

impl Damage {
    /// Makes the damage that a seed determines.
    pub(crate) fn new(whole: &[u8], map: &Map<'_>, kind: Kind, seed: u64) -> Self {
        let mut noise = Noise::new(seed);
        let mut bytes = whole.to_vec();
        let (mut touched, mut of) = (Vec::new(), None);
        match kind {
            Kind::Cut => {
                let at = noise.below(whole.len());
                bytes.truncate(at);
                touched.push(at..usize::MAX);
            }
            Kind::Zeroed => {
                let length = 1 + noise.below(whole.len().min(4096) / 8);
                let at = noise.below(whole.len() - length);
                bytes[at..at + length].fill(0);
                touched.push(at..at + length);
            }
            Kind::Flipped => {
                for _ in 0..1 + noise.below(8) {
                    let at = noise.below(whole.len());
                    bytes[at] ^= 1 + noise.below(255) as u8;
                    touched.push(at..at + 1);
                }
            }
            Kind::Length => {
                let (at, size, range) = map.lengths[noise.below(map.lengths.len())].clone();
                let old = bytes[at..at + size].to_vec();
                while bytes[at..at + size] == old {
                    // Close to the right one, far from it, or anything.
                    let wrong = match noise.below(3) {
                        0 => noise.number() & 0x3F,
                        1 => noise.number() % whole.len() as u64,
                        _ => noise.number(),
                    };
                    bytes[at..at + size].copy_from_slice(&wrong.to_le_bytes()[..size]);
                }
                touched.push(at..at + size);
                of = Some(range);
            }
        }
        Self { bytes, touched, of }
    }

    /// Whether none of these bytes was damaged.
    pub(crate) fn is_whole(&self, range: &Range<usize>) -> bool {
        !self.touched.iter().any(|touched| touched.start < range.end && range.start < touched.end)
    }

    /// Whether an object is to be found again.
    pub(crate) fn spared(&self, known: &Known<'_>) -> bool {
        let is_of = self.of.as_ref().is_some_and(|of| *of == known.range);
        self.is_whole(&known.range) && !is_of
    }
}
