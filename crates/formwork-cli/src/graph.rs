//! `graph`: the objects of ALB1 files and how they lead to each other.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formwork::alb1::Graph;
use formwork_terrain::project::{PROJECT, Project, ProjectFile, has_extension};

use super::failure::{Failure, Status};
use super::output::OutputOptions;
use super::project::{open, open_file};
use super::remark;

/// A form of the graph.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Form {
    /// Graphviz's language, plain
    #[default]
    Dot,
    /// The same with a frame around each file and a colour for each class
    SvgDot,
    /// Objects and edges, for other programs
    Json,
}

/// Show which object holds which, and where pointers lead, in Terrain Builder's files.
///
/// A project (.tv4p), or a folder with one, is read with its layers: the .tv4l in <name>.Layers and
/// the .tv4s in <name>.Shapes beside it. Other files stand for themselves.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct GraphCommand {
    /// Projects, layers, shapes, or folders of them
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    /// The form of the graph
    #[arg(long = "as", value_enum, default_value_t = Form::Dot, value_name = "FORM")]
    form: Form,
    /// Leave out what is in more than N objects
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Show long lists whole (JSON always has them whole)
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = "\
Examples:
  formwork graph map.tv4p
  formwork graph map.tv4p --as svg-dot --depth 2 | dot -Tsvg -o map.svg
  formwork graph source/terrain --as json -o graph.json
  formwork graph map.Shapes/roads.tv4s --all

What is wrong (a pointer that leads nowhere, an address that two objects have) is told on standard
error, and is in the JSON.

Exit status: 0 done, 1 a file is not valid, 2 wrong use, 3 something could not be read or written.";

impl GraphCommand {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let mut status = Status::Done;
        let mut files: Vec<ProjectFile> = Vec::new();
        for path in &self.paths {
            if !path.is_dir() && !has_extension(path, PROJECT) {
                files.push(open_file(path)?);
                continue;
            }
            let Project { project, layers, shapes, unread } = open(path)?;
            files.extend(project.into_iter().chain(layers).chain(shapes));
            for file in unread {
                remark(&format!("{}: {}", file.name, file.why));
                status = Status::No;
            }
        }
        // A layer may be named beside its project.
        let mut names = std::collections::HashSet::new();
        files.retain(|file| {
            names.insert(file.path.canonicalize().ok()) || file.path.as_os_str() == "-"
        });
        let documents = files.iter().map(|file| (file.name.as_str(), &file.document));
        let graph = Graph::new(documents);
        for finding in graph.findings() {
            remark(&finding.to_string());
        }
        self.output.write(|out| {
            // Why it failed is remembered by the output itself.
            let _ = match self.form {
                Form::Json => graph.write_json(out, self.depth).map_err(std::io::Error::other),
                Form::Dot | Form::SvgDot => {
                    let dot = graph.dot().depth(self.depth).all(self.all);
                    write!(out, "{}", dot.styled(self.form == Form::SvgDot))
                }
            };
            Ok(())
        })?;
        Ok(status)
    }
}
