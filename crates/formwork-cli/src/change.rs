//! Changing a file: what is around the commands that do it. Everything that is not changed stays as it is.

use std::path::{Path, PathBuf};

use clap::Args;
use formwork::alb1::{Document, Reader, Value};
use formwork::json::Style;
use formwork::json::alb1::DocumentJson;
use formwork::variant::wrapper::{Key, Wrapping};
use formwork::variant::{Real, Variant};
use formwork::{Dialect, Error, Opener, ValueFile};

use super::alb1;
use super::config_file;
use super::contents::{Contents, InputOptions};
use super::encode::left_open;
use super::failure::{Failure, Status};
use super::format::{LimitOptions, by_precision};
use super::input::{Source, is_stdin, name};
use super::output::{InPlaceOptions, OutputOptions, to_stdout};
use super::pack;
use super::packets::{FramingName, Input};
use super::script;
use super::style::shown;

/// How a file is opened and where the changed one goes.
#[derive(Args, Debug)]
pub(crate) struct ChangeOptions {
    /// Change value number INDEX of several, counted from 0
    #[arg(long, value_name = "INDEX")]
    index: Option<usize>,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Keep no backup of the old file
    ///
    /// Otherwise the old file is kept as NAME.bak; if that exists, as NAME.bak.2, and so on.
    #[arg(long)]
    no_backup: bool,
    /// Print one JSON object per change
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(crate) input: InputOptions,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    /// Write the changed file to OUTPUT ('-' for standard output) [default: FILE itself]
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// What messages call the file, where that is not its path.
    #[arg(skip)]
    name: Option<String>,
}

/// What a command changes, whatever the file is.
pub(crate) trait Change {
    /// Changes values of an engine; returns what changed.
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure>;

    /// Changes a document of Terrain Builder; returns what changed.
    fn document(
        &self,
        document: &mut Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure>;
}

/// What is known of the file that is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'c> {
    /// What to call it.
    pub(crate) name: &'c str,
    /// The dialect of its values.
    pub(crate) dialect: Dialect,
    pub(crate) limits: LimitOptions,
    /// Which of several values is meant.
    index: Option<usize>,
}

impl Context<'_> {
    /// Returns the values that paths lead into, where one of several is chosen only that.
    pub(crate) fn chosen<'v, R: Real>(
        &self,
        values: &'v [Variant<R>],
    ) -> Result<&'v [Variant<R>], Failure> {
        chosen(self.name, values, self.index)
    }

    /// Returns the number of a value among all, which has this number among those that were chosen.
    pub(crate) fn number(&self, among_chosen: usize) -> usize {
        self.index.unwrap_or(among_chosen)
    }

    /// A failure to find or change what a path leads to.
    pub(crate) fn failed(&self, path: &str, error: &Error) -> Failure {
        no_place(self.name, path, error)
    }
}

/// Returns all values of a file, or the one that is chosen by its number.
pub(crate) fn chosen<'v, R: Real>(
    name: &str,
    values: &'v [Variant<R>],
    index: Option<usize>,
) -> Result<&'v [Variant<R>], Failure> {
    let Some(index) = index else { return Ok(values) };
    values.get(index..=index).ok_or_else(|| no_value(name, index, values.len()))
}

/// There is no value of that number.
pub(crate) fn no_value(name: &str, index: usize, count: usize) -> Failure {
    let has = match count {
        0 => "none".to_owned(),
        1 => "one, number 0".to_owned(),
        count => format!("{count}, numbers 0 to {}", count - 1),
    };
    Failure::no(format!("{name}: there is no value number {index}; the file has {has}"))
}

/// A path leads to nothing, or not to what was expected.
pub(crate) fn no_place(name: &str, path: &str, error: &Error) -> Failure {
    let (expected, found) = (error.expected(), error.found());
    let path = if path.is_empty() { "the value" } else { path };
    Failure::no(format!("{name}: {}: expected {expected}, found {found}", shown(path)))
}

/// One thing that changed, in words.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    /// Where.
    pub(crate) place: String,
    /// What was there; nothing where it is new.
    pub(crate) before: Option<String>,
    /// What is there now; nothing where it is gone.
    pub(crate) after: Option<String>,
}

impl Changed {
    /// Puts the place of the value around it in front.
    pub(crate) fn inside(mut self, outer: &str) -> Self {
        let slash = if outer.is_empty() || self.place.is_empty() { "" } else { "/" };
        self.place = format!("{outer}{slash}{}", self.place);
        self
    }

    /// What to call the place.
    fn place(&self) -> &str {
        if self.place.is_empty() { "the value" } else { &self.place }
    }

    /// Returns it as what would be done: `would change player/gold: 100 -> 9999`.
    fn plan(&self) -> String {
        let place = self.place();
        match (&self.before, &self.after) {
            (None, Some(after)) => format!("would add {place}: {after}"),
            (Some(before), None) => format!("would remove {place}: {before}"),
            _ => format!("would change {}", self.line()),
        }
    }

    /// Returns it as a line: `player/gold: 100 -> 9999`.
    pub(crate) fn line(&self) -> String {
        let place = self.place();
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if before == after => format!("{place}: {after} as before"),
            (Some(before), Some(after)) => format!("{place}: {before} -> {after}"),
            (None, Some(after)) => format!("{place}: added {after}"),
            (Some(before), None) => format!("{place}: removed {before}"),
            (None, None) => place.to_owned(),
        }
    }
}

/// Characters of a value in a line.
const ROOM: usize = 60;

/// Returns a value in a few words, as the engine prints it.
pub(crate) fn brief<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    one_line(&value.display(dialect).to_string())
}

/// Returns a value of Terrain Builder in a few words, as JSON.
pub(crate) fn brief_field(document: &Document, value: &Value) -> String {
    match value {
        Value::Object(object) => format!("an object of class {}", document.class_name(object)),
        value => {
            let mut json = Vec::new();
            // Writing to memory does not fail.
            let _ =
                DocumentJson::new().style(Style::Compact).write_value(document, value, &mut json);
            one_line(&String::from_utf8_lossy(&json))
        }
    }
}

fn one_line(text: &str) -> String {
    let line = shown(text.split_whitespace().collect::<Vec<_>>().join(" "));
    match line.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// A file that is to be changed.
#[derive(Debug)]
pub(crate) struct Changing<'o> {
    options: &'o ChangeOptions,
    path: &'o Path,
    key: Option<Key>,
    /// The file as it was.
    original: Vec<u8>,
    contents: Contents,
}

/// A changed file.
#[derive(Debug)]
pub(crate) struct NewFile {
    /// What is in its wrappers; nothing of a document.
    content: Vec<u8>,
    bytes: Vec<u8>,
    changed: Vec<Changed>,
}

impl ChangeOptions {
    /// Changes the file, and says what changed.
    pub(crate) fn run(&self, path: &Path, change: &impl Change) -> Result<Status, Failure> {
        let changing = self.open(path)?;
        let new = changing.changed(change)?;
        changing.write(&new)
    }

    /// Opens the file.
    pub(crate) fn open<'o>(&'o self, path: &'o Path) -> Result<Changing<'o>, Failure> {
        let key = self.input.key([&path.to_owned()])?;
        if self.json && self.is_elsewhere(path) && self.output().is_stdout() && !self.dry_run {
            return Err(Failure::usage(
                "--json and the new file cannot both go to standard output",
            )
            .hint("use -o FILE"));
        }
        if self.is_elsewhere(path) && !self.dry_run {
            self.output().refuse_terminal()?;
        }
        let mut source = Source::read_with(path, key.as_ref())?;
        source.name = self.name.clone().unwrap_or(source.name);
        let original = source.bytes().to_vec();
        let source = source.unwrapped(self.input.skip, key.as_ref(), self.limits)?;
        let contents = Contents::of(source, &self.input, self.limits)?;
        Ok(Changing { options: self, path, key, original, contents })
    }

    /// Returns the options of a command that writes a changed file to this place, or to where it was read.
    pub(crate) const fn to(
        output: Option<PathBuf>,
        dry_run: bool,
        json: bool,
        input: InputOptions,
        limits: LimitOptions,
    ) -> Self {
        let (index, no_backup, name) = (None, true, None);
        Self { index, dry_run, no_backup, json, input, limits, output, name }
    }

    /// Sets what messages call the file.
    pub(crate) fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// Which of several values is meant.
    pub(crate) const fn index(&self) -> Option<usize> {
        self.index
    }

    /// Whether it is said where the changed file goes.
    pub(crate) const fn has_output(&self) -> bool {
        self.output.is_some()
    }

    /// Returns an option that is said and means something only where a file is changed.
    pub(crate) const fn only_changing(&self) -> Option<&'static str> {
        match (self.dry_run, self.no_backup) {
            (true, _) => Some("--dry-run"),
            (_, true) => Some("--no-backup"),
            _ => None,
        }
    }

    /// Whether the changed file goes somewhere else than where it was read.
    fn is_elsewhere(&self, path: &Path) -> bool {
        self.output.is_some() || is_stdin(path)
    }

    fn output(&self) -> OutputOptions {
        self.output.as_deref().map(OutputOptions::file_at).unwrap_or_default()
    }
}

impl Changing<'_> {
    /// Returns the changed file.
    pub(crate) fn changed(&self, change: &impl Change) -> Result<NewFile, Failure> {
        match &self.contents {
            Contents::Packets(input) => self.values(input, change),
            Contents::Alb1(file) => self.document(file, change),
            Contents::Config(file) => self.config(file, change),
            Contents::Resource(file) => Err(file.read_only()),
            Contents::Script(file) => Err(script::File::read_only(&file.source.name)),
            Contents::Pack(file) => Err(pack::File::no_values(&file.source.name)),
        }
    }

    /// What to call the file.
    pub(crate) fn name(&self) -> &str {
        match &self.contents {
            Contents::Packets(input) => &input.source.name,
            Contents::Alb1(file) => &file.name,
            Contents::Config(file) => &file.source.name,
            Contents::Pack(file) => &file.source.name,
            Contents::Resource(file) => &file.source.name,
            Contents::Script(file) => &file.source.name,
        }
    }

    /// Says what changed, and writes the changed file. A file in which nothing changed stays untouched.
    pub(crate) fn write(&self, new: &NewFile) -> Result<Status, Failure> {
        let Self { options, path, original, .. } = self;
        let is_same = new.bytes == *original;
        let is_elsewhere = options.is_elsewhere(path);
        if !is_same || is_elsewhere {
            let place = InPlaceOptions::unless(is_elsewhere, options.no_backup, options.dry_run);
            place.write(path, &new.bytes, &options.output())?;
        }
        if options.json {
            let is_written = (!is_same || is_elsewhere) && !options.dry_run;
            self.print_json(&new.changed, is_written)?;
            return Ok(Status::Done);
        }
        for changed in &new.changed {
            let is_planned = options.dry_run && !is_same;
            let line = if is_planned { changed.plan() } else { changed.line() };
            let name = options.name.iter().map(|name| format!("{name}: ")).collect::<String>();
            super::report_line(&format!("{name}{line}"));
        }
        Ok(Status::Done)
    }

    /// Prints what changed for programs.
    fn print_json(&self, changed: &[Changed], is_written: bool) -> Result<(), Failure> {
        let output = self.options.output.as_deref().unwrap_or(self.path);
        to_stdout(|out| {
            for Changed { place, before, after } in changed {
                let line = serde_json::json!({
                    "file": self.name(),
                    "path": place,
                    "before": before,
                    "after": after,
                    "written": is_written,
                    "output": name(output),
                });
                // Why it failed is remembered by the output itself.
                let _ = writeln!(out, "{line}");
            }
            Ok(())
        })
    }

    fn values(&self, input: &Input, change: &impl Change) -> Result<NewFile, Failure> {
        let first = (input.dialect, input.framing);
        let new = self.changed_as(first, input, change)?;
        for &other in &input.alike {
            let same = self.changed_as(other, input, change);
            // Encrypted twice, one content is not the same bytes.
            if !same.is_ok_and(|same| same.content == new.content) {
                return Err(left_open(&input.source.name, first, &input.alike));
            }
        }
        Ok(new)
    }

    /// Changes the file as one of this dialect and framing.
    fn changed_as(
        &self,
        (dialect, framing): (Dialect, FramingName),
        input: &Input,
        change: &impl Change,
    ) -> Result<NewFile, Failure> {
        by_precision!(dialect, R => {
            let options = self.options;
            let mut opener = Opener::new()
                .dialect(dialect)
                .framing(framing.framing())
                .header(options.input.skip.unwrap_or_default())
                .limits(options.limits.limits());
            if let Some(key) = &self.key {
                opener = opener.key(key.clone());
            }
            let opened = opener.in_precision::<R>().open(&self.original);
            let mut file: ValueFile<R> = opened.map_err(|error| input.failure(error))?;
            let name = &input.source.name;
            let (index, limits) = (options.index, options.limits);
            let context = Context { name, dialect, limits, index };
            let changed = change.values(file.values_mut(), &context)?;
            // What a person wrote as 0.1 is not to be refused because Godot 2 rounds it.
            let encoder = file.encoder().rounding(true);
            let failed = |error| Failure::in_value(name, error);
            let content = file.content(&encoder).map_err(failed)?;
            let bytes = file.close(&content).map_err(failed)?;
            Ok(NewFile { content, bytes, changed })
        })
    }

    fn config(&self, file: &config_file::File, change: &impl Change) -> Result<NewFile, Failure> {
        let name = &file.source.name;
        if self.options.index.is_some() {
            return Err(Failure::usage(format!(
                "{name}: a file of settings is one value, so --index does not apply"
            )));
        }
        let limits = self.options.limits;
        let (content, changed) = file.written(|parsed, dialect| {
            by_precision!(dialect, R => {
                let mut values: Vec<Variant<R>> = vec![parsed.read(dialect)];
                let context = Context { name, dialect, limits, index: None };
                let changed = change.values(&mut values, &context)?;
                let value = values.pop().unwrap_or_default();
                let text = parsed.with_values(&value, dialect);
                Ok((text.map_err(|error| Failure::in_value(name, error))?, changed))
            })
        })?;
        let content = content.into_bytes();
        if content == file.source.content() {
            return Ok(NewFile { content, bytes: self.original.clone(), changed });
        }
        let closed = file.source.file.wrapping().close(&content, self.key.as_ref());
        let bytes = closed.map_err(|error| Failure::in_value(name, error))?;
        Ok(NewFile { content, bytes, changed })
    }

    fn document(&self, file: &alb1::File, change: &impl Change) -> Result<NewFile, Failure> {
        let name = &file.name;
        if self.options.index.is_some() {
            return Err(Failure::usage(format!(
                "{name}: an ALB1 file is one document, so --index does not apply"
            )));
        }
        let mut document = file.document()?;
        let context =
            Context { name, dialect: Dialect::GODOT4, limits: self.options.limits, index: None };
        let changed = change.document(&mut document, &context)?;
        let bytes = document.to_vec().map_err(|error| Failure::in_value(name, error))?;
        let again = Reader::new().limits(self.options.limits.limits()).read(&bytes);
        if !again.is_ok_and(|again| again.is_identical(&document)) {
            return Err(Failure::no(format!(
                "{name}: the changed file would read as something else; nothing was written"
            )));
        }
        let content = Vec::new();
        if bytes == file.bytes[..] {
            return Ok(NewFile { content, bytes: self.original.clone(), changed });
        }
        let wrapping = Wrapping::new(file.layers.clone());
        let closed = wrapping.close(&bytes, self.key.as_ref());
        let bytes = closed.map_err(|error| Failure::in_value(name, error))?;
        Ok(NewFile { content, bytes, changed })
    }
}
