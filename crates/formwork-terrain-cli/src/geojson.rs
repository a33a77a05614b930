//! GeoJSON in and out: the position of the map, and the features of a file.

use std::path::Path;

use clap::Args;
use formwork_terrain::geojson::{Features, Origin, Placing, PutFeatures};
use formwork_terrain::project::Project;
use formwork_terrain::{MapArea, Ring, in_utf8};

use super::changing::FileReport;
use super::point::Point;
use super::{shown, view};
use formwork_program::failure::Failure;
use formwork_program::quantity::counted;
use formwork_program::remark;
use formwork_program::source::Source;

/// The place of the map in the world.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OriginOptions {
    /// Where the south-west corner of the map lies in the world: easting and northing in metres
    ///
    /// GeoJSON then has the coordinates of the world, and says so in the member 'origin', by which
    /// it is read back. The corner is that of the first map frame; without one it is 200000, 0.
    #[arg(long, value_name = "E,N", allow_hyphen_values = true, help_heading = "GeoJSON")]
    origin: Option<Point>,
    /// Coordinate system of the world, for programs that show maps, such as EPSG:32633
    #[arg(long, value_name = "NAME", requires = "origin", help_heading = "GeoJSON")]
    crs: Option<String>,
}

impl OriginOptions {
    /// Returns whether the position of the map was given.
    pub(super) fn is_asked(&self) -> bool {
        self.origin.is_some()
    }

    pub(super) fn placing(&self, project: &Project) -> Result<Placing, Failure> {
        let origin = self.origin.map(|point| origin(point, project)).transpose()?;
        Ok(Placing { origin, crs: self.crs.clone() })
    }

    /// Reads features without moving them, and the position of the map.
    pub(super) fn read(
        &self,
        path: &Path,
        project: &Project,
    ) -> Result<(String, Features, Option<Origin>), Failure> {
        let (name, features) = read(path)?;
        let origin = self.placed(&name, &features, project)?;
        Ok((name, features, origin))
    }

    /// Returns the position of the map: from the options, or else from the file.
    pub(super) fn placed(
        &self,
        name: &str,
        features: &Features,
        project: &Project,
    ) -> Result<Option<Origin>, Failure> {
        let origin = match self.origin {
            Some(point) => Some(origin(point, project)?),
            None => features.origin,
        };
        if origin.is_none() && features.has_crs {
            remark(&format!(
                "{name}: it names a coordinate system but no origin; its coordinates are taken for \
                 those of the map (--origin E,N says where the map lies)"
            ));
        }
        refuse_degrees(name, features, origin)?;
        Ok(origin)
    }
}

fn origin(Point(world): Point, project: &Project) -> Result<Origin, Failure> {
    Ok(Origin { map: corner(project)?, world })
}

/// Returns the south-west corner of the map: that of the first map frame, or the usual origin of
/// maps.
pub(super) fn corner(project: &Project) -> Result<[f64; 2], Failure> {
    let Some(file) = &project.project else { return Ok(Origin::MAP) };
    let settings: formwork_alb1::terrain::Project = view(file)?;
    let Some(frame) = settings.objects.map_frames.frames.first() else { return Ok(Origin::MAP) };
    let [west, south, ..] = frame.bounds;
    match west.is_finite() && south.is_finite() {
        true => Ok([west, south]),
        false => {
            Err(Failure::no(format!("{}: the first map frame has no finite place", file.name)))
        }
    }
}

/// Refuses longitudes and latitudes: maps start at 200000, so no such place is on one.
fn refuse_degrees(name: &str, features: &Features, origin: Option<Origin>) -> Result<(), Failure> {
    let mut points = features.features.iter().filter_map(|it| it.geometry.as_ref());
    let mut any = false;
    let all = points.all(|geometry| {
        geometry.points().all(|[x, y]| {
            any = true;
            x.abs() <= 180.0 && y.abs() <= 90.0
        })
    });
    if any && all && origin.is_none() {
        return Err(Failure::no(format!(
            "{name}: these are longitudes and latitudes, or points far from any map"
        ))
        .hint("export it in metres (such as UTM), and say where the map lies with --origin E,N"));
    }
    Ok(())
}

/// Reads the polygons of a file.
pub(super) fn areas(path: &Path) -> Result<Vec<Vec<Ring>>, Failure> {
    let (_, mut features) = read(path)?;
    if let Some(origin) = features.origin {
        features.move_to_map(&origin);
    }
    Ok(features.polygons())
}

fn read(path: &Path) -> Result<(String, Features), Failure> {
    let Source { name, file, .. } = Source::read(path)?;
    let features = features(&name, &file.into_bytes())?;
    Ok((name, features))
}

/// Reads features from bytes.
pub(super) fn features(name: &str, bytes: &[u8]) -> Result<Features, Failure> {
    let bytes = &*in_utf8(bytes).map_err(|error| Failure::in_text(name, bytes, error))?;
    Features::read(bytes).map_err(|error| match error.path().is_empty() {
        true => Failure::in_text(name, bytes, error),
        false => wrong(name, &error),
    })
}

/// Makes the failure for a feature that is not as expected.
pub(super) fn wrong(name: &str, error: &formwork_variant::Error) -> Failure {
    let (path, expected, found) = (error.path(), error.expected(), error.found());
    Failure::no(format!("{name}: {path}: expected {expected}, found {found}"))
}

/// Reports how many of the imported features reach outside all map frames: Terrain Builder accepts them, but may refuse to
/// build the map.
pub(super) fn say_outside(
    project: &Project,
    features: &Features,
    origin: Option<Origin>,
    what: &str,
) {
    let Some(Ok(settings)) = project.project.as_ref().map(|file| file.view()) else { return };
    let map = MapArea::of(&settings).with_margin(MapArea::MARGIN);
    let is_out = |point: &[f64; 2]| {
        let [x, y] = origin.map_or(*point, |origin| origin.to_map(*point));
        !map.has(x, y)
    };
    let mut out = features.features.iter().filter(|feature| {
        feature.geometry.as_ref().is_some_and(|geometry| geometry.points().any(is_out))
    });
    if let Some(first) = out.next() {
        let (count, number) = (counted(out.count() as u64 + 1, what), first.position + 1);
        remark(&format!("{count} outside the map, the first is feature {number}"));
    }
}

/// Returns the report on a file that features were imported into, with their counts; its line of
/// text begins with `what`.
pub(super) fn imported(file: &Path, what: &str, put: &PutFeatures) -> FileReport {
    let PutFeatures { kept, changed, added, removed } = *put;
    let line = format!(
        "{}: {kept} as they were, {changed} changed, {added} added, {removed} deleted",
        shown(what)
    );
    FileReport::new(file, line)
        .change("kept", kept)
        .change("changed", changed)
        .change("added", added)
        .change("removed", removed)
}
