//! `respond`: answers packets on standard input, for testing one decoder against another.

use std::io::{self, Read, Write};

use clap::{Args, ValueEnum};
use formwork::codec::ObjectForm;
use formwork::json::{Style, to_json};
use formwork::text::to_text;
use formwork::variant::Real;
use formwork::{Attitude, Decoder, Dialect, Encoder, Error};

use super::alb1;
use super::failure::{Failure, Status};
use super::format::{self, AttitudeName, Format, LimitOptions};

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

Example: what does Godot 3 make of a null? (length 4, then the packet 00 00 00 00)
  printf '\\4\\0\\0\\0\\0\\0\\0\\0' | formwork respond --format godot3 | od -t x1

Exit status: 0 all requests answered, 2 wrong use, 3 the input ends within a request or a stream
failed.";

impl Respond {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
        match self.format {
            Format::Variant(dialect) => {
                let responder = self.responder(dialect);
                format::by_precision!(dialect, R => serve(input, output, |request, answers| {
                    responder.answer::<R>(request, answers);
                }))
            }
            Format::Alb1 => {
                let responder = alb1::Responder::new(self.limits, self.answer);
                serve(input, output, |request, answers| responder.answer(request, answers))
            }
        }
    }

    fn responder(&self, dialect: Dialect) -> Responder {
        let objects = if self.allow_objects { ObjectForm::Full } else { ObjectForm::Id };
        Responder {
            dialect,
            attitude: self.attitude.into(),
            decoder: Decoder::new(dialect)
                .attitude(self.attitude.into())
                .limits(self.limits.limits())
                .allow_objects(self.allow_objects),
            encoder: self.limits.encoder(dialect).objects(objects),
            answer: self.answer,
        }
    }
}

/// Everything that an answer depends on.
struct Responder {
    dialect: Dialect,
    attitude: Attitude,
    decoder: Decoder,
    encoder: Encoder,
    answer: Answer,
}

impl Responder {
    /// Appends the answer to a request.
    fn answer<R: Real>(&self, request: &[u8], answers: &mut Vec<u8>) {
        let decoded = match self.attitude {
            Attitude::Engine => self.decoder.decode_prefix::<R>(request),
            Attitude::Canonical => {
                self.decoder.decode::<R>(request).map(|value| (value, request.len()))
            }
        };
        append(answers, decoded, |value, answers| match self.answer {
            // Where that fails nothing was appended, and length 0 says so.
            Answer::Bytes => drop(self.encoder.encode_into(&value, answers)),
            Answer::Text => answers.extend_from_slice(to_text(&value, self.dialect).as_bytes()),
            Answer::Json => {
                let json = to_json(&value, self.dialect, Style::Compact);
                answers.extend_from_slice(json.as_bytes());
            }
        });
    }
}

/// Appends an answer: that the value was accepted, with how many bytes it took, and what `put`
/// appends about it; or that it was not, and why.
pub(crate) fn append<T>(
    answers: &mut Vec<u8>,
    decoded: Result<(T, usize), Error>,
    put: impl FnOnce(T, &mut Vec<u8>),
) {
    let start = answers.len();
    answers.extend_from_slice(&[0; HEAD]);
    let (status, consumed) = match decoded {
        Ok((value, used)) => {
            put(value, answers);
            (0, used as u64)
        }
        Err(error) => {
            answers.extend_from_slice(error.to_string().as_bytes());
            (1, error.offset())
        }
    };
    let length = word((answers.len() - start - HEAD) as u64);
    let consumed = word(consumed);
    answers[start] = status;
    answers[start + 1..start + 5].copy_from_slice(&consumed);
    answers[start + 5..start + HEAD].copy_from_slice(&length);
}

/// Bytes in front of an answer's: status, consumed, length.
const HEAD: usize = 9;

/// A number as the protocol writes it; the largest stands for what it cannot say.
fn word(number: u64) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

/// Answers requests from `input` on `output` until `input` ends. Answers are sent together as long
/// as requests are waiting, and at once when none is.
fn serve(
    input: &mut impl Read,
    output: &mut impl Write,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>),
) -> Result<Status, Failure> {
    /// Answers worth sending while requests are still waiting.
    const ENOUGH: usize = 1 << 18;
    let mut requests = Requests { input, buffer: vec![0; 1 << 17], start: 0, end: 0, offset: 0 };
    let mut answers = Vec::with_capacity(2 * ENOUGH);
    let send = |answers: &mut Vec<u8>, output: &mut dyn Write| {
        let sent = output.write_all(answers).and_then(|()| output.flush());
        answers.clear();
        sent.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::unread(),
            _ => Failure::stream("could not be written", "standard output", &error),
        })
    };
    loop {
        while let Some(request) = requests.waiting() {
            answer(request, &mut answers);
            if answers.len() >= ENOUGH {
                send(&mut answers, output)?;
            }
        }
        send(&mut answers, output)?;
        if !requests.read_more()? {
            return Ok(Status::Done);
        }
    }
}

/// The requests of a stream. Its buffer grows with what arrives, never with what is announced.
struct Requests<'a, I: Read> {
    input: &'a mut I,
    buffer: Vec<u8>,
    /// What has arrived and is not taken yet.
    start: usize,
    end: usize,
    /// Where in the stream `start` is.
    offset: u64,
}

impl<I: Read> Requests<'_, I> {
    /// How long the next request is, if its length word has arrived.
    fn announced(&self) -> Option<usize> {
        let word = self.buffer[self.start..self.end].first_chunk::<4>()?;
        usize::try_from(u32::from_le_bytes(*word)).ok()
    }

    /// The next request, if all of it has arrived.
    fn waiting(&mut self) -> Option<&[u8]> {
        let length = self.announced()?;
        let from = self.start + 4;
        if self.end - from < length {
            return None;
        }
        self.start = from + length;
        self.offset += 4 + length as u64;
        Some(&self.buffer[from..from + length])
    }

    /// Waits for more input; whether there is any.
    fn read_more(&mut self) -> Result<bool, Failure> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
        let read = loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let name = "standard input";
                    return Err(Failure::stream("could not be read", name, &error));
                }
                Ok(read) => break read,
            }
        };
        self.end += read;
        match (read, self.end) {
            (0, 0) => Ok(false),
            (0, left) => Err(self.cut(left)),
            _ => Ok(true),
        }
    }

    /// The stream ends within a request.
    fn cut(&self, left: usize) -> Failure {
        let offset = self.offset;
        let error = match self.announced() {
            None => format!("ends within a length word: {left} of 4 bytes"),
            Some(length) => {
                format!("ends within a request: {} of {length} bytes announced", left - 4)
            }
        };
        let error = io::Error::new(io::ErrorKind::UnexpectedEof, error);
        let what = format!("request at offset {offset} (0x{offset:x})");
        Failure::stream(&what, "standard input", &error)
    }
}
