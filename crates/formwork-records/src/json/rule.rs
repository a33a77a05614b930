//! Rules about the JSON forms.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The JSON is well formed and in the form that `formwork decode` prints.
    pub const SYNTAX = "json.syntax", Malformed;
}
