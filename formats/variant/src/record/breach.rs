//! Records that break one rule each.
//!
//! What can be wrong is read off the declaration: each field is cut, each count made too large and too small,
//! each assertion broken, what must be zero set. Whether that breaks something, and what, the walk along the
//! declaration says; whether the type's reader refuses it, the reader.

use std::collections::HashSet;
use std::fmt;

use binrw::BinRead;

use super::fault::{faults, levels};
use super::{check, from_slice};
use crate::error::{Error, Path, PathSegment, Result, Rule};
use crate::inspect::{Inspector, Kind, Layout};
use crate::schema::{Field, Purpose, Schema, Semantics, Shape, Use, Word, uses_of};
use crate::wire::rule;

/// The bytes of a record with one thing wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Breach {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The field that was changed; nothing where something was added behind the last.
    pub field: Path,
    /// What was done to it.
    pub how: &'static str,
    /// What [`check`] says about it: rule, offset, path.
    pub error: Error,
    /// Whether the type's reader refuses it, too. Those that it accepts are only odd: they would be written in
    /// another way.
    pub is_refused: bool,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = if self.is_refused { "refused" } else { "read, though odd" };
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        write!(f, "{}; {read}: {}", self.how, self.error)
    }
}

/// Makes every breach of a record that is whole: one for each field of the declaration and each way to break it.
///
/// ```
/// use formwork_variant::binrw::{self, BinRead};
/// use formwork_variant::record;
/// use formwork_variant::schema::Schema;
///
/// #[derive(BinRead, Schema)]
/// #[brw(little)]
/// struct Point {
///     x: u16,
///     y: u16,
/// }
///
/// let breaches = record::breaches::<Point>(b"\x01\0\x02\0")?;
/// let cut = breaches.iter().find(|breach| breach.bytes == b"\x01\0\x02").unwrap();
/// assert!(cut.is_refused);
/// assert_eq!((cut.error.path().to_string(), cut.error.offset()), ("y".to_owned(), 2));
/// # Ok::<(), formwork_variant::Error>(())
/// ```
///
/// # Errors
///
/// Where something is odd in `bytes` already.
pub fn breaches<T>(bytes: &[u8]) -> Result<Vec<Breach>>
where
    T: for<'a> BinRead<Args<'a> = ()> + Schema,
{
    check::<T>(bytes)?;
    let mut inspector = Inspector::record::<T>(bytes);
    let mut draft = Draft { bytes, made: Vec::new() };
    while let Some(Ok(span)) = inspector.next() {
        let (Kind::Leaf, Layout::One(shape) | Layout::Many(shape, _)) = (span.kind, span.layout)
        else {
            continue;
        };
        let at = span.offset as usize;
        let place = Place { path: inspector.path(), at, length: span.bytes.len(), shape };
        place.spoil::<T>(&mut draft);
    }
    draft.put(&Path::default(), "a byte more at the end", None, |bytes| bytes.push(0));
    let mut seen = HashSet::new();
    let mut breaches = Vec::new();
    for Made { field, how, only, bytes } in draft.made {
        // One of each kind is enough.
        let kind = (without_positions(&field), how);
        if seen.contains(&kind) {
            continue;
        }
        let Some(error) = faults::<T>(&bytes).next() else { continue };
        if only.is_none_or(|only| only.contains(&error.rule())) {
            // Fields of a list that is read as one are all cut in the same way.
            let place = without_positions(error.path());
            let is_cut = how.starts_with("cut") && place != kind.0;
            if is_cut && !seen.insert((place, how)) {
                continue;
            }
            let is_refused = from_slice::<T>(&bytes).is_err();
            seen.insert(kind);
            breaches.push(Breach { bytes, field, how, error, is_refused });
        }
    }
    Ok(breaches)
}

/// Bytes that may be a breach.
struct Made {
    field: Path,
    how: &'static str,
    /// The rules that it is meant to break.
    only: Option<&'static [Rule]>,
    bytes: Vec<u8>,
}

struct Draft<'b> {
    bytes: &'b [u8],
    made: Vec<Made>,
}

impl Draft<'_> {
    fn put(
        &mut self,
        path: &Path,
        how: &'static str,
        only: Option<&'static [Rule]>,
        change: impl FnOnce(&mut Vec<u8>),
    ) {
        let mut bytes = self.bytes.to_vec();
        change(&mut bytes);
        self.made.push(Made { field: path.clone(), how, only, bytes });
    }
}

/// The fields that a path leads through, of whatever elements of lists.
fn without_positions(path: &Path) -> Path {
    path.steps().iter().filter(|step| !matches!(step, PathSegment::Index(_))).cloned().collect()
}

/// A field in the bytes.
struct Place {
    path: Path,
    at: usize,
    length: usize,
    shape: Shape,
}

/// A whole number, or a part of a bit-packed word.
struct Number {
    path: Path,
    value: u64,
    /// The largest number.
    most: u64,
    /// All its bits: -1, of a number with a sign.
    ones: u64,
    uses: Vec<Use>,
}

const CUT: Option<&[Rule]> = Some(&[Rule::INPUT_COMPLETE]);
const ASSERT: Option<&[Rule]> = Some(&[rule::RECORD_ASSERT]);
const ZERO: Option<&[Rule]> = Some(&[rule::RECORD_ZERO]);
const WRONG_COUNT: Option<&[Rule]> = Some(&[Rule::INPUT_COMPLETE, Rule::INPUT_TRAILING]);

impl Place {
    fn spoil<T: Schema>(&self, draft: &mut Draft<'_>) {
        let &Self { at, length, .. } = self;
        let Some(last) = length.checked_sub(1).map(|last| at + last) else { return };
        let mut put = |how, only, change: &dyn Fn(&mut Vec<u8>)| {
            draft.put(&self.path, how, only, change);
        };
        put("cut in front of it", CUT, &|bytes| bytes.truncate(at));
        if last > at {
            put("cut in it", CUT, &|bytes| bytes.truncate(last));
        }
        let levels = levels(T::SHAPE, &self.path);
        let field = levels.last().and_then(|(record, position)| record.fields.get(*position));
        let meaning = field.map_or(T::MEANING, |field: &Field| field.meaning);
        if matches!(self.shape, Shape::Padding) || meaning == Semantics::Zero {
            put("not zero", ZERO, &|bytes| bytes[last] = 1);
        }
        match meaning {
            Semantics::Magic(_) => {
                put("other bytes", Some(&[rule::RECORD_MAGIC]), &|bytes| bytes[at] ^= 1);
            }
            Semantics::Text | Semantics::PaddedText | Semantics::TerminatedText => {
                put("not UTF-8", Some(&[rule::RECORD_TEXT]), &|bytes| bytes[at] = 0xff);
            }
            Semantics::Numbered(names) => {
                let known =
                    |number: &u64| names.iter().all(|(known, _)| *known != i128::from(*number));
                if let Some(number) = (0..=self.most()).find(known) {
                    put("a number without a name", Some(&[rule::RECORD_NUMBER]), &|bytes| {
                        self.set(bytes, number);
                    });
                }
            }
            _ => {}
        }
        if length > 8 {
            return;
        }
        let (value, uses) = (self.value(draft.bytes), uses_of(&levels, 0));
        let Some(word) = self.word() else {
            let (most, ones) = (self.most(), self.ones());
            let number = Number { path: self.path.clone(), value, most, ones, uses };
            self.spoil_number(&number, &|number| number, draft);
            return;
        };
        let mut shift = 0;
        for (bits, part) in word.parts(value) {
            let most = u64::MAX >> (64 - u32::from(bits.width.clamp(1, 64)));
            let (place, below) = (most << shift, shift);
            shift += u32::from(bits.width);
            let with = |number: u64| value & !place | number << below & place;
            let mut path = self.path.clone();
            path.push(bits.name);
            if bits.is_unused() {
                draft.put(&path, "an unused bit set", ZERO, |bytes| self.set(bytes, with(1)));
            }
            let speaks = |it: &&Use| {
                let mut spoken_of = false;
                it.expression.paths(&mut |of| spoken_of |= of.last() == Some(&bits.name));
                spoken_of
            };
            let uses = uses.iter().filter(speaks).copied().collect();
            self.spoil_number(&Number { path, value: part, most, ones: most, uses }, &with, draft);
        }
    }

    /// Makes a count wrong, and what is asserted of a number. `raw` says what then stands in the bytes.
    fn spoil_number(&self, number: &Number, raw: &dyn Fn(u64) -> u64, draft: &mut Draft<'_>) {
        let &Number { ref path, value, most, ones, ref uses } = number;
        let mut put = |how, only, number: Option<u64>| {
            if let Some(number) = number.filter(|&number| number != value && number <= ones) {
                draft.put(path, how, only, |bytes| self.set(bytes, raw(number)));
            }
        };
        // Of a count in other units, such as bytes, one element is one of the constants in its expression.
        let mut units = vec![1];
        for it in uses {
            it.expression.numbers(&mut |number| units.extend(u64::try_from(number)));
        }
        if uses.iter().any(|it| matches!(it.purpose, Purpose::Count(_))) {
            for largest in [most, most >> 1, most >> 1 & !0xffff] {
                put("a count far too large", CUT, Some(largest));
            }
            for &unit in &units {
                put("a count one too large", CUT, value.checked_add(unit));
                put("a count one too small", WRONG_COUNT, value.checked_sub(unit));
            }
        }
        if uses.iter().any(|it| it.purpose == Purpose::Check) {
            let near = [value.checked_add(1), value.checked_sub(1), Some(0), Some(most)];
            let negative = [Some(ones), most.checked_add(1)].into_iter().filter(|_| ones > most);
            let constants =
                units.iter().flat_map(|it| [Some(*it), it.checked_sub(1), Some(it + 1)]);
            for number in near.into_iter().chain(negative).chain(constants) {
                put("what is asserted does not hold", ASSERT, number);
            }
        }
    }

    fn word(&self) -> Option<&'static Word> {
        match self.shape {
            Shape::Word(word) | Shape::BigEndian(&Shape::Word(word)) => Some(word),
            _ => None,
        }
    }

    const fn is_big(&self) -> bool {
        matches!(self.shape, Shape::BigEndian(_))
    }

    /// All bits of a number of as many bytes.
    fn ones(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.length.clamp(1, 8))
    }

    /// The largest number of as many bytes that is one with a sign, too, if it has one.
    fn most(&self) -> u64 {
        let ones = self.ones();
        let inner = if let Shape::BigEndian(inner) = self.shape { *inner } else { self.shape };
        if matches!(inner, Shape::Integer { signed: true, .. }) { ones >> 1 } else { ones }
    }

    fn value(&self, bytes: &[u8]) -> u64 {
        let there = bytes.get(self.at..self.at + self.length.min(8)).unwrap_or_default();
        let fold = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        if self.is_big() { there.iter().fold(0, fold) } else { there.iter().rev().fold(0, fold) }
    }

    fn set(&self, bytes: &mut [u8], number: u64) {
        let Some(place) = bytes.get_mut(self.at..self.at + self.length.min(8)) else { return };
        let size = place.len();
        place.copy_from_slice(&number.to_le_bytes()[..size]);
        if self.is_big() {
            place.reverse();
        }
    }
}
