//! `query`: filters in the language of jq, on typed values.

mod access;
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

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use formwork_alb1::json::DocumentJson;
use formwork_variant::{Dialect, Strictness};
use formwork_variant::{Real, Variant};

use super::change::{ChangeOptions, chosen};
use super::contents::Contents;
use super::failure::{Failure, Status};
use super::form::Form;
use super::format::by_precision;
use super::input::is_stdin;
use super::packets::Input;
use super::{alb1, input, pack, remark};
pub(crate) use printing::Printing;
use run::{Feed, Filter};
use update::Updating;
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
#[command(mut_arg("index", |it| it.help("Use only value number INDEX of several, counted from 0")))]
pub(crate) struct Query {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What to do with each value, such as .player.gold
    #[arg(value_name = "FILTER", default_value = ".", hide_default_value = true)]
    filter: String,
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
        if self.is_only_a_filter() {
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

    /// Whether only a filter is said, and the file comes from standard input: `formwork query .player.gold < game.save`.
    fn is_only_a_filter(&self) -> bool {
        let word = self.file.to_string_lossy();
        let is_relative = ["./", "../", ".\\", "..\\"].iter().any(|start| word.starts_with(start));
        self.filter == "."
            && self.from_file.is_none()
            && word.starts_with(['.', '[', '{', '(', '$'])
            && !is_relative
            && !self.file.exists()
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
                Form::Json.write(&value.to_variant(dialect), dialect, style, &self.filter, out)
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
        let failed = |error| Failure::stream("could not be read", &input::name(path), &error);
        let filter = String::from_utf8(input::read(path).map_err(failed)?)
            .map_err(|_| Failure::usage(format!("{}: this is no text", input::name(path))))?;
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
        let ChangeOptions { input, limits, .. } = &self.options;
        let key = input.key([&self.file])?;
        let limits = *limits;
        match Contents::open(&self.file, input, key.as_ref(), limits)? {
            Contents::Packets(input) => self.print_values(&input),
            Contents::Config(file) => self.print_values(&file.into_packet(limits)?),
            Contents::Resource(file) => self.print_values(&file.into_packet(limits)?),
            Contents::Script(file) => self.print_values(&file.into_packet(limits)?),
            Contents::Document(file) => self.print_file(&file),
            Contents::Pack(file) => Err(pack::File::no_values(&file.source.name)),
            Contents::Alb1(file) => self.print_document(&file),
        }
    }

    fn print_values(&self, input: &Input) -> Result<Status, Failure> {
        by_precision!(input.dialect, R => self.print_values_of::<R>(input))
    }

    fn print_values_of<R: Real>(&self, input: &Input) -> Result<Status, Failure> {
        let (name, dialect) = (&input.source.name, input.dialect);
        let filter = self.filter::<R>(Some(dialect))?;
        let read = input.values::<R>(Strictness::Engine)?;
        let unread = read.unread(name);
        let values = chosen(name, &read.values, self.options.index())?;
        let status = self.print_all(&filter, inputs(values, dialect)?, |value, out| {
            Form::Json.write(&value.to_variant(dialect), dialect, self.printing.style(), name, out)
        })?;
        let Some(unread) = unread else { return Ok(status) };
        remark(&unread);
        Ok(Status::No)
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
        let mut last = false;
        self.options.output().write(|out| {
            filter.run(inputs, self.feed(), |value| {
                last = jaq_core::ValT::as_bool(&value);
                self.printing.print(value, out, &print)
            })
        })?;
        Ok(if self.printing.exit_status && !last { Status::No } else { Status::Done })
    }

    /// Makes the file what the filter gives.
    fn update(&self) -> Result<Status, Failure> {
        let updating = Updating::new(self);
        let status = self.options.run(&self.file, &updating)?;
        if updating.changes.get() == 0 {
            self.options
                .say(&self.file, &format!("{}: nothing changed", input::name(&self.file)))?;
        }
        Ok(status)
    }
}

/// Returns values as filters see them.
fn inputs<R: Real>(values: &[Variant<R>], dialect: Dialect) -> Result<Vec<Value<R>>, Failure> {
    let inputs: Result<_, _> = values.iter().map(|value| Value::of(value, dialect)).collect();
    inputs.map_err(|error| Failure::no(format!("the file: {error}")))
}
