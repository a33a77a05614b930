//! The command that tries a packet again.

use std::path::Path;

use formwork_variant::codec::Strictness;

use super::Context;
use crate::oracle::AnswerForm;

/// Returns the command line that tries the packet in this file again. It goes to the folder in which the
/// run was started first, as the target may be named relative to it, and so runs from anywhere.
#[must_use]
pub fn replay(packet: &Path, about: &Context) -> String {
    let packet = quoted(&packet.to_string_lossy());
    format!("cd {} && {}", quoted(&about.folder.to_string_lossy()), command(&packet, about))
}

/// Returns a script that tries the packet next to it again, wherever the script has been moved to.
pub(super) fn script(about: &Context) -> String {
    let folder = quoted(&about.folder.to_string_lossy());
    let command = command("\"$packet\"", about);
    format!(
        "#!/bin/sh\npacket=$(cd \"$(dirname \"$0\")\" && pwd)/packet.bin\ncd {folder} || exit 3\n\
         exec {command}\n"
    )
}

/// The command; `packet` is how a shell is told the name of the file.
fn command(packet: &str, about: &Context) -> String {
    let format = about.reading.format.to_string();
    let mut words = vec!["--format", &format];
    if about.strictness == Strictness::Canonical {
        words.extend(["--strictness", "canonical"]);
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
    let words: Vec<_> = words.into_iter().map(quoted).collect();
    format!("{} fuzz --replay {packet} {}", quoted(&about.program), words.join(" "))
}

/// A word as a shell reads it. (No argument of a command can hold a zero byte.)
fn quoted(word: &str) -> String {
    let word = word.replace('\0', "");
    shlex::try_quote(&word).map_or_else(|_| String::new(), |quoted| quoted.into_owned())
}
