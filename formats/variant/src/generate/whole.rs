//! `Arbitrary` for values and their parts: each as some dialect holds it.

#![deny(clippy::wildcard_enum_match_arm)]

use arbitrary::{Arbitrary, Result, Unstructured};

use super::value::Generator;
use super::{Config, chance, text};
use crate::dialect::{Dialect, Precision};
use crate::{
    Array, Dictionary, ElementType, FullObject, Image, InputEvent, NodePath, Object, Real, Signal,
    TypedArray, Variant, VariantString, VariantType,
};

/// Godot 4 in the precision of `R`: the dialect with the most types.
fn godot4<R: Real>() -> Dialect {
    let precision = if R::DOUBLE { Precision::Double } else { Precision::Single };
    Dialect::GODOT4.with_precision(precision).unwrap_or(Dialect::GODOT4)
}

/// A value of one type, as the dialect has it.
fn of<R: Real>(
    u: &mut Unstructured<'_>,
    dialect: Dialect,
    variant_type: VariantType,
) -> Result<Variant<R>> {
    Generator::new(u, dialect, &Config::default()).value_of(variant_type)
}

/// A value that Godot 4 can express; [`variant`](super::variant) makes those of other dialects.
impl<'a, R: Real> Arbitrary<'a> for Variant<R> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        super::variant(u, godot4::<R>(), &Config::default())
    }
}

macro_rules! parts {
    ($( $(#[doc = $doc:literal])+ $part:ident $(<$real:ident>)?: $dialect:expr, $variant:ident($value:pat) => $made:expr; )+) => { $(
        $(#[doc = $doc])+
        impl<'a $(, $real: Real)?> Arbitrary<'a> for $part $(<$real>)? {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                let dialect = $dialect;
                Ok(match of::<parts!(@real $($real)?)>(u, dialect, VariantType::$variant)? {
                    Variant::$variant($value) => $made,
                    // The generator makes the type that it is asked for.
                    _ => Self::default(),
                })
            }
        }
    )+ };
    (@real $real:ident) => { $real };
    (@real) => { f32 };
}

parts! {
    /// An array of Godot 4.
    Array<R>: godot4::<R>(), Array(array) => array;
    /// A dictionary of Godot 4.
    Dictionary<R>: godot4::<R>(), Dictionary(dictionary) => dictionary;
    /// An object of Godot 4.
    Object<R>: godot4::<R>(), Object(object) => object;
    /// A signal of Godot 4.
    Signal: Dialect::GODOT4, Signal(signal) => *signal;
    /// A path of Godot 4.
    NodePath: Dialect::GODOT4, NodePath(path) => *path;
    /// An image that Godot 2 keeps unchanged.
    Image: Dialect::GODOT2, Image(image) => *image;
    /// An event of Godot 2.1.
    InputEvent: Dialect::GODOT2, InputEvent(event) => event;
}

/// An object of Godot 4.
impl<'a, R: Real> Arbitrary<'a> for FullObject<R> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match Object::arbitrary(u)? {
            Object::Full(object) => *object,
            Object::Null | Object::Id(_) => Self { class: "Node".into(), properties: Vec::new() },
        })
    }
}

/// An array of Pandemonium 5.
impl<'a, R: Real> Arbitrary<'a> for TypedArray<R> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let made = of(u, Dialect::PANDEMONIUM, VariantType::TypedArray)?;
        // The generator makes the type that it is asked for.
        let Variant::TypedArray(typed) = made else {
            let element = ElementType::Builtin(VariantType::Nil);
            return Ok(Self { element, elements: Array::new() });
        };
        Ok(*typed)
    }
}

/// The element type of an array of Pandemonium 5 or Godot 4.
impl<'a> Arbitrary<'a> for ElementType {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        if chance(u, 50)? {
            return Ok(TypedArray::<f32>::arbitrary(u)?.element);
        }
        let array = Array::<f32>::arbitrary(u)?;
        Ok(array.element_type().cloned().unwrap_or(Self::Builtin(VariantType::Int)))
    }
}

/// A string that Godot 2 holds, one time in four, and else one that Godot 4 holds.
impl<'a> Arbitrary<'a> for VariantString {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let dialect = if chance(u, 25)? { Dialect::GODOT2 } else { Dialect::GODOT4 };
        let config = Config::default();
        text::text(u, dialect.quirks(), &config, config.max_bytes)
    }
}
