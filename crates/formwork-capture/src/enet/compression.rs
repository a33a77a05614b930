//! Commands that NetworkedMultiplayerENet compressed: with zlib, Zstandard or FastLZ. (The range coder of ENet is not
//! read.)

use std::io::Read;

/// The greatest number of bytes that a datagram unpacks to: ENet's buffer (`ENET_PROTOCOL_MAXIMUM_MTU`).
const MOST: u64 = 4096;

/// Returns the possible unpacked bytes. Nothing names the compression, so each way is tried; the right one gives
/// commands to the last byte.
pub(super) fn unpacked(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let ways = [zlib, zstandard, fastlz];
    ways.into_iter().filter_map(|way| way(bytes)).filter(|unpacked| !unpacked.is_empty())
}

fn zlib(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    let mut decoder = flate2::read::ZlibDecoder::new(bytes).take(MOST + 1);
    decoder.read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

fn zstandard(bytes: &[u8]) -> Option<Vec<u8>> {
    const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    if !bytes.starts_with(&MAGIC) {
        return None;
    }
    let mut unpacked = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(bytes).ok()?;
    decoder.take(MOST + 1).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

fn fastlz(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = vec![0; MOST as usize];
    let length = fastlz_rs::decompress_to_buf(bytes, &mut unpacked).ok()?;
    unpacked.truncate(length);
    Some(unpacked)
}
