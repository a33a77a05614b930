//! `terrain paths PROJECT`: the files that a project names.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use formwork_alb1::terrain::{FileKind, PathKind};
use formwork_terrain::paths::{FilePath, Replaced, Replacement, file_paths};
use formwork_terrain::project::{ChangeError, Location, Project, ProjectFile};
use serde::Serialize;

use super::changing::{Changing, FileReport};
use super::import_options::only_with;
use super::print::PrintOptions;
use super::roots::RootOptions;
use super::{no_project, project_file, say_unread, shown, unchangeable};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::quantity::counted;
use formwork_program::{remark, style::Palette};

/// List or change the file paths in a project
///
/// Shows which files are missing. Template libraries are looked for in the folder of the project.
/// For other paths, --root tells where a drive or folder is. Paths into a user's profile are
/// marked, because other people do not have them.
///
/// Each line starts with 'there', 'missing', '?' if no --root leads to the path, or 'name' if the
/// field is a name that Terrain Builder made from a path. A path in several fields has one line.
///
/// --replace OLD NEW changes every path that starts with OLD: rasters, map frames, models, and
/// names that Terrain Builder made from paths. It ignores case, and '/' equals '\'. With --in-place
/// it changes the shape layers of the project too. If two folders become one, a model that is in
/// both must be the same in both.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Paths {
    #[command(flatten)]
    roots: RootOptions,
    /// List only missing files; the exit status is 1 if there are any
    #[arg(long)]
    missing: bool,
    /// Change paths that start with OLD
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    replace: Vec<String>,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = "\
Examples:
  formwork terrain paths island.tv4p --root P:=/mnt/p
  formwork terrain paths island.tv4p --root 'P:\\maps\\island=.' --missing
  formwork terrain paths island.tv4p --replace 'C:\\Users\\me\\maps' 'P:\\maps' -o moved.tv4p
  formwork terrain paths island.tv4p --replace 'P:\\old' 'P:\\new' --in-place";

/// A path, as JSON.
#[derive(Debug, Serialize)]
struct Row {
    /// The field that holds the path.
    path: String,
    /// The path of a file or folder, as it is stored.
    target: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    /// Whether the file exists; null where this was not checked.
    there: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<String>,
}

impl Paths {
    pub(super) fn run(self, mut project: Project) -> Result<Status, Failure> {
        if let [old, new] = &self.replace[..] {
            let replacement = Replacement::new(old, new).map_err(|error| {
                let (expected, found) = (error.expected(), error.found());
                Failure::usage(format!("--replace: expected {expected}, found {found}"))
            })?;
            let changing = Changing::new(self.change, &self.print)?;
            return replace(&mut project, &[replacement], &changing);
        }
        only_with(self.change, "--replace OLD NEW")?;
        let file = project_file(&project)?;
        let drives = self.roots.drives();
        let mut paths: Vec<(FilePath, Location)> = (file_paths(&file.document).into_iter())
            .map(|path| {
                let place = drives.find(&path, project.folder());
                (path, place)
            })
            .collect();
        let missing = paths.iter().any(|(_, place)| matches!(place, Location::Missing(_)));
        if self.missing {
            paths.retain(|(_, place)| matches!(place, Location::Missing(_)));
        }
        let rows: Vec<Row> = paths.iter().map(row).collect();
        self.print.list(&rows, || list(&paths, &Palette::stdout()))?;
        Ok(if missing && self.missing { Status::No } else { Status::Done })
    }
}

impl Paths {
    /// Returns whether the shape layers beside the project are changed, too.
    pub(super) fn needs_shapes(&self) -> bool {
        !self.replace.is_empty() && self.change.is_in_place()
    }
}

/// Changes the project, and in place its shape layers. All files are made before the first is
/// written.
pub(super) fn replace(
    project: &mut Project,
    replacements: &[Replacement],
    changing: &Changing,
) -> Result<Status, Failure> {
    let mut status = Status::Done;
    let mut files: Vec<&mut ProjectFile> = Vec::new();
    if changing.is_in_place() {
        status = say_unread(project, FileKind::ShapeLayer, &[]);
        files.extend(project.project.iter_mut().chain(&mut project.shapes));
    } else {
        files.push(project.project.as_mut().ok_or_else(no_project)?);
    }
    let mut changed = Vec::new();
    for file in files {
        changed.push(file.with_paths(replacements).map_err(|error| match error {
            ChangeError::Conflict(error) => {
                let (expected, found) = (error.expected(), error.found());
                Failure::no(format!("{}: expected {expected}, found {found}", file.name))
                    .line("Nothing was changed. Take one of the two out in Terrain Builder before.")
            }
            other => unchangeable(&file.name, other),
        })?);
    }
    for (file, replaced) in &changed {
        let mut report = report((&file.path, &file.name), replaced);
        changing.write(&file.path, &file.bytes, &mut report)?;
        changing.report(&report)?;
        say_left(&file.name, replaced);
    }
    Ok(status)
}

/// Returns the report on a file whose paths changed.
fn report((path, name): (&Path, &str), replaced: &Replaced) -> FileReport {
    let Replaced { changed, merged, left } = replaced;
    let in_words = match merged {
        0 => String::new(),
        1 => ", of which 1 was there twice then and says the same: one is left".to_owned(),
        _ => format!(", of which {merged} were there twice then and say the same: one is left"),
    };
    FileReport::new(path, format!("{name}: {} changed{in_words}", counted(*changed as u64, "path")))
        .change("changed", *changed)
        .change("merged", *merged)
        .loss("left", left.len())
}

/// Reports how many paths could not be changed.
fn say_left(name: &str, replaced: &Replaced) {
    if let [first, ..] = &replaced.left[..] {
        let left = match replaced.left.len() {
            1 => "1 path was left, as it starts".to_owned(),
            count => format!("{count} paths were left, as they start"),
        };
        remark(&format!(
            "{name}: {left} at the drive P: without saying so and cannot lead to another drive; \
             the first is in {first}"
        ));
    }
}

fn row((path, place): &(FilePath, Location)) -> Row {
    let (there, here) = match place {
        Location::Found(here) => (Some(true), Some(here.display().to_string())),
        Location::Missing(here) => (Some(false), Some(here.display().to_string())),
        Location::Unknown => (None, None),
    };
    Row {
        path: path.at.to_string(),
        target: path.text.to_string(),
        kind: kind(path.kind),
        profile: path.profile(),
        there,
        here,
    }
}

const fn kind(kind: PathKind) -> &'static str {
    match kind {
        PathKind::File => "file",
        PathKind::Folder => "folder",
        PathKind::OnDrive => "on_drive",
        PathKind::InProject => "in_project",
        PathKind::Label => "name",
    }
}

/// Returns one line for each path: whether the file exists, its kind, and the fields with the path.
fn list(paths: &[(FilePath, Location)], palette: &Palette) -> String {
    let Palette { good, error, note, dim, .. } = *palette;
    // Thousands of fields may have the same path.
    let mut order = Vec::new();
    let mut uses: BTreeMap<(PathKind, String), Vec<&(FilePath, Location)>> = BTreeMap::new();
    for one in paths {
        let key = (one.0.kind, one.0.text.to_str().to_ascii_lowercase());
        let all = uses.entry(key.clone()).or_default();
        if all.is_empty() {
            order.push(key);
        }
        all.push(one);
    }
    let mut text = String::new();
    for all in order.iter().filter_map(|key| uses.get(key)) {
        let Some((path, place)) = all.first() else { continue };
        let state = match place {
            Location::Found(_) => format!("{good}there{good:#}  "),
            Location::Missing(_) => format!("{error}missing{error:#}"),
            Location::Unknown if path.kind == PathKind::Label => "name   ".into(),
            Location::Unknown => "?      ".into(),
        };
        let profile =
            path.profile().map(|name| format!("  {note}in the profile of {}{note:#}", shown(name)));
        let more = match all.len() {
            1 => String::new(),
            several => format!(" and {} more", several - 1),
        };
        text.push_str(&format!(
            "{state}  {}{}  {dim}{}{more}{dim:#}\n",
            shown(&path.text),
            profile.unwrap_or_default(),
            path.at,
        ));
    }
    text
}
