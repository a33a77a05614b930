//! The key of an encrypted file.

use std::fmt;

use md5::{Digest, Md5};

/// The 32 bytes that encrypt a file. Debug output does not show them.
///
/// ```
/// use formwork_godot::wrapper::Key;
///
/// // `open_encrypted_with_pass` takes the MD5 sum of the password, as text.
/// assert_eq!(Key::from_password("pass"), Key::new(*b"1a1dc91c907325c69271ddf0c944bc72"));
/// ```
#[derive(Clone, Eq, PartialEq)]
pub struct Key([u8; Key::BYTES]);

impl Key {
    /// The number of bytes of a key.
    pub const BYTES: usize = 32;

    /// Returns the key as given to `open_encrypted`.
    #[must_use]
    pub const fn new(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// Returns the key of `open_encrypted_with_pass`: the MD5 sum of the password's UTF-8 as 32 lower-case hexadecimal
    /// digits, in ASCII.
    #[must_use]
    pub fn from_password(password: &str) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut bytes = [0; Self::BYTES];
        let halves = Md5::digest(password).into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
        for (digit, half) in bytes.iter_mut().zip(halves) {
            *digit = DIGITS[usize::from(half)];
        }
        Self(bytes)
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}
