//! A parser written by hand, as for the packets of one engine in an afternoon: a slice, an enum, a `match`.
//!
//! It reads and writes the types of the workloads, of Godot 4, and trusts its input: nesting is recursion without a
//! limit, duplicate keys are kept, errors have no details.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Nil,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A real number.
    Float(f64),
    /// A text.
    String(String),
    /// A vector.
    Vector3([f32; 3]),
    /// Key and value pairs.
    Dictionary(Vec<(Value, Value)>),
    /// A list of values.
    Array(Vec<Value>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Numbers.
    Floats(Vec<f32>),
    /// Texts.
    Strings(Vec<String>),
    /// Vectors.
    Vectors(Vec<[f32; 3]>),
}

/// The bit of a header that marks a number of 64 bits.
const WIDE: u32 = 1 << 16;

/// The remaining input.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn word<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*word)
    }

    fn u32(&mut self) -> Option<u32> {
        self.word().map(u32::from_le_bytes)
    }

    fn f32(&mut self) -> Option<f32> {
        self.word().map(f32::from_le_bytes)
    }

    fn count(&mut self) -> Option<usize> {
        self.u32().map(|count| count as usize)
    }

    fn padded(&mut self) -> Option<&'a [u8]> {
        let length = self.count()?;
        let bytes = self.take(length)?;
        self.take(length.wrapping_neg() % 4)?;
        Some(bytes)
    }

    fn text(&mut self) -> Option<String> {
        std::str::from_utf8(self.padded()?).ok().map(str::to_owned)
    }

    fn room<T>(&self, count: usize) -> Vec<T> {
        Vec::with_capacity(count.min(self.0.len() / 4))
    }

    fn value(&mut self) -> Option<Value> {
        let header = self.u32()?;
        let wide = header & WIDE != 0;
        Some(match header & 0xff {
            0 => Value::Nil,
            1 => Value::Bool(self.u32()? != 0),
            2 if wide => Value::Int(i64::from_le_bytes(self.word()?)),
            2 => Value::Int(i32::from_le_bytes(self.word()?).into()),
            3 if wide => Value::Float(f64::from_le_bytes(self.word()?)),
            3 => Value::Float(self.f32()?.into()),
            4 => Value::String(self.text()?),
            9 => Value::Vector3([self.f32()?, self.f32()?, self.f32()?]),
            27 => {
                let count = self.count()?;
                let mut pairs = self.room(count);
                for _ in 0..count {
                    pairs.push((self.value()?, self.value()?));
                }
                Value::Dictionary(pairs)
            }
            28 => {
                let count = self.count()?;
                let mut elements = self.room(count);
                for _ in 0..count {
                    elements.push(self.value()?);
                }
                Value::Array(elements)
            }
            29 => Value::Bytes(self.padded()?.to_vec()),
            32 => {
                let count = self.count()?;
                let (numbers, _) = self.take(count.checked_mul(4)?)?.as_chunks();
                Value::Floats(numbers.iter().map(|&number| f32::from_le_bytes(number)).collect())
            }
            34 => {
                let count = self.count()?;
                let mut texts = self.room(count);
                for _ in 0..count {
                    let text = self.padded()?;
                    let text = text.strip_suffix(&[0]).unwrap_or(text);
                    texts.push(std::str::from_utf8(text).ok()?.to_owned());
                }
                Value::Strings(texts)
            }
            36 => {
                let count = self.count()?;
                let (vectors, _) = self.take(count.checked_mul(12)?)?.as_chunks::<12>();
                let vector = |bytes: &[u8; 12]| {
                    let (numbers, _) = bytes.as_chunks();
                    [0, 1, 2].map(|at| f32::from_le_bytes(numbers[at]))
                };
                Value::Vectors(vectors.iter().map(vector).collect())
            }
            _ => return None,
        })
    }
}

/// Reads a value.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Value> {
    Input(bytes).value()
}

/// Writes a value.
#[must_use]
pub fn encode(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, &mut out);
    out
}

fn word(word: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(&word.to_le_bytes());
}

fn padded(bytes: &[u8], out: &mut Vec<u8>) {
    word(bytes.len() as u32, out);
    out.extend_from_slice(bytes);
    out.extend_from_slice(&[0; 3][..bytes.len().wrapping_neg() % 4]);
}

fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Nil => word(0, out),
        Value::Bool(value) => {
            word(1, out);
            word((*value).into(), out);
        }
        Value::Int(value) => match i32::try_from(*value) {
            Ok(narrow) => {
                word(2, out);
                word(narrow as u32, out);
            }
            Err(_) => {
                word(2 | WIDE, out);
                out.extend_from_slice(&value.to_le_bytes());
            }
        },
        Value::Float(value) if f64::from(*value as f32) == *value => {
            word(3, out);
            out.extend_from_slice(&(*value as f32).to_le_bytes());
        }
        Value::Float(value) => {
            word(3 | WIDE, out);
            out.extend_from_slice(&value.to_le_bytes());
        }
        Value::String(text) => {
            word(4, out);
            padded(text.as_bytes(), out);
        }
        Value::Vector3(vector) => {
            word(9, out);
            vector.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
        Value::Dictionary(pairs) => {
            word(27, out);
            word(pairs.len() as u32, out);
            for (key, value) in pairs {
                write(key, out);
                write(value, out);
            }
        }
        Value::Array(elements) => {
            word(28, out);
            word(elements.len() as u32, out);
            elements.iter().for_each(|element| write(element, out));
        }
        Value::Bytes(bytes) => {
            word(29, out);
            padded(bytes, out);
        }
        Value::Floats(numbers) => {
            word(32, out);
            word(numbers.len() as u32, out);
            numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
        Value::Strings(texts) => {
            word(34, out);
            word(texts.len() as u32, out);
            for text in texts {
                let length = text.len() + 1;
                word(length as u32, out);
                out.extend_from_slice(text.as_bytes());
                out.extend_from_slice(&[0; 4][..1 + length.wrapping_neg() % 4]);
            }
        }
        Value::Vectors(vectors) => {
            word(36, out);
            word(vectors.len() as u32, out);
            for vector in vectors {
                vector.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use formwork_variant::{Dialect, Encoder};

    use super::*;

    #[test]
    fn it_reads_and_writes_what_formwork_writes() {
        for workload in crate::workloads::workloads(Dialect::GODOT4) {
            let bytes = Encoder::new(Dialect::GODOT4).encode(&workload.value).unwrap();
            let value = decode(&bytes).unwrap();
            assert!(encode(&value) == bytes, "{}", workload.name);
        }
    }
}
