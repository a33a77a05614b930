//! `dump`: what every byte is.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use formwork::Error;
use formwork::detect::Other;
use formwork::inspect::{self, Inspector, Kind, Paint, Role, Span, Tree};
use formwork::pack::{Pack, PackTrailer, PackedFile, within_game};
use formwork::schema::{Record, record_of};
use formwork::variant::script::Content;
use formwork::variant::wrapper::{Cipher, Compression, Layer, WrapperHeader};

use super::container::named;
use super::contents::{Contents, InputOptions};
use super::failure::{Failure, Status};
use super::format::{UnpackingLimit, bytes};
use super::input::Source;
use super::output::OutputOptions;
use super::pack;
use super::resource::{self, Opened};
use super::say;
use super::script;
use super::style::{Palette, shown};
use super::terminal::Ink;

/// Show every byte of a file with its meaning
///
/// Prints one line per field: offset, bytes, name, type and value. Works on damaged files too, and
/// shows what cannot be read.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Dump {
    /// File to read ('-' for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
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
  formwork dump game.save --at 0x4d2       what is at the offset of an error?
  formwork dump packet.bin --format godot3 --framing bare
  formwork dump game.save --password '..'  an encrypted file: header, then content
  formwork dump layer.tv4l                 shortens long lists
  formwork dump layer.tv4l --all-elements | less

Exit status: 0 success, 1 some bytes could not be read, 2 wrong use, 3 a file could not be read or written."#;

/// Elements of a list in an ALB1 file that are shown.
const SHOWN: u64 = 16;

/// Characters of a value that a line shows, ...
const VALUE: usize = 72;
/// ... and of one that may be a node of a quadtree with all its numbers.
const RECORD: usize = 200;

impl Dump {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key([&self.file])?;
        let limits = self.unpacking.into();
        let mut source = Source::read_with(&self.file, key.as_ref())?.skipping(self.input.skip);
        let mut before = Vec::new();
        while let Some(container) = source.container() {
            before.extend(self.lines(self.around(container, &source)));
            if let Err(failure) = source.take_out(key.as_ref(), limits) {
                let inspector = self.around(container, &source);
                return self.closed(&source, before, inspector, &failure);
            }
            before.push(self.inside(&source));
        }
        source.header_is_there()?;
        if source.skipped() > 0 {
            let Palette { note, .. } = self.palette();
            let size = source.skipped();
            before.push(format!("{note}header: {size} bytes of the game's own, skipped{note:#}"));
        }
        let contents = match Contents::of(source, &self.input, limits) {
            Err(failure) if !before.is_empty() && self.at.is_none() => {
                self.print_lines(&before)?;
                return Ok(say(&failure));
            }
            contents => contents?,
        };
        match contents {
            Contents::Packets(input) => {
                let (name, bytes) = (&input.source.name, input.source.bytes());
                let inspector = Inspector::new(bytes, input.dialect)
                    .behind(input.source.skipped())
                    .framing(input.framing.framing())
                    .list_elements(self.all_elements);
                match (self.at, self.depth) {
                    (Some(offset), _) => {
                        self.print_at(name, bytes.len(), &inspector.at(offset), offset)
                    }
                    (None, Some(depth)) => self.print(&before, inspector.deepest(depth), VALUE),
                    (None, None) => self.print(&before, inspector, VALUE),
                }
            }
            Contents::Config(file) => {
                if self.at.is_some() {
                    let name = &file.source.name;
                    return Err(Failure::usage(format!("{name}: --at is for binary files")));
                }
                file.dump(&self.output)
            }
            Contents::Pack(file) => self.pack(&file, before),
            Contents::Resource(file) => self.resource(&file, before),
            Contents::Script(file) => self.script(&file, before),
            Contents::Alb1(file) => {
                let (name, bytes) = (&file.name, &file.bytes);
                let mut inspector = inspect::alb1::Inspector::new(bytes);
                if !self.all_elements {
                    inspector = inspector.whole_fields(true).shown_elements(SHOWN);
                }
                match (self.at, self.depth) {
                    (Some(offset), _) => {
                        self.print_at(name, bytes.len(), &inspector.at(offset), offset)
                    }
                    (None, Some(depth)) => self.print(&before, inspector.deepest(depth), RECORD),
                    (None, None) => self.print(&before, inspector, RECORD),
                }
            }
        }
    }

    /// A pack: its head and directory, and a line for each file.
    fn pack(&self, file: &pack::File, mut lines: Vec<String>) -> Result<Status, Failure> {
        let bytes = file.source.content();
        let pack = Pack::open(bytes).map_err(|error| file.failure(error))?;
        let (range, directory) = (pack.range(), pack.directory());
        let (head_record, directory_record) = pack.records();
        let part = |name, record: &'static Record, start: usize, end: usize| {
            let bytes = bytes.get(..end.min(bytes.len())).unwrap_or_default();
            Inspector::of_record(bytes, name, record).behind(start).list_elements(self.all_elements)
        };
        let head = part("head", head_record, pack.head().start, pack.head().end);
        let directory = part("directory", directory_record, directory.start, directory.end);
        if let Some(offset) = self.at {
            let mut spans = head.at(offset);
            if spans.is_empty() {
                spans = directory.at(offset);
            }
            if spans.is_empty()
                && let Ok(pack) = file.open()
                && let Some(there) = pack::content_at(&pack, offset)
            {
                return self.print_lines(&[self.content_line(there)]).map(|()| Status::Done);
            }
            return self.print_at(&file.source.name, bytes.len(), &spans, offset);
        }
        if pack.is_embedded() {
            let Palette { note, .. } = self.palette();
            lines.push(format!("{note}executable: {} bytes, not shown{note:#}", range.start));
        }
        lines.extend(self.lines(head));
        lines.extend(self.lines(directory));
        let pack = file.open()?;
        if pack.sealed_directory().is_none() {
            let mut files: Vec<_> = pack.files().iter().collect();
            files.sort_by_key(|file| file.offset());
            lines.extend(files.into_iter().map(|file| self.content_line(file)));
        }
        if pack.is_embedded() && range.end < bytes.len() {
            const TRAILER: &Record = record_of::<PackTrailer>();
            lines.extend(self.lines(part("trailer", TRAILER, range.end, bytes.len())));
        }
        self.print_lines(&lines)?;
        Ok(if pack.sealed_directory().is_some() { Status::No } else { Status::Done })
    }

    /// Where the content of a file in a pack is.
    fn content_line(&self, file: &PackedFile) -> String {
        let Palette { dim, note, .. } = self.palette();
        let (offset, size) = (file.offset(), file.stored_size());
        let what = if file.is_encrypted() { " encrypted" } else { "" };
        let name = shown(within_game(&file.name()));
        format!("{dim}{offset:08x}{dim:#}  {note}{name}:{what} content of {size} bytes{note:#}")
    }

    /// A binary resource: the words around it where it is compressed, and the content.
    fn resource(&self, file: &resource::File, mut before: Vec<String>) -> Result<Status, Failure> {
        let name = &file.source.name;
        let content = match file.content() {
            Ok(content) => content,
            Err(failure) => {
                before.extend(self.lines(file.around()));
                return self.closed(&file.source, before, file.around(), &failure);
            }
        };
        let skipped = if content.unpacked { 0 } else { file.source.skipped() };
        let all: &[u8] = if content.unpacked { &content.bytes } else { file.source.bytes() };
        if content.unpacked {
            let Palette { note, .. } = self.palette();
            let size = all.len();
            before.extend(self.lines(file.around()));
            before.push(format!(
                "{note}inside (rscc): {size} bytes, where offsets start again{note:#}"
            ));
        }
        let inspector = Inspector::of_record(all, "resource", content.record())
            .behind(skipped)
            .list_elements(self.all_elements);
        // Where the head is damaged the walk says so.
        let inspector = match file.open() {
            Ok(Opened { head, dialect, .. }) => {
                let mut layout = head.layout(dialect);
                layout.from += skipped;
                inspector.in_dialect(dialect).in_resource(layout)
            }
            Err(_) => inspector,
        };
        self.show(name, all.len(), inspector, &before)
    }

    /// A compiled script: its head, where it has one, and the content, which may be packed.
    fn script(&self, file: &script::File, mut before: Vec<String>) -> Result<Status, Failure> {
        let name = &file.source.name;
        if !file.head.has_content() {
            let inspector = Inspector::of_record(file.source.bytes(), "script", file.head.record())
                .in_dialect(file.dialect)
                .behind(file.source.skipped())
                .list_elements(self.all_elements);
            return self.show(name, file.source.bytes().len(), inspector, &before);
        }
        before.extend(self.lines(file.around(file.content().is_ok())));
        let content = match file.content() {
            Ok(content) => content,
            Err(failure) => return self.closed(&file.source, before, file.around(false), &failure),
        };
        let Content { bytes, start, unpacked } = content;
        let skipped = if unpacked { 0 } else { file.source.skipped() };
        let all: &[u8] = if unpacked { &bytes } else { file.source.bytes() };
        if unpacked {
            let Palette { note, .. } = self.palette();
            let size = bytes.len();
            before.push(format!(
                "{note}inside (zstd): {size} bytes, where offsets start again{note:#}"
            ));
        }
        let inspector = Inspector::of_record(all, "content", file.head.record())
            .in_dialect(file.dialect)
            .behind(skipped + start)
            .list_elements(self.all_elements);
        self.show(name, all.len(), inspector, &before)
    }

    /// What an inspector finds: all of it, or what holds one byte.
    fn show(
        &self,
        name: &str,
        size: usize,
        inspector: Inspector<'_>,
        before: &[String],
    ) -> Result<Status, Failure> {
        match (self.at, self.depth) {
            (Some(offset), _) => self.print_at(name, size, &inspector.at(offset), offset),
            (None, Some(depth)) => self.print(before, inspector.deepest(depth), VALUE),
            (None, None) => self.print(before, inspector, VALUE),
        }
    }

    fn palette(&self) -> Palette {
        if self.output.is_stdout() { Palette::stdout() } else { Palette::default() }
    }

    fn tree(&self) -> Tree<Painter> {
        let tree = Tree::new(Painter(self.palette()));
        match self.depth {
            Some(depth) => tree.deepest(depth),
            None => tree,
        }
    }

    /// An inspector of what is declared for a container, which may be broken.
    fn around<'a>(&self, container: Other, source: &'a Source) -> Inspector<'a> {
        let seen = WrapperHeader::of(source.content()).map(|outside| outside.layer);
        let (name, usual) = match container {
            Other::GodotCompressed => ("compressed", Layer::Compressed(Compression::FastLz)),
            _ => ("encrypted", Layer::Encrypted(Cipher::Cfb)),
        };
        let record = seen.unwrap_or(usual).record();
        Inspector::of_record(source.bytes(), name, record).behind(source.skipped())
    }

    /// The lines about a container's own words.
    fn lines(&self, inspector: Inspector<'_>) -> Vec<String> {
        let tree = self.tree();
        let inspector = match self.depth {
            Some(depth) => inspector.deepest(depth),
            None => inspector,
        };
        inspector.filter_map(|item| tree.item(&item)).collect()
    }

    /// What stands between a container and what is in it.
    fn inside(&self, source: &Source) -> String {
        let Palette { note, .. } = self.palette();
        let (size, layers) = (source.bytes().len(), named(source.layers()));
        format!("{note}inside ({layers}): {size} bytes, where offsets start again{note:#}")
    }

    /// A container that cannot be opened: its own words, and why.
    fn closed(
        &self,
        source: &Source,
        lines: Vec<String>,
        inspector: Inspector<'_>,
        failure: &Failure,
    ) -> Result<Status, Failure> {
        match self.at {
            Some(offset) => {
                let (name, bytes) = (&source.name, source.bytes());
                self.print_at(name, bytes.len(), &inspector.at(offset), offset)?;
            }
            None => self.print_lines(&lines)?,
        }
        Ok(say(failure))
    }

    fn print_lines(&self, lines: &[String]) -> Result<(), Failure> {
        let heading = self.tree().heading();
        self.output.write(|out| {
            // Why it failed is remembered by the output itself.
            let _ =
                std::iter::once(&heading).chain(lines).try_for_each(|line| writeln!(out, "{line}"));
            Ok(())
        })
    }

    /// All of it, line by line as it is read, behind the lines about what is around it.
    fn print<'a>(
        &self,
        before: &[String],
        spans: impl Iterator<Item = Result<Span<'a>, Error>>,
        width: usize,
    ) -> Result<Status, Failure> {
        let tree = self.tree().value_width(width);
        let mut status = Status::Done;
        self.output.write(|out| {
            // Where writing fails the output itself remembers why; there is no use in going on.
            let heading = tree.heading();
            let mut first = std::iter::once(&heading).chain(before);
            if first.try_for_each(|line| writeln!(out, "{line}")).is_err() {
                return Ok(());
            }
            for item in spans {
                if item.as_ref().map_or(true, |span| span.kind == Kind::Rest) {
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
        name: &str,
        size: usize,
        spans: &[Span<'_>],
        offset: u64,
    ) -> Result<Status, Failure> {
        if spans.is_empty() {
            let message = match offset < size as u64 {
                true => format!("the byte at offset {offset} (0x{offset:x}) is skipped"),
                false => format!(
                    "the file has no byte at offset {offset} (0x{offset:x}); its size is {size}"
                ),
            };
            return Err(Failure::no(format!("{name}: {message}")));
        }
        let tree = Tree::new(Painter(self.palette())).parts(true);
        self.output.write(|out| {
            let lines = spans.iter().filter_map(|span| tree.line(span));
            // As above.
            let _ = std::iter::once(tree.heading())
                .chain(lines)
                .try_for_each(|line| writeln!(out, "{line}"));
            Ok(())
        })?;
        let unread = spans.iter().any(|span| span.kind == Kind::Rest);
        Ok(if unread { Status::No } else { Status::Done })
    }
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
            _ => Ink::default(),
        };
        write!(out, "{style}{text}{style:#}")
    }
}
