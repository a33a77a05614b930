//! `decode --json`: the format of a file, its values and its losses, as JSON.

use std::io::Write;

use formwork_variant::codec::{Lost, Recovered};
use formwork_variant::json::Style;
use formwork_variant::{Real, Variant};
use serde::Serialize;

use super::container::Torn;
use super::failure::Failure;
use super::form::Form;
use super::framing::FramingName;
use super::packets::Input;

/// The losses, in the form that a recovered ALB1 file has under the same name.
#[derive(Debug, Serialize)]
struct Losses<'r> {
    /// The faults of the containers of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrapper_faults: Vec<String>,
    ranges: Vec<Loss<'r>>,
}

/// A loss.
#[derive(Debug, Serialize)]
struct Loss<'r> {
    /// The number of the value that lacks it; null where a whole value is lost.
    index: Option<u64>,
    offset: u64,
    /// Number of bytes that are lost.
    size: u64,
    /// Its place, as keys of the stored values.
    path: &'r str,
    /// Its place, as fields of the format.
    field_path: String,
    kind: &'static str,
    rule: &'static str,
    expected: &'r str,
    found: &'r str,
    message: String,
}

impl<'r> From<&'r Lost> for Loss<'r> {
    fn from(lost: &'r Lost) -> Self {
        Self {
            index: lost.value,
            offset: lost.range.start,
            size: lost.range.end.saturating_sub(lost.range.start),
            path: &lost.place,
            field_path: lost.error.path().to_string(),
            kind: lost.damage.name(),
            rule: lost.error.rule().name(),
            expected: lost.error.expected(),
            found: lost.error.found(),
            message: lost.error.to_string(),
        }
    }
}

/// Writes one object: the format of the file, the list of values, and the losses.
pub(super) fn write_recovered<R: Real>(
    recovered: Recovered<R>,
    torn: &Torn,
    input: &Input,
    style: Style,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let losses = Losses {
        wrapper_faults: torn.faults.iter().map(ToString::to_string).collect(),
        ranges: recovered.lost.iter().map(Loss::from).collect(),
    };
    let is_whole = losses.ranges.is_empty() && losses.wrapper_faults.is_empty();
    let losses = match style {
        _ if is_whole => None,
        Style::Compact => serde_json::to_string(&losses).ok(),
        _ => serde_json::to_string_pretty(&losses).ok(),
    };
    write_values(recovered.values, losses.as_deref(), input, style, out)
}

/// Writes one object for values of an engine.
pub(super) fn write_values<R: Real>(
    values: Vec<Variant<R>>,
    losses: Option<&str>,
    input: &Input,
    style: Style,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (dialect, framing) = (input.dialect, Some(input.framing));
    write(&dialect.to_string(), framing, losses, out, |out| {
        Form::Json.write_all(values, dialect, style, &input.source.name, out)
    })
}

/// Writes one object: the format of the file, its framing, the list of values that `list` writes, and the JSON of the
/// losses, if there are any.
pub(super) fn write(
    format: &str,
    framing: Option<FramingName>,
    losses: Option<&str>,
    out: &mut dyn Write,
    list: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // The output records a write error itself.
    let _ = out.write_all(head(format, framing).as_bytes());
    list(out)?;
    if let Some(losses) = losses {
        let _ = write!(out, ",\"$lost\":{losses}");
    }
    let _ = writeln!(out, "}}");
    Ok(())
}

/// Returns the start of the object, up to the list of values.
pub(super) fn head(format: &str, framing: Option<FramingName>) -> String {
    let framing = framing.map_or_else(|| "null".to_owned(), |it| format!("\"{}\"", it.name()));
    format!("{{\"format\":\"{format}\",\"framing\":{framing},\"values\":")
}
