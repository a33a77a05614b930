//! Where in a record its reader failed.
//!
//! binrw goes back to the start of what it cannot read, and names fields in sentences only. So the
//! declaration is walked along the bytes once more, as the reader went, up to the first thing that cannot be
//! there. This costs nothing where nothing fails.

use super::{Expression, Field, Meaning, Occurs, Record, Shape, Word};
use crate::error::Step;

/// Where a record cannot be read.
#[derive(Debug)]
pub(crate) struct Located {
    /// The fields that lead there, from the outside in.
    pub(crate) path: Vec<Step>,
    /// In bytes, from where the input starts.
    pub(crate) offset: usize,
    /// The bytes that must stand there, where others do.
    pub(crate) magic: Option<&'static [u8]>,
}

/// Finds where the record at `start` cannot be read. `failed` is where the reader could not go on, as far as
/// that is known; where the declaration cannot be followed so far, the path is only the beginning of one.
///
/// [`None`] where nothing of the layout is wrong.
pub(crate) fn locate(
    record: &Record,
    bytes: &[u8],
    start: usize,
    failed: Option<usize>,
) -> Option<Located> {
    let mut walk = Walk { bytes, at: start, failed, path: Vec::new(), depth: 0 };
    match walk.record(record) {
        Ok(_) => None,
        Err(Stop { magic }) => Some(Located { path: walk.path, offset: walk.at, magic }),
    }
}

/// Records in each other that are followed. Those that the reader itself could not follow either overflow
/// its stack first.
const DEEPEST: u32 = 64;

/// The walk is at an end.
struct Stop {
    magic: Option<&'static [u8]>,
}

const STOP: Stop = Stop { magic: None };

/// What expressions may ask of an earlier field.
enum Known {
    Number(i128),
    Word(&'static Word, u64),
    /// What the numbers of a list come to.
    Sum(i128),
    Record(Fields),
    Nothing,
}

/// Fields that were passed.
type Fields = Vec<(&'static str, Known)>;

struct Walk<'b> {
    bytes: &'b [u8],
    at: usize,
    failed: Option<usize>,
    path: Vec<Step>,
    depth: u32,
}

impl Walk<'_> {
    fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Goes on behind so many bytes, if they are there.
    fn take(&mut self, count: usize) -> Result<&[u8], Stop> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count)).ok_or(STOP)?;
        self.at += count;
        Ok(taken)
    }

    fn record(&mut self, record: &Record) -> Result<Fields, Stop> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(STOP);
        }
        let mut known = Fields::new();
        for field in record.fields.iter().filter(|field| !field.nested) {
            self.path.push(Step::Field(field.name));
            let value = self.field(field, &known)?;
            self.path.pop();
            known.push((field.name, value));
        }
        self.depth -= 1;
        Ok(known)
    }

    fn field(&mut self, field: &Field, known: &Fields) -> Result<Known, Stop> {
        let value = |expression: Expression| {
            expression.evaluate(&mut |path| look_up(path, known)).ok_or(STOP)
        };
        let shape = field.shape();
        match field.occurs {
            Occurs::Once => self.one(shape, field.meaning),
            Occurs::If(condition) if value(condition)? == 0 => Ok(Known::Nothing),
            Occurs::If(_) => self.one(shape, field.meaning),
            Occurs::Times(count) => {
                let count = usize::try_from(value(count)?.max(0)).unwrap_or(usize::MAX);
                self.times(shape, field.meaning, count)
            }
            Occurs::After(length) | Occurs::AfterOrEnd(length) => {
                let needed = value(length)?.max(0).wrapping_neg().rem_euclid(4);
                self.take(needed as usize)?;
                Ok(Known::Nothing)
            }
            // These are read elsewhere.
            Occurs::Fill(_) | Occurs::ToEnd => Ok(Known::Nothing),
        }
    }

    fn one(&mut self, shape: Shape, meaning: Meaning) -> Result<Known, Stop> {
        let Shape::Record(record) = shape else {
            let bytes = self.take(shape.size().ok_or(STOP)?)?;
            let known = match shape {
                Shape::Word(word) => Known::Word(word, little(bytes)),
                _ => number(shape, bytes).map_or(Known::Nothing, Known::Number),
            };
            let is_wrong = matches!(meaning, Meaning::Magic(magic) if magic != bytes);
            let size = bytes.len();
            return if is_wrong { Err(self.wrong(size, meaning)) } else { Ok(known) };
        };
        self.record(record).map(Known::Record)
    }

    fn times(&mut self, shape: Shape, meaning: Meaning, count: usize) -> Result<Known, Stop> {
        let start = self.at;
        if let Some(size) = shape.size() {
            let length = count.saturating_mul(size);
            if self.left() < length {
                // One by one, or all together?
                let element = self.failed.and_then(|failed| failed.checked_sub(start));
                if let Some(index) =
                    element.and_then(|at| at.checked_div(size)).filter(|&it| it > 0)
                {
                    self.at = start + index * size;
                    self.path.push(Step::Index(index as u64));
                    self.one(shape, Meaning::Plain)?;
                }
                return Err(STOP);
            }
            let bytes = self.take(length)?;
            if matches!(meaning, Meaning::Magic(magic) if magic != bytes) {
                return Err(self.wrong(length, meaning));
            }
            let numbers = bytes.chunks_exact(size.max(1)).map(|bytes| number(shape, bytes));
            return Ok(numbers.sum::<Option<i128>>().map_or(Known::Nothing, Known::Sum));
        }
        let shortest = shape.least().max(1);
        if self.left() / shortest < count && self.failed.is_none_or(|failed| failed <= start) {
            return Err(STOP);
        }
        for index in 0..count {
            let before = self.at;
            self.path.push(Step::Index(index as u64));
            self.one(shape, Meaning::Plain)?;
            self.path.pop();
            if self.at == before {
                break;
            }
        }
        Ok(Known::Nothing)
    }

    /// Goes back to the bytes that should be others.
    fn wrong(&mut self, size: usize, meaning: Meaning) -> Stop {
        self.at -= size;
        let Meaning::Magic(magic) = meaning else { return STOP };
        Stop { magic: Some(magic) }
    }
}

fn look_up(path: &[&'static str], known: &Fields) -> Option<i128> {
    let (&first, rest) = path.split_first()?;
    match (known.iter().rev().find(|(name, _)| *name == first).map(|(_, known)| known)?, rest) {
        (Known::Number(number), []) => Some(*number),
        (Known::Sum(sum), ["sum"]) => Some(*sum),
        (Known::Word(word, raw), [part]) => {
            word.parts(*raw).find(|(bits, _)| bits.name == *part).map(|(_, value)| value.into())
        }
        (Known::Record(fields), [_, ..]) => look_up(rest, fields),
        _ => None,
    }
}

/// Up to eight bytes as a number, little endian.
fn little(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The whole number that bytes are.
fn number(shape: Shape, bytes: &[u8]) -> Option<i128> {
    match shape {
        Shape::Integer { signed, .. } => {
            let spare = 64 - 8 * bytes.len().clamp(1, 8) as u32;
            let raw = little(bytes);
            Some(if signed { (((raw << spare) as i64) >> spare).into() } else { raw.into() })
        }
        Shape::BigEndian(inner) => {
            let reversed: Vec<u8> = bytes.iter().take(8).rev().copied().collect();
            number(*inner, &reversed)
        }
        _ => None,
    }
}
