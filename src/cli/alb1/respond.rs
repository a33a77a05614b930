//! `respond` for ALB1 files.

use formwork::Error;
use formwork::alb1::Reader;
use formwork::alb1::diff::content;
use formwork::json::Style;
use formwork::json::alb1::to_json;

use crate::cli::format::LimitOptions;
use crate::cli::respond::{Answer, append};

/// Everything that an answer depends on.
pub(crate) struct Responder {
    reader: Reader,
    answer: Answer,
}

impl Responder {
    /// A responder that answers in this form.
    pub(crate) fn new(limits: LimitOptions, answer: Answer) -> Self {
        Self { reader: Reader::new().limits(limits.limits()), answer }
    }

    /// Appends the answer to a request. A document fills its file, so that all bytes are taken.
    pub(crate) fn answer(&self, request: &[u8], answers: &mut Vec<u8>) {
        let decoded = self.reader.read(request).map(|document| (document, request.len()));
        append(answers, decoded, |document, answers| {
            let written: Result<Vec<u8>, Error> = match self.answer {
                Answer::Bytes => document.to_vec(),
                Answer::Text => {
                    let mut text = String::new();
                    // Writing to a string does not fail.
                    let _ = content(&document, &mut text);
                    Ok(text.into_bytes())
                }
                Answer::Json => to_json(&document, Style::Compact).map(String::into_bytes),
            };
            // Where that fails, length 0 says so.
            answers.extend(written.unwrap_or_default());
        });
    }
}
