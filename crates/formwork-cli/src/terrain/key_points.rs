//! `terrain PROJECT keypoints`: the names of places.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use formwork::alb1::terrain::{KeyPoint, Project as ProjectView, Root};
use formwork_terrain::geojson::{
    FeatureCollection, KeyPointProperties, key_points, put_key_points,
};
use formwork_terrain::project::Project;
use serde::Serialize;

use super::super::failure::{Failure, Status};
use super::super::output::{InPlaceOptions, OutputOptions};
use super::geojson::{OriginOptions, changes, wrong};
use super::import::Mode;
use super::{print_geojson, print_json, project_file, shown, view};

/// List or import the key points, which are names of places
///
/// Coordinates are in metres, as in the file, even in GeoJSON. With --origin, GeoJSON has those of the
/// world.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct KeyPoints {
    /// Output form
    #[arg(long = "as", value_enum, default_value_t = Form::List, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    origin: OriginOptions,
    /// Import the key points in this GeoJSON ('-' for standard input)
    #[arg(long = "import", value_name = "FILE", help_heading = "Import")]
    list: Option<PathBuf>,
    /// What to do with the key points of the project
    #[arg(
        long,
        value_enum,
        value_name = "MODE",
        default_value_t,
        requires = "list",
        help_heading = "Import"
    )]
    mode: Mode,
    #[command(flatten, next_help_heading = "Import")]
    change: InPlaceOptions,
    #[command(flatten)]
    output: OutputOptions,
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
        if let Some(list) = &self.list {
            return self.import(project, list);
        }
        if self.change.is_in_place() || self.change.is_dry_run() {
            return Err(Failure::usage("--in-place and --dry-run go with --import FILE"));
        }
        if self.origin.is_asked() && self.form != Form::Geojson {
            return Err(Failure::usage("--origin goes with --as geojson"));
        }
        let placing = self.origin.placing(project)?;
        let project: ProjectView = view(project_file(project)?)?;
        let points = &project.objects.key_points.points;
        match self.form {
            Form::Geojson => {
                print_geojson(&FeatureCollection::new(key_points(points), placing), &self.output)?;
            }
            Form::Json => {
                let row = |point: &KeyPoint| Row {
                    position: point.position,
                    properties: KeyPointProperties::of(point),
                };
                print_json(&points.iter().map(row).collect::<Vec<_>>(), &self.output)?;
            }
            Form::List => self.output.write(|out| {
                for KeyPoint { position: [x, y], name, text, .. } in points {
                    // Why it failed is remembered by the output itself.
                    let _ = writeln!(out, "{x:.3}  {y:.3}  {}  {}", shown(name), shown(text));
                }
                Ok(())
            })?,
        }
        Ok(Status::Done)
    }

    fn import(&self, project: &Project, list: &Path) -> Result<Status, Failure> {
        let (name, features, origin) = self.origin.read(list, project)?;
        let file = project_file(project)?;
        let mut settings: ProjectView = view(file)?;
        let points = &mut settings.objects.key_points.points;
        let put = put_key_points(points, &features, origin, self.mode.into());
        let put = put.map_err(|error| wrong(&name, &error))?;
        let mut document = file.document.clone();
        let failed = |error| Failure::in_value(&file.name, error);
        settings.store_in(&mut document).map_err(failed)?;
        let bytes = document.to_vec().map_err(failed)?;
        self.change.write(&file.path, &bytes, &self.output)?;
        self.change.say(&changes(&file.name, &put));
        Ok(Status::Done)
    }
}
