//! The options that say what an input is and how much of it to believe.

use clap::{Args, ValueEnum};
use formwork::variant::Real;
use formwork::{Attitude, Dialect, Encoder, Limits};

pub(crate) use formwork::Format;

/// Which bytes to accept.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum AttitudeName {
    /// What the engine accepts
    #[default]
    Engine,
    /// Only what the engine would write itself
    Canonical,
}

impl From<AttitudeName> for Attitude {
    fn from(name: AttitudeName) -> Self {
        match name {
            AttitudeName::Engine => Self::Engine,
            AttitudeName::Canonical => Self::Canonical,
        }
    }
}

/// How much of an input to believe.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LimitOptions {
    /// Refuse values inside more than N containers [default: the engine's own limit]
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_depth: Option<u32>,
    /// Refuse packets that announce more than N bytes
    #[arg(long, value_name = "N", default_value_t = Limits::PACKET_BYTES, hide_short_help = true)]
    max_packet: u64,
    #[command(flatten)]
    unpacking: UnpackingLimit,
}

/// How much of a compressed or encrypted input to believe.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct UnpackingLimit {
    /// Refuse compressed files that would be more than N bytes unpacked
    #[arg(long, value_name = "N", default_value_t = Limits::UNPACKED_BYTES, hide_short_help = true)]
    max_unpacked: u64,
}

impl From<UnpackingLimit> for LimitOptions {
    fn from(unpacking: UnpackingLimit) -> Self {
        Self { max_depth: None, max_packet: Limits::PACKET_BYTES, unpacking }
    }
}

impl LimitOptions {
    /// The limits.
    pub(crate) fn limits(&self) -> Limits {
        let limits = Limits::default()
            .packet_bytes(self.max_packet)
            .unpacked_bytes(self.unpacking.max_unpacked);
        match self.max_depth {
            Some(depth) => limits.depth(depth),
            None => limits,
        }
    }

    /// A writer for what is within the limits.
    pub(crate) fn encoder<R: Real>(&self, dialect: Dialect) -> Encoder<R> {
        Encoder::new(dialect).in_precision().limits(self.limits())
    }
}

/// A number of bytes, in hex where 0x says so.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|error| error.to_string())
}

/// Runs the expression with `$real` standing for the type of the dialect's reals: what a
/// single-precision engine reads it keeps in 32 bits.
macro_rules! by_precision {
    ($dialect:expr, $real:ident => $run:expr) => {
        match $dialect.precision() {
            formwork::variant::dialect::Precision::Single => {
                type $real = f32;
                $run
            }
            formwork::variant::dialect::Precision::Double => {
                type $real = f64;
                $run
            }
        }
    };
}
pub(crate) use by_precision;
