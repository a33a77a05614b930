//! The formats that a program reads through the traits `Format` and `Document`, and which of them a file has.

use std::path::Path;

use formwork::document::{Confidence, Format, JsonText};
use formwork::wire::rule;
use formwork_file::{Fit, Formats, Guess};
use formwork_godot::value_text::ValueText;

use super::values::read_value;
pub(crate) use crate::custom::{own, use_only};
use crate::encoding::{Encoding, New};
use crate::failure::Failure;
use crate::source::Source;
use crate::style::shown;

/// A format, and how well a file fits it.
pub(crate) type Detected = (&'static dyn Format, Confidence);

/// Returns an example of a path and a value.
pub(crate) fn assignment() -> &'static str {
    if own().is_some() { "list/0/count 5" } else { "player/gold 9999" }
}

/// Returns the names of formats as a list.
fn names(formats: &[&dyn Format]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}

/// Returns the format that a file has: the one of this name, or the one that fits best. The program `formwork` detects
/// whole files only.
pub(crate) fn detected(source: &Source, name: Option<&str>) -> Result<Option<Detected>, Failure> {
    let content = source.content();
    let Some(formats) = own() else {
        let is_json = JsonText.sniff(content) == Confidence::Whole;
        return Ok(is_json.then_some((&JsonText, Confidence::Whole)));
    };
    if let Some(format) = named(formats, name)? {
        return Ok(Some((format, format.sniff(content))));
    }
    fitting(formats, source).map(Some)
}

/// Returns the format of a damaged file that begins as the format does, in the program `formwork`.
pub(crate) fn begun(source: &Source) -> Option<Detected> {
    let content = source.content();
    let confidence = JsonText.sniff(content);
    let is_one =
        own().is_none() && confidence > Confidence::None && ValueText::new(content).is_none();
    is_one.then_some((&JsonText, confidence))
}

/// Returns the format that a file fits best.
fn fitting(formats: &[&'static dyn Format], source: &Source) -> Result<Detected, Failure> {
    let content = source.content();
    match (Formats::new(formats).fitting(content), formats) {
        (Fit::One(Guess { format, confidence, .. }), _) => Ok((format, confidence)),
        // With a single format there is no choice: its reader reports the fault.
        (Fit::Nothing, [format]) if !begins_otherwise(*format, content) => {
            Ok((*format, Confidence::None))
        }
        (Fit::Nothing, _) => {
            let names = names(formats).replace(", ", " or ");
            let failure = Failure::no(format!("{}: this is no {names}", source.name));
            Err(failure.hint("to see what is wrong with a file of a format, use --format FORMAT"))
        }
        (Fit::Several(several), _) => {
            let several: Vec<_> = several.iter().map(|it| it.format).collect();
            let names = names(&several);
            let failure = Failure::no(format!("{}: several formats fit: {names}", source.name));
            Err(failure.hint("use --format FORMAT to choose one"))
        }
    }
}

/// Whether a file has no bytes, or another magic than files of the format.
fn begins_otherwise(format: &dyn Format, content: &[u8]) -> bool {
    let is_magic =
        |error: &formwork::Error| error.rule() == rule::RECORD_MAGIC && error.offset() == 0;
    content.is_empty() || format.open(content).is_err_and(|error| is_magic(&error))
}

/// Returns the format with this name.
fn named(
    formats: &[&'static dyn Format],
    name: Option<&str>,
) -> Result<Option<&'static dyn Format>, Failure> {
    let Some(name) = name else { return Ok(None) };
    Formats::new(formats).named(name).map(Some).ok_or_else(|| {
        Failure::usage(format!("unknown format {}; use {}", shown(name), names(formats)))
    })
}

/// Makes a file of a custom format out of JSON: the format of `--like`, of an option, or by the name of the output, or
/// else the only one that it fits.
pub(crate) fn encode_new(encoding: &Encoding<'_>) -> Result<Option<New>, Failure> {
    let Some(formats) = own() else { return Ok(None) };
    let text = encoding.text()?;
    let (name, json) = (&text.name, &read_value(&text.name, text.bytes())?);
    let model = match encoding.like {
        Some(like) => detected(&Source::read(like)?, None)?,
        None => None,
    };
    let format = model.map(|(format, _)| format.name()).or(encoding.own_format);
    let output = encoding.output.path();
    let ending = output.and_then(Path::extension).and_then(|it| it.to_str());
    let by_ending = || {
        let is_so = |format: &&&'static dyn Format| {
            ending.is_some_and(|it| it.eq_ignore_ascii_case(format.name()))
        };
        formats.iter().find(is_so).copied()
    };
    let made = match (named(formats, format)?.or_else(by_ending), formats) {
        (Some(format), _) => format.make(json),
        (None, [format]) => format.make(json),
        (None, formats) => {
            let mut fitting = formats.iter().filter_map(|format| format.make(json).ok());
            match (fitting.next(), fitting.next()) {
                (Some(document), None) => Ok(document),
                (found, _) => {
                    let which = if found.is_some() { "several formats" } else { "no format" };
                    let names = names(formats);
                    return Err(Failure::usage(format!(
                        "{name}: {which} of {names} can be made of it"
                    ))
                    .hint("use --format FORMAT to choose one, or to see what is wrong"));
                }
            }
        }
    };
    let document = made.map_err(|error| Failure::in_value(name, error))?;
    Ok(Some(New { content: document.to_bytes(), dialect: None }))
}

#[cfg(test)]
mod tests {
    use formwork::document::RecordFormat;
    use formwork::{BinRead, BinWrite, Schema, binrw};

    use super::*;

    /// A hero.
    #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
    #[brw(little, magic = b"HERO")]
    struct Hero {
        /// The level.
        #[br(assert(level > 0))]
        level: u16,
    }

    static HERO: RecordFormat = RecordFormat::new::<Hero>("hero", "heroes");

    /// A regression test: the only format of a program fitted every file.
    #[test]
    fn a_single_format_is_that_of_files_that_begin_with_its_magic() {
        let detected = |bytes: &[u8]| {
            fitting(&[&HERO], &Source::of_bytes("file".into(), bytes)).map(|found| found.1).ok()
        };
        assert_eq!(detected(b"HERO\x05\0"), Some(Confidence::Whole));
        assert_eq!(detected(b"HERO\0\0"), Some(Confidence::Start));
        assert_eq!(detected(b"HER"), Some(Confidence::None));
        assert_eq!(detected(b"[[package]]"), None);
        assert_eq!(detected(b""), None);
    }
}
