//! `set`: changes values in a file.

mod typed;

use std::path::PathBuf;

use clap::Args;
use formwork::document;
use formwork_alb1::json::DocumentJson;
use formwork_alb1::{Document, Value};
use formwork_variant::edit::{Entry, Target, ValuePath};
use formwork_variant::{Container, Dictionary, Real, Variant};

use super::change::{Change, ChangeOptions, Changed, Context, ShownValue};
use super::documents;
use super::failure::{Failure, Status};
use super::form::Form;
use super::lost_path::with_slashes;
use super::style::shown;
use typed::Typed;
pub(crate) use typed::keep_marks;

/// Change values in a file
///
/// Everything else stays byte for byte: framing, compression, password, and what the game left in unused bytes.
/// The old file is kept as NAME.bak. VALUE is JSON or the engine's own text, such as 'Vector2(1, 2)'. It becomes a
/// value of the type that is there now: 11 stays a float where a float is, and a bare word is text where text is.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Set {
    /// File to change ('-' for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What to change and the new value, as often as you like ('formwork get --help' explains paths)
    #[arg(value_name = "PATH VALUE", required = true, allow_negative_numbers = true)]
    pairs: Vec<String>,
    /// Add the entry if it is not there yet
    #[arg(long)]
    add: bool,
    /// Give the value this type, such as int, float, String or Vector2 [default: the type that is there]
    #[arg(long = "type", value_name = "TYPE", conflicts_with = "form")]
    type_name: Option<String>,
    /// Take VALUE for this form, and let it have its own type
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    #[command(flatten)]
    options: ChangeOptions,
}

const AFTER: &str = r#"Examples:
  formwork set game.save player/gold 9999
  formwork set game.save player/gold 9999 player/name Alice --dry-run
  formwork set game.save player/position 'Vector2(10, 20)'
  formwork set game.save player/bag/+ '"lamp"' --add
  formwork set game.save player/level 3.5 --type float
  formwork set game.save player/gold 9999 --password 'correct horse' -o new.save
  formwork set houses.tv4l mname trees

Types:
The new value keeps the type that is there. To change it, use --type TYPE, or --as json or --as text for a value that has a type of its own:
  formwork set game.save player/id 42 --type String
  formwork set game.save player/position '{"$Vector3":[1.0,2.0,3.0]}' --as json

New entries:
With --add, a path to an entry that is not there adds it. In an array, bag/+ is a new element at the end, and bag/+0 one before element 0.

Exit status: 0 changed, 1 there is no such value or VALUE does not fit, 2 wrong use, 3 the file could not be read or written. If anything fails, the file stays as it was."#;

impl Set {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let (pairs, rest) = self.pairs.as_chunks::<2>();
        if let [path] = rest {
            let failure = Failure::usage(format!("'{}' has no value", shown(path)));
            let failure = match pairs {
                [.., [place, word]] => failure.hint(format!(
                    "a value with blanks needs quotation marks: {} '{} {}'",
                    shown(place),
                    shown(word),
                    shown(path)
                )),
                [] => failure.hint("write PATH VALUE, such as player/gold 9999"),
            };
            return self.options.reported(&self.file, Err(failure));
        }
        let Self { add, form, ref type_name, .. } = self;
        let typed = Typed { type_name: type_name.as_deref(), form };
        self.options.run(&self.file, &Setting { pairs, add, typed })
    }
}

/// The assignments of the command.
struct Setting<'p> {
    pairs: &'p [[String; 2]],
    add: bool,
    typed: Typed<'p>,
}

impl Change for Setting<'_> {
    fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let change = |[path, text]: &[String; 2]| match self.add && context.is_config {
            true => {
                let path = in_section(values, path, context);
                self.value(values, &path, text, context)
            }
            false => self.value(values, path, text, context),
        };
        self.pairs.iter().map(change).collect()
    }

    fn document(
        &self,
        document: &mut Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        if self.add || self.typed.type_name.is_some() {
            return Err(Failure::usage(format!(
                "{}: the fields of an ALB1 file have their types and places from Terrain Builder, so --add and \
                 --type do not apply",
                context.name
            ))
            .hint("to change more: formwork decode FILE -o FILE.json, then formwork encode"));
        }
        self.pairs.iter().map(|[path, text]| self.field(document, path, text, context)).collect()
    }

    fn edit(
        &self,
        document: &mut dyn document::Document,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let name = context.name;
        if self.typed.type_name.is_some() {
            return Err(Failure::usage(format!(
                "{name}: JSON says itself of what type a value is, so --type does not apply"
            ))
            .hint("for the text 42: --as json and '\"42\"'; for the number, --as json and 42"));
        }
        if let Some(form) = self.typed.form.filter(|form| *form != Form::Json) {
            let form = form.name();
            return Err(Failure::usage(format!("{name}: values of JSON have no form '{form}'")));
        }
        let before = document.to_json();
        let how = (self.add, self.typed.form.is_some());
        let changes = documents::set(document, name, self.pairs, how)?;
        let mut changed: Vec<_> = changes.iter().map(documents::shown_change).collect();
        if changed.is_empty() {
            for [path, _] in self.pairs {
                let (Ok(value), Ok(place)) = (before.find(path), before.place(path)) else {
                    continue;
                };
                let shown = ShownValue::of_words(&value.to_string());
                changed.push(Changed::replaced(place, shown.clone(), shown, true));
            }
        }
        Ok(changed)
    }
}

impl Setting<'_> {
    fn value<R: Real>(
        &self,
        values: &mut [Variant<R>],
        path: &str,
        text: &str,
        context: &Context<'_>,
    ) -> Result<Changed, Failure> {
        let dialect = context.dialect;
        let chosen = context.chosen(values)?;
        let several = chosen.len() > 1;
        let lost = |error| context.lost(path, chosen, &error);
        let parsed = ValuePath::new(path);
        let (number, target) = match parsed.find_in(chosen, dialect) {
            Ok((number, place)) => (number, Target::There(place)),
            Err(error) => match parsed.find_or_new(chosen, dialect) {
                Ok(_) if with_slashes(path, chosen, dialect).is_some() => {
                    let name = serde_json::Value::from(path);
                    let failure = lost(error);
                    return Err(if self.add {
                        failure.hint(format!("for a key of this very name: '{}'", shown(name)))
                    } else {
                        failure
                    });
                }
                Ok(found) if self.add => found,
                Ok(_) => return Err(lost(error).hint("to add a new entry, use --add")),
                Err(_) => return Err(lost(error)),
            },
        };
        let value = &chosen[number];
        // A new element has the type of the others.
        let old = match &target {
            Target::There(place) => place.get(value),
            Target::New(holder, Entry::Element(_)) => {
                holder.get(value).and_then(Variant::container).and_then(alike)
            }
            Target::New(_, Entry::Key(_)) => None,
        };
        let new = self.typed.read(path, text, old, context)?;
        let number_of_all = context.number(number);
        let value = &mut values[number_of_all];
        let after = ShownValue::of(&new, dialect);
        let before = target.put(value, new);
        let target = target.place(value);
        let place = target.name(value, dialect);
        let outer = if several { number.to_string() } else { String::new() };
        let changed = match &before {
            None => Changed::added(place, after),
            Some(old) => {
                let is_same = target.get(value).is_some_and(|new| old.is_identical(new));
                Changed::replaced(place, ShownValue::of(old, dialect), after, is_same)
            }
        };
        Ok(changed.inside(&outer))
    }

    fn field(
        &self,
        document: &mut Document,
        path: &str,
        text: &str,
        context: &Context<'_>,
    ) -> Result<Changed, Failure> {
        let failed = |error| context.failed(path, &error);
        let old = document.get(path).map_err(failed)?;
        let before = ShownValue::of_field(document, old);
        let by_text = self.typed.form != Some(Form::Json) && !is_composed(old);
        let new = if by_text {
            Value::parse(old.field_type(), text)
        } else {
            DocumentJson::new().read_value(document, old.field_type(), text.as_bytes())
        };
        let new = new.map_err(failed)?;
        let is_same = old.is_identical(&new);
        let after = ShownValue::of_field(document, &new);
        document.set(path, new).map_err(failed)?;
        Ok(Changed::replaced(path.to_owned(), before, after, is_same))
    }
}

/// Returns the path of a key of a ConfigFile, and adds its section if it is missing. A key without
/// a section belongs to the section without a name.
fn in_section<R: Real>(values: &mut [Variant<R>], path: &str, context: &Context<'_>) -> String {
    let is_there = |path: &str, values: &[Variant<R>]| {
        ValuePath::new(path).find_in(values, context.dialect).is_ok()
    };
    if is_there(path, values) || with_slashes(path, values, context.dialect).is_some() {
        return path.to_owned();
    }
    let (section, key) = path.split_once('/').unwrap_or(("\"\"", path));
    if !is_there(section, values)
        && let [Variant::Dictionary(sections)] = values
    {
        let name = serde_json::from_str(section).unwrap_or_else(|_| section.to_owned());
        sections.push((Variant::String(name.into()), Variant::Dictionary(Dictionary::new())));
    }
    format!("{section}/{key}")
}

/// Returns whether a value has fields, bytes or a pointer, which can only be given as JSON.
const fn is_composed(value: &Value) -> bool {
    matches!(
        value,
        Value::Object(_)
            | Value::Array(_)
            | Value::Raw(_)
            | Value::Pair(_)
            | Value::ObjectPointer(_)
    )
}

/// Returns an element of an array whose elements all have one type.
fn alike<R: Real>(container: Container<'_, R>) -> Option<&Variant<R>> {
    let elements = match container {
        Container::Array(array) => array,
        Container::TypedArray(typed) | Container::PackedTypedArray(typed) => &typed.elements,
        Container::Dictionary(_) | Container::Object(_) => return None,
    };
    let first = elements.first()?;
    let is_alike = |value: &Variant<R>| value.variant_type() == first.variant_type();
    (elements.iter().all(is_alike) && first.container().is_none()).then_some(first)
}
