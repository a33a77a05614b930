//! `diff`: compares two saves, packs, projects or layers by value.

mod files;
mod listing;
mod text;
mod values;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_alb1::diff;
use formwork_alb1::diff::{ChangeKind, Options};
use formwork_godot::detect::detect;
use formwork_godot::wrapper::Key;
use formwork_terrain::project::{FilePair, ProjectFile};

use super::contents::{Contents, InputOptions};
use super::failure::{Failure, Status};
use super::format::LimitOptions;
use super::input::stdin_once;
use super::output::OutputOptions;
use super::pack;
use super::source::Source;
use super::style::{Palette, shown};
use files::Compared;
use listing::{Form, Listing};
use text::AsText;
use values::{Comparing, Inside};

/// Compare two saves, projects or layers
///
/// OLD and NEW are saves, files of Terrain Builder (.tv4p, .tv4l, .tv4s), or folders that contain a project and
/// its layers.
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
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, hide_default_value = true)]
    #[arg(conflicts_with = "textconv")]
    float_tolerance: f64,
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
  formwork diff backup/ project/            the projects and all their layers
  formwork diff --json old.tv4l new.tv4l | head

Output for saves:
  player/gold: 100 -> 9999                  another value
  player/mana: added 5                      an entry only in NEW
  bag/0: removed "rope"                     an element only in OLD
  bag/2: position 0 -> position 2           the same value in another place

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

/// The two sides of a comparison.
enum Pair {
    /// Files or projects of Terrain Builder.
    Documents(Compared),
    /// Files of values, and those in two packs.
    Values(Vec<[values::Side; 2]>),
}

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
        let compared = self.compared(old, new)?;
        let mut status = Status::Done;
        let compare = |out: &mut dyn Write| {
            status = self.compare(compared, palette, out)?;
            Ok(())
        };
        if self.quiet { compare(&mut std::io::sink()) } else { self.output.write(compare) }?;
        Ok(status)
    }

    /// Prints the differences between two files for git. Files that cannot be compared by value are
    /// compared as text, because git shows nothing where this command fails.
    fn for_git(&self, [old, new]: [&Path; 2], palette: Palette) -> Result<Status, Failure> {
        let mut text = Vec::new();
        let compared = self.compared(old, new);
        match compared.and_then(|compared| self.compare(compared, palette, &mut text)) {
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
        pair: Pair,
        palette: Palette,
        out: &mut dyn Write,
    ) -> Result<Status, Failure> {
        let form = if self.json { Form::Json } else { Form::Lines };
        let (stat, tolerance) = (self.stat, self.float_tolerance);
        let differs = match pair {
            Pair::Documents(compared) => {
                if tolerance > 0.0 {
                    return Err(Failure::usage(
                        "--float-tolerance is for saves; files of Terrain Builder are compared exactly",
                    ));
                }
                self.documents(compared, &mut Listing::new(out, form, palette))
            }
            Pair::Values(pairs) => {
                let comparing = Comparing { form, stat, tolerance, palette };
                let mut differs = false;
                for sides in &pairs {
                    let answer =
                        comparing.files(sides, out).map_err(Failure::because_unreadable)?;
                    differs |= answer.differs || answer.is_partial;
                }
                differs
            }
        };
        Ok(if differs { Status::No } else { Status::Done })
    }

    /// Opens the files to compare.
    fn compared(&self, old: &Path, new: &Path) -> Result<Pair, Failure> {
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
            return Compared::projects(old, new).map(Pair::Documents);
        }
        let key = self.input.key([])?;
        let sources = [self.read(old, key.as_ref())?, self.read(new, key.as_ref())?];
        let is_alb1 = |source: &Source| self.input.is_alb1(source.content());
        let documents = sources.iter().flatten().filter(|source| is_alb1(source)).count();
        let is_pack = |source: &Source| self.input.is_pack(source.content());
        let packs = sources.iter().flatten().filter(|source| is_pack(source)).count();
        if packs == 1 && sources.iter().flatten().count() == 2 {
            return Err(Failure::usage("a pack and another file cannot be compared")
                .hint("to compare a file in the pack: formwork diff 'PACK!NAME' FILE"));
        }
        let is_save =
            |source: &Source| !is_alb1(source) && !detect(source.content()).candidates.is_empty();
        if documents == 1 && sources.iter().flatten().any(is_save) {
            return Err(Failure::usage("a save and a file of Terrain Builder cannot be compared"));
        }
        let [old_source, new_source] = sources;
        if documents == 0 && self.strict {
            return Err(Failure::usage(
                "--strict is for files of Terrain Builder; saves are always compared exactly",
            ));
        }
        if documents > 0 {
            let file = |path: &Path, source: Option<Source>| {
                let Some(Source { name, file, .. }) = source else { return Ok(None) };
                let read = ProjectFile::from_bytes(path, name, file.into_bytes());
                read.map(Some).map_err(|error| Failure::from(error).because_unreadable())
            };
            let files = Compared::files(file(old, old_source)?, file(new, new_source)?);
            return Ok(Pair::Documents(files));
        }
        // The paths from git are those of temporary files.
        let name = |source: &Option<Source>, side: &str| match (self.git, self.paths.first()) {
            (true, Some(path)) => format!("{side}/{}", path.display()),
            _ => source.as_ref().map(|source| source.name.clone()).unwrap_or_default(),
        };
        let names = [name(&old_source, "a"), name(&new_source, "b")];
        let (mut pairs, mut shown) = (Vec::new(), HashSet::new());
        if let (Some(old), Some(new)) = (&old_source, &new_source)
            && [old, new].iter().all(|source| self.input.is_pack(source.content()))
        {
            let pack = |source: &Source| pack::File::new(source.clone(), self.limits);
            for (member, sources) in pack(old).differing(&pack(new))? {
                let [old, new] = sources.map(|source| self.member(source, key.as_ref()));
                if let (Some(old), Some(new)) = (old, new) {
                    let side = |side: &String, input| values::Side {
                        name: format!("{side}!{member}"),
                        inside: input,
                    };
                    pairs.push([side(&names[0], old), side(&names[1], new)]);
                    shown.insert(member);
                }
            }
        }
        let side = |source: Option<Source>, name: &String| -> Result<values::Side, Failure> {
            let inside = match source {
                None => Inside::Nothing,
                Some(source) => {
                    let contents = Contents::of(source, &self.input, self.limits);
                    match contents.map_err(Failure::because_unreadable)? {
                        Contents::Pack(file) => Inside::Values(Box::new(file.into_packet(&shown)?)),
                        contents => self.inside(contents)?.unwrap_or(Inside::Nothing),
                    }
                }
            };
            Ok(values::Side { name: name.clone(), inside })
        };
        pairs.insert(0, [side(old_source, &names[0])?, side(new_source, &names[1])?]);
        Ok(Pair::Values(pairs))
    }

    /// Returns the content of a file to compare; none for a pack and for a file of Terrain Builder.
    fn inside(&self, contents: Contents) -> Result<Option<Inside>, Failure> {
        Ok(Some(match contents {
            Contents::Document(file) => Inside::Document(file.format.name(), file.open()?),
            Contents::Pack(_) | Contents::Alb1(_) => return Ok(None),
            values => Inside::Values(Box::new(values.file().values(self.limits)?)),
        }))
    }

    /// Returns the content of a file in a pack to compare; none where its bytes are compared.
    fn member(&self, source: Source, key: Option<&Key>) -> Option<Inside> {
        let source = source.unwrapped(None, key, self.limits).ok()?;
        match Contents::of(source, &InputOptions::default(), self.limits).ok()? {
            // The values of a script are only a part of it.
            Contents::Script(_) => None,
            contents => self.inside(contents).ok()?,
        }
    }

    /// Reads a file; returns none for the path with which git marks a missing file.
    fn read(&self, path: &Path, key: Option<&Key>) -> Result<Option<Source>, Failure> {
        if path.as_os_str() == "/dev/null" {
            return Ok(None);
        }
        let source = Source::open(path, self.input.skip, key, self.limits);
        source.map(Some).map_err(Failure::because_unreadable)
    }

    /// Lists the differences between files of Terrain Builder; returns whether there are any.
    fn documents(&self, compared: Compared, listing: &mut Listing<'_>) -> bool {
        let Compared { pairs, old_roots, new_roots } = compared;
        let options = Options { strict: self.strict, old_roots, new_roots };
        let mut differs = false;
        for FilePair { old, new } in pairs {
            match (old, new) {
                (Some(old), Some(new)) => {
                    let differences = diff::diff(&old.document, &new.document, &options);
                    differs |= !differences.is_empty();
                    match self.stat {
                        true => listing.counts(&new, &differences),
                        false => listing.pair(&old, &new, &differences),
                    }
                }
                (Some(old), None) => {
                    differs = true;
                    listing.whole(ChangeKind::Removed, &old);
                }
                (None, Some(new)) => {
                    differs = true;
                    listing.whole(ChangeKind::Added, &new);
                }
                (None, None) => {}
            }
            if differs && self.quiet {
                break;
            }
        }
        differs
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
