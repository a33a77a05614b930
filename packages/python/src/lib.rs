//! formwork for Python: Variant packets as Python objects, and files.

mod types;
mod values;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use formwork_file::{Change, Edit, Error, File as Opened, Formats, Json, Limits, Options};
use formwork_variant::{Decoder, Dialect, Variant, to_vec};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use types::Types;

create_exception!(formwork, FormworkError, PyValueError, "A fault, with rule, offset and path.");

fn failure(py: Python<'_>, error: &Error) -> PyErr {
    let raised = FormworkError::new_err(error.to_string());
    let value = raised.value(py);
    // An exception takes any attribute.
    let _ = value.setattr("rule", error.rule().name());
    let _ = value.setattr("offset", if error.is_nowhere() { None } else { Some(error.offset()) });
    let _ = value.setattr("path", error.path().to_string());
    raised
}

fn dialect(engine: &str) -> PyResult<Dialect> {
    engine.parse().map_err(|error| PyValueError::new_err(format!("{error}")))
}

/// Reads a Variant packet, and returns Python objects.
#[pyfunction]
#[pyo3(signature = (data, engine = "godot4"))]
fn loads<'py>(py: Python<'py>, data: &[u8], engine: &str) -> PyResult<Bound<'py, PyAny>> {
    let dialect = dialect(engine)?;
    // An object is data here: nothing of it runs.
    let limits = Limits::new().depth(values::DEPTH as u32);
    let decoder = Decoder::new(dialect).allow_objects(true).limits(limits);
    let value: Variant = decoder.decode(data).map_err(|error| failure(py, &error))?;
    values::to_python(py, Types::get(py)?, &value, dialect)
}

/// Writes Python objects as a Variant packet.
#[pyfunction]
#[pyo3(signature = (value, engine = "godot4"))]
fn dumps<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
    engine: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let dialect = dialect(engine)?;
    let value = values::of_python(py, Types::get(py)?, value, dialect)?;
    let bytes = to_vec(&value, dialect).map_err(|error| failure(py, &error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// An opened file. Each change is made whole or not at all.
#[pyclass]
struct File {
    /// (Threads take turns.)
    opened: Mutex<Opened>,
    path: Option<PathBuf>,
    /// The losses of a damaged file.
    #[pyo3(get)]
    lost: Vec<String>,
}

fn changes(py: Python<'_>, all: &[Change]) -> PyResult<Py<PyList>> {
    let list = PyList::empty(py);
    for change in all {
        let dict = PyDict::new(py);
        dict.set_item("kind", change.kind.name())?;
        dict.set_item("path", &change.path)?;
        for (name, json) in [("before", &change.before), ("after", &change.after)] {
            if let Some(json) = json {
                dict.set_item(name, values::of_json(py, json)?)?;
            }
        }
        list.append(dict)?;
    }
    Ok(list.unbind())
}

fn options(format: Option<&str>, password: Option<&str>, skip: Option<u64>) -> Options {
    let mut options = Options::new();
    if let Some(format) = format {
        options = options.format(format);
    }
    if let Some(password) = password {
        options = options.password(password);
    }
    match skip {
        Some(bytes) => options.skip(bytes),
        None => options,
    }
}

/// Returns the bytes of a file, and its path if it was named.
fn content(file: &Bound<'_, PyAny>) -> PyResult<(Vec<u8>, Option<PathBuf>)> {
    if file.is_instance_of::<PyBytes>() {
        return Ok((file.extract()?, None));
    }
    let path: PathBuf = file.extract()?;
    Ok((fs::read(&path)?, Some(path)))
}

/// Opens a file by its path, or bytes. `format` names a format or an engine, `skip` the length of a game's own header.
#[pyfunction]
#[pyo3(signature = (file, format = None, password = None, skip = None))]
fn open(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    format: Option<&str>,
    password: Option<&str>,
    skip: Option<u64>,
) -> PyResult<File> {
    let (bytes, path) = content(file)?;
    let opened = options(format, password, skip).open(&bytes);
    let opened = Mutex::new(opened.map_err(|error| failure(py, &error))?);
    Ok(File { opened, path, lost: Vec::new() })
}

/// Opens what is left of a damaged file; `lost` of it lists the losses.
#[pyfunction]
#[pyo3(signature = (file, format = None, password = None, skip = None))]
fn recover(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    format: Option<&str>,
    password: Option<&str>,
    skip: Option<u64>,
) -> PyResult<File> {
    let (bytes, _) = content(file)?;
    let recovered = Formats::OURS.recover(&bytes, &options(format, password, skip));
    let (opened, lost) = recovered.map_err(|error| failure(py, &error))?;
    let lost = lost.iter().map(|lost| lost.error.to_string()).collect();
    // What is left does not take the place of the damaged file by itself.
    Ok(File { opened: Mutex::new(opened), path: None, lost })
}

impl File {
    fn file(&self) -> MutexGuard<'_, Opened> {
        // A change is made whole or not at all, so that a panic elsewhere leaves a whole file.
        self.opened.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[pymethods]
impl File {
    /// The name of the format.
    #[getter]
    fn format(&self) -> &'static str {
        self.file().format().name()
    }

    /// A few facts: a dict.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let dict = PyDict::new(py);
        for (name, json) in self.file().summary() {
            dict.set_item(name, values::of_json(py, &json)?)?;
        }
        Ok(dict.unbind())
    }

    /// The value at a path, as in JSON.
    #[pyo3(signature = (path = ""))]
    fn get(&self, py: Python<'_>, path: &str) -> PyResult<Py<PyAny>> {
        let json = self.file().get(path).map_err(|error| failure(py, &error))?;
        Ok(values::of_json(py, &json)?.unbind())
    }

    /// The paths of the entries of the value at a path.
    #[pyo3(signature = (path = ""))]
    fn paths(&self, py: Python<'_>, path: &str) -> PyResult<Vec<String>> {
        let children = self.file().children(path, 0..usize::MAX);
        let children = children.map_err(|error| failure(py, &error))?;
        Ok(children.into_iter().map(|child| child.path).collect())
    }

    /// Sets a value, and returns what changed. A str is read as a person types it: text where text is.
    #[pyo3(signature = (path, value, add = false))]
    fn set(
        &self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
        add: bool,
    ) -> PyResult<Py<PyList>> {
        let mut file = self.file();
        let done = match value.cast::<PyString>() {
            Ok(text) if add => file.add(path, text.to_str()?),
            Ok(text) => file.set(path, text.to_str()?),
            Err(_) => {
                let text: String = py.import("json")?.call_method1("dumps", (value,))?.extract()?;
                Json::read(text.as_bytes()).and_then(|value| {
                    // A whole number is a float where a float is.
                    let value = match value {
                        Json::Number(_) => file.document().typed(path, &text)?,
                        other => other,
                    };
                    let edit = if add { Edit::add(path, value) } else { Edit::set(path, value) };
                    file.edit(&[edit])
                })
            }
        };
        changes(py, &done.map_err(|error| failure(py, &error))?)
    }

    /// Removes values, and returns what changed.
    #[pyo3(signature = (*paths))]
    fn remove(&self, py: Python<'_>, paths: Vec<String>) -> PyResult<Py<PyList>> {
        let done = self.file().remove(&paths).map_err(|error| failure(py, &error))?;
        changes(py, &done)
    }

    /// Takes the last change back. Returns whether there was one.
    fn undo(&self, py: Python<'_>) -> PyResult<bool> {
        self.file().undo().map_err(|error| failure(py, &error))
    }

    /// Makes the change again that was taken back last.
    fn redo(&self, py: Python<'_>) -> PyResult<bool> {
        self.file().redo().map_err(|error| failure(py, &error))
    }

    /// The whole content as JSON text.
    fn json(&self) -> String {
        self.file().to_json().to_string()
    }

    /// The faults of the file, in words.
    fn problems(&self) -> Vec<String> {
        self.file().problems().iter().map(ToString::to_string).collect()
    }

    /// The differences to another file.
    fn diff(&self, py: Python<'_>, other: &Self) -> PyResult<Py<PyList>> {
        if std::ptr::eq(self, other) {
            return Ok(PyList::empty(py).unbind());
        }
        changes(py, &self.file().diff(&other.file()))
    }

    /// The range of a value in the content: a pair of offsets, or None.
    fn place(&self, py: Python<'_>, path: &str) -> PyResult<Option<(u64, u64)>> {
        let range = self.file().place(path).map_err(|error| failure(py, &error))?;
        Ok(range.map(|it| (it.start, it.end)))
    }

    /// The file for another engine, and what is lost in it, in words.
    fn convert(&self, py: Python<'_>, engine: &str) -> PyResult<(Self, Vec<String>)> {
        let converted = self.file().convert(dialect(engine)?);
        let (opened, losses) = converted.map_err(|error| failure(py, &error))?;
        let losses = losses.iter().map(ToString::to_string).collect();
        Ok((Self { opened: Mutex::new(opened), path: None, lost: Vec::new() }, losses))
    }

    /// The bytes of the file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.file().to_bytes())
    }

    /// Writes the file: in one step, and an old file of the name is kept as NAME.bak.
    #[pyo3(signature = (path = None))]
    fn save(&self, path: Option<PathBuf>) -> PyResult<()> {
        let path = path.as_deref().or(self.path.as_deref());
        let path = path.ok_or_else(|| PyValueError::new_err("say under which name to save"))?;
        Ok(replace(path, &self.file().to_bytes())?)
    }
}

/// Writes a file beside another one, keeps that as NAME.bak, and takes its place.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // A link stays one.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let new = beside(&format!(".{}.new", std::process::id()));
    let written = (|| {
        let mut file = fs::File::create_new(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        if let Ok(old) = fs::metadata(path) {
            fs::set_permissions(&new, old.permissions())?;
            fs::copy(path, beside(".bak"))?;
        }
        fs::rename(&new, path)
    })();
    if written.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&new);
    }
    written
}

/// Variant packets of Godot and Pandemonium as Python objects, and files of games and terrains.
#[pymodule]
fn formwork(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("FormworkError", py.get_type::<FormworkError>())?;
    module.add_class::<File>()?;
    module.add_function(wrap_pyfunction!(loads, module)?)?;
    module.add_function(wrap_pyfunction!(dumps, module)?)?;
    module.add_function(wrap_pyfunction!(open, module)?)?;
    module.add_function(wrap_pyfunction!(recover, module)?)?;
    Types::get(py)?.add_to(module)
}
