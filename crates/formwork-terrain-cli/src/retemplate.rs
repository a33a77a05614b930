//! `terrain retemplate PROJECT`: gives objects another template.

use std::path::{Path, PathBuf};

use clap::Args;
use formwork_terrain::object_change::{Retemplate as Changes, TemplateChange, rule};
use formwork_terrain::project::{Opening, Project};

use super::layer_files;
use super::object_changes::{ObjectChangeOptions, ObjectChanges};
use super::selection::did_you_mean;
use super::{refused, shown, text};
use formwork_program::failure::{Failure, Status};
use formwork_program::quantity::counted;
use formwork_program::remark;
use formwork_program::source::Source;

/// Replace templates of objects by others
///
/// Objects with the template OLD get the template NEW, and keep their place, id and size. With
/// --table, many templates change at once. NEW must be known to the layer or to a template library
/// of the project, or --library says where it is.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Retemplate {
    /// Template to replace: its name, or its hash as 'objects' writes it (#0123abcd)
    #[arg(value_name = "OLD", requires = "new")]
    old: Option<String>,
    /// Template that the objects get
    #[arg(value_name = "NEW")]
    new: Option<String>,
    /// Read the templates from a CSV file with the columns old, new and, where needed, library
    #[arg(long, value_name = "FILE", conflicts_with_all = ["old", "library"])]
    table: Option<PathBuf>,
    /// Library of NEW, if the layer and all libraries lack it
    #[arg(long, value_name = "NAME")]
    library: Option<String>,
    #[command(flatten)]
    objects: ObjectChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork terrain retemplate island.tv4p t_oak t_elm --in-place
  formwork terrain retemplate island.tv4p --table new-trees.csv --layer trees -o trees.tv4l
  formwork terrain retemplate trees.tv4l '#0123abcd' t_elm --library Trees -o changed.tv4l

The table:
  old,new,library
  t_oak,t_elm,
  t_fir,t_larch,Trees
Each object changes once, so two templates can take each other's place.

Exit status: 0 success, 1 no object has such a template or a template is unknown, 2 wrong use, 3 a file could not be read or written."#;

impl Retemplate {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        self.objects.needs()
    }

    pub(super) fn run(self, project: &Project) -> Result<Status, Failure> {
        let changes = self.changes()?;
        let mut objects = self.objects.open(project)?;
        let libraries = std::mem::take(&mut objects.libraries);
        let changes = Changes { changes, libraries };
        let mut total = vec![0; changes.changes.len()];
        let mut changed = Vec::new();
        objects.each(|ObjectChanges { filter, .. }, mut it| {
            let done = changes.apply(&mut it.layer, filter).map_err(|error| {
                let failure = refused(&it.file.name, &error);
                match error.rule() == rule::TEMPLATE && error.expected().ends_with("library has") {
                    true => failure.hint("--library NAME says which library a new template is in"),
                    false => failure,
                }
            })?;
            total.iter_mut().zip(&done.objects).for_each(|(total, count)| *total += count);
            let objects: usize = done.objects.iter().sum();
            if objects > 0 {
                let templates = done.objects.iter().filter(|count| **count > 0).count();
                let name = shown(&it.layer.name);
                let (of_templates, counted_objects) =
                    (counted(templates as u64, "template"), counted(objects as u64, "object"));
                let line = format!("{name}: {counted_objects} changed, of {of_templates}");
                let report = it.report(line).change("changed", objects);
                let report = report.change("templates", templates);
                changed.push((it, report));
            }
            Ok(())
        })?;
        let unused: Vec<_> = (changes.changes.iter().zip(&total))
            .filter(|(_, count)| **count == 0)
            .map(|(change, _)| shown(&change.old))
            .collect();
        if changed.is_empty() {
            let message = format!("no selected object has the template {}", unused.join(", "));
            let layers: Vec<_> =
                project.layers.iter().filter_map(|file| Some((file, file.view().ok()?))).collect();
            let failure = did_you_mean(Failure::no(message), &unused, &layers, &changes.libraries);
            return Err(failure.hint("formwork terrain stats PROJECT --all lists the templates"));
        }
        layer_files::write(project, &mut changed, &objects.changing)?;
        if !unused.is_empty() {
            remark(&format!("no selected object has the template {}", unused.join(", ")));
        }
        Ok(objects.status)
    }

    fn changes(&self) -> Result<Vec<TemplateChange>, Failure> {
        match (&self.table, &self.old, &self.new) {
            (Some(table), _, _) => read_table(table),
            (None, Some(old), Some(new)) => {
                let library = self.library.as_deref().map(text).transpose()?;
                Ok(vec![TemplateChange { old: text(old)?, new: text(new)?, library }])
            }
            _ => Err(Failure::usage("say which templates: OLD NEW, or --table FILE")),
        }
    }
}

fn read_table(path: &Path) -> Result<Vec<TemplateChange>, Failure> {
    let Source { name, file, .. } = Source::read(path)?;
    TemplateChange::from_csv(&file.into_bytes())
        .map_err(|why| Failure::no(format!("{}: {why}", shown(&name))))
}
