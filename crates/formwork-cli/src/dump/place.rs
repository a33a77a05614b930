//! Finds the rows of a dump for a path from the command line.

use formwork_alb1::Value;
use formwork_variant::Real;
use formwork_variant::edit::{Step, ValuePath};
use formwork_variant::inspect::{Kind, Span, SpanType};
use formwork_variant::{Error, PathSegment, Strictness};

use super::super::alb1;
use super::super::container::Torn;
use super::super::failure::Failure;
use super::super::format::by_precision;
use super::super::framing::FramingName;
use super::super::lost_path::lost;
use super::super::lost_path::no_place;
use super::super::packets::Input;
use super::super::values::recover;

/// The key that identifies the rows of a value.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    /// The names of the enclosing rows and of the row itself, outermost first.
    Names(Vec<String>),
    /// The offset of the field.
    Field(u64),
    /// The offset of the packet of the value.
    Packet(u64),
}

/// The identity of a row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    offset: u64,
    /// Number of enclosing rows.
    pub(super) depth: u32,
    name: PathSegment,
}

impl Row {
    /// Returns whether a span is this row.
    pub(super) fn is(&self, span: &Span<'_>) -> bool {
        (self.offset, self.depth) == (span.offset, span.depth) && self.name == span.name
    }
}

impl Rows {
    /// Finds a value in packets by its path, like `get`, in the readable part of them. A path
    /// without a value may be a path of row names.
    pub(super) fn in_packets(input: &Input, path: &str) -> Result<Self, Failure> {
        by_precision!(input.dialect, R => Self::of_value::<R>(input, path))
    }

    fn of_value<R: Real>(input: &Input, path: &str) -> Result<Self, Failure> {
        if let Some(start) = Self::packet::<R>(input, path) {
            return Ok(Self::Packet(start));
        }
        let values = match input.values::<R>(Strictness::Engine) {
            Ok(read) => read.values,
            // The values before the fault keep their places.
            Err(_) => recover::<R>(input, &Torn::default()).values,
        };
        let found = ValuePath::new(path).find_in(&values, input.dialect);
        let name = &input.source.name;
        let (number, place) =
            found.map_err(|error: Error| lost(name, path, &values, input.dialect, &error))?;
        let is_settings = input.framing == FramingName::Settings;
        let mut names = match (is_settings, input.framing.order()) {
            (true, _) => Vec::new(),
            (false, Some(_)) => vec![format!("[{number}]"), "packet".to_owned()],
            (false, None) => vec![format!("[{number}]")],
        };
        for (level, step) in place.steps().iter().enumerate() {
            let is_setting = is_settings && level == 0;
            let (at, part) = match *step {
                Step::Element(at) => (at, None),
                Step::Key(at) if is_setting => (at, Some("name")),
                Step::Key(at) => (at, Some("key")),
                Step::Value(at) => (at, Some("value")),
                Step::Property(at) => {
                    names.push("properties".to_owned());
                    (at, Some("value"))
                }
            };
            names.push(format!("[{at}]"));
            names.extend(part.map(str::to_owned));
        }
        Ok(Self::Names(names))
    }

    /// Returns the offset of the packet of a value, without decoding a value; none where this is
    /// impossible.
    fn packet<R: Real>(input: &Input, path: &str) -> Option<u64> {
        let (start, packet) = input.only_packet().filter(|_| !path.is_empty())?;
        let decoder = input.decoder::<R>(Strictness::Engine);
        let range = ValuePath::new(path).find_packet(packet, &decoder).ok()??;
        Some(start + range.start as u64)
    }

    /// Splits a path of row names, separated by `/`.
    pub(super) fn of_names(path: &str) -> Self {
        let names = path.split('/').filter(|name| !name.is_empty());
        Self::Names(names.map(str::to_owned).collect())
    }

    /// Finds a field of an ALB1 file, like `get`.
    pub(super) fn in_document(file: &alb1::File, path: &str) -> Result<Self, Failure> {
        let document = file.document()?;
        let wanted =
            document.get(path).map_err(|error| no_place(&file.source.name, path, &error))?;
        let is_it = |value: &Value| std::ptr::eq(value, wanted);
        let found = document.walk().find(|item| item.value().is_some_and(is_it));
        let missing = || Failure::no(format!("{}: no row starts at this path", file.source.name));
        found.map(|item| Self::Field(item.offset)).ok_or_else(missing)
    }

    /// Returns whether all rows are meant.
    pub(super) fn are_all(&self) -> bool {
        matches!(self, Self::Names(names) if names.is_empty())
    }

    /// Finds the row among these spans.
    pub(super) fn find<'a>(
        &self,
        spans: impl Iterator<Item = Result<Span<'a>, Error>>,
    ) -> Option<Row> {
        let names = match self {
            Self::Names(names) => names.as_slice(),
            Self::Field(_) | Self::Packet(_) => &[],
        };
        // The enclosing rows, as far as their names match.
        let mut open: Vec<u32> = Vec::new();
        for span in spans.filter_map(Result::ok) {
            let is_found = match self {
                Self::Field(offset) => {
                    span.offset == *offset && matches!(span.layout, SpanType::Field(_))
                }
                Self::Packet(offset) => {
                    span.offset == *offset && matches!(span.layout, SpanType::Packet(_))
                }
                Self::Names(_) => {
                    while open.last().is_some_and(|depth| *depth >= span.depth) {
                        open.pop();
                    }
                    let is_next = open.last().map_or(0, |depth| depth + 1) == span.depth;
                    let is_named =
                        names.get(open.len()).is_some_and(|name| *name == span.name.to_string());
                    if is_next && is_named && span.kind != Kind::Part {
                        open.push(span.depth);
                    }
                    is_next && is_named && open.len() == names.len()
                }
            };
            if is_found {
                let Span { offset, depth, name, .. } = span;
                return Some(Row { offset, depth, name });
            }
        }
        None
    }
}
