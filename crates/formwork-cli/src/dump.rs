//! `dump`: shows the meaning of every byte.

use std::path::PathBuf;

use clap::Args;
use formwork_godot::wrapper::Key;

use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::format::{UnpackingLimit, bytes};
use super::layers::named;
use super::manner;
use super::output::OutputOptions;
use super::quantity::counted;
use super::rows::{Asked, Columns, Page, Rows};
use super::say;
use super::source::Source;
use super::style::Palette;
use super::terminal;

/// Show every byte of a file with its meaning
///
/// Prints one row per field: offset, bytes, the bytes as letters, name and value. Rows fit the
/// terminal; what is cut ends with '…'. Works on damaged files too, and shows the fault and what
/// cannot be read. The bytes of an unknown file are shown without a meaning.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Dump {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only what is at PATH, such as player/bag
    ///
    /// Takes the paths of 'formwork get', and the exact paths that errors print. In resources,
    /// scripts and packs a path is the names in the rows, such as head/major.
    #[arg(short, long, value_name = "PATH", conflicts_with = "at")]
    path: Option<String>,
    /// Show only DEPTH levels
    #[arg(long, value_name = "DEPTH", conflicts_with = "at")]
    depth: Option<u32>,
    /// Show only what contains the byte at OFFSET (hex: 0x4d2)
    ///
    /// In a compressed or encrypted file, offsets count in the unpacked content.
    #[arg(long, value_name = "OFFSET", value_parser = bytes)]
    at: Option<u64>,
    /// Show every element of packed arrays and long lists
    ///
    /// In an ALB1 file, also show every word of a field and every node of the quadtree.
    #[arg(long)]
    all_elements: bool,
    /// Make rows at most COLUMNS wide (0: cut nothing) [default: the terminal's width]
    ///
    /// Without a terminal, the variable COLUMNS counts, or else 80.
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    /// Print one JSON object per row, with all bytes and nothing cut
    #[arg(long, conflicts_with = "width")]
    json: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    unpacking: UnpackingLimit,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork dump game.save | less
  formwork dump game.save --depth 2
  formwork dump game.save --path player/position
  formwork dump game.save --at 0x4d2       what is at the offset of an error?
  formwork dump game.save -v               all bytes and types
  formwork dump game.save --width 0        one row per field, however long
  formwork dump game.save --json
  formwork dump packet.bin --format godot3 --framing bare
  formwork dump game.save --password '..'  an encrypted file: header, then content
  formwork dump layer.tv4l                 shortens long lists
  formwork dump layer.tv4l --all-elements | less

Rows:
  0000003c 04 00 00 00  .... header = 4 String
  offset, bytes, the bytes as letters, and the tree of fields with their values. A wider terminal
  gets more bytes and the type of each field.
With -v a field has all its bytes, in more than one row if need be, its type, and the parts of words.

Exit status: 0 success, 1 some bytes could not be read, 2 wrong use, 3 a file could not be read or written."#;

impl Dump {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key([&self.file])?;
        let source = Source::read_with(&self.file, key.as_ref())?.skipping(self.input.skip);
        let name = source.name.clone();
        let (path, at, depth) = (self.path.as_deref(), self.at, self.depth);
        let asked = Asked { path, at, depth, all_elements: self.all_elements };
        let (mut status, mut closed) = (Status::Done, None);
        self.output.write(|out| {
            let mut rows = Rows::new(out, self.page(), asked, &name);
            self.show(source, key.as_ref(), &mut rows)?;
            (status, closed) = rows.ended()?;
            Ok(())
        })?;
        Ok(closed.as_ref().map_or(status, say))
    }

    /// Shows the containers around the content, and the content.
    fn show(
        &self,
        mut source: Source,
        key: Option<&Key>,
        rows: &mut Rows<'_>,
    ) -> Result<(), Failure> {
        let limits = self.unpacking.into();
        rows.start(source.bytes().len());
        while source.container().is_some() {
            rows.around(source.around());
            if let Err(failure) = source.take_out(key, limits) {
                rows.closed(source.around(), failure);
                return Ok(());
            }
            rows.inside(&named(source.layers()), source.bytes().len());
        }
        source.header_is_there()?;
        if source.skipped() > 0 {
            let size = counted(source.skipped() as u64, "byte");
            rows.remark(&format!("header: {size} of the game's own, skipped"));
        }
        match self.input.open_or_unknown(source, limits)? {
            Ok(file) => file.rows(rows),
            Err((source, failure)) => rows.unknown(&source, failure),
        }
    }

    /// Returns the form of the rows.
    fn page(&self) -> Page {
        if self.json {
            return Page::Json;
        }
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let width = match self.width {
            Some(0) => None,
            Some(width) => Some(width),
            None => Some(terminal::width()),
        };
        Page::Columns(Columns::new(palette, width, 0, manner::is_verbose()))
    }
}
