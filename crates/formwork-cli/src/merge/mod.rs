//! `merge`: merges the changes of two people to one file.

mod driver;

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::document::{self, Json};
use formwork_alb1::Document;
use formwork_alb1::diff;
use formwork_variant::Dialect;
use formwork_variant::edit::{Merge as Merging, Names, Side};
use formwork_variant::{Array, Dictionary, Real, Variant};

use super::alb1;
use super::change::{Change, ChangeOptions, Changed, Changing, Context, ShownValue};
use super::changed::told_apart;
use super::contents::{Contents, InputOptions};
use super::diff::{converted, one};
use super::documents;
use super::editor::{replace_document, replace_values};
use super::failure::{Failure, Status};
use super::format::LimitOptions;
use super::input::stdin_once;
use super::lines::JsonLine;
use super::output::to_stdout;
use super::pack;
use super::packets::Input;
use super::quantity::counted;
use super::source::Source;
use super::style::shown;

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
        let merging = Three { command: self, base, theirs, found: RefCell::default() };
        let new = changing.changed(&merging)?;
        changing.write(&new)?;
        let Found { conflicts, is_partial, taken } = merging.found.into_inner();
        if let Some(taken) = taken {
            self.tell(&changing, &taken)?;
        }
        for conflict in &conflicts {
            if self.json {
                to_stdout(|out| {
                    conflict.json(changing.name(), self.settles()).print(out);
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
    fn open(&self, path: &Path) -> Result<Other, Failure> {
        let key = self.input.key([])?;
        let mut source = Source::read_with(path, key.as_ref())?;
        if let Some(name) = self.shown_name() {
            let side = if path == self.base { "base" } else { "theirs" };
            source.name = format!("{name} ({side})");
        }
        // The base is empty where both sides added a file in git.
        if source.bytes().is_empty() {
            return Ok(Other::Nothing);
        }
        let source = source.unwrapped(self.input.skip, key.as_ref(), self.limits)?;
        Ok(match Contents::of(source, &self.input, self.limits)? {
            Contents::Packets(input) => Other::Values(Box::new(input)),
            Contents::Config(file) => Other::Values(Box::new(file.into_packet(self.limits)?)),
            Contents::Alb1(file) => Other::Document(Box::new(file)),
            Contents::Document(file) => Other::Json(file.open()?.to_json()),
            Contents::Resource(file) => return Err(file.read_only()),
            Contents::Script(file) => {
                return Err(super::script::File::read_only(&file.source.name));
            }
            Contents::Pack(file) => return Err(pack::File::no_values(&file.source.name)),
        })
    }
}

/// Returns whether git made this file for its merge driver, and removes it afterwards.
fn is_of_git(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name.starts_with(".merge_file_"))
}

/// A file that is only read.
enum Other {
    Nothing,
    Values(Box<Input>),
    Document(Box<alb1::File>),
    Json(Json),
}

/// The three files of a merge.
struct Three<'m> {
    command: &'m Merge,
    base: Other,
    theirs: Other,
    found: RefCell<Found>,
}

/// The result of a merge, apart from the values.
#[derive(Default)]
struct Found {
    conflicts: Vec<Conflict>,
    /// Whether only a part of a file was read.
    is_partial: bool,
    /// Number of objects of a layer that were taken from the others, in words.
    taken: Option<String>,
}

/// A place that both sides changed, with the values in words.
struct Conflict {
    place: String,
    base: Option<ShownValue>,
    ours: Option<ShownValue>,
    theirs: Option<ShownValue>,
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

impl Three<'_> {
    fn differ(&self, context: &Context<'_>) -> Failure {
        Failure::usage(format!(
            "{}: the three files are not of one kind (saves, JSON, or files of Terrain Builder)",
            context.name
        ))
    }

    /// Returns the values of a file, converted to our engine; none for an empty file.
    fn values_of<R: Real>(
        &self,
        other: &Other,
        context: &Context<'_>,
    ) -> Result<Option<Vec<Variant<R>>>, Failure> {
        let input = match other {
            Other::Nothing => return Ok(None),
            Other::Document(_) | Other::Json(_) => return Err(self.differ(context)),
            Other::Values(input) => input,
        };
        let dialect = context.dialect;
        let own = (input.dialect, input.framing);
        let same = input.alike.iter().find(|(other, _)| *other == dialect).copied();
        let (dialect, framing) = if own.0 == dialect { own } else { same.unwrap_or(own) };
        let input = Input::known(input.source.clone(), dialect, framing, context.limits);
        let (values, passed_over) = input.values_as_the_engine()?;
        self.found.borrow_mut().is_partial |= passed_over;
        Ok(Some(converted(values, &input, context.dialect)))
    }

    fn document_of(
        &self,
        other: &Other,
        context: &Context<'_>,
    ) -> Result<Option<Document>, Failure> {
        match other {
            Other::Nothing => Ok(None),
            Other::Document(file) => file.document().map(Some),
            Other::Values(_) | Other::Json(_) => Err(self.differ(context)),
        }
    }

    fn json_of<'o>(
        &self,
        other: &'o Other,
        context: &Context<'_>,
    ) -> Result<Option<&'o Json>, Failure> {
        match other {
            Other::Nothing => Ok(None),
            Other::Json(json) => Ok(Some(json)),
            Other::Values(_) | Other::Document(_) => Err(self.differ(context)),
        }
    }
}

impl Change for Three<'_> {
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let dialect: Dialect = context.dialect;
        // Several engines may read the file alike; each of them merges it again.
        self.found.take();
        let theirs = self.values_of(&self.theirs, context)?.unwrap_or_default();
        let base = self.values_of(&self.base, context)?;
        let is_one = |values: &[Variant<R>]| values.len() == 1;
        let several = !is_one(values)
            || !is_one(&theirs)
            || base.as_deref().is_some_and(|base| !is_one(base));
        let (ours, theirs) = (one(values.clone(), several), one(theirs, several));
        let base = match (base, &ours) {
            (Some(base), _) => one(base, several),
            (None, Variant::Dictionary(_)) => Variant::Dictionary(Dictionary::new()),
            (None, Variant::Array(_)) => Variant::Array(Array::new()),
            (None, _) => Variant::Nil,
        };
        let prefer = self.command.settles().unwrap_or_default();
        let merged = Merging::new().prefer(prefer).values(&base, &ours, &theirs);
        let text = |value: Option<&Variant<R>>| value.map(|value| ShownValue::of(value, dialect));
        let (mut in_ours, mut in_theirs) =
            (Names::new(&ours, dialect), Names::new(&theirs, dialect));
        let conflicts = merged.conflicts.iter().map(|it| Conflict {
            place: shown(it.name(&mut in_ours, &mut in_theirs)),
            base: text(it.base),
            ours: text(it.ours),
            theirs: text(it.theirs),
        });
        self.found.borrow_mut().conflicts = conflicts.collect();
        let new = match (several, merged.value) {
            (true, Variant::Array(array)) => array.into_vec(),
            (_, value) => vec![value],
        };
        replace_values(values, new, context)
    }

    fn document(
        &self,
        document: &mut Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        self.found.take();
        let theirs = self.document_of(&self.theirs, context)?;
        let base = self.document_of(&self.base, context)?;
        let Some(theirs) = theirs else { return Ok(Vec::new()) };
        let Some(base) = base else {
            return Err(Failure::no(format!(
                "{}: both sides added this file, so there is nothing to merge it by",
                context.name
            )));
        };
        let prefer_theirs = self.command.settles() == Some(Side::Theirs);
        let merged = diff::merge(&base, document, &theirs, prefer_theirs);
        let taken = objects_taken(document, &merged);
        let conflicts = merged.conflicts.into_iter().map(|it| {
            let diff::Conflict { place, base, ours, theirs } = it;
            let words = |words: Option<String>| words.as_deref().map(ShownValue::of_words);
            Conflict { place, base: words(base), ours: words(ours), theirs: words(theirs) }
        });
        self.found.borrow_mut().conflicts = conflicts.collect();
        let mut changed = replace_document(document, merged.document);
        if !self.command.json && taken.is_some() {
            changed.retain(|it| it.place != TREE);
        }
        self.found.borrow_mut().taken = taken;
        Ok(changed)
    }

    fn edit(
        &self,
        document: &mut dyn document::Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        self.found.take();
        let ours = document.to_json();
        let empty = match &ours {
            Json::Object(_) => Json::Object(Vec::new()),
            Json::Array(_) => Json::Array(Vec::new()),
            _ => Json::Null,
        };
        let theirs = self.json_of(&self.theirs, context)?.unwrap_or(&empty);
        let base = self.json_of(&self.base, context)?.unwrap_or(&empty);
        let prefer = self.command.settles().unwrap_or_default();
        let merged = documents::merge(base, &ours, theirs, prefer);
        let conflicts = merged.conflicts.into_iter().map(|it| {
            let words = |json: Option<Json>| json.map(|it| ShownValue::of_words(&it.to_string()));
            let documents::Conflict { place, base, ours, theirs } = it;
            Conflict { place, base: words(base), ours: words(ours), theirs: words(theirs) }
        });
        self.found.borrow_mut().conflicts = conflicts.collect();
        documents::replace(document, context.name, &merged.json)
    }
}

/// The field of a layer that holds its objects.
const TREE: &str = "tree";

/// Returns the number of objects of a layer that were taken from the others, in words; none for
/// zero.
fn objects_taken(ours: &Document, merged: &diff::Merged) -> Option<String> {
    let found = diff::diff(ours, &merged.document, &diff::Options::default());
    let objects: HashSet<String> = found
        .iter()
        .filter(|it| it.new.to_string().starts_with("tree["))
        .map(|it| it.new.to_string().split(']').next().unwrap_or_default().to_owned())
        .collect();
    let renumbered = match merged.renumbered {
        0 => String::new(),
        count => format!(", {count} of them under a new id"),
    };
    let count = counted(objects.len() as u64, "object");
    (!objects.is_empty()).then(|| format!("{count} of theirs taken{renumbered}"))
}
