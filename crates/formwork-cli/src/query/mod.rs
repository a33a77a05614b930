//! `query`: filters in the language of jq, on the JSON that `decode` prints.

mod change;
mod filter;
mod functions;
mod guard;
mod kind;
mod place;
mod printing;
mod stack;
#[cfg(test)]
mod tests;
mod value;
mod variables;

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::document::Json;
use formwork_variant::Dialect;

use super::change::ChangeOptions;
use super::failure::{Failure, Status};
use super::file::{Chosen, File, JsonValues};
use super::source::{self, is_stdin};
use super::{input, remark};
use filter::Feed;
use printing::Printing;
use variables::Variables;

/// Search and change a file with a jq filter
///
/// FILTER is in the language of jq. It works on the JSON that 'formwork decode' prints: numbers keep their digits, and
/// vectors, paths and packed arrays are objects with the names of their types. With -i the file becomes what the filter
/// gives; everything else in it stays byte for byte.
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
    #[arg(short, long, conflicts_with_all = ["Printing", "null_input"])]
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
  .points[1].y, .list[]       elements of packed and typed arrays
  .cells[3]                   the entry whose key is the number 3
  .cells[[1, 2] | of_type("Vector2")]
                              the entry whose key is that vector
  .position | x, y            components as filters: x y z w r g b a position size origin basis
  .position | map_values(. * 2)
                              a vector with other numbers (.position * 2 is an error)
  .id | items                 the text of a StringName, NodePath or PackedByteArray (base64), and any list
  type_name                   the engine's name of a type, such as "Vector2" (type gives jq's: "object")
  of_type("Vector2")          a value of another type: [1, 2] | of_type("Vector2")

Changes:
The filter gives the whole new value: write paths with |=, =, += or del. What stands there keeps its type: an int stays an int as long as the new number is whole, a float stays a float, and [1, 2] becomes a Vector2 where a Vector2 is. If the file has several values, the filter changes each; with --slurp, it gives the list of all.

Files of Terrain Builder:
The filter sees the JSON that 'formwork decode' prints. A key that is not there leads to the field with this tag: .mname is the name of a layer. --tree shows the objects of a layer:
  formwork query houses.tv4l --tree '[.tree.parts[].groups[]?.objects[]] | length'

Exit status: 0 done, 1 the filter fails, the file is damaged, or (with -e) the last value is false or null, 2 wrong use, 3 the file could not be read or written. If anything fails, the file stays as it was."#;

/// Returns whether a word begins as filters do, and not as paths of files.
fn is_like_a_filter(word: &str) -> bool {
    let is_relative = ["./", "../", ".\\", "..\\"].iter().any(|start| word.starts_with(start));
    word.starts_with(['.', '[', '{', '(', '$']) && !is_relative
}

impl Query {
    pub(crate) fn run(mut self) -> Result<Status, Failure> {
        self.printing.take_effect();
        self.sort_words();
        match (self.in_place, self.options.only_changing()) {
            (true, _) => self.update(),
            (false, None) => self.print(),
            (false, Some(option)) => {
                Err(Failure::usage(format!("{option} is for changing a file: use it with -i")))
            }
        }
    }

    /// Finds out which word is the filter and which is the file, if any.
    fn sort_words(&mut self) {
        // (A folder is none: `.` is a filter, too.)
        let is_file = |path: &Path| is_stdin(path) || path.exists() && !path.is_dir();
        let word = self.file.to_string_lossy().into_owned();
        if self.is_only_a_filter(&word) && !(self.null_input && is_stdin_empty()) {
            (self.filter, self.file) = (word, PathBuf::from("-"));
        } else if self.null_input && self.filter == "." && !is_file(&self.file) {
            (self.filter, self.file) = (word, PathBuf::new());
        } else if self.filter != "."
            && !is_file(&self.file)
            && (is_file(Path::new(&self.filter))
                || is_like_a_filter(&word) && !is_like_a_filter(&self.filter))
        {
            // The filter is named first, and the file second, as jq has it.
            self.file = PathBuf::from(std::mem::replace(&mut self.filter, word));
        }
    }

    /// Whether only a filter is given, and the file comes from standard input: `formwork query .player.gold < game.save`.
    fn is_only_a_filter(&self, word: &str) -> bool {
        self.filter == "."
            && self.from_file.is_none()
            && is_like_a_filter(word)
            && (!self.file.exists() || self.file.is_dir())
            && !io::stdin().is_terminal()
    }

    const fn feed(&self) -> Feed {
        match (self.slurp, self.null_input) {
            (true, _) => Feed::Slurped,
            (_, true) => Feed::Nothing,
            _ => Feed::Each,
        }
    }

    /// Returns all files that are read.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let file = Some(&self.file).filter(|file| !file.as_os_str().is_empty());
        file.into_iter().chain(&self.more)
    }

    /// Prints what the filter gives.
    fn print(&self) -> Result<Status, Failure> {
        let (mut inputs, mut dialect, mut unread) = (Vec::new(), None, Vec::new());
        let mut feed = self.feed();
        if self.raw_input {
            inputs = self.lines()?;
            // All of the text is one string, and no list.
            feed = if self.slurp { Feed::Each } else { feed };
        } else {
            let ChangeOptions { input: options, limits, .. } = &self.options;
            let (index, limits) = (self.options.index(), *limits);
            let key = match self.more[..] {
                [] if self.files().next().is_some() => options.key_to(&self.file)?,
                _ => options.key(self.files())?,
            };
            // (`input` gives the next value, of which the filter may look at more.)
            let names = match (feed, index, &self.more[..]) {
                (Feed::Each, None, []) => self.leading()?,
                _ => Vec::new(),
            };
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for path in self.files() {
                let file = options.open(path, key.as_ref(), limits)?;
                let alone = (!names.is_empty()).then(|| Self::alone(&*file, &names)).flatten();
                let json = match alone {
                    Some(json) => json,
                    None => file.json(Chosen { index, limits, trees: self.tree })?,
                };
                inputs.extend(json.values);
                unread.extend(json.unread);
                dialect.get_or_insert(json.dialect);
            }
        }
        // Without a file, values are those of the newest engine.
        let dialect = dialect.unwrap_or(Some(Dialect::GODOT4));
        let status = self.print_made((inputs, feed), dialect)?;
        unread.iter().for_each(|unread| remark(unread));
        Ok(if unread.is_empty() { status } else { Status::No })
    }

    /// Returns the part of a file that a filter looks at which begins with these names, with nothing around it but the names.
    fn alone(file: &dyn File, names: &[&str]) -> Option<JsonValues> {
        let mut found = file.member(names)?;
        let within = |value, name: &&str| Json::Object(vec![((*name).to_owned(), value)]);
        let nested = |value| names.iter().rev().fold(value, within);
        found.values = found.values.into_iter().map(nested).collect();
        Some(found)
    }

    /// Returns the lines of text files, or all text as one.
    fn lines(&self) -> Result<Vec<Json>, Failure> {
        let all = self.files().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?.concat();
        let text = String::from_utf8_lossy(&all);
        Ok(match self.slurp {
            true => vec![Json::from(&*text)],
            false => text.lines().map(Json::from).collect(),
        })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    input::read(path)
        .map_err(|error| Failure::stream("could not be read", &source::name(path), &error))
}

fn is_stdin_empty() -> bool {
    // The bytes stay in the buffer for the reader.
    io::stdin().lock().fill_buf().is_ok_and(<[u8]>::is_empty)
}
