//! What is left in a damaged layer.

use std::ops::Range;

use formwork::Error;

/// What could be taken out of a layer.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Salvaged {
    /// The content, up to where it is cut.
    pub content: Vec<u8>,
    /// The bytes of the content that could not be unpacked. They are zeros.
    pub gaps: Vec<Range<u64>>,
    /// What is wrong with the layer. None, if it is whole.
    pub faults: Vec<Error>,
}
