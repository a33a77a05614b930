//! `terrain stats PROJECT`: counts of the content of the map.

use clap::{Args, ValueEnum};
use formwork_alb1::terrain::{FileKind, Project as ProjectView, ShapeLayer};
use formwork_terrain::MapArea;
use formwork_terrain::project::{Opening, Project};
use formwork_terrain::statistics::{
    LayerStatistics, ObjectStatistics, Range, ShapeStatistics, TemplateStatistics,
};
use serde::Serialize;

use super::libraries::libraries;
use super::print::PrintOptions;
use super::roots::RootOptions;
use super::selection::SelectionOptions;
use super::table::table;
use super::{refused, say_unread, shown, view};
use formwork_program::failure::{Failure, Status};

/// Count objects by layer and template, with their density, bounds and heights
///
/// Density is objects on a square kilometre of the box around them. Shapes are counted by layer, with
/// their area and length.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
#[command(mut_arg("json", |it| it.long_help(None)))]
pub(crate) struct Stats {
    /// Show all templates, not only the most frequent
    #[arg(long)]
    all: bool,
    /// Count templates in all layers together, or in each layer
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    by: By,
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain stats island.tv4p
  formwork terrain stats island.tv4p --bbox 200000,0,202048,2048 --all
  formwork terrain stats island.tv4p --by layer --all
  formwork terrain stats island.tv4p --json -o stats.json

Exit status: 0 success, 1 a layer could not be read, 2 wrong use, 3 a file could not be read or written."#;

/// The places by which templates are counted.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum By {
    /// The templates of all layers together
    #[default]
    Template,
    /// The templates of each layer
    Layer,
}

/// Number of templates that are shown without `--all`.
const SHOWN: usize = 20;

#[derive(Debug, Serialize)]
struct Report {
    #[serde(rename = "object_count")]
    objects: u64,
    layers: Vec<LayerStatistics>,
    templates: Vec<TemplateStatistics>,
    shapes: Vec<ShapeStatistics>,
}

impl Stats {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        [
            Opening::Named(&self.selection.layers),
            if self.has_shapes() { Opening::All } else { Opening::None },
        ]
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let filter = self.selection.places.filter()?;
        let libraries = libraries(project, &self.roots);
        let map = match &project.project {
            Some(file) => MapArea::of(&view::<ProjectView>(file)?),
            None => MapArea::default(),
        };
        let (layers, mut status) = self.selection.layers(project)?;
        let mut statistics = match self.by {
            By::Template => ObjectStatistics::default(),
            By::Layer => ObjectStatistics::by_layer(),
        };
        for (file, layer) in &layers {
            let added = statistics.add(layer, &libraries, &filter, &map);
            added.map_err(|error| refused(&file.name, &error))?;
        }
        let (layers, templates) = statistics.finish();
        let mut shapes = Vec::new();
        if self.has_shapes() {
            status = status.and(say_unread(project, FileKind::ShapeLayer, &[]));
            for file in &project.shapes {
                shapes.push(ShapeStatistics::of(&view::<ShapeLayer>(file)?, &map));
            }
        }
        let objects = layers.iter().map(|layer| layer.objects).sum();
        let report = Report { objects, layers, templates, shapes };
        self.print.list(&report, || self.text(&report))?;
        Ok(status)
    }

    /// Returns whether shapes are counted, too: an option that selects objects selects no shapes.
    fn has_shapes(&self) -> bool {
        self.selection.layers.is_empty() && !self.selection.places.is_asked()
    }

    fn text(&self, report: &Report) -> String {
        let range = |range: &Option<Range>, decimals: usize| match range {
            Some(Range { min, max, .. }) if min == max => format!("{min:.decimals$}"),
            Some(Range { min, max, .. }) => format!("{min:.decimals$} to {max:.decimals$}"),
            None => String::new(),
        };
        let heads =
            ["layer", "objects", "templates", "x", "y", "height", "scale", "per km2", "outside"];
        let mut lines = vec![heads.map(str::to_owned)];
        for layer in &report.layers {
            lines.push([
                shown(&layer.layer),
                layer.objects.to_string(),
                layer.templates.to_string(),
                range(&layer.x, 0),
                range(&layer.y, 0),
                range(&layer.height, 2),
                range(&layer.scale, 2),
                layer.per_square_kilometre.map(|it| format!("{it:.1}")).unwrap_or_default(),
                layer.outside.to_string(),
            ]);
        }
        let mut text = table(&lines);
        if !report.templates.is_empty() {
            let shown_templates = if self.all { usize::MAX } else { SHOWN };
            let is_by_layer = self.by == By::Layer;
            let cells = |layer: String, rest: [String; 3]| {
                let layer = is_by_layer.then_some(layer);
                layer.into_iter().chain(rest).collect::<Vec<_>>()
            };
            let heads = ["template", "library", "objects"].map(str::to_owned);
            let mut lines = vec![cells("layer".to_owned(), heads)];
            for it in report.templates.iter().take(shown_templates) {
                let library = it.library.as_ref().map(shown).unwrap_or_default();
                let layer = it.layer.as_ref().map(shown).unwrap_or_default();
                let rest = [shown(&it.template), library, it.objects.to_string()];
                lines.push(cells(layer, rest));
            }
            text.push('\n');
            text.push_str(&table(&lines));
            let more = report.templates.len().saturating_sub(shown_templates);
            if more > 0 {
                text.push_str(&format!("and {more} more: --all lists them\n"));
            }
        }
        if !report.shapes.is_empty() {
            let heads =
                ["shapes", "polygons", "hectares", "polylines", "metres", "vertices", "outside"];
            let mut lines = vec![heads.map(str::to_owned)];
            for it in &report.shapes {
                lines.push([
                    shown(&it.layer),
                    it.polygons.to_string(),
                    format!("{:.2}", it.area / 10_000.0),
                    it.polylines.to_string(),
                    format!("{:.1}", it.length),
                    it.vertices.to_string(),
                    it.outside.to_string(),
                ]);
            }
            text.push('\n');
            text.push_str(&table(&lines));
        }
        text
    }
}
