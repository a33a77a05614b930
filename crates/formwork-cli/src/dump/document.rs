//! Rows of documents of any format.

use formwork::document::{Row, RowKind};

use super::super::documents::{self, finding, is_inside, with_slashes};
use super::super::failure::{Failure, Status};
use super::super::lines::{self, Grade, hex, line};
use super::super::style::shown;
use super::{Dump, Page};

impl Dump {
    /// Prints the rows of the containers around a document, and then its rows.
    pub(super) fn document(
        &self,
        file: &documents::File,
        before: &[String],
    ) -> Result<Status, Failure> {
        let (name, start) = (&file.source.name, file.source.skipped() as u64);
        let path = self.path.as_deref().map(with_slashes);
        let page = self.page(file.source.bytes().len());
        let (mut status, mut count) = (Status::Done, 0_u64);
        let mut around: Vec<(usize, String)> = Vec::new();
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = file.format.rows(file.source.content(), &mut |row| {
                if row.kind == RowKind::Fault {
                    status = Status::No;
                }
                if self.depth.is_some_and(|depth| row.depth as u64 > u64::from(depth)) {
                    return Ok(());
                }
                if let Some(path) = &path
                    && !is_inside(&with_slashes(&format!("{:#}", row.path())), path)
                {
                    return Ok(());
                }
                let mut row = row.clone();
                row.offset += start;
                let text = match &page {
                    Page::Json => line_of(&row),
                    Page::Columns(columns) => columns.document(&row),
                };
                if let Some(at) = self.at {
                    around.retain(|it| it.0 < row.depth);
                    let covers = at.checked_sub(row.offset);
                    if covers.is_none_or(|it| it >= row.bytes.len() as u64) {
                        around.push((row.depth, text));
                        return Ok(());
                    }
                }
                if count == 0 {
                    let heading = page.heading();
                    heading.iter().chain(before).try_for_each(|line| writeln!(out, "{line}"))?;
                }
                for (_, line) in around.drain(..) {
                    writeln!(out, "{line}")?;
                }
                count += 1;
                writeln!(out, "{text}")
            });
            Ok(())
        })?;
        match (count, &self.path, self.at) {
            (0, Some(path), _) => {
                Err(Failure::no(format!("{name}: no row has the path {}", shown(path))))
            }
            (0, _, Some(at)) => {
                Err(Failure::no(format!("{name}: no field has the byte at offset {at} (0x{at:x})")))
            }
            _ => Ok(status),
        }
    }
}

/// Returns the value of a row: none for a record or list, whose fields have the values.
fn value_of(row: &Row<'_>) -> Option<serde_json::Value> {
    match row.json() {
        Some(json) => serde_json::from_str(&json.to_string()).ok(),
        None => (!row.value.is_empty()).then(|| (*row.value).into()),
    }
}

/// Returns a row as JSON.
fn line_of(row: &Row<'_>) -> String {
    let kind = match row.kind {
        RowKind::Sum => "sum",
        RowKind::Fault => "fault",
        RowKind::Rest => "unread",
        _ => "field",
    };
    let grade = if row.kind == RowKind::Fault { Grade::Damage } else { Grade::Warning };
    line(&lines::Row {
        kind,
        offset: Some(row.offset),
        size: Some(row.bytes.len() as u64),
        depth: Some(row.depth),
        path: Some(with_slashes(&format!("{:#}", row.path()))),
        name: Some((*row.name).to_owned()),
        r#type: Some((*row.type_name).to_owned()),
        value: value_of(row),
        bytes: Some(hex(row.bytes)),
        finding: row.error.as_ref().map(|error| finding(grade, error)),
        ..lines::Row::default()
    })
}
