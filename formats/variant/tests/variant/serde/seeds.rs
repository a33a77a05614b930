//! Bytes to make values of, and damage.

/// Seeds that are the same in every run.
pub struct Seeds(u64);

impl Seeds {
    pub fn new() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }

    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }

    pub fn next(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.number() as u8).collect()
    }
}

/// Damages bytes slightly: a false word, a changed byte, a missing end.
pub fn damaged(bytes: &[u8], seeds: &mut Seeds) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = seeds.number() as usize % bytes.len().max(1);
    match seeds.number() % 4 {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << (seeds.number() % 8),
        2 => bytes[at] = seeds.number() as u8,
        _ => {
            let word = [0, 1, 2, 3, 17, 0x7fff_ffff, 0x8000_0001, u32::MAX];
            let word = word[seeds.number() as usize % word.len()].to_le_bytes();
            bytes[at / 4 * 4..].iter_mut().zip(word).for_each(|(to, from)| *to = from);
        }
    }
    bytes
}
