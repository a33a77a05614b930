//! Selection of layers and of their objects.

use std::path::Path;
use std::str::FromStr;

use clap::Args;
use formwork_alb1::terrain::{FileKind, Library, ObjectLayer, ShapeLayer};
use formwork_alb1::tree::BoundingBox;
use formwork_terrain::Area;
use formwork_terrain::object_change::Selection;
use formwork_terrain::object_list::{Filter, meant};
use formwork_terrain::project::{Project, ProjectFile, SHAPE_LAYER, has_extension};

use super::geojson::areas;
use super::point::numbers;
use super::{refused, say_unread, selected, shown, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::project::open_file;

/// A layer that was read, and its file.
pub(super) type ReadLayer<'p> = (&'p ProjectFile, ObjectLayer);

/// Options that select objects.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct SelectionOptions {
    /// Use only this layer, by its name or file name (can be repeated)
    ///
    /// '*' matches anything, '?' one character, '[ab]' one of several.
    #[arg(long = "layer", value_name = "NAME")]
    pub(super) layers: Vec<String>,
    #[command(flatten)]
    pub(super) places: PlaceOptions,
}

/// Options that select objects of a layer.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PlaceOptions {
    /// Use only objects in this box: west, south, east, north in metres
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    bbox: Option<Bounds>,
    /// Use only objects in this polygon: its corners, or a file that has polygons
    ///
    /// The file is GeoJSON or a shape layer (.tv4s). Of several polygons, all count.
    #[arg(long, value_name = "X,Y,X,Y,.. or FILE", allow_hyphen_values = true)]
    polygon: Option<String>,
    /// Use only objects with this template (can be repeated)
    ///
    /// '*' matches anything, '?' one character, '[ab]' one of several. Case matters.
    #[arg(long = "template", value_name = "NAME")]
    templates: Vec<String>,
}

/// A box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds(pub(super) BoundingBox<f64>);

impl FromStr for Bounds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match numbers(text).as_deref() {
            Some(&[x0, y0, x1, y1]) if x0 <= x1 && y0 <= y1 => {
                Ok(Self(BoundingBox { x0, y0, x1, y1 }))
            }
            Some([_, _, _, _]) => Err("west and south come first: X0,Y0,X1,Y1"),
            _ => Err("four numbers: X0,Y0,X1,Y1"),
        }
    }
}

impl PlaceOptions {
    /// Returns whether an option narrows the selection.
    pub(super) fn is_asked(&self) -> bool {
        self.bbox.is_some() || self.polygon.is_some() || !self.templates.is_empty()
    }

    /// Returns whether objects are selected by their template.
    pub(super) const fn has_templates(&self) -> bool {
        !self.templates.is_empty()
    }

    pub(super) fn filter(&self) -> Result<Filter, Failure> {
        let mut filter = Filter::default();
        filter.bounds = self.bbox.map(|Bounds(bounds)| bounds);
        filter.area = self.polygon.as_deref().map(area).transpose()?;
        for pattern in &self.templates {
            filter
                .add_template(pattern)
                .map_err(|why| Failure::usage(format!("--template {}: {why}", shown(pattern))))?;
        }
        Ok(filter)
    }

    /// Counts the selected objects of the layers, and refuses layers without any.
    pub(super) fn of_layers(
        &self,
        layers: &[ReadLayer<'_>],
        libraries: &[Library],
        filter: &Filter,
    ) -> Result<Selection, Failure> {
        let count = |filter: &Filter| {
            let mut all = Selection::default();
            for (file, layer) in layers {
                let one = Selection::of(layer, libraries, filter);
                all = all.and(one.map_err(|error| refused(&file.name, &error))?);
            }
            Ok::<_, Failure>(all)
        };
        let selection = count(filter)?;
        if selection.objects > 0 {
            return Ok(selection);
        }
        let mut anywhere = filter.clone();
        (anywhere.bounds, anywhere.area) = (None, None);
        if !self.templates.is_empty() && count(&anywhere)?.objects == 0 {
            let patterns: Vec<_> = self.templates.iter().map(shown).collect();
            let message = format!("no object has a template like {}", patterns.join(", "));
            let failure = did_you_mean(Failure::no(message), &self.templates, layers, libraries);
            return Err(failure.hint("formwork terrain stats PROJECT --all lists the templates"));
        }
        Err(Failure::no("no object is selected").line(match self.is_asked() {
            true => "none is in the box or polygon",
            false => "the layers have no objects",
        }))
    }
}

impl SelectionOptions {
    /// Reads the selected layers, and names those that could not be read.
    pub(super) fn layers<'p>(
        &self,
        project: &'p Project,
    ) -> Result<(Vec<ReadLayer<'p>>, Status), Failure> {
        let mut layers = Vec::new();
        for file in selected(project, FileKind::ObjectLayer, &self.layers)? {
            layers.push((file, view(file)?));
        }
        Ok((layers, say_unread(project, FileKind::ObjectLayer, &self.layers)))
    }
}

/// Adds the templates to a failure that are probably meant by names which no template has.
pub(super) fn did_you_mean<'l>(
    failure: Failure,
    names: &[String],
    layers: impl IntoIterator<Item = &'l ReadLayer<'l>> + Clone,
    libraries: &[Library],
) -> Failure {
    let layers = || layers.clone().into_iter().map(|(_, layer)| layer);
    let meant: Vec<_> =
        names.iter().flat_map(|name| meant(name, layers(), libraries)).map(shown).collect();
    match meant.is_empty() {
        true => failure,
        false => failure.hint(format!("did you mean {}?", meant.join(" or "))),
    }
}

/// Reads an area: corners, or a file with polygons.
pub(super) fn area(text: &str) -> Result<Area, Failure> {
    let wrong = |why: String| Failure::usage(format!("--polygon {}: {why}", shown(text)));
    if let Some(numbers) = numbers(text) {
        let (corners, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(wrong("a corner is two numbers: X,Y".into()));
        }
        return Area::new(vec![vec![corners.to_vec()]]).map_err(wrong);
    }
    let path = Path::new(text);
    if has_extension(path, SHAPE_LAYER) {
        let layer: ShapeLayer = view(&open_file(path)?)?;
        return Area::of(&layer).map_err(wrong);
    }
    Area::new(areas(path)?).map_err(wrong)
}
