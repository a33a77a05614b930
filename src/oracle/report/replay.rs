//! The command that tries a packet again.

use super::Context;
use crate::codec::Attitude;
use crate::oracle::AnswerForm;

/// The command line that tries the packet of a finding again, in the finding's folder.
#[must_use]
pub fn replay(about: &Context) -> String {
    let format = about.reading.format.to_string();
    let mut words = vec!["formwork", "fuzz", "--replay", "packet.bin", "--format", &format];
    if about.attitude == Attitude::Canonical {
        words.extend(["--attitude", "canonical"]);
    }
    if about.reading.allow_objects {
        words.push("--allow-objects");
    }
    if about.answer != AnswerForm::Bytes {
        words.extend(["--answer", about.answer.name()]);
    }
    words.extend(about.options.iter().map(String::as_str));
    words.extend(["--target", &about.target]);
    if let Some(reference) = &about.reference {
        words.extend(["--reference", reference]);
    }
    let quoted: Vec<_> = words.into_iter().map(quoted).collect();
    quoted.join(" ")
}

/// A word as a shell reads it. (No argument of a command can hold a zero byte.)
fn quoted(word: &str) -> String {
    let word = word.replace('\0', "");
    shlex::try_quote(&word).map_or_else(|_| String::new(), |quoted| quoted.into_owned())
}
