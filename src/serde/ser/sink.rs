//! Where values go: into a packet, or into a [`Variant`].

use std::hash::RandomState;

use crate::error::{Path, Result};
use crate::serde::numbers::{self, Numbers};
use crate::serde::ser::flat::Collected;
use crate::variant::codec::{Count, Level, Writing};
use crate::variant::{
    Array, Dictionary, FullObject, KeyHashes, Object, Real, TypedArray, Variant, VariantString,
    VariantType,
};

/// Takes values one after another; what a container holds comes between its opening and its closing.
pub(super) trait Sink {
    /// A value that holds no others and no real numbers of the engine.
    fn leaf(&mut self, value: Variant<f32>) -> Result<()>;

    /// A String or StringName.
    fn text(&mut self, variant_type: VariantType, text: &str) -> Result<()>;

    fn bytes(&mut self, bytes: &[u8]) -> Result<()>;

    fn math(&mut self, variant_type: VariantType, numbers: Numbers) -> Result<()>;

    /// An array of a math type.
    fn vectors(&mut self, variant_type: VariantType, numbers: Collected) -> Result<()>;

    /// A container, given as an empty one.
    fn open(&mut self, empty: Variant<f32>) -> Result<()>;

    /// The name of a property, whose value comes next.
    fn property(&mut self, name: VariantString) -> Result<()>;

    fn close(&mut self) -> Result<()>;

    /// How many containers are open.
    fn depth(&self) -> usize;
}

/// Into a packet.
///
/// What the codec refuses of a whole value is not seen here in full: keys that the dialect takes for
/// one, and elements of another type than that of their container. Where there may be such, the sink
/// takes a detour: the value must be written again, by way of a [`Variant`].
pub(super) struct Packets<'w> {
    writing: &'w mut Writing,
    open: Vec<Written>,
    hasher: RandomState,
    detour: bool,
}

/// A container that is being written.
struct Written {
    count: Count,
    /// The keys so far, of a dictionary.
    keys: KeyHashes,
}

impl<'w> Packets<'w> {
    pub(super) fn new(writing: &'w mut Writing) -> Self {
        Self { writing, open: Vec::new(), hasher: RandomState::new(), detour: false }
    }

    /// Whether the value must be written by way of a [`Variant`].
    pub(super) fn takes_detour(&self) -> bool {
        self.detour
    }

    /// The keys of the dictionary in which a key comes next.
    fn keys(&mut self) -> Option<&mut KeyHashes> {
        if !self.writing.is_at_key() {
            return None;
        }
        self.open.last_mut().map(|open| &mut open.keys)
    }

    /// Writes a value that holds no others.
    fn value<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
        let hasher = self.hasher.clone();
        if self.keys().is_some_and(|keys| keys.may_repeat(&hasher, value)) {
            self.detour = true;
        }
        self.writing.value(value)
    }
}

/// Whether a container says of what type its elements or keys are.
fn is_typed(empty: &Variant<f32>) -> bool {
    match empty {
        Variant::Array(array) => array.element_type().is_some(),
        Variant::Dictionary(dictionary) => {
            dictionary.key_type().or(dictionary.value_type()).is_some()
        }
        Variant::TypedArray(_) | Variant::PackedTypedArray(_) => true,
        _ => false,
    }
}

impl Sink for Packets<'_> {
    fn leaf(&mut self, value: Variant<f32>) -> Result<()> {
        self.value(&value)
    }

    fn text(&mut self, variant_type: VariantType, text: &str) -> Result<()> {
        let hasher = self.hasher.clone();
        if self.keys().is_some_and(|keys| keys.may_repeat_text(&hasher, text)) {
            self.detour = true;
        }
        self.writing.string(variant_type, text)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        // Bytes are rare as keys, and not worth a copy.
        self.detour |= self.writing.is_at_key();
        self.writing.byte_array(bytes)
    }

    fn math(&mut self, variant_type: VariantType, numbers: Numbers) -> Result<()> {
        match numbers {
            Numbers::Double(_) => self.value(&numbers::value::<f64>(variant_type, numbers)?),
            _ => self.value(&numbers::value::<f32>(variant_type, numbers)?),
        }
    }

    fn vectors(&mut self, variant_type: VariantType, numbers: Collected) -> Result<()> {
        if numbers.is_double() {
            self.value(&numbers.vectors::<f64>(variant_type)?)
        } else {
            self.value(&numbers.vectors::<f32>(variant_type)?)
        }
    }

    fn open(&mut self, empty: Variant<f32>) -> Result<()> {
        // A container that is a key would have to be kept to be compared.
        self.detour |= self.writing.is_at_key() || is_typed(&empty);
        let count = self.writing.open(&empty)?;
        self.open.push(Written { count, keys: KeyHashes::default() });
        Ok(())
    }

    fn property(&mut self, name: VariantString) -> Result<()> {
        self.writing.property_name(&name)
    }

    fn close(&mut self) -> Result<()> {
        match self.open.pop() {
            Some(open) => self.writing.complete(open.count),
            None => Ok(()),
        }
    }

    fn depth(&self) -> usize {
        self.writing.depth()
    }
}

/// A container in the making.
struct Making<R: Real> {
    empty: Variant<f32>,
    values: Vec<Variant<R>>,
    names: Vec<VariantString>,
}

/// Into a value.
pub(super) struct Tree<R: Real> {
    making: Vec<Making<R>>,
    levels: Vec<Level>,
    made: Option<Variant<R>>,
}

impl<R: Real> Tree<R> {
    pub(super) fn new() -> Self {
        Self { making: Vec::new(), levels: Vec::new(), made: None }
    }

    pub(super) fn path(&self) -> Path {
        crate::variant::codec::path(&self.levels)
    }

    pub(super) fn finish(self) -> Variant<R> {
        self.made.unwrap_or_default()
    }

    fn take(&mut self, value: Variant<R>) {
        match self.making.last_mut() {
            Some(making) => making.values.push(value),
            None => self.made = Some(value),
        }
        if let Some(level) = self.levels.last_mut() {
            level.advance();
        }
    }
}

/// A value without real numbers of the engine, in another precision.
fn recast<R: Real>(value: Variant<f32>) -> Variant<R> {
    macro_rules! same {
        ($($name:ident)+) => {
            match value {
                $( Variant::$name(value) => Variant::$name(value), )+
                Variant::Callable => Variant::Callable,
                Variant::Object(Object::Id(id)) => Variant::Object(Object::Id(id)),
                Variant::Object(_) => Variant::Object(Object::Null),
                _ => Variant::Nil,
            }
        };
    }
    same! {
        Bool Int Float String StringName NodePath Rid Signal Image InputEvent PackedByteArray
        PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray
    }
}

impl<R: Real> Making<R> {
    fn finish(self) -> Variant<R> {
        let typed = |typed: Box<TypedArray<f32>>, values: Vec<Variant<R>>| {
            let mut elements = Array::from(values);
            elements.set_shared(typed.elements.is_shared());
            Box::new(TypedArray { element: typed.element, elements })
        };
        match self.empty {
            Variant::Array(empty) => {
                let mut array = Array::from(self.values);
                array.set_shared(empty.is_shared());
                array.set_element_type(empty.element_type().cloned());
                Variant::Array(array)
            }
            Variant::TypedArray(empty) => Variant::TypedArray(typed(empty, self.values)),
            Variant::PackedTypedArray(empty) => {
                Variant::PackedTypedArray(typed(empty, self.values))
            }
            Variant::Object(Object::Full(empty)) => {
                let properties = self.names.into_iter().zip(self.values).collect();
                let (class, _) = empty.into_parts();
                Variant::Object(Object::Full(Box::new(FullObject { class, properties })))
            }
            Variant::Dictionary(empty) => {
                let mut pairs = Vec::with_capacity(self.values.len() / 2);
                let mut values = self.values.into_iter();
                while let (Some(key), Some(value)) = (values.next(), values.next()) {
                    pairs.push((key, value));
                }
                let mut dictionary = Dictionary::from(pairs);
                dictionary.set_shared(empty.is_shared());
                dictionary.set_types(empty.key_type().cloned(), empty.value_type().cloned());
                Variant::Dictionary(dictionary)
            }
            other => recast(other),
        }
    }
}

impl<R: Real> Sink for Tree<R> {
    fn leaf(&mut self, value: Variant<f32>) -> Result<()> {
        self.take(recast(value));
        Ok(())
    }

    fn text(&mut self, variant_type: VariantType, text: &str) -> Result<()> {
        self.take(match variant_type {
            VariantType::StringName => Variant::StringName(text.into()),
            _ => Variant::String(text.into()),
        });
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.take(Variant::PackedByteArray(bytes.to_vec()));
        Ok(())
    }

    fn math(&mut self, variant_type: VariantType, numbers: Numbers) -> Result<()> {
        let value = numbers::value(variant_type, numbers)
            .map_err(|error| error.within(variant_type.path_name()))?;
        self.take(value);
        Ok(())
    }

    fn vectors(&mut self, variant_type: VariantType, numbers: Collected) -> Result<()> {
        let value = numbers
            .vectors(variant_type)
            .map_err(|error| error.within(variant_type.path_name()))?;
        self.take(value);
        Ok(())
    }

    fn open(&mut self, empty: Variant<f32>) -> Result<()> {
        self.levels.push(match &empty {
            Variant::Dictionary(_) => Level::dictionary(0),
            Variant::Object(_) => Level::object(0),
            array => Level::array(array.variant_type(), 0),
        });
        self.making.push(Making { empty, values: Vec::new(), names: Vec::new() });
        Ok(())
    }

    fn property(&mut self, name: VariantString) -> Result<()> {
        if let Some(making) = self.making.last_mut() {
            making.names.push(name);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        self.levels.pop();
        if let Some(making) = self.making.pop() {
            self.take(making.finish());
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.levels.len()
    }
}
