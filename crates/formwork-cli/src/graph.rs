//! `graph`: the references between the objects of ALB1 files.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formwork_alb1::Graph;
use formwork_terrain::project::{PROJECT, Project, ProjectFile, has_extension};

use super::failure::{Failure, Status};
use super::output::OutputOptions;
use super::project::{open, open_file};
use super::remark;

/// A form of the graph.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Form {
    /// Graphviz
    #[default]
    Dot,
    /// Graphviz with a frame for each file and a colour for each class
    SvgDot,
    /// Objects and edges as JSON
    Json,
}

/// Draw the objects in Terrain Builder files as a graph
///
/// Shows which object contains which, and where pointers lead. A project (.tv4p), or a folder with
/// one, is read with its layers: the .tv4l files in NAME.Layers and the .tv4s files in NAME.Shapes.
/// Any other file is read alone.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct GraphCommand {
    /// Projects, layers or folders ('-' or nothing: standard input)
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    /// Output form
    #[arg(long = "as", value_enum, default_value_t = Form::Dot, value_name = "FORM")]
    form: Form,
    /// Print JSON: --as json
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Leave out what is inside more than DEPTH objects
    #[arg(long, value_name = "DEPTH")]
    depth: Option<u32>,
    /// Show long lists in full (JSON always does)
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork graph map.tv4p
  formwork graph map.tv4p --as svg-dot --depth 2 | dot -Tsvg -o map.svg
  formwork graph source/terrain --as json -o graph.json
  formwork graph map.Shapes/roads.tv4s --all

Faults:
Standard error lists pointers that lead nowhere and addresses that two objects share. The JSON has them too.

Exit status: 0 success, 1 a file is not valid, 2 wrong use, 3 a file could not be read or written."#;

impl GraphCommand {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let mut status = Status::Done;
        let mut files: Vec<ProjectFile> = Vec::new();
        let mut told = HashSet::new();
        for path in &self.files {
            if !path.is_dir() && !has_extension(path, PROJECT) {
                files.push(open_file(path)?);
                continue;
            }
            let Project { project, layers, shapes, unread, unopened: _ } = open(path)?;
            files.extend(project.into_iter().chain(layers).chain(shapes));
            for file in unread {
                status = Status::No;
                // A link that leads nowhere has no canonical path, but its folder has.
                let folder = file.path.parent().and_then(|folder| folder.canonicalize().ok());
                if told.insert((folder, file.path.file_name().map(OsStr::to_owned))) {
                    remark(&format!("{}: {}", file.name, file.why));
                }
            }
        }
        // A layer and its project may both be given.
        let mut names = HashSet::new();
        files.retain(|file| {
            // A file in a pack has no canonical path.
            let path = file.path.canonicalize().unwrap_or_else(|_| file.path.clone());
            names.insert(path) || file.path.as_os_str() == "-"
        });
        let documents = files.iter().map(|file| (file.name.as_str(), &file.document));
        let graph = Graph::new(documents);
        for finding in graph.findings() {
            remark(&finding.to_string());
        }
        let form = if self.json { Form::Json } else { self.form };
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = match form {
                Form::Json => graph.write_json(out, self.depth).map_err(std::io::Error::other),
                Form::Dot | Form::SvgDot => {
                    let dot = graph.dot().depth(self.depth).all(self.all);
                    write!(out, "{}", dot.styled(form == Form::SvgDot))
                }
            };
            Ok(())
        })?;
        Ok(status)
    }
}
