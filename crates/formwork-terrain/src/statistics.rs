//! Statistics of files.

use std::collections::{BTreeMap, BTreeSet};

use formwork::Result;
use formwork_alb1::terrain::{Library, ObjectLayer, Shape, ShapeLayer};
use formwork_alb1::to_str;
use serde::Serialize;

use crate::map_area::{MapArea, OutsideShapes};
use crate::object_list::{Filter, LayerObjects};

/// The range of numbers, with their mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// The mean.
    pub mean: f64,
}

/// Counted numbers; those that are not finite do not count.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    count: u64,
    min: f64,
    max: f64,
    sum: f64,
}

impl Numbers {
    fn add(&mut self, number: f64) {
        if !number.is_finite() {
            return;
        }
        (self.min, self.max) = match self.count {
            0 => (number, number),
            _ => (self.min.min(number), self.max.max(number)),
        };
        self.sum += number;
        self.count += 1;
    }

    fn range(&self) -> Option<Range> {
        let Self { count, min, max, sum } = *self;
        (count > 0).then(|| Range { min, max, mean: sum / count as f64 })
    }
}

/// Statistics of the selected objects of a layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LayerStatistics {
    /// The name of the layer.
    pub layer: String,
    /// The number of objects.
    #[serde(rename = "object_count")]
    pub objects: u64,
    /// The number of their templates.
    #[serde(rename = "template_count")]
    pub templates: usize,
    /// The number of objects outside every map frame.
    #[serde(rename = "outside_count")]
    pub outside: u64,
    /// From west to east, in metres.
    pub x: Option<Range>,
    /// From south to north, in metres.
    pub y: Option<Range>,
    /// Heights above the ground, in metres.
    pub height: Option<Range>,
    /// Sizes, as multiples of those of the models.
    pub scale: Option<Range>,
    /// Objects per square kilometre of the box around them; [`None`] if that has no area.
    pub per_square_kilometre: Option<f64>,
}

/// Statistics of a template.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TemplateStatistics {
    /// The name of the layer, if templates are counted by layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The name of the template, or its hash as [`marked`](crate::object_list::marked) writes it.
    pub template: String,
    /// Its library, if that is known.
    pub library: Option<String>,
    /// The number of objects.
    #[serde(rename = "object_count")]
    pub objects: u64,
}

/// The library of a template, and the number of its objects.
type UsedTemplate = (Option<Box<[u8]>>, u64);

/// Statistics of the objects of layers.
#[derive(Clone, Debug, Default)]
pub struct ObjectStatistics {
    layers: Vec<LayerStatistics>,
    /// Whether templates are counted for each layer by itself.
    by_layer: bool,
    /// The templates by their names, as bytes; those of each layer, or those of all.
    templates: Vec<BTreeMap<Box<[u8]>, UsedTemplate>>,
}

impl ObjectStatistics {
    /// Makes statistics that count the templates of each layer by themselves.
    #[must_use]
    pub fn by_layer() -> Self {
        Self { by_layer: true, ..Self::default() }
    }

    /// Adds the objects of a layer that the filter selects.
    ///
    /// # Errors
    ///
    /// Returns an error if the layer's tree is broken.
    pub fn add(
        &mut self,
        layer: &ObjectLayer,
        libraries: &[Library],
        filter: &Filter,
        map: &MapArea,
    ) -> Result<()> {
        let [mut x, mut y, mut height, mut scale] = [Numbers::default(); 4];
        let mut statistics =
            LayerStatistics { layer: layer.name.to_string(), ..LayerStatistics::default() };
        let mut templates: BTreeSet<Box<[u8]>> = BTreeSet::new();
        if self.by_layer || self.templates.is_empty() {
            self.templates.push(BTreeMap::new());
        }
        let Some(counted) = self.templates.last_mut() else { return Ok(()) };
        LayerObjects::new(layer, libraries, filter)?.each(|entry| {
            let placement = &entry.placement;
            statistics.objects += 1;
            statistics.outside += u64::from(!map.has(placement.x, placement.y));
            x.add(placement.x);
            y.add(placement.y);
            height.add(placement.z.into());
            scale.add(placement.scale.into());
            if !templates.contains(&*entry.template) {
                templates.insert((*entry.template).into());
            }
            match counted.get_mut(&*entry.template) {
                Some((_, count)) => *count += 1,
                None => {
                    let library = entry.library.as_deref().map(Into::into);
                    counted.insert((*entry.template).into(), (library, 1));
                }
            }
            Ok(())
        })?;
        statistics.templates = templates.len();
        (statistics.x, statistics.y) = (x.range(), y.range());
        (statistics.height, statistics.scale) = (height.range(), scale.range());
        statistics.per_square_kilometre = statistics.x.zip(statistics.y).and_then(|(x, y)| {
            let area = (x.max - x.min) * (y.max - y.min) / 1e6;
            (area.is_finite() && area > 0.0).then(|| statistics.objects as f64 / area)
        });
        self.layers.push(statistics);
        Ok(())
    }

    /// Returns the statistics: the layers in the order of adding, and the templates, the most frequent first (by layer, in
    /// the order of the layers).
    #[must_use]
    pub fn finish(self) -> (Vec<LayerStatistics>, Vec<TemplateStatistics>) {
        let text = |name: &[u8]| to_str(name).into_owned();
        let mut templates = Vec::new();
        for (position, counted) in self.templates.iter().enumerate() {
            let layer = self.layers.get(position).filter(|_| self.by_layer);
            let statistics = counted.iter().map(|(name, (library, objects))| TemplateStatistics {
                layer: layer.map(|layer| layer.layer.clone()),
                template: text(name),
                library: library.as_deref().map(text),
                objects: *objects,
            });
            let mut statistics: Vec<_> = statistics.collect();
            statistics.sort_by_key(|it| std::cmp::Reverse(it.objects));
            templates.append(&mut statistics);
        }
        (self.layers, templates)
    }
}

/// Statistics of the shapes of a layer. Deleted shapes do not count.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ShapeStatistics {
    /// The name of the layer.
    pub layer: String,
    /// The number of polygons.
    #[serde(rename = "polygon_count")]
    pub polygons: usize,
    /// The area of the polygons, in square metres.
    pub area: f64,
    /// The number of polylines.
    #[serde(rename = "polyline_count")]
    pub polylines: usize,
    /// The length of the polylines, in metres.
    pub length: f64,
    /// The number of points of all shapes.
    #[serde(rename = "vertex_count")]
    pub vertices: usize,
    /// The number of points outside every map frame.
    #[serde(rename = "outside_count")]
    pub outside: usize,
}

impl ShapeStatistics {
    /// Counts the shapes of a layer.
    #[must_use]
    pub fn of(layer: &ShapeLayer, map: &MapArea) -> Self {
        let outside = OutsideShapes::of(layer, map).map_or(0, |outside| outside.vertices);
        let mut counted = Self { layer: layer.name.to_string(), outside, ..Self::default() };
        for shape in &layer.shapes {
            let vertices: Vec<[f64; 3]> = shape.vertices().iter().map(|it| it.center).collect();
            match shape {
                Shape::Polygon(polygon) if !polygon.deleted => {
                    counted.polygons += 1;
                    counted.area += area(&vertices);
                }
                Shape::Polyline(polyline) if !polyline.deleted => {
                    counted.polylines += 1;
                    let steps = vertices.iter().zip(vertices.iter().skip(1));
                    let length = |(one, other): (&[f64; 3], &[f64; 3])| {
                        (one[0] - other[0]).hypot(one[1] - other[1])
                    };
                    counted.length += steps.map(length).sum::<f64>();
                }
                _ => continue,
            }
            counted.vertices += vertices.len();
        }
        counted
    }
}

/// Returns the area of a ring, measured from its first point, so that few digits are lost.
fn area(ring: &[[f64; 3]]) -> f64 {
    let Some(first) = ring.first() else { return 0.0 };
    let from = |point: &[f64; 3]| [point[0] - first[0], point[1] - first[1]];
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    let twice = pairs.map(|(one, other)| {
        let ([x0, y0], [x1, y1]) = (from(one), from(other));
        x0 * y1 - x1 * y0
    });
    (twice.sum::<f64>() / 2.0).abs()
}
