//! How our errors travel through binrw's, and come out as one [`Error`] with a path.

use std::fmt;

use binrw::error::BacktraceFrame;

use crate::error::{Error, Path, Rule, Step};

/// An [`Error`] on its way through a derived reader. (binrw wants a type of its own that is also
/// `Display`.)
#[derive(Clone, Debug)]
struct Fault(Error);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Wraps an error so that a derived reader can return it.
#[cold]
pub(super) fn raise(error: Error) -> binrw::Error {
    binrw::Error::Custom { pos: error.offset(), err: Box::new(Fault(error)) }
}

/// Turns what a derived reader or writer returned into an [`Error`]: binrw's backtrace names the
/// fields from the inside out, so it becomes the path.
///
/// `position` is where the reader stopped, `left` how many bytes it had left there.
#[cold]
pub(crate) fn error_from(error: &binrw::Error, position: u64, left: u64) -> Error {
    match error {
        binrw::Error::Backtrace(backtrace) => {
            let mut steps: Vec<Step> =
                backtrace.frames.iter().rev().filter_map(field_of).map(Step::Field).collect();
            steps.shrink_to_fit();
            error_from(&backtrace.error, position, left).under(Path::from(steps))
        }
        binrw::Error::Custom { err, .. } => match err.downcast_ref::<Fault>() {
            Some(fault) => fault.0.clone(),
            None => unexpected(error, position),
        },
        binrw::Error::Io(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            Error::incomplete(position, 1, "more bytes".into(), left)
        }
        binrw::Error::Io(io) => Error::io(position, io),
        _ => unexpected(error, position),
    }
}

/// No declared type uses `magic`, `assert` or data enums, so binrw has no other way to fail; if it
/// finds one, its own words are passed on.
#[cold]
fn unexpected(error: &binrw::Error, position: u64) -> Error {
    Error::new(Rule::INPUT_IO, position, "a readable record", error.to_string())
}

/// The field a frame of binrw's backtrace speaks of: "While parsing field 'names' in NodePath".
fn field_of(frame: &BacktraceFrame) -> Option<&'static str> {
    let message = match frame {
        BacktraceFrame::Full { message, .. } | BacktraceFrame::Message(message) => message,
        BacktraceFrame::Custom(_) => return None,
    };
    match message {
        std::borrow::Cow::Borrowed(text) => {
            let (_, quoted) = text.split_once('\'')?;
            quoted.split_once('\'').map(|(name, _)| name)
        }
        std::borrow::Cow::Owned(_) => None,
    }
}
