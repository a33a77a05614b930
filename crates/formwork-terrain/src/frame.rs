//! Changes of map frames.

use std::fmt;

use formwork_alb1::Text;
use formwork_alb1::terrain::{MapFrame, Project, ShapeLayer};

/// A change of a map frame. Fields that are [`None`] leave the frame as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameChange {
    /// Its name.
    pub name: Option<Text>,
    /// West, south, east and north, in metres.
    pub bounds: Option<[f64; 4]>,
    /// Whether it is locked.
    pub locked: Option<bool>,
    /// The folder for exports.
    pub export_folder: Option<Text>,
    /// `layers.cfg`, as a path on the project drive.
    pub layers_file: Option<Text>,
    /// Whether the frame becomes the selected one.
    pub select: bool,
}

/// The reason why a map frame is not changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FrameError {
    /// There is no frame at this position.
    Missing(usize),
    /// Another frame has this name.
    Name(Text),
    /// The name is empty.
    NoName,
    /// The numbers are not west, south, east and north of a box.
    Bounds([f64; 4]),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(position) => write!(f, "there is no map frame {position}"),
            Self::Name(name) => write!(f, "another map frame is called {name}"),
            Self::NoName => f.write_str("a map frame needs a name"),
            Self::Bounds([west, south, east, north]) => write!(
                f,
                "{west},{south},{east},{north} are not west, south, east and north of a map frame"
            ),
        }
    }
}

impl std::error::Error for FrameError {}

impl FrameChange {
    /// Changes the frame at a position of a project. If its bounds change, the project is marked to have its terrain
    /// built again, and the height raster moves with the frame.
    ///
    /// Returns the old name of the frame.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such frame, if the name is empty or another frame has it, or if the bounds are
    /// not valid. The project is then unchanged.
    pub fn apply(&self, project: &mut Project, position: usize) -> Result<Text, FrameError> {
        let frames = &mut project.objects.map_frames;
        if let Some(name) = &self.name {
            if name.as_bytes().trim_ascii().is_empty() {
                return Err(FrameError::NoName);
            }
            let mut others = frames.frames.iter().enumerate().filter(|(at, _)| *at != position);
            if others.any(|(_, other)| other.name == *name) {
                return Err(FrameError::Name(name.clone()));
            }
        }
        if let Some(bounds @ [west, south, east, north]) = self.bounds
            && !(bounds.iter().all(|it| it.is_finite()) && west < east && south < north)
        {
            return Err(FrameError::Bounds(bounds));
        }
        let number = i32::try_from(position);
        let Some(frame) = frames.frames.get_mut(position) else {
            return Err(FrameError::Missing(position));
        };
        let before = frame.name.clone();
        let old_bounds = frame.bounds;
        self.change(frame);
        let (raster, bounds) = (frame.height_raster.clone(), frame.bounds);
        if let (true, Ok(number)) = (self.select, number) {
            frames.selected = number;
        }
        if bounds != old_bounds {
            // Rasters have bottom and top swapped, except those of frames.
            for (_, it) in project.world.contents.rasters.iter_mut() {
                let [west, south, east, north] = old_bounds;
                if it.name != raster || !it.file.as_bytes().is_empty() {
                    continue;
                }
                if it.bounds == old_bounds {
                    it.bounds = bounds;
                } else if it.bounds == [west, north, east, south] {
                    let [west, south, east, north] = bounds;
                    it.bounds = [west, north, east, south];
                }
            }
        }
        Ok(before)
    }

    fn change(&self, frame: &mut MapFrame) {
        if let Some(name) = &self.name {
            frame.name = name.clone();
        }
        if let Some(bounds) = self.bounds.filter(|bounds| *bounds != frame.bounds) {
            frame.bounds = bounds;
            frame.needs_terrain = true;
            frame.needs_layers = true;
        }
        frame.locked = self.locked.unwrap_or(frame.locked);
        let configuration = &mut frame.configuration;
        for (new, there) in [
            (&self.export_folder, &mut configuration.export_folder),
            (&self.layers_file, &mut configuration.layers_file),
        ] {
            if let Some(new) = new {
                *there = new.clone();
            }
        }
    }

    /// Renames the frame in a shape layer that is exported to it, from `before` to the new name; returns whether the
    /// layer changed.
    pub fn follow(&self, layer: &mut ShapeLayer, before: &Text) -> bool {
        match &self.name {
            Some(name) if layer.surface_frame == *before && name != before => {
                layer.surface_frame = name.clone();
                true
            }
            _ => false,
        }
    }
}
