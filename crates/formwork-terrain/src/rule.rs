//! Rules about the paths of a terrain project and its template libraries.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A text is in UTF-8, in Windows-1252 or in UTF-16 without halves of characters.
    pub const ENCODING = "encoding", Malformed;
    /// A GeoJSON file for a project is well-formed, and has what a shape or key point can have.
    pub const GEOJSON = "geojson", Malformed;
    /// A change of paths leaves every pair of an array its own key.
    pub const KEY = "alb1.key", Unrepresentable;
    /// A template library is well-formed XML of Terrain Builder.
    pub const TEMPLATE_LIBRARY_XML = "template_library.xml", Malformed;
}
