//! Draws a project as a picture: objects, shapes, roads, key points and map frames, as SVG.
//!
//! The size of the picture is bounded: objects on the same spot are drawn once, and if there are too many to
//! distinguish, their density is drawn instead.

mod dots;
mod labels;
mod lines;
mod palette;
mod road;
mod sheet;
mod spot;

use std::collections::BTreeMap;

use formwork::Result;
use formwork_alb1::terrain::{Library, ObjectLayer, Project, Shape, ShapeLayer};
use formwork_alb1::tree::BoundingBox;

use self::dots::Dots;
use self::lines::Lines;
use self::palette::{OBJECTS, OTHER, ROAD, SHAPES};
use self::sheet::Sheet;
use crate::object_list::{Filter, LayerObjects};

/// The property that determines the colour of objects.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ColourBy {
    /// Their template.
    #[default]
    Template,
    /// Their layer.
    Layer,
}

/// The way objects are drawn.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Drawn {
    /// As dots if they fit, otherwise as a density.
    #[default]
    Fitting,
    /// As dots; one for all objects on the same spot.
    Dots,
    /// As a density: the more objects on a spot, the darker it is.
    Density,
}

/// The content of a picture.
#[derive(Clone, Debug)]
pub struct Plot<'p> {
    /// The title above the map.
    pub title: String,
    /// The project, with its roads, key points and map frames.
    pub project: Option<&'p Project>,
    /// The object layers.
    pub layers: Vec<&'p ObjectLayer>,
    /// The shape layers.
    pub shapes: Vec<&'p ShapeLayer>,
    /// The template libraries of the project.
    pub libraries: &'p [Library],
    /// The filter of the drawn objects.
    pub filter: Filter,
    /// The part of the map; [`None`] for all frames, or, without frames, for everything.
    pub bounds: Option<BoundingBox<f64>>,
    /// The property that determines the colour of objects.
    pub colour_by: ColourBy,
    /// The way objects are drawn.
    pub drawn: Drawn,
    /// The width of the picture in pixels; the size of letters does not depend on it. A narrow picture has its legend
    /// below the map.
    pub width: u32,
}

impl Plot<'_> {
    /// The default width of a picture: that of a screen.
    pub const WIDTH: u32 = 1360;
}

impl Default for Plot<'_> {
    fn default() -> Self {
        Self {
            title: String::new(),
            project: None,
            layers: Vec::new(),
            shapes: Vec::new(),
            libraries: &[],
            filter: Filter::default(),
            bounds: None,
            colour_by: ColourBy::default(),
            drawn: Drawn::default(),
            width: Self::WIDTH,
        }
    }
}

/// A picture, with the numbers of its objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The picture, as SVG.
    pub svg: String,
    /// The number of objects in the picture.
    pub objects: usize,
    /// The number of objects that are outside of it, or have no place.
    pub outside: usize,
    /// Whether the objects are drawn as a density.
    pub is_density: bool,
}

/// A limit beyond any map: points further out are not drawn.
const FAR: f64 = 1e8;

fn is_near(x: f64, y: f64) -> bool {
    x.abs() <= FAR && y.abs() <= FAR
}

/// The box around points.
#[derive(Clone, Copy, Debug, Default)]
struct Extent(Option<BoundingBox<f64>>);

impl Extent {
    fn add(&mut self, x: f64, y: f64) {
        if is_near(x, y) {
            let point = BoundingBox { x0: x, y0: y, x1: x, y1: y };
            let all = self.0.get_or_insert(point);
            (all.x0, all.y0) = (all.x0.min(x), all.y0.min(y));
            (all.x1, all.y1) = (all.x1.max(x), all.y1.max(y));
        }
    }
}

/// The greatest number of separate colours for objects; the others share one colour.
const MOST_COLOURS: usize = OBJECTS.len();

/// The objects of one colour.
struct Kind {
    name: String,
    objects: Vec<[f64; 2]>,
}

impl Plot<'_> {
    /// Draws the picture.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree of a layer is broken.
    pub fn draw(&self) -> Result<Picture> {
        let mut kinds = self.kinds()?;
        kinds.sort_by(|one, other| {
            other.objects.len().cmp(&one.objects.len()).then_with(|| one.name.cmp(&other.name))
        });
        let roads = self.roads();
        let bounds = self.bounds.unwrap_or_else(|| self.around(&kinds, &roads));
        let mut sheet = Sheet::new(bounds, &self.title, self.width);
        sheet.grid();
        self.draw_shapes(&mut sheet);
        let mut lines = Lines::new(sheet.view());
        roads.iter().for_each(|road| lines.add(road, false));
        sheet.lines(lines, ROAD, "placed roads", "none", 1.6);
        let mut picture = Picture::default();
        self.draw_objects(&mut sheet, kinds, &mut picture);
        self.draw_places(&mut sheet);
        picture.svg = sheet.finish(picture.objects, picture.outside);
        Ok(picture)
    }

    fn kinds(&self) -> Result<Vec<Kind>> {
        let mut kinds: BTreeMap<Vec<u8>, Vec<[f64; 2]>> = BTreeMap::new();
        for layer in &self.layers {
            LayerObjects::new(layer, self.libraries, &self.filter)?.each(|entry| {
                let name = match self.colour_by {
                    ColourBy::Template => &*entry.template,
                    ColourBy::Layer => layer.name.as_bytes(),
                };
                let place = [entry.placement.x, entry.placement.y];
                match kinds.get_mut(name) {
                    Some(places) => places.push(place),
                    None => drop(kinds.insert(name.to_vec(), vec![place])),
                }
                Ok(())
            })?;
        }
        let kind = |(name, objects): (Vec<u8>, _)| Kind {
            name: formwork_alb1::to_str(&name).into_owned(),
            objects,
        };
        Ok(kinds.into_iter().map(kind).collect())
    }

    fn roads(&self) -> Vec<Vec<[f64; 2]>> {
        let placed = self.project.map(|project| &project.objects.placed_roads.roads);
        let placed = placed.map(Vec::as_slice).unwrap_or_default();
        placed
            .iter()
            .filter(|road| is_near(road.position[0], road.position[1]))
            .map(road::line)
            .collect()
    }

    /// Returns the box to draw: that of the frames, or, without frames, of everything.
    fn around(&self, kinds: &[Kind], roads: &[Vec<[f64; 2]>]) -> BoundingBox<f64> {
        let mut extent = Extent::default();
        let frames = self.project.map(|project| &project.objects.map_frames.frames);
        for frame in frames.into_iter().flatten() {
            let [west, south, east, north] = frame.bounds;
            if west < east && south < north {
                extent.add(west, south);
                extent.add(east, north);
            }
        }
        if extent.0.is_none() {
            let objects = kinds.iter().flat_map(|kind| &kind.objects);
            let points = self.project.map(|project| &project.objects.key_points.points);
            let points = points.into_iter().flatten().map(|point| &point.position);
            for [x, y] in objects.chain(roads.iter().flatten()).chain(points) {
                extent.add(*x, *y);
            }
            let shapes = self.shapes.iter().flat_map(|layer| &layer.shapes);
            for vertex in shapes.flat_map(Shape::vertices) {
                extent.add(vertex.center[0], vertex.center[1]);
            }
        }
        extent.0.unwrap_or(BoundingBox { x0: 200_000.0, y0: 0.0, x1: 201_000.0, y1: 1000.0 })
    }

    fn draw_shapes(&self, sheet: &mut Sheet) {
        for (layer, colour) in self.shapes.iter().zip(SHAPES.iter().cycle()) {
            let [mut areas, mut lines] = [Lines::new(sheet.view()), Lines::new(sheet.view())];
            for shape in &layer.shapes {
                let points: Vec<[f64; 2]> =
                    shape.vertices().iter().map(|it| [it.center[0], it.center[1]]).collect();
                match shape {
                    Shape::Polygon(polygon) if !polygon.deleted => areas.add(&points, true),
                    Shape::Polyline(polyline) if !polyline.deleted => lines.add(&points, false),
                    _ => {}
                }
            }
            let name = &layer.name;
            sheet.lines(areas, colour, &format!("{name} (areas)"), colour, 1.0);
            sheet.lines(lines, colour, &format!("{name} (lines)"), "none", 1.4);
        }
    }

    fn draw_objects(&self, sheet: &mut Sheet, kinds: Vec<Kind>, picture: &mut Picture) {
        let bounds = sheet.bounds();
        let mut kinds = kinds;
        for kind in &mut kinds {
            let before = kind.objects.len();
            kind.objects.retain(|[x, y]| bounds.contains(*x, *y) || on_border(&bounds, *x, *y));
            picture.outside += before - kind.objects.len();
            picture.objects += kind.objects.len();
        }
        kinds.retain(|kind| !kind.objects.is_empty());
        picture.is_density = match self.drawn {
            Drawn::Fitting => picture.objects > Dots::MOST,
            Drawn::Dots => false,
            Drawn::Density => true,
        };
        if picture.is_density {
            let objects = kinds.iter().flat_map(|kind| &kind.objects);
            return sheet.density(objects, picture.objects);
        }
        let others = kinds.split_off(MOST_COLOURS.min(kinds.len()));
        let mut all = Vec::new();
        if !others.is_empty() {
            let what = match self.colour_by {
                ColourBy::Template => "templates",
                ColourBy::Layer => "layers",
            };
            let name = format!("{} other {what}", others.len());
            let objects = others.into_iter().flat_map(|kind| kind.objects).collect();
            all.push((Kind { name, objects }, OTHER));
        }
        // Rare kinds come last, so that they are on top.
        all.extend(kinds.into_iter().zip(OBJECTS));
        let kinds: Vec<_> =
            all.iter().map(|(kind, colour)| (&*kind.name, *colour, &*kind.objects)).collect();
        let dots = Dots::of(sheet.view(), &kinds);
        sheet.dots(dots, &kinds);
    }

    fn draw_places(&self, sheet: &mut Sheet) {
        let Some(project) = self.project else { return };
        for frame in &project.objects.map_frames.frames {
            let [west, south, east, north] = frame.bounds;
            if is_near(west, south) && is_near(east, north) {
                sheet.frame(&frame.name.to_string(), frame.bounds);
            }
        }
        let points = project.objects.key_points.points.iter().map(|point| {
            let shown = if point.text.as_bytes().is_empty() { &point.name } else { &point.text };
            (shown.to_string(), point.position)
        });
        sheet.places(&points.collect::<Vec<_>>());
    }
}

/// Whether a point is in a box, including the borders that the box itself excludes.
fn on_border(bounds: &BoundingBox<f64>, x: f64, y: f64) -> bool {
    (bounds.x0..=bounds.x1).contains(&x) && (bounds.y0..=bounds.y1).contains(&y)
}
