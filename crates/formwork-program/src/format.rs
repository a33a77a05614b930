//! The options for the format of an input and for limits.

use clap::{Args, ValueEnum};
use formwork_variant::Real;
use formwork_variant::{Dialect, Encoder, Limits, Strictness};

pub use formwork_kit::Format;

use super::quantity::size;

/// Reads the name of a format.
pub fn format(name: &str) -> Result<Format, String> {
    name.parse().map_err(|_| {
        if name.ends_with(".jq") {
            return "a filter is read from a file with --from-file".to_owned();
        }
        "unknown format; use godot2, godot3, godot4, pandemonium, alb1, or a release such as \
         godot4.2 ('formwork schema' lists all)"
            .to_owned()
    })
}

/// How strict the decoder is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum StrictnessName {
    /// Accept everything that the engine accepts
    #[default]
    Engine,
    /// Accept only what the engine would write itself
    Canonical,
}

impl From<StrictnessName> for Strictness {
    fn from(name: StrictnessName) -> Self {
        match name {
            StrictnessName::Engine => Self::Engine,
            StrictnessName::Canonical => Self::Canonical,
        }
    }
}

/// How deep and how large values may be.
#[derive(Args, Clone, Copy, Debug)]
pub struct ValueLimits {
    /// Reject values nested more than DEPTH containers deep [default: the engine's own limit]
    #[arg(long, value_name = "DEPTH", hide_short_help = true)]
    max_depth: Option<u32>,
    /// Reject packets that claim to be larger than SIZE bytes, such as 64M
    #[arg(long, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    #[arg(default_value_t = Limits::PACKET_BYTES)]
    max_packet: u64,
}

impl ValueLimits {
    /// Returns the limits.
    pub fn limits(self) -> Limits {
        let limits = Limits::default().packet_bytes(self.max_packet);
        match self.max_depth {
            Some(depth) => limits.depth(depth),
            None => limits,
        }
    }
}

/// How much of an input to believe.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitOptions {
    #[command(flatten)]
    values: ValueLimits,
    #[command(flatten)]
    unpacking: UnpackingLimit,
}

/// How much of a compressed or encrypted input to believe.
#[derive(Args, Clone, Copy, Debug)]
pub struct UnpackingLimit {
    /// Reject compressed files that unpack to more than SIZE bytes, such as 1G
    #[arg(long, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    #[arg(default_value_t = Limits::UNPACKED_BYTES)]
    max_unpacked: u64,
}

impl From<UnpackingLimit> for LimitOptions {
    fn from(unpacking: UnpackingLimit) -> Self {
        let values = ValueLimits { max_depth: None, max_packet: Limits::PACKET_BYTES };
        Self { values, unpacking }
    }
}

impl Default for LimitOptions {
    fn default() -> Self {
        UnpackingLimit { max_unpacked: Limits::UNPACKED_BYTES }.into()
    }
}

impl LimitOptions {
    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        self.values.limits().unpacked_bytes(self.unpacking.max_unpacked)
    }

    /// Returns an encoder with the limits.
    pub fn encoder<R: Real>(&self, dialect: Dialect) -> Encoder<R> {
        Encoder::new(dialect).in_precision().limits(self.limits())
    }
}

/// Parses a number of bytes, in hexadecimal after `0x`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "write a number such as 16 or 0x10".to_owned())
}

/// Runs an expression with `$real` as the type of the dialect's reals: values of a single-precision
/// engine are kept in 32 bits.
#[macro_export]
macro_rules! by_precision {
    ($dialect:expr, $real:ident => $run:expr) => {
        match $dialect.precision() {
            formwork_variant::dialect::Precision::Single => {
                type $real = f32;
                $run
            }
            formwork_variant::dialect::Precision::Double => {
                type $real = f64;
                $run
            }
        }
    };
}
pub use by_precision;
