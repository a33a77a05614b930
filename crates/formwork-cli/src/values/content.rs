//! Values of an engine, in any framing: set, removed, replaced and merged.

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};

use formwork::document::{Json, rule::DOCUMENT_VALUE};
use formwork_alb1::json::is_document;
use formwork_godot::config_file::{resource_section_for, section_for};
use formwork_variant::edit::{
    Compare, Difference, DifferenceKind, Literals, Merge as Merging, Names, Place, Side, Step,
    Stray, Target, ValuePath, mend, new_stray, remove, strays,
};
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Array, Decoder, Dialect, Dictionary, ElementType, Error, Real, Variant};

use super::unwritten;
use crate::changed::{Changed, ShownValue};
use crate::content::{
    Change, Conflict, Content, Fidelity, Merged, Replaced, Replacing, SetOptions, Version,
};
use crate::documents;
use crate::edit::Found;
use crate::failure::Failure;
use crate::form::Form;
use crate::format::LimitOptions;
use crate::lost_path::{lost, no_place, with_slashes};
use crate::packets::Input;
use crate::source::Source;
use crate::source::without_mark;
use crate::style::shown;

/// The values of a file.
#[derive(Debug)]
pub(crate) struct Values<'c, R: Real> {
    pub(crate) values: Vec<Variant<R>>,
    pub(crate) context: Context<'c>,
    /// Whether no value keeps its bytes.
    pub(crate) is_anew: bool,
}

/// Facts about the file that is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'c> {
    /// Name of the file in messages.
    pub(crate) name: &'c str,
    /// The dialect of the values.
    pub(crate) dialect: Dialect,
    pub(crate) limits: LimitOptions,
    /// The dictionaries around the keys of a text: 1 in a ConfigFile, a dictionary for each section; 2 in a text
    /// resource, for kinds of sections and their ids; 0 in other files.
    pub(crate) levels: u8,
    /// The number of the value that was chosen, if any.
    pub(crate) index: Option<usize>,
}

impl Context<'_> {
    /// Returns the values that paths refer to: all, or the chosen one.
    pub(crate) fn chosen<'v, R: Real>(
        &self,
        values: &'v [Variant<R>],
    ) -> Result<&'v [Variant<R>], Failure> {
        let number = |number: usize| &values[number..=number];
        Ok(self.index.map_or(values, number))
    }

    /// Returns the number of a value in the file, from its number among the chosen values.
    fn number(&self, among_chosen: usize) -> usize {
        self.index.unwrap_or(among_chosen)
    }

    /// Returns the value that the file has in the place of a new one: where the engine has floats of 32 bits, they are
    /// rounded. A value that cannot be written stays as it is.
    pub(super) fn stored<R: Real>(&self, value: Variant<R>) -> Variant<R> {
        let encoder = self.limits.encoder::<R>(self.dialect);
        if self.levels > 0 || encoder.encode(&value).is_ok() {
            return value;
        }
        let decoder = Decoder::new(self.dialect).in_precision::<R>().allow_objects(true);
        let decoder = decoder.limits(self.limits.limits());
        let packet = encoder.rounding(true).encode(&value);
        packet.and_then(|packet| decoder.decode(&packet)).unwrap_or(value)
    }

    pub(super) fn literals(&self) -> Literals {
        let has_references = self.levels > 0;
        Literals::new(self.dialect).limits(self.limits.limits()).references(has_references)
    }

    /// Makes the failure for a path that leads to no value.
    fn lost<R: Real>(&self, path: &str, values: &[Variant<R>], error: &Error) -> Failure {
        lost(self.name, path, values, self.dialect, error)
    }

    /// Makes the failure for a path whose value cannot be found or changed.
    fn failed(&self, path: &str, error: &Error) -> Failure {
        no_place(self.name, path, error)
    }
}

impl<R: Real> Values<'_, R> {
    /// Makes a change. Refuses a change that puts values of other types than the declared one into a typed dictionary.
    pub(crate) fn changed_by(&mut self, change: &mut Change<'_>) -> Result<Vec<Changed>, Failure> {
        let known = self.values.iter().flat_map(strays).map(|stray| stray.value.clone()).collect();
        let changed = change(self)?;
        refuse_stray::<R>(known, &self.values, &self.context)?;
        Ok(changed)
    }

    fn set_one(
        &mut self,
        path: &str,
        text: &str,
        SetOptions { adds, typed }: SetOptions<'_>,
    ) -> Result<Changed, Failure> {
        let Self { values, context, .. } = self;
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
                    return Err(if adds {
                        failure.hint(format!("for a key of this very name: '{}'", shown(name)))
                    } else {
                        failure
                    });
                }
                Ok(found) if adds => found,
                Ok(_) => return Err(lost(error).hint("to add a new entry, use --add")),
                Err(_) => return Err(lost(error)),
            },
        };
        let value = &chosen[number];
        let new = context.stored(typed.read(path, text, target.model(value), context)?);
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

    /// Reads another version of the values, in the engine of these; none for an empty file. Sets `is_partial` where only
    /// a part of a file is read.
    fn version(
        &self,
        version: &Version,
        is_one: bool,
        is_partial: &mut bool,
    ) -> Result<Option<Vec<Variant<R>>>, Failure> {
        let Context { name, dialect, limits, .. } = self.context;
        let input = match version {
            Version::Nothing => return Ok(None),
            Version::Text(text, form) => return read(text, *form, is_one, &self.context).map(Some),
            Version::Alb1(_) | Version::Document(..) | Version::Unopened => {
                return Err(Version::differ(name));
            }
            Version::Values(input) => input,
        };
        let own = (input.dialect, input.framing);
        let same = input.alike.iter().find(|(other, _)| *other == dialect).copied();
        let (read_as, framing) = if own.0 == dialect { own } else { same.unwrap_or(own) };
        let input = Input::known(input.source.clone(), read_as, framing, limits);
        let (values, passed_over) = input.values_as_the_engine()?;
        *is_partial |= passed_over;
        Ok(Some(input.converted(values, dialect)))
    }
}

/// Refuses values in typed dictionaries that are not of the declared type, unless they were there before.
pub(super) fn refuse_stray<R: Real>(
    known: Vec<Variant<R>>,
    values: &[Variant<R>],
    context: &Context<'_>,
) -> Result<(), Failure> {
    let dialect = context.dialect;
    let Some((number, Stray { place, declared, value: stray })) = new_stray(&known, values) else {
        return Ok(());
    };
    let path = shown(place.name(&values[number], dialect));
    let path = if values.len() > 1 { format!("{number}/{path}") } else { path };
    let declared = type_name(declared, dialect);
    let (found, new) =
        (dialect.type_name(stray.variant_type()), ShownValue::of(stray, dialect).brief());
    let message = format!(
        "{}: {path}: {new} is of the type {found}, and the dictionary declares {declared} for its values",
        context.name
    );
    let error = Error::new(DOCUMENT_VALUE, 0, format!("a value of the type {declared}"), found);
    Err(Failure::refused(message, &path, &error.nowhere()))
}

/// Reads the values of a text: one, or a list.
fn read<R: Real>(
    text: &Source,
    form: Form,
    is_one: bool,
    context: &Context<'_>,
) -> Result<Vec<Variant<R>>, Failure> {
    let (dialect, limits) = (context.dialect, context.limits.limits());
    if is_one {
        return Ok(vec![form.read(text, dialect, limits)?]);
    }
    form.read_all(text, dialect, limits)
}

/// Restores what a text in another form than Godot's own lost of the values.
fn mend_all<R: Real>(old: &[Variant<R>], new: &mut [Variant<R>], form: Form, dialect: Dialect) {
    if form != Form::Native {
        old.iter().zip(new).for_each(|(old, new)| drop(mend(old, new, dialect)));
    }
}

impl<R: Real> Content for Values<'_, R> {
    fn name(&self) -> &str {
        self.context.name
    }

    fn set(
        &mut self,
        pairs: &[[String; 2]],
        options: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let change = |[path, text]: &[String; 2]| match options.adds && self.context.levels > 0 {
            true => {
                let path = in_section(&mut self.values, path, &self.context);
                self.set_one(&path, text, options)
            }
            false => self.set_one(path, text, options),
        };
        pairs.iter().map(change).collect()
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure> {
        let Self { values, context, .. } = self;
        let dialect = context.dialect;
        let chosen = context.chosen(values)?;
        let several = chosen.len() > 1;
        // All paths refer to the unchanged file, so the last place is removed first.
        let mut found = Vec::with_capacity(paths.len());
        let mut names: Vec<_> = chosen.iter().map(|value| Names::new(value, dialect)).collect();
        for path in paths {
            let place = ValuePath::new(path).find_in(chosen, dialect);
            let (number, place) = place.map_err(|error| context.lost(path, chosen, &error))?;
            let name = names[number].name(&place);
            let outer = if several { number.to_string() } else { String::new() };
            let Some(value) = place.get(&chosen[number]) else { continue };
            let changed = Changed::removed(name, ShownValue::of(value, dialect)).inside(&outer);
            found.push((context.number(number), place, path, changed));
        }
        let mut seen = BTreeSet::new();
        found.retain(|(number, place, ..)| seen.insert((*number, place.clone())));
        let changed = found.iter().map(|(.., changed)| changed.clone()).collect();
        found.sort_by(|one, other| (&other.0, &other.1).cmp(&(&one.0, &one.1)));
        for (number, place, path, _) in found {
            remove(values, number, &place).map_err(|error| context.failed(path, &error))?;
        }
        Ok(changed)
    }

    fn text(&mut self, form: Form) -> Result<Vec<u8>, Failure> {
        let Context { name, dialect, .. } = self.context;
        let mut text = Vec::new();
        let out = &mut text;
        match self.context.chosen(&self.values)? {
            [value] => form.write(value, dialect, Style::Pretty, name, out)?,
            several => form.write_all(several.to_vec(), dialect, Style::Pretty, name, out)?,
        }
        Ok(text)
    }

    fn replace(&mut self, text: &Source, replacing: Replacing) -> Result<Replaced, Failure> {
        let Self { values, context, is_anew } = self;
        let Replacing { form, fidelity, is_list } = replacing;
        let chosen = context.chosen(values)?;
        form.refuse_other(text)?;
        refuse_json_of_alb1(text, form)?;
        let mut new = read(text, form, chosen.len() == 1 && !is_list, context)?;
        let mut found = Found::default();
        // The native form has the type of every number.
        if fidelity == Fidelity::Mended && form != Form::Native {
            let number = number_among(chosen.len().max(new.len()));
            for (at, (old, new)) in chosen.iter().zip(&mut new).enumerate() {
                found.mend(old, new, number(at), context.dialect);
            }
        }
        refuse_unwritten(text, &new, context)?;
        let new: Vec<_> = new.into_iter().map(|value| context.stored(value)).collect();
        *is_anew = fidelity == Fidelity::Anew;
        let changed = replace_values(values, new, context, &mut found)?;
        Ok(Replaced { changed, found })
    }

    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure> {
        let dialect = self.context.dialect;
        let chosen = self.context.chosen(&self.values)?;
        let is_one = |values: &[Variant<R>]| values.len() == 1;
        let ours_is_one = is_one(chosen);
        let form = if let Version::Text(_, form) = theirs { Some(*form) } else { None };
        let mut is_partial = false;
        let theirs = self.version(theirs, ours_is_one, &mut is_partial)?;
        let base = self.version(base, ours_is_one, &mut is_partial)?;
        let mut theirs = theirs.unwrap_or_default();
        if let (Some(form), Some(base)) = (form, &base) {
            mend_all(base, &mut theirs, form, dialect);
        }
        let several =
            !ours_is_one || !is_one(&theirs) || base.as_deref().is_some_and(|base| !is_one(base));
        let (ours, theirs) = (one(chosen.to_vec(), several), one(theirs, several));
        let mut base = match (base, &ours) {
            (Some(base), _) => one(base, several),
            (None, Variant::Dictionary(_)) => Variant::Dictionary(Dictionary::new()),
            (None, Variant::Array(_)) => Variant::Array(Array::new()),
            (None, _) => Variant::Nil,
        };
        add_sections(&mut base, &ours, &theirs, self.context.levels);
        let merged =
            Merging::new().prefer(prefer.unwrap_or_default()).values(&base, &ours, &theirs);
        let text = |value: Option<&Variant<R>>| value.map(|value| ShownValue::of(value, dialect));
        let (mut in_ours, mut in_theirs) =
            (Names::new(&ours, dialect), Names::new(&theirs, dialect));
        let conflicts = merged.conflicts.iter().map(|it| Conflict {
            place: shown(it.name(&mut in_ours, &mut in_theirs)),
            base: text(it.base),
            ours: text(it.ours),
            theirs: text(it.theirs),
        });
        let conflicts = conflicts.collect();
        let new = match (several, merged.value) {
            (true, Variant::Array(array)) => array.into_vec(),
            (_, value) => vec![value],
        };
        let changed = replace_values(&mut self.values, new, &self.context, &mut Found::default())?;
        Ok(Merged { changed, conflicts, is_partial, taken: None })
    }

    fn json(&mut self, _: bool) -> Result<(Vec<Json>, bool), Failure> {
        let Context { dialect, name, .. } = self.context;
        let chosen = self.context.chosen(&self.values)?;
        let is_list = chosen.len() != 1;
        Ok((of_values(chosen, dialect, name)?, is_list))
    }
}

/// Returns the path of a key of a ConfigFile, and adds its section if it is missing. A key without
/// a section belongs to the section without a name.
fn in_section<R: Real>(values: &mut [Variant<R>], path: &str, context: &Context<'_>) -> String {
    let is_there = ValuePath::new(path).find_in(values, context.dialect).is_ok();
    if is_there || with_slashes(path, values, context.dialect).is_some() {
        return path.to_owned();
    }
    match context.levels {
        2 => resource_section_for(values, path),
        _ => section_for(values, path),
    }
}

/// Adds to the base of a text the sections that both sides added, in this number of levels: a section is no value, so
/// that only its keys can be in conflict.
fn add_sections<R: Real>(
    base: &mut Variant<R>,
    ours: &Variant<R>,
    theirs: &Variant<R>,
    levels: u8,
) {
    let (Variant::Dictionary(base), Variant::Dictionary(ours), Variant::Dictionary(theirs)) =
        (base, ours, theirs)
    else {
        return;
    };
    if levels == 0 {
        return;
    }
    let by_name = |side: &'_ Dictionary<R>| -> HashMap<String, usize> {
        let names = side.keys().enumerate();
        names.filter_map(|(at, key)| Some((key.as_str()?.to_owned(), at))).collect()
    };
    let (theirs_by_name, there) = (by_name(theirs), by_name(base));
    for (name, ours) in ours {
        let Some(text) = name.as_str() else { continue };
        let Some((_, theirs)) = theirs_by_name.get(text).and_then(|at| theirs.as_slice().get(*at))
        else {
            continue;
        };
        if !there.contains_key(text) {
            base.push((name.clone(), Variant::Dictionary(Dictionary::new())));
        }
        if levels > 1
            && let Some(base) = base.get_mut(text)
        {
            add_sections(base, ours, theirs, levels - 1);
        }
    }
}

/// Returns the values as one: as a list where there are several.
pub(crate) fn one<R: Real>(mut values: Vec<Variant<R>>, several: bool) -> Variant<R> {
    match values.pop() {
        Some(value) if !several => value,
        last => Variant::Array(values.into_iter().chain(last).collect::<Array<R>>()),
    }
}

/// Replaces the chosen values with new ones; returns the changes.
fn replace_values<R: Real>(
    values: &mut Vec<Variant<R>>,
    mut new: Vec<Variant<R>>,
    context: &Context<'_>,
    found: &mut Found,
) -> Result<Vec<Changed>, Failure> {
    let dialect = context.dialect;
    let chosen = context.chosen(values)?;
    let number = number_among(chosen.len().max(new.len()));
    let inside = |at| number(at).map(|at| at.to_string()).unwrap_or_default();
    let mut changed = Vec::new();
    for (at, (old, new)) in chosen.iter().zip(&new).enumerate() {
        let mut names = (Names::new(old, dialect), Names::new(new, dialect));
        for it in Compare::new().values(old, new) {
            found.difference(&it, &mut names, number(at), dialect);
            changed.push(line(&it, &mut names, dialect).inside(&inside(at)));
        }
    }
    found.length(chosen.len(), new.len());
    for (at, value) in new.iter().enumerate().skip(chosen.len()) {
        changed.push(Changed::added(inside(at), ShownValue::of(value, dialect)));
    }
    for (at, value) in chosen.iter().enumerate().skip(new.len()) {
        changed.push(Changed::removed(inside(at), ShownValue::of(value, dialect)));
    }
    if chosen.len() == values.len() {
        *values = new;
    } else if let [_] = chosen
        && let Some(one) = new.pop()
    {
        values[context.number(0)] = one;
    }
    Ok(changed)
}

/// Returns what numbers values, if there are several.
fn number_among(count: usize) -> impl Fn(usize) -> Option<usize> {
    move |at| (count > 1).then_some(at)
}

/// Refuses a text that only a file of Terrain Builder is made of.
fn refuse_json_of_alb1(text: &Source, form: Form) -> Result<(), Failure> {
    let name = &text.name;
    match form == Form::Json && is_document(without_mark(text.bytes())) {
        true => Err(Failure::usage(format!(
            "{name}: this is JSON of an ALB1 file, not of values of an engine"
        ))),
        false => Ok(()),
    }
}

/// Refuses values that the engine does not have, with their place in the text.
fn refuse_unwritten<R: Real>(
    text: &Source,
    new: &[Variant<R>],
    context: &Context<'_>,
) -> Result<(), Failure> {
    if context.levels > 0 {
        return Ok(());
    }
    // Rounding is allowed: 0.1 in a text must not be refused because Godot 2 rounds it.
    let encoder = context.limits.encoder(context.dialect).rounding(true);
    let mut packet = Vec::new();
    for (at, value) in new.iter().enumerate() {
        packet.clear();
        let written = encoder.encode_into(value, &mut packet);
        written.map_err(|error| unwritten(&text.name, new.len() > 1, new, (at, error)))?;
    }
    Ok(())
}

/// Describes a difference; the names are those of the old and the new value.
pub(crate) fn line<R: Real>(
    difference: &Difference<'_, R>,
    (old, new): &mut (Names<'_, R>, Names<'_, R>),
    dialect: Dialect,
) -> Changed {
    let shown = |value: Option<&Variant<R>>| value.map(|value| ShownValue::of(value, dialect));
    let (before, after) = (shown(difference.before), shown(difference.after));
    let kind = difference.kind.name();
    let old_place = match difference.kind {
        DifferenceKind::Removed => {
            return Changed::at(old.name(&difference.old), kind, before, after);
        }
        DifferenceKind::Added => None,
        _ => Some(old.name(&difference.old)),
    };
    let place = new.name(&difference.new);
    let old_place = old_place.filter(|old| *old != place);
    let (place, before, after) = match difference.kind {
        DifferenceKind::Moved => {
            let from = format!("position {}", position(&difference.old));
            let to = format!("position {}", position(&difference.new));
            let (before, after) = (before.map(|it| it.called(from)), after.map(|it| it.called(to)));
            (place, before, after)
        }
        DifferenceKind::Front => {
            let typed = |value: Option<&Variant<R>>| {
                value.map(|it| ShownValue::of(it, dialect).called(with_types(it, dialect)))
            };
            (place, typed(difference.before), typed(difference.after))
        }
        _ => (place, before, after),
    };
    Changed { old_place, ..Changed::at(place, kind, before, after) }
}

/// Returns the type of a container, with the types that it declares: `Dictionary[String, int]`.
fn with_types<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    let own = dialect.type_name(value.variant_type());
    let of = |declared: Option<&ElementType>| declared.map(|it| type_name(it, dialect));
    let all = match value {
        Variant::Dictionary(pairs) => match [pairs.key_type(), pairs.value_type()].map(of) {
            [None, None] => None,
            types => Some(types.map(|it| it.unwrap_or_else(|| "Variant".to_owned())).join(", ")),
        },
        Variant::Array(array) => of(array.element_type()),
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => of(Some(&typed.element)),
        _ => None,
    };
    all.map_or_else(|| own.to_owned(), |types| format!("{own}[{types}]"))
}

/// Returns the name of a declared type.
fn type_name(declared: &ElementType, dialect: Dialect) -> String {
    match declared {
        ElementType::Builtin(wanted) => dialect.type_name(*wanted).to_owned(),
        ElementType::Class(name) | ElementType::Script(name) => shown(name),
        _ => "another type".to_owned(),
    }
}

/// Returns the position of an entry in its container.
fn position(place: &Place) -> usize {
    match place.steps().last() {
        Some(Step::Element(at) | Step::Key(at) | Step::Value(at) | Step::Property(at)) => *at,
        None => 0,
    }
}

/// Returns values of an engine as filters see them.
pub(crate) fn of_values<R: Real, V: Borrow<Variant<R>>>(
    values: impl IntoIterator<Item = V>,
    dialect: Dialect,
    name: &str,
) -> Result<Vec<Json>, Failure> {
    let json = |value: V| {
        let text = to_json(value.borrow(), dialect, Style::Compact);
        // A large value is not in memory beside its JSON.
        drop(value);
        documents::read_value(name, text.as_bytes())
    };
    values.into_iter().map(json).collect()
}
