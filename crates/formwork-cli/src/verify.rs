//! `verify`: are files what an engine would write?

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::detect::Other;
use formwork::variant::container::Key;
use formwork::{Dialect, Error};

use super::container::{named, within};
use super::contents::{Contents, InputOptions, Opened};
use super::failure::{Failure, Status};
use super::findings::{Deviation, Findings};
use super::format::{AttitudeName, LimitOptions, by_precision};
use super::guess::{counted, engine_name};
use super::input::Source;
use super::output::to_stdout;
use super::packets::Input;
use super::say;
use super::style::Palette;

/// Check files: does the engine read them, and are they what it would write?
///
/// One line for each file: 'ok' or 'no', and why. 'ok' means that all values are read, and writing
/// them again gives the same bytes. The padding that an engine leaves as it was in memory may differ;
/// the line says so. Of ALB1 files all is checked that a file shows by itself: header, classes, fields,
/// keys, counts, and every node of the quadtree.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER, after_help = "More and examples: --help")]
pub(crate) struct Verify {
    /// The files to check; '-' for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// With 'engine', what the engine accepts is ok, even if it would write something else
    #[arg(long, value_enum, default_value_t = AttitudeName::Canonical)]
    attitude: AttitudeName,
    /// Say more than the first three deviations
    #[arg(long)]
    all_deviations: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

const AFTER: &str = "\
What the lines say:
  ok  ... canonical                    byte for byte what the engine writes
  ok  ... padding as the engine leaves it
  no  ... accepted, not canonical: bool.value at offset 8 (0x8), ...
  no  ... broken: offset 12 (0xc), array[3].string: expected ..., found ...
  ok  ... godot4, frames in encrypted-cfb, 1 value: canonical    the values in it are
  ok  ... alb1, project, 143 objects: byte for byte
  ok  ... alb1, object layer, 1452 placed objects: byte for byte
  ok  ... encrypted-cfb, whole; inside is text, 88 bytes, no values
  no  ... alb1, project, 143 objects: byte for byte, but odd: bool.byte at offset 4711 (0x1267), ...
  no  ... alb1, object layer: byte for byte, but broken: tree.broken at offset 5496 (0x1578), ...

With --attitude engine what is accepted, or odd, is 'ok', too; what is broken is not. Of compressed and encrypted files it is
the values inside that are checked, and that all of the file can be opened.

Examples:
  formwork verify saves/*.save
  formwork verify saves/*.save --password-file password.txt
  formwork verify --format godot3.2 --framing bare packet.bin
  formwork verify island.tv4p island.Layers/*.tv4l island.Shapes/*.tv4s

Exit status: 0 all are ok, 1 at least one is not, 2 wrong use, 3 a file could not be read.";

impl Verify {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key(&self.files)?;
        let palette = Palette::stdout();
        let mut status = Status::Done;
        for file in &self.files {
            let ended = match self.check(file, key.as_ref(), &palette) {
                Ok(ended) => ended,
                Err(failure) if failure.status() == Status::Done => return Err(failure),
                Err(failure) => match failure.answer() {
                    Some(answer) => print(false, &answer, &palette)?,
                    // The other files may be readable.
                    None => say(&failure),
                },
            };
            status = status.and(ended);
        }
        Ok(status)
    }

    fn check(&self, file: &Path, key: Option<&Key>, palette: &Palette) -> Result<Status, Failure> {
        let (ok, line) = match Opened::open(file, &self.input, key, self.limits)? {
            Opened::Contents(Contents::Packets(input)) => self.check_packets(&input),
            Opened::Contents(Contents::Alb1(file)) => {
                file.verify(self.attitude, self.all_deviations)
            }
            Opened::Other(source, other) => (true, whole(&source, other)),
        };
        print(ok, &line, palette)
    }

    fn check_packets(&self, input: &Input) -> (bool, String) {
        let mut findings = Findings::default();
        let checked = by_precision!(input.dialect, R => findings.check::<R>(input));
        let located = checked.is_err() || !findings.deviations.is_empty();
        let (ok, mut says) = self.verdict(checked, &findings);
        let (name, layers) = (&input.source.name, input.source.layers());
        let said = self.input.dialect().map(Dialect::name);
        let dialect = said.unwrap_or_else(|| engine_name(input.dialect));
        let framing = input.framing.name();
        let within = within(layers);
        if located && !layers.is_empty() {
            says.push_str(UNPACKED);
        }
        let values = counted(findings.values);
        (ok, format!("{name}: {dialect}, {framing}{within}, {values}: {says}"))
    }

    fn verdict(&self, checked: Result<(), Error>, findings: &Findings) -> (bool, String) {
        if let Err(error) = checked {
            return (false, format!("broken: {error}"));
        }
        if findings.values == 0 {
            return (false, "empty".into());
        }
        if !findings.deviations.is_empty() {
            let accepted = self.attitude == AttitudeName::Engine;
            return (accepted, self.deviations(&findings.deviations));
        }
        if findings.unset_padding {
            return (true, "padding as the engine leaves it, otherwise canonical".into());
        }
        (true, "canonical".into())
    }

    fn deviations(&self, deviations: &[Deviation]) -> String {
        let shown = if self.all_deviations { deviations.len() } else { SHOWN };
        let mut text = "accepted, not canonical: ".to_owned();
        for (position, Deviation { rule, offset, path }) in
            deviations.iter().take(shown).enumerate()
        {
            let comma = if position > 0 { "; " } else { "" };
            // Writing to a string does not fail.
            let _ = write!(text, "{comma}{rule} at offset {offset} (0x{offset:x})");
            if !path.is_empty() {
                let _ = write!(text, ", {path}");
            }
        }
        if let more @ 1.. = deviations.len().saturating_sub(shown) {
            let _ = write!(text, "; and {more} more");
        }
        text
    }
}

/// What to say about a container that could be opened and holds no values.
fn whole(source: &Source, other: Option<Other>) -> String {
    let (name, layers) = (&source.name, source.layers());
    let size = source.content().len();
    let what = match other {
        Some(other) => other.description(),
        None if size == 0 => "nothing",
        None => "something that no format fits",
    };
    format!("{name}: {}, whole; inside is {what}, {size} bytes, no values", named(layers))
}

/// What to know about the offsets in a line about a file with containers around it.
pub(crate) const UNPACKED: &str = " (offsets count in what is unpacked)";

/// Deviations that a line has room for.
pub(crate) const SHOWN: usize = 3;

/// Prints the line of a file.
fn print(ok: bool, line: &str, palette: &Palette) -> Result<Status, Failure> {
    let Palette { good, error, .. } = *palette;
    let verdict = if ok { format!("{good}ok{good:#}") } else { format!("{error}no{error:#}") };
    to_stdout(|out| {
        // Why it failed is remembered by the output itself.
        let _ = writeln!(out, "{verdict}  {line}");
        Ok(())
    })?;
    Ok(if ok { Status::Done } else { Status::No })
}
