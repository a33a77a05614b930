//! Reads the head of a container without opening it.

use super::Kind;
use super::encrypted::{Sealed, forms};
use super::{CfbHead, Cipher, CompressedFile, CompressedHead, Compression, EcbHead, Layer};
use formwork_records::schema::{Record, record_of};
use formwork_records::wire::{Cursor, read_record};

/// The data in the head of a compressed or encrypted file. The head may be wrong: only opening the file shows that.
///
/// ```
/// use formwork_godot::wrapper::{Compression, Layer, WrapperHeader, compress};
///
/// let file = compress(b"four", Compression::Zstd)?;
/// let outside = WrapperHeader::of(&file).unwrap();
/// assert_eq!((outside.layer, outside.length), (Layer::Compressed(Compression::Zstd), 4));
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct WrapperHeader {
    /// The kind of container.
    pub layer: Layer,
    /// Bytes of its content.
    pub length: u64,
}

impl WrapperHeader {
    /// Reads the head of a file. [`None`] if the file is not a container, is cut within the head, or is packed in a way
    /// that no engine uses.
    ///
    /// Encrypted files do not name which of the two forms they have. The form whose length fits the file is taken, or,
    /// if neither does, the one that the word after the mark suggests.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match Kind::by_start(bytes)? {
            Kind::Compressed => {
                let head: CompressedHead = read_record(&mut Cursor::new(bytes)).ok()?;
                let layer = Layer::Compressed(Compression::from_mode(head.mode)?);
                Some(Self { layer, length: head.total.into() })
            }
            Kind::Encrypted => encrypted(bytes),
        }
    }
}

fn encrypted(bytes: &[u8]) -> Option<WrapperHeader> {
    let forms = forms(bytes).iter().map_while(|&cipher| Sealed::read(bytes, cipher).ok());
    let mut forms: Vec<_> = forms.collect();
    // Sorting is stable.
    forms.sort_by_key(|form| form.misfit(u64::MAX).is_some());
    let Sealed { cipher, length, .. } = *forms.first()?;
    Some(WrapperHeader { layer: Layer::Encrypted(cipher), length })
}

impl Layer {
    /// Returns the declared record of such a file; [`None`] for data without the engine's frame.
    #[must_use]
    pub const fn record(self) -> Option<&'static Record> {
        match self {
            Self::Compressed(_) => Some(const { record_of::<CompressedFile>() }),
            Self::Encrypted(Cipher::Ecb) => Some(const { record_of::<EcbHead<'_>>() }),
            Self::Encrypted(Cipher::Cfb) => Some(const { record_of::<CfbHead<'_>>() }),
            Self::Stream(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Key, compress, encrypt};
    use super::*;

    #[test]
    fn the_form_of_an_encrypted_file_shows_without_its_key() {
        let key = Key::from_password("pass");
        for cipher in [Cipher::Ecb, Cipher::Cfb] {
            for length in [0, 1, 15, 16, 17, 4096] {
                let file = encrypt(&vec![7; length], cipher, &key).unwrap();
                let layer = Layer::Encrypted(cipher);
                let seen = WrapperHeader { layer, length: length as u64 };
                assert_eq!(WrapperHeader::of(&file), Some(seen));
                // The header is the same if the file is cut in the data.
                let cut = &file[..file.len().min(50)];
                assert_eq!(WrapperHeader::of(cut), Some(seen));
            }
        }
    }

    #[test]
    fn what_has_no_whole_head_shows_nothing() {
        let file = compress(b"content", Compression::FastLz).unwrap();
        assert!(WrapperHeader::of(&file[..16]).is_some());
        assert_eq!(WrapperHeader::of(&file[..15]), None);
        assert_eq!(WrapperHeader::of(b"GDEC\x01\0\0\0"), None);
        assert_eq!(WrapperHeader::of(b"RSRC\x01\0\0\0"), None);
        // There is no such mode.
        assert_eq!(WrapperHeader::of(b"GCPF\x09\0\0\0\0\x10\0\0\0\0\0\0"), None);
    }
}
