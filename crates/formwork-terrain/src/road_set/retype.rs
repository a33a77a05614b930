//! Gives placed roads another type.

use std::collections::HashSet;

use formwork_alb1::Text;
use formwork_alb1::terrain::{PartKind, Project, RoadDefinition};

use super::put::list;
use super::{Result, inexpressible};

/// The numbers of what got another type.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Retyped {
    /// The number of placed roads.
    pub roads: usize,
    /// The number of their parts, key parts included.
    pub parts: usize,
}

/// Gives the placed roads at these positions the type at the position `road`, and their parts the models of that type.
/// A part is found again by the end of its name (`asf_25` becomes `ces_25`), and if none or several parts of the type
/// end so, by its position. Crossroads stay as they are: they belong to no type.
///
/// # Errors
///
/// Returns an error if the type is not there, or if it has no part for one of a road. The project is then unchanged.
pub fn retype(project: &mut Project, placed: &[usize], road: usize) -> Result<Retyped> {
    let objects = &mut project.objects;
    let types = &objects.road_base.roads;
    let Some((new, number)) = types.get(road).zip(i32::try_from(road).ok()) else {
        return inexpressible("the roads", format!("there is no type {road}"));
    };
    let placed: HashSet<usize> = placed.iter().copied().collect();
    let mut roads = objects.placed_roads.roads.clone();
    let mut done = Retyped::default();
    for (position, it) in roads.iter_mut().enumerate() {
        if it.road == number || !placed.contains(&position) {
            continue;
        }
        let old = usize::try_from(it.road).ok().and_then(|old| types.get(old));
        let fits = |kind: i32, at: Option<usize>, model: &Text| {
            counterpart(old, new, kind, at, model).or_else(|()| {
                let why = format!("it has no part like {model} of the placed road {position}");
                inexpressible(&new.name.to_str(), why)
            })
        };
        if let Some((_, model)) = fits(it.kind, None, &it.model)? {
            it.model = model;
        }
        let chains = it.direction_a.iter_mut().chain(&mut it.direction_b);
        for part in chains.chain(&mut it.direction_c).chain(&mut it.direction_d) {
            if let Some((at, model)) =
                fits(part.kind, usize::try_from(part.part).ok(), &part.model)?
            {
                (part.part, part.model) = (at, model);
            }
            done.parts += 1;
        }
        it.road = number;
        done.roads += 1;
        done.parts += 1;
    }
    objects.placed_roads.roads = roads;
    Ok(done)
}

/// Returns the position and model of the part of `new` that takes the place of a part of `old`: the one at a position, or
/// the one with a model. None for a kind of part that belongs to no type; an error if there is no such part.
fn counterpart(
    old: Option<&RoadDefinition>,
    new: &RoadDefinition,
    kind: i32,
    at: Option<usize>,
    model: &Text,
) -> std::result::Result<Option<(i32, Text)>, ()> {
    if matches!(PartKind::of(kind), None | Some(PartKind::Crossroad)) {
        return Ok(None);
    }
    let (before, after) = (old.map(|old| list(old, kind)).unwrap_or_default(), list(new, kind));
    let is_model =
        |(_, there): &(&Text, &Text)| there.as_bytes().eq_ignore_ascii_case(model.as_bytes());
    let at = before.iter().position(is_model).or(at).ok_or(())?;
    let end_of = |name: &Text| name.to_str().rsplit('_').next().map(str::to_lowercase);
    let end = before.get(at).and_then(|(name, _)| end_of(name));
    let mut like = after.iter().enumerate().filter(|(_, (name, _))| end_of(name) == end);
    let found = match (like.next(), like.next()) {
        (Some((like, _)), None) => like,
        _ => at,
    };
    let (_, model) = after.get(found).ok_or(())?;
    Ok(Some((i32::try_from(found).map_err(drop)?, (*model).clone())))
}
