//! The decoder protocol: requests and answers of a decoder that runs as a separate process.
//!
//! A decoder in any language can be tested that reads requests from its standard input (or a
//! connection), and writes an answer to each, in order, until its input ends. All numbers are little
//! endian:
//!
//! * a request is a [`RequestHead`] and as many bytes as it says: one packet, or one whole ALB1 file;
//! * an answer is an [`AnswerHead`] and as many bytes as it says.
//!
//! Requests may be sent without waiting for answers. [`serve`] is the decoder's side.
//!
//! ```
//! use formwork_kit::oracle::protocol::{Answer, append_request, read_answer};
//!
//! let mut sent = Vec::new();
//! append_request(&[0, 0, 0, 0], &mut sent)?;
//! assert_eq!(sent, [4, 0, 0, 0, 0, 0, 0, 0]);
//!
//! let received = [1, 0, 0, 0, 0, 4, 0, 0, 0, b'm', b'i', b'n', b'e', 0];
//! let refused = Answer::Rejected { offset: Some(0), message: "mine".to_owned() };
//! assert_eq!(read_answer(&received)?, Some((refused, 13)));
//! assert_eq!(read_answer(&received[..12])?, None);
//! # Ok::<(), formwork_variant::Error>(())
//! ```

pub mod rule;
mod serve;

use serde::{Deserialize, Serialize};
pub use serve::{ServeError, serve};

use formwork::schema::numbered;
use formwork::{BinRead, BinWrite, Schema};
use formwork_records::wire::{Cursor, put_record, read_record};
use formwork_variant::{Error, Result};

use super::stored;

/// The longest answer that is read, in bytes after its head: 1 GiB.
pub const ANSWER_BYTES: u32 = 1 << 30;

/// The value of `consumed` if the decoder does not know the number.
pub const UNKNOWN: u32 = u32::MAX;

/// The head of a request, before its packet.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[brw(little)]
pub struct RequestHead {
    /// Bytes of the packet.
    pub length: u32,
}

/// The head of an answer, before its bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[brw(little)]
pub struct AnswerHead {
    /// The result of the packet.
    #[schema(names = &numbered(Status::NAMES))]
    pub status: u8,
    /// Accepted: how many bytes of the packet the value took. Rejected: where the fault is.
    /// 0xFFFFFFFF where the decoder does not know.
    pub consumed: u32,
    /// How many bytes follow: the value in the form that was agreed on (none where the decoder
    /// cannot say it), a message in UTF-8, or what was skipped.
    pub length: u32,
}

/// Bytes of a record that always has the same size.
const fn size_of_record<T: Schema>() -> usize {
    match T::SIZE {
        Some(size) => size,
        None => 0,
    }
}

/// The result of a packet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Status {
    Accepted,
    Rejected,
    Skipped,
}

impl Status {
    /// By the number on the wire.
    const ALL: [Self; 3] = [Self::Accepted, Self::Rejected, Self::Skipped];
    const NAMES: [&'static str; 3] = ["accepted", "rejected", "skipped"];
}

/// The answer of a decoder to one packet.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// It read a value.
    Accepted {
        /// How many bytes of the packet the value took, where the decoder knows.
        consumed: Option<u32>,
        /// The value in the form that was agreed on: written again, or as JSON. Empty where the
        /// decoder cannot say.
        #[serde(with = "stored::hex")]
        bytes: Vec<u8>,
    },
    /// It refused the packet.
    Rejected {
        /// Offset of the fault, if known.
        offset: Option<u32>,
        /// Its own words.
        message: String,
    },
    /// It does not claim to read this type or feature.
    Skipped {
        /// The unsupported feature.
        what: String,
    },
}

impl Answer {
    /// The answer of that status, word and bytes.
    pub(crate) fn new(status: Status, consumed: u32, bytes: Vec<u8>) -> Self {
        let known = (consumed != UNKNOWN).then_some(consumed);
        match status {
            Status::Accepted => Self::Accepted { consumed: known, bytes },
            Status::Rejected => Self::Rejected { offset: known, message: text(bytes) },
            Status::Skipped => Self::Skipped { what: text(bytes) },
        }
    }

    /// Appends the answer as it is sent.
    ///
    /// # Errors
    ///
    /// Fails if it has more bytes than a length word can hold. Nothing is appended then.
    pub fn append_to(&self, out: &mut Vec<u8>) -> Result<()> {
        let (status, consumed, bytes) = match self {
            Self::Accepted { consumed, bytes } => (Status::Accepted, *consumed, bytes.as_slice()),
            Self::Rejected { offset, message } => (Status::Rejected, *offset, message.as_bytes()),
            Self::Skipped { what } => (Status::Skipped, None, what.as_bytes()),
        };
        append_answer(out, |out| {
            out.extend_from_slice(bytes);
            (status, consumed.unwrap_or(UNKNOWN))
        })
    }
}

/// The words of a decoder, which need not be UTF-8.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Appends an answer whose bytes `put` appends.
pub(crate) fn append_answer(
    out: &mut Vec<u8>,
    put: impl FnOnce(&mut Vec<u8>) -> (Status, u32),
) -> Result<()> {
    const HEAD: usize = size_of_record::<AnswerHead>();
    let start = out.len();
    out.resize(start + HEAD, 0);
    let (status, consumed) = put(out);
    let length = match word(out.len() - start - HEAD) {
        Ok(length) => length,
        Err(error) => {
            out.truncate(start);
            return Err(error);
        }
    };
    if let Some(mut room) = out.get_mut(start..start + HEAD) {
        put_record(&AnswerHead { status: status as u8, consumed, length }, &mut room);
    }
    Ok(())
}

/// Appends a request.
///
/// # Errors
///
/// Fails if the packet is longer than a length word can hold. Nothing is appended then.
pub fn append_request(packet: &[u8], out: &mut Vec<u8>) -> Result<()> {
    put_record(&RequestHead { length: word(packet.len())? }, out);
    out.extend_from_slice(packet);
    Ok(())
}

fn word(length: usize) -> Result<u32> {
    u32::try_from(length).map_err(|_| {
        let expected = format!("at most {} bytes", u32::MAX);
        Error::new(rule::LENGTH, 0, expected, length.to_string()).within("length")
    })
}

/// The request that `bytes` start with: its packet, and how many bytes it takes in all. [`None`] where
/// it has not arrived whole.
#[must_use]
pub fn read_request(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let length = announced(bytes)?;
    let mut input = Cursor::new(bytes);
    input.take(size_of_record::<RequestHead>())?;
    let packet = input.take(length)?;
    Some((packet, input.position()))
}

/// How long the packet of the request is that `bytes` start with, where that has arrived.
fn announced(bytes: &[u8]) -> Option<usize> {
    let head = read_record::<RequestHead>(&mut Cursor::new(bytes)).ok()?;
    usize::try_from(head.length).ok()
}

/// The answer that `bytes` start with, and how many of them it takes. [`None`] where it has not
/// arrived whole.
///
/// # Errors
///
/// Fails if the bytes are no answer: its status is unknown, or it announces more than [`ANSWER_BYTES`].
pub fn read_answer(bytes: &[u8]) -> Result<Option<(Answer, usize)>> {
    let mut input = Cursor::new(bytes);
    if input.left() < size_of_record::<AnswerHead>() {
        // A wrong status is seen before the rest is waited for.
        return input.rest().first().map_or(Ok(None), |&byte| status(byte).map(|_| None));
    }
    let head = read_record::<AnswerHead>(&mut input)?;
    let status = status(head.status)?;
    if head.length > ANSWER_BYTES {
        let (expected, found) = (format!("at most {ANSWER_BYTES}"), head.length.to_string());
        return Err(Error::new(rule::LENGTH, 5, expected, found).within("length"));
    }
    let Some(body) = usize::try_from(head.length).ok().and_then(|length| input.take(length)) else {
        return Ok(None);
    };
    Ok(Some((Answer::new(status, head.consumed, body.to_vec()), input.position())))
}

fn status(byte: u8) -> Result<Status> {
    Status::ALL.get(usize::from(byte)).copied().ok_or_else(|| {
        let expected = "0 (accepted), 1 (rejected) or 2 (skipped)";
        Error::new(rule::STATUS, 0, expected, byte.to_string()).within("status")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_however_it_is_cut() {
        let answers = [
            Answer::Accepted { consumed: Some(8), bytes: vec![1, 2, 3] },
            Answer::Accepted { consumed: None, bytes: Vec::new() },
            Answer::Rejected { offset: Some(0), message: "no".to_owned() },
            Answer::Rejected { offset: None, message: String::new() },
            Answer::Skipped { what: "Object".to_owned() },
        ];
        for answer in answers {
            let mut bytes = Vec::new();
            answer.append_to(&mut bytes).expect("it is short");
            let length = bytes.len();
            for cut in 0..length {
                assert_eq!(read_answer(&bytes[..cut]), Ok(None));
            }
            bytes.push(7);
            assert_eq!(read_answer(&bytes), Ok(Some((answer, length))));
        }
    }

    #[test]
    fn what_is_no_answer_is_seen_at_its_first_byte() {
        let error = read_answer(b"Traceback").expect_err("T is no status");
        assert_eq!((error.rule(), error.offset()), (rule::STATUS, 0));
        let error = read_answer(&[0, 0, 0, 0, 0, 1, 0, 0, 0x40]).expect_err("it is too long");
        assert_eq!((error.rule(), error.offset()), (rule::LENGTH, 5));
        assert_eq!(error.path().to_string(), "length");
    }

    #[test]
    fn requests_are_read_as_they_arrive() {
        let mut bytes = Vec::new();
        append_request(&[9, 8, 7], &mut bytes).expect("it is short");
        append_request(&[], &mut bytes).expect("it is short");
        assert_eq!(read_request(&bytes[..6]), None);
        assert_eq!(read_request(&bytes), Some((&[9, 8, 7][..], 7)));
        assert_eq!(read_request(&bytes[7..]), Some((&[][..], 4)));
        assert_eq!(read_request(&bytes[7..10]), None);
    }
}
