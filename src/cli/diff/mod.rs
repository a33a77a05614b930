//! `diff`: what differs between two projects or layers, by meaning.

mod listing;
mod project;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::alb1::Document;
use formwork::alb1::diff::{self, Options};

use super::failure::{Failure, Status};
use super::input::Source;
use super::output::OutputOptions;
use super::style::Palette;
use listing::{Form, Listing};
use project::{Match, Member, Project};

/// Show what differs between two Terrain Builder projects or layers, by meaning.
///
/// Saving changes all addresses in a file, and numbers all shapes anew; none of that is shown, nor
/// flags for what is to be built again, nor memory that was never set. Fields are compared by their
/// names, the objects of a layer by their ids, key points, roads and rasters by their names, wherever
/// they stand in the file.
///
/// OLD and NEW are files (.tv4p, .tv4l, .tv4s), or folders with a project and its layers.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER, after_help = "More and examples: --help")]
#[command(override_usage = "formwork diff [OPTIONS] OLD NEW\n       formwork diff --textconv FILE")]
pub(crate) struct Diff {
    /// The files or folders to compare; '-' for standard input
    #[arg(value_name = "OLD NEW", required = true, num_args = 1..=9)]
    paths: Vec<PathBuf>,
    /// Let everything count: addresses, the order of pairs, the header, every byte of the quadtree
    #[arg(long)]
    strict: bool,
    /// Of two .tv4p files, compare their layers, too (of folders that is always done)
    #[arg(long)]
    layers: bool,
    /// Print a JSON object for each difference, a line each
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing; the exit status tells
    #[arg(short, long)]
    quiet: bool,
    /// Write one file as text for git to compare: a fact a line, without what every save changes
    #[arg(long, conflicts_with_all = ["strict", "layers", "json", "quiet", "git"])]
    textconv: bool,
    /// Take the arguments with which git calls an external diff driver
    #[arg(long, conflicts_with_all = ["layers", "json", "quiet"])]
    git: bool,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"What the lines say:
  @@ keyPoint.mkey["Town"] (SKeyPoint)      an object, and its class
  -angle = 0.0                              a field of it, as it was in OLD
  +angle = 90.0                             and as it is in NEW
  ~straight["a"] moved                      the same thing in another place

Examples:
  formwork diff old.tv4p new.tv4p
  formwork diff backup/ project/            the projects in two folders, with all layers
  formwork diff --json old.tv4l new.tv4l | head

For 'git diff', 'git log -p' and 'git show', say once in a repository:
  git config diff.formwork.textconv "formwork diff --textconv"
  git config diff.formwork.cachetextconv true
and put these lines into its .gitattributes:
  *.tv4p diff=formwork
  *.tv4l diff=formwork
  *.tv4s diff=formwork
To have this command's own listing there instead:
  git config diff.formwork.command "formwork diff --git"
and for 'git difftool -t formwork':
  git config difftool.formwork.cmd 'formwork diff "$LOCAL" "$REMOTE"'

Exit status: 0 nothing differs, 1 something does, 2 wrong use, 3 something could not be read or
written. (With --textconv and --git: 0 done.)"#;

impl Diff {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if self.textconv {
            return self.text();
        }
        let [old, new] = match (self.git, &self.paths[..]) {
            (false, [old, new]) => [old, new].map(PathBuf::as_path),
            (false, _) => {
                return Err(Failure::usage("two files or two folders are needed, OLD and NEW"));
            }
            (true, [_, old, _, _, new, _, _] | [_, old, _, _, new, _, _, _, _]) => {
                [old, new].map(PathBuf::as_path)
            }
            // Git says only the name of a file that was not merged yet.
            (true, [_]) => return Ok(Status::Done),
            (true, _) => return Err(Failure::usage("git calls a diff driver with 7 arguments")),
        };
        super::input::stdin_once(&self.paths)?;
        let matches = self.matches(old, new)?;
        let form = if self.json { Form::Json } else { Form::Lines };
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let mut differs = false;
        let compare = |out: &mut dyn Write| {
            let mut listing = Listing::new(out, form, palette, self.quiet);
            differs = self.compare(matches, &mut listing)?;
            Ok(())
        };
        if self.quiet { compare(&mut std::io::sink()) } else { self.output.write(compare) }?;
        Ok(if differs && !self.git { Status::No } else { Status::Done })
    }

    /// What is compared with what.
    fn matches(&self, old: &Path, new: &Path) -> Result<Vec<Match>, Failure> {
        if old.is_dir() != new.is_dir() {
            return Err(Failure::usage("a file and a folder cannot be compared"));
        }
        if old.is_dir() {
            return Ok(Project::in_folder(old)?.against(Project::in_folder(new)?));
        }
        if self.layers {
            return Ok(Project::of_file(old)?.against(Project::of_file(new)?));
        }
        let [old, new] = [old, new].map(|path| Some(Member::file(path)));
        Ok(vec![Match { old, new }])
    }

    /// Whether something differs.
    fn compare(&self, matches: Vec<Match>, listing: &mut Listing<'_>) -> Result<bool, Failure> {
        let mut options = Options { strict: self.strict, ..Options::default() };
        let mut differs = false;
        for Match { old, new } in matches {
            let read = |member: &Option<Member>| member.as_ref().map(Member::read).transpose();
            let (one, other) = (read(&old)?.flatten(), read(&new)?.flatten());
            let (Some(one), Some(other)) = (&one, &other) else {
                let there = one.as_ref().zip(old.as_ref()).map(|found| (true, found));
                let there = there.or(other.as_ref().zip(new.as_ref()).map(|found| (false, found)));
                if let Some((removed, (document, member))) = there {
                    listing.whole(removed, &member.name, document);
                    differs = true;
                }
                continue;
            };
            let differences = diff::diff(one, other, &options);
            if let (Some(old), Some(new)) = (&old, &new) {
                listing.pair(old, new, &differences);
                options.old_roots.insert(one.root.address, old.root_name(one));
                options.new_roots.insert(other.root.address, new.root_name(other));
            }
            differs |= !differences.is_empty();
            if differs && self.quiet {
                break;
            }
        }
        Ok(differs)
    }

    /// One file as text.
    fn text(&self) -> Result<Status, Failure> {
        let [path] = &self.paths[..] else {
            return Err(Failure::usage("--textconv takes one file"));
        };
        let source = Source::read(path)?;
        // What stands in the repository for a large file that is kept elsewhere.
        if is_lfs_pointer(&source.bytes) {
            self.output.write(|out| {
                // Why it failed is remembered by the output itself.
                let _ = out.write_all(&source.bytes);
                Ok(())
            })?;
            return Ok(Status::Done);
        }
        let Some(document) = document(source)? else { return Ok(Status::Done) };
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = diff::content(&document, &mut text);
        self.output.write(|out| {
            // As above.
            let _ = out.write_all(text.as_bytes());
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(b"version https://git-lfs.")
}

/// The document of a file; nothing where it is empty, which is how git shows a file that is not
/// there.
fn document(source: Source) -> Result<Option<Document>, Failure> {
    let Source { name, bytes } = source;
    if bytes.is_empty() {
        return Ok(None);
    }
    if is_lfs_pointer(&bytes) {
        return Err(Failure::unreadable(format!("{name}: only a pointer to the file, of Git LFS"))
            .hint("'git lfs pull' fetches the file itself."));
    }
    if !bytes.starts_with(b"ALB1") {
        return Err(Failure::unreadable(format!("{name}: not an ALB1 file"))
            .hint(
                "'diff' compares projects (.tv4p), object layers (.tv4l) and shape layers (.tv4s).",
            )
            .hint("Other files: compare what 'formwork decode' prints."));
    }
    let bytes = bytes.into();
    match Document::from_bytes(&bytes) {
        Ok(document) => Ok(Some(document)),
        Err(error) => Err(Failure::in_bytes(&name, &bytes, error).because_unreadable()),
    }
}
