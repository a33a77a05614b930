//! The classes of types that Python has not, made of the library's list of types.

use formwork_variant::VariantType;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// The classes by the positions of their types in `VariantType::ALL`.
pub(crate) struct Types(Vec<Option<Py<PyType>>>);

static TYPES: PyOnceLock<Types> = PyOnceLock::new();

impl Types {
    pub(crate) fn get(py: Python<'_>) -> PyResult<&Self> {
        TYPES.get_or_try_init(py, || Self::new(py))
    }

    /// A named tuple for each math type, a list for each packed array, and a str or int for some others.
    fn new(py: Python<'_>) -> PyResult<Self> {
        let tuple = py.import("collections")?.getattr("namedtuple")?;
        let make = py.get_type::<PyType>();
        let class = |name: &str, base: &Bound<'_, PyAny>| -> PyResult<Py<PyType>> {
            let members = PyDict::new(py);
            members.set_item("__module__", "formwork")?;
            members.set_item("__slots__", ())?;
            Ok(make.call1((name, (base,), members))?.cast_into::<PyType>()?.unbind())
        };
        let builtins = py.import("builtins")?;
        let all = VariantType::ALL.iter().map(|it| {
            Ok(Some(match (it, it.numbers()) {
                (_, Some(numbers)) if numbers.element.is_some() => {
                    class(it.name(), &builtins.getattr("list")?)?
                }
                (_, Some(numbers)) => {
                    let fields: Vec<_> = match numbers.components.len() == numbers.count {
                        true => numbers.components.iter().map(|it| it.name.to_owned()).collect(),
                        false => (0..numbers.count).map(|it| format!("m{it}")).collect(),
                    };
                    class(it.name(), &tuple.call1((it.name(), fields))?)?
                }
                (VariantType::StringName | VariantType::NodePath, _) => {
                    class(it.name(), &builtins.getattr("str")?)?
                }
                (VariantType::Rid, _) => class(it.name(), &builtins.getattr("int")?)?,
                (VariantType::PackedStringArray, _) => {
                    class(it.name(), &builtins.getattr("list")?)?
                }
                // A dictionary that `dict` does not hold: its keys and values.
                (VariantType::Dictionary, _) => class("Pairs", &builtins.getattr("list")?)?,
                // A value without a class: its lossless JSON.
                (VariantType::Object, _) => class("Other", &builtins.getattr("str")?)?,
                _ => return Ok(None),
            }))
        });
        Ok(Self(all.collect::<PyResult<_>>()?))
    }

    pub(crate) fn class<'a, 'py>(
        &'a self,
        py: Python<'py>,
        of: VariantType,
    ) -> Option<&'a Bound<'py, PyType>> {
        let at = VariantType::ALL.iter().position(|it| *it == of)?;
        self.0[at].as_ref().map(|it| it.bind(py))
    }

    /// Returns the type whose class a value has.
    pub(crate) fn type_of(&self, value: &Bound<'_, PyAny>) -> Option<VariantType> {
        let class = value.get_type();
        let at = self
            .0
            .iter()
            .position(|it| it.as_ref().is_some_and(|it| it.as_ptr() == class.as_ptr()))?;
        Some(VariantType::ALL[at])
    }

    pub(crate) fn add_to(&self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        for class in self.0.iter().flatten() {
            module.add(&*class.bind(py).name()?.to_cow()?, class.bind(py))?;
        }
        Ok(())
    }
}
