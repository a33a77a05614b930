//! Values of an engine out of a text, without a file that they should be like.

use formwork_godot::settings;
use formwork_variant::frame::FrameWriter;
use formwork_variant::{Encoder, Error, Real, Variant};

use crate::encoding::{Encoding, New};
use crate::failure::Failure;
use crate::format::{Format, by_precision};
use crate::framing::FramingName;
use crate::place::in_value;
use crate::quantity::counted;

/// Makes packets of values, which every text can become.
pub(crate) fn encode_new(encoding: &Encoding<'_>) -> Result<Option<New>, Failure> {
    let Encoding { form, all, limits, .. } = *encoding;
    let source = encoding.text()?;
    form.refuse_other(source)?;
    let Some(Format::Variant(dialect)) = encoding.format else {
        return Err(Failure::usage("the output format is missing")
            .hint("use --like SAVE to make a file like SAVE")
            .hint("or use --format, such as --format godot4"));
    };
    let is_framed = encoding.output.is_save() || encoding.container.is_wrapping();
    let usual = if is_framed { FramingName::Frames } else { FramingName::Bare };
    let framing = encoding.framing.unwrap_or(usual);
    by_precision!(dialect, R => {
        let values: Vec<Variant<R>> = match all {
            true => form.read_all(source, dialect, limits.limits())?,
            false => vec![form.read(source, dialect, limits.limits())?],
        };
        // Rounding is allowed: 0.1 in the input must not be refused because Godot 2 rounds it.
        let encoder = limits.encoder(dialect).rounding(true);
        // (The path of an error names the frame, if there is one.)
        let is_numbered = all && framing == FramingName::Bare;
        let content = written(&values, &encoder, framing);
        let content = content.map_err(|it| unwritten(&source.name, is_numbered, &values, it))?;
        Ok(Some(New { content, dialect: Some(dialect) }))
    })
}

/// Makes the failure for the value with this number, which cannot be written.
pub(crate) fn unwritten<R: Real>(
    name: &str,
    is_numbered: bool,
    values: &[Variant<R>],
    (index, error): (usize, Error),
) -> Failure {
    let keys = values.get(index).map_or_else(String::new, |it| in_value(it, error.path()));
    let numbered = if is_numbered { &format!("{name}, value {index}") } else { name };
    Failure::in_value(numbered, error).in_keys(keys)
}

/// Returns the packets of the values, framed; or the number of a value that has no packet, and the
/// error.
pub(super) fn written<R: Real>(
    values: &[Variant<R>],
    encoder: &Encoder<R>,
    framing: FramingName,
) -> Result<Vec<u8>, (usize, Error)> {
    let mut bytes = Vec::new();
    match framing {
        FramingName::Settings => {
            let [value] = values else {
                let found = counted(values.len() as u64, "value");
                let rule = settings::rule::DICTIONARY;
                return Err((
                    0,
                    Error::new(rule, 0, "one Dictionary for a file of settings", found),
                ));
            };
            let packet = encoder.encode(value).map_err(|error| (0, error))?;
            let file = framing.framing().join(encoder.dialect(), [packet]);
            bytes = file.map_err(|error| (0, error))?;
        }
        FramingName::Bare => {
            for (index, value) in values.iter().enumerate() {
                encoder.encode_into(value, &mut bytes).map_err(|error| (index, error))?;
            }
        }
        FramingName::Frames | FramingName::FramesBe => {
            let order = framing.order().unwrap_or_default();
            let mut frames = FrameWriter::new(&mut bytes, order);
            for (index, value) in values.iter().enumerate() {
                frames.write_value(value, encoder).map_err(|error| (index, error))?;
            }
        }
    }
    Ok(bytes)
}
