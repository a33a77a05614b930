//! The forms of a list.

/// The forms of a list.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// The form that Terrain Builder exports and imports: `"template";X;Y;yaw;pitch;roll;scale;Z;`, an object a line,
    /// six decimals. The names of templates are in Windows-1252, and must not hold line breaks; all numbers must be
    /// finite.
    #[default]
    Text,
    /// Comma-separated values with a line of headers, in UTF-8: the same with the layer, the object's id and the
    /// template's library, and the numbers with all their digits. (A NaN is kept as a NaN, without its other bits.)
    Csv,
    /// GeoJSON: a FeatureCollection of Points at X and Y, in metres of the map, and the rest as properties, the numbers
    /// with all their digits. All numbers must be finite.
    GeoJson,
}
