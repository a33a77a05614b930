//! `verify`: checks whether files are as an engine would write them.

use super::verdict::SHOWN;
use super::verdict::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Key;
use formwork_variant::{Dialect, Error};
use serde::Serialize;

use super::config_file::{File, is_one};
use super::contents::{Contents, InputOptions, Opened};
use super::failure::{Failure, Status};
use super::findings::{Deviation, Findings};
use super::folder::{Files, Sort};
use super::format::{LimitOptions, StrictnessName, by_precision};
use super::framing::FramingName;
use super::guess::{Guess, engine_name, json_fault};
use super::layers::{named, within};
use super::lines::{Finding, Grade};
use super::manner;
use super::output::{print_object, to_stdout};
use super::packets::Input;
use super::progress::{self, Progress};
use super::quantity::counted;
use super::remark;
use super::say;
use super::source::{Source, name};
use super::style::{Palette, shown};

/// Check that files are valid
///
/// Prints one line per file: 'ok' or 'not ok', and why. A file is ok if all its values can be read,
/// and writing them again gives the same bytes. Padding may differ where the engine does not set
/// it; the line says so. For ALB1 files, the command also checks header, classes, fields, keys,
/// counts and every node of the quadtree.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Verify {
    /// Files or folders to check ('-' or nothing: standard input)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// How strict to be: with 'engine', a file that the engine can read is ok
    #[arg(long = "strictness", alias = "attitude", value_enum, value_name = "STRICTNESS")]
    #[arg(default_value_t = StrictnessName::Canonical)]
    strictness: StrictnessName,
    /// List all warnings instead of the first three, and all files of a folder
    #[arg(long = "all", alias = "all-deviations")]
    all_deviations: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

const AFTER: &str = r#"Examples:
  formwork verify saves/*.save
  formwork verify saves                  all files in a folder
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

Folders:
Of the files in a folder, the faults and warnings are counted by kind, with the worst first and the first file of each. --all prints the line of each file. Files of no known format are counted and not checked.

Exit status: 0 all files are ok, 1 at least one is not, 2 wrong use, 3 a file could not be read."#;

impl Verify {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let key = self.input.key(&self.files)?;
        let palette = Palette::stdout();
        let files = Files::of(&self.files)?;
        let all = self.all_deviations || manner::is_verbose();
        let mut status = Status::Done;
        let mut summary = Summary::default();
        let progress = Progress::new(files.files.len());
        for (file, is_of_folder) in &files.files {
            progress.next(shown(file.display()));
            let sort = is_of_folder.then(|| Sort::of(file, &self.input, key.as_ref(), self.limits));
            if let Some(sort @ Sort::Unknown(_)) = sort {
                summary.unknown += 1;
                if all && !self.json {
                    remark(&format!("left out: {}: {}", name(file), sort.why()));
                }
                progress.done();
                continue;
            }
            let ended = match self.check(file, key.as_ref()) {
                Ok(verdict) => {
                    let counts_only = *is_of_folder && !all;
                    summary.take(file, &verdict, (self.json, counts_only), &palette)?
                }
                Err(failure) if failure.status() == Status::Done => return Err(failure),
                Err(failure) => match failure.answer() {
                    Some(answer) => {
                        let verdict = Verdict::damaged(answer, failure.error());
                        let counts_only = *is_of_folder && !all;
                        summary.take(file, &verdict, (self.json, counts_only), &palette)?
                    }
                    // The other files may be readable.
                    None => {
                        summary.unreadable += 1;
                        say(&failure)
                    }
                },
            };
            status = status.and(ended);
            progress.done();
        }
        drop(progress);
        if files.has_folders {
            summary.print(self.json, &palette)?;
        }
        Ok(status)
    }

    fn check(&self, file: &Path, key: Option<&Key>) -> Result<Verdict, Failure> {
        Ok(match Opened::open(file, &self.input, key, self.limits)? {
            Opened::Contents(Contents::Pack(file)) => {
                file.verify(self.all_deviations, |inside| self.check_inside(inside))?
            }
            Opened::Contents(contents) => self.check_contents(contents)?,
            Opened::Other(source, other) if json_fault(&source, other).is_some() => {
                return Err(Guess::Nothing(other).refuse(&source));
            }
            Opened::Other(source, other) => {
                let whole = Verdict::ok(whole(&source, other));
                let file = is_one(&source).then(|| File::new(source, self.input.dialect()));
                // A text that the engine does not read is not ok in a container, either.
                file.map(|file| file.verify()).filter(|verdict| !verdict.ok).unwrap_or(whole)
            }
        })
    }

    fn check_contents(&self, contents: Contents) -> Result<Verdict, Failure> {
        Ok(match contents {
            Contents::Packets(input) => self.check_packets(&input),
            Contents::Alb1(file) => file.verify(self.strictness, self.all_deviations),
            Contents::Config(file) => file.verify(),
            Contents::Document(file) => file.verdict(self.all_deviations),
            Contents::Resource(file) => file.verify(self.strictness)?,
            Contents::Script(file) => file.verify(self.strictness),
            // A nested pack is only named, as engines do no more with it.
            Contents::Pack(file) => Verdict::ok(file.source.name),
        })
    }

    /// Checks a file in a pack, and returns its verdict if it has a fault.
    fn check_inside(&self, source: Source) -> Option<Verdict> {
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
            Ok(Verdict { ok: true, .. }) => None,
            Ok(verdict) => Some(verdict),
            Err(failure) => {
                failure.answer().map(|answer| Verdict::damaged(answer, failure.error()))
            }
        }
    }

    fn check_packets(&self, input: &Input) -> Verdict {
        let mut findings = Findings::default();
        let checked = by_precision!(input.dialect, R => findings.check::<R>(input));
        let located = checked.is_err() || !findings.deviations.is_empty();
        let mut all: Vec<_> = findings.deviations.iter().map(Deviation::finding).collect();
        if let Err(error) = &checked {
            all.push(Finding { path: keys_or_path(input, error), ..Finding::damage(error) });
        }
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
        let line = format!("{name}: {dialect}, {framing}{within}, {values}: {says}");
        if !ok && all.is_empty() {
            all.push(Finding::new(Grade::Warning, &says));
        }
        Verdict { ok, line, findings: all }
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
            let accepted = self.strictness == StrictnessName::Engine;
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

/// Describes a container that could be opened and holds no values.
fn whole(source: &Source, other: Option<Other>) -> String {
    let (name, layers) = (&source.name, source.layers());
    let size = source.content().len();
    let what = match other {
        Some(other) => other.description(),
        None if size == 0 => "nothing",
        None => "data of no known format",
    };
    let size = counted(size as u64, "byte");
    if layers.is_empty() {
        return format!("{name}: {what}, {size}, and no values");
    }
    let layers = named(layers);
    format!("{name}: {layers}, can be opened; it contains {what}, {size}, and no values")
}

/// The note about offsets, for a file with containers.
pub(crate) const UNPACKED: &str = " (offsets count in the unpacked content)";

/// Prints the line of a file.
fn print(ok: bool, line: &str, palette: &Palette) -> Result<(), Failure> {
    let Palette { good, error, .. } = *palette;
    let verdict = if ok { format!("{good}ok{good:#}") } else { format!("{error}not ok{error:#}") };
    print_line(&format!("{verdict}  {line}"))
}

fn print_line(line: &str) -> Result<(), Failure> {
    to_stdout(|out| {
        // The output records a write error itself.
        let _ = writeln!(out, "{line}");
        Ok(())
    })
}

/// Returns the place of a fault: the keys of the stored values, or else the fields of the format.
fn keys_or_path(input: &Input, error: &Error) -> String {
    let keys = input.keys(error);
    if keys.is_empty() { shown(error.path()) } else { keys }
}

/// The verdict on a file, as JSON.
#[derive(Serialize)]
struct VerdictLine<'v> {
    file: String,
    ok: bool,
    findings: &'v [Finding],
    /// The verdict as text.
    message: &'v str,
}

/// The verdicts on the files of folders.
#[derive(Default)]
pub(crate) struct Summary {
    ok: u64,
    not_ok: u64,
    unknown: u64,
    unreadable: u64,
    /// For each kind: the number of findings, the number of files, and the line of the first.
    kinds: BTreeMap<(Grade, String), (u64, u64, String)>,
}

impl Summary {
    /// Counts a file, and prints its line unless only counts are wanted.
    pub(crate) fn take(
        &mut self,
        file: &Path,
        verdict: &Verdict,
        (json, counts_only): (bool, bool),
        palette: &Palette,
    ) -> Result<Status, Failure> {
        self.add(verdict);
        let Verdict { ok, line, .. } = verdict;
        if json {
            let findings = &verdict.findings;
            print_object(&VerdictLine { file: name(file), ok: *ok, findings, message: line })?;
        } else if !counts_only {
            progress::aside(|| print(*ok, line, palette))?;
        }
        Ok(if *ok { Status::Done } else { Status::No })
    }

    fn add(&mut self, verdict: &Verdict) {
        *(if verdict.ok { &mut self.ok } else { &mut self.not_ok }) += 1;
        let mut counts = BTreeMap::new();
        for Finding { grade, rule, .. } in &verdict.findings {
            *counts.entry((*grade, rule.clone())).or_insert(0) += 1;
        }
        for (kind, count) in counts {
            let first = || (0, 0, verdict.line.clone());
            let entry = self.kinds.entry(kind).or_insert_with(first);
            entry.0 += count;
            entry.1 += 1;
        }
    }

    /// Prints the kinds, the worst and most frequent first, and the number of files.
    fn print(&self, json: bool, palette: &Palette) -> Result<(), Failure> {
        let Self { ok, not_ok, unknown, unreadable, .. } = self;
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|((grade, _), (count, ..))| (*grade, std::cmp::Reverse(*count)));
        if json {
            let kinds = kinds.iter().map(|((grade, kind), (count, files, _))| {
                let is_damage = *grade == Grade::Damage;
                serde_json::json!({
                    "rule": kind, "damage": is_damage, "count": count, "file_count": files,
                })
            });
            let kinds: Vec<_> = kinds.collect();
            let line = serde_json::json!({ "summary": {
                "ok_count": ok, "not_ok_count": not_ok, "unknown_count": unknown,
                "unreadable_count": unreadable, "rules": kinds,
            } });
            return print_object(&line);
        }
        let Palette { error, note, .. } = *palette;
        for ((grade, kind), (count, files, first)) in kinds {
            let (ink, what) = match grade {
                Grade::Damage => (error, "damaged"),
                Grade::Warning => (note, "warning"),
            };
            let files = counted(*files, "file");
            print_line(&format!("{ink}{what}{ink:#}  {kind}: {count} in {files}"))?;
            print_line(&format!("         {first}"))?;
        }
        let mut line = format!("{}: {ok} ok", counted(ok + not_ok + unknown + unreadable, "file"));
        for (count, what) in
            [(not_ok, "not ok"), (unknown, "of no known format"), (unreadable, "could not be read")]
        {
            if *count > 0 {
                line.push_str(&format!(", {count} {what}"));
            }
        }
        print_line(&line)
    }
}
