//! The part of the world of which a project makes maps.

use formwork_alb1::terrain::{Project, ShapeLayer};

/// The map frames of a project.
///
/// ```
/// use formwork_alb1::terrain::{MapFrame, Project};
/// use formwork_terrain::MapArea;
///
/// let mut project = Project::default();
/// assert!(MapArea::of(&project).has(-5.0, 0.0));
/// let bounds = [200000.0, 0.0, 202048.0, 2048.0];
/// project.objects.map_frames.frames.push(MapFrame { bounds, ..MapFrame::default() });
/// assert!(MapArea::of(&project).has(200001.0, 2048.0));
/// assert!(!MapArea::of(&project).has(-5.0, 0.0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapArea {
    /// West, south, east and north of each frame.
    frames: Vec<[f64; 4]>,
}

impl MapArea {
    /// Returns the map frames of a project.
    #[must_use]
    pub fn of(project: &Project) -> Self {
        let frames = &project.objects.map_frames.frames;
        Self { frames: frames.iter().map(|frame| frame.bounds).collect() }
    }

    /// The metres by which the vertices of shapes may be outside: programs that cut shapes at the border round.
    pub const MARGIN: f64 = 0.001;

    /// Returns the frames, each larger by this many metres on all sides.
    #[must_use]
    pub fn with_margin(&self, metres: f64) -> Self {
        let larger = |[west, south, east, north]: &[f64; 4]| {
            [west - metres, south - metres, east + metres, north + metres]
        };
        Self { frames: self.frames.iter().map(larger).collect() }
    }

    /// Whether a point is in one of the frames, or the project has no frame.
    #[must_use]
    pub fn has(&self, x: f64, y: f64) -> bool {
        let has = |[west, south, east, north]: &[f64; 4]| {
            (*west..=*east).contains(&x) && (*south..=*north).contains(&y)
        };
        self.frames.is_empty() || self.frames.iter().any(has)
    }
}

/// The parts of a layer's shapes that are outside of every map frame. Deleted shapes do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutsideShapes {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of shapes that have one.
    pub shapes: usize,
    /// The positions of the first of these shapes and of its first vertex.
    pub first: (usize, usize),
    /// The place of that vertex: to the east and to the north, in metres.
    pub place: [f64; 2],
}

impl OutsideShapes {
    /// Counts the vertices of a layer that are outside by more than [`MapArea::MARGIN`]; [`None`] if there is none.
    #[must_use]
    pub fn of(layer: &ShapeLayer, map: &MapArea) -> Option<Self> {
        let map = map.with_margin(MapArea::MARGIN);
        let mut all: Option<Self> = None;
        for (position, shape) in layer.shapes.iter().enumerate() {
            if shape.is_deleted() {
                continue;
            }
            let places = shape.vertices().iter().map(|vertex| vertex.center).enumerate();
            let mut outside = places.filter(|(_, [x, y, _])| !map.has(*x, *y));
            let Some((vertex, [x, y, _])) = outside.next() else { continue };
            let (first, place) = ((position, vertex), [x, y]);
            let all = all.get_or_insert(Self { first, place, ..Self::default() });
            all.vertices += 1 + outside.count();
            all.shapes += 1;
        }
        all
    }
}
