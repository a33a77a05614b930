//! `verify`: are files what an engine would write?

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::detect::Other;
use formwork::variant::wrapper::Key;
use formwork::{Dialect, Error};

use super::config_file::{File, is_one};
use super::container::{named, within};
use super::contents::{Contents, InputOptions, Opened};
use super::failure::{Failure, Status};
use super::findings::{Deviation, Findings};
use super::format::{AttitudeName, LimitOptions, by_precision};
use super::guess::{Guess, engine_name};
use super::input::Source;
use super::output::to_stdout;
use super::packets::{FramingName, Input};
use super::quantity::counted;
use super::say;
use super::style::Palette;

/// Check that files are valid
///
/// Prints one line per file: 'ok' or 'not ok', and why. A file is ok if all its values can be read,
/// and writing them again gives the same bytes. Padding may differ where the engine does not set
/// it; the line says so. For ALB1 files, the command also checks header, classes, fields, keys,
/// counts and every node of the quadtree.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Verify {
    /// Files to check ('-' or nothing: standard input)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// How strict to be: with 'engine', a file that the engine can read is ok
    #[arg(long = "strictness", alias = "attitude", value_enum, value_name = "STRICTNESS")]
    #[arg(default_value_t = AttitudeName::Canonical)]
    attitude: AttitudeName,
    /// List all warnings instead of the first three
    #[arg(long = "all", alias = "all-deviations")]
    all_deviations: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

const AFTER: &str = r#"Examples:
  formwork verify saves/*.save
  formwork verify saves/*.save --password-file password.txt
  formwork verify --format godot3.2 --framing bare packet.bin
  formwork verify island.tv4p island.Layers/*.tv4l island.Shapes/*.tv4s

Output:
  ok  ... as the engine writes it
      Writing the values again gives the same bytes.
  ok  ... as the engine writes it, except for padding
      The engine leaves these bytes as they were in memory.
  not ok  ... the engine would write it differently: bool.value at offset 8 ...
      The engine can read it. With '--strictness engine' it is ok.
  not ok  ... damaged: offset 12 ...
      The engine cannot read it.
  ok  ... encrypted-cfb, can be opened; it contains text ...
      A compressed or encrypted file that contains no values.
  ok  ... alb1, project, 143 objects: as Terrain Builder writes it
  not ok  ... alb1, project, 143 objects: has warnings: bool.byte ...
      With '--strictness engine' it is ok.
  not ok  ... alb1, object layer: damaged: tree.broken at offset 5496 ...
  ok  ... gdpc, Godot 4.6.3, 12 files (...): names, places and MD5 sums ...
      A pack of a game. The values in it are checked, too.

Exit status: 0 all files are ok, 1 at least one is not, 2 wrong use, 3 a file could not be read."#;

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
            Opened::Contents(Contents::Pack(file)) => {
                file.verify(self.all_deviations, |inside| self.check_inside(inside))?
            }
            Opened::Contents(contents) => self.check_contents(contents)?,
            Opened::Other(source, other) => {
                let (ok, line) = (true, whole(&source, other));
                let file = is_one(&source).then(|| File::new(source, self.input.dialect()));
                // A text that the engine does not read is not ok in a wrapper, either.
                match file.map(|file| file.verify()) {
                    Some((false, line)) => (false, line),
                    _ => (ok, line),
                }
            }
        };
        print(ok, &line, palette)
    }

    fn check_contents(&self, contents: Contents) -> Result<(bool, String), Failure> {
        Ok(match contents {
            Contents::Packets(input) => self.check_packets(&input),
            Contents::Alb1(file) => file.verify(self.attitude, self.all_deviations),
            Contents::Config(file) => file.verify(),
            Contents::Resource(file) => file.verify(self.attitude)?,
            Contents::Script(file) => file.verify(self.attitude),
            // A pack in a pack was named there, which is all that engines do with it.
            Contents::Pack(file) => (true, file.source.name),
        })
    }

    /// Looks at a file in a pack, and returns what is wrong with it.
    fn check_inside(&self, source: Source) -> Option<String> {
        let options = InputOptions::default();
        let is_named = options.is_known(source.content()) || is_one(&source);
        if !is_named
            && let Guess::Nothing(_) | Guess::Partial(_) | Guess::Behind(..) | Guess::Ambiguous(_) =
                Guess::of(&source, None, None)
        {
            return None;
        }
        let contents = Contents::of(source, &options, self.limits);
        match contents.and_then(|contents| self.check_contents(contents)) {
            Ok((true, _)) => None,
            Ok((false, line)) => Some(line),
            Err(failure) => failure.answer(),
        }
    }

    fn check_packets(&self, input: &Input) -> (bool, String) {
        let mut findings = Findings::default();
        let checked = by_precision!(input.dialect, R => findings.check::<R>(input));
        let located = checked.is_err() || !findings.deviations.is_empty();
        let (ok, mut says) = self.verdict(input, checked, &findings);
        let (name, layers) = (&input.source.name, input.source.layers());
        let said = self.input.dialect().map(Dialect::name);
        let dialect = said.unwrap_or_else(|| engine_name(input.dialect));
        let framing = input.framing.name();
        let within = within(layers);
        if located && !layers.is_empty() {
            says.push_str(UNPACKED);
        }
        let counts = if input.framing == FramingName::Settings { "setting" } else { "value" };
        let values = counted(findings.values, counts);
        (ok, format!("{name}: {dialect}, {framing}{within}, {values}: {says}"))
    }

    fn verdict(
        &self,
        input: &Input,
        checked: Result<(), Error>,
        findings: &Findings,
    ) -> (bool, String) {
        if let Err(error) = checked {
            let keys = input.keys(&error);
            let keys = if keys.is_empty() { keys } else { format!("{keys}: ") };
            return (false, format!("damaged: {keys}{error}"));
        }
        if findings.values == 0 && input.framing != FramingName::Settings {
            return (false, "empty".into());
        }
        if !findings.deviations.is_empty() {
            let accepted = self.attitude == AttitudeName::Engine;
            return (accepted, self.deviations(&findings.deviations));
        }
        if findings.unset_padding {
            return (true, "as the engine writes it, except for padding".into());
        }
        (true, "as the engine writes it".into())
    }

    fn deviations(&self, deviations: &[Deviation]) -> String {
        let shown = if self.all_deviations { deviations.len() } else { SHOWN };
        let mut text = "the engine would write it differently: ".to_owned();
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
        None => "data of no known format",
    };
    format!(
        "{name}: {}, can be opened; it contains {what}, {}, and no values",
        named(layers),
        counted(size as u64, "byte")
    )
}

/// What to know about the offsets in a line about a file with containers around it.
pub(crate) const UNPACKED: &str = " (offsets count in the unpacked content)";

/// WarningCounts that a line has room for.
pub(crate) const SHOWN: usize = 3;

/// Prints the line of a file.
fn print(ok: bool, line: &str, palette: &Palette) -> Result<Status, Failure> {
    let Palette { good, error, .. } = *palette;
    let verdict = if ok { format!("{good}ok{good:#}") } else { format!("{error}not ok{error:#}") };
    to_stdout(|out| {
        // Why it failed is remembered by the output itself.
        let _ = writeln!(out, "{verdict}  {line}");
        Ok(())
    })?;
    Ok(if ok { Status::Done } else { Status::No })
}
