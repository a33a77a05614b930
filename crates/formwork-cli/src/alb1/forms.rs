//! `decode` and `encode` of ALB1 files.

use std::fmt;
use std::io::{BufReader, Seek, SeekFrom, Write};

use formwork_alb1::diff::content;
use formwork_alb1::json::{DocumentJson, is_document};
use formwork_terrain::verify;

use super::File;
use crate::encoding::{Encoding, New};
use crate::failure::{Failure, Status};
use crate::form::Form;
use crate::format::Format;
use crate::input::file_and_start;
use crate::output::Sink;
use crate::remark;
use crate::source;
use crate::source::without_mark;

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
            let name = &self.source.name;
            return Err(Failure::usage(format!(
                "{name}: 'native' is a form for saves, not for ALB1 files"
            ))
            .hint("use --as json, which keeps every byte, or --as text"));
        }
        let document = self.parsed()?;
        output.write(|out| {
            // The output records a write error itself.
            if form == Form::Text {
                let _ = content(&document, &mut Lines(out));
                return Ok(());
            }
            let written = json.write(&document, &mut *out);
            written.map_err(|error| Failure::in_value(&self.source.name, error))?;
            let _ = out.write_all(b"\n");
            Ok(())
        })?;
        let is_shown = trees || form == Form::Text;
        match verify::tree_fault(&self.source.name, &document).filter(|_| is_shown) {
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

/// Makes a document of JSON that is that of an ALB1 file, as its start shows, or that an option says to be.
pub(crate) fn encode_new(encoding: &Encoding<'_>) -> Result<Option<New>, Failure> {
    let opened = file_and_start(encoding.file);
    let (start, name) = match &opened {
        Some((_, start)) => (&start[..], source::name(encoding.file)),
        None => (encoding.text()?.bytes(), encoding.text()?.name.clone()),
    };
    let is_json = encoding.form == Form::Json;
    let is_said = encoding.format == Some(Format::Alb1);
    if !(is_said || is_json && is_document(without_mark(start))) {
        return Ok(None);
    }
    if let Some(format @ Format::Variant(_)) = encoding.format {
        return Err(Failure::usage(format!(
            "{name}: this is JSON of an ALB1 file, not of {format}"
        )));
    }
    let is_framed = encoding.framing.is_some() || encoding.container.is_said();
    if !is_json || is_framed || encoding.all {
        return Err(Failure::usage(
            "an ALB1 file is one document, so --as, --framing, --all and --wrapper do not apply",
        ));
    }
    let mark = start.len() - without_mark(start).len();
    let json = DocumentJson::new().limits(encoding.limits.limits());
    // A file is streamed, as its JSON is larger than the ALB1 file.
    let streamed = opened.and_then(|(mut file, _)| {
        file.seek(SeekFrom::Start(mark as u64)).ok()?;
        json.read(BufReader::new(file)).ok()
    });
    let document = match streamed {
        Some(document) => document,
        // An error is shown with the line that it is in.
        None => {
            let text = without_mark(encoding.text()?.bytes());
            json.read(text).map_err(|error| Failure::in_text(&name, text, error))?
        }
    };
    let content = document.to_vec().map_err(|error| Failure::in_value(&name, error))?;
    Ok(Some(New { content, dialect: None }))
}
