//! The part of the world of which a project makes maps.

use formwork_alb1::terrain::Project;

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

    /// Whether a point is in one of the frames, or the project has no frame.
    #[must_use]
    pub fn has(&self, x: f64, y: f64) -> bool {
        let has = |[west, south, east, north]: &[f64; 4]| {
            (*west..=*east).contains(&x) && (*south..=*north).contains(&y)
        };
        self.frames.is_empty() || self.frames.iter().any(has)
    }
}
