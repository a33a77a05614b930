//! `merge`: merges the changes of two people to one file.

mod driver;

use std::path::{Path, PathBuf};

use clap::Args;
use formwork_edit::Side;

use super::change::{ChangeOptions, Changing};
use super::changed::{ShownValue, told_apart};
use super::content::Conflict;
use super::content::Version;
use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::format::LimitOptions;
use super::input::stdin_once;
use super::lines::JsonLine;
use super::output::to_stdout;
use super::quantity::counted;
use super::source::Source;

/// Merge two changed files that were one
///
/// OURS and THEIRS are BASE with changes. The output is OURS with the changes of THEIRS. Where both changed the same
/// value, each in its own way, that is a conflict: it is listed, OURS is kept there, and the exit status is 1.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Merge {
    /// The file as it was before both changes
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// The file with our changes
    #[arg(value_name = "OURS")]
    ours: PathBuf,
    /// The file with the changes of the others
    #[arg(value_name = "THEIRS")]
    theirs: PathBuf,
    /// Name of the file in the repository, which messages use (git's %P)
    #[arg(value_name = "NAME", requires = "git")]
    name: Option<PathBuf>,
    /// Take the arguments that git passes to a merge driver, and write the merged file to OURS
    ///
    /// Files that cannot be merged by value are merged as text, by 'git merge-file'.
    #[arg(long, requires = "name", conflicts_with_all = ["output", "dry_run", "json"])]
    git: bool,
    /// Write the merged file to OUTPUT instead of standard output ('-')
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// Settle conflicts: keep what OURS has
    #[arg(long = "ours", conflicts_with = "prefer_theirs")]
    prefer_ours: bool,
    /// Settle conflicts: take what THEIRS has
    #[arg(long = "theirs")]
    prefer_theirs: bool,
    /// Show what would change and where conflicts are, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Keep no backup of a file that is replaced
    #[arg(long, hide_short_help = true)]
    no_backup: bool,
    /// Print one JSON object per change and per conflict
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

const AFTER: &str = r#"Examples:
  formwork merge base.save mine.save theirs.save -o merged.save
  formwork merge base.save mine.save theirs.save --dry-run
  formwork merge base.save mine.save theirs.save --theirs -o merged.save
  formwork merge base.tv4l mine.tv4l theirs.tv4l -o merged.tv4l

How values are matched:
As 'formwork diff' does: entries by their keys, elements of arrays by what they are like, objects of a layer by their ids. If both add elements to an array, all are taken. If both add an object to a layer under the same id, both are kept, and that of THEIRS gets a new id. Compression, password, framing and every byte that did not change are those of OURS. In files of Terrain Builder, so is what every save changes, such as addresses.

Conflicts are printed as:
  conflict: player/gold: ours 5, theirs 7, base 1
  conflict: player/pet: ours removed it, theirs 7, base 1

Use with git:
Run this once in a repository:
  git config merge.formwork.name "formwork"
  git config merge.formwork.driver "formwork merge --git %O %A %B %P"
and add these lines to its .gitattributes:
  *.save merge=formwork
  *.tv4p merge=formwork
  *.tv4l merge=formwork
  *.tv4s merge=formwork
'git merge' then merges such files by value. If there are conflicts, it says so, and the file is that of your branch with all other changes. These commands take the other side of each conflict:
  git show :1:game.save > base.save; git show :3:game.save > theirs.save
  formwork merge base.save game.save theirs.save --theirs -o game.save
Files that cannot be merged by value, such as JSON with a fault, are merged as git merges text, with markers at conflicts.

Exit status: 0 merged, 1 there are conflicts or a file is damaged, 2 wrong use, 3 a file could not be read or written. --ours and --theirs settle conflicts: then they are listed, and the status is 0."#;

impl Merge {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if self.git { self.in_git() } else { self.merged() }
    }

    /// Merges the files by value.
    fn merged(&self) -> Result<Status, Failure> {
        let paths = [&self.base, &self.ours, &self.theirs].map(PathBuf::as_path);
        stdin_once(paths.into_iter().chain(self.input.key.file()))?;
        let (base, theirs) = (self.open(&self.base)?, self.open(&self.theirs)?);
        let output = self.output.clone().unwrap_or_else(|| PathBuf::from("-"));
        let no_backup = self.no_backup || self.git || is_of_git(&output);
        let output = (!self.git).then_some(output);
        let options = ChangeOptions::to(
            output,
            (self.dry_run, no_backup),
            self.json,
            self.input.clone(),
            self.limits,
        )
        .named(self.shown_name());
        let changing = options.open(&self.ours)?;
        let (mut conflicts, mut is_partial, mut told) = (Vec::new(), false, None);
        // Several engines may read the file alike; each of them merges it again.
        let new = changing.changed(&mut |content| {
            let mut merged = content.merge(&base, &theirs, self.settles())?;
            if let (false, Some((place, _))) = (self.json, &merged.told) {
                merged.changed.retain(|it| it.place != *place);
            }
            conflicts = merged.conflicts;
            is_partial |= merged.is_partial;
            told = merged.told;
            Ok(merged.changed)
        })?;
        changing.write(&new)?;
        if let Some((_, words)) = told {
            self.tell(&changing, &words)?;
        }
        for conflict in &conflicts {
            if self.json {
                to_stdout(|out| {
                    conflict.json(&options.whole_name(&self.ours), self.settles()).print(out);
                    Ok(())
                })?;
            } else {
                self.tell(&changing, &conflict.line(self.settles()))?;
            }
        }
        let is_settled = conflicts.is_empty() || self.settles().is_some();
        if !is_settled && !self.json {
            let count = counted(conflicts.len() as u64, "conflict");
            let settle = if self.git { "" } else { " (--ours and --theirs settle them)" };
            self.tell(&changing, &format!("{count}; ours is kept there{settle}"))?;
            self.say_how_to_settle();
        }
        Ok(if is_settled && !is_partial { Status::Done } else { Status::No })
    }

    /// Prints a line about the merged file, with its name if git passed it.
    fn say(&self, line: &str) {
        crate::report_line(&self.named(line));
    }

    /// Prints a line about the changes: see [`ChangeOptions::say`].
    fn tell(&self, changing: &Changing<'_>, line: &str) -> Result<(), Failure> {
        changing.say(&self.named(line))
    }

    /// Puts the name of the file before the line, if git passed it.
    fn named(&self, line: &str) -> String {
        self.shown_name().map_or_else(|| line.to_owned(), |name| format!("{name}: {line}"))
    }

    /// Returns the side that settles conflicts, if an option names it.
    const fn settles(&self) -> Option<Side> {
        match (self.prefer_ours, self.prefer_theirs) {
            (true, _) => Some(Side::Ours),
            (_, true) => Some(Side::Theirs),
            _ => None,
        }
    }

    /// Opens one of the files that are only read.
    fn open(&self, path: &Path) -> Result<Version, Failure> {
        let key = self.input.key([])?;
        let mut source = Source::read_with(path, key.as_ref())?;
        if let Some(name) = self.shown_name() {
            let side = if path == self.base { "base" } else { "theirs" };
            source.name = format!("{name} ({side})");
        }
        // The base is empty where both sides added a file in git.
        if source.bytes().is_empty() {
            return Ok(Version::Nothing);
        }
        let source = source.unwrapped(self.input.skip, key.as_ref(), self.limits)?;
        self.input.open_source(source, self.limits).map(Version::File)
    }
}

/// Returns whether git made this file for its merge driver, and removes it afterwards.
fn is_of_git(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name.starts_with(".merge_file_"))
}

impl Conflict {
    /// Returns the conflict as a line: `player/gold: ours 5, theirs 7, base 1`.
    fn line(&self, settled: Option<Side>) -> String {
        let place = if self.place.is_empty() { "the value" } else { &self.place };
        let [base, ours, theirs] =
            told_apart([self.base.as_ref(), self.ours.as_ref(), self.theirs.as_ref()]);
        let side = |name: &str, text: &Option<String>| match (text, &base) {
            (Some(text), _) => format!("{name} {text}"),
            (None, Some(_)) => format!("{name} removed it"),
            (None, None) => format!("{name} has none"),
        };
        let (ours, theirs) = (side("ours", &ours), side("theirs", &theirs));
        let base = match &base {
            Some(base) => format!("base {base}"),
            None => "base has none".to_owned(),
        };
        let settled = match settled {
            None => "",
            Some(Side::Ours) => " (ours is kept)",
            Some(Side::Theirs) => " (theirs is taken)",
        };
        format!("conflict: {place}: {ours}, {theirs}, {base}{settled}")
    }
}

impl Conflict {
    /// Returns the conflict as JSON.
    fn json(&self, file: &str, settled: Option<Side>) -> JsonLine {
        let Self { place, base, ours, theirs } = self;
        let kept = if settled == Some(Side::Theirs) { "theirs" } else { "ours" };
        let line = JsonLine::new().text("kind", "conflict").text("file", file).text("path", place);
        let sides = [("base", base), ("ours", ours), ("theirs", theirs)];
        let add = |line: JsonLine, (name, value): (&str, &Option<ShownValue>)| {
            line.json_if(name, value.as_ref().map(ShownValue::json))
        };
        let line = sides.into_iter().fold(line, add);
        line.text("kept", kept).flag("settled", settled.is_some())
    }
}
