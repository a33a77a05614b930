//! The suite: its names stay, its golden inputs are those of the engines, its file is what it says.

mod runners;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use flate2::read::GzDecoder;
use formwork_kit::Format;
use formwork_kit::case::Reading;
use formwork_kit::suite::{Expect, Flag, Suite, Tier};
use formwork_testkit::{from_hex, hex};
use formwork_variant::Dialect;
use formwork_variant::dialect::Precision;
use serde_json::Value;

/// Set, files that are generated are written anew instead of compared.
fn is_written() -> bool {
    std::env::var_os("FORMWORK_WRITE_SUITE").is_some()
}

/// Returns the suite of a format, made once for all tests.
fn suite(format: Format) -> Arc<Suite> {
    static MADE: Mutex<BTreeMap<String, Arc<OnceLock<Arc<Suite>>>>> = Mutex::new(BTreeMap::new());
    let known = MADE
        .lock()
        .expect("no test panicked with it")
        .entry(format.to_string())
        .or_default()
        .clone();
    let made = || Arc::new(Suite::new(Reading { format, allow_objects: false }));
    known.get_or_init(made).clone()
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Where the inputs of an engine come from.
const GOLDEN: [(&str, &str); 6] = [
    ("godot2", "godot2/golden"),
    ("godot3.2", "godot3/golden/3.2.3"),
    ("godot3.6", "godot3/golden/3.6.2"),
    ("pandemonium5", "pandemonium/golden"),
    ("godot4.6", "godot4/golden/4.6.3"),
    ("godot4.7", "godot4/golden/4.7-dev"),
];

/// Returns the lines of the golden inputs of an engine: each input once, and those that were read without objects first.
fn inputs(folder: &str) -> String {
    let path = formwork_testkit::formats().join(folder).join("decode.jsonl");
    let text = std::fs::read_to_string(path).expect("it can be read");
    let rows: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let mut known = HashSet::new();
    let mut lines = String::new();
    for (with_objects, end) in [(false, ""), (true, " objects")] {
        for row in rows.iter().filter(|row| (row["allow_objects"] == true) == with_objects) {
            let kind = row["kind"].as_str().expect("a kind").replace('_', "-");
            let hex = row["hex"].as_str().expect("hex");
            if known.insert(hex) {
                writeln!(lines, "{kind} {hex}{end}").expect("writing to a string");
            }
        }
    }
    lines
}

/// Returns the lines of the files of Terrain Builder among the samples.
fn samples() -> String {
    fn files(folder: &Path, paths: &mut BTreeSet<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() { files(&path, paths) } else { _ = paths.insert(path) }
        }
    }
    let mut paths = BTreeSet::new();
    files(&formwork_testkit::formats().join("alb1/samples"), &mut paths);
    let files = paths.iter().map(|path| std::fs::read(path).expect("samples can be read"));
    let files = files.filter(|bytes| bytes.starts_with(b"ALB1"));
    files.map(|bytes| format!("sample {}\n", hex(&bytes))).collect()
}

#[test]
fn the_golden_inputs_of_the_suite_are_those_that_the_engines_were_asked() {
    let engines = GOLDEN.iter().map(|(name, folder)| (*name, inputs(folder)));
    for (name, lines) in engines.chain([("alb1", samples())]) {
        let path = here("src/suite/golden").join(format!("{name}.gz"));
        if is_written() {
            let file = std::fs::File::create(&path).expect("it can be written");
            let mut out = flate2::GzBuilder::new().write(file, flate2::Compression::best());
            out.write_all(lines.as_bytes()).expect("it can be written");
            out.finish().expect("it can be written");
        }
        let file = std::fs::File::open(&path).expect("it is there");
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).expect("it can be read");
        assert!(text == lines, "{name} is stale: FORMWORK_WRITE_SUITE=1 writes it anew");
    }
}

/// The ids of a suite, by what is before their digest.
type Ids = BTreeMap<String, BTreeSet<String>>;

fn ids_of(suite: &Suite) -> Ids {
    let mut ids = Ids::new();
    for vector in suite.vectors() {
        let (kind, digest) = vector.id.rsplit_once('/').expect("a digest");
        let is_new = ids.entry(kind.to_owned()).or_default().insert(digest.to_owned());
        assert!(is_new, "{} stands twice", vector.id);
    }
    ids
}

fn path_of(format: Format) -> PathBuf {
    here("tests/kit/suite/ids").join(format!("{format}.txt"))
}

/// Reads a list: `kind digest..` a line; those that the list of another format has, too, are left out behind a line
/// `like FORMAT`, and those that only that one has begin with `-`.
fn committed(format: Format) -> Ids {
    let text = std::fs::read_to_string(path_of(format)).unwrap_or_default();
    let mut ids = Ids::new();
    for line in text.lines() {
        let (kind, digests) = line.split_once(' ').expect("a kind and what is of it");
        let digests = digests.split(' ').map(str::to_owned);
        if kind == "like" {
            ids = committed(line["like ".len()..].parse().expect("a format"));
        } else if let Some(kind) = kind.strip_prefix('-') {
            let of_kind = ids.get_mut(kind).expect("a kind of the other format");
            digests.for_each(|digest| assert!(of_kind.remove(&digest), "{format}: {digest}"));
        } else {
            ids.entry(kind.to_owned()).or_default().extend(digests);
        }
    }
    ids.retain(|_, digests| !digests.is_empty());
    ids
}

/// The format whose list that of another format begins with.
fn like(format: Format) -> Option<Format> {
    use formwork_variant::dialect::Family;
    let dialect = format.dialect()?;
    let base = match (dialect.precision(), dialect.family()) {
        (Precision::Double, _) if dialect.name() != "godot4.7-double" => {
            return "godot4.7-double".parse().ok();
        }
        (_, Family::Godot2) => Dialect::GODOT2,
        (_, Family::Godot3) => Dialect::GODOT3,
        (_, Family::Godot4) => Dialect::GODOT4,
        (_, Family::Pandemonium3 | Family::Pandemonium4 | Family::Pandemonium5) => {
            Dialect::PANDEMONIUM
        }
        _ => return None,
    };
    (base != dialect).then_some(Format::Variant(base))
}

fn without(all: &Ids, others: &Ids) -> Ids {
    let none = BTreeSet::new();
    let left = all.iter().map(|(kind, digests)| {
        let known = others.get(kind).unwrap_or(&none);
        (kind.clone(), digests.difference(known).cloned().collect::<BTreeSet<_>>())
    });
    left.filter(|(_, digests)| !digests.is_empty()).collect()
}

fn listed(ids: &Ids, sign: &str) -> String {
    let line = |(kind, digests): (&String, &BTreeSet<String>)| {
        let digests: Vec<&str> = digests.iter().map(String::as_str).collect();
        format!("{sign}{kind} {}\n", digests.join(" "))
    };
    ids.iter().map(line).collect()
}

/// Checks that the suite of a format has the ids of its list. New ones are added to it, and none is taken out.
fn hold(format: Format) {
    let now = ids_of(&suite(format));
    let known = committed(format);
    if is_written() {
        let mut all = known;
        now.into_iter().for_each(|(kind, digests)| all.entry(kind).or_default().extend(digests));
        let text = match like(format) {
            None => listed(&all, ""),
            Some(base) => {
                let base_ids = committed(base);
                let gone = listed(&without(&base_ids, &all), "-");
                format!("like {base}\n{gone}{}", listed(&without(&all, &base_ids), ""))
            }
        };
        std::fs::write(path_of(format), text).expect("it can be written");
        return;
    }
    assert_eq!(without(&known, &now), Ids::new(), "{format}: ids that are gone");
    assert_eq!(without(&now, &known), Ids::new(), "{format}: FORMWORK_WRITE_SUITE=1 adds them");
}

/// One format of each table of types. The first of them are those that the lists of others begin with.
const HELD: [&str; 7] = [
    "godot2",
    "godot3.6",
    "pandemonium5",
    "godot4.7",
    "alb1",
    "pandemonium-docs",
    "godot4.7-double",
];

#[test]
fn no_id_of_the_suite_is_ever_gone() {
    HELD.iter().for_each(|name| hold(name.parse().expect("a format")));
}

#[test]
#[ignore = "takes a minute; .ci/long has the time"]
fn no_id_of_the_suite_of_any_release_is_ever_gone() {
    let singles = Dialect::all();
    let doubles = Dialect::all().filter_map(|one| one.with_precision(Precision::Double));
    let others = singles.chain(doubles).map(Format::Variant);
    let (others, held): (Vec<_>, Vec<_>) =
        others.partition(|format| !HELD.contains(&format.to_string().as_str()));
    assert_eq!(held.len() + 1, HELD.len());
    others.into_iter().for_each(hold);
}

/// The bytes that a text of the file says.
fn unspelled(text: &Value) -> Vec<u8> {
    let pieces = text.as_str().expect("hex").split(',').map(|piece| {
        let (hex, times) = piece.split_once('*').unwrap_or((piece, "1"));
        from_hex(hex).repeat(times.parse().expect("a number"))
    });
    pieces.collect::<Vec<_>>().concat()
}

/// Checks each line of a file against the vector that it is of.
#[test]
fn the_file_of_a_suite_is_ascii_and_says_what_the_vectors_do() {
    for name in ["godot3.6", "alb1"] {
        let suite = suite(name.parse().expect("a format"));
        let mut file = Vec::new();
        suite.write(&mut file).expect("memory can be written");
        assert!(file.is_ascii());
        let text = String::from_utf8(file).expect("it is ASCII");
        let mut lines = text.lines();
        let head: Value = serde_json::from_str(lines.next().expect("a line")).expect("JSON");
        let keys = ["suite", "format", "engine", "release", "version", "license", "rows"];
        let found: BTreeSet<_> =
            head.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(found, keys.into_iter().collect());
        assert_eq!(head["format"], name);
        assert_eq!(head["rows"], suite.vectors().len());
        for (line, vector) in lines.zip(suite.vectors()) {
            // The files of Terrain Builder do not repeat themselves.
            let longest = if name == "alb1" { 64 << 10 } else { 8 << 10 };
            assert!(line.len() <= longest, "{}: {} bytes", vector.id, line.len());
            let line: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(line["id"], vector.id);
            assert_eq!(line["tier"], vector.tier.name());
            assert_eq!(line["result"], vector.result());
            assert_eq!(unspelled(&line["hex"]), vector.packet, "{}", vector.id);
            let rule = vector.rule.map(|rule| rule.name());
            assert_eq!(line["rule"].as_str(), rule, "{}", vector.id);
            let flags: Vec<_> = vector.flags.iter().map(|flag| flag.name()).collect();
            let written = line.get("flags").map_or(Vec::new(), |all| {
                all.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
            });
            assert_eq!(written, flags, "{}", vector.id);
            match &vector.expect {
                Expect::Refused => {
                    assert!(line.get("bytes").is_none() && line.get("value").is_none())
                }
                Expect::Accepted { used, bytes } => {
                    assert_eq!(line["used"], *used);
                    let written = line["bytes"].as_array().expect("a list").iter();
                    assert_eq!(&written.map(unspelled).collect::<Vec<_>>(), bytes, "{}", vector.id);
                }
            }
        }
    }
}

#[test]
fn a_flag_names_what_a_packet_holds() {
    let suite = suite(Format::Variant(Dialect::GODOT3));
    let flags = |packet: &str| {
        let packet = from_hex(packet);
        let vector = suite.vectors().iter().find(|vector| vector.packet == packet);
        vector.unwrap_or_else(|| panic!("no {packet:?}")).flags.clone()
    };
    assert_eq!(flags("0200000001000000"), []);
    // An int of 64 bits that a double does not hold.
    assert_eq!(flags("02000100ffffffffffffff7f"), [Flag::Int64, Flag::UnsafeInteger]);
    assert_eq!(flags("0300000000000080"), [Flag::MinusZero]);
    for flag in Flag::ALL {
        let count = suite.vectors().iter().filter(|vector| vector.flags.contains(flag)).count();
        assert!(count >= 20, "{}: {count}", flag.name());
        assert!(count < suite.vectors().len() / 10, "{}: {count}", flag.name());
    }
}

/// A host that moves a float of 32 bits through one of 64 makes a signalling NaN a quiet one.
#[test]
fn a_signalling_nan_may_come_back_quiet() {
    for name in ["godot3.6", "godot4.7", "alb1"] {
        let suite = suite(name.parse().expect("a format"));
        let signalling = |bytes: &[u8]| {
            // (Each packet has its numbers at multiples of four.)
            let (words, _) = bytes.as_chunks::<4>();
            let mut words = words.iter().map(|word| f32::from_le_bytes(*word));
            words.any(|one| one.is_nan() && one.to_bits() & 1 << 22 == 0)
        };
        let mut count = 0;
        for vector in suite.vectors() {
            let Expect::Accepted { bytes, .. } = &vector.expect else { continue };
            if vector.flags.contains(&Flag::NanPayload) && bytes.len() > 1 && signalling(&bytes[0])
            {
                assert!(bytes.iter().any(|bytes| !signalling(bytes)), "{}", vector.id);
                count += 1;
            }
        }
        assert!(count > 10 || name == "alb1", "{name}: {count}");
    }
}

#[test]
fn the_tier_smoke_comes_first_in_every_format() {
    for name in HELD {
        let suite = suite(name.parse().expect("a format"));
        let smoke = suite.vectors().iter().take_while(|vector| vector.tier == Tier::Smoke).count();
        let all = suite.vectors().iter().filter(|vector| vector.tier == Tier::Smoke).count();
        assert_eq!(smoke, all, "{name}");
        assert!((30..=68).contains(&smoke), "{name}: {smoke}");
        assert_eq!((*suite).clone().only(&[Tier::Smoke]).vectors().len(), smoke);
    }
}
