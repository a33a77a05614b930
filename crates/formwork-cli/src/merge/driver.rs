//! The merge driver of git.

use std::borrow::Cow;
use std::process::Command;

use super::Merge;
use crate::failure::{Failure, Status};
use crate::quantity::counted;
use crate::remark;
use crate::style::shown;

impl Merge {
    /// Merges by value, or as text where that fails. Git takes the content of OURS as the result.
    pub(super) fn in_git(&self) -> Result<Status, Failure> {
        self.merged().or_else(|failure| {
            if let Some(why) = failure.brief() {
                remark(&format!("{why}; merging as text"));
            }
            self.as_text()
        })
    }

    /// Returns the name of the file in the repository, if git passed it.
    pub(super) fn shown_name(&self) -> Option<String> {
        self.name.as_ref().map(|name| shown(name.display()))
    }

    /// Merges the lines of the files with git; git marks the conflicts in OURS.
    fn as_text(&self) -> Result<Status, Failure> {
        let labels = ["-L", "ours", "-L", "base", "-L", "theirs"];
        let merging = Command::new("git")
            .args(["merge-file", "--quiet"])
            .args(labels)
            .args([&self.ours, &self.base, &self.theirs])
            .output();
        let merged = merging.map_err(|error| Failure::stream("could not be run", "git", &error))?;
        match merged.status.code() {
            Some(0) => {
                self.say("merged as text");
                Ok(Status::Done)
            }
            // Git reports at most 127 conflicts.
            Some(conflicts @ 1..=127) => {
                let count = counted(conflicts.unsigned_abs().into(), "conflict");
                self.say(&format!("{count}, between markers in the file"));
                Ok(Status::No)
            }
            _ => {
                self.say("these bytes cannot be merged; ours is kept");
                let word = self.word();
                self.say(&format!("to keep ours: git add {word}"));
                self.say(&format!("to take theirs: git checkout --theirs {word}; git add {word}"));
                Ok(Status::No)
            }
        }
    }

    /// Prints the commands that take the other side of conflicts found in git.
    pub(super) fn say_how_to_settle(&self) {
        if !self.git {
            return;
        }
        let word = self.word();
        self.say(&format!("to keep ours: git add {word}"));
        self.say(&format!(
            "to take theirs: git show :1:{word} > base; git show :3:{word} > theirs; \
             formwork merge base {word} theirs --theirs -o {word}"
        ));
    }

    /// Returns the name of the file, quoted for a shell.
    fn word(&self) -> String {
        let name = self.name.as_ref().unwrap_or(&self.ours).to_string_lossy();
        shlex::try_quote(&name).map_or_else(|_| shown(&name), Cow::into_owned)
    }
}
