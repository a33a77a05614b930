//! The parts that the example servers share: their arguments and their answers.

use std::env::args;
use std::error::Error;

use formwork_variant::{Decoder, Dialect, Encoder, Limits, Variant, variant};

/// The address to listen on, and the dialect of the game.
pub struct Arguments {
    pub address: String,
    pub dialect: Dialect,
}

impl Arguments {
    /// Parses `[ADDRESS:PORT] [--format DIALECT]`.
    pub fn of_the_program() -> Result<Self, Box<dyn Error>> {
        let mut arguments = args().skip(1);
        let mut found = Self { address: "127.0.0.1:7777".to_owned(), dialect: Dialect::GODOT3 };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--format" => {
                    let name =
                        arguments.next().ok_or("--format needs a dialect, such as godot4")?;
                    found.dialect = name.parse().map_err(|_| format!("no dialect '{name}'"))?;
                }
                _ => found.address = argument,
            }
        }
        Ok(found)
    }

    /// Returns a decoder for the packets of strangers: at most a MiB a packet, and no objects.
    pub fn decoder(&self) -> Decoder {
        Decoder::new(self.dialect).limits(Limits::default().packet_bytes(1 << 20))
    }

    pub fn encoder(&self) -> Encoder {
        Encoder::new(self.dialect)
    }
}

/// Returns the answer of the servers: the value itself and the name of its type.
pub fn answer(value: Variant) -> Variant {
    variant!({ "type": value.variant_type().name(), "value": value })
}
