//! Values of Python, and back.

use formwork_file::Json;
use formwork_records::wire::{Element, FromNumbers, Number};
use formwork_variant::json::{Json as JsonForm, Style, to_json};
use formwork_variant::{
    Array, Dialect, Dictionary, Math, NodePath, NumberSource, Numbers, RealMath, Variant,
    VariantString, VariantType,
};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple,
};

use crate::failure;
use crate::types::Types;

type Any<'py> = Bound<'py, PyAny>;

fn flat<'py>(py: Python<'py>, numbers: Numbers<'_, f32>) -> PyResult<Vec<Any<'py>>> {
    match numbers {
        Numbers::Real(list) | Numbers::Single(list) => {
            list.iter().map(|it| f64::from(it).into_bound_py_any(py)).collect()
        }
        Numbers::Double(list) => list.iter().map(|it| it.into_bound_py_any(py)).collect(),
        Numbers::Int(list) => list.iter().map(|it| it.into_bound_py_any(py)).collect(),
        Numbers::Long(list) => list.iter().map(|it| it.into_bound_py_any(py)).collect(),
    }
}

pub(crate) fn to_python<'py>(
    py: Python<'py>,
    types: &Types,
    value: &Variant,
    dialect: Dialect,
) -> PyResult<Any<'py>> {
    let inner = |value: &Variant| to_python(py, types, value, dialect);
    match value {
        Variant::Nil => Ok(py.None().into_bound(py)),
        Variant::Bool(truth) => truth.into_bound_py_any(py),
        Variant::Int(number) => number.into_bound_py_any(py),
        Variant::Float(number) => number.into_bound_py_any(py),
        Variant::String(text) if text.as_str().is_some() => {
            text.to_string_lossy().into_bound_py_any(py)
        }
        Variant::PackedByteArray(bytes) => Ok(PyBytes::new(py, bytes).into_any()),
        Variant::Array(array) if array.element_type().is_none() && !array.is_shared() => {
            let all = array.iter().map(inner).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, all)?.into_any())
        }
        Variant::Dictionary(dictionary) if is_plain(dictionary) => {
            let dict = PyDict::new(py);
            let mut pairs = Vec::with_capacity(dictionary.len());
            let mut holds = true;
            for (key, value) in dictionary {
                let key = match key {
                    // (The same names come again and again.)
                    Variant::String(text) => match text.as_str() {
                        Some(text) if text.len() <= 32 => PyString::intern(py, text).into_any(),
                        _ => inner(key)?,
                    },
                    key => inner(key)?,
                };
                let value = inner(value)?;
                holds = holds && key.hash().is_ok();
                if holds {
                    dict.set_item(&key, &value)?;
                }
                pairs.push((key, value));
            }
            // Keys that Python takes for one: 1 and 1.0, a text and a StringName.
            match types.class(py, VariantType::Dictionary) {
                Some(class) if !holds || dict.len() < pairs.len() => {
                    class.call1((PyList::new(py, pairs)?,))
                }
                _ => Ok(dict.into_any()),
            }
        }
        other => {
            let of = other.variant_type();
            let class = types.class(py, of);
            if let (Some(class), Some(numbers), Some(kind)) = (class, other.numbers(), of.numbers())
            {
                let all = flat(py, numbers)?;
                let Some(element) = kind.element else {
                    return class.call1(PyTuple::new(py, all)?);
                };
                return match types.class(py, element) {
                    Some(of) => {
                        let each = all.chunks(kind.count).map(|it| of.call1(PyTuple::new(py, it)?));
                        class.call1((PyList::new(py, each.collect::<PyResult<Vec<_>>>()?)?,))
                    }
                    None => class.call1((PyList::new(py, all)?,)),
                };
            }
            match (other, class) {
                (Variant::StringName(text), Some(class)) if text.as_str().is_some() => {
                    class.call1((&*text.to_string_lossy(),))
                }
                (Variant::NodePath(path), Some(class)) if is_its_text(path) => {
                    class.call1((path.to_string(),))
                }
                (Variant::Rid(number), Some(class)) => class.call1((*number,)),
                (Variant::PackedStringArray(texts), Some(class)) => {
                    class.call1((texts.iter().map(ToString::to_string).collect::<Vec<_>>(),))
                }
                _ => match types.class(py, VariantType::Object) {
                    Some(class) => class.call1((to_json(other, dialect, Style::Compact),)),
                    None => Err(PyTypeError::new_err("no class")),
                },
            }
        }
    }
}

/// Returns whether a path is the one that its text means.
fn is_its_text(path: &NodePath) -> bool {
    NodePath::parse(&VariantString::from(&*path.to_string())) == *path
}

/// Returns whether a dictionary has nothing but pairs.
fn is_plain(dictionary: &Dictionary) -> bool {
    let types = [dictionary.key_type(), dictionary.value_type()];
    types.iter().all(Option::is_none) && !dictionary.is_shared()
}

struct Source<'a, 'py>(&'a Any<'py>, usize);

impl Source<'_, '_> {
    fn make<T: FromNumbers>(self) -> PyResult<T> {
        let mut numbers = Vec::new();
        let mut take = |item: &Any<'_>| -> PyResult<()> {
            numbers.push(match item.extract::<i64>() {
                Ok(whole) => <T::Number as Number>::of_i64(whole),
                Err(_) => <T::Number as Number>::of_f64(item.extract()?),
            });
            Ok(())
        };
        for item in self.0.try_iter()? {
            let item = item?;
            if self.1 > 1 && item.is_instance_of::<PyTuple>() {
                for part in item.try_iter()? {
                    take(&part?)?;
                }
            } else {
                take(&item)?;
            }
        }
        T::from_numbers(numbers).ok_or_else(|| PyValueError::new_err("another number of numbers"))
    }
}

impl NumberSource<f32> for Source<'_, '_> {
    type Error = PyErr;

    fn real_math<T: RealMath<f32>>(self) -> PyResult<T> {
        self.make()
    }

    fn math<T: Math>(self) -> PyResult<T> {
        self.make()
    }

    fn packed_real_math<T: RealMath<f32>>(self) -> PyResult<Vec<T>> {
        self.make()
    }

    fn packed<T: Element>(self) -> PyResult<Vec<T>> {
        self.make()
    }
}

/// Containers around a value, at most: also a list that holds itself ends.
pub(crate) const DEPTH: usize = 200;

pub(crate) fn of_python(
    py: Python<'_>,
    types: &Types,
    value: &Any<'_>,
    dialect: Dialect,
) -> PyResult<Variant> {
    nested(py, types, value, dialect, 0)
}

/// Returns a Python object inside of this number of others as a value.
fn nested(
    py: Python<'_>,
    types: &Types,
    value: &Any<'_>,
    dialect: Dialect,
    depth: usize,
) -> PyResult<Variant> {
    if depth > DEPTH {
        let message = format!("expected at most {DEPTH} containers around a value, found one more");
        return Err(PyValueError::new_err(message));
    }
    let inner = |value: &Any<'_>| nested(py, types, value, dialect, depth + 1);
    if value.is_none() {
        return Ok(Variant::Nil);
    }
    if value.is_exact_instance_of::<PyString>() {
        return Ok(Variant::String(VariantString::from(value.cast::<PyString>()?.to_str()?)));
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Variant::Bool(value.extract()?));
    }
    if value.is_exact_instance_of::<PyInt>() {
        return Ok(Variant::Int(value.extract()?));
    }
    if value.is_exact_instance_of::<PyFloat>() {
        return Ok(Variant::Float(value.extract()?));
    }
    if let Ok(dict) = value.cast_exact::<PyDict>() {
        let pairs = dict.iter().map(|(key, value)| Ok((inner(&key)?, inner(&value)?)));
        return Ok(Variant::Dictionary(pairs.collect::<PyResult<Dictionary>>()?));
    }
    if let Ok(list) = value.cast_exact::<PyList>() {
        return Ok(Variant::Array(list.iter().map(|it| inner(&it)).collect::<PyResult<Array>>()?));
    }
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
        return Ok(Variant::PackedByteArray(value.extract()?));
    }
    let text =
        || -> PyResult<VariantString> { Ok(VariantString::from(&*value.extract::<String>()?)) };
    match types.type_of(value) {
        Some(VariantType::Dictionary) => {
            let pair = |pair: Any<'_>| -> PyResult<(Variant, Variant)> {
                let (key, value): (Any<'_>, Any<'_>) = pair.extract()?;
                Ok((inner(&key)?, inner(&value)?))
            };
            let pairs = value.try_iter()?.map(|it| pair(it?));
            Ok(Variant::Dictionary(pairs.collect::<PyResult<Dictionary>>()?))
        }
        Some(VariantType::StringName) => Ok(Variant::StringName(text()?)),
        Some(VariantType::NodePath) => Ok(Variant::NodePath(Box::new(NodePath::parse(&text()?)))),
        Some(VariantType::Rid) => Ok(Variant::Rid(value.extract()?)),
        Some(VariantType::PackedStringArray) => {
            let texts = value.extract::<Vec<String>>()?;
            Ok(Variant::PackedStringArray(
                texts.iter().map(|it| VariantString::from(&**it)).collect(),
            ))
        }
        Some(VariantType::Object) => JsonForm::lossless(dialect)
            .read(value.extract::<String>()?.as_bytes())
            .map_err(|it| failure(py, &it)),
        Some(of) => {
            let count = of.numbers().map_or(1, |it| it.count);
            match Variant::from_numbers(of, Source(value, count)) {
                Ok(made) => made,
                Err(_) => Err(PyTypeError::new_err("no numbers")),
            }
        }
        None if value.is_instance_of::<PyTuple>() => {
            let all = value.try_iter()?.map(|it| inner(&it?)).collect::<PyResult<Array>>()?;
            Ok(Variant::Array(all))
        }
        None => Err(PyTypeError::new_err(format!("no Variant for {}", value.get_type().name()?))),
    }
}

/// Returns JSON as Python's own objects.
pub(crate) fn of_json<'py>(py: Python<'py>, json: &Json) -> PyResult<Any<'py>> {
    match json {
        Json::Null => Ok(py.None().into_bound(py)),
        Json::Bool(truth) => truth.into_bound_py_any(py),
        Json::Number(digits) => match digits.parse::<i64>() {
            Ok(whole) => whole.into_bound_py_any(py),
            Err(_) => match digits.parse::<u64>() {
                Ok(whole) => whole.into_bound_py_any(py),
                Err(_) => digits.parse::<f64>().unwrap_or(f64::NAN).into_bound_py_any(py),
            },
        },
        Json::String(text) => text.into_bound_py_any(py),
        Json::Array(elements) => {
            let all = elements.iter().map(|it| of_json(py, it)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, all)?.into_any())
        }
        Json::Object(members) => {
            let dict = PyDict::new(py);
            for (name, value) in members {
                dict.set_item(name, of_json(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
