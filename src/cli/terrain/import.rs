//! `terrain PROJECT objects --import LIST`: a list into a layer.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use clap::{Args, ValueEnum};
use formwork::Error;
use formwork::alb1::object_list::{self, CsvReader, Filter, Import, Imported, Line, TextReader};
use formwork::alb1::terrain::{Library, ObjectLayer, Project as ProjectView, Root};
use formwork::alb1::tree::{Grid, Tree, Version};
use formwork::alb1::{Document, Text};

use super::super::failure::{Failure, Status};
use super::super::input::Source;
use super::super::output::OutputOptions;
use super::super::project::{LAYER, Project, ProjectFile};
use super::super::{remark, say};
use super::objects::{Form, selected, with_names};
use super::{no_project, shown, view};

/// What becomes of a list.
#[derive(Args, Debug)]
pub(crate) struct ImportOptions {
    /// Put this list into the layer ('-' for standard input)
    #[arg(long = "import", value_name = "LIST", help_heading = "Import")]
    list: Option<PathBuf>,
    /// What becomes of the objects that the layer has
    #[arg(
        long,
        value_enum,
        value_name = "MODE",
        default_value_t,
        requires = "list",
        help_heading = "Import"
    )]
    mode: Mode,
    /// The library of new templates that no library at hand has
    #[arg(long, value_name = "NAME", requires = "list", help_heading = "Import")]
    library: Option<String>,
    /// Make a new layer with this name
    #[arg(
        long = "new",
        value_name = "NAME",
        requires = "list",
        conflicts_with = "layers",
        help_heading = "Import"
    )]
    new: Option<String>,
    /// Write the layer where it is, and the number of objects into the project
    #[arg(long, requires = "list", conflicts_with = "output", help_heading = "Import")]
    in_place: bool,
}

/// As the library has it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Mode {
    /// The layer gets what the list has; objects that are in both stay as they are
    #[default]
    Update,
    /// All objects are taken out, and those of the list are new
    Replace,
    /// The objects of the list are added
    Append,
}

/// The layer that the list goes into.
struct Target {
    name: String,
    path: Option<PathBuf>,
    document: Document,
    layer: ObjectLayer,
    objects_before: i32,
}

impl ImportOptions {
    /// Whether a list is to be put into a layer.
    pub(super) const fn is_asked(&self) -> bool {
        self.list.is_some()
    }

    pub(super) fn run(
        self,
        project: Project,
        layers: &[String],
        form: Option<Form>,
        filter: Filter,
        libraries: Vec<Library>,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        let Some(list) = &self.list else { return Ok(Status::Done) };
        let is_csv = list.extension().is_some_and(|it| it.eq_ignore_ascii_case("csv"));
        let form = match form.unwrap_or(if is_csv { Form::Csv } else { Form::Text }) {
            Form::Text => object_list::Form::Text,
            Form::Csv => object_list::Form::Csv,
            Form::Geojson => {
                return Err(Failure::usage("GeoJSON is not read back")
                    .hint("Terrain Builder's text and CSV are: --as text, --as csv."));
            }
        };
        let library = match &self.library {
            Some(name) => Some(text(name)?),
            None => None,
        };
        let mut target = match &self.new {
            Some(name) => new_layer(&project, name)?,
            None => existing_layer(&project, layers)?,
        };
        let Source { name, bytes, .. } = Source::read(list)?;
        let read: Vec<_> = match form {
            object_list::Form::Csv => CsvReader::new(&bytes).collect(),
            _ => TextReader::new(&bytes).collect(),
        };
        let (lines, faults) = parted(read);
        if !faults.is_empty() {
            return Ok(say_faults(&name, &bytes, faults));
        }
        let lines = of_layer(lines, &target.layer);
        say_outside(&project, &lines);

        let import = Import { mode: self.mode.into(), form, filter, library, libraries };
        let imported = match import.apply(&mut target.layer, &lines) {
            Ok(imported) => imported,
            Err(faults) => return Ok(say_faults(&name, &bytes, faults)),
        };
        drop(lines);
        drop(bytes);
        let Target { layer, document, name, .. } = &mut target;
        layer.store_in(document).map_err(|error| Failure::in_value(name, error))?;
        let bytes = document.to_vec().map_err(|error| Failure::in_value(name, error))?;

        if self.in_place {
            write_in_place(&project, &target, &bytes)?;
        } else {
            put(&bytes, output)?;
            if project.project.is_some() && target.layer.object_count != target.objects_before {
                remark("the project keeps its number of objects; with --in-place it follows");
            }
        }
        say_imported(&shown(&target.layer.name), &imported);
        Ok(Status::Done)
    }
}

impl From<Mode> for object_list::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Update => Self::Update,
            Mode::Replace => Self::Replace,
            Mode::Append => Self::Append,
        }
    }
}

fn text(name: &str) -> Result<Text, Failure> {
    Text::new(name).ok_or_else(|| {
        let name = shown(name);
        Failure::usage(format!("{name}: a character that Windows-1252 does not have"))
    })
}

fn existing_layer(project: &Project, names: &[String]) -> Result<Target, Failure> {
    let files = selected(project, names)?;
    let [file] = files[..] else {
        let message = format!("a list goes into one layer, not into {}", files.len());
        let failure = Failure::usage(message).hint("Say which: --layer NAME, or --new NAME.");
        return Err(with_names(failure, project));
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

/// A layer without objects, in the grid and with the version of the other layers.
fn new_layer(project: &Project, name: &str) -> Result<Target, Failure> {
    /// Characters that names of files cannot have on Windows.
    const FORBIDDEN: &[char] = &['\\', '/', ':', '*', '?', '"', '<', '>', '|'];
    if name.trim().is_empty() || name.contains(FORBIDDEN) || name.contains(char::is_control) {
        return Err(Failure::usage(format!("{}: this is no name for a file", shown(name))));
    }
    let mut others: Vec<(&ProjectFile, ObjectLayer)> = Vec::new();
    for file in &project.layers {
        others.push((file, view(file)?));
    }
    let stem =
        |file: &ProjectFile| file.path.file_stem().map(|it| it.to_string_lossy().into_owned());
    let taken = |(file, layer): &&(&ProjectFile, ObjectLayer)| {
        layer.name == *name || stem(file).is_some_and(|stem| stem.eq_ignore_ascii_case(name))
    };
    if others.iter().any(|other| taken(&other)) {
        return Err(Failure::usage(format!("there is a layer {} already", shown(name))));
    }
    let failed = |error| Failure::in_value(name, error);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i32::try_from(now.as_secs()).unwrap_or(i32::MAX);
    let mut layer = ObjectLayer::new(text(name)?, now).map_err(failed)?;
    let is_old = match &project.project {
        Some(file) => view::<ProjectView>(file)?.version <= 20,
        None => others.first().is_some_and(|(_, other)| other.tree_version() == Version::V3),
    };
    let version = if is_old { Version::V3 } else { Version::V4 };
    layer.version = version.layer_version();
    layer.priority = others.iter().map(|(_, it)| it.priority.saturating_add(1)).max().unwrap_or(0);
    let root = others.iter().find_map(|(_, it)| {
        let tree = Tree::read(&it.tree, it.tree_version()).ok()?;
        tree.nodes.first().map(|node| node.bounds)
    });
    let grid = Grid::new(version, root.unwrap_or(Grid::ROOTS[0]));
    layer.tree = Bytes::from(Tree::empty(&grid).to_vec().map_err(failed)?);
    let mut document = layer.to_document().map_err(failed)?;
    // By the address of its root a project speaks of a layer.
    let taken: Vec<u32> = project.files().map(|file| file.document.root.address).collect();
    while taken.contains(&document.root.address) {
        document.root.address = document.root.address.wrapping_add(8).max(8);
    }
    layer = ObjectLayer::of(&document).map_err(failed)?;
    let path = project.project.as_ref().map(|file| {
        let folder = file.path.with_extension("Layers");
        let folder = others.first().and_then(|(file, _)| file.path.parent()).unwrap_or(&folder);
        folder.join(format!("{name}.{LAYER}"))
    });
    Ok(Target { name: shown(name), path, document, layer, objects_before: 0 })
}

/// Lines and faults apart.
fn parted(read: Vec<formwork::Result<Line<'_>>>) -> (Vec<Line<'_>>, Vec<Error>) {
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

/// The lines that are for the layer: in a list that says layers, and this one among them, those of
/// this one.
fn of_layer<'l>(mut lines: Vec<Line<'l>>, layer: &ObjectLayer) -> Vec<Line<'l>> {
    let is_meant = |line: &Line<'_>| line.entry.layer.as_deref() == Some(layer.name.as_bytes());
    if lines.iter().any(is_meant) {
        let all = lines.len();
        lines.retain(is_meant);
        if let others @ 1.. = all - lines.len() {
            remark(&format!("{others} objects of the list are of other layers, and are left out"));
        }
    }
    lines
}

/// Says how many objects are outside all map frames: Terrain Builder takes them, but no map has them.
fn say_outside(project: &Project, lines: &[Line<'_>]) {
    let Some(file) = &project.project else { return };
    let Ok(view) = view::<ProjectView>(file) else { return };
    let frames = view.objects.map_frames.frames;
    let is_outside = |line: &&Line<'_>| {
        let placement = &line.entry.placement;
        !frames.iter().any(|frame| {
            let [left, bottom, right, top] = frame.bounds;
            (left..=right).contains(&placement.x) && (bottom..=top).contains(&placement.y)
        })
    };
    let mut outside = lines.iter().filter(is_outside);
    if let Some(first) = outside.next().filter(|_| !frames.is_empty()) {
        let count = outside.count() + 1;
        let number = first.number;
        remark(&format!("{count} of the objects are outside the map, the first in line {number}"));
    }
}

/// Says what is wrong with a list.
fn say_faults(name: &str, list: &[u8], faults: Vec<Error>) -> Status {
    /// Faults that are shown.
    const SHOWN: usize = 10;
    let more = faults.len().saturating_sub(SHOWN);
    for error in faults.into_iter().take(SHOWN) {
        let of_list = error.path().to_string().starts_with("line[");
        let unknown = error.rule() == formwork::Rule::ObjectListTemplate;
        say(&match of_list {
            true => Failure::in_text(name, list, error),
            false => Failure::in_value("the layer", error),
        });
        if unknown && more == 0 {
            remark("--library NAME says which library new templates belong to");
        }
    }
    if more > 0 {
        remark(&format!("{name}: and {more} more faults"));
    }
    Status::No
}

fn put(bytes: &[u8], output: &OutputOptions) -> Result<(), Failure> {
    output.write_binary(|out| {
        // Why it failed is remembered by the output itself.
        let _ = out.write_all(bytes);
        Ok(())
    })
}

/// Replaces the layer, and then the project, if that keeps another number of objects. Both are made
/// before the first is written; each is replaced in one step.
fn write_in_place(project: &Project, target: &Target, layer: &[u8]) -> Result<(), Failure> {
    let path = target.path.as_deref().ok_or_else(no_project)?;
    let more = i64::from(target.layer.object_count) - i64::from(target.objects_before);
    let mut changed = None;
    if let Some(file) = project.project.as_ref().filter(|_| more != 0) {
        let mut view: ProjectView = view(file)?;
        let total = &mut view.objects.total_object_count;
        let failed = |error| Failure::in_value(&file.name, error);
        *total = i32::try_from(i64::from(*total) + more)
            .map_err(|_| Failure::no(format!("{}: too many objects for a project", file.name)))?;
        let mut document = file.document.clone();
        view.store_in(&mut document).map_err(failed)?;
        changed = Some((&file.path, document.to_vec().map_err(failed)?));
    }
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty() && !it.exists()) {
        let name = folder.display().to_string();
        std::fs::create_dir(folder)
            .map_err(|error| Failure::stream("could not be made", &name, &error))?;
    }
    put(layer, &OutputOptions::file_at(path))?;
    if let Some((path, bytes)) = changed {
        put(&bytes, &OutputOptions::file_at(path))
            .inspect_err(|_| remark(&format!("{} is written, the project is not", target.name)))?;
    }
    Ok(())
}

fn say_imported(name: &str, imported: &Imported) {
    let Imported { kept, changed, added, removed, new_templates } = imported;
    let templates = match new_templates.len() {
        0 => String::new(),
        1 => "; 1 new template".into(),
        count => format!("; {count} new templates"),
    };
    remark(&format!(
        "{name}: {kept} objects as they were, {changed} changed, {added} added, {removed} taken \
         out{templates}"
    ));
}
