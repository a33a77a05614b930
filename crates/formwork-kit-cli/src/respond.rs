//! `respond`: answers packets on standard input, for testing one decoder against another.

use std::io::{self, ErrorKind};

use clap::{Args, ValueEnum, ValueHint};
use formwork_kit::case::Reading;
use formwork_kit::oracle::protocol::{ServeError, serve};
use formwork_kit::oracle::{AnswerForm, Responder};

use formwork_program::failure::{Failure, Status};
use formwork_program::format::{Format, StrictnessName, ValueLimits};

/// The content of an accepted answer.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Answer {
    /// The value, encoded again as the engine would write it
    Bytes,
    /// The value in the engine's text form (UTF-8)
    Text,
    /// The value as compact, lossless JSON
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

/// Answer test packets on standard input
///
/// This is the other end of 'formwork-kit fuzz': it reads requests until standard input ends, and
/// answers each on standard output, in order. You may send many requests before you read the
/// answers.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Respond {
    /// Engine or program to act as, such as godot3, godot4.2, pandemonium or alb1
    #[arg(short, long, value_name = "FORMAT", value_parser = formwork_program::format::format, value_hint = ValueHint::Other)]
    format: Format,
    /// How strict to be: with 'engine', bytes after the value are accepted
    #[arg(long = "strictness", alias = "attitude", value_enum, default_value_t)]
    #[arg(value_name = "STRICTNESS")]
    strictness: StrictnessName,
    /// Accept objects with class and properties, and write them in that form
    #[arg(long)]
    allow_objects: bool,
    /// What to send back for an accepted packet
    #[arg(value_name = "FORM", long, value_enum, default_value_t = Answer::Bytes)]
    answer: Answer,
    #[command(flatten)]
    limits: ValueLimits,
}

const AFTER: &str = r#"Example:
Ask what Godot 3 reads from the packet 00 00 00 00, which is a null of length 4:
  printf '\4\0\0\0\0\0\0\0' | formwork-kit respond --format godot3 | od -t x1

The protocol:
All numbers are 32 bits, little-endian.
  request   length, then that many bytes: one packet or one whole ALB1 file
  answer    one status byte, consumed, length, then that many bytes

  status 0  accepted: consumed is the size of the value in bytes; the bytes are
            the value written again (none if it cannot be written)
  status 1  rejected: consumed is the offset of the fault; the bytes are a
            message
  status 2  skipped: the decoder does not claim to read this type or feature;
            the bytes name it (this program skips nothing)

If consumed is unknown, it is 0xFFFFFFFF. The answers come in the order of the requests, and nothing else is sent.

Exit status: 0 success, 2 wrong use, 3 the input ends within a request, or a stream failed."#;

impl Respond {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let reading = Reading { format: self.format, allow_objects: self.allow_objects };
        let responder = Responder::new(reading)
            .strictness(self.strictness.into())
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
