//! Times, sizes and numbers of things: as options give them, and in words.

use std::time::Duration;

use formwork_variant::Variant;

/// Parses a time: `30s`, `500ms`, `5m`, `2h`; a number alone is in seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("write a number and a unit (ms, s, m or h), such as 30s".into()),
    };
    let number: f64 = number.parse().map_err(|_| format!("'{number}' is not a number"))?;
    Duration::try_from_secs_f64(number * seconds).map_err(|error| error.to_string())
}

/// Parses a number of bytes: `512M`, `2G`, `64k`; a number alone is in bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.trim_end_matches(['b', 'B']).trim_end_matches('i') {
        "" => 0,
        "k" | "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return Err("write a number and a unit (k, M or G), such as 512M".into()),
    };
    let number: u64 = number.parse().map_err(|_| format!("'{number}' is not a whole number"))?;
    number.checked_mul(1 << shift).ok_or_else(|| "the size is too large".into())
}

/// Returns a number with what it counts, a noun in the singular: `1 value`, `2 placed objects`.
pub fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| letter.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number.trim(), unit.trim())
}

/// Returns a number that plain JSON can hold.
pub fn integer(number: u64) -> Variant {
    Variant::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(counted(1, "value"), "1 value");
        assert_eq!(counted(0, "byte"), "0 bytes");
        assert_eq!(counted(2, "placed object"), "2 placed objects");
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("500 ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert!(duration("2 weeks").is_err());
        assert!(duration("-1s").is_err());
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("7"), Ok(7));
        assert!(size("99999999999999G").is_err());
        assert!(size("1.5G").is_err());
    }
}
