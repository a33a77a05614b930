//! `edit`: opens the values of a file in a text editor.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use formwork_godot::wrapper::Key;

use super::arguments::program;
use super::change::ChangeOptions;
use super::changed::{Changed, ShownValue};
use super::content::{Fidelity, Replacing, Version};
use super::documents::AnyDocument;
use super::failure::{Failure, Status};
use super::form::Form;
use super::source::{Source, is_stdin, name};
use super::style::shown;

/// Edit a file in your text editor
///
/// Opens the values as JSON in the editor that the variable VISUAL or EDITOR names. When you save and close the text, it
/// is checked, and what changed is written. Everything else stays byte for byte. The old file is kept as NAME.bak. If
/// you change nothing, nothing is written. If another program, such as the game, changes the file meanwhile, both changes
/// are kept.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Edit {
    /// File to edit
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Form of the text
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    options: ChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork edit game.save
  VISUAL=nano formwork edit game.save
  EDITOR='code --wait' formwork edit game.save --as text
  formwork edit game.save --password 'correct horse'

Mistakes:
If the text is not valid, the place is shown. On a terminal you can go back to the editor. Otherwise your text is kept in a file that is named, and the save stays as it was.
If another program changed a value that you changed too, your text is kept in the same way, and the exit status is 3.

Exit status: 0 done, 1 the text is not valid, 2 wrong use, 3 a file could not be read or written."#;

impl Edit {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let Self { file, form, options } = &self;
        if is_stdin(file) {
            return Err(Failure::usage("standard input cannot be edited; name a file"));
        }
        let editor = editor()?;
        let key = options.key(file)?;
        let changing = options.open_with(file, key.as_ref())?;
        let mut before = Vec::new();
        changing.changed(&mut |content| {
            before = content.text(*form)?;
            Ok(Vec::new())
        })?;
        let draft = Draft::new(&before, *form)?;
        loop {
            draft.open(&editor)?;
            let text = draft.read()?;
            if text == before {
                changing.say(&format!("{}: nothing changed", changing.name()))?;
                return Ok(Status::Done);
            }
            if text.trim_ascii().is_empty() {
                return Err(Failure::no("your text is empty; nothing was changed"));
            }
            let by = Replacing::by(*form, Fidelity::Mended);
            let source = |text| Source::of_bytes("your text".to_owned(), text);
            let edited = source(text);
            match changing.changed(&mut |content| {
                let replaced = content.replace(&edited, by).map(|it| it.changed);
                replaced.map_err(|failure| failure.in_new_value(""))
            }) {
                Ok(new) => match changing.write(&new) {
                    Ok(status) => return Ok(status),
                    Err(failure) if failure.is_outdated() => {
                        let [before, edited] =
                            [source(before), edited].map(|text| Version::Text(text, *form));
                        let joining = Joining { before, edited };
                        let joined = joining.run(options, file, key.as_ref());
                        return joined.map_err(|failure| draft.keep(failure));
                    }
                    Err(failure) => return Err(draft.keep(failure)),
                },
                Err(failure) if asks() => {
                    super::say(&failure);
                    if !is_yes("Go back to the editor? [Y/n] ") {
                        return Err(
                            draft.keep(Failure::no(format!("{}: not changed", changing.name())))
                        );
                    }
                }
                Err(failure) => return Err(draft.keep(failure)),
            }
        }
    }
}

/// Returns the command line of the chosen editor.
fn editor() -> Result<String, Failure> {
    let said = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|editor| !editor.trim().is_empty()));
    said.ok_or_else(|| {
        let name = program();
        Failure::usage("no editor is chosen")
            .hint(format!("set the variable EDITOR, such as: EDITOR=nano {name} edit FILE"))
            .hint(format!("or change one value: {name} set FILE PATH VALUE"))
    })
}

/// Returns whether a user is there to answer.
fn asks() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

fn is_yes(question: &str) -> bool {
    let mut out = super::terminal::stderr();
    let mut answer = String::new();
    // Without an answer, the answer is not yes.
    let asked = write!(out, "{question}").and_then(|()| out.flush());
    let answered =
        asked.is_ok() && io::stdin().lock().read_line(&mut answer).is_ok_and(|read| read > 0);
    answered && !answer.trim_start().starts_with(['n', 'N'])
}

/// A temporary file with the text that is edited.
struct Draft {
    file: tempfile::TempPath,
}

impl Draft {
    fn new(text: &[u8], form: Form) -> Result<Self, Failure> {
        let suffix = if form == Form::Text { ".txt" } else { ".json" };
        let file = (|| {
            let mut file =
                tempfile::Builder::new().prefix("formwork-").suffix(suffix).tempfile()?;
            file.write_all(text)?;
            Ok(file.into_temp_path())
        })();
        let failed = |error: io::Error| {
            Failure::stream("the text could not be written", "the temporary folder", &error)
        };
        file.map(|file| Self { file }).map_err(failed)
    }

    /// Opens the text in the editor, and waits until the editor ends.
    fn open(&self, editor: &str) -> Result<(), Failure> {
        let failed = |why: String| {
            Failure::unreadable(format!(
                "the editor '{}' {why}; nothing was changed",
                shown(editor)
            ))
            .hint("set the variable EDITOR to another one")
        };
        super::progress::end();
        let ended = command(editor, &self.file).status();
        match ended.map_err(|error| failed(format!("could not be started: {error}")))? {
            status if status.success() => Ok(()),
            status => Err(failed(format!("ended with {status}"))),
        }
    }

    fn read(&self) -> Result<Vec<u8>, Failure> {
        let name = self.file.display().to_string();
        std::fs::read(&self.file)
            .map_err(|error| Failure::stream("could not be read", &name, &error))
    }

    /// Keeps the file of the text, and reports its path.
    fn keep(self, failure: Failure) -> Failure {
        let path = self.file.to_path_buf();
        match self.file.keep() {
            Ok(path) => failure.hint(format!("your text is kept in {}", shown(path.display()))),
            Err(error) => failure
                .hint(format!("your text could not be kept in {}: {error}", shown(path.display()))),
        }
    }
}

/// Returns the command of an editor, whose command line may have options.
fn command(editor: &str, file: &Path) -> Command {
    #[cfg(unix)]
    {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(file);
        command
    }
    #[cfg(not(unix))]
    {
        let mut words = shlex::Shlex::new(editor);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).arg(file);
        command
    }
}

/// Merges the changes of a text into a file that another program changed during the edit.
struct Joining {
    /// The text as the editor got it.
    before: Version,
    edited: Version,
}

impl Joining {
    /// Reads the file again and changes it; starts again if the file was changed meanwhile.
    fn run(
        &self,
        options: &ChangeOptions,
        file: &Path,
        key: Option<&Key>,
    ) -> Result<Status, Failure> {
        let status = options.run_with(file, key, &mut |content| self.join(content))?;
        super::remark(&format!(
            "{}: another program changed the file while you edited it; both changes are kept",
            name(file)
        ));
        Ok(status)
    }

    /// Merges the changes. Refuses to settle conflicts, and lists them.
    fn join(&self, content: &mut AnyDocument<'_>) -> Result<Vec<Changed>, Failure> {
        let merged = content.merge(&self.before, &self.edited, None)?;
        if merged.conflicts.is_empty() {
            return Ok(merged.changed);
        }
        let failure = Failure::unreadable(format!(
            "{}: another program changed the same values while you edited them; nothing was written",
            content.name
        ));
        let text = |value: &Option<ShownValue>| {
            value.as_ref().map_or_else(|| "none".to_owned(), |value| shown(&value.text))
        };
        Err(merged.conflicts.iter().fold(failure, |failure, it| {
            let (now, edited) = (text(&it.ours), text(&it.theirs));
            failure.line(format!("{}: in the file {now}, in your text {edited}", it.place))
        }))
    }
}
