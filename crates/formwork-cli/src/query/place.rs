//! Places in the JSON of values: `.position.x`, `.points[1]`, `.cells[3]`, `.mname`.
//!
//! JSON without types is as jq sees it. What an engine's value or a field of Terrain Builder holds is deeper in the
//! JSON than people think of it; here is how to get there.

use std::cell::Cell;
use std::rc::Rc;

use formwork_alb1::FieldType;
use formwork_variant::{Dialect, VariantType};
use jaq_core::Error;
use jaq_json::{Map, Val};
use jaq_std::ValT as _;

/// The most null elements that are added to an array before a new one.
const MOST_ADDED: usize = 1 << 16;

/// The ways from what is around the fields of a document of Terrain Builder to the fields.
const WAYS: [&[&str]; 5] =
    [&["$alb1", "root"], &["$object", "fields"], &["$object"], &["$tree"], &["value"]];

/// The place that an index leads to.
#[derive(Default)]
pub(super) struct Place {
    /// The keys and positions to the value, or to the list whose numbers it is.
    steps: Vec<Val>,
    /// The key of the pair in whose second place the value is.
    key: Option<Val>,
    /// Whether it is the value of a field of Terrain Builder, which goes as a whole.
    is_field: bool,
    /// The positions of the numbers, and the tag of the value that several of them are.
    numbers: Option<(Vec<usize>, Option<String>)>,
}

/// The list in an engine's value.
struct Holder<'v> {
    steps: Vec<Val>,
    list: &'v Rc<Vec<Val>>,
    kind: Kind,
}

/// The elements of such a list.
enum Kind {
    /// Pairs of keys and values.
    Pairs,
    /// Rows of this number of numbers, each of which is a value with this tag.
    Rows(usize, String),
    /// Values; those of a math type have names.
    Values(VariantType),
}

fn text(text: &str) -> Val {
    Val::from(text.to_owned())
}

/// Returns the name of the type that the JSON of a value gives first, with its dollar sign.
pub(super) fn tag(json: &Val) -> Option<&str> {
    let Val::Obj(members) = json else { return None };
    let (name, _) = members.first()?;
    std::str::from_utf8(name.as_bytes()?).ok().filter(|name| name.starts_with('$'))
}

impl<'v> Holder<'v> {
    fn of(json: &'v Val) -> Option<Self> {
        let name = tag(json)?;
        let mut steps = vec![text(name)];
        let properties = [text(name), text("properties")];
        if find(json, &properties).is_some() {
            steps = properties.to_vec();
        }
        let Val::Arr(list) = find(json, &steps)? else { return None };
        if name == "$dictionary" || steps.len() > 1 {
            return Some(Self { steps, list, kind: Kind::Pairs });
        }
        let (dialect, variant_type) = type_of(name)?;
        let numbers = variant_type.numbers().filter(|it| it.count > 1);
        let kind = match numbers.and_then(|it| Some((it.count, it.element?))) {
            Some((count, element)) => Kind::Rows(count, format!("${}", dialect.type_name(element))),
            None => Kind::Values(variant_type),
        };
        Some(Self { steps, list, kind })
    }

    fn place(self, index: &Val) -> Option<Place> {
        let Self { mut steps, list, kind } = self;
        let (mut key, mut numbers) = (None, None);
        match kind {
            Kind::Pairs => {
                let at = key_at(list, index).unwrap_or(list.len());
                key = list.get(at).and_then(first_of).or(Some(index)).cloned();
                steps.extend([Val::from(at), Val::from(1_usize)]);
            }
            Kind::Rows(each, tag) => {
                let row = position(index, list.len() / each)?;
                numbers = Some(((row * each..(row + 1) * each).collect(), Some(tag)));
            }
            Kind::Values(variant_type) if index.is_utf8_str() => {
                numbers = Some(named(variant_type, std::str::from_utf8(index.as_bytes()?).ok()?)?);
            }
            Kind::Values(_) => {
                index.as_isize()?;
                steps.push(index.clone());
            }
        }
        Some(Place { steps, key, numbers, is_field: false })
    }
}

/// Returns the first of a pair.
fn first_of(pair: &Val) -> Option<&Val> {
    if let Val::Arr(pair) = pair { pair.first() } else { None }
}

thread_local! {
    /// The position of the pair that was found last: the next one that is looked for is often the next.
    static FOUND: Cell<usize> = const { Cell::new(0) };
}

/// Returns the position of a key: 1 and 1.0 are two keys, and a name is that of a StringName, too.
fn key_at(pairs: &[Val], index: &Val) -> Option<usize> {
    let is_exact = |key: Option<&Val>| key == Some(index) && is_alike(key, index);
    let last = FOUND.get();
    let found = [last.wrapping_add(1), last]
        .into_iter()
        .find(|&at| is_exact(pairs.get(at).and_then(first_of)));
    let found = found.or_else(|| {
        let (mut equal, mut named) = (None, None);
        for (at, pair) in pairs.iter().enumerate() {
            let key = first_of(pair);
            if key == Some(index) {
                if is_alike(key, index) {
                    return Some(at);
                }
                equal = equal.or(Some(at));
            } else if equal.or(named).is_none() && key.and_then(name_in) == Some(index) {
                named = Some(at);
            }
        }
        equal.or(named)
    });
    found.inspect(|&at| FOUND.set(at))
}

/// Returns whether a key is of the kind of another that is equal to it.
fn is_alike(key: Option<&Val>, other: &Val) -> bool {
    key.is_some_and(|key| key.is_int() == other.is_int())
}

/// Returns the name that a StringName is.
fn name_in(key: &Val) -> Option<&Val> {
    let is_name = tag(key) == Some("$StringName");
    is_name.then(|| find(key, &[text("$StringName")]))?
}

/// Returns the positions of the numbers that a name means, `x` or `position`, and the tag of several.
fn named(variant_type: VariantType, name: &str) -> Option<(Vec<usize>, Option<String>)> {
    let is_in = |field: &str| {
        field == name || field.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'))
    };
    if (variant_type, name) == (VariantType::Transform3D, "basis") {
        return Some(((0..9).collect(), Some("$Basis".to_owned())));
    }
    let fields = variant_type.numbers()?.components.iter().enumerate();
    let found: Vec<_> = fields.filter(|(_, it)| is_in(it.name)).map(|(at, _)| at).collect();
    let whole = if variant_type == VariantType::Rect2i { "i" } else { "" };
    match found.len() {
        0 => None,
        count @ (2 | 3) => Some((found, Some(format!("$Vector{count}{whole}")))),
        _ => Some((found, None)),
    }
}

/// Returns the position that an index means in a list of this length.
fn position(index: &Val, count: usize) -> Option<usize> {
    let index = index.as_isize()?;
    match usize::try_from(index) {
        Ok(at) => Some(at),
        Err(_) => count.checked_sub(index.unsigned_abs()),
    }
}

/// Returns the steps from a part of a document of Terrain Builder to the field with this tag.
fn field(json: &Val, tag: &Val) -> Option<Vec<Val>> {
    let member = |json: &Val, name: &str| find(json, &[text(name)]).cloned();
    // Other JSON may have members of the name `value`, too.
    let is_type = |name: Val| {
        let name =
            name.as_bytes().and_then(|name| std::str::from_utf8(name).ok()).map(str::to_owned);
        name.is_some_and(|name| FieldType::ALL.iter().any(|it| it.key() == name))
    };
    let is_one = |json: &Val| {
        let has_three = matches!(json, Val::Obj(members) if members.len() == 3);
        let has = |name| member(json, name).is_some();
        has_three && has("tag") && has("value") && member(json, "type").is_some_and(is_type)
    };
    if let Val::Arr(fields) = json {
        let is_it = |json: &Val| is_one(json) && member(json, "tag").as_ref() == Some(tag);
        let at = fields.iter().position(is_it)?;
        return Some(vec![Val::from(at), text("value")]);
    }
    WAYS.iter().filter(|way| way[0].starts_with('$') || is_one(json)).find_map(|way| {
        let mut steps: Vec<_> = way.iter().map(|step| text(step)).collect();
        match find(json, &steps)? {
            Val::Obj(members) if members.contains_key(tag) => steps.push(tag.clone()),
            inner => steps.extend(field(inner, tag)?),
        }
        Some(steps)
    })
}

fn find<'v>(json: &'v Val, steps: &[Val]) -> Option<&'v Val> {
    steps.iter().try_fold(json, |json, step| match json {
        Val::Arr(elements) => elements.get(position(step, elements.len())?),
        Val::Obj(members) => members.get(step),
        _ => None,
    })
}

/// Returns what is at the end of the steps. Makes what is missing on the way, if that is wanted.
fn find_mut<'v>(json: &'v mut Val, steps: &[Val], is_made: bool) -> Option<&'v mut Val> {
    steps.iter().try_fold(json, |json, step| {
        if is_made && matches!(json, Val::Null) {
            *json = if step.is_int() { Val::Arr(Rc::default()) } else { Val::obj(Map::default()) };
        }
        match json {
            Val::Arr(elements) => {
                let at = position(step, elements.len())?;
                let elements = Rc::make_mut(elements);
                if is_made && (elements.len()..elements.len() + MOST_ADDED).contains(&at) {
                    elements.resize(at + 1, Val::Null);
                }
                elements.get_mut(at)
            }
            Val::Obj(members) => {
                let members = Rc::make_mut(members);
                match is_made {
                    true => Some(members.entry(step.clone()).or_default()),
                    false => members.get_mut(step),
                }
            }
            _ => None,
        }
    })
}

/// Returns the list that JSON is, or the elements that an engine's value holds.
pub(super) fn list(json: &Val) -> Option<Rc<Vec<Val>>> {
    match json {
        Val::Arr(list) => Some(list.clone()),
        json => Holder::of(json).map(|holder| match holder.kind {
            Kind::Rows(each, tag) => {
                Rc::new(holder.list.chunks(each).map(|row| tagged(&tag, row)).collect())
            }
            Kind::Pairs | Kind::Values(_) => holder.list.clone(),
        }),
    }
}

/// Returns how many characters, bytes or values are in a text or container.
pub(super) fn count(json: &Val) -> usize {
    let letters = |text: &[u8]| String::from_utf8_lossy(text).chars().count();
    let is_text = |tag: &str| {
        let texts = [VariantType::String, VariantType::StringName, VariantType::NodePath];
        is_bytes(tag) || type_of(tag).is_some_and(|it| texts.contains(&it.1))
    };
    let is_alone = matches!(json, Val::Obj(members) if members.len() == 1);
    let tag = tag(json).filter(|tag| is_alone && is_text(tag));
    let content = tag.and_then(|tag| Some((tag, find(json, &[text(tag)])?)));
    match (json, content) {
        (Val::TStr(text), _) => letters(text),
        (_, Some((tag, Val::TStr(text)))) if is_bytes(tag) => {
            let rest = text.iter().rev().take_while(|letter| **letter == b'=').count();
            (text.len() / 4 * 3).saturating_sub(rest)
        }
        (_, Some((_, Val::TStr(text)))) => letters(text),
        (json, _) => inside(json).map_or(0, |inside| inside.len()),
    }
}

/// Returns the type that a tag names, and an engine that has it.
fn type_of(tag: &str) -> Option<(Dialect, VariantType)> {
    let mut types = Dialect::all().rev().map(|it| (it, it.type_named(&tag[1..])));
    types.find_map(|(it, found)| Some((it, found?)))
}

/// Returns how many numbers each element has in an array of vectors, whose numbers are in a row.
pub(super) fn row_of(tag: &str) -> Option<usize> {
    let numbers = type_of(tag).and_then(|(_, variant_type)| variant_type.numbers());
    numbers.filter(|it| it.count > 1 && it.element.is_some()).map(|it| it.count)
}

/// Returns whether a tag is that of a byte array.
pub(super) fn is_bytes(tag: &str) -> bool {
    let is_it = |dialect: Dialect| tag[1..] == *dialect.type_name(VariantType::PackedByteArray);
    Dialect::all().any(is_it)
}

/// Returns what a container holds, with the keys or positions.
pub(super) fn inside(json: &Val) -> Option<Vec<(Val, Val)>> {
    let numbered = |list: &[Val]| {
        list.iter().enumerate().map(|(at, json)| (Val::from(at), json.clone())).collect()
    };
    Some(match (Holder::of(json), json) {
        (Some(Holder { list, kind: Kind::Pairs, .. }), _) => {
            let pairs = list.iter().filter_map(|pair| match pair {
                Val::Arr(pair) => <[Val; 2]>::try_from(pair.to_vec()).ok(),
                _ => None,
            });
            pairs.map(|[key, value]| (key, value)).collect()
        }
        (Some(Holder { list, kind: Kind::Rows(each, tag), .. }), _) => {
            numbered(&list.chunks(each).map(|row| tagged(&tag, row)).collect::<Vec<_>>())
        }
        (Some(Holder { list, .. }), _) | (None, Val::Arr(list)) => numbered(list),
        (None, Val::Obj(members)) => {
            members.iter().map(|(key, json)| (key.clone(), json.clone())).collect()
        }
        _ => return None,
    })
}

/// Returns the sum of a list in an engine's value and another list, or what is left of the first without the elements
/// of the other. The result is of the type of the first.
pub(super) fn lists_together(
    method: &str,
    one: &Val,
    other: &Val,
) -> Option<Result<Val, Error<Val>>> {
    if !is_typed_list(one) {
        return None;
    }
    let (mine, others) = (list(one)?, list(other)?);
    let made = match method {
        "add" => mine.iter().chain(others.iter()).cloned().collect(),
        "sub" => mine.iter().filter(|it| !others.contains(it)).cloned().collect(),
        _ => return None,
    };
    Some(holding_list(one.clone(), made))
}

/// Returns whether an engine's value is a list of elements. A vector is none.
pub(super) fn is_typed_list(json: &Val) -> bool {
    Holder::of(json).is_some_and(|holder| match holder.kind {
        Kind::Pairs => false,
        Kind::Rows(..) => true,
        Kind::Values(variant_type) => {
            variant_type.numbers().is_none_or(|numbers| numbers.element.is_some())
        }
    })
}

/// Puts other elements into a list of an engine's value.
pub(super) fn holding_list(json: Val, elements: Vec<Val>) -> Result<Val, Error<Val>> {
    holding(json, elements.into_iter().map(|json| (Val::Null, json)).collect())
}

/// Returns whether each value in a container has a key.
pub(super) fn has_keys(json: &Val) -> bool {
    match Holder::of(json) {
        Some(holder) => matches!(holder.kind, Kind::Pairs),
        None => matches!(json, Val::Obj(_)),
    }
}

/// Returns a container that holds other values.
pub(super) fn holding(mut json: Val, inside: Vec<(Val, Val)>) -> Result<Val, Error<Val>> {
    let (steps, list) = match (Holder::of(&json), &json) {
        (Some(Holder { steps, kind: Kind::Pairs, .. }), _) => {
            let pairs = inside.into_iter().map(|(key, json)| [key, json].into_iter().collect());
            (steps, pairs.collect())
        }
        (Some(Holder { steps, kind: Kind::Rows(each, _), .. }), _) => {
            let rows = inside.into_iter().map(|(_, json)| numbers_of(&json, each));
            (steps, rows.collect::<Result<Vec<_>, _>>()?.concat().into_iter().collect())
        }
        (None, Val::Obj(_)) => return Ok(Val::obj(inside.into_iter().collect())),
        (holder, _) => {
            let steps = holder.map(|holder| holder.steps).unwrap_or_default();
            (steps, inside.into_iter().map(|(_, json)| json).collect())
        }
    };
    if let Some(content) = find_mut(&mut json, &steps, false) {
        *content = list;
    }
    Ok(json)
}

fn tagged(tag: &str, content: &[Val]) -> Val {
    Val::obj([(text(tag), content.iter().cloned().collect())].into_iter().collect())
}

/// Returns the numbers of a list or vector of this length.
fn numbers_of(json: &Val, count: usize) -> Result<Vec<Val>, Error<Val>> {
    let numbers = list(json).map_or_else(|| vec![json.clone()], |list| list.to_vec());
    if numbers.len() == count {
        return Ok(numbers);
    }
    Err(Error::str(format_args!("expected {count} numbers, found {json}")))
}

impl Place {
    /// Returns the place that an index leads to, if the JSON has such places.
    pub(super) fn of(json: &Val, index: &Val) -> Option<Self> {
        let own = || Self { steps: vec![index.clone()], ..Self::default() };
        let field = || {
            let steps = field(json, index)?;
            let is_field = steps.len() > 1 && steps.last() == Some(&text("value"));
            Some(Self { steps, is_field, ..Self::default() })
        };
        let (is_text, is_number) = (index.is_utf8_str(), index.as_isize().is_some());
        match json {
            Val::Obj(members) if members.contains_key(index) => Some(own()),
            Val::Obj(_) => Holder::of(json)
                .and_then(|holder| holder.place(index))
                .or_else(field)
                .or_else(|| is_text.then(own)),
            Val::Arr(_) if is_text => field(),
            Val::Arr(_) => is_number.then(own),
            Val::Null => (is_text || is_number).then(own),
            _ => None,
        }
    }

    /// Returns how much deeper than its value the container nests.
    pub(super) fn depth(&self) -> usize {
        self.steps.len() + 1
    }

    /// Returns the value; null where there is none.
    pub(super) fn get(&self, json: &Val) -> Val {
        let found = find(json, &self.steps).cloned().unwrap_or_default();
        let (Some((places, tag)), Val::Arr(list)) = (&self.numbers, &found) else { return found };
        let numbers: Vec<_> = places.iter().map_while(|&at| list.get(at).cloned()).collect();
        match (tag, &numbers[..]) {
            (_, []) => Val::Null,
            (Some(tag), numbers) => tagged(tag, numbers),
            (None, [number]) => number.clone(),
            (None, numbers) => numbers.iter().cloned().collect(),
        }
    }

    /// Takes the value out; null where there is none.
    pub(super) fn take(&self, json: &mut Val) -> Val {
        match self.numbers {
            Some(_) => self.get(json),
            None => find_mut(json, &self.steps, false).map(std::mem::take).unwrap_or_default(),
        }
    }

    /// Returns whether a value is there, or numbers of one.
    pub(super) fn is_there(&self, json: &Val) -> bool {
        find(json, &self.steps).is_some()
    }

    /// Puts a value there, or removes what is there.
    pub(super) fn put(&self, json: &mut Val, new: Option<Val>) -> Result<(), Error<Val>> {
        let lost = || Error::str("there is no such place");
        let is_there = self.is_there(json);
        let Some(new) = new else {
            if self.numbers.is_some() && is_there {
                return Err(Error::str(
                    "the numbers of a value stay: to remove some, give the others",
                ));
            }
            self.remove(json);
            return Ok(());
        };
        let is_document = matches!(tag(json), Some("$alb1" | "$object"));
        if let ([Val::TStr(name)], true, false) = (&self.steps[..], is_document, is_there) {
            if new == Val::Null {
                return Ok(());
            }
            let name = String::from_utf8_lossy(name);
            return Err(Error::str(format_args!(
                "there is no field {name}: the fields of an ALB1 file are those of Terrain Builder, and a new one needs \
                 a tag and a type"
            )));
        }
        if let (Some(key), Some((_, pair))) = (&self.key, self.steps.split_last()) {
            *find_mut(json, &[pair, &[Val::from(0_usize)]].concat(), true).ok_or_else(lost)? =
                key.clone();
        }
        let place = find_mut(json, &self.steps, true).ok_or_else(lost)?;
        match (&self.numbers, place) {
            (Some((places, _)), Val::Arr(list)) => {
                let list = Rc::make_mut(list);
                for (&at, number) in places.iter().zip(numbers_of(&new, places.len())?) {
                    *list.get_mut(at).ok_or_else(lost)? = number;
                }
            }
            (_, place) => *place = new,
        }
        Ok(())
    }

    /// Removes the value.
    fn remove(&self, json: &mut Val) {
        // A pair goes with its key, and a field with its tag.
        let around = usize::from(self.key.is_some() || self.is_field);
        let steps = &self.steps[..self.steps.len() - around];
        let Some((last, around)) = steps.split_last() else { return };
        match find_mut(json, around, false) {
            Some(Val::Obj(members)) => drop(Rc::make_mut(members).shift_remove(last)),
            Some(Val::Arr(elements)) => {
                let at = position(last, elements.len()).filter(|at| *at < elements.len());
                at.map(|at| Rc::make_mut(elements).remove(at));
            }
            _ => {}
        }
    }
}
