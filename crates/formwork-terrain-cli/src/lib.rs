//! `formwork terrain`: the content of projects of Terrain Builder, for terrain makers.

#![forbid(unsafe_code)]

mod changing;
mod dedupe;
mod frames;
mod geojson;
mod import;
mod import_options;
mod key_points;
mod layer_files;
mod layers;
mod libraries;
mod merge;
mod move_map;
mod move_objects;
mod object_changes;
mod objects;
mod paths;
mod placed_roads;
mod plot;
mod point;
mod print;
mod relocate;
mod retemplate;
mod roads;
mod roots;
mod selection;
mod shapes;
mod split;
mod stats;
mod table;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use formwork_alb1::terrain::{FileKind, Root};
use formwork_alb1::{Document, Text};
use formwork_terrain::object_change::rule;
use formwork_terrain::project::{
    ChangeError, Opening, Project, ProjectFile, UnreadFile, Unreadable,
};
use formwork_variant::Error;

use formwork_program::failure::{Failure, Status};
use formwork_program::project::{open, open_some};
use formwork_program::remark;
use formwork_program::style::shown;

/// List, export and change Terrain Builder projects
///
/// PROJECT is a .tv4p file, the folder that contains it, a folder of layers, or one layer (.tv4l,
/// .tv4s). The layers of a project are the files in the folders NAME.Layers and NAME.Shapes beside
/// it.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub struct Terrain {
    #[command(subcommand)]
    what: What,
}

const AFTER: &str = r#"Examples:
  formwork terrain layers island.tv4p
  formwork terrain objects island.tv4p --layer houses -o houses.txt
  formwork terrain paths island.tv4p --root P:=/mnt/p --missing
  formwork terrain paths island.tv4p --replace 'P:\maps\island' 'P:\island' -o moved.tv4p
  formwork terrain roads island.tv4p -o roads.yaml
  formwork terrain roads island.tv4p --into other.tv4p -o merged.tv4p
  formwork terrain shapes island.tv4p --layer forests -o forests.geojson
  formwork terrain verify island.tv4p

Coordinates:
Coordinates are in metres, as in the file. Map frames usually start at x = 200000.

Changes:
What a command does not change stays as it is, byte for byte. With --in-place the old file is kept as NAME.bak. With --dry-run nothing is written.

Exit status: 0 success, 1 the answer is no, 2 wrong use, 3 a file could not be read or written."#;

// A verb with its project. (A doc comment would be the help of every verb.)
#[derive(Args, Debug)]
pub(crate) struct On<T: Args> {
    /// Project: a .tv4p file, a folder or one layer
    #[arg(value_name = "PROJECT")]
    project: PathBuf,
    #[command(flatten)]
    verb: T,
}

impl<T: Args> On<T> {
    /// Opens the project with its layers.
    pub(crate) fn open(self) -> Result<(T, Project), Failure> {
        Ok((self.verb, open(&self.project)?))
    }

    /// Opens the project with those of its object layers and shape layers that the verb needs.
    pub(crate) fn open_some(
        self,
        needs: impl FnOnce(&T) -> [Opening<'_>; 2],
    ) -> Result<(T, Project), Failure> {
        let project = open_some(&self.project, needs(&self.verb))?;
        Ok((self.verb, project))
    }
}

#[derive(Debug, Subcommand)]
enum What {
    Layers(On<layers::Layers>),
    Objects(Box<objects::Objects>),
    Move(On<move_map::MoveMap>),
    Stats(On<stats::Stats>),
    Plot(On<plot::Plot>),
    Merge(On<merge::Merge>),
    Split(On<split::Split>),
    Retemplate(On<retemplate::Retemplate>),
    Dedupe(On<dedupe::Dedupe>),
    Paths(On<paths::Paths>),
    Relocate(On<relocate::Relocate>),
    Frames(On<frames::Frames>),
    Roads(On<roads::Roads>),
    PlacedRoads(On<placed_roads::PlacedRoads>),
    Keypoints(On<key_points::KeyPoints>),
    Shapes(On<shapes::Shapes>),
    Verify(On<verify::Verify>),
}

impl Terrain {
    /// Runs the command that the arguments name.
    ///
    /// # Errors
    ///
    /// Returns the failure to print, with the exit status.
    pub fn run(self) -> Result<Status, Failure> {
        match self.what {
            What::Objects(command) => command.run(),
            What::Layers(it) => it.open().and_then(|(verb, project)| verb.run(&project)),
            What::Move(it) => {
                let (verb, project) = it.open_some(move_map::MoveMap::needs)?;
                verb.run(&project)
            }
            What::Stats(it) => {
                let (verb, project) = it.open_some(stats::Stats::needs)?;
                verb.run(&project)
            }
            What::Plot(it) => {
                let (verb, project) = it.open_some(plot::Plot::needs)?;
                verb.run(&project)
            }
            What::Merge(it) => {
                let (verb, project) = it.open_some(merge::Merge::needs)?;
                verb.run(&project)
            }
            // (The parts get addresses that no layer has.)
            What::Split(it) => it.open().and_then(|(verb, project)| verb.run(&project)),
            What::Retemplate(it) => {
                let (verb, project) = it.open_some(retemplate::Retemplate::needs)?;
                verb.run(&project)
            }
            What::Dedupe(it) => {
                let (verb, project) = it.open_some(dedupe::Dedupe::needs)?;
                verb.run(&project)
            }
            What::Paths(it) => {
                let (verb, project) = it.open_some(|it| shapes_if(it.needs_shapes()))?;
                verb.run(project)
            }
            What::Relocate(it) => {
                let (verb, project) = it.open_some(|it| shapes_if(it.needs_shapes()))?;
                verb.run(project)
            }
            What::Frames(it) => {
                let (verb, project) = it.open_some(|it| it.needs())?;
                verb.run(&project)
            }
            What::Roads(it) => {
                let (verb, project) = it.open_some(|_| shapes_if(false))?;
                verb.run(project)
            }
            What::PlacedRoads(it) => {
                let (verb, project) = it.open_some(|_| shapes_if(false))?;
                verb.run(&project)
            }
            What::Keypoints(it) => {
                let (verb, project) = it.open_some(|_| shapes_if(false))?;
                verb.run(&project)
            }
            What::Shapes(it) => {
                let (verb, project) = it.open_some(shapes::Shapes::needs)?;
                verb.run(&project)
            }
            What::Verify(it) => it.open().and_then(|(verb, project)| verb.run(&project)),
        }
    }
}

/// Opens no object layers, and all shape layers or none.
const fn shapes_if(needed: bool) -> [Opening<'static>; 2] {
    [Opening::None, if needed { Opening::All } else { Opening::None }]
}

/// Returns the file of the project; fails where there is none.
fn project_file(project: &Project) -> Result<&ProjectFile, Failure> {
    project.project.as_ref().ok_or_else(no_project)
}

fn no_project() -> Failure {
    Failure::usage("there is no project (.tv4p) there, only layers")
}

/// Reads the root of a file into its struct.
fn view<T: Root>(file: &ProjectFile) -> Result<T, Failure> {
    file.view().map_err(|error| incomplete(&file.name, error))
}

/// Makes the bytes of a document with `root` as its root; messages call it `name`.
fn stored<T: Root>(name: &str, mut document: Document, root: &T) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::in_value(name, error);
    root.store_in(&mut document).map_err(failed)?;
    document.to_vec().map_err(failed)
}

/// Makes the failure for a file that lacks a part, or has another one in its place.
fn incomplete(name: &str, error: Error) -> Failure {
    Failure::no(format!("{name}: {}", Unreadable::Incomplete(error)))
}

/// Makes the failure for the file `name`, which cannot be changed.
fn unchangeable(name: &str, error: ChangeError) -> Failure {
    match error {
        ChangeError::Incomplete(error) => incomplete(name, error),
        ChangeError::Value(error) => Failure::in_value(name, error),
        other => Failure::no(format!("{name}: {other}")),
    }
}

/// Makes the failure for the file `name`, whose layer cannot be read or changed as asked.
fn refused(name: &str, error: &Error) -> Failure {
    let (expected, found) = (error.expected(), error.found());
    match error.path().is_empty() {
        _ if error.rule() == rule::NUMBER => {
            Failure::usage(format!("expected {expected}, found {found}"))
        }
        true => Failure::no(format!("{name}: expected {expected}, found {found}")),
        false => {
            Failure::no(format!("{name}: {}: expected {expected}, found {found}", error.path()))
        }
    }
}

/// Returns the layers of a kind with these names; all layers where there are no names.
fn selected<'p>(
    project: &'p Project,
    kind: FileKind,
    names: &[String],
) -> Result<Vec<&'p ProjectFile>, Failure> {
    let (layers, what) = match kind {
        FileKind::ShapeLayer => (&project.shapes, "shape"),
        _ => (&project.layers, "object"),
    };
    Project::select(layers, names).map_err(|unknown| {
        match project.unread_of(kind).find(|file| file.is_named_like(unknown)) {
            Some(file) => Failure::no(format!("{}: {}", file.name, file.why)),
            None => {
                let message = format!("there is no {what} layer {}", shown(unknown));
                with_names(Failure::usage(message), layers)
            }
        }
    })
}

/// Adds the names of all these layers to the failure.
fn with_names(failure: Failure, layers: &[ProjectFile]) -> Failure {
    let titles = layers.iter().filter_map(ProjectFile::title);
    titles.fold(failure, |failure, title| failure.line(shown(title)))
}

/// Names the layers of a kind that could not be read, except those that were not asked for by name.
fn say_unread(project: &Project, kind: FileKind, names: &[String]) -> Status {
    let mut status = Status::Done;
    let is_meant = |name: &String, file: &UnreadFile| file.is_named_like(name);
    let all = project.unread_of(kind);
    for unread in all.filter(|it| names.is_empty() || names.iter().any(|name| is_meant(name, it))) {
        remark(&format!("{}: {}", unread.name, unread.why));
        status = Status::No;
    }
    status
}

/// Returns a text as Terrain Builder stores it.
fn text(text: &str) -> Result<Text, Failure> {
    Text::new(text).ok_or_else(|| {
        let text = shown(text);
        Failure::usage(format!("{text}: a character that Windows-1252 does not have"))
    })
}
