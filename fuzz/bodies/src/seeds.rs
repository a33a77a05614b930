//! The first inputs of each fuzz target, and the dictionaries of the formats.

use std::collections::HashSet;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use super::alb1::with_used_names;
use formwork_alb1::Document;
use formwork_alb1::json::DocumentJson;
use formwork_kit::Format;
use formwork_kit::case::{Case, Cases, Profile, Reading, Repeats};
use formwork_kit::dictionary;
use formwork_variant::Dialect as Engine;
use formwork_variant::dialect::Dialect;
use serde_json::Value;

use super::label::{dialects, number_of};

/// The top bit of the byte that selects a dialect. Each target gives this switch a meaning.
const SWITCH: u8 = 0x80;

/// The size of the longest seed in bytes. Longer inputs slow a fuzzer down and show nothing more.
const LONGEST: usize = 1024;

/// The size of the longest file or JSON in bytes. Without longer seeds, libFuzzer makes no longer inputs.
const LONGEST_FILE: usize = 4096;

/// The folders of golden files that hold packets, and the dialect of each.
const GOLDEN: &[(&str, &str)] = &[
    ("godot2/golden", "godot2"),
    ("godot3/golden/3.2.3", "godot3.2"),
    ("godot3/golden/3.6.2", "godot3.6"),
    ("godot4/golden/4.6.3", "godot4.6"),
    ("pandemonium/golden", "pandemonium5"),
];

/// JSON that the generators do not write: other forms of the same values, and JSON that is nearly right.
const JSON: &[&str] = &[
    r#"{"a":1,"b":[null,true,2.5,"c"],"c":{"$float":"nan:0x7ff8000000000001"}}"#,
    r#"{"$dictionary":[[1,"one"],[{"$Vector2":[1.0,{"$float":"-0"}]},{"$PackedByteArray":"AQID"}]]}"#,
    r#"{"$Array":[1,2],"element":"int"}"#,
    r#"{"$Object":{"class":"Node","properties":[["name","a"],["script",null]]}}"#,
    r#"{"$NodePath":{"absolute":true,"names":["a/b"],"subnames":["c"]}}"#,
    r#"{"$PackedVector2Array":[1.0,2.0,3.0,4.0]}"#,
    r#"{"type":"Dictionary","key_type":"String","args":["s:key","i:1"]}"#,
    r#"{"type":"Basis","args":[1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0]}"#,
    r#"["i:1","f:nan","sn:a","np:/root/a:b",{"type":"Array","elem_type":"int","args":["i:1"]}]"#,
];

/// Returns the first inputs of the target, made from the files in the folder `formats` and from the kit's
/// cases.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn seeds(formats: &Path, target: &str) -> Result<Vec<Vec<u8>>> {
    let mut seeds = match target {
        "capture" => captures(formats)?,
        "config_file" => config_files(formats)?,
        "container" => containers(formats)?.into_iter().chain(layers()).collect(),
        "pack" => packs(formats)?,
        "resource" | "script" => game_files(formats, target)?,
        "settings" => settings(formats)?,
        "json" | "text" => some(packets(formats)?).chain(texts(formats)?).collect(),
        "structs" => some(packets(formats)?).map(unswitched).chain(saves()).collect(),
        name if name.starts_with("alb1_") => {
            let mut files = short_documents(formats)?;
            files.extend(cases(Format::Alb1, 200));
            if name == "alb1_json" {
                files.extend(document_jsons(&files)?);
            }
            files
        }
        _ => some(packets(formats)?).chain(labelled_cases()).collect(),
    };
    let mut known = HashSet::new();
    seeds.retain(|seed: &Vec<u8>| known.insert(seed.clone()));
    Ok(seeds)
}

/// Returns the files of settings that engines wrote, each after the byte that selects its dialect, with the top bit
/// set: objects are allowed.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn settings(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let files = released(&formats.join("settings/samples"), &["binary"])?;
    let switched = |(number, bytes)| labelled(number | SWITCH, bytes);
    Ok(files.into_iter().map(switched).flat_map(with_its_half).collect())
}

/// Returns the texts of ConfigFile that engines wrote, each after the byte that selects its dialect.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn config_files(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let files = released(&formats.join("config_file/samples"), &["cfg", "godot"])?;
    let texts = files.into_iter().filter(|(_, bytes)| std::str::from_utf8(bytes).is_ok());
    Ok(texts.map(|(number, bytes)| labelled(number, bytes)).flat_map(with_its_half).collect())
}

/// Returns the files of a folder with one of these endings, each with the number of its dialect. The file
/// name begins with the engine's release, as in `3.2.3.settings.binary`.
fn released(folder: &Path, endings: &[&str]) -> Result<Vec<(u8, Vec<u8>)>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|it| endings.iter().any(|end| it == *end)));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let release: Vec<&str> = name.split('.').take(2).collect();
        let dialect: Dialect =
            format!("godot{}", release.join(".")).parse().map_err(Error::other)?;
        let number = number_of(dialect).ok_or_else(|| Error::other(name.into_owned()))?;
        files.push((number, fs::read(&path)?));
    }
    Ok(files)
}

fn labelled(number: u8, bytes: Vec<u8>) -> Vec<u8> {
    iter::once(number).chain(bytes).collect()
}

fn with_its_half(seed: Vec<u8>) -> [Vec<u8>; 2] {
    [seed.get(..seed.len() / 2).unwrap_or_default().to_vec(), seed]
}

/// Returns the words of a target's format, as libFuzzer's `-dict` reads them: of all dialects, or of ALB1.
#[must_use]
pub fn words(target: &str) -> String {
    let formats = match target.starts_with("alb1_") {
        true => vec![Format::Alb1],
        false => [Engine::GODOT2, Engine::GODOT3, Engine::PANDEMONIUM, Engine::GODOT4]
            .map(Format::Variant)
            .to_vec(),
    };
    let mut known = HashSet::new();
    let mut words = String::new();
    for line in formats.into_iter().map(dictionary).collect::<String>().lines() {
        // Dialects have some words in common, under different names.
        let word = line.split_once('=').map(|(_, word)| word.to_owned());
        if word.is_none_or(|word| known.insert(word)) {
            words.push_str(line);
            words.push('\n');
        }
    }
    words
}

/// Returns the packets of the golden files' lines, each after the byte that selects its dialect, with the top
/// bit set where objects are allowed.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn packets(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let packet = |number: u8, case: &Value| {
        let bytes = from_hex(case["hex"].as_str()?)?;
        let objects = case["full_objects"] == true || case["allow_objects"] == true;
        let first = number | if objects { SWITCH } else { 0 };
        Some(iter::once(first).chain(bytes).collect())
    };
    golden(formats, &["values.jsonl", "decode.jsonl"], packet)
}

/// Returns the packs that engines made.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn packs(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let mut packs = Vec::new();
    for release in fs::read_dir(formats.join("pack/samples"))? {
        for pack in fs::read_dir(release?.path())? {
            packs.push(fs::read(pack?.path())?);
        }
    }
    packs.sort();
    Ok(packs)
}

/// Collects an item from each line of the golden files of all folders. A file that is missing in a folder is
/// skipped.
fn golden<T>(
    formats: &Path,
    files: &[&str],
    of: impl Fn(u8, &Value) -> Option<T>,
) -> Result<Vec<T>> {
    let mut all = Vec::new();
    for (folder, name) in GOLDEN {
        let dialect: Dialect = name.parse().map_err(Error::other)?;
        let number = number_of(dialect).ok_or_else(|| Error::other(*name))?;
        for path in files.iter().map(|file| formats.join(folder).join(file)) {
            if !path.is_file() {
                continue;
            }
            for line in fs::read_to_string(path)?.lines().filter(|line| !line.is_empty()) {
                all.extend(of(number, &serde_json::from_str(line)?));
            }
        }
    }
    Ok(all)
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect()
}

/// Returns every seventh input, without the long ones.
fn some(all: Vec<Vec<u8>>) -> impl Iterator<Item = Vec<u8>> {
    all.into_iter().step_by(7).filter(|seed| seed.len() <= LONGEST)
}

fn unswitched(mut seed: Vec<u8>) -> Vec<u8> {
    if let Some(first) = seed.first_mut() {
        *first &= !SWITCH;
    }
    seed
}

/// Returns cases of the kit for each dialect.
fn labelled_cases() -> impl Iterator<Item = Vec<u8>> {
    dialects().flat_map(|(number, dialect)| {
        let cases = cases(Format::Variant(dialect), 40);
        cases.map(move |packet| iter::once(number).chain(packet).collect())
    })
}

/// Returns the first cases of the kit, without those of the enumeration and without hostile ones.
fn cases(format: Format, count: u64) -> impl Iterator<Item = Vec<u8>> {
    let reading = Reading { format, allow_objects: false };
    let profiles = [Profile::Valid, Profile::Edge, Profile::NearValid];
    let cases = Cases::new(reading, 1).profiles(&profiles);
    let mut repeats = Repeats::before(&cases, 0);
    let all = (0..count).map(move |number| cases.case(number));
    let short = all.filter(move |case: &Case| !repeats.is_one(case) && case.bytes.len() < LONGEST);
    short.map(|case| case.bytes)
}

/// Returns the texts that engines printed, and JSON in both forms.
fn texts(formats: &Path) -> Result<impl Iterator<Item = Vec<u8>>> {
    let text = |number: u8, case: &Value| Some((number, case["text"].as_str()?.to_owned()));
    let printed = golden(formats, &["values.jsonl"], text)?.into_iter().step_by(3);
    let newest = number_of(Engine::GODOT4).unwrap_or_default();
    let json = JSON.iter().map(move |json| (newest, (*json).to_owned()));
    let labelled = |(number, text): (u8, String)| iter::once(number).chain(text.into_bytes());
    Ok(printed
        .chain(json)
        .map(move |text| labelled(text).collect())
        .filter(|seed: &Vec<u8>| is_short(seed)))
}

fn is_short(seed: &[u8]) -> bool {
    seed.len() <= LONGEST
}

/// Returns, for each dialect, the random choices from which a generator makes a saved game.
fn saves() -> impl Iterator<Item = Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut byte = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    dialects().map(move |(number, _)| {
        iter::once(SWITCH | number).chain(iter::repeat_with(&mut byte).take(900)).collect()
    })
}

/// Returns the synthetic ALB1 files and their JSON.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn documents(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let mut inputs = Vec::new();
    for bytes in files(&formats.join("alb1/samples"))? {
        if let Ok(document) = Document::from_slice(&bytes) {
            let json = DocumentJson::new().trees(true).to_string(&document);
            inputs.push(json.map_err(Error::other)?.into_bytes());
            inputs.push(bytes);
        }
    }
    Ok(inputs)
}

/// Returns the synthetic files without their unused names, and the shortest file with all names.
fn short_documents(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let (mut short, mut shortest) = (Vec::new(), None);
    for input in documents(formats)? {
        let Ok(document) = Document::from_slice(&input) else { continue };
        short.push(with_used_names(document).to_vec().map_err(Error::other)?);
        shortest = shortest.into_iter().chain([input]).min_by_key(Vec::len);
    }
    short.extend(shortest);
    short.retain(|input| input.len() <= LONGEST_FILE);
    Ok(short)
}

/// Returns the JSON of the readable files, where it is short.
fn document_jsons(files: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
    let mut jsons = Vec::new();
    for document in files.iter().filter_map(|bytes| Document::from_slice(bytes).ok()) {
        let json = DocumentJson::new().trees(true).to_string(&document).map_err(Error::other)?;
        jsons.push(json.into_bytes());
    }
    jsons.retain(|json| json.len() <= LONGEST_FILE);
    Ok(jsons)
}

/// Returns the samples of compiled scripts (`script`) or of resources (`resource`), whole and cut.
///
/// # Errors
///
/// Fails if a file cannot be read.
pub fn game_files(formats: &Path, target: &str) -> Result<Vec<Vec<u8>>> {
    let endings: &[&str] = if target == "script" { &["gdc"] } else { &["res", "scn"] };
    let mut paths = Vec::new();
    let mut folders = vec![formats.join(target).join("samples")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_sample =
                path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending));
            if path.is_dir() {
                folders.push(path);
            } else if is_sample {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let file = fs::read(path)?;
        // The samples are few, so the cut parts of each are seeds too.
        files.extend(
            [1, 2, 3].map(|part| file.get(..file.len() * part / 3).unwrap_or(&file).to_vec()),
        );
    }
    Ok(files)
}

/// Returns the engines' compressed and encrypted files, without the large ones.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn containers(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let mut inputs = Vec::new();
    for (folder, _) in GOLDEN {
        let folder = formats.join(folder).join("files");
        if folder.is_dir() {
            inputs.extend(files(&folder)?);
        }
    }
    inputs.retain(|bytes| bytes.starts_with(b"G") && bytes.len() < 10_000);
    Ok(inputs)
}

/// Returns contents for many choices of layers: short ones, and some longer than a block.
fn layers() -> impl Iterator<Item = Vec<u8>> {
    let text = b"A content that can be packed, as it says the same again and again. ";
    (0..=u8::MAX).step_by(5).map(|choice| {
        let content = text.iter().copied().cycle().take(30 * usize::from(choice));
        iter::once(choice).chain(content).collect()
    })
}

/// Returns the recorded traffic.
///
/// # Errors
///
/// Fails if a file of the folder cannot be read.
pub fn captures(formats: &Path) -> Result<Vec<Vec<u8>>> {
    let is_capture =
        |path: &PathBuf| path.extension().is_some_and(|it| it == "pcap" || it == "pcapng");
    paths(&formats.join("captures"))?.into_iter().filter(is_capture).map(fs::read).collect()
}

/// Returns the contents of the files in a folder and its subfolders.
fn files(folder: &Path) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for path in paths(folder)? {
        match path.is_dir() {
            true => all.extend(files(&path)?),
            false => all.push(fs::read(path)?),
        }
    }
    Ok(all)
}

/// Returns the entries of a folder, sorted by name.
fn paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
