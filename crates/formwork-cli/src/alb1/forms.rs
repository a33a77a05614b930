//! `decode` and `encode` of ALB1 files.

use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::{fmt, fs};

use formwork_alb1::Document;
use formwork_alb1::diff::content;
use formwork_alb1::json::DocumentJson;
use formwork_terrain::verify;

use super::File;
use crate::failure::{Failure, Status};
use crate::form::{Form, without_mark};
use crate::format::LimitOptions;
use crate::output::Sink;
use crate::remark;
use crate::source::Source;

impl File {
    /// Writes the document in this form. The text, and with `trees` the JSON, include the content
    /// of quadtrees. Where a quadtree cannot be read, the rest is written, and the answer is "no".
    pub(super) fn write_as(
        &self,
        form: Form,
        json: DocumentJson,
        trees: bool,
        output: Sink<'_>,
    ) -> Result<Status, Failure> {
        if form == Form::Native {
            let name = &self.name;
            return Err(Failure::usage(format!(
                "{name}: 'native' is a form for saves, not for ALB1 files"
            ))
            .hint("use --as json, which keeps every byte, or --as text"));
        }
        let document = self.document()?;
        output.write(|out| {
            // The output records a write error itself.
            if form == Form::Text {
                let _ = content(&document, &mut Lines(out));
                return Ok(());
            }
            let written = json.write(&document, &mut *out);
            written.map_err(|error| Failure::in_value(&self.name, error))?;
            let _ = out.write_all(b"\n");
            Ok(())
        })?;
        let is_shown = trees || form == Form::Text;
        match verify::tree_fault(&self.name, &document).filter(|_| is_shown) {
            Some(fault) => {
                remark(&fault.to_string());
                remark("the quadtree is not shown, as it cannot be read");
                Ok(Status::No)
            }
            None => Ok(Status::Done),
        }
    }
}

/// Writes text to a stream of bytes.
struct Lines<'o>(&'o mut dyn Write);

impl fmt::Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_all(text.as_bytes()).map_err(|_| fmt::Error)
    }
}

/// Reads a document from the JSON of `source`.
pub(crate) fn encoded(source: &Source, limits: LimitOptions) -> Result<Document, Failure> {
    let json = without_mark(source.bytes());
    let document = DocumentJson::new().limits(limits.limits()).read(json);
    document.map_err(|error| Failure::in_text(&source.name, json, error))
}

/// Reads a document from the JSON file at `path`, whose first bytes are `start`. Streams the JSON,
/// which is larger than the ALB1 file, instead of keeping it.
pub(crate) fn encoded_file(
    path: &Path,
    (mut file, start): (fs::File, Vec<u8>),
    limits: LimitOptions,
) -> Result<Document, Failure> {
    let mark = start.len() - without_mark(&start).len();
    // Where seeking fails, reading the whole file fails, too, and reports the reason.
    let document = match file.seek(SeekFrom::Start(mark as u64)) {
        Ok(_) => DocumentJson::new().limits(limits.limits()).read(BufReader::new(file)).ok(),
        Err(_) => None,
    };
    match document {
        Some(document) => Ok(document),
        // An error is shown with the line that it is in.
        None => encoded(&Source::read(path)?, limits),
    }
}
