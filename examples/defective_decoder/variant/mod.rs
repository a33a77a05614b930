//! Variant packets of Godot 3.6 and 4.6.

mod assign;
mod convert;
mod key;
mod number;
mod read;
mod rotation;
mod types;
mod utf8;
mod value;
mod write;

pub(crate) use self::types::Engine;
pub(crate) use self::value::Dictionary;

use crate::defect::{Defect, defect};
use crate::input::Result;
use crate::memory::Memory;

/// Reads the value that a packet starts with, and appends the bytes that the engine would write for it.
/// Returns the number of consumed bytes, and whether the bytes of the engine are known.
pub(crate) fn again(
    packet: &[u8],
    engine: Engine,
    memory: &mut Memory,
    out: &mut Vec<u8>,
) -> Result<(usize, bool)> {
    let (value, consumed) = read::Reader::new(packet, engine, memory).packet()?;
    let before = out.len();
    let is_known = write::write(&value, engine, out);
    let is_unusual = out[before..] != packet[..consumed];
    if !is_known || defect(Defect::UnusualWithoutValue) && is_unusual {
        out.truncate(before);
    }
    Ok((consumed, is_known))
}
