//! The course of a road, by the names of its parts.
//!
//! A project stores the position of a placed road's key part and the order of its parts. The length of a part is only
//! in its model, but the name has it, too: `asf1_25` is 25 metres long, and `asf1_10 50` turns by 10 degrees on a
//! radius of 50 metres. The course is therefore approximate; it is better for short roads.

use formwork_alb1::Text;
use formwork_alb1::terrain::{PartKind, PlacedRoad, RoadPart};

/// The length of a part whose name has no length.
const UNKNOWN: f64 = 6.25;
/// The greatest length that is accepted from a name.
const LONGEST: f64 = 200.0;

/// The length of a part, and its turn in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Course {
    length: f64,
    turn: f64,
}

/// Returns the points of a road, from the end of one chain to the end of the other.
pub(super) fn line(road: &PlacedRoad) -> Vec<[f64; 2]> {
    let [x, y] = road.position;
    let direction = road.orientation.to_radians();
    let half = course(&road.model).length / 2.0;
    let step = [half * direction.sin(), half * direction.cos()];
    let back = direction + std::f64::consts::PI;
    let mut points = chain([x - step[0], y - step[1]], back, &road.direction_b);
    points.reverse();
    points.extend(chain([x + step[0], y + step[1]], direction, &road.direction_a));
    points
}

/// Returns the points between the parts of a chain.
fn chain([mut x, mut y]: [f64; 2], mut direction: f64, parts: &[RoadPart]) -> Vec<[f64; 2]> {
    let mut points = vec![[x, y]];
    for part in parts {
        let Course { length, turn } = course(&part.model);
        let turn = match PartKind::of(part.kind) {
            Some(PartKind::Curve) => turn,
            Some(PartKind::CurveBackwards) => -turn,
            _ => 0.0,
        };
        direction += turn / 2.0;
        (x, y) = (x + length * direction.sin(), y + length * direction.cos());
        direction += turn / 2.0;
        points.push([x, y]);
    }
    points
}

/// Reads the course from the name of a model.
fn course(model: &Text) -> Course {
    let name = model.to_str();
    let name = name.rsplit(['\\', '/']).next().unwrap_or_default();
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    let numbers = name.rsplit_once('_').map_or("", |(_, numbers)| numbers);
    let number = |text: &str| {
        let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
        text.get(..end).and_then(|digits| digits.parse::<f64>().ok())
    };
    match numbers.split_once(' ') {
        Some((degrees, radius)) => match (number(degrees), number(radius)) {
            (Some(degrees), Some(radius)) if radius > 0.0 => {
                // Radii are rounded in names: such parts are as long as straight ones.
                let length = match radius {
                    1000.0.. => 25.0,
                    _ if degrees == 7.0 => 12.5,
                    _ => degrees.to_radians() * radius,
                };
                let length = length.min(LONGEST);
                Course { length, turn: length / radius }
            }
            _ => Course { length: UNKNOWN, turn: 0.0 },
        },
        None => {
            let length = match number(numbers) {
                Some(6.0) | None => UNKNOWN,
                Some(12.0) => 12.5,
                Some(length) => length.min(LONGEST),
            };
            Course { length, turn: 0.0 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts_say_how_long_they_are() {
        for (name, length, degrees) in [
            ("dz\\roads\\asf1_25.p3d", 25.0, 0.0),
            ("asf1_12.p3d", 12.5, 0.0),
            ("mud_6konec.p3d", 6.25, 0.0),
            ("asf1_10 50.p3d", 10_f64.to_radians() * 50.0, 10.0),
            ("asf1_0 2000.p3d", 25.0, 0.7162),
            ("runway_main_40", 40.0, 0.0),
            ("gate.p3d", 6.25, 0.0),
            ("wall_99999999999999999999999.p3d", 200.0, 0.0),
        ] {
            let Course { length: found, turn } = course(&Text::new(name).unwrap());
            assert!((found - length).abs() < 1e-9, "{name}: {found}");
            assert!((turn.to_degrees() - degrees).abs() < 1e-3, "{name}: {turn}");
        }
    }

    #[test]
    fn a_road_goes_on_from_both_ends_of_its_key_part() {
        let model = Text::new("asf_25.p3d").unwrap();
        let part = RoadPart { kind: 3, model: model.clone(), ..RoadPart::default() };
        let road = PlacedRoad {
            position: [100.0, 100.0],
            orientation: 90.0,
            model,
            direction_a: vec![part.clone()],
            direction_b: vec![part.clone(), part],
            ..PlacedRoad::default()
        };
        let x: Vec<f64> = line(&road).iter().map(|[x, _]| x.round()).collect();
        assert_eq!(x, [38.0, 63.0, 88.0, 113.0, 138.0]);
        assert!(line(&road).iter().all(|[_, y]| (y - 100.0).abs() < 1e-9));
    }
}
