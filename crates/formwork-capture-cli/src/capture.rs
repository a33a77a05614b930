//! `formwork-capture`: values from recorded network traffic.

use formwork_program::source;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use formwork_capture::{Capture, Conversation, Found, Framing, Other, Place, Summary};
use formwork_variant::json::{Style, to_json};
use formwork_variant::text::to_text;
use formwork_variant::{Dialect, Error, ErrorKind};
use formwork_variant::{Real, Variant};
use serde::Serialize;

use formwork_program::failure::{Failure, Status};
use formwork_program::format::{Format, ValueLimits, by_precision};
use formwork_program::lines::{self, Finding};
use formwork_program::output::OutputOptions;
use formwork_program::quantity::counted;
use formwork_program::remark;
use formwork_program::store;

/// Extract values from recorded network traffic
///
/// Reads pcap and pcapng files and prints one JSON line per value. Finds values in UDP, TCP, ENet
/// (Godot's and Pandemonium's high-level multiplayer, with remote calls) and WebSockets. Detects
/// the engine of each conversation.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Packets {
    /// Capture file of tcpdump or Wireshark ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Read only conversations with this port (can be repeated)
    #[arg(short, long = "port", value_name = "PORT")]
    ports: Vec<u16>,
    /// Format of the values, such as godot3 or godot4.2 [default: detected]
    #[arg(short, long, value_name = "FORMAT", value_parser = formwork_program::format::format, value_hint = ValueHint::Other)]
    format: Option<Format>,
    /// How values travel: bare, frames, frames-be, enet or websocket [default: detected]
    #[arg(long, value_name = "FRAMING", value_parser = framing)]
    framing: Option<Framing>,
    /// Skip BYTES bytes at the start of each message, which the game put before the value (hex: 0x10)
    #[arg(long, value_name = "BYTES", value_parser = formwork_program::format::bytes)]
    skip: Option<u64>,
    /// Form of the values [default: json]
    #[arg(long = "as", value_enum)]
    form: Option<Form>,
    /// Print JSON: --as json
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Print one line per conversation instead of its values
    #[arg(long)]
    summary: bool,
    #[command(flatten)]
    limits: ValueLimits,
    #[command(flatten)]
    output: OutputOptions,
}

/// The form of the values in a line.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Form {
    /// JSON that keeps every value exactly
    #[default]
    Json,
    /// The engine's text form (var2str, var_to_str), in a string
    Text,
}

const AFTER: &str = r#"Examples:
  formwork-capture game.pcap
  formwork-capture game.pcapng --port 9000 --as text
  formwork-capture game.pcap --summary
  formwork-capture game.pcap --skip 1       each message begins with a byte of the game's own
  tcpdump -i lo -U -w - udp port 9000 | formwork-capture -

Members of a line, in this order:
  time     when the last packet of the value was recorded (UTC), or null
  proto    udp or tcp
  src,dst  sender and receiver, with ports
  offset   where the value starts in the datagram, ENet packet or TCP stream
  framing  bare (a datagram), frames or frames-be (a stream), enet, websocket
  where    only for the high-level multiplayer: rpc, rset or bytes
           (send_bytes); then method and argument (from 0), or property
  format   the engine, the same for a whole conversation
  size     size of the value in bytes
  value    the value

What is left out:
Data that is not a value is counted, not printed; --summary shows what it is. At the end, standard error lists values that could not be read and TCP bytes that were not recorded. A WebSocket is recognized by its HTTP request.

Exit status: 0 success, 1 a value is missing or damaged, or FILE is damaged, cut off or not a capture, 2 wrong use, 3 a file could not be read or written."#;

fn framing(name: &str) -> Result<Framing, String> {
    let known = Framing::ALL.iter().copied();
    known.clone().find(|framing| framing.name() == name).ok_or_else(|| {
        let names: Vec<_> = known.map(Framing::name).collect();
        format!("one of {}", names.join(", "))
    })
}

impl Packets {
    pub(crate) fn run(mut self) -> Result<Status, Failure> {
        if self.json {
            self.form = Some(Form::Json);
        }
        let name = source::name(&self.file);
        let dialect = match self.format {
            None => None,
            Some(Format::Variant(dialect)) => Some(dialect),
            Some(Format::Alb1) => {
                return Err(Failure::usage("--format alb1: network packets contain no ALB1 files"));
            }
        };
        let is_stdin = source::is_stdin(&self.file);
        let reader: Box<dyn Read> = if is_stdin {
            Box::new(io::stdin().lock())
        } else {
            let failed = |error| Failure::stream("could not be read", &name, &error);
            Box::new(store::open(&self.file).map_err(failed)?)
        };
        let failed = |error: &Error| match error.kind() {
            ErrorKind::Io => {
                Failure::unreadable(format!("{name}: could not be read: {}", error.found()))
            }
            _ => Failure::no(format!("{name}: {error}")),
        };
        let mut capture = Capture::new(reader)
            .map_err(|error| failed(&error))?
            .ports(self.ports.iter().copied())
            .value_limits(self.limits.limits());
        if let Some(dialect) = dialect {
            capture = capture.dialect(dialect);
        }
        if let Some(framing) = self.framing {
            capture = capture.framing(framing);
        }
        if let Some(skip) = self.skip {
            capture = capture.skip(usize::try_from(skip).unwrap_or(usize::MAX));
        }
        let mut fault = None;
        self.output.write(|out| {
            for found in &mut capture {
                match found {
                    Ok(_) if self.summary => {}
                    Ok(found) => {
                        let line = by_precision!(found.dialect, R => self.line::<R>(&found))
                            .map_err(|error| Failure::in_value(&name, error))?;
                        let mut written = out.write_all(line.as_bytes());
                        if is_stdin {
                            // The file may be the output of a running recorder.
                            written = written.and_then(|()| out.flush());
                        }
                        // The output records a write error itself.
                        if written.is_err() {
                            return Ok(());
                        }
                    }
                    Err(error) => fault = Some(error),
                }
            }
            if self.summary {
                let summary = capture.summary();
                let text = match self.form {
                    Some(Form::Json) => lines_of(summary),
                    _ => table(summary),
                };
                let _ = out.write_all(text.as_bytes());
            }
            Ok(())
        })?;
        let summary = capture.summary();
        let mut damaged = false;
        if !self.ports.is_empty() && summary.conversations.is_empty() {
            remark(&format!("{name}: no conversation has a port that --port names"));
        }
        for note in notes(summary, &mut damaged) {
            remark(&format!("{name}: {note}"));
        }
        match fault {
            Some(error) if matches!(error.kind(), ErrorKind::Incomplete { .. }) => {
                remark(&format!("{name}: the capture ends in the middle of a packet: {error}"));
                Ok(Status::No)
            }
            Some(error) => Err(failed(&error)),
            None if damaged => Ok(Status::No),
            None => Ok(Status::Done),
        }
    }

    /// Returns the line of a value.
    fn line<R: Real>(&self, found: &Found) -> Result<String, Error> {
        let value = found.decoder().in_precision::<R>().decode(found.packet())?;
        let dialect = found.dialect;
        let string = |text: &str| to_json(&Variant::<R>::from(text), dialect, Style::Compact);
        let time = found.time.map_or("null".into(), |time| format!("\"{time}\""));
        let Found { transport, source, destination, offset, framing, size, .. } = found;
        let place = match &found.place {
            Place::Call { method, argument } => {
                let method = string(method);
                format!("\"where\":\"rpc\",\"method\":{method},\"argument\":{argument},")
            }
            Place::Property { name } => {
                format!("\"where\":\"rset\",\"property\":{},", string(name))
            }
            Place::Bytes => "\"where\":\"bytes\",".into(),
            _ => String::new(),
        };
        let value = match self.form.unwrap_or_default() {
            Form::Json => to_json(&value, dialect, Style::Compact),
            Form::Text => {
                let text: Variant<R> = Variant::String(to_text(&value, dialect));
                to_json(&text, dialect, Style::Compact)
            }
        };
        Ok(format!(
            "{{\"time\":{time},\"proto\":\"{transport}\",\"src\":\"{source}\",\"dst\":\"{destination}\",\
             \"offset\":{offset},\"framing\":\"{framing}\",{place}\"format\":\"{dialect}\",\
             \"size\":{size},\"value\":{value}}}\n"
        ))
    }
}

/// Describes a conversation without values.
const fn what(other: Other) -> &'static str {
    match other {
        Other::Nothing => "no data",
        Other::ENet => "ENet, no values in it",
        Other::ENetCompressed => "ENet, compressed",
        Other::Doubtful => "values by chance, if at all",
        Other::Unknown => "something else",
        Other::Text => "text",
        Other::Http => "HTTP",
        Other::Tls => "TLS",
        Other::Dns => "DNS",
        Other::Stun => "STUN",
        _ => "something else",
    }
}

/// A conversation, as JSON. Pairs are of the first and the second end.
#[derive(Serialize)]
struct ConversationLine {
    proto: String,
    src: String,
    dst: String,
    packet_counts: [u64; 2],
    sizes: [u64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    framing: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    value_count: u64,
    broken: u64,
    /// Number of messages without values.
    other: u64,
    /// Number of bytes that were not recorded.
    lost: u64,
    findings: Vec<Finding>,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
}

/// Returns the conversations as JSON, one per line.
fn lines_of(summary: &Summary) -> String {
    let line = |about: &Conversation| {
        let line = lines::line(&ConversationLine {
            proto: about.transport.to_string(),
            src: about.ends[0].to_string(),
            dst: about.ends[1].to_string(),
            packet_counts: about.packets,
            sizes: about.bytes,
            framing: about.framing.map(|framing| framing.to_string()),
            format: about.dialect.map(Dialect::name),
            value_count: about.values,
            broken: about.broken,
            other: about.without,
            lost: about.lost,
            findings: about.fault.iter().map(Finding::damage).collect(),
            message: remarks(about),
        });
        line + "\n"
    };
    summary.conversations.iter().map(line).collect()
}

/// Returns the conversations as a table, one per line.
fn table(summary: &Summary) -> String {
    let heads = [
        "proto", "from", "to", "packets", "bytes", "framing", "format", "values", "broken",
        "other", "lost", "remarks",
    ];
    let mut rows = vec![heads.map(str::to_owned)];
    for about in &summary.conversations {
        let pair = |[there, back]: [u64; 2]| format!("{there}+{back}");
        let or = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        rows.push([
            about.transport.to_string(),
            about.ends[0].to_string(),
            about.ends[1].to_string(),
            pair(about.packets),
            pair(about.bytes),
            or(about.framing.map(|framing| framing.to_string())),
            or(about.dialect.map(Dialect::name)),
            about.values.to_string(),
            about.broken.to_string(),
            about.without.to_string(),
            about.lost.to_string(),
            remarks(about),
        ]);
    }
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or_default())
        .collect();
    let mut table = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a string does not fail.
            let _ = write!(line, "{cell:width$}  ");
        }
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}

/// Returns the further facts about a conversation.
fn remarks(about: &Conversation) -> String {
    let found = [
        (about.gaps, "gap", ""),
        (about.skipped, "byte", " passed over"),
        (about.cut, "packet", " cut when recorded"),
        (about.compressed, "compressed datagram", ""),
    ];
    let mut remarks: Vec<String> =
        about.other.map(|other| what(other).to_owned()).into_iter().collect();
    if !about.or.is_empty() {
        let names: Vec<String> = about.or.iter().map(|dialect| dialect.name()).collect();
        remarks.push(format!("or {}", names.join(", ")));
    }
    remarks.extend(told(found));
    remarks.join("; ")
}

/// Returns the counts above zero, in words.
fn told<const N: usize>(
    found: [(u64, &'static str, &'static str); N],
) -> impl Iterator<Item = String> {
    let told = found.into_iter().filter(|(count, ..)| *count > 0);
    told.map(|(count, of, how)| format!("{}{how}", counted(count, of)))
}

/// Returns the notes about losses, damage and doubts.
fn notes(summary: &Summary, damaged: &mut bool) -> Vec<String> {
    let mut notes = Vec::new();
    for about in &summary.conversations {
        let [a, b] = about.ends;
        let ends = format!("{} {a} - {b}", about.transport);
        if about.is_damaged() {
            *damaged = true;
            let mut parts = Vec::new();
            if about.broken > 0 {
                let fault = about.fault.as_ref().map(|fault| format!(" (the first: {fault})"));
                parts.push(format!("{} broken{}", about.broken, fault.unwrap_or_default()));
            }
            if about.gaps > 0 {
                let gaps = counted(about.gaps, "gap");
                parts.push(format!("{} in {gaps} not recorded", counted(about.lost, "byte")));
            }
            let rest = [
                (about.skipped, "byte", " passed over in search of a frame"),
                (about.cut, "packet", " cut when recorded"),
                (about.compressed, "datagram", " compressed in an unsupported way"),
            ];
            parts.extend(told(rest));
            let values = counted(about.values, "value");
            notes.push(format!("{ends}: {values}; {}", parts.join("; ")));
        }
        if let Some(behind) = about.behind {
            let bytes = counted(behind as u64, "byte");
            notes.push(format!(
                "{ends}: each message is a value behind {bytes} of the game's own: use --skip {behind}"
            ));
        }
        if about.compressed > 0 && about.dialect.is_none() {
            let datagrams = counted(about.compressed, "datagram");
            notes.push(format!("{ends}: {datagrams} of ENet compressed in an unsupported way"));
        }
        if !about.or.is_empty() {
            let names: Vec<String> = about.or.iter().map(|dialect| dialect.name()).collect();
            let names = names.join(", ");
            notes.push(format!("{ends}: could also be {names}; choose with --format"));
        }
    }
    let silent: Vec<&Conversation> =
        summary.conversations.iter().filter(|about| about.dialect.is_none()).collect();
    if !silent.is_empty() {
        let packets: u64 = silent.iter().flat_map(|about| about.packets).sum();
        let conversations = counted(silent.len() as u64, "conversation");
        let packets = counted(packets, "packet");
        notes.push(format!(
            "{conversations} with {packets} contain no values (--summary shows what they contain)"
        ));
    }
    notes.extend(told([
        (summary.incomplete, "packet", " of which a fragment is missing"),
        (summary.malformed, "packet", " with headers that are wrong or cut off"),
        (summary.unread_blocks, "block", " of an unsupported kind"),
        (summary.forgotten, "conversation", " not listed"),
    ]));
    for (link, count) in &summary.links {
        let packets = counted(*count, "packet");
        notes.push(format!("{packets} of link layer {link}, which is not read"));
    }
    notes
}
