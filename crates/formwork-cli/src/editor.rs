//! `edit`: opens the values of a file in a text editor.

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use formwork::document::{self, Json};
use formwork_alb1::Document;
use formwork_alb1::json::DocumentJson;
use formwork_godot::wrapper::Key;
use formwork_variant::Dialect;
use formwork_variant::edit::{Compare, Difference, DifferenceKind, Merge as Merging, Names, Side};
use formwork_variant::json::Style;
use formwork_variant::{Real, Variant};

use super::change::{Change, ChangeOptions, Changed, Context, ShownValue};
use super::documents;
use super::edit::mend;
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
        let showing = Showing { form: *form, text: RefCell::default() };
        changing.changed(&showing)?;
        let before = showing.text.into_inner();
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
            let source = |text| Source::of_bytes("your text".to_owned(), text);
            let edited = Edited { form: *form, source: source(text) };
            match changing.changed(&edited) {
                Ok(new) => match changing.write(&new) {
                    Ok(status) => return Ok(status),
                    Err(failure) if failure.is_outdated() => {
                        let Edited { form, source: edited } = edited;
                        let joining = Joining { form, before: source(before), edited };
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
        Failure::usage("no editor is chosen")
            .hint("set the variable EDITOR, such as: EDITOR=nano formwork edit FILE")
            .hint("or change one value: formwork set FILE PATH VALUE")
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

/// Writes the values as text, and changes nothing.
struct Showing {
    form: Form,
    text: RefCell<Vec<u8>>,
}

impl Change for Showing {
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let out = &mut *self.text.borrow_mut();
        // Several engines may read the file alike; each of them writes the text again.
        out.clear();
        let Context { name, dialect, .. } = *context;
        match context.chosen(values)? {
            [value] => self.form.write(value, dialect, Style::Pretty, name, out)?,
            several => self.form.write_all(several.to_vec(), dialect, Style::Pretty, name, out)?,
        }
        Ok(Vec::new())
    }

    fn document(
        &self,
        document: &mut Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let name = context.name;
        if self.form != Form::Json {
            return Err(Failure::usage(format!(
                "{name}: the other forms of an ALB1 file cannot be read back; leave out --as"
            )));
        }
        let mut out = self.text.borrow_mut();
        let json = DocumentJson::new().style(Style::Pretty);
        json.write(document, &mut *out).map_err(|error| Failure::in_value(name, error))?;
        out.push(b'\n');
        Ok(Vec::new())
    }

    fn edit(
        &self,
        document: &mut dyn document::Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        if self.form != Form::Json {
            let name = context.name;
            return Err(Failure::usage(format!("{name}: it is edited as JSON; leave out --as")));
        }
        let mut out = self.text.borrow_mut();
        // Writing to memory does not fail.
        let _ = writeln!(out, "{:#}", document.to_json());
        Ok(Vec::new())
    }
}

/// Replaces the values with those of a text.
struct Edited {
    form: Form,
    source: Source,
}

impl Change for Edited {
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let Context { dialect, .. } = *context;
        let limits = context.limits.limits();
        let chosen = context.chosen(values)?;
        self.form.refuse_other(&self.source)?;
        let mut new = match chosen {
            [_] => vec![self.form.read(&self.source, dialect, limits)?],
            _ => self.form.read_all(&self.source, dialect, limits)?,
        };
        if self.form != Form::Native {
            chosen.iter().zip(&mut new).for_each(|(old, new)| mend(old, new, dialect));
        }
        replace_values(values, new, context)
    }

    fn document(&self, document: &mut Document, _: &Context<'_>) -> Result<Vec<Changed>, Failure> {
        self.form.refuse_other(&self.source)?;
        let text = super::form::without_mark(self.source.bytes());
        let new = DocumentJson::new().read(text);
        let new = new.map_err(|error| Failure::in_text(&self.source.name, text, error))?;
        Ok(replace_document(document, new))
    }

    fn edit(
        &self,
        document: &mut dyn document::Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let new = documents::read_value(&self.source.name, self.source.bytes())?;
        documents::replace(document, context.name, &new)
    }
}

/// Merges the changes of a text into a file that another program changed during the edit.
struct Joining {
    form: Form,
    /// The text as the editor got it.
    before: Source,
    edited: Source,
}

impl Joining {
    /// Reads the file again and changes it; starts again if the file was changed meanwhile.
    fn run(
        &self,
        options: &ChangeOptions,
        file: &Path,
        key: Option<&Key>,
    ) -> Result<Status, Failure> {
        let status = options.run_with(file, key, self)?;
        super::remark(&format!(
            "{}: another program changed the file while you edited it; both changes are kept",
            name(file)
        ));
        Ok(status)
    }

    /// Refuses to settle conflicts, and lists them.
    fn refuse(&self, conflicts: &[String], context: &Context<'_>) -> Result<(), Failure> {
        if conflicts.is_empty() {
            return Ok(());
        }
        let failure = Failure::unreadable(format!(
            "{}: another program changed the same values while you edited them; nothing was written",
            context.name
        ));
        Err(conflicts.iter().fold(failure, |failure, place| failure.line(place)))
    }

    fn read<R: Real>(
        &self,
        source: &Source,
        is_one: bool,
        context: &Context<'_>,
    ) -> Result<Vec<Variant<R>>, Failure> {
        let (dialect, limits) = (context.dialect, context.limits.limits());
        if is_one {
            return Ok(vec![self.form.read(source, dialect, limits)?]);
        }
        self.form.read_all(source, dialect, limits)
    }
}

impl Change for Joining {
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let dialect = context.dialect;
        let chosen = context.chosen(values)?;
        let is_one = chosen.len() == 1;
        let before = self.read::<R>(&self.before, is_one, context)?;
        let mut edited = self.read::<R>(&self.edited, is_one, context)?;
        if self.form != Form::Native {
            before.iter().zip(&mut edited).for_each(|(old, new)| mend(old, new, dialect));
        }
        let list = |values: Vec<Variant<R>>| Variant::Array(values.into_iter().collect());
        let (now, before, edited) = (list(chosen.to_vec()), list(before), list(edited));
        let merged = Merging::new().values(&before, &now, &edited);
        let (mut in_now, mut in_edited) = (Names::new(&now, dialect), Names::new(&edited, dialect));
        let places: Vec<_> = merged
            .conflicts
            .iter()
            .map(|it| {
                let place = shown(it.name(&mut in_now, &mut in_edited));
                let place =
                    if is_one { place.strip_prefix("0/").unwrap_or(&place) } else { &place };
                let text = |value: Option<&Variant<R>>| {
                    value.map_or_else(
                        || "none".to_owned(),
                        |value| ShownValue::of(value, dialect).text,
                    )
                };
                format!("{place}: in the file {}, in your text {}", text(it.ours), text(it.theirs))
            })
            .collect();
        self.refuse(&places, context)?;
        let Variant::Array(new) = merged.value else { return Ok(Vec::new()) };
        replace_values(values, new.into_vec(), context)
    }

    fn document(
        &self,
        document: &mut Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let read = |source: &Source| {
            let text = super::form::without_mark(source.bytes());
            let read = DocumentJson::new().read(text);
            read.map_err(|error| Failure::in_text(&source.name, text, error))
        };
        let (before, edited) = (read(&self.before)?, read(&self.edited)?);
        let merged = formwork_alb1::diff::merge(&before, document, &edited, false);
        let places: Vec<_> = merged
            .conflicts
            .into_iter()
            .map(|it| {
                let text = |text: Option<String>| text.map_or_else(|| "none".to_owned(), shown);
                let (now, edited) = (text(it.ours), text(it.theirs));
                format!("{}: in the file {now}, in your text {edited}", shown(it.place))
            })
            .collect();
        self.refuse(&places, context)?;
        Ok(replace_document(document, merged.document))
    }

    fn edit(
        &self,
        document: &mut dyn document::Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let read = |source: &Source| documents::read_value(&source.name, source.bytes());
        let (before, edited) = (read(&self.before)?, read(&self.edited)?);
        let merged = documents::merge(&before, &document.to_json(), &edited, Side::default());
        let places = merged.conflicts.iter().map(|it| {
            let text = |json: &Option<Json>| json.as_ref().map_or("none".into(), Json::to_string);
            let (now, edited) = (text(&it.ours), text(&it.theirs));
            format!("{}: in the file {}, in your text {}", it.place, shown(now), shown(edited))
        });
        self.refuse(&places.collect::<Vec<_>>(), context)?;
        documents::replace(document, context.name, &merged.json)
    }
}

/// Replaces the chosen values with new ones; returns the changes.
pub(crate) fn replace_values<R: Real>(
    values: &mut Vec<Variant<R>>,
    mut new: Vec<Variant<R>>,
    context: &Context<'_>,
) -> Result<Vec<Changed>, Failure> {
    let dialect = context.dialect;
    let chosen = context.chosen(values)?;
    let several = chosen.len() > 1;
    let number = |at: usize| if several { format!("{at}") } else { String::new() };
    let mut changed = Vec::new();
    for (at, (old, new)) in chosen.iter().zip(&new).enumerate() {
        let lines = Compare::new().values(old, new);
        let mut names = (Names::new(old, dialect), Names::new(new, dialect));
        let lines = lines.iter().map(|it| line(it, &mut names, dialect));
        changed.extend(lines.map(|line| line.inside(&number(at))));
    }
    for (at, value) in new.iter().enumerate().skip(chosen.len()) {
        changed.push(Changed::added(number(at), ShownValue::of(value, dialect)));
    }
    for (at, value) in chosen.iter().enumerate().skip(new.len()) {
        changed.push(Changed::removed(number(at), ShownValue::of(value, dialect)));
    }
    if chosen.len() == values.len() {
        *values = new;
    } else if let [_] = chosen
        && let Some(one) = new.pop()
    {
        values[context.number(0)] = one;
    }
    Ok(changed)
}

/// Replaces a document with another; returns the changes.
pub(crate) fn replace_document(document: &mut Document, new: Document) -> Vec<Changed> {
    let options = formwork_alb1::diff::Options { strict: true, ..Default::default() };
    let changed = formwork_alb1::diff::diff(document, &new, &options)
        .into_iter()
        .map(|it| {
            let place = it.place();
            let dot = if place.object.is_empty() || place.field.is_empty() { "" } else { "." };
            let place = format!("{}{dot}{}", place.object, place.field);
            let words = |words: &Option<String>| words.as_deref().map(ShownValue::of_words);
            let (before, after) = (words(&it.before), words(&it.after));
            Changed { kind: it.kind.name(), place, before, after }
        })
        .collect();
    *document = new;
    changed
}

/// Describes a difference; the names are those of the old and the new value.
pub(crate) fn line<R: Real>(
    difference: &Difference<'_, R>,
    (old, new): &mut (Names<'_, R>, Names<'_, R>),
    dialect: Dialect,
) -> Changed {
    let shown = |value: Option<&Variant<R>>| value.map(|value| ShownValue::of(value, dialect));
    let (before, after) = (shown(difference.before), shown(difference.after));
    let (place, before, after) = match difference.kind {
        DifferenceKind::Removed => (old.name(&difference.old), before, after),
        DifferenceKind::Moved => {
            let from = format!("position {}", position(&difference.old));
            let to = format!("position {}", position(&difference.new));
            let (before, after) = (before.map(|it| it.called(from)), after.map(|it| it.called(to)));
            (new.name(&difference.new), before, after)
        }
        DifferenceKind::Front => {
            let before = before.map(|it| it.called("the types that it held"));
            let after = after.map(|it| it.called("others"));
            (format!("{} (types)", new.name(&difference.new)), before, after)
        }
        _ => (new.name(&difference.new), before, after),
    };
    Changed { kind: difference.kind.name(), place, before, after }
}

/// Returns the position of an entry in its container.
fn position(place: &formwork_variant::edit::Place) -> usize {
    use formwork_variant::edit::Step;
    match place.steps().last() {
        Some(Step::Element(at) | Step::Key(at) | Step::Value(at) | Step::Property(at)) => *at,
        None => 0,
    }
}
