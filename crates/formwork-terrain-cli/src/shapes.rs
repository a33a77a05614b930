//! `terrain shapes PROJECT`: polygons and polylines, exported and imported.

use std::path::{Path, PathBuf};

use clap::Args;
use formwork_alb1::Text;
use formwork_alb1::terrain::{AttributeKind, FileKind, Root, ShapeLayer};
use formwork_terrain::geojson::{
    FeatureCollection, Json, RetypedAttribute, put_shapes, retyped_attributes, shapes,
};
use formwork_terrain::project::{Opening, Project, ProjectFile, SHAPE_LAYER};

use super::changing::Changing;
use super::geojson::{OriginOptions, imported, say_outside, wrong};
use super::import_options::LayerImportOptions;
use super::print::{PrintOptions, print_json_line};
use super::{say_unread, selected, shown, stored, view, with_names};
use formwork_program::failure::{Failure, Status};
use formwork_program::quantity::counted;
use formwork_program::remark;

/// Export polygons and polylines as GeoJSON, or import them
///
/// Coordinates are in metres, as in the file. They are not longitude and latitude. With --origin
/// they are where the map lies in the world.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Shapes {
    /// Use only this layer, by its name or file name (can be repeated)
    #[arg(long = "layer", value_name = "NAME")]
    layers: Vec<String>,
    #[command(flatten)]
    origin: OriginOptions,
    #[command(flatten)]
    into: LayerImportOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain shapes island.tv4p --layer forests -o forests.geojson
  formwork terrain shapes island.tv4p --origin 512000,5403000 --crs EPSG:32633 -o shapes.geojson
  formwork terrain shapes island.tv4p --layer forests --import forests.geojson --in-place
  formwork terrain shapes island.tv4p --new lakes --import lakes.geojson --origin 512000,5403000 --in-place

What an import changes:
A shape that is the same in the file and in the layer keeps every bit. Otherwise a shape of the layer with the same name takes over geometry, attributes and azimuth, and keeps its colours. What has no counterpart is added. Shapes are deleted only with --mode mirror (those that are not in the file) or --mode replace (all of them).
Polygons and lines are taken, and properties that are not those of a shape become attributes. A polygon with a hole is refused, as Terrain Builder has none. Shapes of a file that name another layer of the project are left out.

Exit status: 0 success, 1 something in a file is wrong, 2 wrong use, 3 a file could not be read or written."#;

impl Shapes {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        match self.into.new {
            // The new layer gets an address that no layer has.
            Some(_) => [Opening::All; 2],
            None => [Opening::None, Opening::Named(&self.layers)],
        }
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        if let Some(list) = self.into.import.file()? {
            return self.import(project, list);
        }
        let mut layers: Vec<ShapeLayer> = Vec::new();
        for file in selected(project, FileKind::ShapeLayer, &self.layers)? {
            layers.push(view(file)?);
        }
        let status = say_unread(project, FileKind::ShapeLayer, &self.layers);
        let features = layers.iter().flat_map(shapes);
        let placing = self.origin.placing(project)?;
        print_json_line(&FeatureCollection::new(features, placing), &self.print.output)?;
        Ok(status)
    }

    fn import(&self, project: &Project, list: &Path) -> Result<Status, Failure> {
        let changing = Changing::new(self.into.import.change, &self.print)?;
        let (name, mut features, origin) = self.origin.read(list, project)?;
        let (path, document, mut layer) = match &self.into.new {
            Some(name) => self.new_layer(project, name)?,
            None => {
                let file = self.one(project)?;
                (Some(file.path.clone()), file.document.clone(), view(file)?)
            }
        };
        // Each layer takes only its own features from a file with several layers.
        let others: Vec<String> = (project.shapes.iter())
            .filter_map(|file| Some(file.title()?.to_string()))
            .filter(|title| *title != *layer.name.to_str())
            .collect();
        let count = features.features.len();
        features.features.retain(|feature| {
            let of = feature.get("layer").and_then(Json::as_text);
            !of.is_some_and(|of| others.iter().any(|other| other == of))
        });
        let left_out = count - features.features.len();
        let before = layer.clone();
        let put = put_shapes(&mut layer, &features, origin, self.into.import.mode.into());
        let put = put.map_err(|error| wrong(&name, &error))?;
        let is_empty = features.features.is_empty();
        self.into.import.refuse_empty(&name, is_empty, (put.removed, "shape"))?;
        say_outside(project, &features, origin, "shape");
        say_retyped(&retyped_attributes(&before, &layer));
        let bytes = stored(&shown(&layer.name), document, &layer)?;
        if left_out > 0 {
            remark(&match left_out {
                1 => "1 shape of the file is of another layer, and is left out".to_owned(),
                _ => format!("{left_out} shapes of the file are of other layers, and are left out"),
            });
        }
        let title = layer.name.to_str();
        let place = path.as_deref();
        let file = place.unwrap_or(Path::new(&*title));
        let mut report = imported(file, &title, &put).layer(&title).loss("left_out", left_out);
        match (place, changing.is_in_place()) {
            (Some(path), true) => {
                changing.make_folder_of(path)?;
                changing.replace(path, &bytes, &mut report)?;
            }
            (None, true) => return Err(super::no_project()),
            (path, false) => {
                // The list is only read.
                changing.write(path.unwrap_or(Path::new("-")), &bytes, &mut report)?
            }
        }
        changing.report(&report)?;
        Ok(Status::Done)
    }

    fn one<'p>(&self, project: &'p Project) -> Result<&'p ProjectFile, Failure> {
        let files = selected(project, FileKind::ShapeLayer, &self.layers)?;
        match files[..] {
            [file] => Ok(file),
            _ => {
                let message = format!("shapes go into one layer, not into {}", files.len());
                let failure = Failure::usage(message).hint("use --layer NAME or --new NAME");
                Err(with_names(failure, &project.shapes))
            }
        }
    }

    fn new_layer(
        &self,
        project: &Project,
        name: &str,
    ) -> Result<(Option<PathBuf>, formwork_alb1::Document, ShapeLayer), Failure> {
        let wrong = |why: &str| Failure::usage(format!("{}: {why}", shown(name)));
        if project.shapes.iter().any(|file| file.is_named(name)) {
            return Err(wrong("there is a shape layer with this name already"));
        }
        if name.trim().is_empty() || name.contains(['/', '\\', ':']) || name.starts_with('.') {
            return Err(wrong("this is no name for a file"));
        }
        let title =
            Text::new(name).ok_or_else(|| wrong("a character that Windows-1252 does not have"))?;
        let layer = ShapeLayer::new(title);
        let mut document = layer.to_document().map_err(|error| Failure::in_value(name, error))?;
        document.root.address = project.root_addresses().free_from(document.root.address);
        let path = project.project.as_ref().map(|file| {
            let folder = project.shapes.first().and_then(|it| it.path.parent());
            let beside = file.path.with_extension("Shapes");
            folder.unwrap_or(&beside).join(format!("{name}.{SHAPE_LAYER}"))
        });
        if let Some(path) = path.as_ref().filter(|path| path.symlink_metadata().is_ok()) {
            let path = shown(path.display());
            return Err(Failure::usage(format!("{path}: this file is there already")));
        }
        let layer = ShapeLayer::of(&document).map_err(|error| Failure::in_value(name, error))?;
        Ok((path, document, layer))
    }
}

/// Reports the attributes that got another type.
fn say_retyped(attributes: &[RetypedAttribute]) {
    let what = |kind: Option<AttributeKind>| match kind {
        Some(AttributeKind::Text) => "a text",
        Some(AttributeKind::Integer) => "a whole number",
        Some(AttributeKind::Number) => "a number",
        _ => "of another type",
    };
    for RetypedAttribute { name, types: [before, after], shapes } in attributes {
        let (name, shapes) = (shown(name), counted(*shapes as u64, "shape"));
        let (before, after) = (what(*before), what(*after));
        remark(&format!("the attribute {name} of {shapes} was {before} and is {after} now"));
    }
}
