//! Files of a program's formats: detection of the format, and opening.

use crate::source;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::document::{Confidence, Format};

use crate::documents::File;
use crate::failure::Failure;
use crate::source::{Source, is_stdin};
use crate::style::shown;

/// The format of a file.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct FormatOptions {
    /// Format of the file [default: detected]
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<String>,
}

/// Returns the names of formats as a list.
pub(super) fn names(formats: &[&dyn Format]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}

impl FormatOptions {
    /// Returns the format with the name from the command line.
    pub(super) fn named<'f>(
        &self,
        formats: &[&'f dyn Format],
    ) -> Result<Option<&'f dyn Format>, Failure> {
        let Some(name) = &self.format else { return Ok(None) };
        let known = formats.iter().find(|format| format.name() == name);
        known.map(|format| Some(*format)).ok_or_else(|| {
            Failure::usage(format!("unknown format {}; use {}", shown(name), names(formats)))
        })
    }

    /// Reads a file, and detects its format.
    pub(super) fn read<'f>(
        &self,
        formats: &[&'f dyn Format],
        path: &Path,
    ) -> Result<File<'f>, Failure> {
        if !is_stdin(path) && path.is_dir() {
            let name = source::name(path);
            return Err(Failure::unreadable(format!("{name}: this is a folder, not a file")));
        }
        let source = Source::read_file(path)?;
        let bytes = source.bytes();
        if let Some(format) = self.named(formats)? {
            return Ok(File { confidence: format.sniff(bytes), source, format });
        }
        let sniffed = formats.iter().map(|format| (format.sniff(bytes), *format));
        let mut fitting: Vec<_> = sniffed.filter(|it| it.0 > Confidence::None).collect();
        let best = fitting.iter().map(|it| it.0).max();
        fitting.retain(|it| Some(it.0) == best);
        match (&fitting[..], formats) {
            ([(confidence, format)], _) => {
                Ok(File { source, format: *format, confidence: *confidence })
            }
            // With a single format there is no choice: its reader reports the fault.
            ([], [format]) => Ok(File { source, format: *format, confidence: Confidence::None }),
            ([], _) => {
                let names = names(formats).replace(", ", " or ");
                let failure = Failure::no(format!("{}: this is no {names}", source.name));
                Err(failure
                    .hint("to see what is wrong with a file of a format, use --format FORMAT"))
            }
            (several, _) => {
                let several: Vec<_> = several.iter().map(|it| it.1).collect();
                let names = names(&several);
                let failure = Failure::no(format!("{}: several formats fit: {names}", source.name));
                Err(failure.hint("use --format FORMAT to choose one"))
            }
        }
    }
}

/// Returns the format whose file extension a file has.
pub(super) fn by_ending<'f>(
    formats: &[&'f dyn Format],
    path: Option<&PathBuf>,
) -> Option<&'f dyn Format> {
    let ending = path?.extension()?.to_str()?;
    formats.iter().find(|format| format.name().eq_ignore_ascii_case(ending)).copied()
}
