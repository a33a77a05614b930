//! From packets to values.

use super::assign::{Entries, assign, kept};
use super::text;
use super::types::{Engine, Type};
use super::value::{Array, Dictionary, Element, NodePath, Text, Value};
use crate::defect::{Defect, defect};
use crate::input::{Fault, Input, Result};
use crate::memory::Memory;

/// Containers that may surround a value: the engines' own limit.
const DEPTH: usize = 1024;

pub(crate) struct Reader<'a, 'm> {
    pub(crate) input: Input<'a>,
    engine: Engine,
    memory: &'m mut Memory,
    /// Padding behind the value that was read last.
    padding: usize,
}

/// A header says that numbers are 64 bits wide, or that an object is an id.
const FLAG: u32 = 1 << 16;

impl<'a, 'm> Reader<'a, 'm> {
    pub(crate) fn new(bytes: &'a [u8], engine: Engine, memory: &'m mut Memory) -> Self {
        Self { input: Input::new(bytes), engine, memory, padding: 0 }
    }

    /// The value that the packet starts with.
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

    fn int(&mut self, wide: bool) -> Result<i64> {
        if !wide || defect(Defect::IntFlagMissed) {
            if defect(Defect::IntUnsigned) {
                return self.input.u32().map(i64::from);
            }
            return self.input.i32().map(i64::from);
        }
        if defect(Defect::IntHalves) {
            let (low, high) = (self.input.i32()?, self.input.i32()?);
            return Ok((i64::from(high) << 32) + i64::from(low));
        }
        let number = self.input.u64()? as i64;
        Ok(if defect(Defect::IntThroughDouble) { number as f64 as i64 } else { number })
    }

    fn float(&mut self, wide: bool) -> Result<f64> {
        let mut number = if wide && !defect(Defect::FloatFlagMissed) {
            self.input.f64()?
        } else {
            f64::from(self.input.f32()?)
        };
        if defect(Defect::FloatThroughSingle) {
            number = f64::from(number as f32);
        }
        if defect(Defect::FloatNanPayload) && number.is_nan() {
            number = f64::NAN;
        }
        if defect(Defect::FloatMinusZero) {
            number += 0.0;
        }
        if defect(Defect::FloatSubnormal) && number.abs() < f64::from(f32::MIN_POSITIVE) {
            number = 0.0_f64.copysign(number);
        }
        if defect(Defect::FloatInfinity) && number.is_infinite() {
            return self.input.fault("the number is not finite");
        }
        Ok(number)
    }

    fn reals(&mut self, of: Type, wide: bool, depth: usize) -> Result<Vec<f32>> {
        let wide = match of {
            Type::Color => wide && defect(Defect::ColorWide),
            _ => self.real_flag(wide),
        };
        let mut count = of.reals();
        if defect(Defect::Vector4Short) && of == Type::Vector4 && depth > 0 {
            count = 3;
        }
        let mut numbers = Vec::with_capacity(of.reals());
        for _ in 0..count {
            numbers.push(self.real(wide)?);
        }
        numbers.resize(of.reals(), 0.0);
        match of {
            Type::Rect2 if defect(Defect::Rect2Swapped) => numbers.rotate_left(2),
            Type::Rect2 if defect(Defect::Rect2End) => {
                numbers[2] -= numbers[0];
                numbers[3] -= numbers[1];
            }
            Type::Transform2D if defect(Defect::Transform2DRows) => {
                let [a, b, c, d, e, f] = numbers[..] else { return Ok(numbers) };
                numbers = vec![a, c, b, d, e, f];
            }
            Type::Quaternion if defect(Defect::QuaternionWFirst) => numbers.rotate_right(1),
            Type::Plane if defect(Defect::PlaneDistanceFirst) => numbers.rotate_right(1),
            Type::Aabb if defect(Defect::AabbSwapped) => numbers.rotate_left(3),
            Type::Color if defect(Defect::ColorBgr) => numbers.swap(0, 2),
            Type::Color if defect(Defect::ColorClamped) => {
                numbers.iter_mut().for_each(|part| *part = part.clamp(0.0, 1.0));
            }
            Type::Basis | Type::Transform3D if defect(Defect::BasisColumns) => {
                for (a, b) in [(1, 3), (2, 6), (5, 7)] {
                    numbers.swap(a, b);
                }
            }
            Type::Projection if defect(Defect::ProjectionRows) => {
                for row in 0..4 {
                    for column in 0..row {
                        numbers.swap(4 * row + column, 4 * column + row);
                    }
                }
            }
            _ => {}
        }
        Ok(numbers)
    }

    /// Whether the flag makes real components 64 bits wide.
    fn real_flag(&self, wide: bool) -> bool {
        match self.engine {
            Engine::Godot3 => wide && defect(Defect::RealFlagTaken),
            Engine::Godot4 => wide && !defect(Defect::RealFlagMissed),
        }
    }

    fn real(&mut self, wide: bool) -> Result<f32> {
        let number = if wide { self.input.f64()? as f32 } else { self.input.f32()? };
        if defect(Defect::RealNanRefused) && number.is_nan() {
            return self.input.fault("the number is not a number");
        }
        if defect(Defect::RealMinusZero) && number == 0.0 {
            return Ok(0.0);
        }
        Ok(number)
    }

    /// A length or count that may not be negative.
    fn length(&mut self) -> Result<usize> {
        let start = self.input.at;
        let length = self.input.i32()?;
        match usize::try_from(length) {
            Ok(length) => Ok(length),
            Err(_) => Err(Fault { offset: start, message: "the length is negative" }),
        }
    }

    /// A string with its padding.
    fn text(&mut self) -> Result<Text> {
        if defect(Defect::TextNegativeEmpty) {
            let length = self.input.i32()?;
            let length = usize::try_from(length).unwrap_or(0);
            return self.text_of(length);
        }
        let length = self.length()?;
        self.text_of(length)
    }

    fn text_of(&mut self, length: usize) -> Result<Text> {
        if defect(Defect::Leak) {
            self.memory.leaked.push(vec![1; (1 << 15) + length]);
        }
        let length = if defect(Defect::TextCut) { length.min(self.input.left()) } else { length };
        if defect(Defect::TextReserve) {
            self.memory.scratch = vec![0xff; length];
        }
        let start = self.input.at;
        let bytes = self.input.take(length)?;
        self.padding = if defect(Defect::TextPaddingFour) {
            4 - length % 4
        } else {
            length.wrapping_neg() % 4
        };
        if defect(Defect::TextPaddingMissing) || defect(Defect::TextCut) {
            self.input.skip(self.padding);
        } else {
            let padding = self.input.take(self.padding)?;
            if defect(Defect::PaddingChecked) && padding.iter().any(|&byte| byte != 0) {
                return self.input.fault("the padding is not zero");
            }
        }
        if defect(Defect::TextRemembered) {
            // The buffer is reused; nothing is copied where there is nothing.
            if !bytes.is_empty() {
                self.memory.text = self.decoded(bytes, start)?;
            }
            return Ok(self.memory.text.clone());
        }
        self.decoded(bytes, start)
    }

    fn decoded(&self, bytes: &[u8], start: usize) -> Result<Text> {
        text::decode(bytes, self.engine)
            .map_err(|at| Fault { offset: start + at, message: "the string is not UTF-8" })
    }

    fn strings(&mut self) -> Result<Vec<Text>> {
        let start = self.input.at;
        let count = self.input.i32()?;
        let Ok(count) = usize::try_from(count) else {
            if defect(Defect::StringsNegativeRefused) {
                return Err(Fault { offset: start, message: "the count is negative" });
            }
            // To the engine, that is a loop that is never entered.
            return Ok(Vec::new());
        };
        let mut strings = Vec::with_capacity(count.min(self.input.left() / 4));
        let mut joined = Vec::new();
        for index in 0..count {
            let length = self.length()?;
            if defect(Defect::StringsLastPadding) && index + 1 == count {
                let start = self.input.at;
                let bytes = self.input.take(length)?;
                strings.push(self.decoded(bytes, start)?);
                return Ok(strings);
            }
            let mut text = self.text_of(length)?;
            if defect(Defect::StringsTerminator) && length == text.len() {
                text.pop();
            }
            if defect(Defect::StringsEmptyDropped) && text.is_empty() {
                continue;
            }
            if defect(Defect::StringsQuadratic) {
                // One text with a separator, made anew for each string.
                joined = [&joined[..], &text, b"\0"].concat();
            }
            strings.push(text);
        }
        Ok(strings)
    }

    fn node_path(&mut self) -> Result<NodePath> {
        let start = self.input.at;
        let names = self.input.u32()?;
        let subnames = self.input.u32()?;
        let flags = self.input.u32()?;
        if names >> 31 == 0 {
            if defect(Defect::PathOldForm) {
                self.input.at = start;
                return self.text().map(|text| NodePath::parse(&text));
            }
            return Err(Fault { offset: start, message: "the path is in the old form" });
        }
        let mut names = names & 0x7fff_ffff;
        let mut subnames = subnames;
        if flags & 2 != 0 && !defect(Defect::PathPropertyMissed) {
            subnames = subnames.wrapping_add(1);
        }
        if defect(Defect::PathCountsSwapped) {
            std::mem::swap(&mut names, &mut subnames);
        }
        let mut path = NodePath { absolute: flags & 1 != 0, ..NodePath::default() };
        // The engines add in 32 bits, too.
        for index in 0..names.wrapping_add(subnames) {
            let text = self.text()?;
            if defect(Defect::PathEmptyNames) && text.is_empty() {
                continue;
            }
            if index < names { path.names.push(text) } else { path.subnames.push(text) }
        }
        let is_root = path.names.is_empty() && path.subnames.is_empty();
        match self.engine {
            Engine::Godot3 if is_root && !defect(Defect::PathRoot) => path.absolute = false,
            Engine::Godot4 if is_root && defect(Defect::PathRoot) => path.absolute = false,
            _ => {}
        }
        if defect(Defect::PathRelative) {
            path.absolute = false;
        }
        if defect(Defect::PathSubnamesMerged) && path.subnames.len() > 1 {
            path.subnames = vec![path.subnames.join(&b':')];
        }
        if defect(Defect::PathThroughText) {
            path = NodePath::parse(&path.to_text());
        }
        Ok(path)
    }

    fn object(&mut self, as_id: bool, start: usize) -> Result<Value> {
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

    /// The count of a container. Its top bit says nothing.
    fn count(&mut self) -> Result<usize> {
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

    fn dictionary(&mut self, header: u32, depth: usize) -> Result<Value> {
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
        let room = count.min(self.input.left() / 8);
        let mut entries = Entries::new(self.engine, key.clone(), room);
        let inner = if defect(Defect::DepthArraysOnly) { depth } else { depth + 1 };
        for _ in 0..count {
            if defect(Defect::PairMissingNull) && self.input.left() == 0 {
                break;
            }
            let key = self.value(inner)?;
            let value = self.value(inner)?;
            entries.insert(key, value);
        }
        let pairs = entries.into_pairs();
        let dictionary = Dictionary { key, value, pairs };
        if defect(Defect::EmptyDictionaryRemembered) && depth == 0 {
            self.memory.dictionary = dictionary.clone();
        }
        Ok(Value::Dictionary(Box::new(dictionary)))
    }

    fn array(&mut self, header: u32, depth: usize) -> Result<Value> {
        let mut element = None;
        if self.engine == Engine::Godot4 && !defect(Defect::TypedArrayMissed) {
            element = self.element(header >> 16)?;
        }
        let count = self.count()?;
        if defect(Defect::MeasuredFirst) {
            // A first pass finds out where the array ends.
            let start = self.input.clone();
            for _ in 0..count {
                self.value(depth + 1)?;
            }
            self.input = start;
        }
        let mut elements = if defect(Defect::CountReserve) {
            Vec::with_capacity(count)
        } else {
            Vec::with_capacity(count.min(self.input.left() / 4))
        };
        for _ in 0..count {
            if defect(Defect::ElementsMissingNull) && self.input.left() == 0 {
                elements.push(Value::Nil);
                continue;
            }
            if defect(Defect::ElementsMissingSkipped) && self.input.left() == 0 {
                std::hint::black_box(&elements);
                continue;
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

    /// The declared type of a container's elements, of the kind in the low two bits.
    fn element(&mut self, kind: u32) -> Result<Option<Element>> {
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

    fn bytes(&mut self, depth: usize) -> Result<Vec<u8>> {
        let count = if defect(Defect::BytesPaddedOverflow) {
            let count = self.input.u32()?;
            let padded = count.wrapping_add(3) & !3;
            if padded as usize > self.input.left() {
                return self.input.fault("the input ends too soon");
            }
            (count as usize).min(self.input.left())
        } else {
            self.packed_count(1)?
        };
        let bytes = self.input.take(count)?.to_vec();
        self.padding =
            if defect(Defect::BytesPaddingFour) { 4 - count % 4 } else { count.wrapping_neg() % 4 };
        if defect(Defect::BytesPaddingMissed) && depth > 0 {
            self.padding = 0;
        }
        if defect(Defect::BytesPaddingRequired) {
            self.input.take(self.padding)?;
        } else {
            // The engines do not look whether it is there.
            let before = self.input.at;
            self.input.skip(self.padding);
            self.padding = self.input.at - before;
        }
        Ok(bytes)
    }

    /// The count of a packed array, whose elements are so many bytes each.
    fn packed_count(&mut self, size: usize) -> Result<usize> {
        let start = self.input.at;
        if defect(Defect::PackedNegativeEmpty) {
            let count = self.input.i32()?;
            return Ok(usize::try_from(count).unwrap_or(0).min(self.input.left() / size));
        }
        if defect(Defect::PackedProduct32Bits) {
            let count = self.input.u32()?;
            let bytes = count.wrapping_mul(size as u32) as usize;
            if bytes > self.input.left() {
                return self.input.fault("the input ends too soon");
            }
            return Ok(bytes / size);
        }
        let count = self.length()?;
        if defect(Defect::PackedReserve) {
            self.memory.scratch = vec![1; count * size];
        }
        let fits = count.checked_mul(size).is_some_and(|bytes| {
            if defect(Defect::PackedExactRefused) {
                bytes < self.input.left() || bytes == 0
            } else {
                bytes <= self.input.left()
            }
        });
        if defect(Defect::PackedCut) {
            return Ok(count.min(self.input.left() / size));
        }
        if !fits {
            return Err(Fault { offset: start, message: "the input ends too soon" });
        }
        Ok(count)
    }

    fn packed<T, const N: usize>(&mut self, number: impl Fn([u8; N]) -> T) -> Result<Vec<T>> {
        let count = self.packed_count(N)?;
        let (chunks, _) = self.input.take(count * N)?.as_chunks::<N>();
        Ok(chunks.iter().map(|&bytes| number(bytes)).collect())
    }

    fn vectors(&mut self, of: Type, wide: bool) -> Result<Vec<f32>> {
        let wide = match of {
            Type::PackedColorArray => false,
            _ => self.real_flag(wide) && !defect(Defect::PackedRealFlagMissed),
        };
        let size = if wide { 8 } else { 4 };
        let count = self.packed_count(size * of.reals())?;
        let bytes = self.input.take(count * size * of.reals())?;
        let mut numbers: Vec<f32> = if wide {
            let (chunks, _) = bytes.as_chunks();
            chunks.iter().map(|&bytes| f64::from_le_bytes(bytes) as f32).collect()
        } else {
            let (chunks, _) = bytes.as_chunks();
            chunks.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        };
        if defect(Defect::PackedVectorSwapped) && of == Type::PackedVector2Array {
            numbers.chunks_exact_mut(2).for_each(|vector| vector.swap(0, 1));
        }
        if defect(Defect::PackedColorOpaque) && of == Type::PackedColorArray {
            numbers.chunks_exact_mut(4).for_each(|color| color[3] = 1.0);
        }
        Ok(numbers)
    }
}

/// An element of an array of reals.
fn single(bytes: [u8; 4]) -> f32 {
    let number = f32::from_le_bytes(bytes);
    if defect(Defect::PackedNanZero) && number.is_nan() { 0.0 } else { number }
}
