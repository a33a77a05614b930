//! Lets the crate `godot-binary-serialization` answer formwork's decoder protocol:
//!
//! ```console
//! $ formwork-kit fuzz --format godot4 --target target/release/godot-binary-serialization-responder
//! ```

use std::io::{self, BufReader, Read, Write};

use godot_binary_serialization::decoder::Decoder;
use godot_binary_serialization::encoder::Encoder;

const ACCEPTED: u8 = 0;
const REJECTED: u8 = 1;
const SKIPPED: u8 = 2;
const UNKNOWN: u32 = u32::MAX;

fn main() -> io::Result<()> {
    let mut requests = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut answers = Vec::new();
    loop {
        let mut length = [0; 4];
        match requests.read_exact(&mut length) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            read => read?,
        }
        let mut packet = vec![0; u32::from_le_bytes(length) as usize];
        requests.read_exact(&mut packet)?;
        let (status, consumed, bytes) = answer(&packet);
        answers.push(status);
        answers.extend(consumed.to_le_bytes());
        answers.extend((bytes.len() as u32).to_le_bytes());
        answers.extend(bytes);
        // Requests that are already here are answered together.
        if requests.buffer().is_empty() {
            let mut out = io::stdout().lock();
            out.write_all(&answers)?;
            out.flush()?;
            answers.clear();
        }
    }
}

fn answer(packet: &[u8]) -> (u8, u32, Vec<u8>) {
    match Decoder::decode_variant(packet) {
        Ok(value) => {
            let consumed = u32::try_from(value.byte_length()).unwrap_or(UNKNOWN);
            // This crate cannot encode a null.
            (ACCEPTED, consumed, Encoder::encode_variant(value.as_ref()).unwrap_or_default())
        }
        Err(error) => {
            let message = error.to_string();
            let unclaimed = message.starts_with("Unsupported godot variant");
            (if unclaimed { SKIPPED } else { REJECTED }, UNKNOWN, message.into_bytes())
        }
    }
}
