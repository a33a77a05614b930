//! Rules about the classes of a terrain project, its paths and its template libraries.

crate::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A change of paths leaves every pair of an array its own key.
    pub const KEY = "alb1.key", Inexpressible;
    /// A field of a known class has the type that the class gives it.
    pub const CLASS = "alb1.class", Malformed;
    /// A template library is well-formed XML of Terrain Builder.
    pub const TEMPLATE_LIBRARY_XML = "template_library.xml", Malformed;
}
