//! The native form to values.

use struson::reader::ValueType;

use super::{DIALECT, transposed};
use crate::{
    Array, Dictionary, ElementType, FullObject, Math, NodePath, NumberSource, Object, OwnType,
    Real, RealMath, Variant, VariantType,
};
use formwork::{Error, Path, PathSegment, Result, Rule};
use formwork_records::json::number::{self, ORDINARY_NAN};
use formwork_records::json::source::{Source, kind_name, shortened, wrong_at, wrong_count};
use formwork_records::schema::Layout;
use formwork_records::wire::{Element, FromNumbers, Number};

/// Reads one value that may be in at most `depth` containers.
pub(crate) fn read<R: Real>(source: &mut Source<'_>, depth: usize) -> Result<Variant<R>> {
    let mut reader = Reader { depth, open: Vec::new() };
    reader.value(source).map_err(|error| error.under(reader.path()))
}

/// Reads one value, without recursion: the open containers are kept in a list.
struct Reader<R: Real> {
    depth: usize,
    open: Vec<Open<R>>,
}

/// A list or object that is not at its end.
enum Open<R: Real> {
    /// A list that is an untyped array.
    List(Vec<Variant<R>>),
    Object(Box<Members<R>>),
}

/// The members of an object, in any order.
struct Members<R: Real> {
    /// The offset of the object.
    at: u64,
    name: Option<String>,
    elem_type: Option<String>,
    key_type: Option<String>,
    value_type: Option<String>,
    args: Option<Vec<Item<R>>>,
    props: Option<Vec<Item<R>>>,
    /// The list that is being read.
    list: Option<List>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum List {
    Args,
    Props,
}

/// An element of an object's list. What a number or string means is known only with the object's
/// type, which may come later.
enum Item<R: Real> {
    Number(Box<str>),
    Text(String),
    Value(Variant<R>),
}

/// An element that was begun.
enum Begun<R: Real> {
    Whole(Item<R>),
    /// A container whose elements come next.
    Opened,
}

impl<R: Real> Reader<R> {
    fn value(&mut self, source: &mut Source<'_>) -> Result<Variant<R>> {
        let mut begun = self.begin(source)?;
        loop {
            if let Begun::Whole(item) = begun {
                match self.open.last_mut() {
                    None => return native(item, source.at()),
                    Some(Open::List(values)) => {
                        values.push(native(item, source.at())?);
                    }
                    Some(Open::Object(members)) => members.items().push(item),
                }
            }
            begun = if self.goes_on(source)? {
                self.begin(source)?
            } else {
                Begun::Whole(Item::Value(self.end(source)?))
            };
        }
    }

    /// Reads an element, or opens it if it has elements itself.
    fn begin(&mut self, source: &mut Source<'_>) -> Result<Begun<R>> {
        let kind = source.peek()?;
        let at = source.at();
        // Elements of a vector or packed array are no values, whose depth would count.
        if !matches!(kind, ValueType::Number | ValueType::String) {
            self.check_depth(self.open.len(), at)?;
        }
        Ok(Begun::Whole(match kind {
            ValueType::Null => {
                source.null()?;
                Item::Value(Variant::Nil)
            }
            ValueType::Boolean => Item::Value(Variant::Bool(source.bool()?)),
            ValueType::Number => source.number(|token| Ok(Item::Number(token.into())))?,
            ValueType::String => Item::Text(source.string()?),
            ValueType::Array => {
                source.begin_list()?;
                self.open.push(Open::List(Vec::new()));
                return Ok(Begun::Opened);
            }
            ValueType::Object => {
                source.begin_object()?;
                self.open.push(Open::Object(Box::new(Members::new(at))));
                return Ok(Begun::Opened);
            }
        }))
    }

    fn check_depth(&self, around: usize, at: u64) -> Result<()> {
        if around > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(Error::new(Rule::DEPTH_LIMIT, at, expected, "one more"));
        }
        Ok(())
    }

    /// Returns whether the innermost list or object has another element; then reads everything before it.
    fn goes_on(&mut self, source: &mut Source<'_>) -> Result<bool> {
        match self.open.last_mut() {
            None => Ok(false),
            Some(Open::List(_)) => source.has_next(),
            Some(Open::Object(members)) => members.goes_on(source),
        }
    }

    /// Ends the innermost list or object.
    fn end(&mut self, source: &mut Source<'_>) -> Result<Variant<R>> {
        match self.open.pop() {
            // Called only if there is an open container.
            None => Ok(Variant::Nil),
            Some(Open::List(values)) => {
                source.end_list()?;
                if !values.is_empty() {
                    self.check_depth(self.open.len() + 1, source.at())?;
                }
                Ok(Variant::Array(values.into()))
            }
            Some(Open::Object(members)) => {
                source.end_object()?;
                let at = members.at;
                let (value, holds_values) = members.value()?;
                if holds_values {
                    self.check_depth(self.open.len() + 1, at)?;
                }
                Ok(value)
            }
        }
    }

    /// Returns the path of the reader's position.
    fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            match open {
                Open::List(values) => {
                    path.push(PathSegment::Field(VariantType::Array.path_name()));
                    path.push(PathSegment::Index(values.len() as u64));
                }
                Open::Object(members) => members.step(&mut path),
            }
        }
        path
    }
}

impl<R: Real> Members<R> {
    const fn new(at: u64) -> Self {
        Self {
            at,
            name: None,
            elem_type: None,
            key_type: None,
            value_type: None,
            args: None,
            props: None,
            list: None,
        }
    }

    /// Adds where in the object the reader is to a path.
    fn step(&self, path: &mut Path) {
        let (variant_type, items) = match self.list {
            None => return,
            Some(List::Args) => {
                (self.name.as_ref().and_then(|name| DIALECT.type_named(name)), &self.args)
            }
            Some(List::Props) => (Some(VariantType::Object), &self.props),
        };
        // The type may come after the list; until then only the list's name is known.
        path.push(PathSegment::Field(variant_type.map_or("args", VariantType::path_name)));
        let index = items.as_ref().map_or(0, Vec::len) as u64;
        if self.list == Some(List::Props) {
            path.push(PathSegment::Field("properties"));
        } else if variant_type != Some(VariantType::Dictionary) {
            return path.push(PathSegment::Index(index));
        }
        path.push(PathSegment::Index(index / 2));
        if self.list == Some(List::Args) {
            let is_key = index.is_multiple_of(2);
            path.push(PathSegment::Field(if is_key { "key" } else { "value" }));
        }
    }

    /// The list that is being read.
    fn items(&mut self) -> &mut Vec<Item<R>> {
        let list = match self.list {
            Some(List::Props) => &mut self.props,
            _ => &mut self.args,
        };
        list.get_or_insert_default()
    }

    /// Reads members up to the next element of a list.
    fn goes_on(&mut self, source: &mut Source<'_>) -> Result<bool> {
        loop {
            if self.list.is_some() {
                if source.has_next()? {
                    return Ok(true);
                }
                source.end_list()?;
                self.list = None;
            }
            if !source.has_next()? {
                return Ok(false);
            }
            let at = source.at();
            let name = source.name()?;
            let (text, list) = match name.as_str() {
                "type" => (Some(&mut self.name), None),
                "elem_type" => (Some(&mut self.elem_type), None),
                "key_type" => (Some(&mut self.key_type), None),
                "value_type" => (Some(&mut self.value_type), None),
                "args" if self.args.is_none() => (None, Some(List::Args)),
                "props" if self.props.is_none() => (None, Some(List::Props)),
                _ => (None, None),
            };
            match (text, list) {
                (Some(text @ None), _) => *text = Some(source.string()?),
                (None, Some(list)) => {
                    source.begin_list()?;
                    self.list = Some(list);
                    // Also if there is no element.
                    self.items();
                }
                _ => {
                    let expected = "each member of the documented form, once";
                    return Err(wrong_at(at, expected, shortened(&name)));
                }
            }
        }
    }

    /// The value that the members make, and whether it holds values.
    fn value(self) -> Result<(Variant<R>, bool)> {
        let at = self.at;
        let name = self.name.ok_or_else(|| wrong_at(at, "the member \"type\"", "none"))?;
        let no_types = [&self.elem_type, &self.key_type, &self.value_type] == [&None; 3];
        let misplaced = || wrong_at(at, format!("only the members that {name} has"), "others");
        let variant_type = match DIALECT.type_named(&name) {
            Some(VariantType::Object) | None => {
                if self.args.is_some() || !no_types {
                    return Err(misplaced());
                }
                let props =
                    self.props.ok_or_else(|| wrong_at(at, "the member \"props\"", "none"))?;
                return object(name, props, at);
            }
            Some(variant_type) => variant_type,
        };
        let own_type = variant_type.own_type();
        let types_fit = if own_type == Some(OwnType::Array) {
            self.key_type.is_none() && self.value_type.is_none()
        } else if own_type == Some(OwnType::Dictionary) {
            self.elem_type.is_none()
        } else {
            no_types
        };
        if self.props.is_some() || !types_fit {
            return Err(misplaced());
        }
        let empties = [Variant::Rid(0), Variant::Callable, Variant::Signal(Box::default())];
        if let Some(empty) = empties.into_iter().find(|one| one.variant_type() == variant_type) {
            return if self.args.is_some() { Err(misplaced()) } else { Ok((empty, false)) };
        }
        let args = self.args.ok_or_else(|| wrong_at(at, "the member \"args\"", "none"))?;
        let filled = !args.is_empty();
        if own_type == Some(OwnType::Array) {
            let values = args.into_iter().map(|item| native(item, at));
            let values = values.collect::<Result<Vec<_>>>()?;
            let mut array = Array::from(values);
            array.set_element_type(self.elem_type.as_deref().and_then(element_type));
            return Ok((Variant::Array(array), filled));
        }
        if own_type == Some(OwnType::Dictionary) {
            let mut dictionary = Dictionary::from(pairs(args, at, |item| native(item, at))?);
            let key = self.key_type.as_deref().and_then(element_type);
            let value = self.value_type.as_deref().and_then(element_type);
            dictionary.set_types(key, value);
            return Ok((Variant::Dictionary(dictionary), filled));
        }
        Ok((leaf(variant_type, &name, args, at)?, false))
    }
}

/// A type without values in it, but with arguments.
fn leaf<R: Real>(
    variant_type: VariantType,
    name: &str,
    args: Vec<Item<R>>,
    at: u64,
) -> Result<Variant<R>> {
    let numbers = Numbers { args: &args, at };
    match Variant::from_numbers(variant_type, numbers) {
        Ok(value) => value.map(|value| transposed(&value).unwrap_or(value)),
        Err(OwnType::PackedByteArray) => numbers.make().map(Variant::PackedByteArray),
        Err(OwnType::PackedStringArray) => {
            let texts = args.into_iter().map(|item| match item {
                Item::Text(text) => Ok(text.into()),
                other @ (Item::Number(_) | Item::Value(_)) => {
                    Err(wrong_at(at, "strings", other.kind()))
                }
            });
            texts.collect::<Result<_>>().map(Variant::PackedStringArray)
        }
        // The other types are strings, or themselves.
        Err(_) => Err(wrong_at(at, format!("the short form of {name}"), "an object")),
    }
}

/// An object of an engine's class.
fn object<R: Real>(class: String, props: Vec<Item<R>>, at: u64) -> Result<(Variant<R>, bool)> {
    let filled = !props.is_empty();
    let properties = pairs(props, at, |item| match item {
        Item::Text(name) => Ok(name.into()),
        other @ (Item::Number(_) | Item::Value(_)) => {
            Err(wrong_at(at, "the name of a property", other.kind()))
        }
    })?;
    let object = FullObject { class: class.into(), properties };
    Ok((Variant::Object(Object::Full(Box::new(object))), filled))
}

/// Items two by two; the second of each is a value.
fn pairs<R: Real, K>(
    items: Vec<Item<R>>,
    at: u64,
    first: impl Fn(Item<R>) -> Result<K>,
) -> Result<Vec<(K, Variant<R>)>> {
    if !items.len().is_multiple_of(2) {
        return Err(wrong_at(at, "an even number of elements", items.len().to_string()));
    }
    let mut pairs = Vec::with_capacity(items.len() / 2);
    let mut items = items.into_iter();
    while let (Some(key), Some(value)) = (items.next(), items.next()) {
        pairs.push((first(key)?, native(value, at)?));
    }
    Ok(pairs)
}

impl<R: Real> Item<R> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => kind_name(ValueType::Number),
            Self::Text(_) => kind_name(ValueType::String),
            Self::Value(value) => value.variant_type().name(),
        }
    }
}

/// Returns the value of a single element.
fn native<R: Real>(item: Item<R>, at: u64) -> Result<Variant<R>> {
    const EXPECTED: &str = "a string that starts with i:, f:, s:, sn: or np:";
    let text = match item {
        Item::Value(value) => return Ok(value),
        Item::Text(text) => text,
        Item::Number(token) => return Err(wrong_at(at, EXPECTED, shortened(&token))),
    };
    let wrong = |expected: &'static str| wrong_at(at, expected, shortened(&text));
    let (prefix, rest) = text.split_once(':').ok_or_else(|| wrong(EXPECTED))?;
    Ok(match prefix {
        "i" => Variant::Int(number::parse(rest).map_err(wrong)?),
        "f" => Variant::Float(match rest {
            "nan" => f64::from_bits(ORDINARY_NAN),
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            digits => number::parse(digits).map_err(wrong)?,
        }),
        "s" => Variant::String(rest.into()),
        "sn" => Variant::StringName(rest.into()),
        "np" => Variant::NodePath(Box::new(NodePath::parse(&rest.into()))),
        _ => return Err(wrong(EXPECTED)),
    })
}

/// Returns the element type of a container; [`None`] for any type.
pub(super) fn element_type(name: &str) -> Option<ElementType> {
    match DIALECT.type_named(name) {
        Some(VariantType::Nil) => None,
        // To the engine, objects always have a class, even if it is only this one.
        Some(VariantType::Object) => Some(ElementType::Class(name.into())),
        Some(variant_type) => Some(ElementType::Builtin(variant_type)),
        None if name.is_empty() => None,
        None if name.starts_with("res://") => Some(ElementType::Script(name.into())),
        None => Some(ElementType::Class(name.into())),
    }
}

#[derive(Clone, Copy)]
struct Numbers<'a, R: Real> {
    args: &'a [Item<R>],
    /// The offset of the object.
    at: u64,
}

impl<R: Real> NumberSource<R> for Numbers<'_, R> {
    type Error = Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        self.make()
    }

    fn math<T: Math>(self) -> Result<T> {
        self.make()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        self.make()
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        self.make()
    }
}

impl<R: Real> Numbers<'_, R> {
    fn make<T: FromNumbers>(self) -> Result<T> {
        let at = self.at;
        let numbers = self.args.iter().map(|item| match item {
            Item::Number(token) => parse::<T::Number>(token)
                .map_err(|expected| wrong_at(at, expected, shortened(token))),
            other @ (Item::Text(_) | Item::Value(_)) => Err(wrong_at(at, "numbers", other.kind())),
        });
        let numbers: Vec<T::Number> = numbers.collect::<Result<_>>()?;
        let count = numbers.len();
        T::from_numbers(numbers).ok_or_else(|| wrong_count::<T>(at, count))
    }
}

/// A number; a whole one may have a fraction of zero, as after the engine's own `JSON.parse`.
fn parse<N: Number>(token: &str) -> Result<N, &'static str> {
    /// Whole numbers below this are exact as floats.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match token.parse::<f64>() {
        Ok(number)
            if matches!(N::LAYOUT, Layout::Integer { .. })
                && token.contains(['.', 'e', 'E'])
                && number.fract() == 0.0
                && number.abs() <= EXACT =>
        {
            number::parse(&(number as i64).to_string())
        }
        _ => number::parse(token),
    }
}
