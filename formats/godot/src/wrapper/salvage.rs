//! Recovers the content of a damaged compressed or encrypted file.

use std::ops::Range;

use super::{Key, Layer, open_outermost, outermost_by};
use formwork::{Error, Result};
use formwork_records::limits::Limits;

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

/// Recovers the content of the outermost layer of a file that may be cut or damaged; [`None`] if the bytes are not a
/// wrapper. For a whole file, the result is that of [`open_outermost`].
///
/// Every whole block of a compressed file is recovered, and of a cut block in Deflate, gzip or Brotli the start; in
/// Zstandard only what its own whole blocks hold, which are of up to 128 KiB. An encrypted file is decrypted as far as it goes. With a wrong key the content is garbage, and there is a
/// fault ([`rule::GDEC_KEY`](crate::wrapper::rule::GDEC_KEY)) as in a damaged file.
///
/// ```
/// use formwork_variant::Limits;
/// use formwork_godot::wrapper::{Compression, compress, salvage_outermost};
///
/// let content = [7; 10_000];
/// let mut file = compress(&content, Compression::Deflate)?;
/// file.truncate(file.len() - 10);
/// let (_, salvaged) = salvage_outermost(&file, None, &Limits::default())?.unwrap();
/// // The first two blocks are whole.
/// assert!(salvaged.content.len() >= 8192 && content.starts_with(&salvaged.content));
/// assert_eq!(salvaged.faults.len(), 1);
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the head is damaged or cut, if a key is needed and there is none, or if the limits do not allow
/// the size that a compressed file would unpack to.
pub fn salvage_outermost(
    bytes: &[u8],
    key: Option<&Key>,
    limits: &Limits,
) -> Result<Option<(Layer, Salvaged)>> {
    let (mut gaps, mut faults) = (Vec::new(), Vec::new());
    let opened = open_outermost(bytes, key, limits).or_else(|_| {
        outermost_by(bytes, key, limits, |error, gap| {
            gaps.extend(gap);
            faults.push(error);
            Ok(())
        })
    })?;
    Ok(opened.map(|(layer, content)| (layer, Salvaged { content, gaps, faults })))
}
