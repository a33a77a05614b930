//! Rules about conversions between dialects.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// A value that is converted has an exact counterpart in the other dialect.
    pub const LOSS = "convert.loss", Unrepresentable;
}
