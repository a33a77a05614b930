//! Puts a set of roads into a project.

use std::collections::HashSet;

use formwork_alb1::Text;
use formwork_alb1::terrain::{PartKind, Project, RoadDefinition};

use super::{Result, RoadSet, RoadSetError, inexpressible};

impl RoadSet {
    /// Puts the types of road and crossroads into a project, after the existing ones. With `replace`, new ones replace
    /// existing ones of the same name; the parts of placed roads are found again by their models.
    ///
    /// The project is only changed if there is no error.
    ///
    /// # Errors
    ///
    /// Returns an error if names exist already (without `replace`), if two types of road or two crossroads of the set
    /// have the same name, if a colour, text or number cannot be expressed, if a crossroad continues with a type that
    /// neither has, or if a part of a placed road is not in the type that replaces its type.
    pub fn put_into(&self, project: &mut Project, replace: bool) -> Result<PutTypes> {
        refuse_twice(self.roads.iter().map(|road| &road.name))?;
        refuse_twice(self.crossroads.iter().map(|crossroad| &crossroad.name))?;
        let base = &project.objects.road_base;
        if !replace {
            let there = |name: &String| {
                base.roads.iter().any(|there| there.name == **name)
                    || base.crossroads.iter().any(|there| there.name == **name)
            };
            let names = self.names().filter(|name| there(name));
            let names: Vec<_> = names.cloned().collect();
            if !names.is_empty() {
                return Err(RoadSetError::Exists(names));
            }
        }
        let mut changed = project.clone();
        let mut put = PutTypes::default();
        for road in &self.roads {
            let mut new = road.definition()?;
            let roads = &mut changed.objects.road_base.roads;
            let Some(index) = roads.iter().position(|there| there.name == new.name) else {
                roads.push(new);
                put.added += 1;
                continue;
            };
            if let Some(old) = roads.get_mut(index) {
                keep_addresses(old, &mut new);
                let old = std::mem::replace(old, new.clone());
                find_parts_again(&mut changed, index, &old, &new)?;
                put.replaced += 1;
            }
        }
        for crossroad in &self.crossroads {
            let base = &mut changed.objects.road_base;
            let mut new = crossroad.definition(&base.roads)?;
            match base.crossroads.iter_mut().find(|there| there.name == new.name) {
                Some(old) => {
                    new.address = old.address;
                    *old = new;
                    put.replaced += 1;
                }
                None => {
                    base.crossroads.push(new);
                    put.added += 1;
                }
            }
        }
        *project = changed;
        Ok(put)
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        let roads = self.roads.iter().map(|road| &road.name);
        roads.chain(self.crossroads.iter().map(|crossroad| &crossroad.name))
    }
}

/// Returns an error for a name that occurs twice: the second would replace the first.
fn refuse_twice<'n>(names: impl Iterator<Item = &'n String>) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return inexpressible(name, "the set has this name twice");
        }
    }
    Ok(())
}

/// The numbers of types put into a project.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PutTypes {
    /// The number of added ones.
    pub added: usize,
    /// The number of replaced ones.
    pub replaced: usize,
}

/// Keeps the addresses of the unchanged objects in a type of road that is replaced.
fn keep_addresses(old: &RoadDefinition, new: &mut RoadDefinition) {
    new.address = old.address;
    macro_rules! parts {
        ($($parts:ident)+) => { $(
            for part in &mut new.$parts {
                let same = old.$parts.iter().find(|there| there.name == part.name);
                part.address = same.map_or(0, |there| there.address);
            }
        )+ };
    }
    parts! { straights curves terminators }
}

/// Parts of placed roads refer to the parts of their type by position. After `new` has replaced `old`, they are looked
/// up by model, and if the model is gone, by name.
fn find_parts_again(
    project: &mut Project,
    road: usize,
    old: &RoadDefinition,
    new: &RoadDefinition,
) -> Result<()> {
    let parts = project.objects.placed_roads.roads.iter_mut();
    let parts =
        parts.filter(|placed| usize::try_from(placed.road) == Ok(road)).flat_map(|placed| {
            let chains = placed.direction_a.iter_mut().chain(&mut placed.direction_b);
            chains.chain(&mut placed.direction_c).chain(&mut placed.direction_d)
        });
    for part in parts {
        let (before, after) = (list(old, part.kind), list(new, part.kind));
        let Some((name, model)) = usize::try_from(part.part).ok().and_then(|at| before.get(at))
        else {
            continue;
        };
        let by_model = after.iter().position(|(_, there)| same(there, model));
        let found = by_model.or_else(|| after.iter().position(|(there, _)| same(there, name)));
        match found.map(i32::try_from) {
            Some(Ok(found)) => part.part = found,
            _ => {
                let why = format!("a road is placed with the part {name}, which the new one lacks");
                return inexpressible(&new.name.to_str(), why);
            }
        }
    }
    Ok(())
}

fn same(one: &Text, other: &Text) -> bool {
    one.as_bytes().eq_ignore_ascii_case(other.as_bytes())
}

/// Returns the names and models of the parts among which a kind chooses.
pub(super) fn list(road: &RoadDefinition, kind: i32) -> Vec<(&Text, &Text)> {
    match PartKind::of(kind) {
        Some(PartKind::Straight) => {
            road.straights.iter().map(|part| (&part.name, &part.model)).collect()
        }
        Some(PartKind::Curve | PartKind::CurveBackwards) => {
            road.curves.iter().map(|part| (&part.name, &part.model)).collect()
        }
        Some(PartKind::Terminator) => {
            road.terminators.iter().map(|part| (&part.name, &part.model)).collect()
        }
        _ => Vec::new(),
    }
}
