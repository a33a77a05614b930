//! A pass over a declaration and its bytes.
//!
//! The fields come in the order of the reader, with the values of all earlier fields.

use super::{Expression, Field, Record, Repetition, Semantics, Shape, Word};
use formwork::PathSegment;

/// The greatest depth of nested records. Deeper records overflow the stack of the reader first.
const DEEPEST: usize = 64;

/// The end of a walk.
#[derive(Debug)]
pub struct Stop(pub Why);

/// The fault at the end of a walk.
#[derive(Clone, Debug)]
pub enum Why {
    /// The input is too short, or the reader returned an error of another kind.
    Unknown,
    /// The bytes are not these.
    Magic(&'static [u8]),
    /// This assertion does not hold, with these values of the fields to which it refers.
    Check(Expression, Vec<(String, i128)>),
    /// The number is none of these.
    Number(&'static [(i128, &'static str)], i128),
}

const STOP: Stop = Stop(Why::Unknown);

/// The kind of error that a reader returned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Failed {
    /// Its offset, as far as that is known.
    pub at: Option<usize>,
    /// Whether an assertion does not hold.
    pub is_check: bool,
    /// Whether a number is none of those of an enum.
    pub is_number: bool,
}

/// The value of an earlier field, to which expressions can refer.
pub enum Known {
    Number(i128),
    Word(&'static Word, u64),
    /// The sum of the numbers in a list.
    Sum(i128),
    Record(Fields),
    Nothing,
}

/// Fields that were passed.
type Fields = Vec<(&'static str, Known)>;

/// See [the module](self).
pub struct Walk<'b> {
    bytes: &'b [u8],
    pub at: usize,
    failed: Failed,
    pub path: Vec<PathSegment>,
    /// The values of the fields of the open records, from the outside in.
    frames: Vec<Fields>,
}

impl<'b> Walk<'b> {
    /// Makes a walk along bytes, from `start` on.
    pub const fn along(bytes: &'b [u8], start: usize, failed: Failed) -> Self {
        Self { bytes, at: start, failed, path: Vec::new(), frames: Vec::new() }
    }

    fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Moves past `count` elements, if the bytes exist.
    fn take(&mut self, shape: Shape, count: usize) -> Result<&[u8], Stop> {
        let size = shape.size().unwrap_or(1).saturating_mul(count);
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..size)).ok_or(STOP)?;
        self.at += size;
        Ok(taken)
    }

    pub fn record(&mut self, record: &'static Record) -> Result<Fields, Stop> {
        if self.frames.len() >= DEEPEST {
            return Err(STOP);
        }
        let start = self.at;
        self.frames.push(Fields::new());
        for field in record.fields.iter().filter(|field| !field.nested) {
            self.path.push(PathSegment::Field(field.name));
            let from = self.at;
            let value = self.field(field)?;
            if let Some(frame) = self.frames.last_mut() {
                frame.push((field.name, value));
            }
            self.check(field.checks, from)?;
            self.path.pop();
        }
        self.check(record.checks, start)?;
        Ok(self.frames.pop().unwrap_or_default())
    }

    /// Finds an assertion that does not hold, if that is the error of the reader.
    fn check(&mut self, checks: &[Expression], start: usize) -> Result<(), Stop> {
        if !self.failed.is_check {
            return Ok(());
        }
        for check in checks {
            if check.evaluate(&mut |path| look_up(path, &self.frames)) == Some(0) {
                let mut values = Vec::new();
                check.paths(&mut |path| {
                    values.extend(look_up(path, &self.frames).map(|value| (path.join("."), value)));
                });
                self.at = start;
                return Err(Stop(Why::Check(*check, values)));
            }
        }
        Ok(())
    }

    fn field(&mut self, field: &Field) -> Result<Known, Stop> {
        let value = |walk: &Self, expression: Expression| {
            expression.evaluate(&mut |path| look_up(path, &walk.frames)).ok_or(STOP)
        };
        let (shape, meaning) = (field.shape(), field.meaning);
        match field.occurs {
            Repetition::Once => self.one(shape, meaning),
            Repetition::If(condition) if value(self, condition)? == 0 => Ok(Known::Nothing),
            Repetition::If(_) => self.one(shape, meaning),
            Repetition::Times(count) => {
                let count = usize::try_from(value(self, count)?.max(0)).unwrap_or(usize::MAX);
                self.times(shape, meaning, count)
            }
            Repetition::After(length) | Repetition::AfterOrEnd(length) => {
                let needed = value(self, length)?.max(0).wrapping_neg().rem_euclid(4);
                self.take(Shape::Padding, needed as usize)?;
                Ok(Known::Nothing)
            }
            Repetition::Fill(length) => {
                let length = usize::try_from(value(self, length)?.max(0)).unwrap_or(usize::MAX);
                let end = self.at.saturating_add(length);
                self.elements(shape, meaning, |walk, _| walk.at < end)
            }
            Repetition::ToEnd => {
                self.elements(shape, meaning, |walk, _| walk.at < walk.bytes.len())
            }
        }
    }

    fn one(&mut self, shape: Shape, meaning: Semantics) -> Result<Known, Stop> {
        let Shape::Record(record) = shape else {
            shape.size().ok_or(STOP)?;
            let bytes = self.take(shape, 1)?;
            let size = bytes.len();
            if let Semantics::Magic(magic) = meaning
                && magic != bytes
            {
                return Err(self.wrong(size, magic));
            }
            let known = match shape {
                Shape::Word(word) => Known::Word(word, little(bytes)),
                Shape::BigEndian(Shape::Word(word)) => Known::Word(word, big(bytes)),
                _ => number(shape, bytes).map_or(Known::Nothing, Known::Number),
            };
            if let (true, Semantics::Numbered(names), Known::Number(number)) =
                (self.failed.is_number, meaning, &known)
                && !names.iter().any(|(known, _)| known == number)
            {
                self.at -= size;
                return Err(Stop(Why::Number(names, *number)));
            }
            return Ok(known);
        };
        self.record(record).map(Known::Record)
    }

    /// Walks `count` elements.
    fn elements(
        &mut self,
        shape: Shape,
        meaning: Semantics,
        mut goes_on: impl FnMut(&mut Self, u64) -> bool,
    ) -> Result<Known, Stop> {
        let mut index = 0;
        while goes_on(self, index) {
            let before = self.at;
            self.path.push(PathSegment::Index(index));
            self.one(shape, meaning)?;
            self.path.pop();
            index += 1;
            if self.at == before {
                break;
            }
        }
        Ok(Known::Nothing)
    }

    fn times(&mut self, shape: Shape, meaning: Semantics, count: usize) -> Result<Known, Stop> {
        let start = self.at;
        let looks_inside = self.failed.is_check || self.failed.is_number;
        let is_block = !(looks_inside && matches!(shape, Shape::Record(_)));
        if let Some(size) = shape.size().filter(|_| is_block) {
            let length = count.saturating_mul(size);
            if self.left() < length {
                // The elements may have been read one by one, or all together.
                let element = self.failed.at.and_then(|failed| failed.checked_sub(start));
                if let Some(index) =
                    element.and_then(|at| at.checked_div(size)).filter(|&it| it > 0)
                {
                    self.at = start + index * size;
                    self.path.push(PathSegment::Index(index as u64));
                    self.one(shape, Semantics::Plain)?;
                }
                return Err(STOP);
            }
            let bytes = self.take(shape, count)?;
            if let Semantics::Magic(magic) = meaning
                && magic != bytes
            {
                return Err(self.wrong(length, magic));
            }
            let numbers = bytes.chunks_exact(size.max(1)).map(|bytes| number(shape, bytes));
            return Ok(numbers.sum::<Option<i128>>().map_or(Known::Nothing, Known::Sum));
        }
        let shortest = shape.least().max(1);
        let failed = self.failed.at;
        if self.left() / shortest < count && failed.is_none_or(|failed| failed <= start) {
            return Err(STOP);
        }
        self.elements(shape, Semantics::Plain, |_, index| index < count as u64)
    }

    /// Goes back to the wrong bytes.
    const fn wrong(&mut self, size: usize, magic: &'static [u8]) -> Stop {
        self.at -= size;
        Stop(Why::Magic(magic))
    }
}

/// Returns the value of a path, searched from the innermost record outwards.
fn look_up(path: &[&'static str], frames: &[Fields]) -> Option<i128> {
    frames.iter().rev().find_map(|frame| below(path, frame))
}

fn below(path: &[&'static str], known: &Fields) -> Option<i128> {
    let (&first, rest) = path.split_first()?;
    match (known.iter().rev().find(|(name, _)| *name == first).map(|(_, known)| known)?, rest) {
        (Known::Number(number), []) => Some(*number),
        (Known::Sum(sum), ["sum"]) => Some(*sum),
        (Known::Word(word, raw), [part]) => part_of(word, *raw, part),
        (Known::Record(fields), [_, ..]) => below(rest, fields),
        _ => None,
    }
}

fn part_of(word: &Word, raw: u64, part: &str) -> Option<i128> {
    word.parts(raw).find(|(bits, _)| bits.name == part).map(|(_, value)| value.into())
}

/// Returns up to eight bytes as a number, little endian.
fn little(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Returns up to eight bytes as a number, big endian.
fn big(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Returns the whole number in bytes, without bytes beyond the number.
pub fn number(shape: Shape, bytes: &[u8]) -> Option<i128> {
    match shape {
        Shape::Integer { signed, bytes: size } => {
            let spare = 64 - 8 * u32::from(size.clamp(1, 8));
            let raw = little(bytes) << spare;
            Some(if signed { ((raw as i64) >> spare).into() } else { (raw >> spare).into() })
        }
        Shape::BigEndian(inner) => {
            let reversed: Vec<u8> = bytes.iter().take(8).rev().copied().collect();
            number(*inner, &reversed)
        }
        _ => None,
    }
}
