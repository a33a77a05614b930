//! Files to test with.

use formwork_godot::wrapper::{
    Cipher, Compression, Key, Layer, Opened, close_with_vector, open as open_with,
};
use formwork_testkit::Noise;
use formwork_variant::Limits;

pub fn key() -> Key {
    Key::from_password("correct horse")
}

/// Every layer that can be written.
pub fn layers() -> impl Iterator<Item = Layer> {
    Layer::all().filter(|&layer| layer != Layer::Compressed(Compression::Brotli))
}

pub fn close(content: &[u8], layers: &[Layer]) -> Vec<u8> {
    close_with_vector(content, layers, Some(&key()), &[7; 16]).expect("it can be written")
}

pub fn open(file: &[u8]) -> formwork_variant::Result<Opened<'_>> {
    open_with(file, Some(&key()), &Limits::default())
}

/// A small file in each layer, Brotli included.
pub fn small_files(content: &[u8]) -> Vec<(Layer, Vec<u8>)> {
    let mut files: Vec<_> = layers().map(|layer| (layer, close(content, &[layer]))).collect();
    let blocks = [stored_brotli(content)];
    let brotli = Layer::Compressed(Compression::Brotli);
    files.push((brotli, compressed(4, 4096, content.len() as u32, &blocks)));
    files
}

/// A compressed file with any head and any blocks.
pub fn compressed(mode: u32, block_size: u32, total: u32, blocks: &[Vec<u8>]) -> Vec<u8> {
    let sizes = blocks.iter().map(|block| block.len() as u32);
    let head = [u32::from_le_bytes(*b"GCPF"), mode, block_size, total];
    let mut file: Vec<u8> = head.into_iter().chain(sizes).flat_map(u32::to_le_bytes).collect();
    blocks.iter().for_each(|block| file.extend(block));
    file.extend(b"GCPF");
    file
}

/// A Brotli stream that holds up to 64 KiB as they are, for a window of 16 MiB.
pub fn stored_brotli(content: &[u8]) -> Vec<u8> {
    // From the lowest bit: a window of 24 bits; not the last piece, its length in four digits, minus
    // one; stored.
    const WINDOW: u32 = 0b1111;
    let Some(length) = content.len().checked_sub(1) else { return vec![0b11_1111] };
    let bits = WINDOW | (u32::try_from(length).unwrap() << 7) | (1 << 23);
    let mut stream = bits.to_le_bytes()[..3].to_vec();
    stream.extend(content);
    // The last piece, which is empty.
    stream.push(0b11);
    stream
}

/// Returns bytes that can be compressed, but not to nothing: runs, repetitions and noise.
pub fn content(length: usize, seed: u64) -> Vec<u8> {
    let mut noise = Noise::new(seed);
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        let some = 1 + noise.below(40);
        match noise.below(3) {
            0 => bytes.extend(noise.bytes(some)),
            1 => bytes.resize(bytes.len() + some, noise.number() as u8),
            _ => {
                let from = bytes.len().saturating_sub(1 + noise.below(9000));
                let again = bytes[from..].iter().copied().take(some).collect::<Vec<_>>();
                bytes.extend(again);
            }
        }
    }
    bytes.truncate(length);
    bytes
}

/// Whether it is encrypted.
pub fn is_encrypted(layer: Layer) -> bool {
    matches!(layer, Layer::Encrypted(Cipher::Ecb | Cipher::Cfb))
}
