//! Recovers the content of a damaged compressed or encrypted file.

use super::Kind;
use super::{Key, Layer, Salvaged, compressed, encrypted, given, open_outermost};
use formwork::Result;
use formwork_records::limits::Limits;

/// Recovers the content of the outermost layer of a file that may be cut or damaged; [`None`] if the bytes are not a
/// wrapper. For a whole file, the result is that of [`open_outermost`].
///
/// Every whole block of a compressed file is recovered. An encrypted file is decrypted as far as it goes. With a wrong
/// key the content is garbage, and there is a fault ([`rule::GDEC_KEY`](crate::wrapper::rule::GDEC_KEY)) as in a
/// damaged file.
///
/// ```
/// use formwork_records::limits::Limits;
/// use formwork_godot::wrapper::{Compression, compress, salvage_outermost};
///
/// let content = [7; 10_000];
/// let mut file = compress(&content, Compression::Deflate)?;
/// file.truncate(file.len() - 10);
/// let (_, salvaged) = salvage_outermost(&file, None, &Limits::default())?.unwrap();
/// assert_eq!(salvaged.content, content[..8192]);
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
    if let Ok(opened) = open_outermost(bytes, key, limits) {
        let whole = |content| Salvaged { content, ..Salvaged::default() };
        return Ok(opened.map(|(layer, content)| (layer, whole(content))));
    }
    match Kind::by_start(bytes) {
        Some(Kind::Compressed) => compressed::salvage(bytes, limits)
            .map(|(compression, salvaged)| Some((Layer::Compressed(compression), salvaged))),
        Some(Kind::Encrypted) => given(key)
            .and_then(|key| encrypted::salvage(bytes, key, limits))
            .map(|(cipher, salvaged)| Some((Layer::Encrypted(cipher), salvaged))),
        None => Ok(None),
    }
}
