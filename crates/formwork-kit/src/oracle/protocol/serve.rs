//! The decoder's side of the protocol.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};

use formwork_variant::frame::Pending;

use super::{announced, read_request};

/// Why serving stopped before the input ended between two requests.
#[derive(Debug)]
pub enum ServeError {
    /// The input could not be read.
    Input(io::Error),
    /// The input ends within a request.
    Cut {
        /// Offset of that request in the input.
        offset: u64,
        /// How much of it there is.
        found: String,
    },
    /// The output could not be written.
    Output(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => write!(f, "could not be read: {error}"),
            Self::Cut { offset, found } => {
                write!(f, "request at offset {offset} (0x{offset:x}): {found}")
            }
            Self::Output(error) => write!(f, "could not be written: {error}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Input(error) | Self::Output(error) => Some(error),
            Self::Cut { .. } => None,
        }
    }
}

/// Answers requests from `input` on `output` until `input` ends: `answer` gets each packet and appends
/// the answer to it. Answers are sent together as long as requests are waiting, and at once when none
/// is. Memory grows with what arrives, never with what is announced.
///
/// # Errors
///
/// Fails if a stream fails, or the input ends within a request. Earlier requests are answered.
pub fn serve(
    input: &mut dyn Read,
    output: &mut dyn Write,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>),
) -> Result<(), ServeError> {
    /// Answers worth sending while requests are still waiting.
    const ENOUGH: usize = 1 << 18;
    let mut requests = Pending::default();
    let mut piece = vec![0; 1 << 17];
    let mut answers = Vec::with_capacity(2 * ENOUGH);
    let mut send = |answers: &mut Vec<u8>| {
        let sent = output.write_all(answers).and_then(|()| output.flush());
        answers.clear();
        sent.map_err(ServeError::Output)
    };
    loop {
        while let Some((packet, length)) = read_request(requests.rest()) {
            answer(packet, &mut answers);
            requests.take(length);
            if answers.len() >= ENOUGH {
                send(&mut answers)?;
            }
        }
        send(&mut answers)?;
        let read = match input.read(&mut piece) {
            Ok(0) => return if requests.is_empty() { Ok(()) } else { Err(cut(&requests)) },
            Ok(read) => piece.get(..read).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(ServeError::Input(error)),
        };
        requests.room().extend_from_slice(read);
    }
}

/// The input ends within a request.
fn cut(requests: &Pending) -> ServeError {
    let left = requests.len();
    let found = match announced(requests.rest()) {
        None => format!("ends within a length word: {left} of 4 bytes"),
        Some(length) => {
            format!("ends within a request: {} of {length} bytes announced", left - 4)
        }
    };
    ServeError::Cut { offset: requests.offset(), found }
}
