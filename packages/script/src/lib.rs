//! Errors and values of JavaScript, for the modules.

use formwork::Error;
use formwork::document::Json;
use js_sys::{Array, BigInt, Error as JsError, Object, Reflect};
use wasm_bindgen::JsValue;

/// The largest number below which every whole number is one of JavaScript.
pub const SAFE: u64 = (1 << 53) - 1;

/// Sets a member of an object that was just made.
pub fn set(object: &JsValue, name: &str, value: &JsValue) {
    // (On a new object that does not fail.)
    let _ = Reflect::set(object, &name.into(), value);
}

/// Returns an error as one of JavaScript, with its rule, offset and path, and what was expected and found.
#[must_use]
pub fn failure(error: &Error) -> JsValue {
    let thrown = JsError::new(&error.to_string()).into();
    let offset = if error.is_nowhere() { JsValue::NULL } else { (error.offset() as f64).into() };
    set(&thrown, "rule", &error.rule().name().into());
    set(&thrown, "offset", &offset);
    set(&thrown, "path", &error.path().to_string().into());
    set(&thrown, "expected", &error.expected().into());
    set(&thrown, "found", &error.found().into());
    thrown
}

/// Returns an error in words, for what is no fault of bytes.
pub fn words(error: impl std::fmt::Display) -> JsValue {
    JsError::new(&error.to_string()).into()
}

/// Makes an object.
#[must_use]
pub fn object<const N: usize>(members: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new().into();
    for (name, value) in members {
        set(&object, name, &value);
    }
    object
}

fn number(digits: &str) -> JsValue {
    match (digits.parse::<i64>(), digits.parse::<u64>()) {
        (Ok(whole), _) if whole.unsigned_abs() <= SAFE => (whole as f64).into(),
        (Ok(whole), _) => BigInt::from(whole).into(),
        (_, Ok(whole)) => BigInt::from(whole).into(),
        _ => digits.parse::<f64>().unwrap_or(f64::NAN).into(),
    }
}

/// Returns JSON as a value. Numbers that JavaScript cannot hold are bigints.
#[must_use]
pub fn to_js(json: &Json) -> JsValue {
    match json {
        Json::Null => JsValue::NULL,
        Json::Bool(truth) => (*truth).into(),
        Json::Number(digits) => number(digits),
        Json::String(text) => text.into(),
        Json::Array(elements) => elements.iter().map(to_js).collect::<Array>().into(),
        Json::Object(members) => {
            let object = Object::new().into();
            for (name, value) in members {
                set(&object, name, &to_js(value));
            }
            object
        }
    }
}
