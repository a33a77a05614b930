//! Values whose shape alone is odd.

use arbitrary::{Result, Unstructured};
use formwork_variant::dialect::{Dialect, ObjectForms};
use formwork_variant::generate::Config;
use formwork_variant::{Dictionary, Object, Real, Variant, VariantType};

use super::words;

/// Depth for an engine without a limit: deep, but less than its stack allows.
const DEEP: u32 = 512;

/// Writes the headers of `count` nested containers, each with one element or pair. The innermost is an array.
pub(super) fn levels(u: &mut Unstructured<'_>, dialect: Dialect, count: usize) -> Result<Vec<u8>> {
    let id = |variant_type| dialect.type_id(variant_type).map_or(0, u32::from);
    let array = words([id(VariantType::Array), 1]);
    // Its key is a null.
    let dictionary = words([id(VariantType::Dictionary), 1, 0]);
    let pattern = *u.choose(&[0_u8, 0xff, 0b1010_1010, 1])?;
    let mut bytes = Vec::with_capacity(count * dictionary.len());
    for level in 0..count {
        let is_array = pattern >> (level % 8) & 1 == 0 || level + 1 == count;
        bytes.extend_from_slice(if is_array { &array } else { &dictionary });
    }
    Ok(bytes)
}

/// A value as deep as the engine reads: its containers, and then a null.
pub(super) fn deepest(u: &mut Unstructured<'_>, dialect: Dialect) -> Result<Vec<u8>> {
    let mut bytes = levels(u, dialect, dialect.quirks().depth.unwrap_or(DEEP) as usize)?;
    bytes.extend([0; 4]);
    Ok(bytes)
}

/// A value that engines write, though seldom: with nothing in it, odd keys, or numbers at the edges.
pub(super) fn odd<R: Real>(
    u: &mut Unstructured<'_>,
    dialect: Dialect,
    config: &Config,
) -> Result<Variant<R>> {
    match u.int_in_range(0..=3_u8)? {
        0 => {
            let config = Config {
                max_nodes: 4,
                max_bytes: 0,
                max_count: 1,
                max_string_bytes: 0,
                ..config.clone()
            };
            formwork_variant::generate::variant(u, dialect, &config)
        }
        1 => odd_key(u, dialect, config),
        _ => {
            let config = Config { boundary_percent: 100, ..config.clone() };
            formwork_variant::generate::variant(u, dialect, &config)
        }
    }
}

/// A dictionary with one key, of any type.
fn odd_key<R: Real>(
    u: &mut Unstructured<'_>,
    dialect: Dialect,
    config: &Config,
) -> Result<Variant<R>> {
    let key = match u.int_in_range(0..=5_u8)? {
        0 => Variant::Nil,
        1 => Variant::Float(f64::NAN),
        2 => Variant::Array(vec![Variant::Array(Vec::new().into())].into()),
        3 => Variant::Dictionary(Dictionary::from(vec![(Variant::Nil, Variant::Nil)])),
        4 if dialect.quirks().objects == ObjectForms::IdOrFull => Variant::Object(Object::Id(7)),
        _ => formwork_variant::generate::variant(u, dialect, config)?,
    };
    Ok(Variant::Dictionary(Dictionary::from(vec![(key, Variant::Bool(true))])))
}
