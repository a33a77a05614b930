//! Measures the memory for reading game files that are damaged or declare false sizes. A part of `tests/hostile.rs`,
//! where no other test runs at the same time.

use std::fs;
use std::path::{Path, PathBuf};

use formwork_godot::config_file::ConfigFile;
use formwork_godot::pack::Pack;
use formwork_godot::resource::{self, Head};
use formwork_godot::script;
use formwork_godot::settings;
use formwork_variant::{Decoder, Dialect, Limits};

use super::MEMORY;
use formwork_testkit::formats;

/// The limit for the unpacked size of a compressed file here.
const UNPACKED: u64 = 1 << 20;
const LIMITS: Limits = Limits::new().unpacked_bytes(UNPACKED);

/// A reader of such files, and its memory limit as a multiple of the input.
type Reader = (fn(&[u8]), usize);

const SETTINGS: Reader = (settings, 10);
const PACK: Reader = (pack, 10);
/// Every file may be at fault.
const CHECKED_PACK: Reader = (checked_pack, 32);
const SCRIPT: Reader = (script, 10);
const RESOURCE: Reader = (resource, 10);
/// A key with its value takes four bytes.
const CONFIG_FILE: Reader = (config_file, 64);

fn settings(bytes: &[u8]) {
    let decoder: Decoder = Decoder::new(Dialect::GODOT4).allow_objects(true);
    let _ = settings::read(bytes, &decoder);
    drop(settings::recover(bytes, &decoder));
}

fn pack(bytes: &[u8]) {
    drop(Pack::open(bytes));
}

fn checked_pack(bytes: &[u8]) {
    drop(Pack::open(bytes).map(|pack| pack.check()));
}

fn script(bytes: &[u8]) {
    let Ok(head) = script::Head::of(bytes) else { return };
    let decoder: Decoder = Decoder::new(head.dialect()).limits(LIMITS);
    drop(script::read(bytes, &decoder).map(script::Script::into_value));
}

fn resource(bytes: &[u8]) {
    let Ok(content) = formwork_godot::resource::content(bytes, &LIMITS) else { return };
    let Ok(head) = Head::of(&content) else { return };
    let decoder: Decoder = Decoder::new(head.dialect()).limits(LIMITS);
    drop(resource::read(&content, &decoder).map(resource::Resource::into_value));
}

fn config_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(file) = ConfigFile::parse(text) else { return };
    drop(file.read::<f32>(Dialect::GODOT4));
}

fn within_memory((read, times): Reader, bytes: &[u8], what: &str) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    read(bytes);
    let used = MEMORY.peak_usage() - before;
    let most = times * (bytes.len() + (1 << 20));
    assert!(used <= most, "{what}: {used} bytes of memory for {}", bytes.len());
}

/// The files of a folder with one of these endings, its folders included.
fn samples(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            found.extend(samples(&path, endings));
        } else if path.extension().is_some_and(|it| endings.iter().any(|end| it == *end)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The samples with each word overwritten by a false one, and cut there; of long ones, only some of the words.
pub fn damaged_files_stay_within_memory() {
    let sets: [(&str, &[&str], Reader); 6] = [
        ("settings", &["binary", "cfb"], SETTINGS),
        ("pack", &["pck", "exe", "x86_64"], PACK),
        ("pack", &["pck"], CHECKED_PACK),
        ("script", &["gdc"], SCRIPT),
        ("resource", &["res", "scn"], RESOURCE),
        ("config_file", &["cfg", "godot"], CONFIG_FILE),
    ];
    for (folder, endings, reader) in sets {
        let files = samples(&formats().join(folder).join("samples"), endings);
        assert!(files.len() > 2, "{folder}: {files:?}");
        for path in files {
            let name = path.display().to_string();
            let bytes = fs::read(&path).expect("a sample can be read");
            within_memory(reader, &bytes, &name);
            for at in (0..bytes.len().saturating_sub(4)).step_by(1 + bytes.len() / 600) {
                within_memory(reader, &bytes[..at], &name);
                for lie in [u32::MAX, 0x7fff_ffff, 0x00ff_ffff, 0x0001_0000] {
                    let mut changed = bytes.clone();
                    changed[at..at + 4].copy_from_slice(&lie.to_le_bytes());
                    within_memory(reader, &changed, &name);
                }
            }
        }
    }
}

/// Many of the smallest things that such a file can have.
pub fn many_small_parts_stay_within_memory() {
    const COUNT: u32 = 1 << 16;
    let word = |value: u32| value.to_le_bytes().to_vec();
    let pack_of = |version: u32, head: Vec<u8>, entry: usize| {
        let start = [b"GDPC".to_vec(), word(version), vec![0; 12], head].concat();
        [start, vec![0; 64], word(COUNT), vec![0; entry * COUNT as usize]].concat()
    };
    for (version, head, entry) in [(1, Vec::new(), 36), (2, vec![0; 12], 40)] {
        let pack = pack_of(version, head, entry);
        within_memory(PACK, &pack, "files without a name");
        within_memory(CHECKED_PACK, &pack, "names that are there already");
    }
    let setting = [word(1), b"a".to_vec(), word(4), word(0)].concat();
    let settings = [b"ECFG".to_vec(), word(COUNT), setting.repeat(COUNT as usize)].concat();
    within_memory(SETTINGS, &settings, "settings of one name");
    let keys: String = (0..COUNT).map(|number| format!("{number:x}=1\n")).collect();
    within_memory(CONFIG_FILE, keys.as_bytes(), "keys");
    within_memory(CONFIG_FILE, "a=1\n".repeat(COUNT as usize).as_bytes(), "a key again and again");
    let long = format!("[{}]\n{keys}", "long".repeat(1 << 16));
    within_memory(CONFIG_FILE, long.as_bytes(), "a section with a long name");
    let sections: String = (0..COUNT).map(|number| format!("[{number:x}]\n")).collect();
    within_memory(CONFIG_FILE, sections.as_bytes(), "sections");
}
