//! The position of a map in the world.

use serde::Serialize;

/// A point of the map and its position in the world, both in metres to the east and to the north.
///
/// ```
/// use formwork_terrain::geojson::Origin;
///
/// let origin = Origin { map: [200_000.0, 0.0], world: [500_000.0, 5_400_000.0] };
/// assert_eq!(origin.to_world([200_010.0, 20.0]), [500_010.0, 5_400_020.0]);
/// assert_eq!(origin.to_map([500_010.0, 5_400_020.0]), [200_010.0, 20.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Origin {
    /// The point in the coordinates of Terrain Builder.
    pub map: [f64; 2],
    /// The same point in the world: easting and northing, as of UTM.
    pub world: [f64; 2],
}

impl Origin {
    /// The default start of maps in Terrain Builder.
    pub const MAP: [f64; 2] = [200_000.0, 0.0];

    /// Returns the position in the world of a point of the map.
    #[must_use]
    pub fn to_world(&self, point: [f64; 2]) -> [f64; 2] {
        shifted(point, self.map, self.world)
    }

    /// Returns the position on the map of a point of the world.
    #[must_use]
    pub fn to_map(&self, point: [f64; 2]) -> [f64; 2] {
        shifted(point, self.world, self.map)
    }
}

/// Moves a point. The distance, which is short, is computed first, so that few digits are lost.
fn shifted([x, y]: [f64; 2], from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    [x - from[0] + to[0], y - from[1] + to[1]]
}
