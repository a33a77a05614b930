//! How the results of filters are printed, with the options of jq.

use std::io::{self, Write};

use anstream::ColorChoice;
use clap::Args;
use formwork_variant::Real;
use formwork_variant::json::Style;

use super::value::Value;
use crate::failure::Failure;
use crate::show::paint;
use crate::style::Palette;

/// How results are printed.
#[derive(Args, Debug)]
pub(crate) struct Printing {
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
    pub(crate) exit_status: bool,
}

impl Printing {
    /// Lets colours pass into pipes and files where they are asked for.
    pub(crate) fn take_effect(&self) {
        if self.color_output {
            ColorChoice::AlwaysAnsi.write_global();
        }
    }

    /// Returns an option that was used.
    pub(crate) fn used(&self) -> Option<&'static str> {
        let options = [
            (self.raw, "--raw"),
            (self.join, "--join"),
            (self.raw_output0, "--raw-output0"),
            (self.compact, "--compact"),
            (self.tab, "--tab"),
            (self.indent.is_some(), "--indent"),
            (self.sort_keys, "--sort-keys"),
            (self.ascii, "--ascii"),
            (self.color_output, "--color-output"),
            (self.seq, "--seq"),
            (self.exit_status, "--exit-status"),
        ];
        options.into_iter().find(|(is_used, _)| *is_used).map(|(_, name)| name)
    }

    pub(super) const fn style(&self) -> Style {
        match (self.compact, self.indent) {
            (true, _) | (_, Some(0)) => Style::Compact,
            _ => Style::Pretty,
        }
    }

    /// Prints a result; `print` writes its JSON and a line break.
    pub(super) fn print<R: Real>(
        &self,
        value: Value<R>,
        out: &mut dyn Write,
        print: impl FnOnce(&Value<R>, &mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let value = if self.sort_keys { value.sorted() } else { value };
        let is_plain =
            !(self.join || self.raw_output0 || self.ascii || self.tab || self.color_output)
                && self.indent.is_none();
        let mut line = Vec::new();
        if self.seq {
            // As below.
            out.write_all(b"\x1e").map_err(|_: io::Error| Failure::unread())?;
        }
        match &value {
            Value::Text(text) if self.raw || self.join || self.raw_output0 => {
                line.extend(text.text.as_bytes());
                if self.raw_output0 && line.contains(&0) {
                    return Err(Failure::no(
                        "a string has a NUL in it, so with --raw-output0 nobody could tell where it ends",
                    ));
                }
            }
            value if is_plain => return print(value, out),
            value => {
                print(value, &mut line)?;
                line = self.arranged(line.trim_ascii_end());
                if self.color_output {
                    line = painted(&line);
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
        let written = out.write_all(&line);
        written.map_err(|_: io::Error| Failure::unread())
    }

    /// Returns JSON with the indentation and the characters that were asked for.
    fn arranged(&self, json: &[u8]) -> Vec<u8> {
        let step = match (self.tab, self.indent) {
            (true, _) => "\t".to_owned(),
            (_, number) => " ".repeat(number.unwrap_or(2).into()),
        };
        let json = String::from_utf8_lossy(json);
        let mut made = String::with_capacity(json.len());
        for (number, line) in json.lines().enumerate() {
            let text = line.trim_start_matches(' ');
            if number > 0 {
                made.push('\n');
            }
            made.push_str(&step.repeat((line.len() - text.len()) / 2));
            if self.ascii {
                for unit in text.encode_utf16() {
                    match char::from_u32(unit.into()).filter(char::is_ascii) {
                        Some(letter) => made.push(letter),
                        None => made.push_str(&format!("\\u{unit:04x}")),
                    }
                }
            } else {
                made.push_str(text);
            }
        }
        made.into_bytes()
    }
}

/// Returns JSON in colours.
fn painted(json: &[u8]) -> Vec<u8> {
    let (palette, mut made) = (Palette::ansi(), String::new());
    for (number, line) in String::from_utf8_lossy(json).lines().enumerate() {
        if number > 0 {
            made.push('\n');
        }
        paint(line, &palette, &mut made);
    }
    made.into_bytes()
}
