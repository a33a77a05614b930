//! Values as typed on the command line.

use formwork_variant::{Array, Real, TypedArray, Variant, VariantString, VariantType};

use super::content::Context;
use crate::changed::ShownValue;
use crate::content::Typed;
use crate::edit::mend;
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
            return read_as(form, text, context);
        }
        if let Some(name) = self.type_name {
            let Some(variant_type) = dialect.type_named(name) else {
                return Err(Failure::usage(format!("{dialect} has no type '{}'", shown(name)))
                    .hint("use a type such as bool, int, float, String, Vector2 or Array")
                    .hint(format!("'formwork schema --format {dialect}' lists all")));
            };
            let made = of_type(variant_type, text, context);
            return made.ok_or_else(|| {
                Failure::no(format!("{}: '{}' is no {name}", context.name, short(text)))
            });
        }
        let Some(old) = old.filter(|old| !old.is_nil()) else {
            return any(text, context).ok_or_else(|| neither(path, text, context));
        };
        let Some(mut new) = of_type(old.variant_type(), text, context) else {
            return Err(other_type(path, text, old, context));
        };
        keep_marks(old, &mut new);
        mend(old, &mut new, dialect);
        Ok(new)
    }
}

/// Reads a value of the given type.
fn of_type<R: Real>(
    variant_type: VariantType,
    text: &str,
    context: &Context<'_>,
) -> Option<Variant<R>> {
    let word = text.trim();
    match variant_type {
        VariantType::Bool => word.parse().ok().map(Variant::Bool),
        VariantType::Int => integer(word).map(Variant::Int),
        VariantType::Float => number(word).map(Variant::Float),
        VariantType::String => Some(Variant::String(content(text, &["\""]))),
        VariantType::StringName => Some(Variant::StringName(content(text, &["\"", "&\"", "@\""]))),
        VariantType::NodePath => match any(text, context) {
            Some(path @ Variant::NodePath(_)) => Some(path),
            _ => {
                let path = content(text, &["\"", "^\""]);
                let path = serde_json::to_string(path.as_str()?).ok()?;
                read_as(Form::Text, &format!("NodePath({path})"), context).ok()
            }
        },
        variant_type => {
            let name = context.dialect.type_name(variant_type);
            let found = any(text, context).filter(|found| is_like(variant_type, found));
            // The numbers alone, such as [1, 2], or bytes in base64.
            let tagged = || {
                let is_bytes = variant_type == VariantType::PackedByteArray;
                let is_numbers = is_bytes || variant_type.numbers().is_some();
                let is_list = word.starts_with('[') && is_numbers
                    || word.starts_with('"') && is_bytes
                    || variant_type == VariantType::PackedStringArray;
                let list = match is_list {
                    true => word.to_owned(),
                    false if is_numbers => bare_numbers(word)?,
                    false => return None,
                };
                let json = format!("{{\"${name}\":{list}}}");
                read_as(Form::Json, &json, context).ok()
            };
            found.or_else(tagged)
        }
    }
}

/// Reads numbers without a type, `5, 6` or `(5, 6)`, as a list.
fn bare_numbers(word: &str) -> Option<String> {
    let inside = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(word);
    let is_list = inside.contains(',') && inside.split(',').all(|it| number(it.trim()).is_some());
    is_list.then(|| format!("[{inside}]"))
}

/// Returns whether a value has a type, or gets it with the marks of the old value.
fn is_like<R: Real>(variant_type: VariantType, value: &Variant<R>) -> bool {
    let own = value.variant_type();
    let is_typed = matches!(variant_type, VariantType::TypedArray | VariantType::PackedTypedArray);
    own == variant_type || (is_typed && own == VariantType::Array)
}

/// Reads a value in JSON or in the engine's text form.
fn any<R: Real>(text: &str, context: &Context<'_>) -> Option<Variant<R>> {
    let json = read_as(Form::Json, text, context);
    let found = json.or_else(|_| read_as(Form::Text, text, context)).ok()?;
    // An engine reads too large numbers in its text form as infinity.
    let says_so = |text: &str| text.to_lowercase().contains("inf");
    let is_beyond = !says_so(text) && says_so(ShownValue::of(&found, context.dialect).json());
    (!is_beyond).then_some(found)
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
    let (path, text_shown, there) = (shown(path), short(text), ShownValue::of(old, dialect));
    let is_numbers = own.numbers().is_some();
    let such = if is_numbers {
        String::new()
    } else {
        format!(", such as {} which is there now", there.brief())
    };
    let failure =
        Failure::no(format!("{}: {path}: '{text_shown}' is no {name}{such}", context.name));
    if own == VariantType::Float && is_beyond(text.trim()) {
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
    match any::<R>(text, context) {
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
    Failure::no(format!(
        "{}: {}: '{}' is neither JSON nor the engine's text",
        context.name,
        shown(path),
        short(text)
    ))
    .hint("to make it a text, use --type String")
}

/// Shortens a text that is too long for a message.
fn short(text: &str) -> String {
    const ROOM: usize = 60;
    match text.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}...", shown(&text[..end])),
        None => shown(text),
    }
}

/// Reads a whole number, in hexadecimal after `0x`.
fn integer(word: &str) -> Option<i64> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word),
    };
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        // The sign comes before the prefix `0x`.
        Some(digits) if digits.starts_with(['+', '-']) => None,
        Some(digits) => i64::from_str_radix(&format!("{sign}{digits}"), 16).ok(),
        None => word.parse().ok(),
    }
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|_| !is_beyond(word))
}

/// Returns whether a number is too large for a float, or so small that it becomes zero.
fn is_beyond(word: &str) -> bool {
    let Ok(number) = word.parse::<f64>() else { return false };
    let has_digits =
        |digits: &[char]| word.split(['e', 'E']).next().is_some_and(|it| it.contains(digits));
    match number {
        number if number.is_infinite() => word.contains(|c: char| c.is_ascii_digit()),
        0.0 => has_digits(&['1', '2', '3', '4', '5', '6', '7', '8', '9']),
        _ => false,
    }
}

/// Returns the string that a text means: the content of its quotation marks, if it is in some, or
/// the text itself.
fn content(text: &str, marks: &[&str]) -> VariantString {
    let quoted = marks.iter().find_map(|mark| {
        let rest = text.trim().strip_prefix(mark)?;
        serde_json::from_str::<String>(&format!("\"{rest}")).ok()
    });
    quoted.unwrap_or_else(|| text.to_owned()).into()
}

/// Copies to a container the properties of the old one that a text cannot express.
fn keep_marks<R: Real>(old: &Variant<R>, new: &mut Variant<R>) {
    let elements = |new: &mut Variant<R>| match new {
        Variant::Array(array) => std::mem::take(array),
        _ => Array::new(),
    };
    match (old, &mut *new) {
        (Variant::Array(old), Variant::Array(array)) => {
            if array.element_type().is_none() {
                array.set_element_type(old.element_type().cloned());
            }
            array.set_shared(old.is_shared());
        }
        (Variant::Dictionary(old), Variant::Dictionary(pairs)) => {
            if pairs.key_type().is_none() && pairs.value_type().is_none() {
                pairs.set_types(old.key_type().cloned(), old.value_type().cloned());
            }
            pairs.set_shared(old.is_shared());
        }
        (Variant::TypedArray(old), Variant::Array(_)) => {
            let (element, elements) = (old.element.clone(), elements(new));
            *new = Variant::TypedArray(Box::new(TypedArray { element, elements }));
        }
        (Variant::PackedTypedArray(old), Variant::Array(_)) => {
            let (element, elements) = (old.element.clone(), elements(new));
            *new = Variant::PackedTypedArray(Box::new(TypedArray { element, elements }));
        }
        _ => {}
    }
}
