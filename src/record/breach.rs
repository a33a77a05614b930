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
use crate::error::{Error, Path, Result, Rule, Step};
use crate::inspect::{Inspector, Kind, Layout};
use crate::schema::{Expression, Field, Meaning, Purpose, Schema, Shape, Word, uses_of};
use crate::wire::rule;

/// The bytes of a record with one thing wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Breach {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// What was done to the field that [`error`](Self::error) names, or to one that says how many of it there are.
    pub how: &'static str,
    /// What [`check`] says about it: rule, offset, path.
    pub error: Error,
    /// Whether the type's reader refuses it, too. Those that it accepts are only odd: they would be written in
    /// another way.
    pub is_refused: bool,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = if self.is_refused { "refused" } else { "read, but odd" };
        write!(f, "{}: {read}: {}", self.how, self.error)
    }
}

/// Makes every breach of a record that is whole: one for each field of the declaration and each way to break it.
///
/// ```
/// use formwork::binrw::{self, BinRead};
/// use formwork::record;
/// use formwork::schema::Schema;
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
/// # Ok::<(), formwork::Error>(())
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
        if seen.contains(&(field.clone(), how)) {
            continue;
        }
        let Some(error) = faults::<T>(&bytes).next() else { continue };
        if only.is_none_or(|only| only.contains(&error.rule())) {
            let is_refused = from_slice::<T>(&bytes).is_err();
            seen.insert((field, how));
            breaches.push(Breach { bytes, how, error, is_refused });
        }
    }
    Ok(breaches)
}

/// Bytes that may be a breach.
struct Made {
    /// The path of the field, without positions in lists.
    field: String,
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
        let is_field = |step: &&Step| !matches!(step, Step::Index(_));
        let field: Path = path.steps().iter().filter(is_field).cloned().collect();
        let mut bytes = self.bytes.to_vec();
        change(&mut bytes);
        self.made.push(Made { field: format!("{field:#}"), how, only, bytes });
    }
}

/// A field in the bytes.
struct Place {
    path: Path,
    at: usize,
    length: usize,
    shape: Shape,
}

const CUT: Option<&[Rule]> = Some(&[Rule::INPUT_COMPLETE]);
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
        let field = levels.last().and_then(|(fields, position)| fields.get(*position));
        let meaning = field.map_or(T::MEANING, |field: &Field| field.meaning);
        if matches!(self.shape, Shape::Padding) || meaning == Meaning::Zero {
            put("not zero", ZERO, &|bytes| bytes[last] = 1);
        }
        match meaning {
            Meaning::Magic(_) => {
                put("other bytes", Some(&[rule::RECORD_MAGIC]), &|bytes| bytes[at] ^= 1);
            }
            Meaning::Text | Meaning::PaddedText | Meaning::TerminatedText => {
                put("not UTF-8", Some(&[rule::RECORD_TEXT]), &|bytes| bytes[at] = 0xff);
            }
            Meaning::Numbered(names) => {
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
        let value = self.value(draft.bytes);
        let uses = uses_of(&levels, 0);
        if let Some(word) = self.word() {
            self.spoil_word(
                word,
                value,
                &uses.iter().map(|it| (it.expression, it.purpose)).collect::<Vec<_>>(),
                draft,
            );
            return;
        }
        if uses.iter().any(|it| matches!(it.purpose, Purpose::Count(_))) && length <= 8 {
            self.spoil_count(value, self.most(), &|number| number, draft);
        }
        if uses.iter().any(|it| it.purpose == Purpose::Check) && length <= 8 {
            for number in
                [value.wrapping_add(1), value.wrapping_sub(1), 0, 1, self.most(), value ^ 4]
            {
                let only: Option<&[Rule]> = Some(&[rule::RECORD_ASSERT]);
                draft.put(&self.path, "what is asserted does not hold", only, |bytes| {
                    self.set(bytes, number);
                });
            }
        }
    }

    /// Makes a count wrong, which is a whole number or, by `raw`, a part of one.
    fn spoil_count(&self, count: u64, most: u64, raw: &dyn Fn(u64) -> u64, draft: &mut Draft<'_>) {
        let half = most >> 1;
        for (how, number) in [
            ("a count far too large", most),
            ("a count far too large", half),
            ("a count one too large", count.wrapping_add(1).min(most)),
            ("a count one too small", count.saturating_sub(1)),
        ] {
            if number != count {
                let only = if how.contains("large") { CUT } else { WRONG_COUNT };
                draft.put(&self.path, how, only, |bytes| self.set(bytes, raw(number)));
            }
        }
    }

    fn spoil_word(
        &self,
        word: &'static Word,
        value: u64,
        uses: &[(Expression, Purpose)],
        draft: &mut Draft<'_>,
    ) {
        let mut shift = 0;
        for (bits, part) in word.parts(value) {
            let most = u64::MAX >> (64 - u32::from(bits.width.clamp(1, 64)));
            let place = most << shift;
            let below = shift;
            let with = |number: u64| value & !place | number << below & place;
            shift += u32::from(bits.width);
            let mut path = self.path.clone();
            path.push(bits.name);
            let part_of = Self { path, shape: self.shape, ..*self };
            if bits.is_unused() {
                draft.put(&part_of.path, "an unused bit set", ZERO, |bytes| {
                    self.set(bytes, with(1))
                });
            }
            let speaks = |expression: &Expression| {
                let mut spoken_of = false;
                expression.paths(&mut |of| spoken_of |= of.last() == Some(&bits.name));
                spoken_of
            };
            if uses.iter().any(|(it, purpose)| matches!(purpose, Purpose::Count(_)) && speaks(it)) {
                part_of.spoil_count(part, most, &with, draft);
            }
            if uses.iter().any(|(it, purpose)| *purpose == Purpose::Check && speaks(it)) {
                for number in [part.wrapping_add(1), part.wrapping_sub(1), 0, 1, most, part ^ 4] {
                    let only: Option<&[Rule]> = Some(&[rule::RECORD_ASSERT]);
                    draft.put(&part_of.path, "what is asserted does not hold", only, |bytes| {
                        self.set(bytes, with(number & most));
                    });
                }
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

    /// The largest number of as many bytes that is one with a sign, too, if it has one.
    fn most(&self) -> u64 {
        let ones = u64::MAX >> (64 - 8 * self.length.clamp(1, 8));
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
