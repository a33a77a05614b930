//! The bytes of a pack: its head, its directory, the files in it, and what follows in an executable.

use std::ops::Range;

use formwork_godot::inspect::Inspector;
use formwork_godot::pack::{Pack, PackTrailer, within_game};
use formwork_records::schema::{Record, record_of};

use super::File;
use crate::failure::Failure;
use crate::quantity::counted;
use crate::rows::{Row, Rows};

impl File {
    /// Shows the parts of the pack.
    pub(super) fn parts(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        const TRAILER: &Record = record_of::<PackTrailer>();
        let (bytes, skipped) = (self.source.bytes(), self.source.skipped());
        let pack = Pack::open(self.source.content()).map_err(|error| self.failure(error))?;
        let all_elements = rows.all_elements();
        let part = |name, record, range: Range<usize>| {
            let end = bytes.len().min(skipped + range.end);
            Inspector::of_record(&bytes[..end], name, record)
                .behind(skipped + range.start)
                .list_elements(all_elements)
        };
        let end = pack.range().end;
        if pack.is_embedded() {
            rows.remark(&format!("executable: {} bytes, not shown", pack.range().start));
        }
        let (head, directory) = pack.records();
        rows.fields(part("head", head, pack.head()));
        rows.fields(part("directory", directory, pack.directory()));
        match self.open() {
            Err(failure) => rows.end_early(failure),
            Ok(pack) if pack.sealed_directory().is_some() => rows.is_partial(),
            Ok(pack) => contents(&pack, skipped as u64, rows),
        }
        if pack.is_embedded() && skipped + end < bytes.len() {
            rows.fields(part("trailer", TRAILER, end..bytes.len()));
        }
        Ok(())
    }
}

/// Shows where the contents of the files are.
fn contents(pack: &Pack<'_>, skipped: u64, rows: &mut Rows<'_>) {
    let mut files: Vec<_> = pack.files().iter().collect();
    files.sort_by_key(|file| file.offset());
    let _ = files.into_iter().try_for_each(|file| {
        let size = file.stored_size();
        let what = if file.is_encrypted() { " encrypted" } else { "" };
        let name = file.name();
        let text = format!("{}:{what} content of {}", within_game(&name), counted(size, "byte"));
        let size = if file.is_removal() { 0 } else { size };
        rows.row(&Row::Place { offset: skipped + file.offset(), size, text: &text })
    });
}
