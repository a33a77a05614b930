//! The objects of a layer, taken out of its quadtree.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use super::show;
use super::side::{Counted, Side};
use crate::terrain::{ObjectLayer, Tags, Templates, Typed};
use crate::tree::{Object, objects};
use crate::{Text, Value};
use formwork_records::wire::Components;

/// An object of a layer.
#[derive(Debug)]
pub(super) struct Placed {
    /// The name of its template in quotes, or the hash where no name has it.
    pub(super) template: Rc<str>,
    pub(super) object: Object,
    /// How many objects with the same id are listed before it.
    pub(super) earlier: usize,
}

/// The objects of a layer by their ids, if that is what the field of this object holds.
///
/// If the quadtree cannot be read, its bytes are compared instead.
pub(super) fn placed(
    side: &Side<'_>,
    layer: &crate::Object,
    counted: &Counted<'_>,
) -> Option<Vec<Placed>> {
    let Value::Raw(tree) = &counted.field.value else { return None };
    // Of several the first, as everywhere.
    let is_tree = side.document.tags.id(Tags::<ObjectLayer>::tree) == Some(counted.field.tag)
        && counted.earlier.unwrap_or_default() == 0;
    if side.strict || !is_tree || side.class(layer) != ObjectLayer::CLASS.name {
        return None;
    }
    let version = side.tree_version(layer)?;
    let templates = templates(side, layer);
    // What each hash is called, written once.
    let mut names: HashMap<u32, Rc<str>> = HashMap::new();
    let mut all = Vec::new();
    for found in objects(tree, version) {
        let (hash, object) = found.ok()?;
        let template =
            names.entry(hash).or_insert_with(|| called(hash, templates.name_of(hash)).into());
        let template = Rc::clone(template);
        all.push(Placed { template, object, earlier: 0 });
    }
    // Objects with the same id are sorted by their content, because their order in the tree may change with it.
    all.sort_by(|one, other| {
        let bits = |placed: &Placed| placed.object.to_components();
        one.object.id.cmp(&other.object.id).then_with(|| {
            one.template.cmp(&other.template).then_with(|| bits(one).cmp(&bits(other)))
        })
    });
    let mut last = None;
    for one in &mut all {
        one.earlier = match last {
            Some((id, earlier)) if id == one.object.id => earlier + 1,
            _ => 0,
        };
        last = Some((one.object.id, one.earlier));
    }
    Some(all)
}

/// Returns what to call the template with this hash: its name in quotes, or the hash.
pub(super) fn called(hash: u32, name: Option<&Text>) -> String {
    name.map_or_else(|| format!("0x{hash:08x}"), |name| show::quoted(&name.to_str()))
}

/// The templates that the layer lists: the keys of its second `libs`.
pub(super) fn templates(side: &Side<'_>, layer: &crate::Object) -> Templates {
    let libs = side.document.tags.id(Tags::<ObjectLayer>::templates);
    let pairs = libs.and_then(|libs| layer.all(libs).nth(1)).and_then(Value::as_array);
    let pairs = pairs.unwrap_or_default().iter().filter_map(|pair| pair.value.as_pair());
    let names = pairs.filter_map(|[name, _]| name.value.as_text().cloned());
    // Which library each is of does not matter here.
    let templates = names.map(|name| (name, 0)).collect();
    Templates::from_layer(&ObjectLayer { templates, ..ObjectLayer::default() })
}

impl Placed {
    /// Returns the name of the object among the objects of its layer.
    pub(super) fn name(&self) -> String {
        match self.earlier {
            0 => format!("id {}", self.object.id),
            earlier => format!("id {} again {earlier}", self.object.id),
        }
    }

    /// Returns the key that pairs the object with an object of another layer.
    pub(super) fn key(&self) -> (u32, usize) {
        (self.object.id, self.earlier)
    }

    /// Whether the two are the same, bit for bit.
    pub(super) fn is_identical(&self, other: &Self) -> bool {
        let bits = |placed: &Self| placed.object.to_components();
        self.template == other.template && bits(self) == bits(other)
    }

    /// Returns the position on the map, in metres.
    pub(super) fn position(&self) -> String {
        format!("[{}, {}]", show::double(self.object.x), show::double(self.object.y))
    }

    /// The other numbers, with their names.
    pub(super) fn turns(&self) -> [(&'static str, String); 5] {
        let Object { yaw, pitch, roll, scale, z, x: _, y: _, id: _ } = self.object;
        [("yaw", yaw), ("pitch", pitch), ("roll", roll), ("scale", scale), ("z", z)]
            .map(|(name, number)| (name, show::float(number)))
    }
}

/// All but the id, on a line.
impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.template, self.position())?;
        self.turns().iter().try_for_each(|(name, number)| write!(f, " {name}={number}"))
    }
}
