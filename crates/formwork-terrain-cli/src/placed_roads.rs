//! `terrain placed-roads PROJECT`: the roads that are placed on the map.

use clap::Args;
use formwork_alb1::terrain::{PlacedRoad, Project as ProjectView};
use formwork_terrain::object_list::Filter;
use formwork_terrain::project::Project;
use formwork_terrain::road_set::{Retyped, retype};
use serde::Serialize;

use super::changing::{Changing, FileReport};
use super::import_options::only_with;
use super::print::PrintOptions;
use super::selection::{Bounds, area};
use super::table::table;
use super::{project_file, shown, stored, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::quantity::counted;

/// List the placed roads, or give them another type
///
/// A placed road is a key part and the chains of parts that continue from it. Without --retype, each road is listed with
/// its type, the place and direction of its key part, and the number of its parts.
///
/// --retype gives the listed roads another type, and their parts the models of that type: a part is found again by the end
/// of its name, so that asf_25 becomes ces_25, or else by its position. The changed project goes to -o, or replaces the
/// old one with --in-place.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct PlacedRoads {
    /// Use only roads of this type, by its name or number (can be repeated)
    #[arg(long = "type", value_name = "NAME")]
    types: Vec<String>,
    /// Use only roads whose key part is in this box: west, south, east, north in metres
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    bbox: Option<Bounds>,
    /// Use only roads whose key part is in this polygon: its corners, or a file that has polygons
    #[arg(long, value_name = "X,Y,X,Y,.. or FILE", allow_hyphen_values = true)]
    polygon: Option<String>,
    /// Give the roads this type, by its name or number
    #[arg(long, value_name = "NAME")]
    retype: Option<String>,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain placed-roads island.tv4p
  formwork terrain placed-roads island.tv4p --type dirt --json
  formwork terrain placed-roads island.tv4p --type dirt --retype asphalt --in-place
  formwork terrain placed-roads island.tv4p --bbox 200000,0,201000,1000 --retype dirt -o changed.tv4p

Exit status: 0 success, 1 no road is selected or the type lacks a part, 2 wrong use, 3 a file could not be read or written."#;

/// A placed road, as JSON.
#[derive(Debug, Serialize)]
struct Row {
    road: usize,
    #[serde(rename = "type")]
    kind: Option<String>,
    position: [f64; 2],
    orientation: f64,
    elevation: f64,
    part_count: usize,
    model: String,
}

impl PlacedRoads {
    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        if self.retype.is_none() {
            only_with(self.change, "--retype NAME")?;
        }
        let file = project_file(project)?;
        let mut settings: ProjectView = view(file)?;
        let mut filter = Filter::default();
        filter.bounds = self.bbox.map(|Bounds(bounds)| bounds);
        filter.area = self.polygon.as_deref().map(area).transpose()?;
        let number = |name: &String| number(&settings, name);
        let types: Vec<usize> = self.types.iter().map(number).collect::<Result<_, _>>()?;
        let new = self.retype.as_ref().map(number).transpose()?;
        let is_meant = |(_, road): &(usize, &PlacedRoad)| {
            let [x, y] = road.position;
            let is_type = usize::try_from(road.road).is_ok_and(|road| types.contains(&road));
            filter.has_place(x, y) && (types.is_empty() || is_type)
        };
        let roads = settings.objects.placed_roads.roads.iter().enumerate().filter(is_meant);
        let Some(new) = new else {
            let rows: Vec<Row> = roads.map(|(position, it)| row(position, it, &settings)).collect();
            self.print.list(&rows, || text(&rows))?;
            return Ok(Status::Done);
        };
        let changing = Changing::new(self.change, &self.print)?;
        let positions: Vec<usize> = roads.map(|(position, _)| position).collect();
        if positions.is_empty() {
            return Err(Failure::no("no placed road is selected"));
        }
        let Retyped { roads, parts } = retype(&mut settings, &positions, new)
            .map_err(|error| Failure::no(format!("{}: {error}", file.name)))?;
        let bytes = stored(&file.name, file.document.clone(), &settings)?;
        let (changed, of) = (counted(roads as u64, "placed road"), counted(parts as u64, "part"));
        let line = format!("{}: {changed} of {of} changed", file.name);
        let report = FileReport::new(&file.path, line).change("placed_roads", roads);
        let mut report = report.change("parts", parts);
        changing.write(&file.path, &bytes, &mut report)?;
        changing.report(&report)?;
        Ok(Status::Done)
    }
}

/// Returns the position of the type of road with this name or number.
fn number(settings: &ProjectView, name: &String) -> Result<usize, Failure> {
    let types = &settings.objects.road_base.roads;
    let named = types.iter().position(|it| it.name == **name);
    let numbered = || name.parse().ok().filter(|number| *number < types.len());
    named.or_else(numbered).ok_or_else(|| {
        let failure = Failure::usage(format!("there is no type of road {}", shown(name)));
        types.iter().fold(failure, |failure, it| failure.line(shown(&it.name)))
    })
}

fn row(position: usize, road: &PlacedRoad, settings: &ProjectView) -> Row {
    let types = &settings.objects.road_base.roads;
    let kind = usize::try_from(road.road).ok().and_then(|at| types.get(at));
    Row {
        road: position,
        kind: kind.map(|kind| kind.name.to_string()),
        position: road.position,
        orientation: road.orientation,
        elevation: road.elevation,
        part_count: 1 + road.chains().into_iter().map(<[_]>::len).sum::<usize>(),
        model: road.model.to_string(),
    }
}

fn text(rows: &[Row]) -> String {
    let heads = ["road", "type", "x", "y", "direction", "height", "parts", "model"];
    let mut lines = vec![heads.map(str::to_owned)];
    for row in rows {
        let [x, y] = row.position;
        lines.push([
            row.road.to_string(),
            row.kind.as_ref().map_or_else(|| "?".to_owned(), shown),
            format!("{x:.3}"),
            format!("{y:.3}"),
            format!("{:.2}", row.orientation),
            format!("{:.2}", row.elevation),
            row.part_count.to_string(),
            shown(&row.model),
        ]);
    }
    table(&lines)
}
