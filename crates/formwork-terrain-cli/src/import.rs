//! `terrain objects PROJECT --import LIST`: imports a list into a layer.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use formwork_alb1::terrain::{FileKind, Library, ObjectLayer};
use formwork_alb1::{Document, Text};
use formwork_terrain::object_list::{
    self, CsvReader, Filter, Import, Imported, Line, TextReader, foreign, keep_lines_of_layer,
    lines_of,
};
use formwork_terrain::project::{
    NewLayer, NewLayerError, OBJECT_LAYER, Project, ProjectFile, has_extension,
};
use formwork_terrain::{MapArea, in_utf8};
use formwork_variant::{Error, PathSegment};

use super::changing::{Changing, FileReport};
use super::geojson::{OriginOptions, features};
use super::import_options::{LayerImportOptions, Mode};
use super::layer_files::following;
use super::libraries::say_missing;
use super::print::PrintOptions;
use super::roots::RootOptions;
use super::{incomplete, no_project, selected, shown, stored, text, view, with_names};
use formwork_program::failure::{Failure, Status};
use formwork_program::project::open_file;
use formwork_program::quantity::counted;
use formwork_program::source::Source;
use formwork_program::{remark, say};

/// A form of a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Form {
    /// Terrain Builder's own form, with six decimals
    Text,
    /// CSV with layer, id and library, and all digits
    Csv,
    /// GeoJSON points, in metres
    Geojson,
}

impl From<Form> for object_list::Form {
    fn from(form: Form) -> Self {
        match form {
            Form::Text => Self::Text,
            Form::Csv => Self::Csv,
            Form::Geojson => Self::GeoJson,
        }
    }
}

/// Options for the import of a list.
#[derive(Args, Debug)]
pub(crate) struct ListOptions {
    #[command(flatten)]
    into: LayerImportOptions,
    /// Library of templates that are new to the layer, if all libraries lack them or several have them
    #[arg(long, value_name = "NAME", requires = "list", help_heading = "Import")]
    library: Option<String>,
    /// Import all lines, even if they name another layer
    #[arg(long, requires = "list", help_heading = "Import")]
    ignore_layer: bool,
}

/// The layer that the list goes into.
struct Target {
    name: String,
    path: Option<PathBuf>,
    document: Document,
    layer: ObjectLayer,
    objects_before: i32,
}

impl ListOptions {
    /// Returns the path of the list that is imported, if any.
    pub(super) fn file(&self) -> Result<Option<&Path>, Failure> {
        self.into.import.file()
    }

    /// Returns whether the list goes into a new layer.
    pub(super) const fn is_new(&self) -> bool {
        self.into.new.is_some()
    }

    pub(super) fn run(
        &self,
        (list, (form, origin, roots)): (&Path, (Option<Form>, &OriginOptions, &RootOptions)),
        project: &Project,
        layers: &[String],
        (filter, libraries): (Filter, Vec<Library>),
        print: &PrintOptions,
    ) -> Result<Status, Failure> {
        let changing = Changing::new(self.into.import.change, print)?;
        let library = self.library.as_deref().map(text).transpose()?;
        let mut target = match &self.into.new {
            Some(name) => new_layer(project, name)?,
            None => existing_layer(project, layers)?,
        };
        let Source { name, file, .. } = Source::read(list)?;
        let raw = file.into_bytes();
        let bytes = in_utf8(&raw).map_err(|error| Failure::in_text(&name, &raw, error))?;
        let form = match form {
            Some(form) => form.into(),
            // Standard input has no name, and a name may be wrong: the first line decides the form.
            None if object_list::CsvReader::is_header(&bytes) => object_list::Form::Csv,
            None if is_json(&bytes) => object_list::Form::GeoJson,
            None if has_extension(list, "csv") => object_list::Form::Csv,
            None => object_list::Form::Text,
        };
        if let (object_list::Form::Text, Some(what)) = (form, foreign(list, &bytes)) {
            let message = format!("{name}: this is {what}, which is not read");
            return Err(Failure::no(message).hint(
                "lists are read in Terrain Builder's text, as CSV with the columns that \
                 'formwork terrain objects PROJECT --as csv' writes, and as GeoJSON",
            ));
        }
        if origin.is_asked() && form != object_list::Form::GeoJson {
            return Err(Failure::usage("--origin goes with GeoJSON"));
        }
        // A place loses its last bits in the coordinates of the world.
        let mut compared = form;
        let read: Vec<_> = match form {
            object_list::Form::Csv => CsvReader::new(&bytes).collect(),
            object_list::Form::GeoJson => {
                let features = features(&name, &bytes)?;
                let origin = origin.placed(&name, &features, project)?;
                if origin.is_some() {
                    compared = object_list::Form::Text;
                }
                lines_of(&features, origin)
            }
            _ => TextReader::new(&bytes).collect(),
        };
        let list_of = ListText { name: &name, bytes: &bytes, form };
        let (mut lines, faults) = parted(read);
        if !faults.is_empty() {
            return Ok(list_of.say_faults(faults));
        }
        if !self.ignore_layer
            && let Err(faults) = keep_those_for(&mut lines, project, &target)
        {
            let status = list_of.say_faults(faults);
            remark("--ignore-layer takes the lines of all layers");
            return Ok(status);
        }

        let mode = self.into.import.mode;
        let import = Import { mode: mode.into(), form: compared, filter, library, libraries };
        let imported = match import.apply(&mut target.layer, &lines) {
            Ok(imported) => imported,
            Err(faults) => {
                let is_unknown = |it: &Error| it.rule() == object_list::rule::TEMPLATE;
                if faults.iter().any(is_unknown) {
                    say_missing(project, roots);
                }
                return Ok(list_of.say_faults(faults));
            }
        };
        self.into.import.refuse_empty(&name, lines.is_empty(), (imported.removed, "object"))?;
        say_left_out(&imported, list_of.unit());
        say_in_several(&imported);
        lines.retain(|line| imported.left_out.binary_search(&line.number).is_err());
        say_outside(project, &lines, list_of.unit());
        say_no_height(&name, &lines);
        drop(lines);
        drop(bytes);
        drop(raw);
        let bytes = stored(&target.name, target.document.clone(), &target.layer)?;
        let layer_name = shown(&target.layer.name);
        if import.mode.deletes() && imported.removed > 0 {
            let will = if changing.is_dry_run() { "would" } else { "will" };
            let count = counted(imported.removed as u64, "object");
            remark(&format!("{layer_name}: {count} {will} be deleted"));
        }

        say_what_stays(&layer_name, mode, form, &imported);
        let mut report = report(&target, &layer_name, &imported);
        if changing.is_in_place() {
            write_in_place(project, &target, &bytes, &changing, &mut report)?;
        } else {
            // The list is only read.
            let read_from = target.path.as_deref().unwrap_or(Path::new("-"));
            changing.write(read_from, &bytes, &mut report)?;
            let differs = target.layer.object_count != target.objects_before;
            if project.project.is_some() && differs && !changing.is_dry_run() {
                remark("the project keeps its number of objects; with --in-place it follows");
            }
            changing.report(&report)?;
        }
        Ok(Status::Done)
    }
}

/// Returns the report on a layer that a list was imported into.
fn report(target: &Target, layer: &str, imported: &Imported) -> FileReport {
    let Imported { kept, changed, added, removed, unlisted, new_templates, left_out, .. } =
        imported;
    let templates = match new_templates.len() {
        0 => String::new(),
        1 => "; 1 new template".into(),
        count => format!("; {count} new templates"),
    };
    let kept_in_words = match kept {
        1 => "1 object as it was".to_owned(),
        _ => format!("{kept} objects as they were"),
    };
    let line = format!(
        "{layer}: {kept_in_words}, {changed} changed, {added} added, {removed} deleted{templates}"
    );
    let file = target.path.as_deref().unwrap_or(Path::new(&target.name));
    FileReport::new(file, line)
        .layer(layer)
        .change("kept", *kept)
        .change("changed", *changed)
        .change("added", *added)
        .change("removed", *removed)
        .change("unlisted", *unlisted)
        .change("new_templates", new_templates.len())
        .loss("left_out", left_out.len())
}

/// Reports how many objects of the layer are not in the list, which objects are new though the list has an id for
/// them, and that a text list does not identify moved objects.
fn say_what_stays(layer: &str, mode: Mode, form: object_list::Form, imported: &Imported) {
    let Imported { added, removed, unlisted, renumbered, .. } = imported;
    if let Some(first) = renumbered.first() {
        let count = counted(renumbered.len() as u64, "new object");
        remark(&format!(
            "{layer}: {count} with another id than the list gives, as the layer has no such id, or an earlier line took \
             it (the first: line {first})"
        ));
    }
    if *unlisted > 0 {
        remark(&format!(
            "{layer}: {unlisted} of its objects are not in the list and stay; --mode mirror \
             deletes such objects"
        ));
    }
    let may_have_moved = form == object_list::Form::Text && *added > 0;
    if may_have_moved && (*unlisted > 0 || (mode == Mode::Mirror && *removed > 0)) {
        remark(
            "a text list has no ids, so an object that was moved counts as a new one beside the old \
             one; in CSV and GeoJSON (--as csv, --as geojson) it is known again",
        );
    }
}

/// Replaces the layer, and the project if its number of objects changes. Makes both before it
/// writes the first; replaces each in one step. Reports both.
fn write_in_place(
    project: &Project,
    target: &Target,
    layer: &[u8],
    changing: &Changing,
    report: &mut FileReport,
) -> Result<(), Failure> {
    let path = target.path.as_deref().ok_or_else(no_project)?;
    let more = i64::from(target.layer.object_count) - i64::from(target.objects_before);
    let mut changed = following(project, more)?;
    changing.make_folder_of(path)?;
    changing.replace(path, layer, report)?;
    if let Some((file, report)) = &mut changed {
        changing
            .replace(&file.path, &file.bytes, report)
            .inspect_err(|_| remark(&format!("{} is written, the project is not", target.name)))?;
    }
    changing.report(report)?;
    changed.iter().try_for_each(|(_, report)| changing.report(report))
}

fn existing_layer(project: &Project, names: &[String]) -> Result<Target, Failure> {
    let files = selected(project, FileKind::ObjectLayer, names)?;
    let [file] = files[..] else {
        let message = format!("a list goes into one layer, not into {}", files.len());
        let failure = Failure::usage(message).hint("use --layer NAME or --new NAME");
        return Err(with_names(failure, &project.layers));
    };
    let layer: ObjectLayer = view(file)?;
    Ok(Target {
        name: file.name.clone(),
        path: Some(file.path.clone()),
        document: file.document.clone(),
        objects_before: layer.object_count,
        layer,
    })
}

/// Makes a layer without objects, in the grid and the version of the other layers.
fn new_layer(project: &Project, name: &str) -> Result<Target, Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i32::try_from(now.as_secs()).unwrap_or(i32::MAX);
    let new = project.new_layer(name, now).map_err(|error| {
        let message = error.to_string();
        match error {
            NewLayerError::Layer => {
                Failure::usage(format!("there is a layer {} already", shown(name)))
            }
            NewLayerError::File { unread, .. } => {
                let failure = Failure::usage(shown(message));
                match unread {
                    Some(why) => failure.line(format!("it could not be read: {why}")),
                    None => failure
                        .hint(format!("to put the list into that layer: --layer {}", shown(name))),
                }
            }
            NewLayerError::Project(error) => {
                incomplete(project.project.as_ref().map_or("", |file| &file.name), error)
            }
            NewLayerError::Value(error) => Failure::in_value(name, error),
            _ => Failure::usage(format!("{}: {message}", shown(name))),
        }
    })?;
    let NewLayer { path, document, layer } = new;
    Ok(Target { name: shown(name), path, document, layer, objects_before: 0 })
}

/// Separates lines and faults.
fn parted(read: Vec<formwork_variant::Result<Line<'_>>>) -> (Vec<Line<'_>>, Vec<Error>) {
    let mut lines = Vec::with_capacity(read.len());
    let mut faults = Vec::new();
    for line in read {
        match line {
            Ok(line) => lines.push(line),
            Err(error) => faults.push(error),
        }
    }
    (lines, faults)
}

/// Keeps the lines for the layer, and reports how many are for other layers of the project.
fn keep_those_for(
    lines: &mut Vec<Line<'_>>,
    project: &Project,
    target: &Target,
) -> Result<(), Vec<Error>> {
    let of_file = |stem: &str| Text::new(stem).map(|it| it.as_bytes().to_vec()).unwrap_or_default();
    let named = |file: &ProjectFile| match file.title() {
        Some(title) => title.as_bytes().to_vec(),
        None => of_file(&file.stem()),
    };
    let mut names: Vec<Vec<u8>> = project.layers.iter().map(named).collect();
    names.extend(project.unread_of(FileKind::ObjectLayer).map(|file| of_file(&file.stem())));
    let unopened = || project.unopened.iter().filter(|path| has_extension(path, OBJECT_LAYER));
    let stem = |path: &PathBuf| of_file(&path.file_stem().unwrap_or_default().to_string_lossy());
    names.extend(unopened().map(stem));
    let mut keep = |names: &[Vec<u8>]| {
        let others: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        keep_lines_of_layer(lines, target.layer.name.as_bytes(), &others)
    };
    let left_out = match keep(&names) {
        // A layer may have another name than its file.
        Err(_) if unopened().next().is_some() => {
            let opened: Vec<_> = unopened().filter_map(|path| open_file(path).ok()).collect();
            names.extend(opened.iter().map(named));
            keep(&names)?
        }
        kept => kept?,
    };
    if left_out > 0 {
        remark(&match left_out {
            1 => "1 object of the list is of another layer, and is left out".to_owned(),
            _ => format!("{left_out} objects of the list are of other layers, and are left out"),
        });
    }
    Ok(())
}

/// Reports how many lines the selection leaves out.
fn say_left_out(imported: &Imported, unit: &str) {
    if let [first, rest @ ..] = &imported.left_out[..] {
        let lines = match rest.len() {
            0 => format!("1 {unit} lies outside the selection and was left out: {unit} {first}"),
            more => format!(
                "{} {unit}s lie outside the selection and were left out, the first is {unit} {first}",
                more + 1
            ),
        };
        remark(&lines);
    }
}

/// Reports how many lines of a list have no height.
fn say_no_height(name: &str, lines: &[Line<'_>]) {
    let mut without = lines.iter().filter(|line| line.entry.no_height);
    if let Some(Line { number, .. }) = without.next() {
        let lines = counted(without.count() as u64 + 1, "line");
        remark(&format!(
            "{name}: {lines} without a height, the first is line {number}: new objects are put on the ground, and \
             others keep their height"
        ));
    }
}

/// Names the new templates that several libraries have.
fn say_in_several(imported: &Imported) {
    /// Number of templates that are named.
    const SHOWN: usize = 10;
    for (template, libraries) in imported.in_several.iter().take(SHOWN) {
        let names: Vec<_> = libraries.iter().map(shown).collect();
        let (template, first) = (shown(template), &names[0]);
        remark(&format!(
            "{template} is in the libraries {}: that of {first} is taken; --library NAME takes another",
            names.join(" and ")
        ));
    }
    if let more @ 1.. = imported.in_several.len().saturating_sub(SHOWN) {
        remark(&format!("and {} in several libraries", counted(more as u64, "more template")));
    }
}

/// Reports how many objects are outside all map frames: Terrain Builder accepts them, but no map
/// has them.
fn say_outside(project: &Project, lines: &[Line<'_>], unit: &str) {
    let Some(file) = &project.project else { return };
    let Ok(settings) = file.view() else { return };
    let map = MapArea::of(&settings);
    let is_outside = |line: &&Line<'_>| {
        let placement = &line.entry.placement;
        !map.has(placement.x, placement.y)
    };
    let mut outside = lines.iter().filter(is_outside);
    if let Some(first) = outside.next() {
        let count = outside.count() + 1;
        let number = first.number;
        remark(&format!(
            "{} outside the map, the first in {unit} {number}",
            counted(count as u64, "object")
        ));
    }
}

/// Returns whether bytes start like JSON.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"{")
}

/// A list, with the words for messages about it.
#[derive(Clone, Copy)]
struct ListText<'l> {
    name: &'l str,
    bytes: &'l [u8],
    form: object_list::Form,
}

impl ListText<'_> {
    /// Returns the word for one part of the list.
    fn unit(self) -> &'static str {
        if self.form == object_list::Form::GeoJson { "feature" } else { "line" }
    }

    /// Returns a failure about one part of the list, or about the layer.
    fn failure(self, error: Error) -> Failure {
        let Self { name, bytes, form } = self;
        let steps = error.path().steps();
        match steps {
            [PathSegment::Field("line"), PathSegment::Index(number), rest @ ..]
                if form == object_list::Form::GeoJson =>
            {
                let rest = formwork_variant::Path::from(rest.to_vec());
                let at = if rest.is_empty() { String::new() } else { format!(", {rest}") };
                let (expected, found) = (error.expected(), error.found());
                Failure::no(format!(
                    "{name}: feature {number}{at}: expected {expected}, found {found}"
                ))
            }
            [PathSegment::Field("line"), ..] => Failure::in_text(name, bytes, error),
            _ => Failure::in_value("the layer", error),
        }
    }

    /// Reports the faults of the list.
    fn say_faults(self, faults: Vec<Error>) -> Status {
        /// Number of faults that are shown.
        const SHOWN: usize = 10;
        let more = faults.len().saturating_sub(SHOWN);
        for error in faults.into_iter().take(SHOWN) {
            let unknown = error.rule() == object_list::rule::TEMPLATE;
            say(&self.failure(error));
            if unknown && more == 0 {
                remark("--library NAME says which library new templates belong to");
            }
        }
        if more > 0 {
            remark(&format!("{}: and {more} more faults", self.name));
        }
        Status::No
    }
}
