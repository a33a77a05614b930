//! Arrays, dictionaries and objects.

use super::Reader;
use crate::defect::{Defect, defect};
use crate::input::{Fault, Result};
use crate::variant::assign::{Entries, assign, kept};
use crate::variant::types::Engine;
use crate::variant::value::{Array, Dictionary, Element, Value};

impl Reader<'_, '_> {
    pub(super) fn object(&mut self, as_id: bool, start: usize) -> Result<Value> {
        if defect(Defect::ObjectFlagMissed) {
            return Ok(Value::Object(0));
        }
        if as_id {
            let id = self.input.u64()?;
            return Ok(Value::Object(if defect(Defect::ObjectId32Bits) {
                id as u32 as u64
            } else {
                id
            }));
        }
        if defect(Defect::ObjectNullAccepted) && self.input.u32()? == 0 {
            return Ok(Value::Object(0));
        }
        if defect(Defect::ObjectFullAccepted) {
            let class = self.text()?;
            if !class.is_empty() {
                let count = self.input.i32()?;
                for _ in 0..count {
                    self.text()?;
                    self.value(1)?;
                }
            }
            return Ok(Value::Object(0));
        }
        Err(Fault { offset: start, message: "objects are not allowed" })
    }

    pub(super) fn dictionary(&mut self, header: u32, depth: usize) -> Result<Value> {
        let (mut key, mut value) = (None, None);
        if self.engine == Engine::Godot4 && !defect(Defect::TypedDictionaryMissed) {
            key = self.element(header >> 16)?;
            if !defect(Defect::TypedValueMissed) {
                value = self.element(header >> 18)?;
            }
        }
        let count = self.count()?;
        if defect(Defect::EmptyDictionaryRemembered) && count == 0 {
            return Ok(Value::Dictionary(Box::new(self.memory.dictionary.clone())));
        }
        let mut entries = Entries::new(self.engine, key.clone());
        let inner = if defect(Defect::DepthArraysOnly) { depth } else { depth + 1 };
        for _ in 0..count {
            let is_over = self.input.left() == 0;
            if defect(Defect::PairMissingNull) && is_over {
                break;
            }
            let key = self.value(inner)?;
            let value = self.value(inner)?;
            entries.insert(key, value);
            if is_over {
                // The pairs that are read as zeros are all the same one.
                break;
            }
        }
        let pairs = entries.into_pairs();
        let dictionary = Dictionary { key, value, pairs };
        if defect(Defect::EmptyDictionaryRemembered) && depth == 0 {
            self.memory.dictionary = dictionary.clone();
        }
        Ok(Value::Dictionary(Box::new(dictionary)))
    }

    pub(super) fn array(&mut self, header: u32, depth: usize) -> Result<Value> {
        let mut element = None;
        if self.engine == Engine::Godot4 && !defect(Defect::TypedArrayMissed) {
            element = self.element(header >> 16)?;
        }
        let count = self.count()?;
        if defect(Defect::MeasuredFirst) {
            // A first pass finds the end of the array.
            let start = self.input.clone();
            for _ in 0..count {
                self.value(depth + 1)?;
            }
            self.input = start;
        }
        // Each nested array may announce as many elements as the input has bytes left, so memory is allocated
        // only for elements that are read.
        let mut elements = Vec::new();
        if defect(Defect::CountReserve) {
            elements.reserve(count);
        }
        if defect(Defect::CountReserveNested) {
            elements.reserve(count.min(self.input.left() / 4));
        }
        for _ in 0..count {
            if defect(Defect::ElementsMissingNull) && self.input.left() == 0 {
                elements.push(Value::Nil);
                continue;
            }
            if defect(Defect::ElementsMissingSkipped) && self.input.left() == 0 {
                break;
            }
            elements.push(self.value(depth + 1)?);
        }
        if defect(Defect::TypedEmptyUntyped) && elements.is_empty() {
            element = None;
        }
        if defect(Defect::NullsDropped) {
            elements.retain(|element| !matches!(element, Value::Nil));
        }
        let elements = match &element {
            Some(element) if !defect(Defect::TypedUnchecked) => {
                let count = elements.len();
                let kept = assign(element, elements);
                if defect(Defect::TypedMismatchRefused) && kept.len() != count {
                    return self.input.fault("an element is of another type");
                }
                kept
            }
            _ => elements,
        };
        if defect(Defect::TypedForgotten) {
            element = None;
        }
        Ok(Value::Array(Box::new(Array { element, elements })))
    }

    /// Reads the declared type of a container's elements. The low two bits of `kind` select its form.
    pub(super) fn element(&mut self, kind: u32) -> Result<Option<Element>> {
        let start = self.input.at;
        let kind = kind & 3;
        let kind = if defect(Defect::TypedBuiltinOnly) { kind.min(1) } else { kind };
        Ok(kept(match kind {
            0 => return Ok(None),
            1 => {
                let id = self.input.u32()?;
                let id = if defect(Defect::TypedIdMasked) { id & 0xff } else { id };
                match self.engine.type_of(id) {
                    Some(of) => Element::Builtin(of),
                    None if defect(Defect::TypedIdUnchecked) => return Ok(None),
                    None => {
                        return Err(Fault {
                            offset: start,
                            message: "the element type is unknown",
                        });
                    }
                }
            }
            2 => Element::Class(self.text()?),
            _ if defect(Defect::TypedScriptRefused) => {
                return self.input.fault("the element type is a script");
            }
            _ => Element::Script(self.text()?),
        }))
    }

    /// Reads the count of a container. Its top bit has no meaning.
    pub(super) fn count(&mut self) -> Result<usize> {
        let count = self.input.u32()?;
        if defect(Defect::CountSharedBit) {
            return Ok(count as usize);
        }
        let count = (count & 0x7fff_ffff) as usize;
        if defect(Defect::CountByte) {
            return Ok(count & 0xff);
        }
        if defect(Defect::Count16Bits) {
            return Ok(count & 0xffff);
        }
        if defect(Defect::CountLimit) && count > 4096 {
            return self.input.fault("the container is too large");
        }
        if defect(Defect::CountChecked) && count > self.input.left() / 8 {
            return self.input.fault("the count is larger than the input");
        }
        Ok(count)
    }
}
