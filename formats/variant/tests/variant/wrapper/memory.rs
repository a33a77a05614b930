//! Measures the memory for compressed files that would unpack to much more than they should. A part of
//! `tests/hostile.rs`, where no other test runs at the same time.

use std::io::Write;

use formwork_godot::wrapper;
use formwork_godot::wrapper::{Cipher, Key, Layer, close, open};
use formwork_variant::{Error, ErrorKind, Limits, Rule};

use super::MEMORY;
use super::make::{compressed, small_files, stored_brotli};

/// Windows of Zstandard (8 MiB) and Brotli (16 MiB), which a block may ask for.
const WINDOWS: usize = 40 << 20;

/// Opens a file, and returns the most memory that this took in addition to the memory before.
fn measured(file: &[u8], limits: &Limits) -> (Result<usize, Error>, usize) {
    let key = Key::from_password("correct horse");
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = open(file, Some(&key), limits).map(|opened| opened.content.len());
    (result, MEMORY.peak_usage() - before)
}

/// Returns `count` packed zeros.
fn zeros(mode: u32, count: usize) -> Vec<u8> {
    let zeros = vec![0; count];
    let level = flate2::Compression::new(6);
    match mode {
        // A literal, and copies of it: a byte of level 2 is 255.
        0 => {
            let mut block = vec![0x20, 0, 0xe0];
            block.extend(vec![255; count / 255]);
            block.extend([0, 0]);
            block
        }
        1 => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(&zeros).unwrap();
            encoder.finish().unwrap()
        }
        // Blocks of one repeated byte each, for a window of 8 MiB.
        2 => {
            let mut block = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x68];
            let pieces = count.div_ceil(1 << 17);
            for piece in 1..=pieces {
                let header = u32::from(piece == pieces) | 1 << 1 | (1 << 17) << 3;
                block.extend(&header.to_le_bytes()[..3]);
                block.push(0);
            }
            block
        }
        3 => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(&zeros).unwrap();
            encoder.finish().unwrap()
        }
        _ => stored_brotli(&zeros[..count.min(1 << 16)]),
    }
}

/// Declared sizes take no memory; unpacked bytes are counted while they are written.
pub fn bombs_stay_within_memory() {
    words_that_lie_cost_nothing();
    let limits = Limits::default();
    for mode in 0..=4 {
        let block = zeros(mode, 64 << 20);
        // 64 MiB in a block that should be 12 bytes.
        let bomb = compressed(mode, 4096, 12, std::slice::from_ref(&block));
        let (result, used) = measured(&bomb, &limits);
        assert_eq!(result.unwrap_err().rule(), wrapper::rule::GCPF_BLOCK, "{mode}");
        let most = (1 << 20) + if matches!(mode, 2 | 4) { WINDOWS } else { 0 };
        println!("mode {mode}: {} bytes, {used} of memory for a block of 12", bomb.len());
        assert!(used <= most, "mode {mode}: {used} for {}", bomb.len());
        // The same as one block, beyond what is allowed, and then within it.
        let large = compressed(mode, u32::MAX, 64 << 20, &[block]);
        let (result, used) = measured(&large, &limits.unpacked_bytes((64 << 20) - 1));
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Limit, "{mode}");
        assert!(used < 4096, "mode {mode}: {used}");
        let (result, used) = measured(&large, &limits);
        println!("mode {mode}: {} bytes, {used} of memory: {result:?}", large.len());
        assert!(used <= 3 * (64 << 20) + most, "mode {mode}: {used}");
        if matches!(mode, 1..=3) {
            assert_eq!(result, Ok(64 << 20), "mode {mode}");
        }
    }
    // Windows larger than that are refused before there is memory for them.
    let frame = |window: u8| [0x28, 0xb5, 0x2f, 0xfd, 0, window, 1, 0, 0];
    for window in [0x69, 0x70, 0x88, 0xf8] {
        let (result, used) = measured(&compressed(2, 4096, 0, &[frame(window).into()]), &limits);
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Limit);
        assert!(used < 1 << 20, "{used}");
    }
    // A frame may name its content's size, too.
    let named = [0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0].to_vec();
    let (result, used) = measured(&compressed(2, 4096, 0, &[named]), &limits);
    assert_eq!(result.unwrap_err().rule(), Rule::SIZE_LIMIT);
    assert!(used < 1 << 20, "{used}");
    // Brotli with a window of 30 bits, which is no part of the format.
    let large = [0x11, 0x1e, 3, 0, 0, 0].to_vec();
    let (result, used) = measured(&compressed(4, 4096, 0, &[large]), &limits);
    assert_eq!(result.unwrap_err().rule(), wrapper::rule::GCPF_BLOCK);
    assert!(used < 1 << 20, "{used}");
    // Many blocks of a byte each, every one with a separate decoder.
    for mode in [1, 2, 4] {
        let packed = |byte| match mode {
            1 => zeros(1, 1),
            2 => vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 9, 0, 0, byte],
            _ => stored_brotli(&[byte]),
        };
        let mut blocks: Vec<_> = (0..2000).map(|number| packed(number as u8)).collect();
        blocks.push(match mode {
            1 => zeros(1, 0),
            2 => vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0],
            _ => stored_brotli(&[]),
        });
        let (result, used) = measured(&compressed(mode, 1, 2000, &blocks), &limits);
        assert_eq!(result.unwrap(), 2000);
        assert!(used <= 2 << 20, "{used}");
    }
}

fn words_that_lie_cost_nothing() {
    let limits = Limits::default();
    let mut tried = 0;
    for (layer, file) in small_files(b"twelve bytes") {
        for at in 4..file.len() - 3 {
            for word in [0, 1, 0xff, 0xffff, 256 << 20, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
                let mut lying = file.clone();
                lying[at..at + 4].copy_from_slice(&word.to_le_bytes());
                let (_, used) = measured(&lying, &limits);
                let most = (2 << 20) + if layer.name() == "brotli" { WINDOWS } else { 0 };
                assert!(used <= most, "{layer}: {used} with {word} at {at}");
                tried += 1;
            }
        }
    }
    println!("{tried} containers with a lying word");
    // Four layers of files that consist of a head only.
    let key = Key::from_password("correct horse");
    let layers = [Layer::Encrypted(Cipher::Ecb); 3];
    let head = compressed(1, u32::MAX, 256 << 20, &[]);
    let file = close(&head, &layers, Some(&key)).unwrap();
    let (result, used) = measured(&file, &limits);
    assert!(result.unwrap_err().needed().is_some());
    assert!(used < 1 << 16, "{used}");
}
