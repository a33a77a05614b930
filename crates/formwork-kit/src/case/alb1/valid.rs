//! Files that every reader has to read.

use arbitrary::{Result, Unstructured};
use formwork_alb1::generate::{Generator, document};
use formwork_alb1::record::ArrayRecord;
use formwork_alb1::tree::{Tree, Version};
use formwork_alb1::{Document, FieldType, Item};
use formwork_records::generate::choice::chance;
use formwork_records::schema::Sizes;
use formwork_variant::generate::Config;

use super::{small, terrain};
use crate::case::{Broken, Made};

/// Makes a file that is right: one field alone, objects of the classes as Terrain Builder writes them,
/// or any fields in any order.
///
/// Uses the limits of the [`Config`], and its shares of single fields, boundary values and unusual forms.
pub(crate) fn valid(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    if chance(u, config.single_percent)? {
        let (field_type, document) = small::single(u, config)?;
        return Ok(made(field_type.variant(), &document));
    }
    let swarm = Swarm::of(u, config)?;
    match u.int_in_range(0..=3_u8)? {
        0 => {
            let root = *u.choose(&terrain::ROOTS)?;
            Ok(made(root.name, &terrain::file(u, &swarm.config, root)?))
        }
        1 => {
            let document = document(u, &swarm.config)?;
            let class = document.class_name(&document.root);
            let root = terrain::ROOTS.iter().find(|root| root.name == class);
            Ok(made(root.map_or("", |root| root.name), &document))
        }
        _ => {
            let mut document = small::document();
            let mut generator = Generator::new(u, &swarm.config).with_types(swarm.types);
            document.root.fields = generator.fields(&document, 1)?;
            Ok(made(small::ROOT_CLASS, &document))
        }
    }
}

/// A case without a fault.
pub(super) fn made(subject: &'static str, document: &Document) -> Made {
    Made { bytes: small::written(document), subject, broken: None, pair: None }
}

/// The parts that a file is made of: all of them in half of the cases, else a subset.
struct Swarm {
    config: Config,
    types: Vec<FieldType>,
}

impl Swarm {
    fn of(u: &mut Unstructured<'_>, config: &Config) -> Result<Self> {
        let mut config = config.clone();
        if u.arbitrary()? {
            return Ok(Self { config, types: FieldType::ALL.to_vec() });
        }
        config.max_depth = u.int_in_range(0..=config.max_depth)?;
        config.max_nodes = u.int_in_range(0..=config.max_nodes)?;
        config.max_count = u.int_in_range(0..=config.max_count)?;
        config.max_bytes = u.int_in_range(0..=config.max_bytes)?;
        config.odd_values &= u.arbitrary::<bool>()?;
        let chosen: u32 = u.arbitrary()?;
        let types = FieldType::ALL.iter().copied();
        let types = types.filter(|one| chosen >> one.id() & 1 == 1).collect();
        Ok(Self { config, types })
    }
}

/// Returns the rule that the quadtree of an object layer breaks, if it has one, and where in the file.
pub(crate) fn quadtree_fault(document: &Document) -> Option<Broken> {
    let tag = |name| document.tags.id(name);
    let version = document.root.get(tag(small::VERSION)?)?.as_integer()?;
    let tree = tag(small::TREE)?;
    let is_tree = |item: &Item<'_>| item.field.is_some_and(|field| field.tag == tree);
    let item = document.walk().filter(|item| item.depth == 1).find(is_tree)?;
    let version = Version::of_layer_version(i32::try_from(version).ok()?);
    let error = Tree::read(item.value()?.as_raw()?, version).err()?;
    let start = item.value_offset() + ArrayRecord::HEAD_SIZE as u64;
    Some(Broken { rule: error.rule(), offset: start + error.offset() })
}
