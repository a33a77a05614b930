//! `terrain PROJECT shapes`: polygons and polylines as GeoJSON.

use clap::Args;
use formwork::alb1::terrain::{FileKind, ShapeLayer};
use formwork_terrain::geojson::{FeatureCollection, shapes};
use formwork_terrain::project::Project;

use super::super::failure::{Failure, Status};
use super::super::output::OutputOptions;
use super::{print_geojson, say_unread, selected, view};

/// Export polygons and polylines as GeoJSON, with their attributes
///
/// Coordinates are in metres, as in the file. They are not longitude and latitude.
#[derive(Args, Debug)]
pub(crate) struct Shapes {
    /// Use only this layer, by its name or file name (can be repeated)
    #[arg(long = "layer", value_name = "NAME")]
    layers: Vec<String>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Shapes {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let mut layers: Vec<ShapeLayer> = Vec::new();
        for file in selected(&project.shapes, &self.layers, "shape")? {
            layers.push(view(file)?);
        }
        let status = say_unread(project, FileKind::ShapeLayer, &self.layers);
        let features = layers.iter().flat_map(shapes);
        print_geojson(&FeatureCollection::new(features), &self.output)?;
        Ok(status)
    }
}
