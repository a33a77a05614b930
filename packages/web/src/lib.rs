//! Files for JavaScript: what `formwork-file` does, in a browser or in Node.

mod gallery;

use formwork_file::{Change, Child, Edit, File as Opened, Grade, Json, Loss, Options, Problem};
use formwork_script::{failure, object, set, to_js, words};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

type Result<T> = std::result::Result<T, JsValue>;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A value in the lossless form of JSON. Numbers that JavaScript cannot hold are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

/** A value that is another one, new, gone or moved; `text` says so in words. */
export interface Change {
  kind: 'added' | 'removed' | 'changed' | 'moved' | 'type_changed';
  path: string;
  before?: Json;
  after?: Json;
  text: string;
}

/** An entry: `shown` of a value without entries, `length` of one that has them. */
export interface Child {
  path: string;
  name: string;
  type: string;
  shown: string | null;
  length: number | null;
}

/** A field of the bytes. */
export interface Field {
  offset: number;
  size: number;
  depth: number;
  name: string;
  type: string;
  value: string;
  path: string;
}

/** What is thrown: the broken rule, the offset of the byte or null, the path of the field. */
export interface FormworkError extends Error {
  rule: string;
  offset: number | null;
  path: string;
  expected: string;
  found: string;
}

/** A fault of a file; `damage` where it cannot be read because of it. */
export interface Problem extends FormworkError {
  damage: boolean;
}
"#;

fn thrown<T>(result: formwork_file::Result<T>) -> Result<T> {
    result.map_err(|error| failure(&error))
}

fn change(file: &Opened, change: &Change) -> JsValue {
    let value = |json: &Option<Json>| json.as_ref().map_or(JsValue::UNDEFINED, to_js);
    object([
        ("kind", change.kind.name().into()),
        ("path", (&*change.path).into()),
        ("before", value(&change.before)),
        ("after", value(&change.after)),
        ("text", file.described(change).into()),
    ])
}

fn changes(file: &Opened, all: &[Change]) -> Array {
    all.iter().map(|it| change(file, it)).collect()
}

fn child(child: Child) -> JsValue {
    object([
        ("path", child.path.into()),
        ("name", child.name.into()),
        ("type", child.type_name.into()),
        ("shown", child.shown.map_or(JsValue::NULL, JsValue::from)),
        ("length", child.length.map_or(JsValue::NULL, |it| (it as f64).into())),
    ])
}

fn children(all: Vec<Child>) -> Array {
    all.into_iter().map(child).collect()
}

fn options(format: Option<String>, password: Option<String>, skip: Option<f64>) -> Options {
    let mut options = Options::new();
    if let Some(format) = format {
        options = options.format(&format);
    }
    if let Some(password) = password {
        options = options.password(&password);
    }
    match skip {
        Some(bytes) => options.skip(bytes as u64),
        None => options,
    }
}

/// An opened file.
#[wasm_bindgen]
#[derive(Debug)]
pub struct File {
    file: Opened,
    lost: Vec<String>,
}

/// Opens a file. `format` is the name of a format or of an engine, `skip` the length of a game's own header.
///
/// # Errors
///
/// Throws an error if the file is of no known format, damaged or encrypted.
#[wasm_bindgen]
pub fn open(
    bytes: &[u8],
    format: Option<String>,
    password: Option<String>,
    skip: Option<f64>,
) -> Result<File> {
    let file = thrown(gallery::FORMATS.open(bytes, &options(format, password, skip)))?;
    Ok(File { file, lost: Vec::new() })
}

/// Opens what is left of a damaged file; `lost` of it lists the losses.
///
/// # Errors
///
/// Throws an error if nothing can be read.
#[wasm_bindgen]
pub fn recover(
    bytes: &[u8],
    format: Option<String>,
    password: Option<String>,
    skip: Option<f64>,
) -> Result<File> {
    let options = options(format, password, skip);
    let (file, lost) = thrown(gallery::FORMATS.recover(bytes, &options))?;
    Ok(File { file, lost: lost.into_iter().map(|lost| lost.error.to_string()).collect() })
}

/// Makes a file of JSON text.
///
/// # Errors
///
/// Throws an error if the JSON does not fit the format.
#[wasm_bindgen]
pub fn make(json: &str, format: Option<String>) -> Result<File> {
    let json = thrown(Json::read(json.as_bytes()))?;
    let file = thrown(gallery::FORMATS.make(&json, &options(format, None, None)))?;
    Ok(File { file, lost: Vec::new() })
}

/// Returns the names and descriptions of the formats.
#[wasm_bindgen(unchecked_return_type = "{ name: string; description: string }[]")]
#[must_use]
pub fn formats() -> Array {
    let format = |format: &'static dyn formwork_file::Format| {
        object([("name", format.name().into()), ("description", format.description().into())])
    };
    gallery::FORMATS.iter().map(format).collect()
}

#[wasm_bindgen]
impl File {
    /// The name of the format.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn format(&self) -> String {
        self.file.format().name().to_owned()
    }

    /// The format in a few words.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn description(&self) -> String {
        self.file.format().description().to_owned()
    }

    /// Why the file is thought to be of the format, in a few words.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn why(&self) -> String {
        self.file.why().to_owned()
    }

    /// The losses of a damaged file, in words.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn lost(&self) -> Vec<String> {
        self.lost.clone()
    }

    /// A summary: pairs of names and texts.
    #[wasm_bindgen(unchecked_return_type = "[string, string][]")]
    #[must_use]
    pub fn summary(&self) -> Array {
        let text = |json: &Json| match json {
            Json::String(text) => text.clone(),
            Json::Array(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            other => other.to_string(),
        };
        let pair = |(name, json): (String, Json)| {
            [JsValue::from(name), text(&json).into()].into_iter().collect::<Array>()
        };
        self.file.summary().into_iter().map(pair).collect()
    }

    /// The whole content as JSON text.
    #[must_use]
    pub fn json(&self) -> String {
        self.file.to_json().to_string()
    }

    /// The value at a path, in the lossless form of JSON.
    ///
    /// # Errors
    ///
    /// Throws an error if there is none.
    #[wasm_bindgen(unchecked_return_type = "Json")]
    pub fn get(&self, path: &str) -> Result<JsValue> {
        thrown(self.file.get(path)).map(|json| to_js(&json))
    }

    /// The value at a path as people read it.
    ///
    /// # Errors
    ///
    /// Throws an error if there is none.
    pub fn shown(&self, path: &str) -> Result<String> {
        thrown(self.file.shown(path))
    }

    /// Sets a value to what a person typed; a new one with `adds`.
    ///
    /// # Errors
    ///
    /// Throws an error if the text does not fit.
    #[wasm_bindgen(unchecked_return_type = "Change[]")]
    pub fn set(&mut self, path: &str, text: &str, adds: Option<bool>) -> Result<Array> {
        let done = match adds {
            Some(true) => self.file.add(path, text),
            _ => self.file.set(path, text),
        };
        thrown(done).map(|done| changes(&self.file, &done))
    }

    /// Sets a value to JSON text in the lossless form: a text to just this text.
    ///
    /// # Errors
    ///
    /// Throws an error if the value does not fit.
    #[wasm_bindgen(js_name = setJson, unchecked_return_type = "Change[]")]
    pub fn set_json(&mut self, path: &str, json: &str, adds: Option<bool>) -> Result<Array> {
        let value = thrown(Json::read(json.as_bytes()))?;
        let edit = if adds == Some(true) { Edit::add(path, value) } else { Edit::set(path, value) };
        thrown(self.file.edit(&[edit])).map(|done| changes(&self.file, &done))
    }

    /// Removes values.
    ///
    /// # Errors
    ///
    /// Throws an error if one of them is not there.
    #[wasm_bindgen(unchecked_return_type = "Change[]")]
    #[allow(clippy::needless_pass_by_value, reason = "an interface of JavaScript")]
    pub fn remove(&mut self, paths: Vec<String>) -> Result<Array> {
        thrown(self.file.remove(&paths)).map(|done| changes(&self.file, &done))
    }

    /// Takes the last change back.
    ///
    /// # Errors
    ///
    /// Throws an error if the bytes cannot be read again.
    pub fn undo(&mut self) -> Result<bool> {
        thrown(self.file.undo())
    }

    /// Makes the change again that was taken back last.
    ///
    /// # Errors
    ///
    /// Throws an error if the bytes cannot be read again.
    pub fn redo(&mut self) -> Result<bool> {
        thrown(self.file.redo())
    }

    /// The differences from the file as it was opened.
    ///
    /// # Errors
    ///
    /// Throws an error if the first bytes cannot be read again.
    #[wasm_bindgen(unchecked_return_type = "Change[]")]
    pub fn changes(&self) -> Result<Array> {
        thrown(self.file.changes()).map(|all| changes(&self.file, &all))
    }

    /// The differences to another file.
    #[wasm_bindgen(unchecked_return_type = "Change[]")]
    #[must_use]
    pub fn diff(&self, other: &Self) -> Array {
        changes(&self.file, &self.file.diff(&other.file))
    }

    /// All faults, as errors; `damage` says whether the file cannot be read because of it.
    #[wasm_bindgen(unchecked_return_type = "Problem[]")]
    #[must_use]
    pub fn problems(&self) -> Array {
        let thrown = |problem: &Problem| {
            let thrown = failure(problem);
            let is_damage = problem.grade == Grade::Damage;
            set(&thrown, "damage", &is_damage.into());
            thrown
        };
        self.file.problems().iter().map(thrown).collect()
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.file.to_bytes()
    }

    /// The bytes in which places count: of a compressed or encrypted file its content.
    ///
    /// # Errors
    ///
    /// Throws an error if it cannot be unpacked.
    pub fn content(&self) -> Result<Vec<u8>> {
        thrown(self.file.content())
    }

    /// The value at a path without what is in it: `{path, name, type, shown, length}`.
    ///
    /// # Errors
    ///
    /// Throws an error if there is no value.
    #[wasm_bindgen(unchecked_return_type = "Child")]
    pub fn look(&self, path: &str) -> Result<JsValue> {
        thrown(self.file.document().look(path)).map(child)
    }

    /// Entries of the value at a path, each as `look` returns it.
    ///
    /// # Errors
    ///
    /// Throws an error if there is no value.
    #[wasm_bindgen(unchecked_return_type = "Child[]")]
    pub fn children(&self, path: &str, from: usize, count: usize) -> Result<Array> {
        thrown(self.file.children(path, from..from.saturating_add(count))).map(children)
    }

    /// Values with a word in their name or text.
    #[wasm_bindgen(unchecked_return_type = "Child[]")]
    #[must_use]
    pub fn search(&self, word: &str, most: usize) -> Array {
        children(self.file.search(word, most))
    }

    /// The place of a value in `content`: `{start, end}`, or null.
    ///
    /// # Errors
    ///
    /// Throws an error if there is no value.
    #[wasm_bindgen(unchecked_return_type = "{ start: number; end: number } | null")]
    pub fn place(&self, path: &str) -> Result<JsValue> {
        let place = thrown(self.file.place(path))?;
        let of = |it: std::ops::Range<u64>| {
            object([("start", (it.start as f64).into()), ("end", (it.end as f64).into())])
        };
        Ok(place.map_or(JsValue::NULL, of))
    }

    /// The first fields of a value, at most `most`: `{offset, size, depth, name, type, value, path}`.
    ///
    /// # Errors
    ///
    /// Throws an error if there is no value.
    #[wasm_bindgen(unchecked_return_type = "Field[]")]
    pub fn fields(&self, path: &str, most: usize) -> Result<Array> {
        let fields = thrown(self.file.fields_of(path, most))?.into_iter();
        let field = |field: formwork_file::Field| {
            object([
                ("offset", (field.range.start as f64).into()),
                ("size", ((field.range.end - field.range.start) as f64).into()),
                ("depth", (field.depth as f64).into()),
                ("name", field.name.into()),
                ("type", field.type_name.into()),
                ("value", field.value.into()),
                ("path", field.path.into()),
            ])
        };
        Ok(fields.map(field).collect())
    }

    /// The save for another engine: `{bytes, losses}`, the losses in words.
    ///
    /// # Errors
    ///
    /// Throws an error if the file is no save, or the engine unknown.
    #[wasm_bindgen(unchecked_return_type = "{ bytes: Uint8Array; losses: string[] }")]
    pub fn convert(&self, engine: &str) -> Result<JsValue> {
        let to = engine.parse().map_err(words)?;
        let (file, losses) = thrown(self.file.convert(to))?;
        let losses: Array = losses.iter().map(Loss::to_string).map(JsValue::from).collect();
        Ok(object([
            ("bytes", Uint8Array::from(&file.to_bytes()[..]).into()),
            ("losses", losses.into()),
        ]))
    }
}
