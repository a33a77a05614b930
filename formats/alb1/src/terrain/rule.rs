//! Rules about the classes of a terrain project.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A field of a known class has the type that the class gives it.
    pub const CLASS = "alb1.class", Malformed;
}
