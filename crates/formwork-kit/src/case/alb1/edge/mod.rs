//! Files that are read, but that Terrain Builder would not write.
//!
//! There is no canonical strictness for ALB1: what is read is written back byte for byte. So a case breaks
//! no rule here, with one exception: a quadtree that is none. The reader of files takes it for raw
//! bytes and accepts it; the rule is what the reader of quadtrees says.

mod graph;
mod names;
mod quadtree;
mod value;

use arbitrary::{Result, Unstructured};
use formwork_alb1::generate::Generator;
use formwork_alb1::{Document, Field};
use formwork_variant::generate::Config;

use super::small;
use super::valid::made;
use crate::case::Made;

#[cfg(test)]
pub(super) use quadtree::tree_of;

/// A way to be odd.
pub(super) type Oddity = fn(&mut Unstructured<'_>, &Config) -> Result<Made>;

/// Every way to be odd.
pub(super) const ODDITIES: &[(&str, Oddity)] = &[
    ("a tag that the table does not have", names::unknown_tag),
    ("a class that the table does not have", names::unknown_class),
    ("odd entries of a table", names::odd_entries),
    ("a table without entries", names::empty_table),
    ("numbers in the header that no file has", names::header),
    ("addresses that come again", graph::repeated_addresses),
    ("an object at the address 0", graph::null_address),
    ("a pointer to nothing, to itself, to the root", graph::pointer),
    ("nesting up to the limit", graph::deep),
    ("a bool of neither 0 nor 1", value::bool_byte),
    ("a string of odd bytes", value::string),
    ("a number that is none", value::not_a_number),
    ("an array of elements of several types", value::mixed_array),
    ("raw bytes that could be fields, fields that could be raw bytes", value::lookalike),
    ("pairs of odd keys", value::keys),
    ("a tag that comes again in an object", value::repeated_tag),
    ("many fields in one object", value::wide),
    ("an object of a class with other fields than the class has", value::class),
    ("a quadtree that Terrain Builder would not build", quadtree::odd),
    ("a quadtree that is none", quadtree::broken),
];

/// Makes a file that is accepted, and unusual in one way.
pub(crate) fn edge(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let (_, make) = u.choose(ODDITIES)?;
    make(u, config)
}

/// A file with a few fields, which are not odd, and these among them.
fn with(
    u: &mut Unstructured<'_>,
    config: &Config,
    fields: impl IntoIterator<Item = Field>,
) -> Result<Document> {
    let mut document = small::document();
    let plain = Config {
        odd_values: false,
        max_count: config.max_count.min(3),
        max_nodes: config.max_nodes.min(6),
        ..config.clone()
    };
    let mut generator = Generator::new(u, &plain);
    document.root.fields = generator.fields(&document, 1)?;
    for field in fields {
        let position = u.int_in_range(0..=document.root.fields.len())?;
        document.root.fields.insert(position, small::surround(u, field)?);
    }
    Ok(document)
}

/// A file with one odd field.
fn one(
    u: &mut Unstructured<'_>,
    config: &Config,
    subject: &'static str,
    field: Field,
) -> Result<Made> {
    Ok(made(subject, &with(u, config, [field])?))
}
