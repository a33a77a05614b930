//! `terrain objects PROJECT`: exports the objects of layers as lists, and imports lists.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use formwork_terrain::object_list::{self, Exported, Filter, LayerObjects, Writer};
use formwork_terrain::project::{Opening, Project};

use super::On;
use super::geojson::OriginOptions;
use super::import::{Form, ListOptions};
use super::libraries::{libraries, say_missing};
use super::move_objects::Move;
use super::print::PrintOptions;
use super::refused;
use super::roots::RootOptions;
use super::selection::SelectionOptions;
use formwork_program::failure::{Failure, Status};
use formwork_program::project::open_some;
use formwork_program::quantity::counted;
use formwork_program::remark;

/// Export objects as a list, import a list into a layer, or move objects
///
/// The list is Terrain Builder's own text, one object per line
/// ("template";X;Y;yaw;pitch;roll;scale;Z;), or CSV, or GeoJSON.
///
/// Templates get their names from the layer or from the project's libraries. A template without a
/// name is written as its hash, such as #0123abcd, and can be imported again.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Objects {
    /// Project: a .tv4p file, a folder or one layer
    #[arg(value_name = "PROJECT", required = true)]
    project: Option<PathBuf>,
    #[command(subcommand)]
    what: Option<What>,
    /// Form of the list [default: text; for --import detected]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    origin: OriginOptions,
    #[command(flatten)]
    import: ListOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain objects island.tv4p --layer houses -o houses.txt
  formwork terrain objects island.tv4p --as csv --template 'b_*' -o bushes.csv
  formwork terrain objects island.tv4p --layer houses --as geojson -o houses.geojson
  formwork terrain objects houses.tv4l --import houses.txt -o changed.tv4l
  formwork terrain objects island.tv4p --layer houses --import houses.geojson --in-place
  formwork terrain objects island.tv4p --layer houses --import houses.txt --in-place
  formwork terrain objects island.tv4p --new rocks --import rocks.txt --library Rocks --in-place

What an import changes:
Objects in both the layer and the list keep their id, and every bit of numbers that are equal to six decimals. An import adds and changes objects. It deletes them only with --mode mirror (those that are not in the list) or --mode replace (all of them). With --bbox and --template it touches only the selected objects, and counts the lines of the list that it leaves out.

Text has no ids: an object that was moved in a text list is added as a new one, and the old one stays (with --mode mirror it is deleted). To move objects, export and import CSV or GeoJSON, which have ids.

Import into a project:
With --in-place the project's number of objects changes too, and the old files are kept as NAME.bak. Close Terrain Builder first, or it overwrites the changes.

Exit status: 0 success, 1 something in a file is wrong, 2 wrong use, 3 a file could not be read or written."#;

/// Commands that change objects.
#[derive(Debug, Subcommand)]
enum What {
    Move(On<Move>),
}

impl Objects {
    pub(super) fn run(self) -> Result<Status, Failure> {
        if let Some(What::Move(command)) = self.what {
            let (verb, project) = command.open_some(Move::needs)?;
            return verb.run(&project);
        }
        let path = self.project.as_deref().unwrap_or(Path::new(""));
        // A new layer gets an address that no layer has.
        let needs = match self.import.is_new() {
            true => [Opening::All; 2],
            false => [Opening::Named(&self.selection.layers), Opening::None],
        };
        let project = &open_some(path, needs)?;
        let list = self.import.file()?;
        let form = match (self.form, self.print.json && list.is_none()) {
            (None | Some(Form::Geojson), true) => Some(Form::Geojson),
            (Some(_), true) => {
                return Err(Failure::usage("--json prints GeoJSON, not another form"));
            }
            (form, false) => form,
        };
        if self.origin.is_asked() && form != Some(Form::Geojson) && list.is_none() {
            return Err(Failure::usage("--origin goes with --as geojson"));
        }
        let filter = self.selection.places.filter()?;
        let libraries = libraries(project, &self.roots);
        if let Some(list) = list {
            let layers = &self.selection.layers;
            let found = (filter, libraries);
            let how = (form, &self.origin, &self.roots);
            return self.import.run((list, how), project, layers, found, &self.print);
        }
        self.export(project, form.unwrap_or(Form::Text), &filter, &libraries)
    }

    fn export(
        &self,
        project: &Project,
        form: Form,
        filter: &Filter,
        libraries: &[formwork_alb1::terrain::Library],
    ) -> Result<Status, Failure> {
        let form = form.into();
        let (layers, status) = self.selection.layers(project)?;
        let placing = self.origin.placing(project)?;
        let mut lists = Vec::new();
        let mut is_unnamed = false;
        for (file, layer) in &layers {
            let list = LayerObjects::new(layer, libraries, filter)
                .and_then(|list| list.check(form).map(|found| (list, found)));
            let (list, found) = list.map_err(|error| unfit(&file.name, &error))?;
            say_unnamed(&file.name, &found);
            is_unnamed |= !found.unnamed.is_empty();
            lists.push((&file.name, list));
        }
        if is_unnamed {
            say_missing(project, &self.roots);
        }
        if self.selection.places.is_asked()
            && let Err(why) = self.selection.places.of_layers(&layers, libraries, filter)
        {
            remark(&why.lines("").join("\n  "));
        }
        if lists.is_empty() {
            remark("there is no object layer, so the list is empty");
        }
        self.print.output.write(|out| {
            let mut writer =
                Writer::placed(out, form, placing).map_err(|e| Failure::in_value("the list", e))?;
            for (name, list) in lists {
                list.write(&mut writer).map_err(|error| Failure::in_value(name, error))?;
            }
            writer.finish().map_err(|error| Failure::in_value("the list", error))?;
            Ok(())
        })?;
        Ok(status)
    }
}

/// Makes the failure for a layer whose objects cannot be listed.
fn unfit(name: &str, error: &formwork_variant::Error) -> Failure {
    let failure = refused(name, error);
    match error.rule() {
        formwork_terrain::object_list::rule::ENTRY => {
            failure.hint("use --as csv, which can hold it")
        }
        _ => failure,
    }
}

/// Names the templates that have no name.
fn say_unnamed(name: &str, found: &Exported) {
    /// Number of templates that are listed.
    const SHOWN: usize = 10;
    for (hash, count) in found.unnamed.iter().take(SHOWN) {
        let marked = object_list::marked(*hash);
        let objects = if *count == 1 { "object has" } else { "objects have" };
        remark(&format!("{name}: {count} {objects} a template without a name, {marked}"));
    }
    if let more @ 1.. = found.unnamed.len().saturating_sub(SHOWN) {
        let objects: u64 = found.unnamed.values().skip(SHOWN).sum();
        let more = counted(more as u64, "more such template");
        remark(&format!("{name}: and {more}, with {}", counted(objects, "object")));
    }
}
