//! Values of types that were declared elsewhere: bytes made along the schema, and read by the type's reader.

use arbitrary::{Error, Result, Unstructured};
use binrw::BinRead;

use super::choice::{below, chance};
use super::{Config, number};
use crate::record;
use crate::schema::{BitRange, Make, Place, Purpose, Schema, Semantics, Shape, Use, Word, made};

/// Makes a value of a type that has a schema: counts agree with what they count, what is asserted holds, numbers
/// are often boundary values. `#[schema(arbitrary)]` above a type makes this its `Arbitrary`.
///
/// ```
/// use formwork_variant::binrw::{self, BinRead, BinWrite};
/// use formwork_variant::generate::arbitrary::{Arbitrary, Unstructured};
/// use formwork_variant::record;
/// use formwork_variant::schema::Schema;
///
/// #[derive(BinRead, BinWrite, Schema, Debug, PartialEq)]
/// #[brw(little)]
/// #[schema(arbitrary)]
/// struct Scores {
///     count: u8,
///     #[br(count = count)]
///     scores: Vec<u16>,
/// }
///
/// let scores = Scores::arbitrary(&mut Unstructured::new(&[7; 100]))?;
/// assert_eq!(usize::from(scores.count), scores.scores.len());
/// assert_eq!(record::from_slice::<Scores>(&record::to_vec(&scores)?)?, scores);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`Error::IncorrectFormat`] where no value was found for which everything asserted holds; otherwise those of
/// [`Unstructured`].
pub fn declared<T>(u: &mut Unstructured<'_>) -> Result<T>
where
    T: for<'a> BinRead<Args<'a> = ()> + Schema,
{
    for _ in 0..TRIES {
        let mut maker = Maker { u, left: MOST, config: Config::default() };
        let bytes = made(T::SHAPE, T::MEANING, &mut maker);
        if let Some(record) = bytes.and_then(|bytes| record::from_slice(&bytes).ok()) {
            return Ok(record);
        }
    }
    Err(Error::IncorrectFormat)
}

/// How often a value is made anew, where something asserted did not hold.
const TRIES: usize = 16;
/// Bytes of a value.
const MOST: usize = 0x1_0000;
/// How often a number is guessed before the constants of the declaration are tried one by one.
const GUESSES: usize = 24;

struct Maker<'m, 'a> {
    u: &'m mut Unstructured<'a>,
    /// Bytes that may still be made.
    left: usize,
    config: Config,
}

impl Make for Maker<'_, '_> {
    fn make(&mut self, place: &Place<'_>, bytes: &mut Vec<u8>) -> Option<()> {
        let size = place.shape.size().unwrap_or(1).checked_mul(place.count)?;
        self.left = self.left.checked_sub(size)?;
        match place.meaning {
            Semantics::Magic(magic) => bytes.extend_from_slice(magic),
            Semantics::Zero => bytes.resize(bytes.len() + size, 0),
            Semantics::Text | Semantics::Letters => self.text(size, bytes)?,
            Semantics::PaddedText => {
                let letters = below(self.u, size + 1).ok()?;
                self.text(letters, bytes)?;
                bytes.resize(bytes.len() + size - letters, 0);
            }
            Semantics::TerminatedText => {
                self.text(size.saturating_sub(1), bytes)?;
                bytes.resize(bytes.len() + size.min(1), 0);
            }
            _ => {
                for _ in 0..place.count {
                    self.number(place, bytes)?;
                }
            }
        }
        Some(())
    }

    fn goes_on(&mut self, index: u64) -> bool {
        index < 32 && chance(self.u, 60).unwrap_or(false)
    }
}

impl Maker<'_, '_> {
    /// Letters, and sometimes one that takes more than a byte.
    fn text(&mut self, size: usize, bytes: &mut Vec<u8>) -> Option<()> {
        const WIDE: [&str; 3] = ["\u{e4}", "\u{20ac}", "\u{1f600}"];
        let end = bytes.len() + size;
        while bytes.len() < end {
            let byte = self.u.arbitrary::<u8>().ok()?;
            match WIDE.get(usize::from(byte >> 6)).filter(|_| byte & 0x3f == 0x3f) {
                Some(wide) if bytes.len() + wide.len() <= end => {
                    bytes.extend_from_slice(wide.as_bytes());
                }
                _ => bytes.push(b'a' + byte % 26),
            }
        }
        Some(())
    }

    fn number(&mut self, place: &Place<'_>, bytes: &mut Vec<u8>) -> Option<()> {
        let (shape, is_big) = match place.shape {
            Shape::BigEndian(inner) => (*inner, true),
            shape => (shape, false),
        };
        let raw = if place.uses.is_empty() {
            self.free(place, shape)?
        } else {
            self.bound(place, shape)?
        };
        let start = bytes.len();
        bytes.extend_from_slice(raw.to_le_bytes().get(..shape.size()?)?);
        if is_big {
            bytes.get_mut(start..)?.reverse();
        }
        Some(())
    }

    /// A number that nothing depends on.
    fn free(&mut self, place: &Place<'_>, shape: Shape) -> Option<u64> {
        match shape {
            Shape::Word(word) => self.word(word, &|_| false),
            _ => match self.named(place.meaning)? {
                Some(number) => Some(number),
                None => number::bits(self.u, shape, &self.config).ok(),
            },
        }
    }

    /// One of the numbers that have names, if only such may stand there.
    fn named(&mut self, meaning: Semantics) -> Option<Option<u64>> {
        Some(match meaning {
            Semantics::Numbered(names) => {
                let (number, _) = names.get(below(self.u, names.len()).ok()?)?;
                Some(*number as u64)
            }
            Semantics::Named(names) => Some(below(self.u, names.len()).ok()? as u64),
            _ => None,
        })
    }

    /// A number on which something depends: what is asserted holds, and what is counted is not too much.
    fn bound(&mut self, place: &Place<'_>, shape: Shape) -> Option<u64> {
        let mask = u64::MAX >> (64 - 8 * u32::try_from(shape.size()?.clamp(1, 8)).ok()?);
        let mut constants = Vec::new();
        for it in &place.uses {
            it.expression.numbers(&mut |number| constants.extend(u64::try_from(number)));
        }
        for _ in 0..GUESSES {
            let guess = match shape {
                Shape::Word(word) => {
                    self.word(word, &|bits| place.uses.iter().any(|it| speaks_of_part(it, bits)))?
                }
                _ => match self.named(place.meaning)? {
                    Some(number) => number,
                    None => self.guess(place, shape, &constants)?,
                },
            } & mask;
            if self.fits(place, guess) {
                return Some(guess);
            }
        }
        // What seldom is guessed: the very constants, and what is next to them.
        let near = constants.iter().flat_map(|&it| [it, it.wrapping_add(1), it.wrapping_sub(1)]);
        let all = [0, 1, 2, 3, 4].into_iter().chain(near).map(|it| it & mask);
        all.into_iter().find(|&it| self.fits(place, it))
    }

    /// A small number, as it is or moved by one of the constants that the declaration has.
    fn guess(&mut self, place: &Place<'_>, shape: Shape, constants: &[u64]) -> Option<u64> {
        let counts = place.uses.iter().any(|it| matches!(it.purpose, Purpose::Count(_)));
        let small = self.small(place.depth)?;
        let constant = match constants.len() {
            0 => 0,
            count => *constants.get(below(self.u, count).ok()?)?,
        };
        Some(match below(self.u, 6).ok()? {
            0 | 1 => small,
            2 => constant.wrapping_add(small),
            3 => constant.wrapping_mul(small),
            4 => constant.wrapping_sub(small),
            _ if counts => small,
            _ => number::bits(self.u, shape, &self.config).ok()?,
        })
    }

    /// A number of elements: the deeper they stand, the fewer.
    fn small(&mut self, depth: usize) -> Option<u64> {
        let most = (16_usize >> depth.min(8)).max(1);
        let most = if chance(self.u, 6).ok()? { 4 * most } else { most };
        Some(below(self.u, most).ok()? as u64)
    }

    /// A bit-packed word: parts that others depend on are small, those that nobody uses zero.
    fn word(&mut self, word: &Word, is_spoken_of: &dyn Fn(&BitRange) -> bool) -> Option<u64> {
        let (mut raw, mut shift) = (0, 0);
        for bits in word.bits {
            let most = u64::MAX >> (64 - u32::from(bits.width.clamp(1, 64)));
            let part = match self.named(bits.meaning)? {
                Some(number) => number,
                None if bits.is_unused() => 0,
                None if bits.width > 1 && is_spoken_of(bits) => self.small(1)?,
                None => self.u.arbitrary::<u64>().ok()?,
            };
            raw |= (part & most) << shift;
            shift += u32::from(bits.width);
        }
        Some(raw)
    }

    /// Whether everything that speaks of a number can be if it is this one.
    fn fits(&self, place: &Place<'_>, raw: u64) -> bool {
        place.uses.iter().all(|it| match (it.purpose, place.evaluate(it, raw)) {
            // It depends on what comes later.
            (_, None) | (Purpose::Other, Some(_)) => true,
            (Purpose::Check, Some(holds)) => holds != 0,
            (Purpose::Count(least), Some(count)) => usize::try_from(count)
                .ok()
                .and_then(|count| count.checked_mul(least))
                .is_some_and(|size| size <= self.left),
        })
    }
}

fn speaks_of_part(used: &Use, bits: &BitRange) -> bool {
    let mut spoken_of = false;
    used.expression.paths(&mut |path| spoken_of |= path.last() == Some(&bits.name));
    spoken_of
}
