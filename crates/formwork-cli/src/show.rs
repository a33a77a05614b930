//! `show`, and a file alone: shows the content on a terminal.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use terminal_size::{Height, Width, terminal_size};

use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::file::Wanted;
use super::form::Form;
use super::format::LimitOptions;
use super::output;
use super::output::{OutputOptions, Sink};
use super::progress;
use super::style::Palette;
use super::terminal::{self, Ink};

/// Show a file in the terminal
///
/// 'formwork FILE' does the same. Prints what 'formwork decode' prints; on a terminal in colour, in a pager if it is
/// longer than the screen, and with long lines cut.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Show {
    /// File to show ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only what is at PATH, such as player/bag
    #[arg(short, long, value_name = "PATH")]
    path: Option<String>,
    /// Output form [default: json]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// Print JSON: --as json
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Show long lines in full
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

const AFTER: &str = r#"Examples:
  formwork game.save
  formwork game.save --path player/bag
  formwork game.save --as text

Pager:
The variable PAGER names the pager; if it is not set, 'less' is used. With PAGER= there is none. Output to a file or a pipe is never paged, coloured or cut.

Exit status: 0 shown, 1 there is no such value or the file is damaged, 2 wrong use, 3 the file could not be read."#;

/// Adds the name of the command where only a file is given.
pub(crate) fn named(command: &clap::Command, mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_command = |word: &OsString| {
        let is_name = |known: &clap::Command| {
            *word == known.get_name() || known.get_all_aliases().any(|alias| *word == alias)
        };
        word == "help" || command.get_subcommands().any(is_name)
    };
    let Some(first) = arguments.get(1) else { return arguments };
    let text = first.to_string_lossy();
    let is_file = text == "-"
        || !text.starts_with('-') && (text.contains(['.', '/', '\\']) || Path::new(first).exists());
    let own = ["-h", "--help", "-V", "--version"];
    let is_option = text.starts_with("-") && !own.contains(&&*text) && arguments.len() > 2;
    let shows =
        (is_file && !is_command(first)) || (is_option && !arguments.iter().skip(1).any(is_command));
    if shows {
        arguments.insert(1, "show".into());
    }
    arguments
}

impl Show {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key_to(&self.file)?;
        let Self { file, path, form, json, full, input, limits } = self;
        let form = if json { Some(Form::Json) } else { form };
        let (paths, output): (Vec<_>, _) = (path.into_iter().collect(), OutputOptions::default());
        let wanted = Wanted { paths: &paths, form, shows_text: true, ..Wanted::whole(limits) };
        let is_terminal = io::stdout().is_terminal();
        // Colours may be requested without a terminal, too.
        let is_dressed = is_terminal || AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let mut text = Vec::new();
        let sink = match is_dressed {
            true => Sink::Memory(&mut text),
            false => Sink::Output(&output),
        };
        let status = input.open_any(&file, key.as_ref(), limits)?.get(&wanted, sink)?;
        if is_dressed {
            let screen = Screen::own();
            let text = screen.dressed(&text, form != Some(Form::Text), full || !is_terminal);
            if is_terminal { page(&text, &screen) } else { print(&text) }?;
        }
        Ok(status)
    }
}

/// The limits of the screen.
struct Screen {
    columns: usize,
    rows: usize,
}

impl Screen {
    fn own() -> Self {
        let (Width(columns), Height(rows)) = terminal_size().unwrap_or((Width(80), Height(24)));
        Self { columns: columns.into(), rows: rows.into() }
    }

    /// Returns a text in colour, with long lines cut.
    fn dressed(&self, text: &[u8], is_json: bool, full: bool) -> String {
        let palette = Palette::stdout();
        let mut dressed = String::with_capacity(text.len() + text.len() / 4);
        for line in String::from_utf8_lossy(text).lines() {
            let room = if full { usize::MAX } else { self.columns };
            let (shown, is_cut) = cut(line, room);
            if is_json {
                paint(shown, &palette, &mut dressed);
            } else {
                dressed.push_str(shown);
            }
            if is_cut {
                let dim = palette.dim;
                dressed.push_str(&format!("{dim}...{dim:#}"));
            }
            dressed.push('\n');
        }
        dressed
    }
}

/// Returns the part of a line that fits, and whether the line was cut.
fn cut(line: &str, room: usize) -> (&str, bool) {
    /// Number of dots in the place of the rest.
    const DOTS: usize = 3;
    if line.len() <= room || line.chars().count() <= room {
        return (line, false);
    }
    let end = line.char_indices().nth(room.saturating_sub(DOTS)).map_or(line.len(), |(at, _)| at);
    (&line[..end], true)
}

/// Adds a line of JSON in colour.
pub(crate) fn paint(line: &str, palette: &Palette, out: &mut String) {
    let Palette { dim, name, value, good, note, .. } = *palette;
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (length, ink) = match first {
            '"' => {
                let length = string_length(rest);
                let is_name = rest[length..].starts_with(':');
                let ink = match is_name {
                    true if rest.starts_with("\"$") => dim,
                    true => name,
                    false => good,
                };
                (length, ink)
            }
            '-' | '0'..='9' => (word_length(rest), note),
            c if c.is_alphabetic() => (word_length(rest), value),
            c => (c.len_utf8(), Ink::default()),
        };
        let (word, behind) = rest.split_at(length);
        out.push_str(&format!("{ink}{word}{ink:#}"));
        rest = behind;
    }
}

/// Returns the length of the string at the start of a line of JSON; the whole length where the
/// string is cut.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

fn word_length(text: &str) -> usize {
    let is_in = |c: char| c.is_alphanumeric() || matches!(c, '-' | '+' | '.');
    text.find(|c| !is_in(c)).unwrap_or(text.len())
}

/// Prints a text, in a pager if it is longer than the screen.
fn page(text: &str, screen: &Screen) -> Result<(), Failure> {
    progress::end();
    if text.lines().count() < screen.rows || !paged(text) { print(text) } else { Ok(()) }
}

fn print(text: &str) -> Result<(), Failure> {
    output::to_stdout(|out| {
        // The output records a write error itself.
        let _ = out.write_all(text.as_bytes());
        Ok(())
    })
}

/// Shows a text in the pager. Returns whether there is one.
fn paged(text: &str) -> bool {
    let said = std::env::var("PAGER").ok();
    let Some(pager) = said.or_else(|| Some("less".to_owned())).filter(|it| !it.trim().is_empty())
    else {
        return false;
    };
    let Some(words) = shlex::split(&pager) else { return false };
    let [program, options @ ..] = &words[..] else { return false };
    let mut command = Command::new(program);
    command.args(options).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Colours are passed on, and a text that fits on the screen stays there.
        command.env("LESS", "FRX");
    }
    let Ok(mut pager) = command.spawn() else { return false };
    if let Some(stdin) = pager.stdin.take() {
        let mut out = terminal::for_pager(stdin);
        // A closed pager is no error.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
    // The pager was started: its exit status does not matter.
    let _ = pager.wait();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_json_is_painted_word_by_word() {
        let mut out = String::new();
        paint(r#"  "a\"b": {"$Vector2": [1.5, -2]}, "x\\", tr"#, &Palette::default(), &mut out);
        assert_eq!(out, r#"  "a\"b": {"$Vector2": [1.5, -2]}, "x\\", tr"#);
        assert_eq!(string_length(r#""a\"b": 1"#), 6);
        assert_eq!(string_length(r#""\\": 1"#), 4);
        assert_eq!(string_length(r#""": 1"#), 2);
        assert_eq!(string_length(r#""cut\"#), 5);
        assert_eq!(word_length("-2.5e+3]"), 7);
    }

    #[test]
    fn a_line_is_cut_at_the_width_of_the_screen() {
        assert_eq!(cut("abcdef", 6), ("abcdef", false));
        assert_eq!(cut("äbcdef", 6), ("äbcdef", false));
        assert_eq!(cut("abcdefg", 6), ("abc", true));
        assert_eq!(cut("äöüßäöü", 6), ("äöü", true));
    }

    #[test]
    fn a_file_alone_is_shown() {
        let command = clap::Command::new("formwork")
            .subcommand(clap::Command::new("show"))
            .subcommand(clap::Command::new("decode"));
        let of = |words: &[&str]| -> Vec<String> {
            let words = std::iter::once(&"formwork").chain(words).map(OsString::from).collect();
            named(&command, words).into_iter().skip(1).map(|it| it.into_string().unwrap()).collect()
        };
        assert_eq!(of(&["game.save"]), ["show", "game.save"]);
        assert_eq!(of(&["-", "--path", "a"]), ["show", "-", "--path", "a"]);
        assert_eq!(of(&["--path", "a", "game.save"]), ["show", "--path", "a", "game.save"]);
        for same in [&["decode", "a.save"][..], &["--help"], &["-V"], &["help"], &["decod"], &[]] {
            assert_eq!(of(same), same);
        }
    }
}
