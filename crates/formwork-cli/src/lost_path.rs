//! Failures for paths that lead to no value, with hints at the right path.

use formwork_variant::edit::{Place, Step, ValuePath};
use formwork_variant::{Container, Real, Variant, VariantType};
use formwork_variant::{Dialect, Error};

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
pub(crate) fn lost<R: Real>(
    name: &str,
    path: &str,
    values: &[Variant<R>],
    dialect: Dialect,
    error: &Error,
) -> Failure {
    if let Some(meant) = with_slashes(path, values, dialect) {
        return Failure::no(format!("{name}: there is no entry '{}'", shown(path)))
            .hint(format!("keys are separated by '/': {}", shown(meant)));
    }
    let nameless = format!("\"\"/{path}");
    if ValuePath::new(&nameless).find_in(values, dialect).is_ok() {
        return Failure::no(format!("{name}: there is no entry '{}'", shown(path))).hint(format!(
            "a key above all sections is in the section \"\": '{}'",
            shown(nameless)
        ));
    }
    let Some(end) = End::of(path, error, values, dialect) else {
        return no_number(name, path, values, dialect);
    };
    end.failure(name, dialect, error)
}

/// Returns the path with `/` between its steps, if it is in the form of filters and scripts
/// (`.player.gold`, `player["gold"]`) and leads to an existing value, or to a new entry of an
/// existing container.
pub(crate) fn with_slashes<R: Real>(
    path: &str,
    values: &[Variant<R>],
    dialect: Dialect,
) -> Option<String> {
    let steps = steps_of(path)?;
    let joined = steps.join("/");
    let find = |path: &str| ValuePath::new(path).find_in(values, dialect).ok();
    if joined == path || find(path).is_some() {
        return None;
    }
    if find(&joined).is_some() {
        return Some(joined);
    }
    let (_, around) = steps.split_last().filter(|(_, around)| !around.is_empty())?;
    let (number, place) = find(&around.join("/"))?;
    place.get(&values[number])?.container().map(|_| joined)
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
fn no_number<R: Real>(name: &str, path: &str, values: &[Variant<R>], dialect: Dialect) -> Failure {
    let holds = |index: usize| ValuePath::new(path).find(&values[index], dialect).is_ok();
    let meant = (0..values.len()).find(|&index| holds(index)).unwrap_or(0);
    let path = shown(path);
    match values.len() {
        0 => Failure::no(format!("{name}: the file holds no values, so no path leads anywhere")),
        count => Failure::no(format!("{name}: {path}: the file holds {count} values"))
            .hint(format!("begin with the number of one: {meant}/{path}, or use --index {meant}")),
    }
}

/// The end of the part of a path that exists.
struct End<'v, R: Real> {
    /// The whole value.
    whole: &'v Variant<R>,
    /// The number of the whole value among several.
    number: Option<usize>,
    place: Place,
    /// The value at the end of that part.
    value: &'v Variant<R>,
    /// The next step, which leads to no value.
    step: String,
    /// The rest of the path after that step, with a `/` before it.
    rest: String,
}

impl<'v, R: Real> End<'v, R> {
    fn of(path: &str, error: &Error, values: &'v [Variant<R>], dialect: Dialect) -> Option<Self> {
        // The error is at the first step that leads to no value.
        let at = usize::try_from(error.offset()).ok()?;
        let parts = [path.split_at_checked(at), Some(("", path))];
        parts.into_iter().flatten().find_map(|(before, behind)| {
            let before = before.trim_end_matches('/');
            let (number, place) = ValuePath::new(before).find_in(values, dialect).ok()?;
            let whole = values.get(number)?;
            let value = place.get(whole)?;
            let (step, rest) = behind.split_at(behind.find('/').unwrap_or(behind.len()));
            Some(Self {
                whole,
                number: (values.len() > 1).then_some(number),
                place,
                value,
                step: step.to_owned(),
                rest: rest.to_owned(),
            })
        })
    }

    /// Returns the path of the value; empty for the whole value.
    fn name(&self, dialect: Dialect) -> String {
        let name = self.place.name(self.whole, dialect);
        match self.number {
            None => name,
            Some(number) if name.is_empty() => number.to_string(),
            Some(number) => format!("{number}/{name}"),
        }
    }

    fn failure(&self, name: &str, dialect: Dialect, error: &Error) -> Failure {
        let own = shown(self.name(dialect));
        let (whole, slash) = if own.is_empty() { ("the value", "") } else { (&*own, "/") };
        let (step, kind) = (shown(&self.step), dialect.type_name(self.value.variant_type()));
        let an = article(kind);
        match self.value.container() {
            Some(container) if container.is_empty() => {
                Failure::no(format!("{name}: {whole} is {an} {kind} without entries"))
            }
            Some(Container::Dictionary(_) | Container::Object(_)) => {
                let of = if own.is_empty() { String::new() } else { format!("{own} has no") };
                let of = if of.is_empty() { "there is no".to_owned() } else { of };
                let failure = Failure::no(format!("{name}: {of} entry '{step}'"));
                self.near(failure, &format!("{own}{slash}"), error)
            }
            Some(container) => {
                let count = container.len();
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
        if is_one && self.value.container().is_some_and(|container| container.len() > 1) {
            return failure.hint(format!("did you mean {around}{}{}?", shown(entries), self.rest));
        }
        failure.hint(format!("its entries are: {}", shown(entries)))
    }

    /// Makes the failure for a value that is no container, or whose parts have no paths.
    fn no_container(&self, name: &str, whole: &str, kind: &str) -> Failure {
        let an = article(kind);
        let filter = self.place_in_filters().unwrap_or_else(|| ".".to_owned());
        let variant_type = self.value.variant_type();
        let has_parts = variant_type.numbers().is_some()
            || matches!(
                variant_type,
                VariantType::PackedByteArray | VariantType::PackedStringArray
            );
        if has_parts {
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
        let text = self.value.as_string().and_then(|text| text.as_str());
        let is_json = text.is_some_and(is_json);
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
        let steps = self.place.steps();
        let mut filter = String::new();
        for (depth, step) in steps.iter().enumerate() {
            let around = Place::from(steps[..depth].to_vec());
            let container = around.get(self.whole)?.container()?;
            match (container, *step) {
                (Container::Dictionary(pairs), Step::Value(at)) => {
                    let key = pairs.keys().nth(at)?.as_string()?;
                    filter += &jq_key(key.as_str()?);
                }
                (Container::Object(object), Step::Property(at)) => {
                    filter += &jq_key(object.properties.get(at)?.0.as_str()?);
                }
                (_, Step::Element(at)) => filter += &format!("[{at}]"),
                _ => return None,
            }
        }
        if !filter.starts_with('.') {
            filter.insert(0, '.');
        }
        Some(shown(filter))
    }
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
