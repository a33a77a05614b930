//! Files that break exactly one rule, by a table with a row for each way to break it.
//!
//! Where a reader can tell follows from the places of the fields and the declared records; the tests
//! compare it with what our reader says.

mod cut;
mod draft;
mod nest;
mod size;
mod start;

use arbitrary::{Result, Unstructured};

use crate::alb1::FieldType;
use crate::error::Rule;
use crate::generate::Config;
use crate::generate::case::{Broken, Made};

/// A file with a fault in it.
struct Faulty {
    bytes: Vec<u8>,
    subject: &'static str,
    /// Where a reader can tell.
    offset: usize,
}

/// A way to break a rule.
pub(super) struct Breach {
    /// What is done: for tests.
    #[cfg_attr(not(test), allow(dead_code, reason = "tests name the breaches"))]
    pub(super) name: &'static str,
    /// The rule.
    pub(super) rule: Rule,
    /// Makes a file; none where the file that was made has no place for it.
    make: fn(&mut Unstructured<'_>, &Config) -> Result<Option<Faulty>>,
}

macro_rules! breaches {
    ($( $(#[doc = $doc:literal])+ $rule:ident: $module:ident::$make:ident; )+) => {
        /// Every way to break a rule.
        pub(super) const BREACHES: &[Breach] = &[ $(
            Breach {
                name: concat!(stringify!($module), "::", stringify!($make)),
                rule: Rule::$rule,
                make: $module::$make,
            },
        )+ ];
    };
}

breaches! {
    /// The file does not start with `ALB1`.
    Alb1Header: start::magic;
    /// The format version is not 1.
    Alb1Header: start::version;
    /// A table has another id.
    Alb1Table: start::table_id;
    /// The tables stand in the wrong order.
    Alb1Table: start::tables_swapped;
    /// The type byte of a table is not 0x0F.
    Alb1Table: start::table_type;
    /// The tag table counts one entry less than it has.
    Alb1Table: start::table_count;
    /// The type of a field is 0x00 or above 0x15.
    Alb1FieldType: start::field_type;
    /// An object or array says that it has fewer bytes than its own words take.
    Alb1BlobSize: size::too_small;
    /// An object ends inside one of its fields.
    Alb1BlobSize: size::object_shrunk;
    /// An array of fields ends inside its last element.
    Alb1BlobSize: size::list_shrunk;
    /// An object reaches into the field behind it.
    Alb1BlobSize: size::object_grown;
    /// An object or array reaches beyond the one that it is in.
    Alb1BlobSize: size::beyond_parent;
    /// A string or an array of numbers reaches beyond the object or array that it is in.
    Alb1BlobSize: size::count_beyond_parent;
    /// An array has room for another element, but not the element.
    Alb1BlobSize: size::element_missing;
    /// The second half of a pair is missing in the object that it is in.
    Alb1BlobSize: size::half_missing;
    /// An array counts more elements than it has room for.
    Alb1Array: size::list_count_above;
    /// An array counts fewer elements than it has.
    Alb1Array: size::list_count_below;
    /// An array of fields reaches into what is behind it.
    Alb1Array: size::list_grown;
    /// An array of fields is so short that its elements have no room.
    Alb1Array: size::list_squeezed;
    /// An array of raw bytes does not count its bytes.
    Alb1Array: size::raw_count;
    /// The size of an array of raw bytes is not that of its bytes.
    Alb1Array: size::raw_size;
    /// The file ends in its header.
    InputComplete: cut::header;
    /// The file ends in a table.
    InputComplete: cut::tables;
    /// The file ends in front of the class or the address of the root.
    InputComplete: cut::root;
    /// The file ends in tag and type of a field.
    InputComplete: cut::head_of_field;
    /// The file ends in a value.
    InputComplete: cut::value;
    /// The file ends in a string or in numbers.
    InputComplete: cut::counted;
    /// The file ends in an object or array.
    InputComplete: cut::blob;
    /// An object or array reaches beyond the file.
    InputComplete: cut::blob_beyond;
    /// A string or an array of numbers reaches beyond the file.
    InputComplete: cut::count_beyond;
    /// One object too many is in others.
    DepthLimit: nest::objects;
    /// One array too many is in others.
    DepthLimit: nest::arrays;
    /// One pair too many is in others.
    DepthLimit: nest::pairs;
    /// One too many of any of them.
    DepthLimit: nest::mixed;
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
        Ok(faulty.map(|Faulty { bytes, subject, offset }| {
            let broken = Some(Broken { rule: self.rule, offset: offset as u64 });
            Made { bytes, subject, broken, pair: None }
        }))
    }
}

impl Faulty {
    /// A file with a field of a type that is broken.
    fn about(field_type: FieldType, bytes: Vec<u8>, offset: usize) -> Option<Self> {
        Some(Self { bytes, subject: field_type.variant(), offset })
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
