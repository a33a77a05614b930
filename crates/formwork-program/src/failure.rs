//! The failures of commands: their messages, and the exit status.

use std::fmt::Write as _;
use std::io;

use formwork_godot::wrapper::Layer;
use formwork_variant::{Error, ErrorKind, Rule};

use super::layers::named;
use super::lines::{Finding, Grade};
use super::style::{Palette, shown};
use super::window;

/// The exit status of the program.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    /// Success; or the answer "yes".
    Done = 0,
    /// The answer "no": the input is not valid, or not as asked.
    No = 1,
    /// The program was used wrongly.
    Usage = 2,
    /// An input or output could not be read or written.
    Stream = 3,
    /// The user interrupted the command, which ended by itself.
    Interrupted = 130,
}

impl Status {
    /// Combines two statuses: returns the worse one.
    pub fn and(self, other: Self) -> Self {
        if (other as u8) > (self as u8) { other } else { self }
    }
}

/// The reason why a command failed.
#[derive(Debug)]
pub struct Failure {
    status: Status,
    message: Message,
    /// Whether the command may succeed if it reads its file again.
    is_outdated: bool,
    /// The exit status that a filter chose.
    code: Option<u8>,
    /// The finding for programs about a path or a new value that is refused in one line.
    refused: Option<Box<Finding>>,
}

#[derive(Debug)]
enum Message {
    /// No message: nobody is left to read it.
    None,
    /// One line, and lines that explain it.
    Plain(String, Vec<String>),
    /// A fault in bytes or a text, or a value that cannot be written.
    Fault {
        name: String,
        error: Error,
        place: Box<Place>,
        keys: String,
        hints: Vec<String>,
        /// Whether a new value is refused, and no file is damaged.
        is_refused: bool,
    },
}

/// The origin of an error's offset.
#[derive(Debug)]
enum Place {
    /// Bytes, with the rows around the offset.
    Bytes(Vec<window::Row>),
    /// Bytes that were in containers, with the rows around the offset and the names of the
    /// containers.
    Unpacked(Vec<window::Row>, String),
    /// A text, with the line of the fault.
    Text(window::Line),
    /// The bytes that would have been written.
    Output,
}

impl Place {
    /// Returns the words before an error in one line that contains its offset.
    fn inside(&self) -> String {
        match self {
            Self::Unpacked(_, layers) => format!("inside ({layers}): "),
            _ => String::new(),
        }
    }
}

impl Failure {
    /// Makes a failure with the answer "no".
    pub fn no(message: impl Into<String>) -> Self {
        Self::plain(Status::No, message)
    }

    /// Makes a failure for a path, or the new value at the path, that is refused because of an error.
    pub fn refused(message: impl Into<String>, path: &str, error: &Error) -> Self {
        let path = shown(path);
        let finding = Finding { offset: None, path, ..Finding::of(Grade::Warning, error) };
        Self { refused: Some(Box::new(finding)), ..Self::no(message) }
    }

    /// Makes a failure for wrong usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::plain(Status::Usage, message)
    }

    /// Makes a failure for `name`, which could not be read or written.
    pub fn stream(what: &str, name: &str, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "no such file or folder".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
            _ => error.to_string(),
        };
        Self::plain(Status::Stream, format!("{name}: {what}: {why}"))
    }

    /// Makes a failure for a needed input that could not be read.
    pub fn unreadable(message: impl Into<String>) -> Self {
        Self::plain(Status::Stream, message)
    }

    /// Makes a failure for `name`, which changed after it was read.
    pub fn outdated(name: &str) -> Self {
        let message = format!("{name}: another program changed the file; nothing was written");
        let failure = Self::unreadable(message).hint("run the command again");
        Self { is_outdated: true, ..failure }
    }

    /// Returns whether the command may succeed if it reads its file again.
    pub const fn is_outdated(&self) -> bool {
        self.is_outdated
    }

    /// Returns whether the command was used wrongly.
    pub fn is_usage(&self) -> bool {
        self.status == Status::Usage
    }

    /// Returns whether an input or output failed.
    pub fn is_of_stream(&self) -> bool {
        let is_fault = |error: &Error| error.rule() == Rule::INPUT_IO;
        self.status == Status::Stream
            || matches!(&self.message, Message::Fault { error, .. } if is_fault(error))
    }

    /// Turns "no" into a failure to read, for commands that do not ask whether the input is valid:
    /// "no" would be an answer to their question.
    pub fn because_unreadable(mut self) -> Self {
        self.status = if self.status == Status::No { Status::Stream } else { self.status };
        self
    }

    /// Makes a failure for a closed output, whose reader may stop at any time.
    pub fn unread() -> Self {
        Self::said(Status::Done)
    }

    /// Makes a failure without a message, because the message was printed already.
    pub const fn said(status: Status) -> Self {
        Self { status, message: Message::None, is_outdated: false, code: None, refused: None }
    }

    fn plain(status: Status, message: impl Into<String>) -> Self {
        let message = Message::Plain(message.into(), Vec::new());
        Self { message, ..Self::said(status) }
    }

    /// Adds a hint about the next step.
    pub fn hint(self, hint: impl AsRef<str>) -> Self {
        self.line(format!("hint: {}", hint.as_ref()))
    }

    /// Adds the place of the fault as keys: `player/gold`.
    pub fn in_keys(mut self, place: String) -> Self {
        if let Message::Fault { keys, .. } = &mut self.message {
            *keys = place;
        }
        self
    }

    /// Makes a fault that of a new value, for this path.
    pub fn in_new_value(mut self, path: &str) -> Self {
        if let Message::Fault { keys, is_refused, .. } = &mut self.message {
            let slash = if path.is_empty() || keys.is_empty() { "" } else { "/" };
            (*keys, *is_refused) = (format!("{}{slash}{keys}", shown(path)), true);
        }
        self
    }

    /// Adds a line below the message.
    pub fn line(mut self, line: impl Into<String>) -> Self {
        if let Message::Plain(_, hints) | Message::Fault { hints, .. } = &mut self.message {
            hints.push(line.into());
        }
        self
    }

    /// Makes a failure for a fault in the bytes of `name`.
    pub fn in_bytes(name: &str, bytes: &[u8], error: Error) -> Self {
        let rows = window::rows(bytes, error.offset());
        Self::fault(name, error, Place::Bytes(rows))
    }

    /// Makes a failure for a fault in bytes that were compressed in `name`.
    pub fn in_unpacked(name: &str, bytes: &[u8], packed_as: &str, error: Error) -> Self {
        let rows = window::rows(bytes, error.offset());
        Self::fault(name, error, Place::Unpacked(rows, packed_as.to_owned()))
    }

    /// Adds the containers that the bytes were in, if any.
    pub fn unpacked(mut self, layers: &[Layer]) -> Self {
        if let Message::Fault { place, .. } = &mut self.message
            && let Place::Bytes(rows) = &mut **place
            && !layers.is_empty()
        {
            **place = Place::Unpacked(std::mem::take(rows), named(layers));
        }
        self
    }

    /// Makes a failure for a fault in the text of `name`.
    pub fn in_text(name: &str, text: &[u8], error: Error) -> Self {
        let line = window::line(text, error.offset());
        Self::fault(name, error, Place::Text(line))
    }

    /// Makes a failure for a value of `name` that cannot be written.
    pub fn in_value(name: &str, error: Error) -> Self {
        let is_name = error.expected() == "a value of the type StringName";
        let failure = Self::fault(name, error, Place::Output).in_new_value("");
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
        let (place, is_refused) = (Box::new(place), false);
        let message = Message::Fault { name, error, place, keys, hints, is_refused };
        Self { message, ..Self::said(status) }
    }

    /// Returns whether bytes are damaged, rather than beyond a limit.
    pub fn is_damage(&self) -> bool {
        let Message::Fault { error, is_refused: false, .. } = &self.message else { return false };
        matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Incomplete { .. })
    }

    /// Makes the program end with the exit status that a filter chose.
    pub const fn ending_with(mut self, code: u8) -> Self {
        self.code = Some(code);
        self
    }

    /// Returns the exit status of the program.
    pub fn code(&self) -> u8 {
        self.code.unwrap_or(self.status as u8)
    }

    /// Returns the exit status.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns the answer in one line, where it is "no".
    pub fn answer(&self) -> Option<String> {
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

    /// Returns the fault in bytes or a text, if it is one.
    pub fn error(&self) -> Option<&Error> {
        match &self.message {
            Message::Fault { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Returns the message in one line, without explanations; none where nobody is left to read it.
    pub fn brief(&self) -> Option<String> {
        match &self.message {
            Message::None => None,
            Message::Plain(message, _) => Some(message.clone()),
            Message::Fault { name, error, place, .. } => {
                Some(format!("{name}: {}{error}", place.inside()))
            }
        }
    }

    /// Returns the failure as a finding.
    pub fn finding(&self) -> Finding {
        let message = self.brief().unwrap_or_default();
        match &self.message {
            Message::Fault { error, keys, is_refused, .. } => {
                let grade = if *is_refused { Grade::Warning } else { Grade::Damage };
                let found = Finding { message, ..Finding::of(grade, error) };
                if keys.is_empty() { found } else { Finding { path: keys.clone(), ..found } }
            }
            _ => match &self.refused {
                Some(refused) => Finding { message, ..Finding::clone(refused) },
                None => Finding::failure(message),
            },
        }
    }

    /// Returns the failure in a few lines, for a report about `name`.
    pub fn lines(&self, name: &str) -> Vec<String> {
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

    /// Returns the text to print; empty where there is none.
    pub fn render(&self, palette: &Palette) -> String {
        let red = palette.error;
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = match &self.message {
            Message::None => Ok(()),
            Message::Plain(message, hints) => {
                let _ = writeln!(out, "{red}error{red:#}: {message}");
                hints.iter().try_for_each(|hint| writeln!(out, "  {hint}"))
            }
            Message::Fault { name, error, place, keys, hints, .. } => {
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

/// Describes the place of the fault in a line.
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
