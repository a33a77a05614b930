//! The objects of a layer, taken out of its quadtree.

use std::collections::HashMap;

use super::show;
use super::side::Side;
use crate::alb1::terrain::hash;
use crate::alb1::tree::{Object, Version, objects};
use crate::alb1::{self, Field, Value};

/// An object of a layer.
#[derive(Debug)]
pub(super) struct Placed {
    /// The name of its template in quotes, or the hash where no name has it.
    pub(super) template: String,
    pub(super) object: Object,
    /// How many objects with the same id are listed before it.
    pub(super) earlier: usize,
}

/// The objects of a layer by their ids, if that is what the field of this object holds.
///
/// Where the quadtree cannot be read, its bytes are compared.
pub(super) fn placed(side: &Side<'_>, layer: &alb1::Object, field: &Field) -> Option<Vec<Placed>> {
    let Value::Raw(tree) = &field.value else { return None };
    if side.strict || side.class(layer) != "CLayer" || side.tag(field.tag) != "tree" {
        return None;
    }
    let version = side.get(layer, "mlayerVersion")?.as_integer()?;
    let version = Version::of_layer_version(i32::try_from(version).ok()?);
    let names = names(side, layer);
    let mut all = Vec::new();
    for found in objects(tree, version) {
        let (template, object) = found.ok()?;
        let template = names.get(&template).cloned();
        let template = template.unwrap_or_else(|| format!("0x{template:08x}"));
        all.push(Placed { template, object, earlier: 0 });
    }
    // Those that share an id are in the order of what they are: where they stand in the tree may
    // change with it.
    all.sort_by_cached_key(|one| {
        let bits = one.numbers().map(|(_, number)| number.to_bits());
        (one.object.id, one.template.clone(), bits)
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

/// Names of templates by hash: the keys of the layer's second `libs`. A template that is a copy and
/// was renamed to `name_1` keeps the hash of `name`.
fn names(side: &Side<'_>, layer: &alb1::Object) -> HashMap<u32, String> {
    let mut names = HashMap::new();
    let libs = side.document.tags.id("libs");
    let templates = libs.and_then(|libs| layer.all(libs).nth(1)).and_then(Value::as_array);
    let pairs = templates.unwrap_or_default().iter().filter_map(|pair| pair.value.as_pair());
    let keys: Vec<_> = pairs.filter_map(|[key, _]| key.value.as_text()).collect();
    for key in &keys {
        names.entry(hash(key.as_bytes())).or_insert_with(|| show::quoted(&key.to_str()));
    }
    for key in keys {
        let bytes = key.as_bytes();
        let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (name, _) = bytes.split_at(bytes.len() - digits);
        if let ([name @ .., b'_'], 1..) = (name, digits) {
            names.entry(hash(name)).or_insert_with(|| show::quoted(&key.to_str()));
        }
    }
    names
}

impl Placed {
    /// What to call it among the objects of its layer.
    pub(super) fn name(&self) -> String {
        match self.earlier {
            0 => format!("id {}", self.object.id),
            earlier => format!("id {} again {earlier}", self.object.id),
        }
    }

    /// Its numbers, with their names; the first two are its place on the map.
    pub(super) fn numbers(&self) -> [(&'static str, f64); 7] {
        let Object { x, y, yaw, pitch, roll, scale, z, id: _ } = self.object;
        let wide = |(name, number): (&'static str, f32)| (name, f64::from(number));
        let [yaw, pitch, roll, scale, z] =
            [("yaw", yaw), ("pitch", pitch), ("roll", roll), ("scale", scale), ("z", z)].map(wide);
        [("x", x), ("y", y), yaw, pitch, roll, scale, z]
    }
}
