//! Values and the text that the engine prints for them.

use arbitrary::Unstructured;

use super::{any, choose, difference, in_precision};
use formwork_variant::dialect::{Dialect, Precision, TextStyle};
use formwork_variant::generate::{Config, Types, variant};
use formwork_variant::text::{TextForm, to_text};
use formwork_variant::{Container, ElementType, Image, Real, Variant, VariantString, VariantType};

/// Checks that printed text can be read, and prints the same again after a few steps (the text loses
/// information and merges keys, but not without end). Where the dialect's text loses nothing, reading gives
/// the value. Any text is refused, or read to a value that passes the same checks.
///
/// With the top bit of the first byte set, the rest makes a value, else it is a text.
pub fn text(data: &[u8]) {
    if let Some((dialect, generate, bytes)) = choose(data) {
        in_precision!(dialect, check(dialect, generate, bytes));
    }
}

fn check<R: Real>(dialect: Dialect, generate: bool, bytes: &[u8]) {
    if generate {
        let mut u = Unstructured::new(bytes);
        let mut config = Config { odd_values: false, ..Config::default() };
        if dialect.quirks().text == TextStyle::Godot4_5 && u.arbitrary().unwrap_or_default() {
            config.types = exact_types(dialect);
            // An object whose class has the name of a built-in type is printed as that type is.
            config.objects = false;
            let Ok(value) = variant::<R>(&mut u, dialect, &config) else { return };
            let text = to_text(&value, dialect);
            match TextForm::new(dialect).in_precision().read(&text) {
                Ok(again) => {
                    assert_eq!(difference(&again, &value), None, "{dialect}: for {text}");
                }
                Err(error) => panic!("{dialect}: {error}: {text}"),
            }
        }
        let Ok(value) = variant::<R>(&mut u, dialect, &config) else { return };
        settles(&value, dialect);
        return;
    }
    let text = VariantString::from_bytes(bytes.to_vec())
        .unwrap_or_else(|_| String::from_utf8_lossy(bytes).as_ref().into());
    match TextForm::new(dialect).in_precision::<R>().read(&text) {
        Ok(value) => settles(&value, dialect),
        Err(error) => assert!(error.offset() <= text.as_bytes().len() as u64, "{error}: {text}"),
    }
}

/// Returns the types that the newest Godot prints completely and in order. (A 64-bit float that fits into 32
/// bits is printed with as many digits as a 32-bit float needs. Names and string arrays are printed with
/// escapes that are read as letters.)
fn exact_types(dialect: Dialect) -> Types {
    let lossy = |variant_type: VariantType| {
        matches!(
            variant_type,
            VariantType::Rid
                | VariantType::Callable
                | VariantType::Signal
                | VariantType::Object
                | VariantType::Dictionary
                | VariantType::Float
                | VariantType::PackedFloat64Array
                | VariantType::StringName
                | VariantType::NodePath
                | VariantType::PackedStringArray
        ) || variant_type.is_real() && dialect.precision() == Precision::Double
    };
    VariantType::ALL.iter().copied().filter(|&variant_type| !lossy(variant_type)).collect()
}

fn settles<R: Real>(value: &Variant<R>, dialect: Dialect) {
    /// The most steps until the text no longer changes: escapes are read as letters, keys merge.
    const STEPS: usize = 4;
    let mut text = to_text(value, dialect);
    for _ in 0..STEPS {
        let again = match TextForm::new(dialect).in_precision::<R>().read(&text) {
            Ok(again) => again,
            Err(error) => {
                assert!(any(value, cannot_be_read), "{dialect}: {error}: {text}");
                return;
            }
        };
        let next = to_text(&again, dialect);
        // Keys without an order among each other change places each time, as in the engines.
        if next == text || (any(value, has_keys) && bytes_of(&next) == bytes_of(&text)) {
            return;
        }
        text = next;
    }
    panic!("{dialect} goes on changing {text}");
}

fn has_keys<R: Real>(value: &Variant<R>) -> bool {
    value.as_dictionary().is_some_and(|pairs| pairs.len() > 1)
}

/// Returns the bytes of a text in sorted order.
fn bytes_of(text: &VariantString) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.sort_unstable();
    bytes
}

/// Returns whether the value is printed as a hole, which reading reports, or holds names that are printed
/// unchanged, with their quotes and brackets.
fn cannot_be_read<R: Real>(value: &Variant<R>) -> bool {
    let odd = |name: &VariantString| {
        !name.as_bytes().iter().all(|&byte| byte.is_ascii_alphanumeric() || b"_/:.".contains(&byte))
    };
    let odd_element = |element: &ElementType| match element {
        ElementType::Class(name) | ElementType::Script(name) => odd(name),
        _ => false,
    };
    match value.container() {
        Some(Container::Object(object)) => {
            odd(&object.class) || object.properties.iter().any(|(name, _)| odd(name))
        }
        Some(Container::Array(array)) => array.element_type().is_some_and(odd_element),
        Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
            odd_element(&typed.element)
        }
        Some(Container::Dictionary(pairs)) => {
            [pairs.key_type(), pairs.value_type()].into_iter().flatten().any(odd_element)
        }
        // The text has no name for the formats of some images.
        None => match value {
            Variant::Image(image) => {
                Image::FORMATS.get(image.format as usize).is_none_or(|name| name.starts_with("YUV"))
            }
            _ => matches!(
                value,
                Variant::Rid(_) | Variant::Callable | Variant::Signal(_) | Variant::InputEvent(_)
            ),
        },
    }
}
