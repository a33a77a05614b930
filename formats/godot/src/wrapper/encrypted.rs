//! Encrypted files: a head with the MD5 sum of the content, and the content, encrypted.

use aes::Aes256;
use aes::cipher::{Array, BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit};
use md5::{Digest, Md5};

use super::{Cipher, Key};
use crate::magic;
use crate::wrapper::rule;
use formwork::{BinRead, BinWrite, Deferred, Error, Result, Rule, Schema, ToEnd};
use formwork_records::limits::Limits;
use formwork_records::wire::{Block, Cursor, put_record, read_record, word};

/// Start of an encrypted file of Godot 1 to 3 and of Pandemonium.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct EcbHead<'a> {
    /// `GDEC`: 0x43454447.
    #[schema(letters)]
    pub magic: u32,
    /// 1 in every file.
    pub mode: u32,
    /// The MD5 sum of the content.
    #[br(count = 16)]
    pub digest: Block<'a, u8>,
    /// Bytes of the content.
    pub length: u64,
    /// The content, filled up with zeros to a multiple of 16 bytes, in AES-256-ECB.
    pub data: Deferred<ToEnd<u8>>,
}

/// Start of an encrypted file of Godot 4.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct CfbHead<'a> {
    /// `GDEC`: 0x43454447.
    #[schema(letters)]
    pub magic: u32,
    /// The MD5 sum of the content.
    #[br(count = 16)]
    pub digest: Block<'a, u8>,
    /// Bytes of the content.
    pub length: u64,
    /// The initialization vector, another for each file.
    #[br(count = 16)]
    pub vector: Block<'a, u8>,
    /// The content, filled up with zeros to a multiple of 16 bytes, in AES-256-CFB with segments
    /// of 128 bits.
    pub data: Deferred<ToEnd<u8>>,
}

/// The mode word of the older form.
const MODE: u32 = 1;

/// Bytes of a block of AES, of an initialization vector, and of an MD5 sum.
const BLOCK: usize = 16;

/// An encrypted file, read in one of the two forms.
pub(super) struct Sealed<'a> {
    pub(super) cipher: Cipher,
    digest: Block<'a, u8>,
    /// The offset of the digest.
    digest_offset: usize,
    /// The length of the content, as in the head.
    pub(super) length: u64,
    vector: [u8; BLOCK],
    data: &'a [u8],
    /// The offset of the data.
    data_offset: usize,
}

impl<'a> Sealed<'a> {
    /// Reads the head of the file as one of that form.
    pub(super) fn read(bytes: &'a [u8], cipher: Cipher) -> Result<Self> {
        let mut input = Cursor::new(bytes);
        let within = |error: Error| error.within("encrypted");
        let (digest_offset, digest, length, vector) = match cipher {
            Cipher::Ecb => {
                let head: EcbHead<'_> = read_record(&mut input).map_err(within)?;
                (8, head.digest, head.length, [0; BLOCK])
            }
            Cipher::Cfb => {
                let head: CfbHead<'_> = read_record(&mut input).map_err(within)?;
                (4, head.digest, head.length, *head.vector.first_chunk().unwrap_or(&[0; BLOCK]))
            }
        };
        let (data_offset, data) = (input.position(), input.rest());
        Ok(Self { cipher, digest, digest_offset, length, vector, data, data_offset })
    }

    /// Returns the error of data that does not have the length in the head, or of a length of more than `most` bytes.
    pub(super) fn misfit(&self, most: u64) -> Option<Error> {
        // If the limits allow all 64-bit lengths, no file is that long.
        let padded = self.length.checked_next_multiple_of(BLOCK as u64).unwrap_or(u64::MAX);
        let (data_offset, left) = (self.data_offset as u64, self.data.len() as u64);
        if self.length > most {
            let (offset, expected) =
                ((self.digest_offset + BLOCK) as u64, format!("at most {most} bytes"));
            let error = Error::new(Rule::SIZE_LIMIT, offset, expected, self.length.to_string());
            Some(error.within("length"))
        } else if let Some(needed @ 1..) = padded.checked_sub(left) {
            let expected = format!("{padded} encrypted bytes");
            let error = Error::incomplete(data_offset, needed, expected, left);
            Some(error.within("data"))
        } else if let Some(more @ 1..) = left.checked_sub(padded) {
            let found = formwork::wire::more_bytes(more).to_string();
            let expected = "the end of the file";
            let error = Error::new(rule::TRAILING, data_offset + padded, expected, found);
            Some(error.within("data"))
        } else {
            None
        }
    }

    /// Returns the content. `bear` is called if the length of the data, the MD5 sum or the padding is wrong. After a
    /// wrong length, the content is as long as the head says, or as far as it can be decrypted: in CFB to the last byte,
    /// in ECB to the last whole block.
    fn open(
        &self,
        key: &Key,
        limits: &Limits,
        mut bear: impl FnMut(Error) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let mut bear = |error: Error| bear(error.within("encrypted"));
        let (mut data, mut length) = (self.data, self.length as usize);
        if let Some(error) = self.misfit(limits.unpacked_bytes) {
            bear(error)?;
            if self.cipher == Cipher::Ecb {
                data = data.get(..data.len() / BLOCK * BLOCK).unwrap_or_default();
            }
            length = length.min(data.len());
        }
        let mut content = data.to_vec();
        let key = key.as_bytes().into();
        match self.cipher {
            Cipher::Ecb => {
                let (blocks, _) = Array::slice_as_chunks_mut(&mut content);
                ecb::Decryptor::<Aes256>::new(key).decrypt_blocks(blocks);
            }
            Cipher::Cfb => {
                let vector = (&self.vector).into();
                cfb_mode::Decryptor::<Aes256>::new(key, vector).decrypt(&mut content);
            }
        }
        let (text, padding) = content.split_at_checked(length).unwrap_or_default();
        let digest = Md5::digest(text);
        if digest.as_slice() != &*self.digest {
            let expected = format!("a content with the MD5 sum {}", hex(&self.digest));
            let found = format!("{}: the key is another, or the file is damaged", hex(&digest));
            let error = Error::new(rule::GDEC_KEY, self.digest_offset as u64, expected, found);
            bear(error.within("digest"))?;
        } else if let Some(at) = padding.iter().position(|&byte| byte != 0) {
            let offset = (self.data_offset + length + at) as u64;
            let error = Error::new(rule::GDEC_PADDING, offset, "zeros", "other bytes");
            bear(error.within("data"))?;
        }
        content.truncate(length);
        Ok(content)
    }
}

/// Returns bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decrypts an encrypted file.
///
/// Nothing in the file names its form. If the word after the mark is 1, the file is read as one of Godot 1 to 3 and
/// Pandemonium. If its length does not fit that form, or the MD5 sum does not agree, it is read as one of Godot 4.
///
/// # Errors
///
/// Returns an error if the file is cut, if bytes follow it, if its length is beyond `limits`, or if the MD5 sum of the
/// decrypted content does not agree with the head: the key is wrong, or the file is damaged.
pub fn decrypt(bytes: &[u8], key: &Key, limits: &Limits) -> Result<(Cipher, Vec<u8>)> {
    decrypt_by(bytes, key, limits, Err)
}

/// Decrypts an encrypted file. `bear` is called for each fault after the head.
pub(super) fn decrypt_by(
    bytes: &[u8],
    key: &Key,
    limits: &Limits,
    mut bear: impl FnMut(Error) -> Result<()>,
) -> Result<(Cipher, Vec<u8>)> {
    if !bytes.starts_with(magic::ENCRYPTED) {
        let found = hex(bytes.get(..magic::ENCRYPTED.len()).unwrap_or(bytes));
        let error = Error::new(rule::GDEC_MAGIC, 0, "GDEC (0x43454447)", found);
        return Err(error.within("magic").within("encrypted"));
    }
    let mut first = None;
    for &cipher in forms(bytes) {
        match Sealed::read(bytes, cipher).and_then(|it| it.open(key, limits, &mut bear)) {
            Ok(content) => return Ok((cipher, content)),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| Error::new(rule::GDEC_MAGIC, 4, "an encrypted file", "none")))
}

/// Returns the possible forms of a file, by the word after its mark, the likelier first.
pub(super) fn forms(bytes: &[u8]) -> &'static [Cipher] {
    match word!(bytes, EcbHead<'static>, mode: u32) {
        Some(MODE) => &[Cipher::Ecb, Cipher::Cfb],
        _ => &[Cipher::Cfb],
    }
}

/// Encrypts a content as an engine does, with a fresh initialization vector where the form has one.
///
/// # Errors
///
/// Returns an error if the system has no random bytes.
pub fn encrypt(content: &[u8], cipher: Cipher, key: &Key) -> Result<Vec<u8>> {
    let mut vector = [0; BLOCK];
    if cipher == Cipher::Cfb {
        getrandom::fill(&mut vector).map_err(|error| {
            let error = Error::new(Rule::INPUT_IO, 28, "random bytes", error.to_string());
            error.within("vector").within("encrypted")
        })?;
    }
    Ok(encrypt_with_vector(content, cipher, key, &vector))
}

/// Encrypts a content with a given initialization vector, so that the result is the same each time. Godot 4.4 and later
/// can be given a vector, too. A vector should not be used twice with the same key. The form of Godot 1 to 3 and
/// Pandemonium has no vector and ignores it.
#[must_use]
pub fn encrypt_with_vector(
    content: &[u8],
    cipher: Cipher,
    key: &Key,
    vector: &[u8; BLOCK],
) -> Vec<u8> {
    let digest = Md5::digest(content);
    let digest = Block(digest.as_slice().into());
    let (magic, length) = (u32::from_le_bytes(*magic::ENCRYPTED), content.len() as u64);
    let mut file = Vec::new();
    match cipher {
        Cipher::Ecb => {
            let head = EcbHead { magic, mode: MODE, digest, length, data: Deferred::HERE };
            put_record(&head, &mut file);
        }
        Cipher::Cfb => {
            let vector = Block(vector.as_slice().into());
            let head = CfbHead { magic, digest, length, vector, data: Deferred::HERE };
            put_record(&head, &mut file);
        }
    }
    let start = file.len();
    file.extend(content);
    file.resize(start + content.len().next_multiple_of(BLOCK), 0);
    let data = file.get_mut(start..).unwrap_or_default();
    let key = key.as_bytes().into();
    match cipher {
        Cipher::Ecb => {
            let (blocks, _) = Array::slice_as_chunks_mut(data);
            ecb::Encryptor::<Aes256>::new(key).encrypt_blocks(blocks);
        }
        Cipher::Cfb => cfb_mode::Encryptor::<Aes256>::new(key, vector.into()).encrypt(data),
    }
    file
}
