//! Values as typed on the command line.

use formwork::document::rule::DOCUMENT_VALUE;
use formwork_variant::edit::Literals;
use formwork_variant::{Error, Real, Variant, VariantType};

use super::content::Context;
use crate::changed::ShownValue;
use crate::content::Typed;
use crate::failure::Failure;
use crate::form::Form;
use crate::source::Source;
use crate::style::shown;

impl Typed<'_> {
    /// Reads a value for `path`, where `old` is the present value.
    pub(super) fn read<R: Real>(
        self,
        path: &str,
        text: &str,
        old: Option<&Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Variant<R>, Failure> {
        let dialect = context.dialect;
        if let Some(form) = self.form {
            return read_as(form, text, context).map_err(|failure| failure.in_new_value(path));
        }
        if let Some(bytes) = self.file
            && let Some(value) = self.of_file(bytes, old, context)
        {
            return Ok(value);
        }
        if let Some(name) = self.type_name {
            let Some(variant_type) = dialect.type_named(name) else {
                return Err(Failure::usage(format!("{dialect} has no type '{}'", shown(name)))
                    .hint("use a type such as bool, int, float, String, Vector2 or Array")
                    .hint(format!("'formwork schema --format {dialect}' lists all")));
            };
            let made = context.literals().of_type(text, variant_type);
            return made.ok_or_else(|| {
                let message = format!("{}: '{}' is no {name}", context.name, short(text));
                Failure::refused(message, path, &no_value(name, text))
            });
        }
        let Some(old) = old.filter(|old| !old.is_nil()) else {
            let read = context.literals().any(text);
            return read.ok_or_else(|| neither(path, text, context));
        };
        context.literals().like(text, old).ok_or_else(|| other_type(path, text, old, context))
    }
}

impl Typed<'_> {
    /// Returns the bytes of a file as a byte array or a text, if the value is to be one. A new value of no said type is a
    /// byte array.
    fn of_file<R: Real>(
        self,
        bytes: &[u8],
        old: Option<&Variant<R>>,
        context: &Context<'_>,
    ) -> Option<Variant<R>> {
        let old = old.filter(|old| !old.is_nil()).map(Variant::variant_type);
        let own = match self.type_name {
            Some(name) => context.dialect.type_named(name)?,
            None => old.unwrap_or(VariantType::PackedByteArray),
        };
        match own {
            VariantType::PackedByteArray => Some(Variant::PackedByteArray(bytes.to_vec())),
            VariantType::String => std::str::from_utf8(bytes).ok().map(Variant::from),
            _ => None,
        }
    }
}

fn read_as<R: Real>(form: Form, text: &str, context: &Context<'_>) -> Result<Variant<R>, Failure> {
    let source = Source::of_bytes("the new value".to_owned(), text);
    form.read(&source, context.dialect, context.limits.limits())
}

/// Makes the failure for a text that is no value of the present type.
fn other_type<R: Real>(path: &str, text: &str, old: &Variant<R>, context: &Context<'_>) -> Failure {
    let dialect = context.dialect;
    let own = old.variant_type();
    let name = dialect.type_name(own);
    let (text_shown, there) = (short(text), ShownValue::of(old, dialect));
    let is_numbers = own.numbers().is_some();
    let such = if is_numbers {
        String::new()
    } else {
        format!(", such as {} which is there now", there.brief())
    };
    let message = format!("{}: {}: '{text_shown}' is no {name}{such}", context.name, shown(path));
    let failure = Failure::refused(message, path, &no_value(name, text));
    if own == VariantType::Float && Literals::is_beyond(text.trim()) {
        return failure.hint("a float is at most 1.7976931348623157e308; infinity is written inf");
    }
    let failure = if is_numbers {
        let json: Option<serde_json::Value> = serde_json::from_str(there.json()).ok();
        let numbers = json.as_ref().and_then(|it| it.as_object()?.values().next());
        let list =
            numbers.map_or_else(String::new, |list| format!(" or {}", short(&list.to_string())));
        failure.hint(format!("write it as {}{list}", there.brief()))
    } else {
        failure
    };
    match context.literals().any::<R>(text) {
        Some(other) if other.variant_type() == own => {
            failure.hint(format!("an int is from {} to {}", i64::MIN, i64::MAX))
        }
        Some(other) => {
            let other = dialect.type_name(other.variant_type());
            failure.hint(format!("to change the type, use --type {other}"))
        }
        None if is_numbers => failure,
        None => failure.hint("to make it a text, use --type String"),
    }
}

/// Makes the failure for a text that is neither JSON nor the engine's text form.
fn neither(path: &str, text: &str, context: &Context<'_>) -> Failure {
    let message = format!(
        "{}: {}: '{}' is neither JSON nor the engine's text",
        context.name,
        shown(path),
        short(text)
    );
    let error = no_value("Variant", text);
    Failure::refused(message, path, &error).hint("to make it a text, use --type String")
}

/// Returns the error of a text that is no value of a type.
fn no_value(type_name: &str, text: &str) -> Error {
    let expected = format!("a value of the type {type_name}");
    Error::new(DOCUMENT_VALUE, 0, expected, short(text)).nowhere()
}

/// Shortens a text that is too long for a message.
fn short(text: &str) -> String {
    const ROOM: usize = 60;
    match text.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}...", shown(&text[..end])),
        None => shown(text),
    }
}
