//! Converts between the definitions of a project and those of a set.

use formwork_alb1::Text;
use formwork_alb1::terrain::{
    ColourWord, CrossDefinition, RoadColour, RoadCurve, RoadDefinition, RoadStraight,
    RoadTerminator,
};

use super::{Crossroad, Part, Result, RoadType, inexpressible};

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
        // JSON cannot hold such a number, and no road can have it.
        Some(number) => inexpressible(of, format!("{number} cannot be written")),
        None => Ok(()),
    }
}

impl RoadType {
    pub(super) fn of(road: &RoadDefinition) -> Result<Self> {
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

    pub(super) fn definition(&self) -> Result<RoadDefinition> {
        let of = &self.name;
        let parts = self.straights.iter().chain(&self.curves).chain(&self.terminators);
        let numbers = parts.map(|part| part.radius).chain([self.max_angle, self.max_bank]);
        finite(of, &numbers.collect::<Vec<_>>())?;
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
    pub(super) fn of(crossroad: &CrossDefinition, roads: &[RoadDefinition]) -> Result<Self> {
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

    pub(super) fn definition(&self, roads: &[RoadDefinition]) -> Result<CrossDefinition> {
        let of = &self.name;
        finite(of, &[self.min, self.max, self.standard])?;
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

/// Returns the name of the type of road at a position; -1 means none.
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
