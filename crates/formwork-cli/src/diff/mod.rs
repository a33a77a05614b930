//! `diff`: compares two saves, packs, projects or layers by value.

mod compare;
mod files;
mod listing;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_alb1::diff::ChangeKind;

use super::content::Version;
use super::contents::InputOptions;
use super::failure::{Failure, Status};
use super::file::Chosen;
use super::folder::complain;
use super::format::LimitOptions;
use super::input::stdin_once;
use super::output::OutputOptions;
use super::style::{Palette, shown};
use compare::Comparing;
use files::{Compared, Opening};
use listing::{Form, Listing};
use text::AsText;

/// Compare two saves, projects or layers
///
/// OLD and NEW are saves, files of Terrain Builder (.tv4p, .tv4l, .tv4s), or folders. In folders, a project and its layers
/// are compared by name, and all other files by their paths. Folders whose names begin with a dot are left out.
///
/// The comparison is by meaning. Saves of different engines, compressed or encrypted ones are compared by their values:
/// entries by key, elements of arrays by what they are like. Between files of Terrain Builder it ignores what every save
/// changes: addresses, numbers of shapes, rebuild flags and uninitialized memory. It matches fields by name, objects of
/// a layer by id, and key points, roads and rasters by name, wherever they are in the file.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
#[command(override_usage = "formwork diff [OPTIONS] OLD NEW\n       formwork diff --textconv FILE")]
pub(crate) struct Diff {
    /// Files or folders to compare ('-' for standard input)
    #[arg(value_name = "OLD NEW", required = true, num_args = 1..=9)]
    paths: Vec<PathBuf>,
    /// Compare everything: addresses, order, header and every byte of the quadtree
    #[arg(long)]
    strict: bool,
    /// Also compare the layers of two .tv4p files (always done for folders)
    #[arg(long)]
    layers: bool,
    /// Print one JSON object per difference
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing; only set the exit status
    #[arg(short, long)]
    quiet: bool,
    /// Print FILE as text for 'git diff', without what every save changes
    ///
    /// Text is printed as it is. Of a file that cannot be read as values, this prints what 'formwork info' tells, and
    /// the MD5 sum.
    #[arg(long, conflicts_with_all = ["strict", "layers", "json", "quiet", "git"])]
    textconv: bool,
    /// Take the arguments that git passes to an external diff command
    ///
    /// Files that cannot be compared by meaning are compared as the text that --textconv prints.
    #[arg(long, conflicts_with_all = ["layers", "json", "quiet"])]
    git: bool,
    /// Print how many differences there are of each kind
    #[arg(long, conflicts_with_all = ["quiet", "textconv"])]
    stat: bool,
    /// Take floats of saves for equal that differ by at most NUMBER
    #[arg(long, value_name = "NUMBER", conflicts_with = "textconv")]
    float_tolerance: Option<f64>,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork diff game.save game.save.bak
  formwork diff old.save new.save --float-tolerance 0.001
  formwork diff godot3.save godot4.save --stat
  formwork diff old.tv4p new.tv4p
  formwork diff backup/ project/            the projects, their layers, all other files
  formwork diff --json old.tv4l new.tv4l | head

Output for saves:
  player/gold: 100 -> 9999                  another value
  player/mana: added 5                      an entry only in NEW
  bag/0: removed "rope"                     an element only in OLD
  bag/2: position 0 -> position 2           the same value in another place

Output for folders:
  new/b.save: only in NEW                   a file only in one folder
  new/icon.png: its bytes differ            a file of another format

Output for files of Terrain Builder:
  @@ keyPoint.mkey["Town"] (SKeyPoint)      an object and its class
  -angle = 0.0                              a field in OLD
  +angle = 90.0                             the same field in NEW
  ~straight["a"] moved                      the same thing in another place

Use with git:
For 'git diff', 'git log -p' and 'git show', run this once in a repository:
  git config diff.formwork.textconv "formwork diff --textconv"
  git config diff.formwork.cachetextconv true
and add these lines to its .gitattributes:
  *.tv4p diff=formwork
  *.tv4l diff=formwork
  *.tv4s diff=formwork
  *.save diff=formwork
This shows the output of this command instead:
  git config diff.formwork.command "formwork diff --git"
and this is for 'git difftool -t formwork':
  git config difftool.formwork.cmd 'formwork diff "$LOCAL" "$REMOTE"'

Exit status: 0 no differences, 1 differences, 2 wrong use, 3 a file could not be read or written. With --textconv and --git: 0, whatever is in the files."#;

impl Diff {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if self.textconv {
            return self.text();
        }
        let [old, new] = match (self.git, &self.paths[..]) {
            (false, [old, new]) => [old, new].map(PathBuf::as_path),
            (false, _) => {
                return Err(Failure::usage("diff needs two files or two folders: OLD and NEW"));
            }
            (true, [_, old, _, _, new, _, _] | [_, old, _, _, new, _, _, _, _]) => {
                [old, new].map(PathBuf::as_path)
            }
            // Git passes only the name of a file that is not merged yet.
            (true, [_]) => return Ok(Status::Done),
            (true, _) => return Err(Failure::usage("--git needs the 7 arguments that git passes")),
        };
        stdin_once(self.paths.iter().map(PathBuf::as_path).chain(self.input.key.file()))?;
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        if self.git {
            return self.for_git([old, new], palette);
        }
        let compared = self.compared([old, new])?;
        let mut status = Status::Done;
        let mut compare = |out: &mut dyn Write| {
            status = self.compare(&compared, palette, out)?;
            Ok(())
        };
        if self.quiet { compare(&mut std::io::sink()) } else { self.output.write(compare) }?;
        Ok(status)
    }

    /// Prints the differences between two files for git. Files that cannot be compared by value are
    /// compared as text, because git shows nothing where this command fails.
    fn for_git(&self, [old, new]: [&Path; 2], palette: Palette) -> Result<Status, Failure> {
        let mut text = Vec::new();
        let compared = self.compared([old, new]);
        match compared.and_then(|compared| self.compare(&compared, palette, &mut text)) {
            Ok(Status::Done | Status::No) => {}
            _ => {
                text.clear();
                let name = self.paths.first().map(|name| shown(name.display()));
                self.as_text().differences([old, new], &name.unwrap_or_default(), &mut text)?;
            }
        }
        self.print(&text)
    }

    /// Prints the differences.
    fn compare(
        &self,
        Compared { pairs, roots, is_of_folders }: &Compared,
        palette: Palette,
        out: &mut dyn Write,
    ) -> Result<Status, Failure> {
        let form = if self.json { Form::Json } else { Form::Lines };
        let (strict, tolerance) = (self.strict, self.float_tolerance);
        let limits = self.limits;
        let (comparing, chosen) =
            (Comparing { strict, tolerance, roots, limits }, Chosen::all(limits));
        let mut listing = Listing::new(out, form, palette);
        let mut status = Status::Done;
        for [old, new] in pairs {
            match (&old.version, &new.version) {
                (Version::Nothing, Version::Nothing) => continue,
                (Version::Nothing, added) => {
                    listing.whole(ChangeKind::Added, &new.name, added.class(chosen).as_deref());
                    status = Status::No;
                }
                (removed, Version::Nothing) => {
                    listing.whole(ChangeKind::Removed, &old.name, removed.class(chosen).as_deref());
                    status = Status::No;
                }
                (Version::Unopened, _) => {
                    listing.whole(ChangeKind::Changed, &new.name, None);
                    status = Status::No;
                }
                (before, after) => {
                    let compared = comparing.versions(before, after);
                    let (found, is_partial) = match compared.map_err(Failure::because_unreadable) {
                        Err(failure) if *is_of_folders => {
                            complain(&failure);
                            listing.whole(ChangeKind::Changed, &new.name, None);
                            status = Status::No;
                            continue;
                        }
                        compared => compared?,
                    };
                    match self.stat {
                        true => listing.counts(&new.name, &found),
                        false => listing.pair([&old.name, &new.name], &found),
                    }
                    if is_partial || !found.is_empty() {
                        status = Status::No;
                    }
                }
            }
            if self.quiet && status == Status::No {
                break;
            }
        }
        Ok(status)
    }

    /// Opens the files to compare.
    fn compared(&self, paths: [&Path; 2]) -> Result<Compared, Failure> {
        let Self { input, limits, strict, .. } = self;
        let key = input.key([])?;
        let path = self.paths.first().filter(|_| self.git).map(PathBuf::as_path);
        Opening { input, limits: *limits, strict: *strict, key, path }.pairs(paths, self.layers)
    }

    /// Prints one file as text.
    fn text(&self) -> Result<Status, Failure> {
        let [path] = &self.paths[..] else {
            return Err(Failure::usage("--textconv needs exactly one file"));
        };
        let text = self.as_text().file(path)?;
        self.print(&text)
    }

    const fn as_text(&self) -> AsText<'_> {
        AsText { input: &self.input, limits: self.limits }
    }

    fn print(&self, text: &[u8]) -> Result<Status, Failure> {
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(text);
            Ok(())
        })?;
        Ok(Status::Done)
    }
}
