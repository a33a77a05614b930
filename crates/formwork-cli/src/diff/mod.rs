//! `diff`: what differs between two projects or layers, by meaning.

mod files;
mod listing;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::alb1::diff::{self, Kind, Options};
use formwork::detect::{Other, detect};
use formwork_terrain::project::{FilePair, ProjectFile};

use super::failure::{Failure, Status};
use super::input::{Source, stdin_once};
use super::output::OutputOptions;
use super::style::Palette;
use files::Compared;
use listing::{Form, Listing};

/// Compare two Terrain Builder projects or layers
///
/// OLD and NEW are files (.tv4p, .tv4l, .tv4s), or folders that contain a project and its layers.
///
/// The comparison is by meaning. It ignores what every save changes: addresses, numbers of shapes,
/// rebuild flags and uninitialized memory. It matches fields by name, objects of a layer by id, and
/// key points, roads and rasters by name, wherever they are in the file.
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
    #[arg(long, conflicts_with_all = ["strict", "layers", "json", "quiet", "git"])]
    textconv: bool,
    /// Take the arguments that git passes to an external diff command
    #[arg(long, conflicts_with_all = ["layers", "json", "quiet"])]
    git: bool,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork diff old.tv4p new.tv4p
  formwork diff backup/ project/            the projects and all their layers
  formwork diff --json old.tv4l new.tv4l | head

Output:
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
This shows the output of this command instead:
  git config diff.formwork.command "formwork diff --git"
and this is for 'git difftool -t formwork':
  git config difftool.formwork.cmd 'formwork diff "$LOCAL" "$REMOTE"'

Exit status: 0 no differences, 1 differences, 2 wrong use, 3 a file could not be read or written. With --textconv and --git: 0 success."#;

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
            // Git says only the name of a file that was not merged yet.
            (true, [_]) => return Ok(Status::Done),
            (true, _) => return Err(Failure::usage("--git needs the 7 arguments that git passes")),
        };
        stdin_once(&self.paths)?;
        let compared = self.compared(old, new)?;
        let form = if self.json { Form::Json } else { Form::Lines };
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let mut differs = false;
        let compare = |out: &mut dyn Write| {
            differs = self.compare(compared, &mut Listing::new(out, form, palette));
            Ok(())
        };
        if self.quiet { compare(&mut std::io::sink()) } else { self.output.write(compare) }?;
        Ok(if differs && !self.git { Status::No } else { Status::Done })
    }

    /// What is compared with what.
    fn compared(&self, old: &Path, new: &Path) -> Result<Compared, Failure> {
        if old.is_dir() != new.is_dir() {
            let is_named = |path: &&Path| !["-", "/dev/null"].map(AsRef::as_ref).contains(path);
            for path in [old, new].into_iter().filter(is_named) {
                if let Err(error) = path.metadata() {
                    let name = path.display().to_string();
                    return Err(Failure::stream("could not be read", &name, &error));
                }
            }
            return Err(Failure::usage("a file and a folder cannot be compared"));
        }
        if old.is_dir() || self.layers {
            return Compared::projects(old, new);
        }
        Compared::files(old, new)
    }

    /// Whether something differs.
    fn compare(&self, compared: Compared, listing: &mut Listing<'_>) -> bool {
        let Compared { pairs, old_roots, new_roots } = compared;
        let options = Options { strict: self.strict, old_roots, new_roots };
        let mut differs = false;
        for FilePair { old, new } in pairs {
            match (old, new) {
                (Some(old), Some(new)) => {
                    let differences = diff::diff(&old.document, &new.document, &options);
                    differs |= !differences.is_empty();
                    listing.pair(&old, &new, &differences);
                }
                (Some(old), None) => {
                    differs = true;
                    listing.whole(Kind::Removed, &old);
                }
                (None, Some(new)) => {
                    differs = true;
                    listing.whole(Kind::Added, &new);
                }
                (None, None) => {}
            }
            if differs && self.quiet {
                break;
            }
        }
        differs
    }

    /// One file as text.
    fn text(&self) -> Result<Status, Failure> {
        let [path] = &self.paths[..] else {
            return Err(Failure::usage("--textconv needs exactly one file"));
        };
        let source = Source::read(path)?;
        // Git hands out the pointer of Git LFS that stands for a large file in the repository, and
        // what it shows of a file that is empty is nothing.
        let is_pointer = detect(source.bytes()).other == Some(Other::GitLfsPointer);
        let text = if is_pointer || source.bytes().is_empty() {
            source.file.into_bytes()
        } else {
            let Source { name, file, .. } = source;
            let file = ProjectFile::from_bytes(path, name, file.into_bytes())
                .map_err(|error| Failure::from(error).because_unreadable())?;
            let mut text = String::new();
            // Writing to a string does not fail.
            let _ = diff::content(&file.document, &mut text);
            text.into()
        };
        self.output.write(|out| {
            // Why it failed is remembered by the output itself.
            let _ = out.write_all(&text);
            Ok(())
        })?;
        Ok(Status::Done)
    }
}
