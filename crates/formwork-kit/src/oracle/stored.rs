//! The text forms of packets, profiles and rules in the files that a campaign writes.

use std::fmt::Write as _;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes in hex.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Decodes hex, which may contain blanks.
pub(crate) fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    if digits.len() % 2 == 1 {
        return Err("an odd number of hex digits".into());
    }
    let value = |digit: char| {
        let digit = digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        digit.ok_or_else(|| "not in hex".to_owned())
    };
    let (pairs, _) = digits.as_chunks::<2>();
    pairs.iter().map(|&[high, low]| Ok(value(high)? << 4 | value(low)?)).collect()
}

/// A packet.
pub(super) mod hex {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&to_hex(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        from_hex(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Several packets.
pub(super) mod packets {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(packets: &[Vec<u8>], out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(packets.iter().map(|packet| to_hex(packet)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<Vec<u8>>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| from_hex(text).map_err(D::Error::custom)).collect()
    }
}

/// A profile, by its name.
pub(super) mod profile {
    use super::*;
    use crate::case::Profile;

    pub(crate) fn serialize<S: Serializer>(profile: &Profile, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(profile.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Profile, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// A rule that was broken, by its name.
pub(super) mod broken {
    use super::*;
    use crate::all_rules;
    use crate::case::Broken;

    #[derive(Deserialize, Serialize)]
    struct Named {
        rule: String,
        offset: u64,
    }

    pub(crate) fn serialize<S: Serializer>(
        broken: &Option<Broken>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        let named = |Broken { rule, offset }: &Broken| Named {
            rule: rule.name().to_owned(),
            offset: *offset,
        };
        broken.as_ref().map(named).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Broken>, D::Error> {
        let Some(Named { rule, offset }) = Option::deserialize(from)? else { return Ok(None) };
        let known = all_rules().find(|known| known.name() == rule);
        let rule = known.ok_or_else(|| D::Error::custom(format!("there is no rule `{rule}`")))?;
        Ok(Some(Broken { rule, offset }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_read_back() {
        assert_eq!(to_hex(&[0, 0x1f, 0xff]), "001fff");
        assert_eq!(from_hex("00 1F ff").unwrap(), [0, 0x1f, 0xff]);
        assert!(from_hex("0").is_err());
        assert!(from_hex("0g").is_err());
    }
}
