//! `terrain roads PROJECT`: types of road and crossroads, exported and imported.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formwork_alb1::terrain::Project as ProjectView;
use formwork_terrain::in_utf8;
use formwork_terrain::project::{Project, ProjectFile, has_extension};
use formwork_terrain::road_set::{RoadSet, RoadSetError};

use super::changing::{Changing, FileReport};
use super::import_options::only_with;
use super::print::{PrintOptions, print_text};
use super::{no_project, project_file, stored, view};
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::project::open_file;
use formwork_program::source::Source;

/// Copy road types and crossroads between projects
///
/// Without --into and --from, writes them as YAML or JSON. --into OTHER.tv4p adds them to that
/// project; --from FILE adds those in FILE to PROJECT. The changed project goes to -o, or replaces
/// the old one with --in-place. New types come after the existing ones, so placed roads keep their
/// type.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Roads {
    /// Output form
    #[arg(long = "as", value_enum, value_name = "FORM", conflicts_with_all = ["into", "from"])]
    form: Option<Form>,
    /// Add the roads of PROJECT to this project
    #[arg(long, value_name = "OTHER.tv4p")]
    into: Option<PathBuf>,
    /// Add the roads in this file to PROJECT (YAML, or JSON if it ends in .json)
    #[arg(long, value_name = "FILE", conflicts_with = "into")]
    from: Option<PathBuf>,
    /// Replace roads with the same name
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    print: PrintOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain roads island.tv4p > roads.yaml
  formwork terrain roads island.tv4p --as json -o roads.json
  formwork terrain roads other.tv4p --from roads.yaml -o other-with-roads.tv4p
  formwork terrain roads island.tv4p --into other.tv4p --replace -o other-with-roads.tv4p
  formwork terrain roads island.tv4p --into other.tv4p --in-place --dry-run

Crossroads:
Crossroads name the road types they connect. A file fits any project that has these types, or gets them from the same file."#;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// YAML
    Yaml,
    /// JSON
    Json,
}

impl Roads {
    pub(super) fn run(self, project: Project) -> Result<Status, Failure> {
        if let Some(file) = &self.from {
            let set = read_set(file)?;
            let target = project.project.ok_or_else(no_project)?;
            return self.put(&set, target);
        }
        if self.into.is_none() {
            only_with(self.change, "--into or --from")?;
        }
        let file = project_file(&project)?;
        let set = RoadSet::of(&view(file)?).map_err(|error| failed(&file.name, &error))?;
        if let Some(target) = &self.into {
            return self.put(&set, open_file(target)?);
        }
        let text = match (self.form, self.print.json) {
            (Some(Form::Yaml), true) => {
                return Err(Failure::usage("--json prints JSON, not --as yaml"));
            }
            (Some(Form::Json), _) | (None, true) => set.to_json().map(|text| text + "\n"),
            (Some(Form::Yaml) | None, false) => set.to_yaml(),
        };
        let text = text.map_err(|error| failed(&file.name, &error))?;
        print_text(&text, &self.print.output)?;
        Ok(Status::Done)
    }

    fn put(&self, set: &RoadSet, target: ProjectFile) -> Result<Status, Failure> {
        let changing = Changing::new(self.change, &self.print)?;
        let mut project: ProjectView = view(&target)?;
        let put = set.put_into(&mut project, self.replace).map_err(|error| {
            let failure = failed(&target.name, &error);
            match error {
                RoadSetError::Exists(_) => failure.hint("use --replace to replace them"),
                _ => failure,
            }
        })?;
        let bytes = stored(&target.name, target.document, &project)?;
        let (added, replaced) = (put.added, put.replaced);
        let line = format!("{}: {added} added, {replaced} replaced", target.name);
        let report = FileReport::new(&target.path, line);
        let mut report = report.change("added", added).change("replaced", replaced);
        changing.write(&target.path, &bytes, &mut report)?;
        changing.report(&report)?;
        Ok(Status::Done)
    }
}

fn failed(name: &str, error: &RoadSetError) -> Failure {
    Failure::no(format!("{name}: {error}"))
}

fn read_set(path: &std::path::Path) -> Result<RoadSet, Failure> {
    let Source { name, file, .. } = Source::read(path)?;
    let bytes = file.into_bytes();
    let bytes = in_utf8(&bytes).map_err(|error| Failure::in_text(&name, &bytes, error))?;
    let Ok(text) = std::str::from_utf8(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes))
    else {
        return Err(Failure::no(format!("{name}: this is no text in UTF-8")));
    };
    let set = match has_extension(path, "json") {
        true => RoadSet::from_json(text),
        false => RoadSet::from_yaml(text),
    };
    set.map_err(|error| failed(&name, &error))
}
