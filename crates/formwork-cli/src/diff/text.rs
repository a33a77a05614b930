//! Any file as text, for tools that compare line by line.

use std::io::Write;
use std::path::Path;

use imara_diff::{
    Algorithm, BasicLineDiffPrinter, Diff as LineDiff, InternedInput, UnifiedDiffConfig,
};
use md5::{Digest, Md5};

use super::super::contents::InputOptions;
use super::super::failure::{Failure, Status};
use super::super::format::LimitOptions;
use super::super::report::Report;
use super::super::source::Source;
use super::super::style::Palette;
use crate::quantity::counted;

/// The options for reading files as text.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsText<'o> {
    pub(super) input: &'o InputOptions,
    pub(super) limits: LimitOptions,
}

impl AsText<'_> {
    /// Returns a file as text: its values or fields, or the text itself. For all other files,
    /// returns the output of `info` and the MD5 sum of the bytes.
    ///
    /// Fails only where the file cannot be read from disk.
    pub(super) fn file(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        let key = self.input.key([&path.to_owned()])?;
        let source = Source::read_with(path, key.as_ref())?;
        // Git shows nothing for an empty file.
        if source.bytes().is_empty() {
            return Ok(Vec::new());
        }
        let mut text = Vec::new();
        let opened = source.clone().unwrapped(self.input.skip, key.as_ref(), self.limits);
        let status = opened.and_then(|opened| {
            if is_text(opened.content()) {
                text = opened.content().to_vec();
                return Ok(Status::Done);
            }
            self.input.open_source(opened, self.limits)?.text(self.limits, &mut text)
        });
        match status {
            Ok(Status::Done) => return Ok(text),
            // The values that could be read are shown, and the output of `info` after them.
            Ok(_) => {}
            Err(_) => text.clear(),
        }
        let sum: String =
            Md5::digest(source.bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let size = source.bytes().len();
        match Report::about(source, self.input, self.limits, key.as_ref()) {
            // Writing to memory does not fail, here and below.
            Ok(report) => drop(report.print_entries(&Palette::default(), &mut text)),
            Err(_) => drop(writeln!(text, "  size        {}", counted(size as u64, "byte"))),
        }
        let _ = writeln!(text, "  md5         {sum}");
        Ok(text)
    }

    /// Writes the differences between two files as text, like `diff -u`; a missing file counts as
    /// empty.
    pub(super) fn differences(
        &self,
        [old, new]: [&Path; 2],
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let text = |path: &Path| match path.as_os_str() == "/dev/null" {
            true => Ok(String::new()),
            false => self.file(path).map(|text| String::from_utf8_lossy(&text).into_owned()),
        };
        let (old, new) = (text(old)?, text(new)?);
        if old == new {
            return Ok(());
        }
        let lines = InternedInput::new(&*old, &*new);
        let mut found = LineDiff::compute(Algorithm::Histogram, &lines);
        found.postprocess_lines(&lines);
        let printer = BasicLineDiffPrinter(&lines.interner);
        let unified = found.unified_diff(&printer, UnifiedDiffConfig::default(), &lines);
        // The output records a write error itself.
        let _ = write!(out, "--- a/{name}\n+++ b/{name}\n{unified}");
        Ok(())
    }
}

/// Returns whether bytes are readable text.
fn is_text(bytes: &[u8]) -> bool {
    let is_read = |character: char| !character.is_control() || character.is_whitespace();
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_read))
}
