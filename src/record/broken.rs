//! Copies of a file that break one rule each.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use super::{MOST_SUMS, With, with};
use crate::error::{Error, Path};
use crate::schema::{EndKind, Layout, Meaning, Schema};
use crate::walk::{Step, StepKind, Value};

/// The function that refuses a broken copy.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// The reader, with this error.
    Reader(Error),
    /// [`check`](super::check) alone: the reader accepts it.
    Check(Error),
}

/// A copy of a file in which one thing is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The field that was changed; empty for the end of the file.
    pub path: Path,
    /// The change: `other bytes`, `cut in it`.
    pub how: &'static str,
    /// The bytes of the file that are replaced.
    pub place: Range<usize>,
    /// The bytes in their place.
    pub bytes: Vec<u8>,
    /// The function that refuses the copy.
    pub refusal: Refusal,
}

impl Broken {
    /// Returns the copy.
    #[must_use]
    pub fn apply(&self, file: &[u8]) -> Vec<u8> {
        replaced(file, &self.place, &self.bytes)
    }
}

/// `directory_at: a count one too large; refused: offset 57 (0x39), ..`
impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match &self.refusal {
            Refusal::Reader(error) => write!(f, "{}; refused: {error}", self.how),
            Refusal::Check(error) => write!(f, "{}; read, though odd: {error}", self.how),
        }
    }
}

fn replaced(file: &[u8], place: &Range<usize>, by: &[u8]) -> Vec<u8> {
    let mut copy = Vec::with_capacity(file.len() + by.len());
    copy.extend_from_slice(&file[..place.start]);
    copy.extend_from_slice(by);
    copy.extend_from_slice(&file[place.end..]);
    copy
}

/// Returns copies of a good file that break one rule each: one for each field of the declaration and each way to break
/// it, however many elements have that field.
///
/// A checksum over a changed field is made right again, so that a reader can refuse the change alone. The time is that
/// of reading the file once for each kind of copy.
pub fn broken<T: Schema>(file: &[u8]) -> impl Iterator<Item = Broken> {
    with(&()).broken::<T>(file)
}

impl<'f> With<'f> {
    /// Returns copies of a good file that break one rule each: see [`broken`](super::broken()).
    pub fn broken<'b, T: Schema>(
        self,
        file: &'b [u8],
    ) -> impl Iterator<Item = Broken> + use<'b, 'f, T> {
        changes::<T>(self, file)
            .into_iter()
            .filter_map(move |change| judged::<T>(self, file, change))
    }
}

/// A change before anybody has looked whether it breaks something.
struct Change {
    path: Path,
    how: &'static str,
    place: Range<usize>,
    bytes: Vec<u8>,
}

fn judged<T: Schema>(of: With<'_>, file: &[u8], change: Change) -> Option<Broken> {
    let Change { path, how, mut place, mut bytes } = change;
    let mut copy = replaced(file, &place, &bytes);
    let mut faults = of.faults::<T>(&copy);
    if how != WRONG_SUM && faults.are_sums() {
        // With the right checksum it is a good file.
        if !faults.is_more {
            return None;
        }
        for _ in 0..MOST_SUMS {
            faults.mend(&mut copy);
            faults = of.faults::<T>(&copy);
            if !faults.are_sums() {
                break;
            }
        }
        // The change reaches up to the checksum.
        (place, bytes) = difference(file, &copy);
    }
    let refusal = faults.refusal()?;
    Some(Broken { path, how, place, bytes, refusal })
}

/// Returns the place where two files differ, and its bytes in the second.
fn difference(file: &[u8], copy: &[u8]) -> (Range<usize>, Vec<u8>) {
    let start = file.iter().zip(copy).take_while(|(left, right)| left == right).count();
    let most = file.len().min(copy.len()) - start;
    let same = file.iter().rev().zip(copy.iter().rev()).take(most);
    let end = same.take_while(|(left, right)| left == right).count();
    (start..file.len() - end, copy[start..copy.len() - end].to_vec())
}

const WRONG_SUM: &str = "a wrong checksum";

/// A field of the declaration, by its address and that of the record around, and a way to break it.
type Way = (usize, usize, &'static str);

fn changes<T: Schema>(of: With<'_>, file: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut seen: HashSet<Way> = HashSet::new();
    let mut ways = Vec::new();
    let mut walk = of.walk::<T>(file);
    while let Some(Ok(step)) = walk.next() {
        let record = walk.record_around().map_or(0, |record| std::ptr::from_ref(record) as usize);
        let field = step.field.map_or(0, |field| std::ptr::from_ref(field) as usize);
        // The kind is tested first: a file has many elements, and one of each kind is broken.
        ways_of(&step, file, &mut |how| seen.insert((record, field, how)), &mut ways);
        for (how, place, bytes) in ways.drain(..) {
            found.push(Change { path: walk.path(), how, place, bytes });
        }
    }
    let end = file.len()..file.len();
    found.push(Change {
        path: Path::default(),
        how: "a byte more at the end",
        place: end,
        bytes: vec![0],
    });
    found
}

type Ways = Vec<(&'static str, Range<usize>, Vec<u8>)>;

/// Adds the ways to break a field that are new.
fn ways_of(
    step: &Step,
    file: &[u8],
    is_new: &mut dyn FnMut(&'static str) -> bool,
    ways: &mut Ways,
) {
    let place = step.bytes.clone();
    let there = &file[place.clone()];
    let Some((&first, &last)) = there.first().zip(there.last()) else { return };
    let end = file.len();
    let mut add =
        |is_other: bool, how: &'static str, place: Range<usize>, bytes: &dyn Fn() -> Vec<u8>| {
            if is_other && is_new(how) {
                ways.push((how, place, bytes()));
            }
        };
    let with_byte = |position: usize, byte: u8| {
        let mut bytes = there.to_vec();
        bytes[position] = byte;
        bytes
    };
    let layout = match &step.kind {
        StepKind::Magic => None,
        StepKind::Leaf(layout) => Some(layout),
        StepKind::Sum { .. } => {
            add(true, WRONG_SUM, place, &|| with_byte(0, first ^ 1));
            return;
        }
        _ => return,
    };
    add(true, "cut in front of it", place.start..end, &Vec::new);
    add(there.len() > 1, "cut in it", place.end - 1..end, &Vec::new);
    let Some(layout) = layout else {
        add(true, "other bytes", place, &|| with_byte(0, first ^ 1));
        return;
    };
    match (step.field.map(|field| field.meaning), layout) {
        (Some(Meaning::Zero), _) | (_, Layout::Padding(_)) => {
            add(last != 1, "a byte that is not zero", place, &|| with_byte(there.len() - 1, 1));
            return;
        }
        (Some(Meaning::Text | Meaning::Filled(_) | Meaning::Ended(..) | Meaning::Masked(_)), _) => {
            add(first != 0xff, "not UTF-8", place, &|| with_byte(0, 0xff));
            return;
        }
        (Some(Meaning::Terminated), _) => {
            add(true, "without a zero at its end", place, &|| with_byte(there.len() - 1, b'a'));
            return;
        }
        (_, Layout::Terminated(end)) if end.kind != EndKind::Taken => return,
        (_, Layout::Terminated(_)) => {
            add(true, "without its zero", place.start..end, &|| there[..there.len() - 1].to_vec());
            return;
        }
        _ => {}
    }
    let number = |number: i128| {
        let mut bytes = number.to_le_bytes()[..there.len().min(16)].to_vec();
        if step.big {
            bytes.reverse();
        }
        bytes
    };
    match &step.value {
        Value::Number(value, ty) if there.len() == ty.bytes() => {
            let most =
                if ty.signed { (1_i128 << (ty.bits - 1)) - 1 } else { (1_i128 << ty.bits) - 1 };
            let all = [
                ("a number one too large", value + 1),
                ("a number one too small", value - 1),
                ("a number far too large", most),
                ("zero", 0),
            ];
            for (how, wanted) in all {
                add(ty.holds(wanted) && wanted != *value, how, place.clone(), &|| number(wanted));
            }
        }
        Value::Word(word, raw) => {
            for part in word.parts {
                let Some((low, width)) = word.part(part.name) else { continue };
                let how = if part.is_zero() { "a bit that is always zero" } else { "another bit" };
                add(true, how, place.clone(), &|| number((raw ^ 1 << (low + width - 1)) as i128));
            }
        }
        _ => {}
    }
}
