//! The command that tries packets again.

use std::path::Path;

use formwork_variant::codec::Strictness;

use super::Context;
use crate::oracle::AnswerForm;

/// Returns the command line that tries the packet or the findings in this file again. It goes to the folder in which the
/// run was started first, as the target may be named relative to it, and so runs from anywhere.
#[must_use]
pub fn replay(file: &Path, about: &Context) -> String {
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
    let [folder, file] = [&about.folder, file].map(|path| quoted(&path.to_string_lossy()));
    format!("cd {folder} && {} fuzz --replay {file} {}", quoted(&about.program), words.join(" "))
}

/// A word as a shell reads it. (No argument of a command can hold a zero byte.)
fn quoted(word: &str) -> String {
    let word = word.replace('\0', "");
    shlex::try_quote(&word).map_or_else(|_| String::new(), |quoted| quoted.into_owned())
}
