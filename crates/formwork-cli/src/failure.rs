//! What the program says when something went wrong, and the exit status that goes with it.

use std::fmt::Write as _;
use std::io;

use formwork_godot::wrapper::Layer;
use formwork_variant::{Error, ErrorKind};

use super::container::named;
use super::input::Source;
use super::lines::Finding;
use super::style::Palette;
use super::window;

/// How the program ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Status {
    /// Done; or, to a question, yes.
    Done = 0,
    /// The answer is no: the input is not valid, or not what was asked about.
    No = 1,
    /// The program was used wrongly.
    Usage = 2,
    /// Something could not be read or written.
    Stream = 3,
}

impl Status {
    /// The status of two things done: the worse of theirs.
    pub(crate) fn and(self, other: Self) -> Self {
        if (other as u8) > (self as u8) { other } else { self }
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    message: Message,
    /// Whether the command may succeed if it reads its file anew.
    is_outdated: bool,
    /// The exit status that a filter chose.
    code: Option<u8>,
}

#[derive(Debug)]
enum Message {
    /// Nobody is left to read it.
    None,
    /// One line, and lines that explain it.
    Plain(String, Vec<String>),
    /// A fault in bytes or a text, or a value that cannot be written.
    Fault { name: String, error: Error, place: Box<Place>, keys: String, hints: Vec<String> },
}

/// What an error's offset counts in.
#[derive(Debug)]
enum Place {
    /// Bytes; these lines show them.
    Bytes(Vec<window::Row>),
    /// Bytes that were in these wrappers; these lines show them.
    Unpacked(Vec<window::Row>, String),
    /// A text; this is the line with the fault.
    Text(window::Line),
    /// The bytes that would have been written.
    Output,
}

impl Place {
    /// What stands in front of an error in one line, which has its offset.
    fn inside(&self) -> String {
        match self {
            Self::Unpacked(_, layers) => format!("inside ({layers}): "),
            _ => String::new(),
        }
    }
}

impl Failure {
    /// The answer is no.
    pub(crate) fn no(message: impl Into<String>) -> Self {
        Self::plain(Status::No, message)
    }

    /// The program was used wrongly.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::plain(Status::Usage, message)
    }

    /// `name` could not be read or written.
    pub(crate) fn stream(what: &str, name: &str, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "no such file or folder".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
            _ => error.to_string(),
        };
        Self::plain(Status::Stream, format!("{name}: {what}: {why}"))
    }

    /// Something that was needed could not be read.
    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Self::plain(Status::Stream, message)
    }

    /// `name` is not as it was when it was read.
    pub(crate) fn outdated(name: &str) -> Self {
        let message = format!("{name}: another program changed the file; nothing was written");
        let failure = Self::unreadable(message).hint("run the command again");
        Self { is_outdated: true, ..failure }
    }

    /// Whether the command may succeed if it reads its file anew.
    pub(crate) const fn is_outdated(&self) -> bool {
        self.is_outdated
    }

    /// Makes it a failure to read, where the question was another one than whether the input is valid: "no" would be
    /// its answer.
    pub(crate) fn because_unreadable(mut self) -> Self {
        self.status = if self.status == Status::No { Status::Stream } else { self.status };
        self
    }

    /// The reader of our output has gone, which is its good right.
    pub(crate) fn unread() -> Self {
        Self::said(Status::Done)
    }

    /// What there is to say was said already.
    pub(crate) const fn said(status: Status) -> Self {
        Self { status, message: Message::None, is_outdated: false, code: None }
    }

    fn plain(status: Status, message: impl Into<String>) -> Self {
        let message = Message::Plain(message.into(), Vec::new());
        Self { status, message, is_outdated: false, code: None }
    }

    /// Adds what to do next.
    pub(crate) fn hint(self, hint: impl AsRef<str>) -> Self {
        self.line(format!("hint: {}", hint.as_ref()))
    }

    /// Adds where the fault is by keys: `player/gold`.
    pub(crate) fn in_keys(mut self, place: String) -> Self {
        if let Message::Fault { keys, .. } = &mut self.message {
            *keys = place;
        }
        self
    }

    /// Adds a line below the message.
    pub(crate) fn line(mut self, line: impl Into<String>) -> Self {
        if let Message::Plain(_, hints) | Message::Fault { hints, .. } = &mut self.message {
            hints.push(line.into());
        }
        self
    }

    /// A fault in the bytes of `name`.
    pub(crate) fn in_bytes(name: &str, bytes: &[u8], error: Error) -> Self {
        let rows = window::rows(bytes, error.offset());
        Self::fault(name, error, Place::Bytes(rows))
    }

    /// A fault in the bytes of a source.
    pub(crate) fn in_source(source: &Source, error: Error) -> Self {
        Self::in_bytes(&source.name, source.bytes(), error).unpacked(source.layers())
    }

    /// A fault in bytes that were packed inside `name`.
    pub(crate) fn in_unpacked(name: &str, bytes: &[u8], packed_as: &str, error: Error) -> Self {
        let rows = window::rows(bytes, error.offset());
        Self::fault(name, error, Place::Unpacked(rows, packed_as.to_owned()))
    }

    /// Says that the bytes were in these wrappers, if any.
    pub(crate) fn unpacked(mut self, layers: &[Layer]) -> Self {
        if let Message::Fault { place, .. } = &mut self.message
            && let Place::Bytes(rows) = &mut **place
            && !layers.is_empty()
        {
            **place = Place::Unpacked(std::mem::take(rows), named(layers));
        }
        self
    }

    /// A fault in the text of `name`.
    pub(crate) fn in_text(name: &str, text: &[u8], error: Error) -> Self {
        let line = window::line(text, error.offset());
        Self::fault(name, error, Place::Text(line))
    }

    /// The value of `name` cannot be written.
    pub(crate) fn in_value(name: &str, error: Error) -> Self {
        let is_name = error.expected() == "a value of the type StringName";
        let failure = Self::fault(name, error, Place::Output);
        match is_name {
            true => {
                failure.hint("write &\"NAME\"; in a filter: \"NAME\" | of_type(\"StringName\")")
            }
            false => failure,
        }
    }

    fn fault(name: &str, error: Error, place: Place) -> Self {
        let status = if error.kind() == ErrorKind::Io { Status::Stream } else { Status::No };
        let (name, keys, hints) = (name.to_owned(), String::new(), Vec::new());
        Self {
            status,
            message: Message::Fault { name, error, place: Box::new(place), keys, hints },
            is_outdated: false,
            code: None,
        }
    }

    /// Whether bytes are damaged, rather than more than a limit allows.
    pub(crate) fn is_damage(&self) -> bool {
        let Message::Fault { error, .. } = &self.message else { return false };
        matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Incomplete { .. })
    }

    /// Makes the program end with the exit status that a filter chose.
    pub(crate) const fn ending_with(mut self, code: u8) -> Self {
        self.code = Some(code);
        self
    }

    /// Returns the exit status of the program.
    pub(crate) fn code(&self) -> u8 {
        self.code.unwrap_or(self.status as u8)
    }

    /// The exit status.
    pub(crate) const fn status(&self) -> Status {
        self.status
    }

    /// The answer in one line, where it is no.
    pub(crate) fn answer(&self) -> Option<String> {
        match &self.message {
            _ if self.status != Status::No => None,
            Message::None => None,
            Message::Plain(message, _) => Some(message.clone()),
            Message::Fault { name, error, place, keys, .. } => {
                let keys = if keys.is_empty() { String::new() } else { format!("{keys}: ") };
                Some(format!("{name}: damaged: {}{keys}{error}", place.inside()))
            }
        }
    }

    /// Returns the fault in bytes or a text, where it is one.
    pub(crate) fn error(&self) -> Option<&Error> {
        match &self.message {
            Message::Fault { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Returns it in a line, without what explains it; nothing where nobody is left to read it.
    pub(crate) fn brief(&self) -> Option<String> {
        match &self.message {
            Message::None => None,
            Message::Plain(message, _) => Some(message.clone()),
            Message::Fault { name, error, place, .. } => {
                Some(format!("{name}: {}{error}", place.inside()))
            }
        }
    }

    /// Returns it for programs.
    pub(crate) fn finding(&self) -> Finding {
        let message = self.brief().unwrap_or_default();
        match &self.message {
            Message::Fault { error, keys, .. } if keys.is_empty() => {
                Finding { message, ..Finding::damage(error) }
            }
            Message::Fault { error, keys, .. } => {
                Finding { message, path: keys.clone(), ..Finding::damage(error) }
            }
            _ => Finding::failure(message),
        }
    }

    /// Returns it in a few lines, for a report about what is called `name`.
    pub(crate) fn lines(&self, name: &str) -> Vec<String> {
        match &self.message {
            Message::None => Vec::new(),
            Message::Plain(message, hints) => {
                let start = format!("{name}: ");
                let message = message.strip_prefix(&start).unwrap_or(message).to_owned();
                std::iter::once(message).chain(hints.iter().cloned()).collect()
            }
            Message::Fault { error, place, hints, .. } => {
                let fault = format!("{}{error}", place.inside());
                std::iter::once(fault).chain(hints.iter().cloned()).collect()
            }
        }
    }

    /// What to print, if anything.
    pub(crate) fn render(&self, palette: &Palette) -> String {
        let red = palette.error;
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = match &self.message {
            Message::None => Ok(()),
            Message::Plain(message, hints) => {
                let _ = writeln!(out, "{red}error{red:#}: {message}");
                hints.iter().try_for_each(|hint| writeln!(out, "  {hint}"))
            }
            Message::Fault { name, error, place, keys, hints } => {
                let (expected, found) = (error.expected(), error.found());
                let _ =
                    writeln!(out, "{red}error{red:#}: {name}: expected {expected}, found {found}");
                if !keys.is_empty() {
                    let _ = writeln!(out, "  in {keys}");
                }
                let _ = writeln!(out, "  {}", whereabouts(error, place));
                let rule = error.rule();
                let _ = match error.needed() {
                    Some(1) => writeln!(out, "  at least 1 more byte is needed (rule {rule})"),
                    Some(needed) => {
                        writeln!(out, "  at least {needed} more bytes are needed (rule {rule})")
                    }
                    None => writeln!(out, "  rule {rule} requires that {}", rule.demand()),
                };
                match &**place {
                    Place::Bytes(rows) | Place::Unpacked(rows, _) => {
                        window::render_rows(rows, palette, &mut out)
                    }
                    Place::Text(line) => window::render_line(line, palette, &mut out),
                    Place::Output => Ok(()),
                }
                .and_then(|()| hints.iter().try_for_each(|hint| writeln!(out, "  {hint}")))
            }
        };
        out
    }
}

/// Where the fault is, in a line.
fn whereabouts(error: &Error, place: &Place) -> String {
    let offset = error.offset();
    let mut line = match place {
        Place::Bytes(_) => format!("at offset {offset} (0x{offset:x})"),
        Place::Unpacked(_, layers) => {
            format!("at offset {offset} (0x{offset:x}) of the unpacked content ({layers})")
        }
        Place::Text(text) => {
            format!("at line {}, column {} (byte {offset})", text.number, text.column)
        }
        Place::Output if error.is_nowhere() => match error.path().is_empty() {
            true => return "in the whole value".to_owned(),
            false => return format!("in {}", error.path()),
        },
        Place::Output => format!("at offset {offset} (0x{offset:x}) of what would be written"),
    };
    if !error.path().is_empty() {
        let _ = write!(line, ", in {}", error.path());
    }
    line
}
