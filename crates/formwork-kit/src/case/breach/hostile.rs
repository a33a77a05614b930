//! Packets and files with much wrong, or with more than a reader would like.

use arbitrary::{Result, Unstructured};
use formwork_records::generate::choice::chance;
use formwork_variant::VariantType;
use formwork_variant::codec::Strictness;
use formwork_variant::dialect::Dialect;
use formwork_variant::generate::{Config, interesting};

use super::{Maker, words};
use crate::Format;
use crate::case::made::Made;
use crate::case::{Reading, alb1};

/// Bytes of the largest packet, for each byte of [`Config::max_bytes`]: a mebibyte by default.
pub(crate) const FACTOR: usize = 256;

/// A packet that is anything: with many rules broken, random, or valid and very large.
///
/// It has at most [`FACTOR`] times [`Config::max_bytes`] bytes (and never less room than 64). Nearly
/// all are small, so that a million of them are soon read; one in 16 may be of any size up to that.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub(crate) fn hostile(
    u: &mut Unstructured<'_>,
    reading: &Reading,
    config: &Config,
) -> Result<Option<Made>> {
    let most = config.max_bytes.saturating_mul(FACTOR).max(64);
    let (mut bytes, subject) = match reading.format {
        _ if chance(u, 40)? => {
            let subject = if reading.format == Format::Alb1 { "Document" } else { "packet" };
            (Maker::new(reading, config, Strictness::Engine).damaged(u)?, subject)
        }
        Format::Variant(dialect) => bomb(u, dialect, most)?,
        Format::Alb1 => alb1::hostile(u, config)?,
    };
    bytes.truncate(most);
    Ok(Some(Made { bytes, subject, broken: None, pair: None }))
}

/// A packet that is random, or with more than a reader would like.
fn bomb(
    u: &mut Unstructured<'_>,
    dialect: Dialect,
    most: usize,
) -> Result<(Vec<u8>, &'static str)> {
    let any = u.ratio(1, 16)?;
    // As often as a small one comes one twice as large.
    let size = (most >> u.int_in_range(0..=12_u8)?).max(64);
    let size = if any { size } else { size.min(SMALL) };
    let hostile = Hostile { dialect, size };
    Ok(match u.int_in_range(0..=6_u8)? {
        0 => (hostile.random_bytes(u)?, "packet"),
        1 => (hostile.random_words(u)?, "packet"),
        2 => hostile.nested(u)?,
        3 => hostile.wide(u)?,
        4 => hostile.colliding(u)?,
        5 => hostile.large(u)?,
        _ => hostile.nested_lies(u)?,
    })
}

/// Bytes that most packets have at most.
const SMALL: usize = 1024;

/// The purpose and the maximal size of a packet.
struct Hostile {
    dialect: Dialect,
    size: usize,
}

impl Hostile {
    fn id(&self, variant_type: VariantType) -> u32 {
        self.dialect.type_id(variant_type).map_or(0, u32::from)
    }

    fn name(&self, variant_type: VariantType) -> &'static str {
        self.dialect.type_name(variant_type)
    }

    fn random_bytes(&self, u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let mut bytes = vec![0; u.int_in_range(0..=self.size.min(SMALL))?];
        u.fill_buffer(&mut bytes)?;
        Ok(bytes)
    }

    /// A word that looks like a header, a count or a number.
    fn random_word(&self, u: &mut Unstructured<'_>) -> Result<u32> {
        Ok(match u.int_in_range(0..=7_u8)? {
            0..=2 => u.int_in_range(0..=self.dialect.rows().len() as u32)?,
            3 => {
                let id = u.int_in_range(0..=self.dialect.rows().len() as u32)?;
                id | u.int_in_range(0..=15_u32)? << 16
            }
            4 => interesting::word(u)?,
            5 => u.int_in_range(0..=8_u32)? | 1 << 31,
            6 => u.arbitrary()?,
            _ => u.int_in_range(0..=8)?,
        })
    }

    fn random_words(&self, u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let count = u.int_in_range(1..=(self.size / 4).min(SMALL / 4))?;
        while bytes.len() < 4 * count && !u.is_empty() {
            bytes.extend(self.random_word(u)?.to_le_bytes());
        }
        // Half of the time the end is not at a word.
        if u.arbitrary()? {
            bytes.truncate(bytes.len().saturating_sub(u.int_in_range(1..=3)?));
        }
        Ok(bytes)
    }

    /// Containers in each other, as many as there is room for: whole, or without an end.
    fn nested(&self, u: &mut Unstructured<'_>) -> Result<(Vec<u8>, &'static str)> {
        let variant_type = *u.choose(&[VariantType::Array, VariantType::Dictionary])?;
        let (open, close) = if variant_type != VariantType::Dictionary {
            (words([self.id(variant_type), 1]), Vec::new())
        } else if u.arbitrary()? {
            // The value follows the key.
            (words([self.id(variant_type), 1]), vec![0; 4])
        } else {
            (words([self.id(variant_type), 1, 0]), Vec::new())
        };
        let levels = (self.size.saturating_sub(4) / (open.len() + close.len())).max(1);
        let mut bytes = open.repeat(levels);
        if u.ratio(3, 4)? {
            bytes.extend([0; 4]);
            bytes.extend(close.repeat(levels));
        }
        Ok((bytes, self.name(variant_type)))
    }

    /// A container with as many elements as there is room for, in which one may be wrong.
    fn wide(&self, u: &mut Unstructured<'_>) -> Result<(Vec<u8>, &'static str)> {
        let array = self.id(VariantType::Array);
        let element = match u.int_in_range(0..=3_u8)? {
            0 => words([self.id(VariantType::Nil)]).to_vec(),
            1 => words([self.id(VariantType::Bool), 1]),
            2 => words([array, 0]),
            _ => words([self.id(VariantType::String), 0]),
        };
        let count = self.size.saturating_sub(8) / element.len();
        let mut bytes = words([array, count as u32]);
        bytes.extend(element.repeat(count));
        if u.ratio(1, 4)? {
            let at = 4 * u.choose_index(bytes.len() / 4)?;
            let word = self.random_word(u)?.to_le_bytes();
            bytes.splice(at..at + 4, word);
        }
        Ok((bytes, self.name(VariantType::Array)))
    }

    /// A dictionary whose keys have the same hash to those who look only at a part of them, or are
    /// the same.
    fn colliding(&self, u: &mut Unstructured<'_>) -> Result<(Vec<u8>, &'static str)> {
        let (int, float) = (self.id(VariantType::Int), self.id(VariantType::Float));
        let string = self.id(VariantType::String);
        let array = self.id(VariantType::Array);
        let kind = u.int_in_range(0..=5_u8)?;
        let flag = if self.dialect.quirks().whole_header { 0 } else { 1 << 16 };
        let key = |index: u32| match kind {
            // The low 32 bits are the same.
            0 if flag != 0 => words([int | flag, 7, index]),
            0 | 1 => words([int, index.wrapping_mul(0x1_0001)]),
            // NaNs, each with another payload.
            2 if flag != 0 => words([float | flag, index, 0x7ff8_0000]),
            2 => words([float, 0x7fc0_0000 | index]),
            // Texts of the same length that differ at their end.
            3 => {
                let mut key = words([string, 16]);
                key.extend(format!("{index:016x}").bytes());
                key
            }
            4 => words([array, 1, array, 0]),
            // The same key again and again.
            _ => words([string, 0]),
        };
        let size = key(0).len() + 4;
        let count = (self.size.saturating_sub(8) / size) as u32;
        let mut bytes = words([self.id(VariantType::Dictionary), count]);
        for index in 0..count {
            bytes.extend(key(index));
            bytes.extend([0; 4]);
        }
        Ok((bytes, self.name(VariantType::Dictionary)))
    }

    /// A large value that is valid: bytes, numbers or a text.
    fn large(&self, u: &mut Unstructured<'_>) -> Result<(Vec<u8>, &'static str)> {
        let size = self.size.saturating_sub(8) / 4 * 4;
        let (variant_type, count) = *u.choose(&[
            (VariantType::PackedByteArray, size),
            (VariantType::PackedInt32Array, size / 4),
            (VariantType::PackedFloat32Array, size / 4),
            (VariantType::String, size),
            (VariantType::PackedStringArray, size / 8),
        ])?;
        let mut bytes = words([self.id(variant_type), count as u32]);
        if variant_type == VariantType::PackedStringArray {
            // Empty, each with its zero byte and padding.
            bytes.extend(words([1, 0]).repeat(count));
        } else {
            bytes.resize(8 + size, b'x');
        }
        Ok((bytes, self.name(variant_type)))
    }

    /// Containers in each other of which each claims as many elements as a word can say.
    fn nested_lies(&self, u: &mut Unstructured<'_>) -> Result<(Vec<u8>, &'static str)> {
        let variant_type = *u.choose(&[VariantType::Array, VariantType::Dictionary])?;
        let most = (self.size / 8) as u32;
        let claim = match u.int_in_range(0..=3_u8)? {
            0 => i32::MAX as u32,
            // The rest could hold this number of elements, but not this number at each level.
            1 => most / 2,
            2 => most.saturating_sub(1),
            _ => interesting::word(u)?,
        };
        let front = words([self.id(variant_type), claim]);
        let bytes = front.repeat((self.size / front.len()).max(1));
        Ok((bytes, self.name(variant_type)))
    }
}
