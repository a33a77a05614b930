//! Files that break exactly one rule, by a table with a row for each way to break it.
//!
//! Our own reader says where: files of which it says something else are not used.

mod cut;
mod draft;
mod nest;
mod size;
mod start;

use arbitrary::{Result, Unstructured};
use formwork_alb1::FieldType;
use formwork_variant::Rule;
use formwork_variant::generate::Config;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::small;
use crate::case::Made;

/// A file with a fault in it.
struct Faulty {
    bytes: Vec<u8>,
    subject: &'static str,
}

/// A file with a fault; none where the file that was made has no place for it.
type Tried = Result<Option<Faulty>>;

/// A way to break a rule.
pub(super) struct Breach {
    /// Name of the change.
    pub(super) name: &'static str,
    /// The rule.
    pub(super) rule: Rule,
    /// Makes a file.
    make: fn(&mut Unstructured<'_>, &Config) -> Tried,
}

macro_rules! breaches {
    ($( $(#[doc = $doc:literal])+ $($rule:ident)::+: $module:ident::$make:ident; )+) => {
        /// Every way to break a rule.
        pub(super) const BREACHES: &[Breach] = &[ $(
            Breach {
                name: concat!(stringify!($module), "::", stringify!($make)),
                rule: $($rule)::+,
                make: $module::$make,
            },
        )+ ];
    };
}

breaches! {
    /// The file does not start with `ALB1`.
    formwork_alb1::rule::HEADER: start::magic;
    /// The format version is not 1.
    formwork_alb1::rule::HEADER: start::version;
    /// A table has another id.
    formwork_alb1::rule::TABLE: start::table_id;
    /// Swaps the two tables.
    formwork_alb1::rule::TABLE: start::tables_swapped;
    /// The type byte of a table is not 0x0F.
    formwork_alb1::rule::TABLE: start::table_type;
    /// The tag table counts one entry less than it has.
    formwork_alb1::rule::TABLE: start::table_count;
    /// The type of a field is 0x00 or above 0x15.
    formwork_alb1::rule::FIELD_TYPE: start::field_type;
    /// An object or array says that it has fewer bytes than its own words take.
    formwork_alb1::rule::BLOB_SIZE: size::too_small;
    /// An object ends inside one of its fields.
    formwork_alb1::rule::BLOB_SIZE: size::object_shrunk;
    /// An array of fields ends inside its last element.
    formwork_alb1::rule::BLOB_SIZE: size::list_shrunk;
    /// Extends an object into the following field.
    formwork_alb1::rule::BLOB_SIZE: size::object_grown;
    /// An object or array reaches beyond the one that it is in.
    formwork_alb1::rule::BLOB_SIZE: size::beyond_parent;
    /// A string or an array of numbers reaches beyond the object or array that it is in.
    formwork_alb1::rule::BLOB_SIZE: size::count_beyond_parent;
    /// An array has room for another element, but not the element.
    formwork_alb1::rule::BLOB_SIZE: size::element_missing;
    /// The second half of a pair is missing in the object that it is in.
    formwork_alb1::rule::BLOB_SIZE: size::half_missing;
    /// An array counts more elements than it has room for.
    formwork_alb1::rule::ARRAY: size::list_count_above;
    /// An array counts fewer elements than it has.
    formwork_alb1::rule::ARRAY: size::list_count_below;
    /// Extends an array of fields into the bytes that follow it.
    formwork_alb1::rule::ARRAY: size::list_grown;
    /// An array of fields is so short that its elements have no room.
    formwork_alb1::rule::ARRAY: size::list_squeezed;
    /// An array of raw bytes does not count its bytes.
    formwork_alb1::rule::ARRAY: size::raw_count;
    /// The size of an array of raw bytes is not that of its bytes.
    formwork_alb1::rule::ARRAY: size::raw_size;
    /// The file ends in its header.
    Rule::INPUT_COMPLETE: cut::header;
    /// The file ends in a table.
    Rule::INPUT_COMPLETE: cut::tables;
    /// Cuts the file before the class or the address of the root.
    Rule::INPUT_COMPLETE: cut::root;
    /// The file ends in tag and type of a field.
    Rule::INPUT_COMPLETE: cut::head_of_field;
    /// The file ends in a value.
    Rule::INPUT_COMPLETE: cut::value;
    /// The file ends in a string or in numbers.
    Rule::INPUT_COMPLETE: cut::counted;
    /// The file ends in an object or array.
    Rule::INPUT_COMPLETE: cut::blob;
    /// An object or array reaches beyond the file.
    Rule::INPUT_COMPLETE: cut::blob_beyond;
    /// A string or an array of numbers reaches beyond the file.
    Rule::INPUT_COMPLETE: cut::count_beyond;
    /// One object too many is in others.
    Rule::DEPTH_LIMIT: nest::objects;
    /// One array too many is in others.
    Rule::DEPTH_LIMIT: nest::arrays;
    /// One pair too many is in others.
    Rule::DEPTH_LIMIT: nest::pairs;
    /// One too many of any of them.
    Rule::DEPTH_LIMIT: nest::mixed;
}

/// Seeds with which each way to break a rule is tried.
const SEEDS: u64 = 8;

/// Bytes of a seed.
const SEED: usize = 512;

/// Returns files that break exactly one rule: several for each way to do so, with what they are about and the way's
/// name.
pub(crate) fn each() -> impl Iterator<Item = (&'static str, String, Vec<u8>)> {
    let made = |breach: &Breach, seed| {
        let mut bits = [0; SEED];
        Xoshiro256PlusPlus::seed_from_u64(seed).fill_bytes(&mut bits);
        let made = breach.made(&mut Unstructured::new(&bits), &Config::default()).ok().flatten()?;
        Some((made.subject, breach.name.replace("::", "-").replace('_', "-"), made.bytes))
    };
    BREACHES.iter().flat_map(move |breach| (0..SEEDS).filter_map(move |seed| made(breach, seed)))
}

/// Makes a file that breaks exactly one rule; all else in it is right. None where the seed led to no
/// place to break.
pub(crate) fn near_valid(u: &mut Unstructured<'_>, config: &Config) -> Result<Option<Made>> {
    let breach = u.choose(BREACHES)?;
    breach.made(u, config)
}

impl Breach {
    pub(super) fn made(&self, u: &mut Unstructured<'_>, config: &Config) -> Result<Option<Made>> {
        let faulty = (self.make)(u, config)?;
        let made = faulty.map(|Faulty { bytes, subject }| small::judged(subject, bytes));
        Ok(made.filter(|made| made.broken.is_some_and(|broken| broken.rule == self.rule)))
    }
}

impl Faulty {
    /// A file with a field of a type that is broken.
    fn about(field_type: FieldType, bytes: Vec<u8>) -> Option<Self> {
        Some(Self { bytes, subject: field_type.variant() })
    }
}

/// Replaces bytes; what would not fit is left out.
pub(super) fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..new.len())) {
        place.copy_from_slice(new);
    }
}

/// A number from `least` to `most`: often one of the two, or close to them. None where there is none.
fn between(u: &mut Unstructured<'_>, least: usize, most: usize) -> Result<Option<usize>> {
    if least > most {
        return Ok(None);
    }
    Ok(Some(match u.int_in_range(0..=3_u8)? {
        0 | 1 => least,
        2 => most,
        _ => u.int_in_range(least..=most)?,
    }))
}
