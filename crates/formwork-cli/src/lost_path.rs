//! Failures for paths that lead to no value, and for typed values that do not fit, with hints at the right ones.

use formwork::document::{Child, Document, Json, rule};
use formwork_edit::Literals;
use formwork_variant::Error;

use super::changed::ShownValue;
use super::failure::Failure;
use super::form::is_json;
use super::quantity::counted;
use super::style::shown;

/// Makes the failure for a path that leads to nothing, or not to an expected value.
pub(crate) fn no_place(name: &str, path: &str, error: &Error) -> Failure {
    let (expected, found) = (error.expected(), error.found());
    let place = if path.is_empty() { "the value" } else { path };
    let message = format!("{name}: {}: expected {expected}, found {found}", shown(place));
    Failure::refused(message, path, error)
}

/// Makes the failure for a path that leads to no value, with a hint.
pub(crate) fn lost(name: &str, path: &str, document: &dyn Document, error: &Error) -> Failure {
    if !document.has_types() {
        return Failure::refused(
            format!("{name}: there is no value at {}", shown(path)),
            path,
            error,
        )
        .hint(format!("expected {}", shown(error.expected())));
    }
    if let Some(meant) = with_slashes(path, document) {
        return Failure::no(format!("{name}: there is no entry '{}'", shown(path)))
            .hint(format!("keys are separated by '/': {}", shown(meant)));
    }
    let nameless = format!("\"\"/{path}");
    if document.look(&nameless).is_ok() {
        return Failure::no(format!("{name}: there is no entry '{}'", shown(path))).hint(format!(
            "a key above all sections is in the section \"\": '{}'",
            shown(nameless)
        ));
    }
    match End::of(path, error, document) {
        Some(end) => end.failure(name, error),
        None => no_number(name, path, document),
    }
}

/// Returns the path with `/` between its steps, if it is in the form of filters and scripts
/// (`.player.gold`, `player["gold"]`) and leads to an existing value, or to a new entry of an
/// existing container.
pub(crate) fn with_slashes(path: &str, document: &dyn Document) -> Option<String> {
    let steps = steps_of(path)?;
    let joined = steps.join("/");
    if joined == path || document.look(path).is_ok() {
        return None;
    }
    if document.look(&joined).is_ok() {
        return Some(joined);
    }
    let (_, around) = steps.split_last().filter(|(_, around)| !around.is_empty())?;
    document.look(&around.join("/")).ok()?.length.map(|_| joined)
}

/// Splits a path that has dots or brackets between its steps.
fn steps_of(path: &str) -> Option<Vec<String>> {
    if path.starts_with('"') {
        return None;
    }
    let (mut steps, mut rest) = (Vec::new(), path);
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (step, behind) = inside.split_once(']')?;
            let is_quoted = |mark| step.len() > 1 && step.starts_with(mark) && step.ends_with(mark);
            let step = match step {
                _ if is_quoted('"') || is_quoted('\'') => &step[1..step.len() - 1],
                step => step,
            };
            steps.push(step);
            rest = behind;
        } else {
            // A step in quotation marks ends after the second mark.
            let quoted = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            let end = match rest.starts_with('"').then(|| ended(quoted)).flatten() {
                Some(end) => end,
                None => rest.find(['.', '[', '/']).unwrap_or(rest.len()),
            };
            steps.extend((end > 0).then(|| &rest[..end]));
            rest = &rest[end..];
            rest = rest.strip_prefix(['.', '/']).unwrap_or(rest);
        }
    }
    let is_quoted = |step: &str| serde_json::from_str::<String>(step).is_ok();
    let in_quotes = |step: &str| match step.contains(['/', '"', '\\']) && !is_quoted(step) {
        true => serde_json::Value::from(step).to_string(),
        false => step.to_owned(),
    };
    let is_plain = |step: &&str| !step.is_empty();
    steps.iter().all(is_plain).then(|| steps.into_iter().map(in_quotes).collect())
}

/// Returns the length of the first text of a stream of JSON.
fn ended<'r>(
    mut texts: serde_json::StreamDeserializer<'r, serde_json::de::StrRead<'r>, String>,
) -> Option<usize> {
    texts.next()?.ok()?;
    Some(texts.byte_offset())
}

/// Makes the failure for a path that does not begin with the number of one of several values.
fn no_number(name: &str, path: &str, document: &dyn Document) -> Failure {
    let count = document.look("").ok().and_then(|it| it.length).unwrap_or_default();
    let holds = |index: &usize| document.look(&format!("{index}/{path}")).is_ok();
    let meant = (0..count).find(holds).unwrap_or(0);
    let path = shown(path);
    match count {
        0 => Failure::no(format!("{name}: the file holds no values, so no path leads anywhere")),
        count => Failure::no(format!("{name}: {path}: the file holds {count} values"))
            .hint(format!("begin with the number of one: {meant}/{path}, or use --index {meant}")),
    }
}

/// The end of the part of a path that exists.
struct End<'d> {
    document: &'d dyn Document,
    /// The value at the end of that part.
    value: Child,
    /// The next step, which leads to no value.
    step: String,
    /// The rest of the path after that step, with a `/` before it.
    rest: String,
}

impl<'d> End<'d> {
    fn of(path: &str, error: &Error, document: &'d dyn Document) -> Option<Self> {
        // The error is at the first step that leads to no value.
        let at = usize::try_from(error.offset()).ok()?;
        let parts = [path.split_at_checked(at), Some(("", path))];
        parts.into_iter().flatten().find_map(|(before, behind)| {
            let before = before.trim_end_matches('/');
            if before.is_empty() && document.holds_several() {
                return None;
            }
            let value = document.look(before).ok()?;
            let (step, rest) = behind.split_at(behind.find('/').unwrap_or(behind.len()));
            Some(Self { document, value, step: step.to_owned(), rest: rest.to_owned() })
        })
    }

    fn failure(&self, name: &str, error: &Error) -> Failure {
        let Child { path, type_name: kind, length, .. } = &self.value;
        let own = shown(path);
        let (whole, slash) = if own.is_empty() { ("the value", "") } else { (&*own, "/") };
        let (step, an) = (shown(&self.step), article(kind));
        match *length {
            Some(0) => Failure::no(format!("{name}: {whole} is {an} {kind} without entries")),
            Some(_) if ["Dictionary", "Object"].contains(&&**kind) => {
                let of = if own.is_empty() { String::new() } else { format!("{own} has no") };
                let of = if of.is_empty() { "there is no".to_owned() } else { of };
                let failure = Failure::no(format!("{name}: {of} entry '{step}'"));
                self.near(failure, &format!("{own}{slash}"), error)
            }
            Some(count) => {
                let elements = counted(count as u64, "element");
                let numbers = match count {
                    1 => "number 0".to_owned(),
                    _ => format!("numbers 0 to {}", count - 1),
                };
                Failure::no(format!("{name}: {whole} has {elements}, {numbers}, and no '{step}'"))
            }
            None => self.no_container(name, whole, kind),
        }
    }

    /// Adds the entries of the container, or those with similar names.
    fn near(&self, failure: Failure, around: &str, error: &Error) -> Failure {
        let entries = error.expected();
        let is_one = !entries.contains(", ");
        if is_one && self.value.length.is_some_and(|length| length > 1) {
            return failure.hint(format!("did you mean {around}{}{}?", shown(entries), self.rest));
        }
        failure.hint(format!("its entries are: {}", shown(entries)))
    }

    /// Makes the failure for a value that is no container, or whose parts have no paths.
    fn no_container(&self, name: &str, whole: &str, kind: &str) -> Failure {
        let an = article(kind);
        let filter = self.place_in_filters().unwrap_or_else(|| ".".to_owned());
        let value = self.document.get(&self.value.path).unwrap_or_default();
        if kind.ends_with("Array") || numbers_of(&value).is_some() {
            if self.step == "+" {
                return Failure::no(format!(
                    "{name}: {whole} is {an} {kind}, whose parts have no paths"
                ))
                .hint(format!(
                    "to add a part: formwork query FILE -i '{filter} |= items + [VALUE]'"
                ));
            }
            let part = match self.step.parse::<usize>() {
                Ok(position) => format!("{filter}[{position}]"),
                Err(_) => format!("{filter}.{}", shown(&self.step)),
            };
            let part = part.replace("..", ".");
            return Failure::no(format!(
                "{name}: {whole} is {an} {kind}, whose parts have no paths"
            ))
            .hint(format!("to read one: formwork query FILE '{part}'"))
            .hint(format!("to change one: formwork query FILE -i '{part} = VALUE'"));
        }
        let failure = Failure::no(format!("{name}: {whole} is {an} {kind} and has no entries"));
        let is_json = matches!(&value, Json::String(text) if is_json(text));
        if !is_json {
            return failure;
        }
        let path = format!("{}{}", self.step, self.rest).split('/').map(jq_key).collect::<String>();
        let path = shown(path);
        failure
            .hint(format!("the text is JSON: formwork query FILE '{filter} | fromjson | {path}'"))
            .hint(format!(
                "to change it: formwork query FILE -i '{filter} |= (fromjson | {path} = VALUE | tojson)'"
            ))
    }

    /// Returns the place in the form of filters: `.player.pos`; none where it has keys that are no
    /// strings.
    fn place_in_filters(&self) -> Option<String> {
        let json = self.document.json();
        let (mut filter, mut value, mut rest) = (String::new(), &*json, &*self.value.path);
        let mut of_several = self.document.holds_several();
        while !rest.is_empty() {
            let quoted = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            let end = rest.starts_with('"').then(|| ended(quoted)).flatten();
            let (step, behind) =
                rest.split_at(end.or_else(|| rest.find('/')).unwrap_or(rest.len()));
            let name = serde_json::from_str(step).unwrap_or_else(|_| step.to_owned());
            rest = behind.trim_start_matches('/');
            value = match value {
                Json::Object(_) if value.tag().is_none() => {
                    filter += &jq_key(&name);
                    value.get(&name)?
                }
                Json::Array(elements) => {
                    let position: usize = step.parse().ok()?;
                    // (A filter gets each of several values.)
                    if !std::mem::take(&mut of_several) {
                        filter += &format!("[{position}]");
                    }
                    elements.get(position)?
                }
                _ => return None,
            };
        }
        if !filter.starts_with('.') {
            filter.insert(0, '.');
        }
        Some(shown(filter))
    }
}

/// Returns the numbers of a vector and the like.
fn numbers_of(value: &Json) -> Option<&Json> {
    let (tag, numbers) = value.tag()?;
    let Json::Array(all) = numbers else { return None };
    if tag == "$array" {
        return None;
    }
    all.iter().all(|it| matches!(it, Json::Number(_))).then_some(numbers)
}

/// Returns a key in the form of filters.
fn jq_key(key: &str) -> String {
    let is_name = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !key.starts_with(|c: char| c.is_ascii_digit());
    match key.parse::<usize>() {
        Ok(position) => format!("[{position}]"),
        Err(_) if is_name && !key.is_empty() => format!(".{key}"),
        Err(_) => format!("[{}]", serde_json::Value::from(key)),
    }
}

/// Returns the article of a type's name.
fn article(kind: &str) -> &'static str {
    let is_vowel = kind.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']);
    if is_vowel { "an" } else { "a" }
}

/// Makes the failure for a typed text that is no value for a path, or none of a named type.
pub(crate) fn mistyped(
    name: &str,
    path: &str,
    (text, type_name): (&str, Option<&str>),
    document: &dyn Document,
    error: Error,
) -> Failure {
    let brief = short(text);
    if error.rule() == rule::DOCUMENT_TYPE {
        let dialect = error.expected().trim_start_matches("a type of ").to_owned();
        return Failure::usage(format!("{dialect} has no type '{}'", shown(error.found())))
            .hint("use a type such as bool, int, float, String, Vector2 or Array")
            .hint(format!("'formwork schema --format {dialect}' lists all"));
    }
    if error.rule() != rule::DOCUMENT_VALUE {
        return Failure::in_text("the new value", text.as_bytes(), error).in_new_value(path);
    }
    let there = document.get(path).ok();
    let there = there.as_ref().map(|value| (value, ShownValue::of_document(document, value)));
    let place = shown(path);
    if !document.has_types() {
        let there = there.map(|it| it.1.brief()).unwrap_or_default();
        let kind = error.expected();
        let message =
            format!("{name}: {place}: '{brief}' is not {kind}, such as {there} which is there now");
        return Failure::refused(message, path, &error).hint("to change the type, use --as json");
    }
    let own = error.expected().to_owned();
    let is_any = own.starts_with("JSON or ");
    let expected = format!("a value of the type {}", if is_any { "Variant" } else { &own });
    let error = Error::new(error.rule(), 0, expected, &*brief).nowhere();
    if type_name.is_some() {
        return Failure::refused(format!("{name}: '{brief}' is no {own}"), path, &error);
    }
    if is_any {
        let message = format!("{name}: {place}: '{brief}' is neither JSON nor the engine's text");
        return Failure::refused(message, path, &error)
            .hint("to make it a text, use --type String");
    }
    let numbers = there.as_ref().and_then(|it| numbers_of(it.0));
    let such = match &there {
        Some((_, there)) if numbers.is_none() => {
            format!(", such as {} which is there now", there.brief())
        }
        _ => String::new(),
    };
    let message = format!("{name}: {place}: '{brief}' is no {own}{such}");
    let failure = Failure::refused(message, path, &error);
    if ["float", "real"].contains(&&*own) && Literals::is_beyond(text.trim()) {
        return failure.hint("a float is at most 1.7976931348623157e308; infinity is written inf");
    }
    let failure = match (numbers, &there) {
        (Some(numbers), Some((_, there))) => failure.hint(format!(
            "write it as {} or {}",
            there.brief(),
            short(&numbers.to_string())
        )),
        _ => failure,
    };
    let other = document.typed_as(text, None).map(|value| document.type_name(&value));
    match other {
        Ok(other) if other == own => {
            failure.hint(format!("an int is from {} to {}", i64::MIN, i64::MAX))
        }
        Ok(other) => failure.hint(format!("to change the type, use --type {other}")),
        Err(_) if numbers.is_some() => failure,
        Err(_) => failure.hint("to make it a text, use --type String"),
    }
}

/// Shortens a text that is too long for a message.
fn short(text: &str) -> String {
    const ROOM: usize = 60;
    match text.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}...", shown(&text[..end])),
        None => shown(text),
    }
}
