//! Reads packets into values.

mod container;
mod number;
mod packed;
mod text;

use self::packed::single;
use super::types::{Engine, Type};
use super::value::Value;
use crate::defect::{Defect, defect};
use crate::input::{Cursor, Fault, Result};
use crate::memory::Memory;

/// The most containers around a value: the limit of the engines.
const DEPTH: usize = 1024;

pub(crate) struct Reader<'a, 'm> {
    pub(crate) input: Cursor<'a>,
    engine: Engine,
    memory: &'m mut Memory,
    /// The padding after the value that was read last.
    padding: usize,
}

/// The header bit for numbers of 64 bits, and for objects given as an id.
const FLAG: u32 = 1 << 16;

impl<'a, 'm> Reader<'a, 'm> {
    pub(crate) fn new(bytes: &'a [u8], engine: Engine, memory: &'m mut Memory) -> Self {
        Self { input: Cursor::new(bytes), engine, memory, padding: 0 }
    }

    /// Reads the value that the packet starts with.
    pub(crate) fn packet(&mut self) -> Result<(Value, usize)> {
        if defect(Defect::PanicOnShort) {
            let header = u32::from_le_bytes(self.input.bytes[..4].try_into().expect("four bytes"));
            if header & 0xff >= self.engine.types().len() as u32 {
                return self.input.fault("the type id is unknown");
            }
        }
        let value = self.value(0)?;
        let mut consumed = self.input.at;
        if defect(Defect::ConsumedWithoutHeader) {
            consumed -= 4;
        }
        if defect(Defect::ConsumedWithoutPadding) {
            consumed -= self.padding;
        }
        Ok((value, consumed))
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        let start = self.input.at;
        let fault = |message| Err(Fault { offset: start, message });
        let header = self.input.u32()?;
        let mask = if defect(Defect::TypeId16Bits) { 0xffff } else { 0xff };
        let id = header & mask;
        let last = self.engine.types().len() as u32 - 1;
        if defect(Defect::LastTypeRefused) && id == last {
            return fault("the type id is unknown");
        }
        let Some(of) = self.engine.type_of(id) else {
            if defect(Defect::UnknownTypeNull) {
                return Ok(Value::Nil);
            }
            return fault("the type id is unknown");
        };
        if defect(Defect::FlagsRefused) && header >> 18 != 0 && of != Type::Dictionary {
            return fault("the header has unknown flags");
        }
        let most = if defect(Defect::DepthShort) {
            64
        } else if defect(Defect::DepthOffByOne) {
            DEPTH - 1
        } else {
            DEPTH
        };
        if depth > most && !defect(Defect::DepthUnlimited) {
            return fault("there are too many containers around the value");
        }
        self.padding = 0;
        let wide = header & FLAG != 0;
        Ok(match of {
            Type::Nil => Value::Nil,
            Type::Bool => {
                let word = self.input.u32()?;
                Value::Bool(if defect(Defect::BoolOneOnly) {
                    word == 1
                } else if defect(Defect::BoolByte) {
                    word & 0xff != 0
                } else {
                    word != 0
                })
            }
            Type::Int => Value::Int(self.int(wide)?),
            Type::Float => {
                let number = self.float(wide)?;
                if defect(Defect::WholeFloatInt) && number.fract() == 0.0 && number.abs() < 1e15 {
                    return Ok(Value::Int(number as i64));
                }
                Value::Float(number)
            }
            Type::String => {
                let text = self.text()?;
                if defect(Defect::EmptyTextNull) && text.is_empty() {
                    return Ok(Value::Nil);
                }
                Value::String(text)
            }
            Type::StringName if defect(Defect::StringNameAsString) => Value::String(self.text()?),
            Type::StringName => Value::StringName(self.text()?),
            Type::NodePath => Value::NodePath(Box::new(self.node_path()?)),
            Type::Rid if self.engine == Engine::Godot3 || defect(Defect::RidEmpty) => Value::Rid(0),
            Type::Rid => Value::Rid(self.input.u64()?),
            Type::Object => self.object(wide, start)?,
            Type::Callable => {
                if defect(Defect::CallableAsSignal) {
                    self.text()?;
                    self.input.u64()?;
                }
                Value::Callable
            }
            Type::Signal => {
                let name = self.text()?;
                if defect(Defect::SignalId32Bits) {
                    return Ok(Value::Signal(name, self.input.u32()?.into()));
                }
                Value::Signal(name, self.input.u64()?)
            }
            Type::Dictionary => self.dictionary(header, depth)?,
            Type::Array => self.array(header, depth)?,
            Type::PackedByteArray => Value::Bytes(self.bytes(depth)?),
            Type::PackedInt32Array => Value::Int32s(self.packed(i32::from_le_bytes)?),
            Type::PackedInt64Array if defect(Defect::PackedInt64Narrow) => {
                let narrow = |bytes| i64::from(i64::from_le_bytes(bytes) as i32);
                Value::Int64s(self.packed(narrow)?)
            }
            Type::PackedInt64Array if defect(Defect::PackedInt64Double) => {
                Value::Int64s(self.packed(|bytes| i64::from_le_bytes(bytes) as f64 as i64)?)
            }
            Type::PackedInt64Array => Value::Int64s(self.packed(i64::from_le_bytes)?),
            Type::PackedFloat32Array => Value::Float32s(self.packed(single)?),
            Type::PackedFloat64Array if defect(Defect::PackedFloat64Narrow) => {
                let narrow = |bytes| f64::from(f64::from_le_bytes(bytes) as f32);
                Value::Float64s(self.packed(narrow)?)
            }
            Type::PackedFloat64Array => Value::Float64s(self.packed(f64::from_le_bytes)?),
            Type::PackedStringArray => Value::Strings(self.strings()?),
            Type::PackedVector2Array
            | Type::PackedVector3Array
            | Type::PackedVector4Array
            | Type::PackedColorArray => Value::Vectors(of, self.vectors(of, wide)?),
            Type::Vector2i | Type::Rect2i | Type::Vector3i | Type::Vector4i => {
                let mut ints = Vec::with_capacity(of.ints());
                for _ in 0..of.ints() {
                    let int = self.input.i32()?;
                    ints.push(if defect(Defect::IntVectorsAsReals) {
                        int as f32 as i32
                    } else {
                        int
                    });
                }
                Value::Ints(of, ints)
            }
            of => Value::Reals(of, self.reals(of, wide, depth)?),
        })
    }
}
