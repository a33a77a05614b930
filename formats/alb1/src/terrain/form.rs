//! Forms: the encoding of a class's field in a document, and its Rust type.

use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;

use bytes::Bytes;

use super::class::{Content, PathKind};
use super::colour::ColourWord;
use super::pairs::Pairs;
use super::typed::{DATA, ITEM, KEY, Making, Names, PAIR, Typed};
use crate::terrain::rule;
use crate::{Field, FieldType, Object, ObjectPointer, Text, Value};
use formwork::{Error, Path, PathSegment, Result};

/// Encoding of a field in a document.
pub(super) trait Form {
    /// Rust type of the field.
    type Rust;
    /// Content of the field in the document.
    const CONTENT: Content;

    /// Reads a value.
    fn read(value: &Value, names: &Names) -> Result<Self::Rust>;

    /// Changes a value where it says something else; a value of another type is replaced.
    fn store(rust: &Self::Rust, value: &mut Value, making: &mut Making<'_>) -> Result<()>;
}

#[cold]
fn wrong(expected: impl ToString, value: &Value) -> Error {
    let found = format!("a field of type {}", value.field_type());
    Error::new(rule::CLASS, 0, expected.to_string(), found)
}

/// Forms of one value, compared by their bits.
macro_rules! plain {
    ($( $(#[doc = $doc:literal])+ $form:ident: $rust:ty, $content:expr, $variant:ident,
        $name:ident => $read:expr, $store:expr, $same:expr; )+) => { $(
        $(#[doc = $doc])+
        pub(super) struct $form;

        impl Form for $form {
            type Rust = $rust;
            const CONTENT: Content = $content;

            fn read(value: &Value, _: &Names) -> Result<$rust> {
                match value {
                    Value::$variant($name) => Ok($read),
                    other => Err(wrong(FieldType::$variant, other)),
                }
            }

            fn store($name: &$rust, value: &mut Value, _: &mut Making<'_>) -> Result<()> {
                let same: fn(&$rust, &$rust) -> bool = $same;
                match value {
                    Value::$variant(there) if same($name, &{ let $name = &*there; $read }) => {}
                    other => *other = Value::$variant($store),
                }
                Ok(())
            }
        }
    )+ };
}

plain! {
    /// A signed char.
    SignedChar: i8, Content::Plain(FieldType::SignedChar), SignedChar, x => *x, *x, i8::eq;
    /// A signed int.
    SignedInt: i32, Content::Plain(FieldType::SignedInt), SignedInt, x => *x, *x, i32::eq;
    /// An unsigned int.
    UnsignedInt: u32, Content::Plain(FieldType::UnsignedInt), UnsignedInt, x => *x, *x, u32::eq;
    /// A signed long.
    SignedLong: i32, Content::Plain(FieldType::SignedLong), SignedLong, x => *x, *x, i32::eq;
    /// A float.
    Float: f32, Content::Plain(FieldType::Float), Float, x => *x, *x,
        |one, other| one.to_bits() == other.to_bits();
    /// A double.
    Double: f64, Content::Plain(FieldType::Double), Double, x => *x, *x,
        |one, other| one.to_bits() == other.to_bits();
    /// A bool; which byte says "true" is kept.
    Bool: bool, Content::Plain(FieldType::Bool), Bool, x => *x != 0, u8::from(*x), bool::eq;
    /// A colour.
    OfColour: ColourWord, Content::Colour, UnsignedLong, x => ColourWord::from(*x), u32::from(*x), ColourWord::eq;
    /// A string.
    Words: Text, Content::Plain(FieldType::String), String, x => x.clone(), x.clone(), Text::eq;
    /// The path of a file.
    FilePath: Text, Content::Path(PathKind::File), String, x => x.clone(), x.clone(), Text::eq;
    /// The path of a folder.
    FolderPath: Text, Content::Path(PathKind::Folder), String, x => x.clone(), x.clone(), Text::eq;
    /// The path of a file on the project drive.
    DrivePath: Text, Content::Path(PathKind::OnDrive), String, x => x.clone(), x.clone(), Text::eq;
    /// The path of a file, from the folder of the project.
    ProjectPath: Text, Content::Path(PathKind::InProject), String, x => x.clone(), x.clone(),
        Text::eq;
    /// A name that Terrain Builder makes of a path.
    Label: Text, Content::Path(PathKind::Label), String, x => x.clone(), x.clone(), Text::eq;
    /// A pointer to the root of another file.
    Pointer: ObjectPointer, Content::Plain(FieldType::ObjectPointer), ObjectPointer, x => *x, *x,
        ObjectPointer::eq;
}

/// A mark: a field that says something by being there.
pub(super) struct Mark;

impl Form for Mark {
    type Rust = ();
    const CONTENT: Content = Content::Plain(FieldType::Empty);

    fn read(value: &Value, _: &Names) -> Result<()> {
        if *value == Value::Empty { Ok(()) } else { Err(wrong(FieldType::Empty, value)) }
    }

    fn store((): &(), value: &mut Value, _: &mut Making<'_>) -> Result<()> {
        *value = Value::Empty;
        Ok(())
    }
}

/// Forms of a fixed number of numbers.
macro_rules! numbers {
    ($( $(#[doc = $doc:literal])+ $form:ident: $number:ty, $variant:ident; )+) => { $(
        $(#[doc = $doc])+
        pub(super) struct $form<const COUNT: usize>;

        impl<const COUNT: usize> Form for $form<COUNT> {
            type Rust = [$number; COUNT];
            const CONTENT: Content = Content::Numbers(FieldType::$variant, COUNT);

            fn read(value: &Value, _: &Names) -> Result<[$number; COUNT]> {
                let Value::$variant(all) = value else {
                    return Err(wrong(FieldType::$variant, value));
                };
                <[$number; COUNT]>::try_from(&all[..]).map_err(|_| {
                    let expected = format!("{COUNT} numbers");
                    Error::new(rule::CLASS, 0, expected, all.len().to_string())
                })
            }

            fn store(
                numbers: &[$number; COUNT],
                value: &mut Value,
                _: &mut Making<'_>,
            ) -> Result<()> {
                let new = Value::$variant((*numbers).into());
                if !value.is_identical(&new) {
                    *value = new;
                }
                Ok(())
            }
        }
    )+ };
}

numbers! {
    /// This number of floats.
    Floats: f32, ArrayOfFloat;
    /// This number of doubles.
    Doubles: f64, ArrayOfDouble;
}

/// Raw bytes.
pub(super) struct Raw;

impl Form for Raw {
    type Rust = Bytes;
    const CONTENT: Content = Content::Raw;

    fn read(value: &Value, _: &Names) -> Result<Bytes> {
        match value {
            Value::Raw(raw) => Ok(raw.bytes()),
            other if other.as_raw().is_some() => Ok(Bytes::new()),
            other => Err(wrong("an array of raw bytes", other)),
        }
    }

    fn store(bytes: &Bytes, value: &mut Value, _: &mut Making<'_>) -> Result<()> {
        if value.as_raw() != Some(bytes) {
            // No bytes are read as an array of no fields, too.
            *value = match bytes.is_empty() {
                true => Value::Array(Vec::new()),
                false => crate::Raw::from(bytes.clone()).into(),
            };
        }
        Ok(())
    }
}

/// Fields that are kept as they are, as their form is not known.
pub(super) struct Unknown;

impl Form for Unknown {
    type Rust = Vec<Field>;
    const CONTENT: Content = Content::Unknown;

    fn read(value: &Value, _: &Names) -> Result<Vec<Field>> {
        value.as_array().map(<[Field]>::to_vec).ok_or_else(|| wrong("an array of fields", value))
    }

    fn store(fields: &Vec<Field>, value: &mut Value, _: &mut Making<'_>) -> Result<()> {
        if fields.is_empty() && value.as_array().is_some_and(<[Field]>::is_empty) {
            return Ok(());
        }
        let new = Value::Array(fields.clone());
        if !value.is_identical(&new) {
            *value = new;
        }
        Ok(())
    }
}

/// Result of reading an object: a class, or a choice of classes.
pub(super) trait Element: Sized {
    /// Kind of the object.
    const ELEMENT: Content;
    /// The address it has or had.
    fn address(&self) -> u32;
    /// Reads it.
    fn read(object: &Object, names: &Names) -> Result<Self>;
    /// Writes it into the object it was read from.
    fn store(&self, object: &mut Object, making: &mut Making<'_>) -> Result<()>;
    /// Makes an object of it.
    fn object(&self, making: &mut Making<'_>) -> Result<Object>;
}

impl<T: Typed> Element for T {
    const ELEMENT: Content = Content::Object(T::CLASS.name);

    fn address(&self) -> u32 {
        Typed::address(self)
    }

    fn read(object: &Object, names: &Names) -> Result<Self> {
        Typed::read(object, names)
    }

    fn store(&self, object: &mut Object, making: &mut Making<'_>) -> Result<()> {
        Typed::store(self, object, making)
    }

    fn object(&self, making: &mut Making<'_>) -> Result<Object> {
        Typed::object(self, making)
    }
}

/// An object in a field for it alone.
pub(super) struct Nested<T>(PhantomData<T>);

impl<T: Element> Form for Nested<T> {
    type Rust = T;
    const CONTENT: Content = T::ELEMENT;

    fn read(value: &Value, names: &Names) -> Result<T> {
        let object = value.as_object().ok_or_else(|| wrong(FieldType::Object, value))?;
        T::read(object, names)
    }

    fn store(element: &T, value: &mut Value, making: &mut Making<'_>) -> Result<()> {
        match value {
            Value::Object(object) => element.store(object, making),
            other => {
                *other = element.object(making)?.into();
                Ok(())
            }
        }
    }
}

/// An array of objects. An element is found again by the address of its object.
pub(super) struct Items<T>(PhantomData<T>);

impl<T: Element> Form for Items<T> {
    type Rust = Vec<T>;
    const CONTENT: Content = Content::List(&T::ELEMENT);

    fn read(value: &Value, names: &Names) -> Result<Vec<T>> {
        ListOf::<Nested<T>>::read(value, names)
    }

    fn store(elements: &Vec<T>, value: &mut Value, making: &mut Making<'_>) -> Result<()> {
        let Some(mut old) = take_fields(value, elements.len()) else { return Ok(()) };
        let address = |field: &Field| field.value.as_object().map(|object| object.address);
        let unmoved = old.len() == elements.len()
            && old.iter().zip(elements).all(|(field, new)| address(field) == Some(new.address()));
        let mut by_address = HashMap::new();
        if !unmoved {
            for field in old.drain(..) {
                by_address.entry(address(&field)).or_insert(field);
            }
        }
        let mut old = old.into_iter();
        let mut new = Vec::with_capacity(elements.len());
        for element in elements {
            let there =
                if unmoved { old.next() } else { by_address.remove(&Some(element.address())) };
            new.push(match there {
                Some(mut field) => {
                    Nested::store(element, &mut field.value, making)?;
                    field
                }
                None => Field::new(making.tag(ITEM)?, element.object(making)?),
            });
        }
        *value = Value::Array(new);
        Ok(())
    }
}

/// The elements of an array, which are taken out of it; [`None`] where there is nothing to do, because
/// there are none and are to be none.
fn take_fields(value: &mut Value, wanted: usize) -> Option<Vec<Field>> {
    if wanted == 0 && value.as_array().is_some_and(<[Field]>::is_empty) {
        return None;
    }
    match std::mem::replace(value, Value::Empty) {
        Value::Array(fields) => Some(fields),
        _ => Some(Vec::new()),
    }
}

/// An array of values that have no identity but their position.
pub(super) struct ListOf<F>(PhantomData<F>);

impl<F: Form> Form for ListOf<F> {
    type Rust = Vec<F::Rust>;
    const CONTENT: Content = Content::List(&F::CONTENT);

    fn read(value: &Value, names: &Names) -> Result<Vec<F::Rust>> {
        let elements = value.as_array().ok_or_else(|| wrong("an array of fields", value))?;
        let read = elements.iter().enumerate().map(|(index, element)| {
            F::read(&element.value, names)
                .map_err(|error| error.under(Path::from(vec![PathSegment::Index(index as u64)])))
        });
        read.collect()
    }

    fn store(elements: &Vec<F::Rust>, value: &mut Value, making: &mut Making<'_>) -> Result<()> {
        let Some(mut fields) = take_fields(value, elements.len()) else { return Ok(()) };
        let item = making.tag(ITEM)?;
        fields.truncate(elements.len());
        fields.resize_with(elements.len(), || Field::new(item, Value::Empty));
        for (element, field) in elements.iter().zip(&mut fields) {
            F::store(element, &mut field.value, making)?;
        }
        *value = Value::Array(fields);
        Ok(())
    }
}

/// An array of pairs. A pair is found again by its key.
pub(super) struct MapOf<K, D>(PhantomData<(K, D)>);

impl<K, D> Form for MapOf<K, D>
where
    K: Form<Rust: Clone + Eq + Hash>,
    D: Form,
{
    type Rust = Pairs<K::Rust, D::Rust>;
    const CONTENT: Content = Content::Pairs(&K::CONTENT, &D::CONTENT);

    fn read(value: &Value, names: &Names) -> Result<Self::Rust> {
        let elements = value.as_array().ok_or_else(|| wrong("an array of pairs", value))?;
        let read = elements.iter().enumerate().map(|(index, element)| {
            pair::<K, D>(&element.value, names)
                .map_err(|error| error.under(Path::from(vec![PathSegment::Index(index as u64)])))
        });
        read.collect()
    }

    fn store(pairs: &Self::Rust, value: &mut Value, making: &mut Making<'_>) -> Result<()> {
        let Some(old) = take_fields(value, pairs.len()) else { return Ok(()) };
        let names = Names::default();
        let key = |field: &Field| {
            let pair = field.value.as_pair()?;
            K::read(&pair[0].value, &names).ok()
        };
        let unmoved = old.len() == pairs.len()
            && old
                .iter()
                .zip(pairs.iter())
                .all(|(field, (new, _))| key(field).as_ref() == Some(new));
        let mut by_key: HashMap<_, Vec<Field>> = HashMap::new();
        let mut in_order = Vec::new();
        if unmoved {
            in_order = old;
        } else {
            // Keys may repeat in a damaged file: the last of them is taken last.
            for field in old.into_iter().rev() {
                by_key.entry(key(&field)).or_default().push(field);
            }
        }
        let mut in_order = in_order.into_iter();
        let mut new = Vec::with_capacity(pairs.len());
        for (key, data) in pairs.iter() {
            let there = if unmoved {
                in_order.next()
            } else {
                by_key.get_mut(&Some(key.clone())).and_then(Vec::pop)
            };
            let mut field = match there {
                Some(field) => field,
                None => {
                    let halves = [making.tag(KEY)?, making.tag(DATA)?];
                    let halves = halves.map(|tag| Field::new(tag, Value::Empty));
                    Field::new(making.tag(PAIR)?, halves)
                }
            };
            if let Value::Pair(halves) = &mut field.value {
                let [there, held] = &mut **halves;
                K::store(key, &mut there.value, making)?;
                D::store(data, &mut held.value, making)?;
            }
            new.push(field);
        }
        *value = Value::Array(new);
        Ok(())
    }
}

/// Reads the halves of a pair.
fn pair<K: Form, D: Form>(value: &Value, names: &Names) -> Result<(K::Rust, D::Rust)> {
    let [key, data] = value.as_pair().ok_or_else(|| wrong(FieldType::Pair, value))?;
    let within =
        |name: &str, error: Error| error.under(Path::from(vec![PathSegment::Name(name.into())]));
    Ok((
        K::read(&key.value, names).map_err(|error| within(KEY, error))?,
        D::read(&data.value, names).map_err(|error| within(DATA, error))?,
    ))
}
