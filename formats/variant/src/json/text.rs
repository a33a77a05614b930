//! Strings of the engines in JSON: a JSON string, or `{"$String":[numbers]}` for one that is not Unicode.

use formwork::Result;
use formwork_records::json::output::{Bracket, Output};
use formwork_records::json::source::Source;
use struson::reader::ValueType;

use crate::VariantString;
use crate::notation::STRING;

/// Writes a string of an engine; `{"$String":[numbers]}` if it is not Unicode.
pub(super) fn put(out: &mut Output, text: &VariantString) {
    match text.as_str() {
        Some(text) => out.string(text),
        None => {
            out.open_flat(Bracket::Object);
            out.name(STRING);
            out.open_flat(Bracket::List);
            text.numbers().for_each(|number| out.number(number));
            out.close();
            out.close();
        }
    }
}

/// Reads a string of an engine: a JSON string, or `{"$String":[numbers]}`.
pub(super) fn take(source: &mut Source<'_>) -> Result<VariantString> {
    if source.peek()? != ValueType::Object {
        return Ok(source.string()?.into());
    }
    source.begin_object()?;
    if !source.has_next()? || source.name()? != STRING {
        return Err(source.wrong("a string or {\"$String\": ...}", "another object"));
    }
    let text = numbers(source)?;
    source.end_object()?;
    Ok(text)
}

/// Reads the characters of a string, as numbers.
pub(super) fn numbers(source: &mut Source<'_>) -> Result<VariantString> {
    /// The largest number that the engines' strings hold on the wire.
    const LARGEST: u32 = 0x7fff_ffff;
    source.begin_list()?;
    let mut numbers = Vec::new();
    while source.has_next()? {
        let number: u32 = source.unsigned("a character's number")?;
        if number > LARGEST {
            return Err(source.wrong("a character's number below 2147483648", number.to_string()));
        }
        numbers.push(number);
    }
    source.end_list()?;
    Ok(VariantString::from_numbers(numbers))
}
