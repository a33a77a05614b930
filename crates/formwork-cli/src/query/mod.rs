//! `query`: filters in the language of jq, on typed values.

mod access;
mod data;
mod entries;
mod functions;
mod guard;
pub(crate) mod json;
mod math;
mod native;
mod order;
mod plain;
mod printing;
mod regex;
mod run;
#[cfg(test)]
mod tests;
mod update;
mod value;
mod variables;

use crate::source;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use formwork_alb1::json::DocumentJson;
use formwork_variant::dialect::Precision;
use formwork_variant::json::Style;
use formwork_variant::{Dialect, Strictness};
use formwork_variant::{Real, Variant};

use super::change::{ChangeOptions, chosen};
use super::contents::Contents;
use super::failure::{Failure, Status};
use super::form::Form;
use super::packets::Input;
use super::source::is_stdin;
use super::{alb1, input, remark};
pub(crate) use printing::Printing;
use run::{Feed, Filter};
pub(crate) use update::Updating;
use value::Value;
pub(crate) use variables::Variables;

/// Search and change a file with a jq filter
///
/// FILTER is in the language of jq. It works on the values themselves: whole numbers have 64 bits, and vectors, paths
/// and packed arrays keep their types. With -i the file becomes what the filter gives; everything else in it stays byte
/// for byte.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
#[command(mut_arg("output", |it| it.help("Write to OUTPUT what is printed; with -i, the changed file ('-' for standard output)")))]
#[command(mut_arg("index", |it| it.help("Use only value number INDEX of several, counted from 0; -1 is the last one")))]
pub(crate) struct Query {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What to do with each value, such as .player.gold
    #[arg(value_name = "FILTER", default_value = ".", hide_default_value = true)]
    filter: String,
    /// More files to read, behind FILTER, as one sequence of values with the first
    #[arg(value_name = "MORE", conflicts_with = "in_place", hide_short_help = true)]
    more: Vec<PathBuf>,
    /// Read FILTER from a file
    #[arg(long, value_name = "PATH", conflicts_with = "filter", hide_short_help = true)]
    from_file: Option<PathBuf>,
    /// Change the file: it becomes what FILTER gives
    #[arg(short, long)]
    in_place: bool,
    /// Replace the whole value even by one of another type
    #[arg(long, requires = "in_place", hide_short_help = true)]
    force: bool,
    #[command(flatten)]
    printing: Printing,
    /// Give FILTER all values of the file as one list
    #[arg(short, long, conflicts_with = "null_input")]
    slurp: bool,
    /// Give FILTER null; it takes the values with 'input' and 'inputs'
    #[arg(short, long)]
    null_input: bool,
    /// Read each line of text as a string; with --slurp, all of it as one
    #[arg(short = 'R', long, conflicts_with = "in_place", hide_short_help = true)]
    raw_input: bool,
    /// Let FILTER see the quadtree of an ALB1 layer as nodes and objects
    #[arg(long)]
    tree: bool,
    #[command(flatten)]
    variables: Variables,
    #[command(flatten)]
    options: ChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork query game.save .player.gold
  formwork query game.save '.player.bag[] | select(.count > 1) | .name' -r
  formwork query game.save '[.. | numbers] | add'
  formwork query game.save -i '.player.gold += 500'
  formwork query game.save -i '.player.position.x = 10' --dry-run
  formwork query game.save -i 'del(.player.curse)'
  formwork query game.save -i '.player.name = $name' --arg name Alice
  formwork query replay.bin -s length
  formwork query .player.gold game.save          the filter first, as with jq
  formwork query .player.gold < game.save
  formwork query .player.gold mine.save theirs.save  several files
  formwork query -n '1 + 1'                      no file
  formwork query houses.tv4l .mname

Values:
  .position.x, .position[0]   a component of a vector, rectangle, colour or transform
  .bytes[0], .points[1].y     an element of a packed array
  .cells[3]                   the entry whose key is the number 3
  .cells[[1, 2] | of_type("Vector2")]
                              the entry whose key is that vector
  type_name                   the engine's name of a type, such as "Vector2" (type gives jq's)
  of_type("Vector2")          a value of another type: [1, 2] | of_type("Vector2")
Vectors can be added, and multiplied with a number. What is printed is the JSON that 'formwork decode' prints.

Changes:
The filter gives the whole new value: write paths with |=, =, += or del. What stands there keeps its type: an int stays an int as long as the new number is whole, a float stays a float, and [1, 2] becomes a Vector2 where a Vector2 is. If the file has several values, the filter changes each; with --slurp, it gives the list of all.

Files of Terrain Builder:
The filter sees the JSON that 'formwork decode' prints. A key that is not there leads to the field with this tag: .mname is the name of a layer. --tree shows the objects of a layer:
  formwork query houses.tv4l --tree '[.tree.parts[].groups[]?.objects[]] | length'

Exit status: 0 done, 1 the filter fails, the file is damaged, or (with -e) the last value is false or null, 2 wrong use, 3 the file could not be read or written. If anything fails, the file stays as it was."#;

impl Query {
    pub(crate) fn run(mut self) -> Result<Status, Failure> {
        self.printing.take_effect();
        self.options.lines = Some(update::SHOWN);
        if self.is_only_a_filter() && !(self.null_input && is_stdin_empty()) {
            let file = std::mem::replace(&mut self.file, PathBuf::from("-"));
            self.filter = file.to_string_lossy().into_owned();
        } else if self.is_filter_first() {
            let filter = self.file.to_string_lossy().into_owned();
            self.file = PathBuf::from(std::mem::replace(&mut self.filter, filter));
        }
        if self.null_input && self.filter == "." && !self.file.exists() && !is_stdin(&self.file) {
            return self.calculate();
        }
        let ended =
            guard::with_stack(|| if self.changes()? { self.update() } else { self.print() });
        ended.map_err(|error| Failure::unreadable(format!("the filter: {error}")))?
    }

    /// Whether only a filter is given, and the file comes from standard input: `formwork query .player.gold < game.save`.
    fn is_only_a_filter(&self) -> bool {
        let word = self.file.to_string_lossy();
        let is_relative = ["./", "../", ".\\", "..\\"].iter().any(|start| word.starts_with(start));
        self.filter == "."
            && self.from_file.is_none()
            && word.starts_with(['.', '[', '{', '(', '$'])
            && !is_relative
            && (!self.file.exists() || self.file.is_dir())
            && !io::stdin().is_terminal()
    }

    /// Whether the filter is named first, and the file second, as jq has it.
    fn is_filter_first(&self) -> bool {
        let is_file = |path: &Path| is_stdin(path) || path.exists();
        self.filter != "." && !is_file(&self.file) && is_file(Path::new(&self.filter))
    }

    /// Prints what a filter gives without a file.
    fn calculate(mut self) -> Result<Status, Failure> {
        self.filter = self.file.to_string_lossy().into_owned();
        let ended = guard::with_stack(|| {
            let filter = self.filter::<f32>(Some(Dialect::GODOT4))?;
            self.print_all(&filter, Vec::new(), |value, out| {
                let (dialect, style) = (Dialect::GODOT4, self.printing.style());
                write(value, (dialect, style), &self.filter, out)
            })
        });
        ended.map_err(|error| Failure::unreadable(format!("the filter: {error}")))?
    }

    /// Whether the file is to be changed.
    fn changes(&self) -> Result<bool, Failure> {
        let changes = self.in_place;
        if let (false, Some(option)) = (changes, self.options.only_changing()) {
            return Err(Failure::usage(format!("{option} is for changing a file: use it with -i")));
        }
        let printing = self.printing.used().or(self.null_input.then_some("--null-input"));
        match printing.filter(|_| changes) {
            Some(option) => Err(Failure::usage(format!(
                "{option} is for printing values, and here the file is changed"
            ))),
            None => Ok(changes),
        }
    }

    /// Returns the filter, ready to be run on values of this dialect; without one, on documents of Terrain Builder.
    fn filter<R: Real>(&self, dialect: Option<Dialect>) -> Result<Filter<R>, Failure> {
        let variables = self.variables.all(&self.file, dialect)?;
        let Some(path) = &self.from_file else {
            return Filter::new(&self.filter, variables, dialect);
        };
        let failed = |error| Failure::stream("could not be read", &source::name(path), &error);
        let filter = String::from_utf8(input::read(path).map_err(failed)?)
            .map_err(|_| Failure::usage(format!("{}: this is no text", source::name(path))))?;
        Filter::new(&filter, variables, dialect)
    }

    const fn feed(&self) -> Feed {
        match (self.slurp, self.null_input) {
            (true, _) => Feed::Slurped,
            (_, true) => Feed::Nothing,
            _ => Feed::Each,
        }
    }

    /// Prints what the filter gives.
    fn print(&self) -> Result<Status, Failure> {
        if self.raw_input {
            return self.print_lines();
        }
        let ChangeOptions { input, limits, .. } = &self.options;
        let key = match self.more[..] {
            [] => input.key_to(&self.file)?,
            _ => input.key(self.files())?,
        };
        let limits = *limits;
        let (mut read, mut documents) = (Vec::new(), Vec::new());
        for path in self.files() {
            read.push(match Contents::open(path, input, key.as_ref(), limits)? {
                Contents::Alb1(file) if self.more.is_empty() => return self.print_document(&file),
                Contents::Document(file) => {
                    documents.push(file);
                    continue;
                }
                Contents::Alb1(_) => {
                    let name = source::name(path);
                    let message = "only saves are read together; name this file alone";
                    return Err(Failure::usage(format!("{name}: {message}")));
                }
                values => values.file().values(limits)?,
            });
        }
        match (&read[..], &documents[..]) {
            (_, []) => {}
            ([], documents) => return self.print_files(documents),
            ([save, ..], [json, ..]) => {
                let (save, json) = (&save.source.name, &json.source.name);
                return Err(Failure::usage(format!(
                    "{json} is JSON and {save} is not: only saves of one kind are read together"
                )));
            }
        }
        let is_double = |input: &Input| input.dialect.precision() == Precision::Double;
        match read.iter().any(is_double) {
            true => self.print_values::<f64>(&read),
            false => self.print_values::<f32>(&read),
        }
    }

    /// Returns all files that are read.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.file).chain(&self.more)
    }

    /// Prints what the filter gives for the values of files. All become values of the first file's engine.
    fn print_values<R: Real>(&self, files: &[Input]) -> Result<Status, Failure> {
        let Some(Input { source, dialect, .. }) = files.first() else { return Ok(Status::Done) };
        let (name, dialect) = (&source.name, *dialect);
        let filter = self.filter::<R>(Some(dialect))?;
        let (mut all, mut unread) = (Vec::new(), Vec::new());
        for input in files {
            let name = &input.source.name;
            let read = input.values::<R>(Strictness::Engine)?;
            unread.extend(read.unread(name));
            let values = chosen(name, &read.values, self.options.index())?.to_vec();
            all.extend(inputs(&input.converted(values, dialect), dialect)?);
        }
        let status = self.print_all(&filter, all, |value, out| {
            write(value, (dialect, self.printing.style()), name, out)
        })?;
        unread.iter().for_each(|unread| remark(unread));
        Ok(if unread.is_empty() { status } else { Status::No })
    }

    /// Prints what the filter gives for lines of text.
    fn print_lines(&self) -> Result<Status, Failure> {
        let mut text = Vec::new();
        for path in self.files() {
            let failed = |error| Failure::stream("could not be read", &source::name(path), &error);
            text.extend(input::read(path).map_err(failed)?);
        }
        let text = String::from_utf8_lossy(&text);
        let (mut printed, filter) = (self.feed(), self.filter::<f32>(Some(Dialect::GODOT4))?);
        let lines = match printed {
            // All of the text is one string, and no list.
            Feed::Slurped => {
                printed = Feed::Each;
                vec![Value::text(&*text)]
            }
            _ => text.lines().map(Value::text).collect(),
        };
        self.print_fed(&filter, lines, printed, |value, out| {
            let (dialect, style) = (Dialect::GODOT4, self.printing.style());
            write(value, (dialect, style), "the text", out)
        })
    }

    fn print_document(&self, file: &alb1::File) -> Result<Status, Failure> {
        let name = &file.name;
        if self.options.index().is_some() {
            return Err(Failure::usage(format!(
                "{name}: an ALB1 file is one document, so --index does not apply"
            )));
        }
        let filter = self.filter::<f32>(None)?;
        let document = file.document()?;
        let whole = plain::of_document(&document, self.tree);
        let whole = whole.map_err(|error| Failure::no(format!("{name}: {error}")))?;
        let is_whole = |value: &Value<f32>| match (value, &whole) {
            (Value::Map(value), Value::Map(whole)) => Rc::ptr_eq(value, whole),
            _ => false,
        };
        self.print_all(&filter, vec![whole.clone()], |value, out| {
            // Why writing failed is remembered by the output itself.
            let written = if is_whole(value) {
                let json = DocumentJson::new().style(self.printing.style()).trees(self.tree);
                json.write(&document, &mut *out).map_err(|error| Failure::in_value(name, error))?;
                out.write_all(b"\n")
            } else {
                writeln!(out, "{}", plain::to_json(value, self.printing.style()))
            };
            // A filter may go on for ever, but not when nobody listens.
            written.map_err(|_| Failure::unread())
        })
    }

    /// Runs the filter and prints each value; `print` does so for what is no raw text.
    fn print_all<R: Real>(
        &self,
        filter: &Filter<R>,
        inputs: Vec<Value<R>>,
        print: impl Fn(&Value<R>, &mut dyn Write) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        self.print_fed(filter, inputs, self.feed(), print)
    }

    fn print_fed<R: Real>(
        &self,
        filter: &Filter<R>,
        inputs: Vec<Value<R>>,
        feed: Feed,
        print: impl Fn(&Value<R>, &mut dyn Write) -> Result<(), Failure>,
    ) -> Result<Status, Failure> {
        let mut last = false;
        self.options.output().write(|out| {
            filter.run(inputs, feed, |value| {
                last = jaq_core::ValT::as_bool(&value);
                self.printing.print(value, out, &print)
            })
        })?;
        Ok(if self.printing.exit_status && !last { Status::No } else { Status::Done })
    }

    /// Makes the file what the filter gives.
    fn update(&self) -> Result<Status, Failure> {
        let updating = Updating::new(self);
        let status = self.options.run(&self.file, &mut |content| content.update(&updating))?;
        if updating.changes.get() == 0 {
            self.options
                .say(&self.file, &format!("{}: nothing changed", source::name(&self.file)))?;
        }
        Ok(status)
    }
}

/// Writes the JSON of a value and a line break.
fn write<R: Real>(
    value: &Value<R>,
    (dialect, style): (Dialect, Style),
    name: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if value.keeps_digits() {
        let written = writeln!(out, "{}", plain::to_json(value, style));
        // A filter may go on for ever, but not when nobody listens.
        return written.map_err(|_| Failure::unread());
    }
    Form::Json.write(&value.to_variant(dialect), dialect, style, name, out)
}

fn is_stdin_empty() -> bool {
    // The bytes stay in the buffer for the reader.
    io::stdin().lock().fill_buf().is_ok_and(<[u8]>::is_empty)
}

/// Returns values as filters see them.
fn inputs<R: Real>(values: &[Variant<R>], dialect: Dialect) -> Result<Vec<Value<R>>, Failure> {
    let inputs: Result<_, _> = values.iter().map(|value| Value::of(value, dialect)).collect();
    inputs.map_err(|error| Failure::no(format!("the file: {error}")))
}
