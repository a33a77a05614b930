//! Values of JavaScript.

use formwork_file::Json;
use js_sys::{Array, BigInt, Object, Reflect};
use wasm_bindgen::JsValue;

/// The largest number below which every whole number is one of JavaScript.
const SAFE: u64 = (1 << 53) - 1;

/// Makes an object.
pub(crate) fn object<const N: usize>(members: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        // Setting a member of a new object does not fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
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
pub(crate) fn to_js(json: &Json) -> JsValue {
    match json {
        Json::Null => JsValue::NULL,
        Json::Bool(truth) => (*truth).into(),
        Json::Number(digits) => number(digits),
        Json::String(text) => text.into(),
        Json::Array(elements) => elements.iter().map(to_js).collect::<Array>().into(),
        Json::Object(members) => {
            let object = Object::new();
            for (name, value) in members {
                let _ = Reflect::set(&object, &name.into(), &to_js(value));
            }
            object.into()
        }
    }
}
