//! Writes values as packets, as the engine does.

use super::types::{Engine, Type};
use super::utf8::is_readable;
use super::value::{Element, NodePath, Value};
use crate::defect::{Defect, defect};

const FLAG: u32 = 1 << 16;

/// Appends the packet of a value. Returns `false` if the engine has no packet for it, or the value is not
/// known.
pub(crate) fn write(value: &Value, engine: Engine, out: &mut Vec<u8>) -> bool {
    Writer { engine, out }.value(value, 0)
}

struct Writer<'o> {
    engine: Engine,
    out: &'o mut Vec<u8>,
}

impl Writer<'_> {
    fn word(&mut self, word: u32) {
        self.out.extend_from_slice(&word.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.word(count as u32);
    }

    fn header(&mut self, of: Type, flags: u32) {
        self.word(self.engine.id(of) | flags);
    }

    fn value(&mut self, value: &Value, depth: usize) -> bool {
        // A value that was read too deep is written too deep; otherwise the mistake would not show.
        let any_depth = defect(Defect::DepthUnlimited) || defect(Defect::DepthArraysOnly);
        if depth > 1024 && !any_depth {
            return false;
        }
        let of = value.type_of();
        match value {
            Value::Untold(_) => return false,
            Value::Nil | Value::Object(0) => self.word(0),
            Value::Bool(value) => {
                self.header(of, 0);
                self.word((*value).into());
            }
            Value::Int(number) => match i32::try_from(*number) {
                Ok(number) => {
                    self.header(of, 0);
                    self.word(number as u32);
                }
                Err(_) => {
                    self.header(of, FLAG);
                    self.out.extend(number.to_le_bytes());
                }
            },
            Value::Float(number) => {
                let single = *number as f32;
                if f64::from(single) == *number {
                    self.header(of, 0);
                    self.out.extend(single.to_le_bytes());
                } else {
                    self.header(of, FLAG);
                    self.out.extend(number.to_le_bytes());
                }
            }
            Value::String(text) | Value::StringName(text) => {
                self.header(of, 0);
                return self.text(text);
            }
            Value::Reals(_, numbers) => {
                self.header(of, 0);
                self.reals(numbers);
            }
            Value::Ints(_, numbers) => {
                self.header(of, 0);
                self.out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Value::NodePath(path) => return self.node_path(path),
            Value::Rid(id) => {
                self.header(of, 0);
                if self.engine == Engine::Godot4 {
                    self.out.extend(id.to_le_bytes());
                }
            }
            Value::Object(id) => {
                self.header(of, FLAG);
                self.out.extend(id.to_le_bytes());
            }
            Value::Callable => self.header(of, 0),
            Value::Signal(name, id) => {
                self.header(of, 0);
                let fits = self.text(name);
                self.out.extend(id.to_le_bytes());
                return fits;
            }
            Value::Dictionary(dictionary) => {
                let (key, value) = (&dictionary.key, &dictionary.value);
                self.header(of, kind(key) << 16 | kind(value) << 18);
                if !self.element(key) || !self.element(value) {
                    return false;
                }
                self.count(dictionary.pairs.len());
                return dictionary.pairs.iter().all(|(key, value)| {
                    self.value(key, depth + 1) && self.value(value, depth + 1)
                });
            }
            Value::Array(array) => {
                self.header(of, kind(&array.element) << 16);
                if !self.element(&array.element) {
                    return false;
                }
                self.count(array.elements.len());
                return array.elements.iter().all(|element| self.value(element, depth + 1));
            }
            Value::Bytes(bytes) => {
                self.header(of, 0);
                self.padded(bytes);
            }
            Value::Int32s(numbers) => {
                self.header(of, 0);
                self.count(numbers.len());
                self.out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Value::Int64s(numbers) => {
                self.header(of, 0);
                self.count(numbers.len());
                self.out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Value::Float32s(numbers) => {
                self.header(of, 0);
                self.count(numbers.len());
                self.reals(numbers);
            }
            Value::Float64s(numbers) => {
                self.header(of, 0);
                self.count(numbers.len());
                self.out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Value::Strings(texts) => {
                self.header(of, 0);
                self.count(texts.len());
                return texts.iter().all(|text| {
                    self.padded(&[text, &b"\0"[..]].concat());
                    is_readable(text, self.engine)
                });
            }
            Value::Vectors(_, numbers) => {
                self.header(of, 0);
                self.count(numbers.len() / of.reals());
                self.reals(numbers);
            }
        }
        true
    }

    fn reals(&mut self, numbers: &[f32]) {
        self.out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn padded(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.out.extend_from_slice(bytes);
        self.out.resize(self.out.len() + bytes.len().wrapping_neg() % 4, 0);
    }

    fn text(&mut self, text: &[u8]) -> bool {
        self.padded(text);
        is_readable(text, self.engine)
    }

    fn node_path(&mut self, path: &NodePath) -> bool {
        self.header(Type::NodePath, 0);
        self.word(path.names.len() as u32 | 1 << 31);
        self.count(path.subnames.len());
        self.word(path.absolute.into());
        path.names.iter().chain(&path.subnames).all(|text| self.text(text))
    }

    fn element(&mut self, element: &Option<Element>) -> bool {
        match element {
            None => true,
            Some(Element::Builtin(of)) => {
                self.word(self.engine.id(*of));
                true
            }
            Some(Element::Class(name) | Element::Script(name)) => self.text(name),
        }
    }
}

/// Returns the number that a header has for the form of an element type.
fn kind(element: &Option<Element>) -> u32 {
    match element {
        None => 0,
        Some(Element::Builtin(_)) => 1,
        Some(Element::Class(_)) => 2,
        Some(Element::Script(_)) => 3,
    }
}
