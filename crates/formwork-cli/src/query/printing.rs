//! How the results of filters are printed, with the options of jq.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use formwork::document::Json;
use formwork_variant::Dialect;
use formwork_variant::json::{self, Style, to_json};

use super::value::Value;
use crate::failure::Failure;
use crate::format::by_precision;
use crate::output::OutputOptions;
use crate::show::paint;
use crate::style::Palette;

/// How results are printed.
#[derive(Args, Debug)]
pub(super) struct Printing {
    /// Print strings as they are, without quotation marks
    #[arg(short, long, visible_alias = "raw-output")]
    raw: bool,
    /// Print strings as they are, and no line break behind any result
    #[arg(short, long, visible_alias = "join-output")]
    join: bool,
    /// Print strings as they are, and a NUL behind each result instead of a line break
    #[arg(long, conflicts_with = "join", hide_short_help = true)]
    raw_output0: bool,
    /// Print JSON without line breaks and spaces
    #[arg(short, long, visible_alias = "compact-output")]
    compact: bool,
    /// Indent JSON with tabs
    #[arg(long, conflicts_with = "compact", hide_short_help = true)]
    tab: bool,
    /// Indent JSON with N spaces, 0 to 7
    #[arg(long, value_name = "N", conflicts_with_all = ["compact", "tab"])]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=7), hide_short_help = true)]
    indent: Option<u8>,
    /// Print the keys of each dictionary in order
    #[arg(short = 'S', long, hide_short_help = true)]
    sort_keys: bool,
    /// Print only ASCII: other characters of strings as \uXXXX
    #[arg(short, long, visible_alias = "ascii-output", hide_short_help = true)]
    ascii: bool,
    /// Print JSON in colours, also into a pipe or file
    #[arg(short = 'C', long, hide_short_help = true)]
    color_output: bool,
    /// Print JSON without colours
    #[arg(short = 'M', long, conflicts_with = "color_output", hide_short_help = true)]
    monochrome_output: bool,
    /// Print the character RS (0x1e) in front of each result
    #[arg(long, conflicts_with_all = ["join", "raw_output0"], hide_short_help = true)]
    seq: bool,
    /// End with status 1 if the last value is false or null, or if there is none
    #[arg(short, long)]
    pub(super) exit_status: bool,
}

impl Printing {
    /// Lets colours pass into pipes and files where they are asked for.
    pub(super) fn take_effect(&self) {
        if self.color_output {
            ColorChoice::AlwaysAnsi.write_global();
        }
    }

    /// Returns the colours of JSON in this output, if it has some.
    pub(super) fn palette(&self, output: &OutputOptions) -> Option<Palette> {
        let is_coloured =
            || output.is_stdout() && AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let is_wanted = self.color_output || !self.monochrome_output && is_coloured();
        is_wanted.then(Palette::ansi)
    }

    /// Prints a result, as `decode` prints the values of the dialect.
    pub(super) fn print(
        &self,
        value: &Value,
        dialect: Option<Dialect>,
        palette: Option<&Palette>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut line = if self.seq { vec![0x1e] } else { Vec::new() };
        match value.text() {
            Some(text) if self.raw || self.join || self.raw_output0 => {
                if self.raw_output0 && text.contains('\0') {
                    return Err(Failure::no(
                        "a string has a NUL in it, so with --raw-output0 nobody could tell where it ends",
                    ));
                }
                line.extend(text.into_bytes());
            }
            _ => {
                let mut json = Json::from(value);
                if self.sort_keys {
                    sort(&mut json);
                }
                let is_compact = self.compact || self.indent == Some(0);
                let json = if is_compact { json.to_string() } else { pretty(&json, dialect) };
                let json = self.arranged(&json);
                match palette {
                    Some(palette) => paint_all(&json, palette, &mut line),
                    None => line.extend(json.into_bytes()),
                }
            }
        }
        match (self.join, self.raw_output0) {
            (true, _) => {}
            (_, true) => line.push(0),
            _ => line.push(b'\n'),
        }
        // Why writing failed is remembered by the output itself. A filter may go on for ever, but not when nobody
        // listens.
        out.write_all(&line).map_err(|_| Failure::unread())
    }

    /// Returns JSON with the indentation and the characters that were asked for.
    fn arranged(&self, json: &str) -> String {
        let step = match (self.tab, self.indent) {
            (true, _) => "\t".to_owned(),
            (_, number) => " ".repeat(number.unwrap_or(2).into()),
        };
        let mut made = String::with_capacity(json.len());
        for (number, line) in json.lines().enumerate() {
            let text = line.trim_start_matches(' ');
            made.push_str(if number > 0 { "\n" } else { "" });
            made.push_str(&step.repeat((line.len() - text.len()) / 2));
            for letter in text.chars() {
                if letter.is_ascii() || !self.ascii {
                    made.push(letter);
                } else {
                    let mut units = [0; 2];
                    let units = letter.encode_utf16(&mut units).iter();
                    made.extend(units.map(|unit| format!("\\u{unit:04x}")));
                }
            }
        }
        made
    }
}

/// Puts the members of objects in the order of their names.
fn sort(json: &mut Json) {
    match json {
        Json::Array(elements) => elements.iter_mut().for_each(sort),
        Json::Object(members) => {
            members.sort_by(|one, other| one.0.cmp(&other.0));
            members.iter_mut().for_each(|it| sort(&mut it.1));
        }
        _ => {}
    }
}

/// Writes JSON in colours.
fn paint_all(json: &str, palette: &Palette, out: &mut Vec<u8>) {
    let mut made = String::new();
    for (number, line) in json.lines().enumerate() {
        made.push_str(if number > 0 { "\n" } else { "" });
        paint(line, palette, &mut made);
    }
    out.extend(made.into_bytes());
}

/// Returns JSON in lines, as `decode` prints the values of a dialect. JSON that is no value of the dialect is printed as it is.
fn pretty(json: &Json, dialect: Option<Dialect>) -> String {
    let text = json.to_string();
    let value = dialect.and_then(|dialect| {
        by_precision!(dialect, R => {
            let form = json::Json::lossless(dialect).in_precision::<R>();
            let value = form.read(text.as_bytes()).ok()?;
            let is_same = to_json(&value, dialect, Style::Compact) == text;
            is_same.then(|| to_json(&value, dialect, Style::Pretty))
        })
    });
    value.unwrap_or_else(|| format!("{json:#}"))
}
