//! The packs of exported games.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

use crate::inspect::Inspector;
use bytes::Bytes;
use formwork::document::{
    self, Change, Child, Confidence, Document, Edit, Format, Json, Problem, Row, changes,
};
use formwork::{Error, PathSegment, Result};
use formwork_records::inspect::rows;
use formwork_variant::Dialect;

use crate::pack::{
    EngineRelease, Pack, PackBuilder, PackChange, PackedFile, is_pack, rule, within_game,
};

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

/// An opened pack. The contents of its files are read when they are needed.
#[derive(Clone)]
struct Opened {
    bytes: Bytes,
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

/// The name of the member that has the files.
const FILES: &str = "files";

/// Returns the JSON of a pack with these files.
fn with_files(pack: &Pack<'_>, files: Vec<(String, Json)>) -> Json {
    let EngineRelease { major, minor, patch } = pack.engine();
    let engine = [major, minor, patch].map(|it| u64::from(it).into()).to_vec();
    Json::Object(vec![
        ("version".to_owned(), u64::from(pack.version()).into()),
        ("engine".to_owned(), Json::Array(engine)),
        (FILES.to_owned(), Json::Object(files)),
    ])
}

/// Returns the content of a file as JSON; null if it is not in the pack.
fn json_of(pack: &Pack<'_>, file: &PackedFile) -> Json {
    let is_elsewhere = file.is_removal() || pack.is_sparse();
    match pack.wrapped_content(file) {
        Ok(content) if !is_elsewhere => of_bytes(&content),
        _ => Json::Null,
    }
}

/// Returns the JSON of a pack with the number of each file in the place of its content.
fn numbered(pack: &Pack<'_>) -> Json {
    let number = |(number, file): (usize, &PackedFile)| (file.name(), number.into());
    with_files(pack, pack.files().iter().enumerate().map(number).collect())
}

/// Returns the number of the file at a path.
fn number_at(numbered: &Json, path: &str) -> Option<usize> {
    let place = numbered.place(path).ok()?;
    let Json::Number(number) = numbered.find(path).ok()? else { return None };
    place.starts_with(FILES).then(|| number.parse().ok())?
}

impl Opened {
    fn read(bytes: Bytes) -> Result<Self> {
        let pack = Pack::open(&bytes)?;
        pack.refuse_shared()?;
        if pack.is_directory_encrypted() {
            let (at, expected) = (pack.directory().start as u64, "a directory that can be read");
            return Err(Error::new(rule::SEALED, at, expected, "an encrypted one"));
        }
        for file in pack.files() {
            if !file.is_removal() && !pack.is_sparse() {
                pack.content(file)?;
            }
        }
        Ok(Self { bytes })
    }

    /// Returns the pack, which was read before.
    fn pack(&self) -> Result<Pack<'_>> {
        Pack::open(&self.bytes)
    }

    /// Returns a content as it is shown in a list: a short text, or its size.
    fn brief(content: &Json) -> String {
        const LONGEST: usize = 80;
        match content {
            Json::String(text) if text.len() > LONGEST => format!("text, {} bytes", text.len()),
            content => match content.tag() {
                Some((_, Json::String(digits))) => format!("{} bytes", digits.len() / 2),
                _ => content.to_string(),
            },
        }
    }

    fn child(pack: &Pack<'_>, mut child: Child, number: usize) -> Option<Child> {
        let content = json_of(pack, pack.files().get(number)?);
        child.type_name = match content {
            Json::Null => "elsewhere",
            Json::String(_) => "text",
            _ => "bytes",
        }
        .to_owned();
        child.shown = Some(Self::brief(&content));
        Some(child)
    }

    /// Makes these changes of files, and returns everything that changed.
    fn changed(&mut self, asked: &[PackChange]) -> Result<Vec<Change>> {
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let now = Self::read(self.pack()?.with_changes(asked)?.into())?;
        let names: HashSet<&str> = asked.iter().map(PackChange::name).collect();
        let made = changes(&self.only(&names)?, &now.only(&names)?);
        *self = now;
        Ok(made)
    }

    /// Returns the JSON of a pack with the files of these names only.
    fn only(&self, names: &HashSet<&str>) -> Result<Json> {
        let pack = self.pack()?;
        let named = pack.files().iter().map(|file| (file.name(), file));
        let named = named.filter(|(name, _)| names.contains(within_game(name)));
        Ok(with_files(&pack, named.map(|(name, file)| (name, json_of(&pack, file))).collect()))
    }

    /// Refuses JSON that says something else than the pack but for its files.
    fn refuse_others(&self, json: &Json) -> Result<()> {
        let own = with_files(&self.pack()?, Vec::new());
        for name in ["version", "engine"] {
            let (there, asked) = (own.get(name), json.get(name));
            if asked != there {
                let expected = format!("{}, as the pack has it", there.unwrap_or(&Json::Null));
                let found = asked.unwrap_or(&Json::Null).to_string();
                let error = Error::new(document::rule::DOCUMENT_SETTLED, 0, expected, found);
                return Err(error.nowhere().within(name));
            }
        }
        if let Json::Object(members) = json
            && let Some((name, _)) =
                members.iter().find(|it| !["version", "engine", FILES].contains(&&*it.0))
        {
            let step = PathSegment::Name(name.clone().into());
            return Err(unfit("version, engine and files", json).within(step));
        }
        Ok(())
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
        Ok(Box::new(Opened::read(Bytes::copy_from_slice(bytes))?))
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

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        match Pack::open(bytes) {
            Ok(pack) => pack.check().into_iter().map(Problem::warning).collect(),
            Err(error) => vec![Problem::damage(error)],
        }
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
        let Ok(pack) = self.pack() else { return Vec::new() };
        let head = with_files(&pack, Vec::new());
        let head = ["version", "engine"].map(|it| (it.to_owned(), head.get(it).cloned()));
        let head = head.into_iter().filter_map(|(name, value)| Some((name, value?)));
        head.chain([(FILES.to_owned(), pack.files().len().into())]).collect()
    }

    fn to_json(&self) -> Json {
        let Ok(pack) = self.pack() else { return Json::Null };
        let files = pack.files().iter().map(|file| (file.name(), json_of(&pack, file)));
        with_files(&pack, files.collect())
    }

    fn get(&self, path: &str) -> Result<Json> {
        let pack = self.pack()?;
        let numbered = numbered(&pack);
        match number_at(&numbered, path).and_then(|number| pack.files().get(number)) {
            Some(file) => Ok(json_of(&pack, file)),
            None => self.to_json().find(path).cloned(),
        }
    }

    fn look(&self, path: &str) -> Result<Child> {
        let pack = self.pack()?;
        let numbered = numbered(&pack);
        let child = document::look(&numbered, path)?;
        let file = number_at(&numbered, path);
        Ok(file.and_then(|number| Self::child(&pack, child.clone(), number)).unwrap_or(child))
    }

    fn children(&self, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
        let pack = self.pack()?;
        let numbered = numbered(&pack);
        let children = document::children(&numbered, path, range)?;
        // (The number of a file is what its entry shows: to look for each path would cost all files each time.)
        let has_files = numbered.place(path)? == FILES;
        let of_file = |child: Child| {
            let number =
                child.shown.as_deref().filter(|_| has_files).and_then(|it| it.parse().ok());
            number.and_then(|number| Self::child(&pack, child.clone(), number)).unwrap_or(child)
        };
        Ok(children.into_iter().map(of_file).collect())
    }

    fn bytes_at(&self, path: &str) -> Result<Option<Vec<u8>>> {
        // A file whose content is elsewhere has none.
        Ok(to_bytes(&self.get(path)?).ok())
    }

    fn of_bytes(&self, _path: &str, type_name: Option<&str>, bytes: &[u8]) -> Option<Json> {
        type_name.is_none().then(|| of_bytes(bytes))
    }

    /// Puts, adds and removes files without a look at the others.
    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        let pack = self.pack()?;
        let mut after = numbered(&pack);
        let (count, mut contents) = (pack.files().len(), Vec::new());
        for edit in edits {
            match edit {
                Edit::Set { path, value, adds } => {
                    let number = count + contents.len();
                    let place = after.set(path, number.into(), *adds)?;
                    if !place.starts_with("files/") {
                        let mut json = self.to_json();
                        edits.iter().try_for_each(|edit| edit.apply(&mut json))?;
                        return self.set_json(&json);
                    }
                    contents.push(value);
                }
                Edit::Remove { path } => drop(after.remove(path)?),
            }
        }
        self.refuse_others(&after)?;
        let mut asked = Vec::new();
        let left = files(&after)?;
        for (name, number) in left {
            let number = number.to_string().parse::<usize>().ok();
            if let Some(content) = number.and_then(|it| contents.get(it.checked_sub(count)?)) {
                let content = content_of(name, content)?;
                asked.push(PackChange::Put { name: name.clone(), content });
            }
        }
        let left = by_name(left);
        let gone = pack.files().iter().map(PackedFile::name).filter(|it| !left.contains_key(&**it));
        asked.extend(gone.map(|name| PackChange::Remove { name }));
        self.changed(&asked)
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Change>> {
        // Members of objects have no order that a removal could change.
        let numbered = numbered(&self.pack()?);
        let places =
            paths.iter().map(|path| numbered.place(path)).collect::<Result<HashSet<_>>>()?;
        self.edit(&places.into_iter().map(Edit::remove).collect::<Vec<_>>())
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        self.refuse_others(json)?;
        let pack = self.pack()?;
        let (old, new) = (numbered(&pack), files(json)?);
        let (olds, news) = (by_name(files(&old)?), by_name(new));
        let mut asked = Vec::new();
        for (name, content) in new {
            let number = olds.get(&**name).and_then(|it| it.to_string().parse::<usize>().ok());
            let there = number.and_then(|it| pack.files().get(it)).map(|it| json_of(&pack, it));
            if there.as_ref() != Some(content) {
                let content = content_of(name, content)?;
                asked.push(PackChange::Put { name: name.clone(), content });
            }
        }
        let gone = pack.files().iter().map(PackedFile::name).filter(|it| !news.contains_key(&**it));
        asked.extend(gone.map(|name| PackChange::Remove { name }));
        self.changed(&asked)
    }

    fn fork(&self) -> Box<dyn Document> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }
}
