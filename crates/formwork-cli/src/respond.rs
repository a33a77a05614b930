//! `respond`: answers packets on standard input, for testing one decoder against another.

use std::io::{self, ErrorKind};

use clap::{Args, ValueEnum};
use formwork_kit::case::Reading;
use formwork_kit::oracle::protocol::{ServeError, serve};
use formwork_kit::oracle::{AnswerForm, Responder};

use super::failure::{Failure, Status};
use super::format::{AttitudeName, Format, LimitOptions};

/// What an accepted answer carries.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Answer {
    /// The value's re-encoding, as the engine would write it.
    Bytes,
    /// The value in the engine's text form, as UTF-8.
    Text,
    /// The value as compact JSON in the lossless form.
    Json,
}

impl From<Answer> for AnswerForm {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Bytes => Self::Bytes,
            Answer::Text => Self::Text,
            Answer::Json => Self::Json,
        }
    }
}

/// Answer packets on standard input: the other end of a test of decoders.
///
/// Reads requests until standard input ends and answers each on standard output, in order. Requests
/// may be sent without waiting for answers. In the engine's attitude bytes behind the value are
/// accepted, as the engines do; in the canonical one they are a fault.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Respond {
    /// Which engine or program to be, for example godot3, godot4.2, pandemonium or alb1
    #[arg(short, long, value_name = "F")]
    format: Format,
    /// Accept what the engine accepts, or only what it would write itself
    #[arg(long, value_enum, default_value_t)]
    attitude: AttitudeName,
    /// Accept objects with their class and properties (as data; nothing is run), and write objects
    /// in that form
    #[arg(long)]
    allow_objects: bool,
    /// What an accepted answer carries
    #[arg(long, value_enum, default_value_t = Answer::Bytes)]
    answer: Answer,
    #[command(flatten)]
    limits: LimitOptions,
}

const AFTER: &str = "\
The protocol; all numbers are 32 bits, little endian:
  request:  length, then that many bytes: one packet, or one whole ALB1 file
  answer:   one status byte, consumed, length, then that many bytes

  status 0  accepted: consumed is how many bytes of the request the value took, and the bytes are
            the value written again (none, if it cannot be written)
  status 1  rejected: consumed is the offset of the fault, and the bytes are a message
  status 2  skipped: a type or feature that the decoder does not claim to read; the bytes say which
            (this program skips nothing)

  consumed is 0xFFFFFFFF where it is not known. Several requests may come before the first answer is
  read; the answers come in the order of the requests, and nothing else is sent.

Example: what does Godot 3 make of a null? (length 4, then the packet 00 00 00 00)
  printf '\\4\\0\\0\\0\\0\\0\\0\\0' | formwork respond --format godot3 | od -t x1

Exit status: 0 all requests answered, 2 wrong use, 3 the input ends within a request or a stream
failed.";

impl Respond {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let reading = Reading { format: self.format, allow_objects: self.allow_objects };
        let responder = Responder::new(reading)
            .attitude(self.attitude.into())
            .limits(self.limits.limits())
            .form(self.answer.into());
        let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
        let served = serve(input, output, |packet, answers| {
            responder.append_answer(packet, answers);
        });
        match served {
            Ok(()) => Ok(Status::Done),
            Err(ServeError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
                Err(Failure::unread())
            }
            Err(error @ ServeError::Output(_)) => {
                Err(Failure::unreadable(format!("standard output: {error}")))
            }
            Err(error) => Err(Failure::unreadable(format!("standard input: {error}"))),
        }
    }
}
