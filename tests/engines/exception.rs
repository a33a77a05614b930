//! The cases in which an engine does not return the value that it was sent, with the reasons.
//!
//! Each test counts the values of each rule, and the counts must be those of the table. (For a release that the table
//! does not name, only the rules are checked, not the counts.)

use std::collections::BTreeMap;

use formwork_variant::{Object, Variant};

use crate::engine::Engine;

/// A reason why a value does not come back unchanged.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Rule {
    /// Godot 3.2 cannot look up a dictionary key that is a PoolRealArray with a NaN, or an Array with
    /// one in it: it writes the pair as `"[Deleted Object]": null`.
    NanKey,
    /// The reader drops a byte order mark at the start of a string, which the writer writes.
    ByteOrderMark,
    /// An object that is null is written as null if objects are written by their number.
    NullObject,
}

/// The counts of release, test and rule.
const COUNTS: &[(&str, &str, Rule, usize)] = &[
    ("3.2.3", "StreamPeerTCP", Rule::NanKey, 8),
    ("3.2.3", "StreamPeerTCP big endian", Rule::NanKey, 8),
    ("3.2.3", "PacketPeerStream", Rule::NanKey, 8),
    ("3.2.3", "PacketPeerUDP", Rule::NanKey, 8),
    ("3.2.3", "keys", Rule::NanKey, 514),
    ("4.6.3", "StreamPeerTCP", Rule::ByteOrderMark, 5),
    ("4.6.3", "StreamPeerTCP big endian", Rule::ByteOrderMark, 5),
    ("4.6.3", "PacketPeerStream", Rule::ByteOrderMark, 5),
    ("4.6.3", "PacketPeerUDP", Rule::ByteOrderMark, 5),
    ("4.6.3", "segments", Rule::ByteOrderMark, 2),
];

/// The releases of the table; those without a row have no exceptions.
const RELEASES: &[&str] = &["3.2.3", "3.6", "3.6.2", "4.6.3"];

/// The test whose values are cases for tests of decoders.
pub const CASES: &str = "cases";

impl Rule {
    /// Returns the rule for a value.
    pub fn of(engine: &Engine, value: &Variant) -> Option<Self> {
        if engine.dialect == "godot3.2".parse().expect("it is a dialect")
            && any(value, &has_lost_key)
        {
            return Some(Self::NanKey);
        }
        if engine.is_godot4() && any(value, &has_byte_order_mark) {
            return Some(Self::ByteOrderMark);
        }
        let is_null = |value: &Variant| matches!(value, Variant::Object(Object::Null));
        if any(value, &is_null) {
            return Some(Self::NullObject);
        }
        None
    }
}

/// Compares the counts of a test with the table.
pub fn check(engine: &Engine, test: &str, found: &BTreeMap<Rule, usize>) {
    // The cases differ with each version of their generator.
    if !RELEASES.contains(&engine.release.as_str()) || test == CASES {
        return;
    }
    let rows = COUNTS.iter().filter(|row| (row.0, row.1) == (engine.release.as_str(), test));
    let listed: BTreeMap<_, _> = rows.map(|&(_, _, rule, count)| (rule, count)).collect();
    assert_eq!(*found, listed, "{} {test}: the exceptions are other ones", engine.release);
}

fn has_lost_key(value: &Variant) -> bool {
    let has_nan = |value: &Variant| match value {
        Variant::PackedFloat32Array(array) => array.iter().any(|number| number.is_nan()),
        _ => false,
    };
    // The engine finds a dictionary by its address in memory, whatever it contains.
    let is_lost = |key: &Variant| {
        let mut waiting = vec![key];
        while let Some(key) = waiting.pop() {
            if has_nan(key) {
                return true;
            }
            waiting.extend(key.as_array().into_iter().flatten());
        }
        false
    };
    value.as_dictionary().is_some_and(|pairs| pairs.iter().any(|(key, _)| is_lost(key)))
}

fn has_byte_order_mark(value: &Variant) -> bool {
    let marked =
        |text: &formwork_variant::VariantString| text.as_bytes().starts_with(b"\xef\xbb\xbf");
    match value {
        Variant::String(text) | Variant::StringName(text) => marked(text),
        Variant::PackedStringArray(texts) => texts.iter().any(marked),
        Variant::NodePath(path) => path.names.iter().chain(&path.subnames).any(marked),
        Variant::Signal(signal) => marked(&signal.name),
        _ => false,
    }
}

/// Whether the engine crashes when it uses the value: 3.6 does for an object whose script was sent with it. Such a
/// value is not sent.
pub fn breaks_engine(engine: &Engine, value: &Variant) -> bool {
    let has_script = |value: &Variant| match value {
        Variant::Object(Object::Full(object)) => {
            matches!(object.property("script"), Some(Variant::Object(Object::Full(_))))
        }
        _ => false,
    };
    engine.release.starts_with("3.6") && any(value, &has_script)
}

/// Whether the printer of Godot 3 may crash. It sorts the keys of a dictionary, and when it compares two packed arrays,
/// it reads past the end of the shorter one. The data there is random, and if it is taken for strings, the engine
/// crashes. Such a value is sent, but not printed.
pub fn breaks_printer(engine: &Engine, value: &Variant) -> bool {
    let is_packed = |value: &Variant| value.variant_type().name().starts_with("Packed");
    !engine.is_godot4() && any(value, &|value| keys(value, |key| any(key, &is_packed)) > 1)
}

/// Whether the order in which Godot 3 prints the keys of a dictionary is random: objects are sorted by their address.
pub fn has_chance_order(engine: &Engine, value: &Variant) -> bool {
    let is_object = |value: &Variant| matches!(value, Variant::Object(Object::Id(_)));
    !engine.is_godot4() && any(value, &|value| keys(value, |key| any(key, &is_object)) > 1)
}

/// Counts the keys of a dictionary that pass the test.
fn keys(value: &Variant, test: impl Fn(&Variant) -> bool) -> usize {
    value.as_dictionary().map_or(0, |pairs| pairs.iter().filter(|(key, _)| test(key)).count())
}

/// Whether a value or one inside it passes the test. Inner values wait in a list, because values may nest deeply.
fn any(value: &Variant, test: &dyn Fn(&Variant) -> bool) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if test(value) {
            return true;
        }
        if let Variant::Object(Object::Full(object)) = value {
            waiting.extend(object.properties.iter().map(|(_, value)| value));
        }
        if let Some(array) = value.as_array() {
            waiting.extend(array.iter());
        }
        if let Some(dictionary) = value.as_dictionary() {
            waiting.extend(dictionary.iter().flat_map(|(key, value)| [key, value]));
        }
    }
    false
}
