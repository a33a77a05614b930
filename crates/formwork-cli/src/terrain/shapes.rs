//! `terrain PROJECT shapes`: polygons and polylines as GeoJSON.

use clap::Args;
use formwork::alb1::terrain::ShapeLayer;
use formwork_terrain::geojson::{FeatureCollection, shapes};

use super::super::failure::{Failure, Status};
use super::super::output::OutputOptions;
use super::super::project::{Project, SHAPES, has_extension};
use super::super::remark;
use super::{print_geojson, shown, view};

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
        let mut found = vec![false; self.layers.len()];
        for file in &project.shapes {
            let layer: ShapeLayer = view(file)?;
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
            let mut wanted = self.layers.is_empty();
            for (name, found) in self.layers.iter().zip(&mut found) {
                if layer.name == **name || stem.eq_ignore_ascii_case(name) {
                    (wanted, *found) = (true, true);
                }
            }
            if wanted {
                layers.push(layer);
            }
        }
        if let Some((name, _)) = self.layers.iter().zip(found).find(|(_, found)| !found) {
            let mut failure = Failure::usage(format!("there is no shape layer {name}"));
            for file in &project.shapes {
                failure = failure.line(shown(view::<ShapeLayer>(file)?.name));
            }
            return Err(failure);
        }
        let mut status = Status::Done;
        let unread = project.unread.iter().filter(|it| has_extension(&it.path, SHAPES));
        for unread in unread.filter(|_| self.layers.is_empty()) {
            remark(&format!("{}: {}", unread.name, unread.why));
            status = Status::No;
        }
        let features = layers.iter().flat_map(shapes);
        print_geojson(&FeatureCollection::new(features), &self.output)?;
        Ok(status)
    }
}
