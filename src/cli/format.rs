//! The options that say what an input is and how much of it to believe.

use clap::{Args, ValueEnum};
use formwork::{Attitude, Dialect, Encoder, Limits};

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
}

impl Default for LimitOptions {
    fn default() -> Self {
        Self { max_depth: None, max_packet: Limits::PACKET_BYTES }
    }
}

impl LimitOptions {
    /// The limits.
    pub(crate) fn limits(&self) -> Limits {
        let limits = Limits::default().with_packet_bytes(self.max_packet);
        match self.max_depth {
            Some(depth) => limits.with_depth(depth),
            None => limits,
        }
    }

    /// A writer for what is within the limits.
    pub(crate) fn encoder(&self, dialect: Dialect) -> Encoder {
        match self.max_depth {
            Some(depth) => Encoder::new(dialect).depth(depth),
            None => Encoder::new(dialect),
        }
    }
}

/// The dialect of that name.
pub(crate) fn parse(name: &str) -> Result<Dialect, String> {
    if name.eq_ignore_ascii_case("alb1") {
        return Err(
            "this version reads Variant packets (Godot, Pandemonium), not ALB1 files".into()
        );
    }
    name.to_ascii_lowercase()
        .parse()
        .map_err(|error: formwork::dialect::UnknownDialect| error.to_string())
}

/// Runs the expression with `$real` standing for the type of the dialect's reals: what a
/// single-precision engine reads it keeps in 32 bits.
macro_rules! by_precision {
    ($dialect:expr, $real:ident => $run:expr) => {
        match $dialect.precision() {
            formwork::dialect::Precision::Single => {
                type $real = f32;
                $run
            }
            formwork::dialect::Precision::Double => {
                type $real = f64;
                $run
            }
        }
    };
}
pub(crate) use by_precision;
