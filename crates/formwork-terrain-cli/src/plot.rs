//! `terrain plot PROJECT`: a picture of a project.

use std::path::Path;

use clap::{Args, ValueEnum};
use formwork_alb1::terrain::{FileKind, Project as ProjectView, ShapeLayer};
use formwork_terrain::plot::{ColourBy, Drawn, Plot as Picture};
use formwork_terrain::project::{Opening, Project};
use serde::Serialize;

use super::libraries::libraries;
use super::print::{PrintOptions, print_text};
use super::roots::RootOptions;
use super::selection::SelectionOptions;
use super::{refused, say_unread, shown, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::lines::FileReport;
use formwork_program::lines::whole_name;
use formwork_program::output::print_object;
use formwork_program::quantity::counted;
use formwork_program::remark;
use formwork_program::source::name;

/// Draw a project as SVG: objects, shapes, roads, key points, frames
///
/// The picture shows all map frames, or the box of --bbox, with a grid in metres, a scale bar and a legend.
/// Objects that cannot be told apart are drawn as a density, so that the file stays below a few
/// megabytes. Roads are drawn by the lengths that the names of their parts say.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
#[command(mut_arg("json", |it| it.help("Print JSON: what was drawn").long_help(None)))]
pub(crate) struct Plot {
    /// What objects have a colour for
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    by: By,
    /// How to draw objects
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    draw: Draw,
    /// Lay the picture out for this width
    ///
    /// Letters have the same size at every width. A picture below 760 pixels has its legend below the map.
    #[arg(
        long,
        value_name = "PIXELS",
        default_value_t = Picture::WIDTH,
        value_parser = clap::value_parser!(u32).range(240..=20_000)
    )]
    width: u32,
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain plot island.tv4p -o island.svg
  formwork terrain plot island.tv4p --by layer --bbox 200000,0,202048,2048 -o part.svg
  formwork terrain plot island.tv4p --width 480 -o small.svg
  formwork terrain plot trees.tv4l --template 't_*' --draw density -o trees.svg

Exit status: 0 success, 1 a layer could not be read, 2 wrong use, 3 a file could not be read or written."#;

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum By {
    /// Their template: the twelve most frequent, and all others together
    #[default]
    Template,
    /// Their layer
    Layer,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Draw {
    /// Dots, or a density where there are too many objects
    #[default]
    Auto,
    /// Dots: of those on the same spot, one
    Dots,
    /// A density: the darker, the more objects
    Density,
}

/// The report on a picture, as JSON.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    report: FileReport,
    object_count: usize,
    /// Whether objects are drawn as a density.
    is_density: bool,
    /// Number of objects outside the picture.
    outside_count: usize,
}

impl Plot {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        [Opening::Named(&self.selection.layers), Opening::All]
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let output = &self.print.output;
        if self.print.json && output.is_stdout() {
            return Err(Failure::usage("--json and the picture cannot both go to standard output")
                .hint("use -o FILE"));
        }
        if let Some(path) = output.path()
            && path.extension().is_some_and(|end| !end.eq_ignore_ascii_case("svg"))
        {
            let svg = shown(path.with_extension("svg").display());
            return Err(Failure::usage(format!(
                "{}: the picture is SVG, so its file ends with .svg",
                name(path)
            ))
            .hint(format!("use -o {svg}; a browser or rsvg-convert makes other pictures of it")));
        }
        let filter = self.selection.places.filter()?;
        let libraries = libraries(project, &self.roots);
        let (layers, mut status) = self.selection.layers(project)?;
        let mut shapes: Vec<ShapeLayer> = Vec::new();
        status = status.and(say_unread(project, FileKind::ShapeLayer, &[]));
        for file in &project.shapes {
            shapes.push(view(file)?);
        }
        let settings: Option<ProjectView> = project.project.as_ref().map(view).transpose()?;
        let names = project.files().next().map(|file| file.stem().into_owned());
        let title = match &settings {
            Some(settings) if !settings.name.as_bytes().is_empty() => settings.name.to_string(),
            _ => names.unwrap_or_default(),
        };
        let picture = Picture {
            title,
            project: settings.as_ref(),
            layers: layers.iter().map(|(_, layer)| layer).collect(),
            shapes: shapes.iter().collect(),
            libraries: &libraries,
            bounds: filter.bounds,
            filter,
            colour_by: match self.by {
                By::Template => ColourBy::Template,
                By::Layer => ColourBy::Layer,
            },
            drawn: match self.draw {
                Draw::Auto => Drawn::Fitting,
                Draw::Dots => Drawn::Dots,
                Draw::Density => Drawn::Density,
            },
            width: self.width,
        };
        let drawn = picture.draw().map_err(|error| {
            refused(
                &project.files().next().map_or_else(String::new, |file| file.name.clone()),
                &error,
            )
        })?;
        print_text(&drawn.svg, &output.told())?;
        if let (Some(path), true) = (output.path(), self.print.json) {
            let file = project.files().next().map_or(Path::new(""), |file| &file.path);
            let (output, written) = (Some(whole_name(path)), true);
            let said = Row {
                report: FileReport { output, written, ..FileReport::new(file) },
                object_count: drawn.objects,
                is_density: drawn.is_density,
                outside_count: drawn.outside,
            };
            print_object(&said)?;
        } else if let Some(path) = output.path() {
            let objects = counted(drawn.objects as u64, "object");
            let how = if drawn.is_density { " as a density" } else { "" };
            let outside = match drawn.outside {
                0 => String::new(),
                count => format!(", {count} outside the picture"),
            };
            let path = shown(path.display());
            remark(&format!("{path}: {objects} drawn{how}{outside}"));
        }
        Ok(status)
    }
}
