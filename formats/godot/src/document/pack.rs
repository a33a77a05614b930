//! The packs of exported games.

use std::any::Any;
use std::collections::HashMap;
use std::io;

use crate::inspect::Inspector;
use formwork::document::{self, Change, Confidence, Document, Format, Json, Row, changes};
use formwork::{Error, PathSegment, Result};
use formwork_records::inspect::rows;
use formwork_variant::Dialect;

use crate::pack::{EngineRelease, Pack, PackBuilder, PackChange, is_pack, rule};

/// The format of packs, alone or at the end of an executable.
///
/// JSON of a pack: `{"version": 3, "engine": [4, 6, 3], "files": {"icon.svg": "<svg/>", "a.bin": {"$hex": "00ff"}}}`. An
/// encrypted file is its encrypted bytes. A file whose content is not in the pack, or which the pack takes out of another
/// one, is null. The version, the engine and an executable stay as they are.
///
/// ```
/// use formwork::document::{Edit, Format, Json};
/// use formwork_godot::document::PACKS;
///
/// let json = br#"{"version": 2, "engine": [4, 2, 0], "files": {"a.txt": "one"}}"#;
/// let mut pack = PACKS.make(&Json::read(json)?)?;
/// let changes = pack.edit(&[Edit::add(r#"files/"levels/1.txt""#, "two".into())])?;
/// assert_eq!(changes[0].to_string(), r#"files/"levels/1.txt": added "two""#);
/// assert_eq!(PACKS.open(&pack.to_bytes())?.get(r#"files/"levels/1.txt""#)?, Json::from("two"));
/// # Ok::<(), formwork::Error>(())
/// ```
pub static PACKS: PackFormat = PackFormat(());

/// See [`PACKS`].
#[derive(Clone, Copy, Debug)]
pub struct PackFormat(());

/// An opened pack.
#[derive(Clone)]
struct Opened {
    bytes: Vec<u8>,
    json: Json,
}

/// Returns the error for JSON that is no pack.
fn unfit(expected: &str, found: &Json) -> Error {
    let rule = document::rule::DOCUMENT_VALUE;
    Error::new(rule, 0, expected, found.kind()).nowhere()
}

/// Returns bytes as JSON.
fn of_bytes(bytes: &[u8]) -> Json {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
            Json::tagged("$hex", digits.collect::<String>().into())
        }
    }
}

/// Returns the bytes that JSON is.
fn to_bytes(json: &Json) -> Result<Vec<u8>> {
    let digits = match (json, json.tag()) {
        (Json::String(text), _) => return Ok(text.clone().into_bytes()),
        (_, Some(("$hex", Json::String(digits)))) => digits.as_bytes().as_chunks::<2>(),
        _ => return Err(unfit("a text, or {\"$hex\": ..}", json)),
    };
    let byte = |pair: &[u8; 2]| {
        let digits = std::str::from_utf8(pair).ok().filter(|it| !it.contains('+'))?;
        u8::from_str_radix(digits, 16).ok()
    };
    match digits {
        (pairs, []) => pairs.iter().map(byte).collect::<Option<_>>(),
        _ => None,
    }
    .ok_or_else(|| unfit("two hexadecimal digits for each byte", json))
}

/// Returns the content of a file.
fn content_of(name: &str, content: &Json) -> Result<Vec<u8>> {
    let step = PathSegment::Name(name.to_owned().into());
    to_bytes(content).map_err(|error| error.within(step).within("files"))
}

/// Returns the files in the JSON of a pack.
fn files(json: &Json) -> Result<&[(String, Json)]> {
    match json.get("files") {
        Some(Json::Object(files)) => Ok(files),
        other => Err(unfit("the files of a pack by their names", other.unwrap_or(&Json::Null))),
    }
}

fn by_name(files: &[(String, Json)]) -> HashMap<&str, &Json> {
    files.iter().map(|(name, content)| (&**name, content)).collect()
}

/// Returns a whole number of 32 bits in the JSON of a pack.
fn number(json: Option<&Json>) -> Result<u32> {
    let found = match json {
        Some(Json::Number(digits)) => digits.parse().ok(),
        _ => None,
    };
    found.ok_or_else(|| unfit("a whole number of 32 bits", json.unwrap_or(&Json::Null)))
}

impl Opened {
    fn read(bytes: &[u8]) -> Result<Self> {
        let pack = Pack::open(bytes)?;
        pack.refuse_shared()?;
        if pack.is_directory_encrypted() {
            let (at, expected) = (pack.directory().start as u64, "a directory that can be read");
            return Err(Error::new(rule::SEALED, at, expected, "an encrypted one"));
        }
        let EngineRelease { major, minor, patch } = pack.engine();
        let engine = [major, minor, patch].map(|it| u64::from(it).into()).to_vec();
        let mut files = Vec::with_capacity(pack.files().len());
        for file in pack.files() {
            let is_elsewhere = file.is_removal() || pack.is_sparse();
            let content = match is_elsewhere {
                true => Json::Null,
                false => of_bytes(&pack.wrapped_content(file)?),
            };
            files.push((file.name(), content));
        }
        let json = Json::Object(vec![
            ("version".to_owned(), u64::from(pack.version()).into()),
            ("engine".to_owned(), Json::Array(engine)),
            ("files".to_owned(), Json::Object(files)),
        ]);
        Ok(Self { bytes: bytes.to_vec(), json })
    }
}

impl Format for PackFormat {
    fn name(&self) -> &'static str {
        "pack"
    }

    fn description(&self) -> &'static str {
        "a pack of an exported game"
    }

    fn page(&self) -> String {
        crate::pages::pack_page()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        match is_pack(bytes) {
            false => Confidence::None,
            true if Pack::open(bytes).is_ok() => Confidence::Whole,
            true => Confidence::Start,
        }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        Ok(Box::new(Opened::read(bytes)?))
    }

    fn make(&self, json: &Json) -> Result<Box<dyn Document>> {
        let release = match json.get("engine") {
            Some(Json::Array(numbers)) if numbers.len() == 3 => numbers,
            other => {
                let found = other.unwrap_or(&Json::Null);
                return Err(unfit("the three numbers of a release", found));
            }
        };
        let [major, minor, patch] = [0, 1, 2].map(|at| number(release.get(at)));
        let engine = EngineRelease { major: major?, minor: minor?, patch: patch? };
        let mut builder = PackBuilder::new(number(json.get("version"))?, engine);
        for (name, content) in files(json)? {
            let content = content_of(name, content)?;
            builder = builder.file(&**name, content);
        }
        self.open(&builder.build()?)
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Error> {
        Pack::open(bytes).map_or_else(|error| vec![error], |pack| pack.check())
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let pack = match Pack::open(bytes) {
            Ok(pack) => pack,
            Err(error) => return rows::fault(error, each),
        };
        let (head, directory) = pack.records();
        let parts = [(pack.head(), "head", head), (pack.directory(), "directory", directory)];
        for (range, name, record) in parts {
            let part = bytes.get(..range.end).unwrap_or(bytes);
            let inspector = Inspector::of_record(part, name, record).behind(range.start);
            rows::of_spans(inspector.in_dialect(Dialect::GODOT4).list_elements(true), each)?;
        }
        Ok(())
    }
}

impl Document for Opened {
    fn summary(&self) -> Vec<(String, Json)> {
        let count = files(&self.json).map_or(0, <[_]>::len);
        let head = ["version", "engine"].map(|it| (it.to_owned(), self.json.get(it).cloned()));
        let head = head.into_iter().filter_map(|(name, value)| Some((name, value?)));
        head.chain([("files".to_owned(), count.into())]).collect()
    }

    fn to_json(&self) -> Json {
        self.json.clone()
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        for name in ["version", "engine"] {
            let (there, asked) = (self.json.get(name), json.get(name));
            if asked != there {
                let expected = format!("{}, as the pack has it", there.unwrap_or(&Json::Null));
                let found = asked.unwrap_or(&Json::Null).to_string();
                let error = Error::new(document::rule::DOCUMENT_SETTLED, 0, expected, found);
                return Err(error.nowhere().within(name));
            }
        }
        if let Json::Object(members) = json
            && let Some((name, _)) =
                members.iter().find(|it| !["version", "engine", "files"].contains(&&*it.0))
        {
            let step = PathSegment::Name(name.clone().into());
            return Err(unfit("version, engine and files", json).within(step));
        }
        let (old, new) = (files(&self.json)?, files(json)?);
        let (olds, news) = (by_name(old), by_name(new));
        let mut asked = Vec::new();
        for (name, content) in new {
            if olds.get(&**name) != Some(&content) {
                let content = content_of(name, content)?;
                asked.push(PackChange::Put { name: name.clone(), content });
            }
        }
        let gone = old.iter().filter(|it| !news.contains_key(&*it.0));
        asked.extend(gone.map(|it| PackChange::Remove { name: it.0.clone() }));
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let now = Self::read(&Pack::open(&self.bytes)?.with_changes(&asked)?)?;
        let made = changes(&self.json, &now.json);
        *self = now;
        Ok(made)
    }

    fn fork(&self) -> Box<dyn Document> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}
