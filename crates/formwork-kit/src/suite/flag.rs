//! Flags: contents of vectors that some languages cannot express.

use std::collections::BTreeSet;

use formwork::document::Json;
use formwork_variant::Rule;
use formwork_variant::codec::rule;

use super::LONGEST;
use super::lines::{depth, value};
use crate::oracle::Judge;

/// Contents of a vector that some languages cannot express, or some decoders leave out on purpose.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Flag {
    /// A NaN with other bits than the usual one.
    NanPayload,
    /// A whole number that 32 bits do not hold.
    Int64,
    /// A whole number that a double does not hold.
    UnsafeInteger,
    /// A zero with a sign.
    MinusZero,
    /// A text that is not UTF-8, or that is no Unicode.
    Utf8,
    /// A dictionary with the same key twice.
    DuplicateKey,
    /// A dictionary with a key that is no text.
    KeyType,
    /// Containers in one another, very deep.
    Depth,
    /// A packet of more than 4 KiB.
    Size,
}

impl Flag {
    /// Every flag.
    pub const ALL: &'static [Self] = &[
        Self::NanPayload,
        Self::Int64,
        Self::UnsafeInteger,
        Self::MinusZero,
        Self::Utf8,
        Self::DuplicateKey,
        Self::KeyType,
        Self::Depth,
        Self::Size,
    ];

    /// Returns the stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NanPayload => "nan-payload",
            Self::Int64 => "int64",
            Self::UnsafeInteger => "unsafe-integer",
            Self::MinusZero => "minus-zero",
            Self::Utf8 => "utf8",
            Self::DuplicateKey => "duplicate-key",
            Self::KeyType => "key-type",
            Self::Depth => "depth",
            Self::Size => "size",
        }
    }
}

/// Containers in one another that every decoder reads.
const DEEP: usize = 32;

/// Returns the flags of a packet, whose first broken rule is given.
pub(super) fn of(judge: &Judge, packet: &[u8], broken: Option<Rule>) -> Vec<Flag> {
    let mut flags = BTreeSet::new();
    for rule in judge.rules(packet).into_iter().chain(broken) {
        match rule {
            rule::STRING_UTF8 | rule::STRING_CANONICAL => flags.insert(Flag::Utf8),
            rule::DICTIONARY_KEYS => flags.insert(Flag::DuplicateKey),
            rule::FLOAT_NAN => flags.insert(Flag::NanPayload),
            Rule::DEPTH_LIMIT => flags.insert(Flag::Depth),
            _ => false,
        };
    }
    if packet.len() > LONGEST {
        flags.insert(Flag::Size);
    }
    if let Some(json) = value(judge.reading(), packet) {
        if depth(&json) > DEEP {
            flags.insert(Flag::Depth);
        }
        if let Ok(value) = Json::read(json.as_bytes()) {
            note(&value, &mut flags);
        }
    }
    flags.into_iter().collect()
}

/// Adds the flags of a value in lossless JSON, whose depth the parser limits.
fn note(value: &Json, flags: &mut BTreeSet<Flag>) {
    match value {
        Json::Number(digits) => {
            if let Ok(whole) = digits.parse::<i128>() {
                if i32::try_from(whole).is_err() {
                    flags.insert(Flag::Int64);
                }
                if whole.unsigned_abs() >= 1 << 53 {
                    flags.insert(Flag::UnsafeInteger);
                }
            } else if digits.parse::<f64>().is_ok_and(|one| one == 0.0 && one.is_sign_negative()) {
                flags.insert(Flag::MinusZero);
            }
        }
        Json::Array(all) => all.iter().for_each(|one| note(one, flags)),
        Json::Object(members) => {
            note_object(value, flags);
            members.iter().for_each(|(_, one)| note(one, flags));
        }
        Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

fn note_object(object: &Json, flags: &mut BTreeSet<Flag>) {
    match object.get("$float") {
        Some(Json::String(text)) if text == "-0" => _ = flags.insert(Flag::MinusZero),
        Some(Json::String(text)) if text.starts_with("nan:") => _ = flags.insert(Flag::NanPayload),
        _ => {}
    }
    if matches!(object.get("$String"), Some(Json::Array(_))) {
        flags.insert(Flag::Utf8);
    }
    let Some(Json::Array(pairs)) = object.get("$dictionary") else { return };
    let keys = pairs.iter().filter_map(|pair| match pair {
        Json::Array(pair) => pair.first(),
        _ => None,
    });
    if keys.into_iter().any(|key| !matches!(key, Json::String(_))) {
        flags.insert(Flag::KeyType);
    }
}
