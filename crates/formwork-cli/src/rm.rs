//! `rm`: removes values from a file.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use formwork::document;
use formwork_alb1::path::Found;
use formwork_alb1::{Document, FieldPath};
use formwork_variant::edit::{ValuePath, remove};
use formwork_variant::{Real, Variant};

use super::change::{Change, ChangeOptions, Changed, Context, ShownValue};
use super::documents;
use super::failure::{Failure, Status};

/// Remove values from a file
///
/// Removes entries of dictionaries, elements of arrays, and fields of ALB1 files. Everything else stays byte for
/// byte. The old file is kept as NAME.bak.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Rm {
    /// File to change ('-' for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What to remove, such as player/bag/1 ('formwork get --help' explains paths)
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,
    #[command(flatten)]
    options: ChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork rm game.save player/bag/0
  formwork rm game.save player/bag/-1 player/curse
  formwork rm game.save player/curse --dry-run
  formwork rm replay.bin 2                       the third of several values

Exit status: 0 removed, 1 there is no such value or it cannot be removed, 2 wrong use, 3 the file could not be read or written. If anything fails, the file stays as it was."#;

impl Rm {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        self.options.run(&self.file, &Removing { paths: &self.paths })
    }
}

/// The values to remove.
struct Removing<'p> {
    paths: &'p [String],
}

impl Change for Removing<'_> {
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let dialect = context.dialect;
        let chosen = context.chosen(values)?;
        let several = chosen.len() > 1;
        // All paths refer to the unchanged file, so the last place is removed first.
        let mut found = Vec::with_capacity(self.paths.len());
        for path in self.paths {
            let place = ValuePath::new(path).find_in(chosen, dialect);
            let (number, place) = place.map_err(|error| context.lost(path, chosen, &error))?;
            let name = place.name(&chosen[number], dialect);
            let outer = if several { number.to_string() } else { String::new() };
            let Some(value) = place.get(&chosen[number]) else { continue };
            let changed = Changed::removed(name, ShownValue::of(value, dialect)).inside(&outer);
            found.push((context.number(number), place, path, changed));
        }
        let mut seen = BTreeSet::new();
        found.retain(|(number, place, ..)| seen.insert((*number, place.clone())));
        let changed = found.iter().map(|(.., changed)| changed.clone()).collect();
        found.sort_by(|one, other| (&other.0, &other.1).cmp(&(&one.0, &one.1)));
        for (number, place, path, _) in found {
            remove(values, number, &place).map_err(|error| context.failed(path, &error))?;
        }
        Ok(changed)
    }

    fn document(
        &self,
        document: &mut Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let mut found = Vec::with_capacity(self.paths.len());
        for path in self.paths {
            let failed = |error| context.failed(path, &error);
            let field_path: FieldPath = path.parse().map_err(failed)?;
            let place = Found::of(document, &field_path).map_err(failed)?;
            let before = document.field(&field_path).map_err(failed)?;
            let before = ShownValue::of_field(document, &before.value);
            let changed = Changed::removed(path.clone(), before);
            found.push((place, path, field_path, changed));
        }
        let mut seen = BTreeSet::new();
        found.retain(|(place, ..)| seen.insert(place.clone()));
        let changed = found.iter().map(|(.., changed)| changed.clone()).collect();
        found.sort_by(|one, other| other.0.cmp(&one.0));
        for (place, path, field_path, _) in found {
            let failed = |error| context.failed(path, &error);
            // Two fields may have one tag: after the second is removed, the path of the first
            // changes.
            if Found::of(document, &field_path).map_err(failed)? != place {
                return Err(Failure::usage(format!(
                    "{}: {path}: removed together with the others, this would be another field",
                    context.name
                ))
                .hint("remove one of them at a time"));
            }
            document.remove(path).map_err(failed)?;
        }
        Ok(changed)
    }
    fn edit(
        &self,
        document: &mut dyn document::Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let changes = documents::remove(document, context.name, self.paths)?;
        Ok(changes.iter().map(documents::shown_change).collect())
    }
}
