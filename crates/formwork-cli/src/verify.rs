//! `verify`: checks whether files are as an engine would write them.

use super::verdict::Verdict;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_godot::wrapper::Key;
use serde::Serialize;

use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::file::Checking;
use super::folder::{Files, Sort, print_failed};
use super::format::{LimitOptions, StrictnessName};
use super::lines::whole_name;
use super::lines::{Finding, Grade};
use super::manner;
use super::output::{print_object, to_stdout};
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
                        if self.json {
                            print_failed(file, &failure)?;
                        }
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
        let file = self.input.open_any(file, key, self.limits)?;
        let member = |source: Source| self.check_inside(source);
        file.verify(Checking { member: Some(&member), ..self.checking() })
    }

    fn checking(&self) -> Checking<'_> {
        let is_named = self.input.dialect().is_some();
        Checking { strictness: self.strictness, all: self.all_deviations, is_named, member: None }
    }

    /// Checks a file in a pack, and returns its verdict if it has a fault.
    fn check_inside(&self, source: Source) -> Option<Verdict> {
        let file = InputOptions::default().open_certain(source, self.limits)?;
        match file.and_then(|file| file.verify(self.checking())) {
            Ok(Verdict { ok: true, .. }) => None,
            Ok(verdict) => Some(verdict),
            Err(failure) => {
                failure.answer().map(|answer| Verdict::damaged(answer, failure.error()))
            }
        }
    }
}

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

/// The verdict on a file, as JSON.
#[derive(Serialize)]
struct VerdictLine<'v> {
    file: String,
    ok: bool,
    findings: &'v [Finding],
    /// The number of warnings that are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_count: Option<u64>,
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
            let more = verdict.more.iter().map(|(_, count)| count).sum();
            print_object(&VerdictLine {
                file: whole_name(file),
                ok: *ok,
                findings,
                more_count: Some(more).filter(|more| *more > 0),
                message: line,
            })?;
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
        for (rule, more) in &verdict.more {
            *counts.entry((Grade::Warning, (*rule).to_owned())).or_insert(0) += more;
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
