//! The values that Godot 4 keeps in typed containers of another declared type: the whole matrix of types, as 4.6.3
//! answered (`typed_elements.tsv`, made by `tests/engines/godot4/typed_elements.gd`).

use std::collections::HashMap;
use std::path::PathBuf;

use formwork_testkit::{from_hex, hex};
use formwork_variant::Variant;
use formwork_variant::codec::ObjectForm;
use formwork_variant::{Decoder, Dialect, Encoder};

use crate::cases::formats;

const ARRAY: u32 = 28;
const DICTIONARY: u32 = 27;
/// Types 1 to 38: a container of type 0 has no type.
const TYPES: std::ops::Range<u32> = 1..39;

/// The lines of the file, in columns.
fn rows() -> Vec<Vec<String>> {
    let path: PathBuf = formats().join("godot4/golden/4.6.3/typed_elements.tsv");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The engine's answers, by the first column, the declared type and the number of the value.
type Answers<'a> = HashMap<(&'a str, u32, usize), &'a str>;

fn answers(rows: &[Vec<String>]) -> (Vec<&str>, Answers<'_>) {
    let (mut values, mut answers) = (Vec::new(), Answers::new());
    for row in rows {
        match row.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["value", index, hex] => {
                assert_eq!(index.parse(), Ok(values.len()));
                values.push(hex);
            }
            [side @ ("array" | "key" | "item"), declared, index, answer] => {
                let (declared, index) = (declared.parse().unwrap(), index.parse().unwrap());
                answers.insert((side, declared, index), answer);
            }
            ["objects" | "numbers" | "color", ..] => {}
            _ => panic!("an unknown line: {row:?}"),
        }
    }
    (values, answers)
}

/// Returns the only element, key or item of such a container after reading: its packet, or a description.
fn kept(side: &str, declared: u32, value: &[u8]) -> String {
    let one = words(&[2, 1]);
    let parts: Vec<u8> = match side {
        "array" => [&words(&[ARRAY | 1 << 16, declared, 1]), value].concat(),
        "key" => [&words(&[DICTIONARY | 1 << 16, declared, 1]), value, &one].concat(),
        _ => [&words(&[DICTIONARY | 1 << 18, declared, 1]), &one, value].concat(),
    };
    let kept = match Decoder::new(Dialect::GODOT4).decode(&parts) {
        Err(_) => return "refused".into(),
        Ok(Variant::Array(array)) => array.into_iter().next(),
        Ok(Variant::Dictionary(dictionary)) => match side {
            "key" => dictionary.into_iter().next().map(|(key, _)| key),
            _ => dictionary.into_iter().next().map(|(_, item)| item),
        },
        Ok(other) => panic!("no container: {other:?}"),
    };
    match kept {
        None => "left out".into(),
        Some(value) => hex(&Encoder::new(Dialect::GODOT4).encode(&value).expect("what was read")),
    }
}

/// The sides that were asked for `count` values, and the answer where the file has no line.
fn check(side: &str, count: impl Fn(&[&str]) -> usize, unsaid: impl Fn(u32, &str) -> String) {
    let rows = rows();
    let (values, answers) = answers(&rows);
    let mut wrong = Vec::new();
    let mut asked = 0;
    for declared in TYPES {
        for (index, value) in values[..count(&values)].iter().enumerate() {
            let said = answers.get(&(side, declared, index)).map(|&answer| answer.to_owned());
            let said = said.unwrap_or_else(|| unsaid(declared, value));
            let ours = kept(side, declared, &from_hex(value));
            asked += 1;
            if ours != said {
                wrong.push(format!("{side} of type {declared}, {value}: {ours} for {said}"));
            }
        }
    }
    println!("{side}: {} of {asked} as the engine", asked - wrong.len());
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Keeps a value of the declared type, and omits any other.
fn only_its_own_type(declared: u32, value: &str) -> String {
    let own = u32::from(from_hex(value)[0]) == declared;
    if own { value.to_owned() } else { "left out".to_owned() }
}

#[test]
fn elements_of_every_type_become_what_godot_makes_of_them() {
    check("array", |values| values.len(), only_its_own_type);
}

#[test]
fn keys_of_every_type_become_what_godot_makes_of_them() {
    check("key", |values| values.len() / 2, only_its_own_type);
}

#[test]
fn items_of_typed_dictionaries_are_not_looked_at() {
    check("item", |values| values.len() / 2, |_, value| value.to_owned());
}

/// The number of the object that was sent, and the flag and type before it.
const SENT: &str = "9a78563412000000";

/// With objects in full form the engine knows its classes; this crate does not.
#[test]
fn typed_arrays_of_objects_hold_what_godot_keeps() {
    let rows = rows();
    let (mut wrong, mut numbers, mut objects, mut by_class) = (Vec::new(), 0, 0, 0);
    for row in &rows {
        let [kind @ ("objects" | "numbers"), packet, said] =
            row.iter().map(String::as_str).collect::<Vec<_>>()[..]
        else {
            continue;
        };
        let full = kind == "objects";
        let form = if full { ObjectForm::Full } else { ObjectForm::Id };
        let decoded = Decoder::new(Dialect::GODOT4).allow_objects(full).decode(&from_hex(packet));
        let encoder = Encoder::new(Dialect::GODOT4).objects(form);
        let ours = match decoded {
            Err(_) => "refused".to_owned(),
            Ok(value) => hex(&encoder.encode(&value).expect("what was read")),
        };
        // The engine made an object with a new number: the file has 0 in its place.
        let ours = if full { ours } else { ours.replace(SENT, "0000000000000000") };
        *(if full { &mut objects } else { &mut numbers }) += 1;
        if ours == said {
            continue;
        }
        // The class of the array or of an object in it decides, by who derives from whom.
        if full { by_class += 1 } else { wrong.push(format!("{packet}: {ours} for {said}")) }
    }
    println!("{numbers} without, {objects} with objects, {by_class} by the class registry");
    assert_eq!((numbers, objects, by_class), (45, 72, 11));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
