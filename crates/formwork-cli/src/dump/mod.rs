//! `dump`: shows the meaning of every byte.

mod columns;
mod document;
mod json;
mod place;

use std::path::PathBuf;

use clap::Args;
use formwork_godot::detect::Other;
use formwork_godot::pack::{Pack, PackTrailer, PackedFile, within_game};
use formwork_godot::script::Content;
use formwork_godot::wrapper::{Cipher, Compression, Layer, WrapperHeader};
use formwork_records::schema::{Record, record_of};
use formwork_variant::Error;
use formwork_variant::inspect::{Inspect, Inspector, Kind, Span};

use super::config_file;
use super::contents::{Contents, InputOptions};
use super::failure::{Failure, Status};
use super::format::{UnpackingLimit, bytes};
use super::guess::Guess;
use super::layers::named;
use super::manner;
use super::output::OutputOptions;
use super::pack;
use super::packets::Input;
use super::resource::{self, Opened};
use super::say;
use super::script;
use super::source::Source;
use super::style::{Palette, shown};
use super::terminal;
use crate::quantity::counted;
use columns::Columns;
use place::Rows;

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

/// Number of elements that are shown of a list in an ALB1 file.
const SHOWN: u64 = 16;

/// The form of the rows.
enum Page {
    Columns(Columns),
    Json,
}

impl Page {
    fn heading(&self) -> Option<String> {
        match self {
            Self::Columns(columns) => Some(columns.heading()),
            Self::Json => None,
        }
    }

    fn item(&self, item: &Result<Span<'_>, Error>) -> Option<String> {
        match (self, item) {
            (Self::Columns(columns), Ok(span)) => columns.span(span),
            (Self::Columns(columns), Err(fault)) => Some(columns.fault(fault)),
            (Self::Json, Ok(span)) => Some(json::span(span)),
            (Self::Json, Err(fault)) => Some(json::fault(fault)),
        }
    }

    fn remark(&self, text: &str) -> String {
        match self {
            Self::Columns(columns) => columns.remark(text),
            Self::Json => json::remark(text),
        }
    }

    fn place(&self, offset: u64, text: &str) -> String {
        match self {
            Self::Columns(columns) => columns.place(offset, text),
            Self::Json => json::place(offset, text),
        }
    }

    fn text(&self, offset: u64, bytes: &[u8], name: &str, value: &str) -> String {
        match self {
            Self::Columns(columns) => columns.text(offset, bytes, name, value),
            Self::Json => json::text(offset, bytes, name, value),
        }
    }
}

/// Returns the rows of a value, or else the rows whose names are the path.
fn or_names<'a>(
    value: Result<Rows, Failure>,
    path: &str,
    inspector: &impl Inspect<'a>,
) -> Result<Rows, Failure> {
    let names = Rows::of_names(path);
    match value {
        Err(_) if names.find(inspector.clone()).is_some() => Ok(names),
        rows => rows,
    }
}

impl Dump {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key([&self.file])?;
        let limits = self.unpacking.into();
        let mut source = Source::read_with(&self.file, key.as_ref())?.skipping(self.input.skip);
        let mut before = Vec::new();
        while let Some(container) = source.container() {
            let page = self.page(source.bytes().len());
            before.extend(self.lines(&page, self.around(container, &source)));
            if let Err(failure) = source.take_out(key.as_ref(), limits) {
                let inspector = self.around(container, &source);
                return self.closed(&source, before, inspector, &failure);
            }
            before.push(page.remark(&inside(&source)));
        }
        source.header_is_there()?;
        let page = self.page(source.bytes().len());
        if source.skipped() > 0 {
            let size = counted(source.skipped() as u64, "byte");
            before.push(page.remark(&format!("header: {size} of the game's own, skipped")));
        }
        let contents = if Contents::are_packets(&source, &self.input) {
            let guess = Guess::of(&source, self.input.dialect(), self.input.framing);
            match guess.settle(&source) {
                Err(failure) => return self.unknown(&source, &before, &failure),
                Ok((dialect, framing)) => {
                    Contents::Packets(Input::known(source, dialect, framing, limits))
                }
            }
        } else {
            // A damaged script is shown as unknown bytes.
            let kept = self.input.is_script(source.content()).then(|| source.clone());
            match (Contents::of(source, &self.input, limits), kept) {
                (Err(failure), Some(source)) => return self.unknown(&source, &before, &failure),
                (contents, _) => contents?,
            }
        };
        match contents {
            Contents::Packets(input) => {
                let (name, bytes) = (&input.source.name, input.source.bytes());
                let inspector = Inspector::new(bytes, input.dialect)
                    .behind(input.source.skipped())
                    .framing(input.framing.framing())
                    .list_elements(self.all_elements);
                let rows = |path: &str| or_names(Rows::in_packets(&input, path), path, &inspector);
                let rows = self.path.as_deref().map(rows).transpose()?;
                self.show(name, bytes.len(), inspector, &before, rows.as_ref())
            }
            Contents::Config(file) => self.config(&file),
            Contents::Document(file) => self.document(&file, &before),
            Contents::Pack(file) => self.pack(&file, before),
            Contents::Resource(file) => self.resource(&file, before),
            Contents::Script(file) => self.script(&file, before),
            Contents::Alb1(file) => {
                let (name, bytes) = (&file.source.name, file.source.bytes());
                let mut inspector = formwork_alb1::inspect::Inspector::new(bytes);
                if !self.all_elements {
                    inspector = inspector.whole_fields(true).shown_elements(SHOWN);
                }
                let rows = |path: &str| or_names(Rows::in_document(&file, path), path, &inspector);
                let rows = self.path.as_deref().map(rows).transpose()?;
                self.show(name, bytes.len(), inspector, &before, rows.as_ref())
            }
        }
    }

    /// Prints unknown bytes in plain rows, and the reason.
    fn unknown(
        &self,
        source: &Source,
        before: &[String],
        failure: &Failure,
    ) -> Result<Status, Failure> {
        if self.path.is_some() {
            return Err(Failure::usage(format!(
                "{}: --path is for files of a known format",
                source.name
            )));
        }
        let page = self.page(source.bytes().len());
        let (mut bytes, mut offset) = (source.content(), source.skipped() as u64);
        if let Some(at) = self.at {
            let row = match &page {
                Page::Columns(columns) => columns.plain_bytes() as u64,
                Page::Json => 1,
            };
            let start = (at / row * row).max(offset);
            let from = usize::try_from(start - offset).unwrap_or(usize::MAX);
            let here = bytes.get(from..).filter(|rest| at >= offset && !rest.is_empty());
            let Some(rest) = here else {
                return self.print_at(&source.name, source.bytes().len(), &[], at);
            };
            bytes = &rest[..rest.len().min(row as usize)];
            offset = start;
        }
        self.output.write(|out| {
            // The output records a write error itself.
            let _ =
                before.iter().try_for_each(|line| writeln!(out, "{line}")).and_then(
                    |()| match &page {
                        Page::Json => writeln!(out, "{}", json::plain(bytes, offset)),
                        Page::Columns(columns) => {
                            let mut rows = columns.plain(bytes, offset);
                            rows.try_for_each(|row| writeln!(out, "{row}"))
                        }
                    },
                );
            Ok(())
        })?;
        Ok(say(failure))
    }

    /// Prints settings as text, with the offsets of the values.
    fn config(&self, file: &config_file::File) -> Result<Status, Failure> {
        let name = &file.source.name;
        if self.at.is_some() {
            return Err(Failure::usage(format!("{name}: --at is for binary files")));
        }
        let page = self.page(file.source.bytes().len());
        let parsed = file.parsed()?;
        let mut rows = Vec::new();
        for entry in parsed.entries() {
            let place = format!("{}/{}", entry.section, entry.key);
            let is_shown = self.path.as_deref().is_none_or(|path| {
                let path = path.trim_matches('/');
                place == path || place.strip_prefix(path).is_some_and(|it| it.starts_with('/'))
            });
            if is_shown {
                let text = parsed.text_of(entry);
                let text = match &page {
                    Page::Columns(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
                    Page::Json => text.to_owned(),
                };
                rows.push(page.text(entry.value.start as u64, text.as_bytes(), &place, &text));
            }
        }
        if let (true, Some(path)) = (rows.is_empty(), &self.path) {
            return Err(Failure::no(format!("{name}: there is no section or key {path}")));
        }
        self.print_lines(&page, &rows)?;
        Ok(Status::Done)
    }

    /// Prints a pack: its header and directory, and a row for each file.
    fn pack(&self, file: &pack::File, mut lines: Vec<String>) -> Result<Status, Failure> {
        let bytes = file.source.content();
        let pack = Pack::open(bytes).map_err(|error| file.failure(error))?;
        let page = self.page(bytes.len());
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
                return self
                    .print_lines(&page, &[content_row(&page, there)])
                    .map(|()| Status::Done);
            }
            return self.print_at(&file.source.name, bytes.len(), &spans, offset);
        }
        if let Some(path) = &self.path {
            let rows = Rows::of_names(path);
            let holder = if rows.find(head.clone()).is_some() { head } else { directory };
            return self.show(&file.source.name, bytes.len(), holder, &[], Some(&rows));
        }
        if pack.is_embedded() {
            lines.push(page.remark(&format!("executable: {} bytes, not shown", range.start)));
        }
        lines.extend(self.lines(&page, head));
        lines.extend(self.lines(&page, directory));
        let pack = file.open()?;
        if pack.sealed_directory().is_none() {
            let mut files: Vec<_> = pack.files().iter().collect();
            files.sort_by_key(|file| file.offset());
            lines.extend(files.into_iter().map(|file| content_row(&page, file)));
        }
        if pack.is_embedded() && range.end < bytes.len() {
            const TRAILER: &Record = record_of::<PackTrailer>();
            let trailer = part("trailer", TRAILER, range.end, bytes.len());
            lines.extend(self.lines(&page, trailer));
        }
        self.print_lines(&page, &lines)?;
        Ok(if pack.sealed_directory().is_some() { Status::No } else { Status::Done })
    }

    /// Prints a binary resource: the fields of its compressed container, if any, and the content.
    fn resource(&self, file: &resource::File, mut before: Vec<String>) -> Result<Status, Failure> {
        let name = &file.source.name;
        let page = self.page(file.source.bytes().len());
        let content = match file.content() {
            Ok(content) => content,
            Err(failure) => {
                before.extend(self.lines(&page, file.around()));
                return self.closed(&file.source, before, file.around(), &failure);
            }
        };
        let skipped = if content.unpacked { 0 } else { file.source.skipped() };
        let all: &[u8] = if content.unpacked { &content.bytes } else { file.source.bytes() };
        if content.unpacked {
            let size = counted(all.len() as u64, "byte");
            before.extend(self.lines(&page, file.around()));
            before.push(page.remark(&format!("inside (rscc): {size}, where offsets start again")));
        }
        let inspector = Inspector::of_record(all, "resource", content.record())
            .behind(skipped)
            .list_elements(self.all_elements);
        // The inspector reports a damaged header.
        let inspector = match file.open() {
            Ok(Opened { head, dialect, .. }) => {
                let mut layout = head.layout(dialect);
                layout.from += skipped;
                inspector.in_dialect(dialect).in_resource(layout)
            }
            Err(_) => inspector,
        };
        let rows = self.names("resource");
        self.show(name, all.len(), inspector, &before, rows.as_ref())
    }

    /// Prints a compiled script: its header, if any, and the content, which may be compressed.
    fn script(&self, file: &script::File, mut before: Vec<String>) -> Result<Status, Failure> {
        let name = &file.source.name;
        let page = self.page(file.source.bytes().len());
        if !file.head.has_content() {
            let inspector = Inspector::of_record(file.source.bytes(), "script", file.head.record())
                .in_dialect(file.dialect)
                .behind(file.source.skipped())
                .list_elements(self.all_elements);
            let rows = self.names("script");
            let size = file.source.bytes().len();
            return self.show(name, size, inspector, &before, rows.as_ref());
        }
        before.extend(self.lines(&page, file.around(file.content().is_ok())));
        let content = match file.content() {
            Ok(content) => content,
            Err(failure) => return self.closed(&file.source, before, file.around(false), &failure),
        };
        let Content { bytes, start, unpacked } = content;
        let skipped = if unpacked { 0 } else { file.source.skipped() };
        let all: &[u8] = if unpacked { &bytes } else { file.source.bytes() };
        if unpacked {
            let size = counted(bytes.len() as u64, "byte");
            before.push(page.remark(&format!("inside (zstd): {size}, where offsets start again")));
        }
        let inspector = Inspector::of_record(all, "content", file.head.record())
            .in_dialect(file.dialect)
            .behind(skipped + start)
            .list_elements(self.all_elements);
        let rows = self.names("content");
        self.show(name, all.len(), inspector, &before, rows.as_ref())
    }

    /// Returns the rows that --path names in a file of one record. The path may omit the name of
    /// the record.
    fn names(&self, record: &str) -> Option<Rows> {
        let path = self.path.as_deref()?;
        let is_whole =
            path == record || path.strip_prefix(record).is_some_and(|it| it.starts_with('/'));
        Some(Rows::of_names(&if is_whole { path.to_owned() } else { format!("{record}/{path}") }))
    }

    /// Prints the rows of an inspector: all, those at a path, or those that contain one byte.
    fn show<'a>(
        &self,
        name: &str,
        size: usize,
        inspector: impl Inspect<'a>,
        before: &[String],
        rows: Option<&Rows>,
    ) -> Result<Status, Failure> {
        if let Some(offset) = self.at {
            return self.print_at(name, size, &inspector.at(offset), offset);
        }
        let row = match rows.filter(|rows| !rows.are_all()) {
            None => None,
            Some(rows) => Some(rows.find(inspector.clone()).ok_or_else(|| {
                let path = shown(self.path.as_deref().unwrap_or_default());
                Failure::no(format!("{name}: no row has the path {path}"))
            })?),
        };
        let from = row.as_ref().map_or(0, |row| row.depth);
        let inspector = match self.depth {
            Some(depth) => inspector.deepest(from.saturating_add(depth)),
            None => inspector,
        };
        let page = match self.page(size) {
            Page::Columns(columns) => Page::Columns(columns.levels(from, self.depth)),
            page @ Page::Json => page,
        };
        let Some(row) = row else { return self.print(&page, before, inspector) };
        let spans = inspector.skip_while(|item| !item.as_ref().is_ok_and(|span| row.is(span)));
        let mut is_first = true;
        let spans = spans.take_while(|item| {
            let is_inside = item.as_ref().map_or(true, |span| span.depth > row.depth);
            std::mem::take(&mut is_first) || is_inside
        });
        self.print(&page, &[], spans)
    }

    /// Returns the form of the rows for a file of `size` bytes.
    fn page(&self, size: usize) -> Page {
        if self.json {
            return Page::Json;
        }
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let width = match self.width {
            Some(0) => None,
            Some(width) => Some(width),
            None => Some(terminal::width()),
        };
        let columns = Columns::new(palette, width, size, manner::is_verbose());
        Page::Columns(columns.levels(0, self.depth))
    }

    /// Returns an inspector for the fields that are declared for a container, which may be damaged.
    fn around<'a>(&self, container: Other, source: &'a Source) -> Inspector<'a> {
        let seen = WrapperHeader::of(source.content()).map(|outside| outside.layer);
        let (name, usual) = match container {
            Other::GodotCompressed => ("compressed", Layer::Compressed(Compression::FastLz)),
            _ => ("encrypted", Layer::Encrypted(Cipher::Cfb)),
        };
        let record = seen.unwrap_or(usual).record();
        Inspector::of_record(source.bytes(), name, record).behind(source.skipped())
    }

    /// Returns the rows of the fields of a container.
    fn lines(&self, page: &Page, inspector: Inspector<'_>) -> Vec<String> {
        let inspector = match self.depth {
            Some(depth) => inspector.deepest(depth),
            None => inspector,
        };
        inspector.filter_map(|item| page.item(&item)).collect()
    }

    /// Prints a container that cannot be opened: its fields, and the failure.
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
            None => self.print_lines(&self.page(source.bytes().len()), &lines)?,
        }
        Ok(say(failure))
    }

    fn print_lines(&self, page: &Page, lines: &[String]) -> Result<(), Failure> {
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = page.heading().iter().chain(lines).try_for_each(|line| writeln!(out, "{line}"));
            Ok(())
        })
    }

    /// Prints the rows of what is around the content, then all rows of the content while it is
    /// read.
    fn print<'a>(
        &self,
        page: &Page,
        before: &[String],
        spans: impl Iterator<Item = Result<Span<'a>, Error>>,
    ) -> Result<Status, Failure> {
        let mut status = Status::Done;
        self.output.write(|out| {
            // The output records a write error itself; printing stops there.
            let heading = page.heading();
            if heading.iter().chain(before).try_for_each(|line| writeln!(out, "{line}")).is_err() {
                return Ok(());
            }
            for item in spans {
                if item.as_ref().map_or(true, |span| span.kind == Kind::Rest) {
                    status = Status::No;
                }
                if let Some(line) = page.item(&item)
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
        let page = match self.page(size) {
            Page::Columns(columns) => Page::Columns(columns.with_parts()),
            page @ Page::Json => page,
        };
        let lines: Vec<_> = spans.iter().filter_map(|span| page.item(&Ok(span.clone()))).collect();
        self.print_lines(&page, &lines)?;
        let unread = spans.iter().any(|span| span.kind == Kind::Rest);
        Ok(if unread { Status::No } else { Status::Done })
    }
}

/// Returns the line between a container and its content.
fn inside(source: &Source) -> String {
    let (size, layers) = (counted(source.bytes().len() as u64, "byte"), named(source.layers()));
    format!("inside ({layers}): {size}, where offsets start again")
}

/// Returns the row for the content of a file in a pack.
fn content_row(page: &Page, file: &PackedFile) -> String {
    let what = if file.is_encrypted() { " encrypted" } else { "" };
    let (name, size) = (file.name(), counted(file.stored_size(), "byte"));
    let text = format!("{}:{what} content of {size}", within_game(&name));
    page.place(file.offset(), &text)
}
