//! `dump`: what every byte is.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use formwork::inspect::{Inspector, Paint, Role, Tree};

use super::contents::{Contents, InputOptions};
use super::failure::{Failure, Status};
use super::format::LimitOptions;
use super::output::OutputOptions;
use super::packets::Input;
use super::style::Palette;

/// Show what every byte of a file is.
///
/// One line for each field: where it is, its bytes, its name, its type and its value. Works on broken
/// files, too: what could not be read is shown as such.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER, after_help = "More and examples: --help")]
pub(crate) struct Dump {
    /// The file to read; '-' for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show N levels; what is deeper is shown as one line
    #[arg(long, value_name = "N", conflicts_with = "at")]
    depth: Option<u32>,
    /// Show only what the byte at this offset belongs to, from the outside in; hex with 0x in front
    #[arg(long, value_name = "OFFSET", value_parser = offset)]
    at: Option<u64>,
    /// Give every element of a packed array a line of its own
    #[arg(long)]
    all_elements: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = "\
Examples:
  formwork dump game.save | less
  formwork dump game.save --depth 2
  formwork dump game.save --at 0x4d2       an error named this offset: what is there?
  formwork dump packet.bin --format godot3 --framing bare

Exit status: 0 done, 1 some bytes could not be read, 2 wrong use, 3 something could not be read or
written.";

impl Dump {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let input = match Contents::open(&self.file, &self.input, LimitOptions::default())? {
            Contents::Packets(input) => input,
            Contents::Alb1(file) => {
                let name = &file.name;
                return Err(Failure::usage(format!("{name}: ALB1 files are not dumped yet")));
            }
        };
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let inspector = Inspector::new(&input.source.bytes, input.dialect)
            .framing(input.framing.inspected())
            .list_elements(self.all_elements);
        match self.at {
            Some(offset) => self.print_at(&input, inspector, offset, palette),
            None => self.print(inspector, palette),
        }
    }

    /// All of it, line by line as it is read.
    fn print(&self, inspector: Inspector<'_>, palette: Palette) -> Result<Status, Failure> {
        let mut tree = Tree::new(Painter(palette));
        let mut inspector = inspector;
        if let Some(depth) = self.depth {
            tree = tree.deepest(depth);
            inspector = inspector.deepest(depth);
        }
        let mut status = Status::Done;
        self.output.write(|out| {
            // Where writing fails the output itself remembers why; there is no use in going on.
            if writeln!(out, "{}", tree.heading()).is_err() {
                return Ok(());
            }
            for item in inspector {
                if item.is_err() {
                    status = Status::No;
                }
                if let Some(line) = tree.item(&item)
                    && writeln!(out, "{line}").is_err()
                {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(status)
    }

    fn print_at(
        &self,
        input: &Input,
        inspector: Inspector<'_>,
        offset: u64,
        palette: Palette,
    ) -> Result<Status, Failure> {
        let spans = inspector.at(offset);
        if spans.is_empty() {
            let (name, size) = (&input.source.name, input.source.bytes.len());
            return Err(Failure::no(format!(
                "{name}: there is no byte at offset {offset} (0x{offset:x}); the file has {size}"
            )));
        }
        let tree = Tree::new(Painter(palette)).parts(true);
        self.output.write(|out| {
            let lines = spans.iter().filter_map(|span| tree.line(span));
            // As above.
            let _ = std::iter::once(tree.heading())
                .chain(lines)
                .try_for_each(|line| writeln!(out, "{line}"));
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

/// A number, in hex where 0x says so.
fn offset(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|error| error.to_string())
}

struct Painter(Palette);

impl Paint for Painter {
    fn paint(&self, role: Role, text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        let style = match role {
            Role::Offset | Role::Bytes | Role::Heading => self.0.dim,
            Role::Name => self.0.name,
            Role::Value => self.0.value,
            Role::Note => self.0.note,
            Role::Fault => self.0.error,
            _ => anstyle::Style::new(),
        };
        write!(out, "{style}{text}{style:#}")
    }
}
