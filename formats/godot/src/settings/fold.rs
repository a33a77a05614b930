//! Converts a file of settings to the packet of one Dictionary, and back. The packets of the values are unchanged,
//! byte for byte.

use std::collections::HashSet;

use super::MAGIC;
use super::read::{Setting, Settings, read};
use super::{SettingRecord, SettingsHead, path_of_name, rule};
use formwork::{Deferred, Error, Result};
use formwork_records::wire::{Block, put_record};
use formwork_variant::codec::{Decoder, Encoder, Strictness};
use formwork_variant::{Dictionary, Real, Variant};

/// Converts a file's settings to the packet of a Dictionary.
///
/// # Errors
///
/// Returns an error if the bytes are no file of settings, if a setting has no value, or if the file has contents
/// that a Dictionary does not hold: a repeated name, bytes after a value or after the last setting.
pub fn to_packet<R: Real>(bytes: &[u8], decoder: &Decoder<R>) -> Result<Vec<u8>> {
    if let Some(fault) = read(bytes, &decoder.strictness(Strictness::Engine))?.fault {
        return Err(fault);
    }
    let settings = Settings::new(bytes)?.limits(*decoder.size_limits());
    let encoder = Encoder::new(decoder.dialect()).in_precision::<R>();
    let mut packet = encoder.encode(&Variant::Dictionary(Dictionary::new()))?;
    // The count is the last word.
    let at = packet.len() - size_of::<u32>();
    packet.truncate(at);
    packet.extend(settings.announced().to_le_bytes());
    for setting in settings {
        let Setting { name, packet: value, .. } = setting?;
        encoder.encode_into(&Variant::from(name), &mut packet)?;
        packet.extend_from_slice(value);
    }
    Ok(packet)
}

/// Returns the file of settings for the packet of a Dictionary, read by a decoder of its dialect.
///
/// `like` is a file whose names keep their form: in files of Godot up to 3.2, lengths count characters.
///
/// # Errors
///
/// Returns an error if the packet is no Dictionary, or if the Dictionary has declared types, keys that are not
/// Strings, or a repeated key.
pub fn from_packet<R: Real>(
    packet: &[u8],
    decoder: &Decoder<R>,
    like: Option<&[u8]>,
) -> Result<Vec<u8>> {
    let (value, length) = decoder.decode_prefix(packet)?;
    let refuse = |found: String| {
        let expected = "one Dictionary without declared types";
        Err(Error::new(rule::DICTIONARY, 0, expected, found))
    };
    let Variant::Dictionary(dictionary) = value else {
        return refuse(value.variant_type().name().to_owned());
    };
    if dictionary.key_type().is_some() || dictionary.value_type().is_some() {
        return refuse("a typed one".to_owned());
    }
    if length < packet.len() {
        return refuse(formwork::wire::more_bytes(packet.len() - length).to_string());
    }
    let count = u32::try_from(dictionary.len());
    let Ok(count) = count else { return refuse(format!("{} pairs", dictionary.len())) };
    let by_characters = like.map(in_characters).unwrap_or_default();
    let head = SettingsHead { magic: u32::from_le_bytes(*MAGIC), count };
    let mut file = Vec::with_capacity(packet.len());
    put_record(&head, &mut file);
    let mut names = HashSet::new();
    // Header and count.
    let mut at = 2 * size_of::<u32>();
    let mut index = 0;
    while at < packet.len() {
        let rest = packet.get(at..).unwrap_or_default();
        let (key, key_length) = decoder.decode_prefix(rest)?;
        let start = at as u64;
        let refuse = |rule, expected: &str, found: String| {
            Err(Error::new(rule, start, expected, found).under(path_of_name(index)))
        };
        let Variant::String(name) = key else {
            let found = key.variant_type().name().to_owned();
            return refuse(rule::KEY, "a String as the name of a setting", found);
        };
        let Some(name) = name.as_str().filter(|name| !name.contains('\0')).map(str::to_owned)
        else {
            let expected = "text in UTF-8 without a zero byte";
            return refuse(rule::NAME, expected, format!("{name:?}"));
        };
        let rest = rest.get(key_length..).unwrap_or_default();
        let (_, length) = decoder.decode_prefix(rest)?;
        let value = rest.get(..length).unwrap_or_default();
        at += key_length + length;
        let bytes = name.as_bytes();
        let name_length =
            if by_characters.contains(name.as_str()) { name.chars().count() } else { bytes.len() };
        let record = SettingRecord {
            name_length: u32::try_from(name_length).unwrap_or(u32::MAX),
            name: Block(bytes.into()),
            length: u32::try_from(length).unwrap_or(u32::MAX),
            value: Deferred::HERE,
        };
        put_record(&record, &mut file);
        file.extend_from_slice(value);
        if !names.insert(name) {
            return refuse(
                rule::REPEATED,
                "a name that was not there before",
                "it again".to_owned(),
            );
        }
        index += 1;
    }
    Ok(file)
}

/// Returns the names in a file whose lengths count characters.
fn in_characters(file: &[u8]) -> HashSet<&str> {
    let settings = Settings::new(file).into_iter().flatten().flatten();
    settings.filter(|it| it.counts_characters).map(|it| it.name).collect()
}
