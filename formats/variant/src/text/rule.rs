//! Rules about the text form.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The text is in the engine's text form.
    pub const SYNTAX = "text.syntax", Malformed;
}
