//! Finds faults in the files of a project, except those of the pointers between them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

use formwork::{Path, PathSegment};
use formwork_alb1::finding::{Finding, FindingKind};
use formwork_alb1::terrain::{
    CrossDefinition, FrameConfiguration, MapFrame, MapFrames, ObjectLayer, ObjectManager,
    PlacedRoad, PlacedRoads, Polygon, Polyline, Project, RoadBase, Root, Shape, ShapeLayer, Tags,
    Templates, Typed,
};
use formwork_alb1::{Document, Text, tree};

use crate::map_area::{MapArea, OutsideShapes};
use crate::paths::file_paths;

/// The files of a project.
#[derive(Clone, Copy, Debug)]
pub struct Files<'d> {
    /// The project, with the name of its file.
    pub project: Option<(&'d str, &'d Document)>,
    /// The object and shape layers, with the names of their files.
    pub layers: &'d [(&'d str, &'d Document)],
    /// Whether these are all layers of the project, so that their objects can be counted.
    pub complete: bool,
    /// The template libraries that could be read; [`None`] where none was looked for.
    pub libraries: Option<&'d Templates>,
}

/// Checks the files of a project: whether their fields are those of their classes, whether counts match the counted
/// things, whether templates are in the libraries, whether objects and shapes are on the map, whether texture layers fit
/// their height maps, whether roads are of an existing type, and whether paths lead into a user's profile.
///
/// Pointers are not followed here.
#[must_use]
pub fn check(files: &Files<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let project = files.project.and_then(|(name, document)| {
        let mut file = Checked { name, document, findings: &mut findings };
        let project = file.read::<Project>();
        if let Some(project) = &project {
            file.project(project);
        }
        file.profiles();
        project
    });
    let map = project.as_ref().map(MapArea::of).unwrap_or_default();
    let mut total = Some(0_i64);
    for &(name, document) in files.layers {
        let mut file = Checked { name, document, findings: &mut findings };
        if document.class_name(&document.root) == ShapeLayer::CLASS.name {
            if let Some(layer) = file.read::<ShapeLayer>() {
                file.shapes(&layer, &map);
            }
            continue;
        }
        let objects =
            file.read::<ObjectLayer>().and_then(|layer| file.layer(&layer, &map, files.libraries));
        total = total.zip(objects).map(|(total, objects)| total + objects);
    }
    if let (Some((name, document)), Some(project), Some(total), true) =
        (files.project, &project, total, files.complete)
    {
        let says = i64::from(project.objects.total_object_count);
        if says != total {
            let mut file = Checked { name, document, findings: &mut findings };
            let says = objects(says);
            let is_layer =
                |(_, it): &(&str, &Document)| it.class_name(&it.root) == ObjectLayer::CLASS.name;
            let message = match files.layers.iter().any(is_layer) {
                true => format!("the project says {says}, the layers that are here have {total}"),
                false => format!("the project says {says}; none of its object layers is here"),
            };
            file.found(
                FindingKind::ObjectTotal,
                at(&[Tags::<Project>::objects, Tags::<ObjectManager>::total_object_count]),
                message,
            );
        }
    }
    for (name, document) in files.project.iter().chain(files.layers) {
        locate(name, document, &mut findings);
    }
    findings
}

/// Sets the offsets of the fields for the findings in the file with this name.
pub fn locate(name: &str, document: &Document, findings: &mut [Finding]) {
    let open = |finding: &&mut Finding| finding.offset.is_none() && finding.file == name;
    let mut by_path: HashMap<String, Vec<&mut Finding>> = HashMap::new();
    for finding in findings.iter_mut().filter(open) {
        by_path.entry(finding.path.to_string()).or_default().push(finding);
    }
    let mut walk = document.walk();
    while !by_path.is_empty()
        && let Some(item) = walk.next()
    {
        for finding in by_path.remove(&walk.path().to_string()).unwrap_or_default() {
            finding.offset = Some(item.offset);
        }
    }
}

/// Cells of the height map that a cell of the texture layer covers on a side, at least: with fewer, Terrain Builder says
/// "LandGrid reference exceeded the range". (As makers of terrains report; in projects that were built it is 4 or more.)
const LEAST_CELLS: f64 = 4.0;

/// Returns a path of tags.
fn at(tags: &[&str]) -> Vec<PathSegment> {
    tags.iter().map(|tag| PathSegment::Name((*tag).into())).collect()
}

/// A file that is being checked.
struct Checked<'d, 'f> {
    name: &'d str,
    document: &'d Document,
    findings: &'f mut Vec<Finding>,
}

impl Checked<'_, '_> {
    fn found(&mut self, kind: FindingKind, steps: Vec<PathSegment>, message: String) {
        let (file, path) = (self.name.to_owned(), Path::from(steps));
        self.findings.push(Finding { file, offset: None, path, kind, message });
    }

    fn read<T: Root>(&mut self) -> Option<T> {
        match T::of(self.document) {
            Ok(read) => Some(read),
            Err(error) => {
                let message = format!("expected {}, found {}", error.expected(), error.found());
                self.found(FindingKind::ClassField, error.path().steps().to_vec(), message);
                None
            }
        }
    }

    fn project(&mut self, project: &Project) {
        let header = self.document.header.project_version;
        if header != project.version as u32 {
            let version = project.version;
            let message = format!("the project has version {version}, the header {header}");
            self.found(FindingKind::ProjectVersion, at(&[Tags::<Project>::version]), message);
        }
        for (index, frame) in project.objects.map_frames.frames.iter().enumerate() {
            let configuration = &frame.configuration;
            let masks = [
                (Tags::<FrameConfiguration>::tile_mask, configuration.tile_mask.len()),
                (Tags::<FrameConfiguration>::allowed_mask, configuration.allowed_mask.len()),
                (Tags::<FrameConfiguration>::generated_mask, configuration.generated_mask.len()),
            ];
            for (mask, length) in masks {
                if usize::try_from(configuration.mask_count) != Ok(length) {
                    let (says, count) =
                        (Tags::<FrameConfiguration>::mask_count, configuration.mask_count);
                    let message = format!("{says} is {count}, the mask has {length} tiles");
                    let mut steps = at(&[
                        Tags::<Project>::objects,
                        Tags::<ObjectManager>::map_frames,
                        Tags::<MapFrames>::frames,
                    ]);
                    steps.push(PathSegment::Index(index as u64));
                    steps.extend(at(&[Tags::<MapFrame>::configuration, mask]));
                    self.found(FindingKind::MaskCount, steps, message);
                }
            }
        }
        self.texture_layers(&project.objects.map_frames);
        let types = project.objects.road_base.roads.len();
        for (index, crossroad) in project.objects.road_base.crossroads.iter().enumerate() {
            let tags = [
                Tags::<CrossDefinition>::connect_a,
                Tags::<CrossDefinition>::connect_b,
                Tags::<CrossDefinition>::connect_c,
                Tags::<CrossDefinition>::connect_d,
            ];
            let mut crossroad = crossroad.clone();
            for (tag, connection) in tags.into_iter().zip(crossroad.connections_mut()) {
                if *connection != -1 && !is_index(*connection, types) {
                    let message = format!("type of road {connection} of {types}");
                    let mut steps = at(&[
                        Tags::<Project>::objects,
                        Tags::<ObjectManager>::road_base,
                        Tags::<RoadBase>::crossroads,
                    ]);
                    steps.push(PathSegment::Index(index as u64));
                    steps.extend(at(&[tag]));
                    self.found(FindingKind::RoadUnknown, steps, message);
                }
            }
        }
        for (index, road) in project.objects.placed_roads.roads.iter().enumerate() {
            if !is_index(road.road, types) {
                let message = format!("type of road {} of {types}", road.road);
                let mut steps = at(&[
                    Tags::<Project>::objects,
                    Tags::<ObjectManager>::placed_roads,
                    Tags::<PlacedRoads>::roads,
                ]);
                steps.push(PathSegment::Index(index as u64));
                steps.extend(at(&[Tags::<PlacedRoad>::road]));
                self.found(FindingKind::RoadUnknown, steps, message);
            }
        }
    }

    /// Finds texture layers whose cells are too small for the cells of the height map.
    fn texture_layers(&mut self, frames: &MapFrames) {
        for (index, frame) in frames.frames.iter().enumerate() {
            let [west, south, east, north] = frame.bounds;
            let configuration = &frame.configuration;
            let sides = [
                (Tags::<FrameConfiguration>::grid_x, configuration.grid_x, east - west),
                (Tags::<FrameConfiguration>::grid_z, configuration.grid_z, north - south),
            ];
            // The cells are squares: one finding is enough.
            let small = sides.into_iter().find_map(|(tag, layer, side)| {
                let cell = side / f64::from(frame.size);
                // A frame without a texture layer has 0, and there are decimals that do not divide evenly.
                let is_small = layer > 0.0 && layer < LEAST_CELLS * cell * (1.0 - 1e-9);
                is_small.then_some((tag, layer, cell))
            });
            if let Some((tag, layer, cell)) = small {
                let least = LEAST_CELLS * cell;
                let message = format!(
                    "the texture layer has cells of {layer} m, which is less than {LEAST_CELLS} cells of {cell} m \
                     ({least} m)"
                );
                let mut steps = at(&[
                    Tags::<Project>::objects,
                    Tags::<ObjectManager>::map_frames,
                    Tags::<MapFrames>::frames,
                ]);
                steps.push(PathSegment::Index(index as u64));
                steps.extend(at(&[Tags::<MapFrame>::configuration, tag]));
                self.found(FindingKind::TextureLayer, steps, message);
            }
        }
    }

    fn profiles(&mut self) {
        for path in file_paths(self.document) {
            if let Some(name) = path.profile() {
                let text = &path.text;
                let message = format!("{text} is in the profile of the user {name}");
                self.found(FindingKind::PathProfile, path.at.steps().to_vec(), message);
            }
        }
    }

    fn shapes(&mut self, layer: &ShapeLayer, map: &MapArea) {
        if let Some(OutsideShapes { vertices, first: (shape, vertex), place: [x, y], .. }) =
            OutsideShapes::of(layer, map)
        {
            let name = layer.shapes.get(shape).and_then(Shape::name);
            let name = name.filter(|name| !name.as_bytes().is_empty());
            let name = name.map(|name| format!(" of {name}")).unwrap_or_default();
            let message = format!(
                "vertices outside every map frame: {vertices}, the first{name} at {x}, {y}"
            );
            let steps = vec![
                PathSegment::Name(Tags::<ShapeLayer>::shapes.into()),
                PathSegment::Index(shape as u64),
                PathSegment::Name(Tags::<Polygon>::vertices.into()),
                PathSegment::Index(vertex as u64),
            ];
            self.found(FindingKind::ShapeOutside, steps, message);
        }
        for (index, shape) in layer.shapes.iter().enumerate() {
            let tag = match shape {
                Shape::Polygon(_) => Tags::<Polygon>::vertex_count,
                Shape::Polyline(_) => Tags::<Polyline>::vertex_count,
                Shape::Other(_) => continue,
            };
            let (says, has) = (shape.vertex_count(), shape.vertices().len());
            if says.and_then(|says| usize::try_from(says).ok()) != Some(has) {
                let says = says.unwrap_or_default();
                let message = format!("{tag} is {says}, the shape has {has} vertices");
                let steps = vec![
                    PathSegment::Name(Tags::<ShapeLayer>::shapes.into()),
                    PathSegment::Index(index as u64),
                    PathSegment::Name(tag.into()),
                ];
                self.found(FindingKind::VertexCount, steps, message);
            }
        }
    }

    /// Checks an object layer, and returns the number of objects in its tree.
    fn layer(
        &mut self,
        layer: &ObjectLayer,
        map: &MapArea,
        libraries: Option<&Templates>,
    ) -> Option<i64> {
        let listed = Templates::from_layer(layer);
        let mut all = libraries.cloned().unwrap_or_default();
        all.add_layer(layer);
        let mut count = 0_i64;
        let mut by_template: BTreeMap<u32, usize> = BTreeMap::new();
        let (mut outside, mut first) = (0_usize, None);
        let tree = at(&[Tags::<ObjectLayer>::tree]);
        for group in tree::groups(&layer.tree, layer.tree_version()) {
            let placed = match group {
                Ok(placed) => placed,
                Err(error) => {
                    self.found(FindingKind::TreeBroken, tree, error.to_string());
                    return None;
                }
            };
            count += placed.objects.len() as i64;
            *by_template.entry(placed.template).or_default() += placed.objects.len();
            for object in placed.objects.iter().filter(|it| !map.has(it.x, it.y)) {
                outside += 1;
                first.get_or_insert(object);
            }
        }
        if i64::from(layer.object_count) != count {
            let says = layer.object_count;
            let says = objects(says);
            let message = format!("the layer says {says}, its tree has {count}");
            self.found(FindingKind::ObjectCount, at(&[Tags::<ObjectLayer>::object_count]), message);
        }
        if let Some(object) = first {
            let (id, x, y) = (object.id, object.x, object.y);
            let message = format!(
                "objects outside every map frame: {outside}, the first is number {id} at {x}, {y}"
            );
            self.found(FindingKind::ObjectOutside, tree.clone(), message);
        }
        // A failed look-up is reported once for a library, not for each of its templates.
        let mut absent: BTreeMap<&Text, (usize, usize)> = BTreeMap::new();
        for (hash, count) in by_template.into_iter().filter(|(_, count)| *count > 0) {
            let placed = objects(count);
            let missing = match (all.get(hash), libraries) {
                (None, _) => format!("no template has the hash {hash} of {placed}"),
                (Some(template), Some(libraries)) if !template.in_library => {
                    let library = template.library.as_ref();
                    if let Some(library) = library.filter(|it| !libraries.has_library(it)) {
                        let (templates, objects) = absent.entry(library).or_default();
                        (*templates, *objects) = (*templates + 1, *objects + count);
                        continue;
                    }
                    let name = &template.name;
                    format!("the template {name} of {placed} is in no library")
                }
                (Some(template), _) if listed.get(hash).is_none() => {
                    let name = &template.name;
                    format!("the layer does not list the template {name} of {placed}")
                }
                _ => continue,
            };
            self.found(FindingKind::TemplateUnknown, tree.clone(), missing);
        }
        for (library, (templates, count)) in absent {
            let (templates, placed) = (counted(templates, "template"), objects(count));
            let message =
                format!("the library {library}, with {templates} of {placed}, is not here");
            self.found(FindingKind::TemplateUnknown, tree.clone(), message);
        }
        Some(count)
    }
}

/// Returns a number of objects, in words.
fn objects(count: impl Display) -> String {
    counted(count, "object")
}

fn counted(count: impl Display, what: &str) -> String {
    match count.to_string() {
        one if one == "1" => format!("1 {what}"),
        many => format!("{many} {what}s"),
    }
}

fn is_index(number: i32, length: usize) -> bool {
    usize::try_from(number).is_ok_and(|number| number < length)
}
