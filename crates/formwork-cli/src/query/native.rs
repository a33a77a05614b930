//! Values of engines that hold others and are no containers: vectors and their like, and packed arrays.

use formwork_variant::Dialect;
use formwork_variant::json::{Json, Style, to_json};
use formwork_variant::{Numbers, Payload, Real, Variant, VariantType};

use super::value::{Native, Value};

impl<R: Real> Native<R> {
    /// Whether it is an array: its parts are elements and not components.
    pub(super) fn is_array(&self) -> bool {
        let variant_type = self.value.variant_type();
        is_texts_or_bytes(variant_type)
            || variant_type.numbers().is_some_and(|numbers| numbers.element.is_some())
    }

    /// Returns the name of its type in its engine.
    pub(super) fn type_name(&self) -> &'static str {
        self.dialect.type_name(self.value.variant_type())
    }

    /// Returns how many elements or components it has. [`None`] where it is no such value.
    pub(super) fn count(&self) -> Option<usize> {
        match self.value.payload() {
            Payload::PackedByteArray(bytes) => Some(bytes.len()),
            Payload::PackedStringArray(texts) => Some(texts.len()),
            Payload::Numbers(numbers) if self.is_array() => Some(numbers.elements()),
            Payload::Numbers(_) => self.value.variant_type().numbers().map(|it| it.count),
            _ => None,
        }
    }

    /// Returns an element or component.
    pub(super) fn part(&self, at: usize) -> Option<Value<R>> {
        match self.value.payload() {
            Payload::PackedByteArray(bytes) => bytes.get(at).map(|byte| Value::Int((*byte).into())),
            Payload::PackedStringArray(texts) => {
                texts.get(at).map(|text| Value::text(text.clone()))
            }
            Payload::Numbers(numbers) => {
                let declared = self.value.variant_type().numbers()?;
                match declared.element {
                    None => number(numbers, at),
                    Some(VariantType::Int | VariantType::Float) => number(numbers, at),
                    Some(element) => {
                        let range = at * declared.count..(at + 1) * declared.count;
                        let parts: Vec<_> = range.map_while(|at| number(numbers, at)).collect();
                        self.other(element, &parts).ok().filter(|_| at < numbers.elements())
                    }
                }
            }
            _ => None,
        }
    }

    /// Returns the elements or components; none where it has none.
    pub(super) fn parts(&self) -> Vec<Value<R>> {
        (0..self.count().unwrap_or(0)).map_while(|at| self.part(at)).collect()
    }

    /// Returns the same with other elements or components, or why there is no such value.
    pub(super) fn with_parts(&self, parts: &[Value<R>]) -> Result<Value<R>, String> {
        let variant_type = self.value.variant_type();
        if self.count() == Some(parts.len())
            && parts.iter().zip(self.parts()).all(|(new, old)| new.is_identical(&old))
        {
            return Ok(Value::Native(Self { value: self.value.clone(), ..*self }.into()));
        }
        self.other(variant_type, parts)
    }

    /// Returns the positions of the components that a name means: `x`, or `position` for those of a rectangle.
    pub(super) fn named(&self, name: &str) -> Option<Vec<usize>> {
        let numbers = self.value.variant_type().numbers().filter(|it| it.element.is_none())?;
        let is_in = |field: &str| {
            field == name || field.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'))
        };
        let found: Vec<_> = (numbers.components.iter().enumerate())
            .filter(|(_, field)| is_in(field.name))
            .map(|(at, _)| at)
            .collect();
        (!found.is_empty()).then_some(found)
    }

    /// Returns the components that a name means: a number, or a vector of several.
    pub(super) fn member(&self, name: &str) -> Option<Value<R>> {
        let found = self.named(name)?;
        let parts: Vec<_> = found.iter().map_while(|&at| self.part(at)).collect();
        if let [part] = &parts[..] {
            return Some(part.clone());
        }
        let whole = matches!(self.value.payload(), Payload::Numbers(Numbers::Int(_)));
        let vector = match (parts.len(), whole) {
            (2, false) => VariantType::Vector2,
            (2, true) => VariantType::Vector2i,
            (3, false) => VariantType::Vector3,
            (3, true) => VariantType::Vector3i,
            _ => return Value::list(parts).ok(),
        };
        self.other(vector, &parts).ok()
    }

    /// Returns the same with another value for the components that a name means.
    pub(super) fn with_member(&self, name: &str, value: &Value<R>) -> Result<Value<R>, String> {
        let found = self.named(name).unwrap_or_default();
        let new = match value {
            Value::Native(native) => native.parts(),
            Value::List(list) => list.elements.clone(),
            number => vec![number.clone()],
        };
        if new.len() != found.len() {
            return Err(format!("{name} of a {} cannot be {value}", self.type_name()));
        }
        let mut parts = self.parts();
        found.into_iter().zip(new).for_each(|(at, new)| parts[at] = new);
        self.with_parts(&parts)
    }

    fn other(&self, variant_type: VariantType, parts: &[Value<R>]) -> Result<Value<R>, String> {
        let value = made(variant_type, parts, self.dialect)?;
        Ok(Value::Native(Self { value, dialect: self.dialect }.into()))
    }
}

const fn is_texts_or_bytes(variant_type: VariantType) -> bool {
    matches!(variant_type, VariantType::PackedByteArray | VariantType::PackedStringArray)
}

/// Makes a value of a type that is nothing but numbers, bytes or texts, or says why there is no such value.
pub(super) fn made<R: Real>(
    variant_type: VariantType,
    parts: &[Value<R>],
    dialect: Dialect,
) -> Result<Variant<R>, String> {
    let name = dialect.type_name(variant_type);
    let wrong = |part: &Value<R>| format!("{part} cannot be a part of a {name}");
    match (variant_type, variant_type.numbers()) {
        (VariantType::PackedByteArray, _) => {
            let byte = |part: &Value<R>| match part.whole() {
                Some(number) => u8::try_from(number).map_err(|_| wrong(part)),
                None => Err(wrong(part)),
            };
            parts.iter().map(byte).collect::<Result<_, _>>().map(Variant::PackedByteArray)
        }
        (VariantType::PackedStringArray, _) => {
            let text = |part: &Value<R>| match part {
                Value::Text(text) => Ok(text.text.clone()),
                _ => Err(wrong(part)),
            };
            parts.iter().map(text).collect::<Result<_, _>>().map(Variant::PackedStringArray)
        }
        (_, Some(_)) => {
            let mut words = Vec::with_capacity(parts.len());
            // The numbers of an array of vectors are in a row.
            for part in parts {
                let numbers = match part {
                    Value::Native(native) => native.parts(),
                    Value::List(list) => list.elements.clone(),
                    number => vec![number.clone()],
                };
                for number in &numbers {
                    words.push(word(number).ok_or_else(|| wrong(number))?);
                }
            }
            let json = format!("{{\"${name}\":[{}]}}", words.join(","));
            let read = Json::lossless(dialect).in_precision().read(json.as_bytes());
            read.map_err(|error| {
                format!("{name}: expected {}, found {}", error.expected(), error.found())
            })
        }
        _ => Err(format!("a {name} has no parts")),
    }
}

/// Returns the JSON of a number. A float that is a whole number fits an int, too.
fn word<R: Real>(value: &Value<R>) -> Option<String> {
    match (value, value.whole()) {
        (Value::Float(float), Some(0)) if float.is_sign_negative() => Some(in_json(*float)),
        (_, Some(number)) => Some(number.to_string()),
        (Value::Float(_) | Value::Long(_), None) => value.float().map(in_json),
        _ => None,
    }
}

fn in_json(float: f64) -> String {
    to_json(&Variant::<f64>::Float(float), Dialect::GODOT4, Style::Compact)
}

/// Returns a number of a value as JSON says it: a float of 32 bits in as few digits as give it back.
fn number<R: Real>(numbers: Numbers<'_, R>, at: usize) -> Option<Value<R>> {
    Some(match numbers {
        Numbers::Real(list) => {
            let number = list.number(at)?;
            Value::Float(if R::DOUBLE { number.to_f64() } else { short(number.to()) })
        }
        Numbers::Single(list) => Value::Float(short(list.number(at)?)),
        Numbers::Double(list) => Value::Float(list.number(at)?),
        Numbers::Int(list) => Value::Int(list.number(at)?.into()),
        Numbers::Long(list) => Value::Int(list.number(at)?),
    })
}

fn short(single: f32) -> f64 {
    let exact = f64::from(single);
    let near: f64 = single.to_string().parse().unwrap_or(exact);
    if near as f32 == single { near } else { exact }
}
