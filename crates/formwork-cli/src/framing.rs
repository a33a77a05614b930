//! Framings of packets in a file, by their names on the command line.

use clap::ValueEnum;
use formwork_godot::Framing;
use formwork_variant::Dialect;
use formwork_variant::frame::ByteOrder;

use super::failure::Failure;

/// The framing of packets in a file or stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum FramingName {
    /// Values alone, as var2bytes and var_to_bytes return them
    Bare,
    /// Each value after its length, as store_var and put_var write them
    Frames,
    /// Like frames, with big-endian lengths (endian_swap, big_endian)
    FramesBe,
    /// One dictionary of settings: project.binary, engine.cfb
    Settings,
}

impl FramingName {
    /// Returns the name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Frames => "frames",
            Self::FramesBe => "frames-be",
            Self::Settings => "settings",
        }
    }

    /// Returns a short description.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::Bare => "values alone, as var2bytes and var_to_bytes return them",
            Self::Frames => "each value after its length, as store_var and put_var write it",
            Self::FramesBe => "each value after its big-endian length (endian_swap, big_endian)",
            Self::Settings => "a name and a value for each setting, as project.binary has them",
        }
    }

    /// Returns the name for a framing.
    pub(crate) const fn of(framing: Framing) -> Self {
        match framing {
            Framing::Frames(ByteOrder::Little) => Self::Frames,
            Framing::Frames(ByteOrder::Big) => Self::FramesBe,
            Framing::Settings => Self::Settings,
            _ => Self::Bare,
        }
    }

    /// Returns the framing of the library; bare values may be several.
    pub(crate) const fn framing(self) -> Framing {
        match self {
            Self::Bare => Framing::BareSequence,
            Self::Frames => Framing::Frames(ByteOrder::Little),
            Self::FramesBe => Framing::Frames(ByteOrder::Big),
            Self::Settings => Framing::Settings,
        }
    }

    /// Returns the byte order of the length words; [`None`] where there are none.
    pub(crate) const fn order(self) -> Option<ByteOrder> {
        match self {
            Self::Bare | Self::Settings => None,
            Self::Frames => Some(ByteOrder::Little),
            Self::FramesBe => Some(ByteOrder::Big),
        }
    }
}

/// Makes the failure for a file that several engines read alike, but would write differently.
pub(crate) fn left_open(
    name: &str,
    first: (Dialect, FramingName),
    others: &[(Dialect, FramingName)],
) -> Failure {
    let failure = Failure::usage(format!(
        "{name}: several formats fit, and each stores the new values differently; choose one:"
    ));
    std::iter::once(&first).chain(others).fold(failure, |failure, (dialect, framing)| {
        failure.line(format!("--format {dialect} --framing {}", framing.name()))
    })
}
