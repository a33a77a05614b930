//! The rows of `dump`: which of them are asked for, and how they are printed.
//!
//! A file of any format hands over its rows in their order, by [`File::rows`](super::file::File::rows).

mod columns;
mod json;
mod page;
mod place;
mod row;

use std::io::Write;
use std::ops::ControlFlow;

use formwork_godot::inspect::Inspect;

use super::failure::{Failure, Status};
use super::quantity::counted;
use super::slashes::is_inside;
use super::source::Source;
use super::style::shown;
pub(crate) use columns::Columns;
pub(crate) use page::Page;
pub(crate) use place::Place;
pub(crate) use row::Row;

/// The rows that are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// The path of the outermost row.
    pub(crate) path: Option<&'a str>,
    /// The offset of a byte.
    pub(crate) at: Option<u64>,
    /// Number of levels inside of the outermost row.
    pub(crate) depth: Option<u32>,
    /// Whether every element of a list has a row.
    pub(crate) all_elements: bool,
}

impl Asked<'_> {
    /// Returns whether only some place of the content is asked for.
    const fn is_place(&self) -> bool {
        self.path.is_some() || self.at.is_some()
    }
}

/// Prints the rows that are asked for.
pub(crate) struct Rows<'o> {
    out: &'o mut dyn Write,
    page: Page,
    asked: Asked<'o>,
    /// The mark of the rows at the path.
    place: Option<Place>,
    /// The reason why the path leads to no value.
    lost: Option<Failure>,
    /// Number of names of the place that the enclosing rows have.
    matched: usize,
    /// The depth of the row at the path.
    outermost: Option<u32>,
    /// The lines of the rows around a byte that may follow, with their depths.
    around: Vec<(u32, String)>,
    /// Name of the file.
    name: &'o str,
    /// Number of bytes of the content.
    size: u64,
    has_heading: bool,
    /// Whether a row was printed.
    is_found: bool,
    /// Whether no row is asked for any more.
    is_done: bool,
    status: Status,
    /// The reason why the content cannot be read.
    closed: Option<Failure>,
}

impl<'o> Rows<'o> {
    /// Prints rows of the file `name`.
    pub(crate) fn new(out: &'o mut dyn Write, page: Page, asked: Asked<'o>, name: &'o str) -> Self {
        let path = asked.path.filter(|path| !path.trim_matches('/').is_empty());
        Self {
            out,
            page,
            asked: Asked { path, ..asked },
            place: path.map(|path| Place::names(path, &[])),
            lost: None,
            matched: 0,
            outermost: None,
            around: Vec::new(),
            name,
            size: 0,
            has_heading: false,
            is_found: false,
            is_done: false,
            status: Status::Done,
            closed: None,
        }
    }

    /// Returns whether every element of a list has a row.
    pub(crate) const fn all_elements(&self) -> bool {
        self.asked.all_elements
    }

    /// Finds out what the path means; without this, a path is the names of rows. Where this fails, too.
    pub(crate) fn seek(&mut self, find: impl FnOnce(&str) -> Result<Place, Failure>) {
        let Some(path) = self.asked.path else { return };
        match find(path) {
            // The path of the whole content.
            Ok(Place::Names(names)) if names.is_empty() => {
                (self.place, self.asked.path) = (None, None);
            }
            Ok(place) => self.place = Some(place),
            Err(failure) => self.lost = Some(failure),
        }
    }

    /// Starts a content of `size` bytes, whose offsets count from 0.
    pub(crate) fn start(&mut self, size: usize) {
        self.size = size as u64;
        let (depth, has_parts) = (self.asked.depth, self.asked.at.is_some());
        let page = std::mem::replace(&mut self.page, Page::Json);
        self.page = page.with(|columns| {
            let columns = columns.sized(size).levels(0, depth);
            if has_parts { columns.with_parts() } else { columns }
        });
    }

    /// Starts the content of a container.
    pub(crate) fn inside(&mut self, container: &str, size: usize) {
        let bytes = counted(size as u64, "byte");
        self.remark(&format!("inside ({container}): {bytes}, where offsets start again"));
        self.start(size);
    }

    /// Prints a remark about the rows that follow, unless some place is asked for.
    pub(crate) fn remark(&mut self, text: &str) {
        if !self.asked.is_place() {
            let _ = self.print(&self.page.remark(text), true);
        }
    }

    /// Prints the fields of a container around the content, unless some place of the content is asked for.
    pub(crate) fn around<'a>(&mut self, inspector: impl Inspect<'a>) {
        if !self.asked.is_place() {
            self.fields(inspector);
        }
    }

    /// Ends at a container that cannot be opened, after [`around`](Self::around): places are those of its fields.
    pub(crate) fn closed<'a>(&mut self, inspector: impl Inspect<'a>, failure: Failure) {
        if self.asked.is_place() {
            self.fields(inspector);
        }
        self.closed = Some(failure);
    }

    /// Ends with the reason why the rest of the content cannot be shown.
    pub(crate) fn end_early(&mut self, failure: Failure) {
        self.closed = Some(failure);
    }

    /// Says that some bytes could not be read, which matters unless some place is asked for.
    pub(crate) fn is_partial(&mut self) {
        if !self.asked.is_place() {
            self.status = Status::No;
        }
    }

    /// Prints the rows of an inspector.
    pub(crate) fn fields<'a>(&mut self, inspector: impl Inspect<'a>) {
        if let Some(offset) = self.asked.at {
            let spans = if self.is_found { Vec::new() } else { inspector.at(offset) };
            let _ = spans.iter().try_for_each(|span| self.show(&Row::Span(span)));
            return;
        }
        let mut inspector = match (self.asked.path, self.asked.depth) {
            (None, Some(depth)) => inspector.deepest(depth),
            _ => inspector,
        };
        let _ = inspector.try_for_each(|item| match &item {
            Ok(span) => self.row(&Row::Span(span)),
            Err(fault) => self.row(&Row::Fault(fault)),
        });
    }

    /// Prints bytes of no known format in plain rows.
    pub(crate) fn unknown(&mut self, source: &Source, failure: Failure) -> Result<(), Failure> {
        if self.asked.path.is_some() {
            let name = self.name;
            return Err(Failure::usage(format!("{name}: --path is for files of a known format")));
        }
        let content = source.content();
        let width = match &self.page {
            Page::Columns(columns) => columns.plain_bytes(),
            Page::Json if self.asked.at.is_some() => 1,
            Page::Json => content.len().max(1),
        };
        let offsets = (source.skipped() as u64..).step_by(width);
        let _ = offsets
            .zip(content.chunks(width))
            .try_for_each(|(offset, bytes)| self.row(&Row::Plain { offset, bytes }));
        self.end_early(failure);
        Ok(())
    }

    /// Prints a row if it is asked for. Breaks where no further row is.
    pub(crate) fn row(&mut self, row: &Row<'_>) -> ControlFlow<()> {
        if !self.is_at_path(row) {
            // The rows at a path of an inspector follow each other.
            self.is_done |= self.outermost.is_some() && matches!(row, Row::Span(_));
            return self.going();
        }
        if self.place.is_some() && self.outermost.is_none() {
            let (from, depth) = (row.depth(), self.asked.depth);
            let page = std::mem::replace(&mut self.page, Page::Json);
            (self.page, self.outermost) = (page.with(|it| it.levels(from, depth)), Some(from));
        }
        if let Some(offset) = self.asked.at {
            self.around.retain(|(depth, _)| *depth < row.depth());
            if !row.covers(offset) {
                if let (Row::Document(_), Some(text)) = (row, self.page.row(row)) {
                    self.around.push((row.depth(), text));
                }
                return self.going();
            }
            for (_, text) in std::mem::take(&mut self.around) {
                self.print(&text, true)?;
            }
        }
        self.show(row)
    }

    fn going(&self) -> ControlFlow<()> {
        if self.is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_at_path(&mut self, row: &Row<'_>) -> bool {
        match (&self.place, self.outermost, row) {
            _ if self.is_done => false,
            (None, ..) => true,
            (Some(Place::Path(path)), ..) => row.path().is_some_and(|it| is_inside(&it, path)),
            (Some(_), Some(outermost), row) => row.depth() > outermost || row.is_fault(),
            (Some(place), None, Row::Span(span)) => place.is(span, &mut self.matched),
            (Some(_), None, _) => false,
        }
    }

    /// Prints a row, unless it is too deep.
    fn show(&mut self, row: &Row<'_>) -> ControlFlow<()> {
        let level = row.depth().saturating_sub(self.outermost.unwrap_or_default());
        if self.asked.depth.is_some_and(|deepest| level > deepest) && !row.is_fault() {
            return ControlFlow::Continue(());
        }
        if row.is_unread() {
            self.status = Status::No;
        }
        match self.page.row(row) {
            Some(text) => self.print(&text, !matches!(row, Row::Plain { .. })),
            None => ControlFlow::Continue(()),
        }
    }

    /// Prints lines, under the headings of the columns.
    fn print(&mut self, text: &str, is_in_columns: bool) -> ControlFlow<()> {
        self.is_found = true;
        let heading = if is_in_columns && !self.has_heading { self.page.heading() } else { None };
        self.has_heading |= is_in_columns;
        let mut lines = heading.as_deref().into_iter().chain([text]);
        // The output records a write error itself; printing stops there.
        self.is_done |= lines.try_for_each(|line| writeln!(self.out, "{line}")).is_err();
        self.going()
    }

    /// Returns the status, and the reason why the content could not be read.
    pub(crate) fn ended(self) -> Result<(Status, Option<Failure>), Failure> {
        let (name, size) = (self.name, self.size);
        match (self.is_found, self.asked.path, self.asked.at) {
            (false, Some(path), _) => Err(self.closed.or(self.lost).unwrap_or_else(|| {
                Failure::no(format!("{name}: no row has the path {}", shown(path)))
            })),
            (false, _, Some(at)) => Err(Failure::no(match at < size {
                true => format!("{name}: no field has the byte at offset {at} (0x{at:x})"),
                false => format!(
                    "{name}: the file has no byte at offset {at} (0x{at:x}); its size is {size}"
                ),
            })),
            _ => Ok((self.status, self.closed)),
        }
    }
}
