//! ALB1 files of Terrain Builder.

mod read;
mod write;

use crate::input::Result;
use crate::memory::Memory;

/// Names with their ids, in the order of the file.
pub(crate) type Table = Vec<(u16, Vec<u8>)>;

pub(crate) struct Document {
    project_version: u32,
    reserved: u32,
    tables: [Table; 2],
    root: Object,
}

pub(crate) struct Object {
    class: i16,
    address: u32,
    fields: Vec<Field>,
}

pub(crate) struct Field {
    tag: u16,
    value: Value,
}

enum Value {
    /// An integer of one of the eight types.
    Int(u8, i64),
    Bool(u8),
    Float(f32),
    Double(f64),
    String(Vec<u8>),
    Raw(Vec<u8>),
    Array(Vec<Field>),
    Object(Box<Object>),
    Pointer(i16, u32),
    Pair(Vec<Field>),
    Shorts(Vec<i16>),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    Empty,
}

/// Reads a file and appends the bytes that Terrain Builder would write for it.
pub(crate) fn again(file: &[u8], memory: &mut Memory, out: &mut Vec<u8>) -> Result<usize> {
    let (document, consumed) = read::Reader::new(file, memory).document()?;
    write::write(&document, out);
    Ok(consumed)
}
