//! `terrain PROJECT keypoints`: the names of places.

use clap::{Args, ValueEnum};
use formwork::alb1::terrain::{KeyPoint, Project as ProjectView};
use formwork_terrain::geojson::{FeatureCollection, KeyPointProperties, key_points};
use formwork_terrain::project::Project;
use serde::Serialize;

use super::super::failure::{Failure, Status};
use super::super::output::OutputOptions;
use super::{print_geojson, print_json, project_file, shown, view};

/// List the key points, which are names of places
///
/// Coordinates are in metres, as in the file, even in GeoJSON.
#[derive(Args, Debug)]
pub(crate) struct KeyPoints {
    /// Output form
    #[arg(long = "as", value_enum, default_value_t = Form::List, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    output: OutputOptions,
}

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
        let project: ProjectView = view(project_file(project)?)?;
        let points = &project.objects.key_points.points;
        match self.form {
            Form::Geojson => {
                print_geojson(&FeatureCollection::new(key_points(points)), &self.output)?;
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
}
