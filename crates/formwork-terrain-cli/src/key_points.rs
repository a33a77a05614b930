//! `terrain keypoints PROJECT`: the names of places.

use std::path::Path;

use clap::{Args, ValueEnum};
use formwork_alb1::terrain::{KeyPoint, Project as ProjectView};
use formwork_terrain::geojson::{
    FeatureCollection, KeyPointProperties, key_points, put_key_points,
};
use formwork_terrain::project::Project;
use serde::Serialize;

use super::changing::Changing;
use super::geojson::{OriginOptions, imported, say_outside, wrong};
use super::import_options::ImportOptions;
use super::print::{PrintOptions, print_json, print_json_line, print_text};
use super::{project_file, shown, stored, view};
use formwork_program::failure::{Failure, Status};

/// List or import the key points, which are names of places
///
/// Coordinates are in metres, as in the file, even in GeoJSON. With --origin, GeoJSON has those of the
/// world.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct KeyPoints {
    /// Output form [default: list; with --json, json]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    #[command(flatten)]
    origin: OriginOptions,
    #[command(flatten)]
    import: ImportOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain keypoints island.tv4p --as geojson -o places.geojson
  formwork terrain keypoints island.tv4p --import places.geojson --in-place
  formwork terrain keypoints island.tv4p --import places.geojson --mode mirror -o changed.tv4p

What an import changes:
A key point is known again by its name. What the file does not say of it stays, and one that does not change keeps every bit. Key points are deleted only with --mode mirror (those that are not in the file) or --mode replace (all of them).

Exit status: 0 success, 1 something in a file is wrong, 2 wrong use, 3 a file could not be read or written."#;

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Form {
    /// One line per key point: x, y, name, text
    List,
    /// JSON
    Json,
    /// GeoJSON, in metres
    Geojson,
}

/// A key point, as JSON.
#[derive(Debug, Serialize)]
struct Row {
    position: [f64; 2],
    #[serde(flatten)]
    properties: KeyPointProperties,
}

impl KeyPoints {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        if let Some(list) = self.import.file()? {
            return self.import(project, list);
        }
        let form = match (self.form, self.print.json) {
            (Some(Form::List), true) => {
                return Err(Failure::usage("--json prints JSON, not --as list"));
            }
            (Some(form), _) => form,
            (None, true) => Form::Json,
            (None, false) => Form::List,
        };
        if self.origin.is_asked() && form != Form::Geojson {
            return Err(Failure::usage("--origin goes with --as geojson"));
        }
        let placing = self.origin.placing(project)?;
        let project: ProjectView = view(project_file(project)?)?;
        let points = &project.objects.key_points.points;
        let output = &self.print.output;
        match form {
            Form::Geojson => {
                print_json_line(&FeatureCollection::new(key_points(points), placing), output)?;
            }
            Form::Json => {
                let row = |point: &KeyPoint| Row {
                    position: point.position,
                    properties: KeyPointProperties::of(point),
                };
                print_json(&points.iter().map(row).collect::<Vec<_>>(), output)?;
            }
            Form::List => {
                let line = |KeyPoint { position: [x, y], name, text, .. }: &KeyPoint| {
                    format!("{x:.3}  {y:.3}  {}  {}\n", shown(name), shown(text))
                };
                print_text(&points.iter().map(line).collect::<String>(), output)?;
            }
        }
        Ok(Status::Done)
    }

    fn import(&self, project: &Project, list: &Path) -> Result<Status, Failure> {
        let changing = Changing::new(self.import.change, &self.print)?;
        let (name, features, origin) = self.origin.read(list, project)?;
        let file = project_file(project)?;
        let mut settings: ProjectView = view(file)?;
        let points = &mut settings.objects.key_points.points;
        let put = put_key_points(points, &features, origin, self.import.mode.into());
        let put = put.map_err(|error| wrong(&name, &error))?;
        let is_empty = features.features.is_empty();
        self.import.refuse_empty(&name, is_empty, (put.removed, "key point"))?;
        say_outside(project, &features, origin, "key point");
        let bytes = stored(&file.name, file.document.clone(), &settings)?;
        let mut report = imported(&file.path, &file.name, &put);
        changing.write(&file.path, &bytes, &mut report)?;
        changing.report(&report)?;
        Ok(Status::Done)
    }
}
