use my_decoder::{Error, decode, encode}; // yours

fn unhex(text: &str) -> Vec<u8> {
    let pieces = text.split(',').map(|piece| {
        let (hex, times) = piece.split_once('*').unwrap_or((piece, "1")); // "00000000*1024"
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
        bytes.repeat(times.parse().unwrap())
    });
    pieces.collect::<Vec<_>>().concat()
}

pub fn failures(suite: &str) -> Vec<String> {
    let rows = suite.lines().skip(1).map(|line| serde_json::from_str(line).unwrap());
    let failure = |row: serde_json::Value| {
        let [id, result, hex] = ["id", "result", "hex"].map(|name| row[name].as_str().unwrap());
        let is_right = match decode(&unhex(hex)).map(|(value, used)| (encode(&value), used)) {
            Err(Error::Unsupported) => true,
            Err(Error::Refused) => result != "valid",
            Ok((bytes, used)) => {
                let all = row["bytes"].as_array().into_iter().flatten();
                row["used"] == used && all.filter_map(|one| one.as_str()).any(|one| unhex(one) == bytes)
            }
        };
        (!is_right).then(|| format!("{id} {result} {}", row["rule"]))
    };
    rows.filter_map(failure).collect()
}
