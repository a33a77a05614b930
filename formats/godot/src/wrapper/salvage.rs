//! What can be taken out of a damaged compressed or encrypted file.

use super::Kind;
use super::{Key, Layer, Salvaged, compressed, encrypted, given, open_outermost};
use formwork::Result;
use formwork_records::limits::Limits;

/// Takes what is left out of the outermost layer of a file that may be cut or damaged; [`None`] where
/// the bytes are no wrapper. A whole file gives what [`open_outermost`] gives.
///
/// Of a compressed file, every block that is whole is there. An encrypted file is decrypted as far as it
/// goes: with a wrong key that gives garbage, and there is a fault
/// ([`rule::GDEC_KEY`](crate::wrapper::rule::GDEC_KEY)) as in a damaged one.
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
/// Where the head is damaged or cut, where there is no key and one is needed, and where the limits do
/// not allow what a compressed file would unpack to.
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
