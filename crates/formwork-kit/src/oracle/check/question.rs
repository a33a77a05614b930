//! The questions for an adapter, and the checks of its answers.

use std::fmt::Write as _;
use std::io;

use super::sample::Samples;
use crate::oracle::outcome::Outcome;
use crate::oracle::protocol::Answer;
use crate::oracle::target::Target;

/// Asks the questions.
pub(super) struct Asker<'a> {
    pub(super) target: &'a mut dyn Target,
    pub(super) samples: &'a Samples,
    /// Numbers of bytes that cannot be.
    pub(super) odd: Vec<String>,
}

impl Asker<'_> {
    /// Sends packets together and returns their outcomes.
    fn ask(&mut self, packets: &[&[u8]]) -> io::Result<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        self.target.run(packets, &mut outcomes)?;
        for (packet, outcome) in packets.iter().zip(&outcomes) {
            let (Outcome::Answered(Answer::Accepted { consumed: said, .. })
            | Outcome::Answered(Answer::Rejected { offset: said, .. })) = outcome
            else {
                continue;
            };
            if said.is_some_and(|said| said as usize > packet.len()) {
                self.odd.push(format!("{} of {} bytes", said.unwrap_or_default(), packet.len()));
            }
        }
        Ok(outcomes)
    }

    fn one(&mut self, packet: &[u8]) -> io::Result<Outcome> {
        Ok(self.ask(&[packet])?.pop().unwrap_or(Outcome::OutOfTurn { found: String::new() }))
    }

    pub(super) fn simple(&mut self) -> io::Result<Result<String, String>> {
        self.simplest(accepted).map(|asked| asked.map(|()| "accepted".to_owned()))
    }

    pub(super) fn speaks(&mut self) -> io::Result<Result<(), String>> {
        self.simplest(|outcome| matches!(outcome, Outcome::Answered(_)))
    }

    /// Asks the two simplest packets; one outcome of which this can be said is enough. Ends at the first that is not
    /// answered: whatever is asked next needs that.
    fn simplest(&mut self, is_right: impl Fn(&Outcome) -> bool) -> io::Result<Result<(), String>> {
        let (simple, text) = (self.samples.simple(), self.samples.text("abc"));
        let first = self.one(&simple)?;
        if is_right(&first) {
            return Ok(Ok(()));
        }
        let second = match unanswered(&first) {
            None => self.one(&text)?,
            Some(advice) => return Ok(Err(advice)),
        };
        if is_right(&second) {
            return Ok(Ok(()));
        }
        if let Some(advice) = unanswered(&second) {
            return Ok(Err(advice));
        }
        Ok(Err(format!(
            "{} is the simplest packet there is, and {} one with the text `abc`. To the one came: {}; \
             to the other: {}. A request is a length of 4 bytes, little endian, and the packet; the \
             answer to one that is accepted begins with a byte 0.",
            hex(&simple),
            hex(&text),
            said(&first),
            said(&second)
        )))
    }

    pub(super) fn garbage(&mut self) -> io::Result<Result<String, String>> {
        let (simple, garbage) = (self.samples.simple(), self.samples.garbage());
        let before = self.one(&simple)?;
        let outcome = self.one(&garbage)?;
        let after = self.one(&simple)?;
        let advice = match &outcome {
            Outcome::Answered(Answer::Rejected { .. } | Answer::Skipped { .. })
                if before == after =>
            {
                return Ok(Ok(said(&outcome)));
            }
            Outcome::Answered(Answer::Rejected { .. } | Answer::Skipped { .. }) => {
                return Ok(Err(format!(
                    "behind a packet that it refuses it answers otherwise to {} than before: {}. Perhaps \
                     it keeps something from one packet to the next.",
                    hex(&simple),
                    said(&after)
                )));
            }
            Outcome::Answered(Answer::Accepted { .. }) => {
                "If the decoder says so itself it is the first fault of its kind; if it says otherwise, \
                 pass it on: a byte 1."
            }
            _ => "Catch what the decoder throws, answer with a byte 1 and the message, and go on.",
        };
        Ok(Err(format!("to {} came: {}. {advice}", hex(&garbage), said(&outcome))))
    }

    pub(super) fn empty(&mut self) -> io::Result<Result<String, String>> {
        let outcome = self.one(&[])?;
        Ok(match &outcome {
            Outcome::Answered(_) => Ok(said(&outcome)),
            _ => Err(format!(
                "to a packet of no bytes came: {}. A request of length 0 is one: it is not the end of the \
                 input, which is when no length can be read.",
                said(&outcome)
            )),
        })
    }

    pub(super) fn order(&mut self) -> io::Result<Result<String, String>> {
        const COUNT: usize = 100;
        let packets: Vec<_> =
            (0..COUNT).map(|length| self.samples.text(&"x".repeat(length))).collect();
        let packets: Vec<_> = packets.iter().map(Vec::as_slice).collect();
        let together = self.ask(&packets)?;
        let mut distinct = false;
        for (number, packet) in packets.iter().enumerate() {
            let alone = self.one(packet)?;
            distinct |= together.first().is_some_and(|first| *first != alone);
            if together.get(number) != Some(&alone) {
                let other = together.get(number).map(said).unwrap_or_default();
                return Ok(Err(format!(
                    "{COUNT} packets were sent without waiting, and answer {} was: {other}. Asked alone \
                     it is: {}. Read exactly the bytes of one request at a time (a read may give fewer), \
                     and answer each before the next.",
                    number + 1,
                    said(&alone)
                )));
            }
        }
        Ok(Ok(match distinct {
            true => format!("{COUNT} packets, sent without waiting"),
            false => {
                "it answers, but the same to all, so that their order cannot be seen. Say how \
                      many bytes a value took, and send the value."
                    .to_owned()
            }
        }))
    }

    pub(super) fn large(&mut self) -> io::Result<Result<String, String>> {
        let packet = self.samples.text(&"x".repeat(1 << 20));
        let outcome = self.one(&packet)?;
        Ok(match &outcome {
            Outcome::Answered(Answer::Accepted { .. } | Answer::Skipped { .. }) => {
                Ok(format!("{} bytes: {}", packet.len(), said(&outcome)))
            }
            _ => Err(format!(
                "to a packet with a text of 1 MiB came: {}. A read may give fewer bytes than were asked \
                 for: go on until all have come; and no buffer may be shorter than the request.",
                said(&outcome)
            )),
        })
    }

    pub(super) fn again(&mut self) -> io::Result<Result<String, String>> {
        let (text, garbage) = (self.samples.text("abc"), self.samples.garbage());
        let outcomes = self.ask(&[&text, &text, &garbage, &text])?;
        Ok(match outcomes.as_slice() {
            [first, second, _, third] if first == second && first == third => Ok(said(first)),
            [first, second, _, third] => Err(format!(
                "three times {} came: {}; {}; and behind one that is refused: {}. Nothing may be kept \
                 from one packet to the next.",
                hex(&text),
                said(first),
                said(second),
                said(third)
            )),
            _ => Err("there is no answer".to_owned()),
        })
    }

    pub(super) fn readable(&mut self) -> io::Result<Result<String, String>> {
        let text = self.samples.text("abc");
        Ok(match self.one(&text)? {
            Outcome::Answered(Answer::Accepted { bytes, .. }) if bytes.is_empty() => {
                Ok("it does not say what it read: only what it accepts can be compared".to_owned())
            }
            Outcome::Answered(Answer::Accepted { bytes, .. }) if self.samples.can_read(&bytes) => {
                Ok(format!("{} bytes", bytes.len()))
            }
            Outcome::Answered(Answer::Accepted { bytes, .. }) => Err(format!(
                "the answer to {} holds {}, which is neither a packet nor the value as JSON or text. Send \
                 what the encoder that goes with the decoder makes of the value, without a length in front; \
                 or nothing.",
                hex(&text),
                hex(&bytes)
            )),
            other => match unanswered(&other) {
                None => Ok(format!("there is no value: {}", said(&other))),
                Some(advice) => Err(format!("to {} came no answer: {advice}", hex(&text))),
            },
        })
    }

    /// Whether the numbers of bytes in all answers can be.
    pub(super) fn sane(&self) -> Result<String, String> {
        match self.odd.first() {
            None => Ok("never more than there are".to_owned()),
            Some(odd) => Err(format!(
                "an answer says {odd} (and {} more such). The number behind the status is how many bytes \
                 of the packet the value took, or where the fault is; 0xffffffff if that is not known.",
                self.odd.len() - 1
            )),
        }
    }
}

fn accepted(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Answered(Answer::Accepted { .. }))
}

/// Returns how to fix a target that did not answer the simplest packet; [`None`] if it did.
fn unanswered(outcome: &Outcome) -> Option<String> {
    let advice = match outcome {
        Outcome::Answered(_) => return None,
        Outcome::OutOfTurn { .. } => {
            "Print nothing on standard output but answers: what is meant for people goes to standard error."
        }
        Outcome::Hung { .. } => {
            "Answer each request as soon as its bytes are there, and flush the answer: do not wait for the end of the \
             input."
        }
        Outcome::Crashed { .. } | Outcome::OutOfMemory { .. } => {
            "Read requests until the input ends, and answer each."
        }
    };
    Some(format!("{}. {advice}", said(outcome)))
}

/// Describes the outcome of a packet in one line.
fn said(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered(Answer::Accepted { consumed: Some(consumed), bytes }) => {
            format!("accepted, {consumed} bytes taken, answered with {}", hex(bytes))
        }
        Outcome::Answered(Answer::Accepted { consumed: None, bytes }) => {
            format!("accepted, answered with {}", hex(bytes))
        }
        Outcome::Answered(Answer::Rejected { message, .. }) => format!("rejected (`{message}`)"),
        Outcome::Answered(Answer::Skipped { what }) => format!("skipped (`{what}`)"),
        Outcome::Crashed { status, stderr } => {
            let line = stderr.trim().lines().last().unwrap_or_default();
            format!("it ended, {status} (`{line}`)")
        }
        Outcome::Hung { limit } => format!("nothing within {limit:?}"),
        Outcome::OutOfMemory { limit, .. } => format!("it wanted more memory than {limit} bytes"),
        Outcome::OutOfTurn { found } => format!("no answer: {found}"),
    }
}

/// Bytes for people.
pub(super) fn hex(bytes: &[u8]) -> String {
    const SHOWN: usize = 24;
    let mut shown = String::new();
    for byte in bytes.iter().take(SHOWN) {
        // Writing to a string does not fail.
        let _ = write!(shown, "{byte:02x} ");
    }
    match bytes.len() {
        0 => "no bytes".to_owned(),
        1..=SHOWN => format!("`{}`", shown.trim_end()),
        length => format!("`{shown}...` ({length} bytes)"),
    }
}
