//! Reads files into documents.

use super::{Document, Field, Object, Table, Value};
use crate::defect::{Defect, defect};
use crate::input::{Cursor, Fault, Result};
use crate::memory::Memory;

/// The depth limit of nested objects, arrays and pairs, counting the root.
const DEPTH: usize = 64;

/// The bytes of a field's tag and type.
const HEAD: usize = 3;

pub(crate) struct Reader<'a, 'm> {
    input: Cursor<'a>,
    whole: &'a [u8],
    memory: &'m mut Memory,
}

impl<'a, 'm> Reader<'a, 'm> {
    pub(crate) fn new(file: &'a [u8], memory: &'m mut Memory) -> Self {
        Self { input: Cursor::new(file), whole: file, memory }
    }

    pub(crate) fn document(&mut self) -> Result<(Document, usize)> {
        let magic = self.input.take(4)?;
        if magic != b"ALB1" && !defect(Defect::Alb1MagicMissed) {
            return Err(Fault { offset: 0, message: "the file does not start with ALB1" });
        }
        if self.input.u32()? != 1 && !defect(Defect::Alb1VersionMissed) {
            return Err(Fault { offset: 4, message: "the version is not 1" });
        }
        let project_version = self.input.u32()?;
        let reserved = self.input.u32()?;
        if defect(Defect::Alb1ReservedChecked) && reserved != 0 {
            return self.input.fault("the last word of the header is not 0");
        }
        let mut tables = [self.table(2)?, self.table(3)?];
        if defect(Defect::Alb1TablesRemembered) {
            // All files have the same tables.
            tables = self.memory.tables.get_or_insert(tables).clone();
        }
        let root = self.record(1, &tables)?;
        if defect(Defect::Alb1ClassChecked)
            && !tables[1].iter().any(|(id, _)| i32::from(*id) == i32::from(root.class))
        {
            return self.input.fault("the class is unknown");
        }
        let consumed = match defect(Defect::Alb1ConsumedRoot) {
            true => 16,
            false => self.input.at,
        };
        let project_version = match defect(Defect::Alb1ProjectVersionLost) {
            true => 0,
            false => project_version,
        };
        Ok((Document { project_version, reserved, tables, root }, consumed))
    }

    fn table(&mut self, wanted: u16) -> Result<Table> {
        let start = self.input.at;
        let (id, of) = (self.input.u16()?, self.input.u8()?);
        if id != wanted || (of != 0x0f && !defect(Defect::Alb1TableTypeMissed)) {
            return Err(Fault { offset: start, message: "there is another table" });
        }
        let count = self.input.u32()? as usize;
        let count = if defect(Defect::Alb1TableCountByte) { count & 0xff } else { count };
        let mut table = Table::new();
        if defect(Defect::Alb1TableReserve) {
            table.reserve(count);
        }
        for _ in 0..count {
            let (id, length) = (self.input.u16()?, self.input.u16()?);
            let name = self.input.take(length.into())?.to_vec();
            if defect(Defect::Alb1TableDuplicate) && table.iter().any(|(known, _)| *known == id) {
                continue;
            }
            if defect(Defect::Alb1TableAscending) && table.last().is_some_and(|last| last.0 >= id) {
                return self.input.fault("the ids do not ascend");
            }
            table.push((id, name));
        }
        if defect(Defect::Alb1TableSorted) {
            table.sort_by_key(|(id, _)| *id);
        }
        Ok(table)
    }

    /// Reads a class, an address, and fields up to the end of the input.
    fn record(&mut self, depth: usize, tables: &[Table; 2]) -> Result<Object> {
        let class = i16::from_le_bytes(self.input.array()?);
        if defect(Defect::Alb1ClassNegative) && class < 0 {
            return self.input.fault("the class is negative");
        }
        let address = self.address()?;
        let mut fields = Vec::new();
        while self.input.left() > 0 {
            if defect(Defect::Alb1TailIgnored) && self.input.left() < HEAD {
                self.input.at = self.input.bytes.len();
                break;
            }
            let field = self.field(depth, tables)?;
            if defect(Defect::Alb1TagsOnce)
                && let Some(known) =
                    fields.iter_mut().find(|known: &&mut Field| known.tag == field.tag)
            {
                *known = field;
                continue;
            }
            if defect(Defect::Alb1TagsQuadratic) {
                // Each field is inserted at the front, and all fields are reversed afterwards.
                fields.insert(0, field);
                continue;
            }
            fields.push(field);
        }
        if defect(Defect::Alb1TagsQuadratic) {
            fields.reverse();
        }
        Ok(Object { class, address, fields })
    }

    fn address(&mut self) -> Result<u32> {
        let address = self.input.u32()?;
        if defect(Defect::Alb1AddressAligned) && address % 4 != 0 {
            return self.input.fault("the address is not a multiple of 4");
        }
        if defect(Defect::Alb1AddressSigned) {
            return Ok((address as i32).max(0) as u32);
        }
        Ok(address)
    }

    fn field(&mut self, depth: usize, tables: &[Table; 2]) -> Result<Field> {
        let tag = self.input.u16()?;
        if defect(Defect::Alb1TagChecked) && !tables[0].iter().any(|(known, _)| *known == tag) {
            return self.input.fault("the tag is unknown");
        }
        let value = self.value(depth, tables)?;
        Ok(Field { tag, value })
    }

    fn value(&mut self, depth: usize, tables: &[Table; 2]) -> Result<Value> {
        let start = self.input.at;
        let of = self.input.u8()?;
        Ok(match of {
            0x01 if defect(Defect::Alb1SignedCharUnsigned) => {
                Value::Int(of, self.input.u8()?.into())
            }
            0x01 => Value::Int(of, (self.input.u8()? as i8).into()),
            0x02 if defect(Defect::Alb1UnsignedCharSigned) => {
                Value::Int(of, (self.input.u8()? as i8).into())
            }
            0x02 => Value::Int(of, self.input.u8()?.into()),
            0x03 => Value::Int(of, (self.input.u16()? as i16).into()),
            0x04 if defect(Defect::Alb1UnsignedShortSigned) => {
                Value::Int(of, (self.input.u16()? as i16).into())
            }
            0x04 => Value::Int(of, self.input.u16()?.into()),
            0x07 if defect(Defect::Alb1LongWide) => Value::Int(of, self.input.u64()? as i64),
            0x05 | 0x07 => {
                let number = self.input.i32()?;
                if defect(Defect::Alb1IntThroughFloat) {
                    return Ok(Value::Int(of, number as f32 as i64));
                }
                Value::Int(of, number.into())
            }
            0x06 | 0x08 if defect(Defect::Alb1UnsignedIntSigned) => {
                Value::Int(of, self.input.i32()?.into())
            }
            0x06 | 0x08 => Value::Int(of, self.input.u32()?.into()),
            0x09 => {
                let byte = self.input.u8()?;
                if defect(Defect::Alb1BoolChecked) && byte > 1 {
                    return self.input.fault("the bool is neither 0 nor 1");
                }
                Value::Bool(if defect(Defect::Alb1BoolNormal) { (byte != 0).into() } else { byte })
            }
            0x0a => {
                let number = self.input.f32()?;
                if defect(Defect::Alb1FloatNan) && number.is_nan() {
                    return Ok(Value::Float(0.0));
                }
                if defect(Defect::Alb1FloatMinusZero) && number == 0.0 {
                    return Ok(Value::Float(0.0));
                }
                Value::Float(number)
            }
            0x0b => Value::String(self.string()?),
            0x0c => self.array(depth, tables)?,
            0x0d => {
                let mut content = self.blob(6)?;
                self.deeper(depth, start)?;
                let behind = content.bytes.len();
                std::mem::swap(&mut self.input, &mut content);
                let object = self.record(depth + 1, tables);
                std::mem::swap(&mut self.input, &mut content);
                self.input.at = behind;
                let object = object?;
                if defect(Defect::Alb1EmptyObject) && object.fields.is_empty() {
                    return Ok(Value::Empty);
                }
                Value::Object(Box::new(object))
            }
            0x0e if defect(Defect::Alb1PointerSwapped) => {
                let address = self.address()?;
                Value::Pointer(i16::from_le_bytes(self.input.array()?), address)
            }
            0x0e => {
                let class = i16::from_le_bytes(self.input.array()?);
                let address = self.address()?;
                if defect(Defect::Alb1PointerNull) && address == 0 {
                    return Ok(Value::Pointer(0, 0));
                }
                Value::Pointer(class, address)
            }
            0x0f => {
                if !defect(Defect::Alb1PairDepth) {
                    self.deeper(depth, start)?;
                }
                let first = self.field(depth + 1, tables)?;
                let second = self.field(depth + 1, tables)?;
                if defect(Defect::Alb1PairSwapped) && first.tag > second.tag {
                    return Ok(Value::Pair(vec![second, first]));
                }
                if defect(Defect::Alb1PairSecondLost) && second.tag == first.tag {
                    return Ok(Value::Pair(vec![first]));
                }
                Value::Pair(vec![first, second])
            }
            0x10 => Value::Shorts(self.numbers(Cursor::array, i16::from_le_bytes)?),
            0x11 => Value::Ints(self.numbers(Cursor::array, i32::from_le_bytes)?),
            0x12 => Value::Floats(self.numbers(Cursor::array, f32::from_le_bytes)?),
            0x13 => {
                if defect(Defect::Alb1EmptyByte) {
                    self.input.u8()?;
                }
                Value::Empty
            }
            0x14 => {
                let number = self.input.f64()?;
                if defect(Defect::Alb1DoubleAsFloat) {
                    return Ok(Value::Double((number as f32).into()));
                }
                Value::Double(number)
            }
            0x15 if defect(Defect::Alb1DoublesAsFloats) => {
                let narrow = |bytes| (f64::from_le_bytes(bytes) as f32).into();
                Value::Doubles(self.numbers(Cursor::array, narrow)?)
            }
            0x15 => Value::Doubles(self.numbers(Cursor::array, f64::from_le_bytes)?),
            _ if defect(Defect::Alb1UnknownTypeEmpty) => Value::Empty,
            _ => return Err(Fault { offset: start, message: "the field type is unknown" }),
        })
    }

    fn string(&mut self) -> Result<Vec<u8>> {
        let length = self.input.u16()?;
        let length = if defect(Defect::Alb1StringSigned) {
            (length as i16).max(0) as usize
        } else if defect(Defect::Alb1StringByte) {
            (length & 0xff).into()
        } else {
            length.into()
        };
        let bytes = self.input.take(length)?;
        if defect(Defect::Alb1StringNul) {
            return Ok(bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec());
        }
        if defect(Defect::Alb1StringUtf8) {
            return Ok(String::from_utf8_lossy(bytes).into_owned().into_bytes());
        }
        if defect(Defect::Alb1StringTrimmed) {
            return Ok(bytes.trim_ascii_end().to_vec());
        }
        Ok(bytes.to_vec())
    }

    fn numbers<T, const N: usize>(
        &mut self,
        read: impl Fn(&mut Cursor<'a>) -> Result<[u8; N]>,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>> {
        let count = self.input.u8()?;
        let count = if defect(Defect::Alb1NumbersSigned) {
            (count as i8).max(0) as u8
        } else if defect(Defect::Alb1NumbersFour) {
            count.min(4)
        } else {
            count
        };
        (0..count).map(|_| read(&mut self.input).map(&number)).collect()
    }

    /// Reads a size, and returns the input up to the end that the size gives.
    fn blob(&mut self, least: usize) -> Result<Cursor<'a>> {
        let start = self.input.at;
        let size = self.input.u32()? as usize;
        if size < least {
            return Err(Fault { offset: start, message: "the size is too small" });
        }
        let from = self.input.at;
        let around = match defect(Defect::Alb1SizeBeyondParent) {
            true => self.whole,
            false => self.input.bytes,
        };
        let slack = usize::from(defect(Defect::Alb1SizeOffByOne));
        if size > around.len() - from + slack {
            return Err(Fault { offset: start, message: "the size is too large" });
        }
        let end = around.len().min(from + size);
        Ok(Cursor { bytes: &around[..end], at: from })
    }

    fn deeper(&self, depth: usize, start: usize) -> Result<()> {
        let most = if defect(Defect::Alb1DepthOffByOne) { DEPTH - 1 } else { DEPTH };
        if depth < most || defect(Defect::Alb1DepthUnlimited) {
            return Ok(());
        }
        Err(Fault { offset: start, message: "too much is in each other" })
    }

    fn array(&mut self, depth: usize, tables: &[Table; 2]) -> Result<Value> {
        let start = self.input.at;
        let mut content = self.blob(4)?;
        let count = content.u32()? as usize;
        if defect(Defect::Alb1CountReserve) {
            self.memory.scratch = Vec::with_capacity(32 * count);
        }
        let size = content.left();
        let behind = content.bytes.len();
        let fits = count <= size / HEAD;
        if count > 0 && count == size && !defect(Defect::Alb1RawAsFields) {
            if defect(Defect::Alb1RawTrimmed) {
                let bytes = content.take(size)?;
                let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                self.input.at = behind;
                return Ok(Value::Raw(bytes[..end].to_vec()));
            }
            let bytes = content.take(size)?.to_vec();
            self.input.at = behind;
            return Ok(Value::Raw(bytes));
        }
        if !fits && !defect(Defect::Alb1CountMissed) && !defect(Defect::Alb1RawAsFields) {
            let message = "the count fits neither fields nor bytes";
            return Err(Fault { offset: start + 4, message });
        }
        self.deeper(depth, start)?;
        if defect(Defect::Alb1ArraySizeIgnored) {
            content.bytes = self.input.bytes;
        }
        std::mem::swap(&mut self.input, &mut content);
        let elements = self.elements(count, depth + 1, tables);
        std::mem::swap(&mut self.input, &mut content);
        let elements = elements?;
        if defect(Defect::Alb1ArraySizeIgnored) {
            self.input.at = content.at;
            return Ok(Value::Array(elements));
        }
        if content.left() > 0 && !defect(Defect::Alb1ArrayRest) {
            return content.fault("there is more in the array");
        }
        self.input.at = behind;
        Ok(Value::Array(elements))
    }

    fn elements(&mut self, count: usize, depth: usize, tables: &[Table; 2]) -> Result<Vec<Field>> {
        let mut elements: Vec<Field> = Vec::new();
        if defect(Defect::Alb1CountMissed) {
            while self.input.left() > 0 {
                elements.push(self.field(depth, tables)?);
            }
            return Ok(elements);
        }
        for _ in 0..count {
            let field = self.field(depth, tables)?;
            if defect(Defect::Alb1ElementTag)
                && elements.first().is_some_and(|first| first.tag != field.tag)
            {
                return self.input.fault("the elements have different tags");
            }
            elements.push(field);
        }
        Ok(elements)
    }
}
