//! Types of road and crossroads on their own, to be carried from one project to another: as JSON,
//! as YAML.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::colour::{ColourWord, RoadColour};
use super::project::Project;
use super::road::{CrossDefinition, RoadCurve, RoadDefinition, RoadStraight, RoadTerminator};
use super::road_placed::PartKind;
use crate::alb1::Text;

/// Types of road and crossroads.
///
/// Crossroads name their types of road, where a project has positions; so a set fits any project.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RoadSet {
    /// The types of road.
    #[serde(default)]
    pub roads: Vec<RoadType>,
    /// The crossroads.
    #[serde(default)]
    pub crossroads: Vec<Crossroad>,
}

/// A type of road: a [`RoadDefinition`] in words.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RoadType {
    /// Its name.
    pub name: String,
    /// Whether key parts have a colour of their own.
    #[serde(default)]
    pub coloured_key_parts: bool,
    /// The colour of key parts: `#rrggbbaa`.
    #[serde(default = "black")]
    pub key_colour: String,
    /// Whether normal parts have a colour of their own.
    #[serde(default)]
    pub coloured_normal_parts: bool,
    /// The colour of normal parts: `#rrggbbaa`.
    #[serde(default = "black")]
    pub colour: String,
    /// Whether a road is drawn as a full line.
    #[serde(default)]
    pub drawn_as_line: bool,
    /// The steepest angle.
    #[serde(default)]
    pub max_angle: f64,
    /// The steepest bank.
    #[serde(default)]
    pub max_bank: f64,
    /// The straight parts.
    #[serde(default)]
    pub straights: Vec<Part>,
    /// The curves.
    #[serde(default)]
    pub curves: Vec<Part>,
    /// The parts at the ends of roads.
    #[serde(default)]
    pub terminators: Vec<Part>,
}

/// A part of a type of road.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its model, as a path on the project drive.
    pub model: String,
    /// Whether it may bank; only straight parts say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_bank: Option<bool>,
    /// Its radius.
    #[serde(default)]
    pub radius: f64,
}

/// A crossroad: a [`CrossDefinition`] in words.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Crossroad {
    /// Its name.
    pub name: String,
    /// Its model, as a path on the project drive.
    pub model: String,
    /// 2 for a T, 3 for an X.
    pub kind: i32,
    /// Whether it has a colour of its own.
    #[serde(default)]
    pub coloured: bool,
    /// Its colour: `#rrggbbaa`.
    #[serde(default = "black")]
    pub colour: String,
    /// Whether it is drawn as a full line.
    #[serde(default)]
    pub drawn_as_line: bool,
    /// A smallest value.
    #[serde(default)]
    pub min: f64,
    /// A largest value.
    #[serde(default)]
    pub max: f64,
    /// A usual value.
    #[serde(default)]
    pub standard: f64,
    /// Whether it is aligned.
    #[serde(default)]
    pub align: bool,
    /// The names of the types of road that continue from its four arms.
    pub connects: [Option<String>; 4],
}

fn black() -> String {
    "#000000ff".into()
}

/// Why a set of roads could not be taken from a project, read, or put into a project.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum RoadSetError {
    /// The text is not such a set, for this reason.
    Text(String),
    /// The project has types of road or crossroads of these names already.
    Exists(Vec<String>),
    /// Something of the type of road or crossroad with this name has no form on the other side.
    Inexpressible(String, String),
}

impl fmt::Display for RoadSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(why) => write!(f, "this is no set of roads: {why}"),
            Self::Exists(names) => write!(f, "the project has these already: {}", names.join(", ")),
            Self::Inexpressible(name, why) => write!(f, "{name}: {why}"),
        }
    }
}

impl std::error::Error for RoadSetError {}

type Result<T, E = RoadSetError> = std::result::Result<T, E>;

fn inexpressible<T>(name: &str, why: impl Into<String>) -> Result<T> {
    Err(RoadSetError::Inexpressible(name.to_owned(), why.into()))
}

impl RoadSet {
    /// The types of road and crossroads of a project.
    ///
    /// # Errors
    ///
    /// Where a crossroad continues with a type of road that the project does not have or that has the
    /// name of another, a number is not finite, or a type has special parts, whose form is not known.
    pub fn of(project: &Project) -> Result<Self> {
        let base = &project.objects.road_base;
        Ok(Self {
            roads: base.roads.iter().map(RoadType::of).collect::<Result<_>>()?,
            crossroads: (base.crossroads.iter())
                .map(|crossroad| Crossroad::of(crossroad, &base.roads))
                .collect::<Result<_>>()?,
        })
    }

    /// Puts the types of road and crossroads into a project, behind those that it has. With
    /// `replace`, what has the name of one that is there takes its place; the parts of roads that are
    /// placed are found again by their models.
    ///
    /// The project is changed only where all goes well.
    ///
    /// # Errors
    ///
    /// Where names are there already (without `replace`) or twice in the set, a colour or a text
    /// cannot be expressed, a crossroad continues with a type that neither has, or a part of a placed
    /// road is not in the type that takes the place of its own.
    pub fn put_into(&self, project: &mut Project, replace: bool) -> Result<Put> {
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
        let mut put = Put::default();
        for (position, road) in self.roads.iter().enumerate() {
            if self.roads.iter().take(position).any(|other| other.name == road.name) {
                return inexpressible(&road.name, "the set has this name twice");
            }
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

    /// As JSON, for people.
    ///
    /// # Errors
    ///
    /// None that can happen.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map_err(|error| RoadSetError::Text(error.to_string()))
    }

    /// As YAML.
    ///
    /// # Errors
    ///
    /// None that can happen.
    pub fn to_yaml(&self) -> Result<String> {
        serde_saphyr::to_string(self).map_err(|error| RoadSetError::Text(error.to_string()))
    }

    /// Reads JSON.
    ///
    /// # Errors
    ///
    /// Where the text is not such a set.
    pub fn from_json(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| RoadSetError::Text(error.to_string()))
    }

    /// Reads YAML.
    ///
    /// # Errors
    ///
    /// Where the text is not such a set.
    pub fn from_yaml(text: &str) -> Result<Self> {
        serde_saphyr::from_str(text).map_err(|error| RoadSetError::Text(error.to_string()))
    }
}

/// What was put into a project.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Put {
    /// How many were added.
    pub added: usize,
    /// How many took the place of others.
    pub replaced: usize,
}

/// What stays of a type of road that is replaced stays the same object.
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

/// Parts of placed roads speak of the parts of their type by position: where `new` has taken the
/// place of `old`, they are looked up by model, and where that has gone, by name.
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

/// Names and models of the parts that a kind chooses from.
fn list(road: &RoadDefinition, kind: i32) -> Vec<(&Text, &Text)> {
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

fn text(of: &str, text: &str) -> Result<Text> {
    match Text::new(text) {
        Some(text) => Ok(text),
        None => inexpressible(of, format!("{text:?} has characters that are not in Windows-1252")),
    }
}

fn colour(of: &str, text: &str) -> Result<ColourWord> {
    match text.parse::<RoadColour>() {
        Ok(colour) => Ok(colour.into()),
        Err(error) => inexpressible(of, format!("{text:?}: {error}")),
    }
}

fn finite(of: &str, numbers: &[f64]) -> Result<()> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => inexpressible(of, format!("{number} cannot be written")),
        None => Ok(()),
    }
}

impl RoadType {
    fn of(road: &RoadDefinition) -> Result<Self> {
        let name = road.name.to_string();
        if !road.specials.is_empty() {
            return inexpressible(&name, "it has special parts, whose form is not known");
        }
        let radii = (road.straights.iter().map(|part| part.radius))
            .chain(road.curves.iter().map(|part| part.radius))
            .chain(road.terminators.iter().map(|part| part.radius));
        let numbers: Vec<_> = radii.chain([road.max_angle, road.max_bank]).collect();
        finite(&name, &numbers)?;
        let part = |name: &Text, model: &Text, radius, can_bank| Part {
            name: name.to_string(),
            model: model.to_string(),
            can_bank,
            radius,
        };
        Ok(Self {
            name,
            coloured_key_parts: road.coloured_key_parts,
            key_colour: road.outline.of_road().to_string(),
            coloured_normal_parts: road.coloured_normal_parts,
            colour: road.colour.of_road().to_string(),
            drawn_as_line: road.drawn_as_line,
            max_angle: road.max_angle,
            max_bank: road.max_bank,
            straights: (road.straights.iter())
                .map(|it| part(&it.name, &it.model, it.radius, Some(it.can_bank)))
                .collect(),
            curves: (road.curves.iter())
                .map(|it| part(&it.name, &it.model, it.radius, None))
                .collect(),
            terminators: (road.terminators.iter())
                .map(|it| part(&it.name, &it.model, it.radius, None))
                .collect(),
        })
    }

    fn definition(&self) -> Result<RoadDefinition> {
        let of = &self.name;
        let mut road = RoadDefinition {
            name: text(of, of)?,
            coloured_key_parts: self.coloured_key_parts,
            coloured_normal_parts: self.coloured_normal_parts,
            colour: colour(of, &self.colour)?,
            outline: colour(of, &self.key_colour)?,
            drawn_as_line: self.drawn_as_line,
            max_angle: self.max_angle,
            max_bank: self.max_bank,
            ..RoadDefinition::default()
        };
        for Part { name, model, can_bank, radius } in &self.straights {
            let (name, model) = (text(of, name)?, text(of, model)?);
            let can_bank = can_bank.unwrap_or_default();
            road.straights.push(RoadStraight {
                address: 0,
                name,
                model,
                can_bank,
                radius: *radius,
            });
        }
        for part in self.curves.iter().chain(&self.terminators) {
            if part.can_bank.is_some() {
                return inexpressible(of, "only straight parts say whether they may bank");
            }
        }
        for Part { name, model, radius, .. } in &self.curves {
            let (name, model) = (text(of, name)?, text(of, model)?);
            road.curves.push(RoadCurve { address: 0, name, model, radius: *radius });
        }
        for Part { name, model, radius, .. } in &self.terminators {
            let (name, model) = (text(of, name)?, text(of, model)?);
            road.terminators.push(RoadTerminator { address: 0, name, model, radius: *radius });
        }
        Ok(road)
    }
}

impl Crossroad {
    fn of(crossroad: &CrossDefinition, roads: &[RoadDefinition]) -> Result<Self> {
        let name = crossroad.name.to_string();
        finite(&name, &[crossroad.min, crossroad.max, crossroad.standard])?;
        let connects = [
            connection(&name, crossroad.connect_a, roads)?,
            connection(&name, crossroad.connect_b, roads)?,
            connection(&name, crossroad.connect_c, roads)?,
            connection(&name, crossroad.connect_d, roads)?,
        ];
        Ok(Self {
            name,
            model: crossroad.model.to_string(),
            kind: crossroad.kind,
            coloured: crossroad.coloured,
            colour: crossroad.colour.of_road().to_string(),
            drawn_as_line: crossroad.drawn_as_line,
            min: crossroad.min,
            max: crossroad.max,
            standard: crossroad.standard,
            align: crossroad.align,
            connects,
        })
    }

    fn definition(&self, roads: &[RoadDefinition]) -> Result<CrossDefinition> {
        let of = &self.name;
        let mut crossroad = CrossDefinition {
            name: text(of, of)?,
            model: text(of, &self.model)?,
            kind: self.kind,
            coloured: self.coloured,
            colour: colour(of, &self.colour)?,
            drawn_as_line: self.drawn_as_line,
            min: self.min,
            max: self.max,
            standard: self.standard,
            align: self.align,
            ..CrossDefinition::default()
        };
        for (connection, road) in crossroad.connections_mut().into_iter().zip(&self.connects) {
            *connection = match road {
                None => -1,
                Some(road) => match roads.iter().position(|there| there.name == **road) {
                    Some(position) => i32::try_from(position).unwrap_or(-1),
                    None => {
                        let why = format!("it continues with {road}, which is no type of road");
                        return inexpressible(of, why);
                    }
                },
            };
        }
        Ok(crossroad)
    }
}

/// The name of the type of road at a position; -1 is none.
fn connection(of: &str, position: i32, roads: &[RoadDefinition]) -> Result<Option<String>> {
    if position == -1 {
        return Ok(None);
    }
    let Some(road) = usize::try_from(position).ok().and_then(|position| roads.get(position)) else {
        return inexpressible(of, format!("it continues with type {position}, which is not there"));
    };
    if roads.iter().filter(|other| other.name == road.name).count() > 1 {
        return inexpressible(of, format!("several types of road are called {}", road.name));
    }
    Ok(Some(road.name.to_string()))
}
