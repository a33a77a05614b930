//! The recovered content of a damaged layer.

use std::ops::Range;

use formwork::Error;

/// The recovered content of a layer.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Salvaged {
    /// The content, up to the cut.
    pub content: Vec<u8>,
    /// The ranges of the content that could not be unpacked. They are filled with zeros.
    pub gaps: Vec<Range<u64>>,
    /// The faults of the layer. Empty if it is whole.
    pub faults: Vec<Error>,
}
