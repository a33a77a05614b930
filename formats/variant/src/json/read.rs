//! The lossless form to values.

#![deny(clippy::wildcard_enum_match_arm)]

use struson::reader::ValueType;

use super::text;
use crate::dialect::Dialect;
use crate::notation::{self, ID};
use crate::{Builder, Front, Making, Object, OwnType, Real, Variant, VariantString, VariantType};
use formwork::{Error, Result, Rule};
use formwork_records::json::source::{Source, shortened, wrong_at};

/// Reads one value that may be in at most `depth` containers, without recursion.
pub(super) fn read<R: Real>(
    source: &mut Source<'_>,
    dialect: Dialect,
    depth: usize,
) -> Result<Variant<R>> {
    let mut reader = Reader { dialect, depth, builder: Builder::new() };
    reader.read(source).map_err(|error| error.under(reader.builder.path()))
}

struct Reader<R: Real> {
    dialect: Dialect,
    depth: usize,
    builder: Builder<R, Form>,
}

/// The form of a container.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    /// Without a tag.
    Plain,
    /// After its tag; its attributes may follow its contents.
    Tagged,
    /// An object; `true` if its class comes before its properties.
    Object(bool),
}

impl<R: Real> Reader<R> {
    fn read(&mut self, source: &mut Source<'_>) -> Result<Variant<R>> {
        let mut begun = self.begin(source)?;
        loop {
            if let Some(value) = begun {
                self.end_pair(source)?;
                if let Some(whole) = self.builder.put(value) {
                    return Ok(whole);
                }
            }
            begun =
                if self.goes_on(source)? { self.begin(source)? } else { Some(self.end(source)?) };
        }
    }

    /// Reads a value, or opens it if it holds values.
    fn begin(&mut self, source: &mut Source<'_>) -> Result<Option<Variant<R>>> {
        let kind = source.peek()?;
        if self.builder.depth() > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(Error::new(Rule::DEPTH_LIMIT, source.at(), expected, "one more"));
        }
        Ok(Some(match kind {
            ValueType::Null => {
                source.null()?;
                Variant::Nil
            }
            ValueType::Boolean => Variant::Bool(source.bool()?),
            ValueType::Number => source.number(number)?,
            ValueType::String => Variant::String(source.string()?.into()),
            ValueType::Array => {
                source.begin_list()?;
                self.open(VariantType::Array, Form::Plain);
                return Ok(None);
            }
            ValueType::Object => return self.begin_object(source),
        }))
    }

    /// Opens a container without attributes so far.
    fn open(&mut self, variant_type: VariantType, form: Form) {
        let quirks = self.dialect.quirks();
        let front = Front::new(variant_type).shared(quirks.shared_containers);
        // With `$dictionary`, the encoder refuses the pairs that the engine would not keep.
        let keys = (form == Form::Plain).then_some(quirks.same_keys);
        self.builder.open(Making::new(front, 0, keys), form);
    }

    /// The name of the first member decides whether the object is a dictionary or a value of another type.
    fn begin_object(&mut self, source: &mut Source<'_>) -> Result<Option<Variant<R>>> {
        source.begin_object()?;
        if !source.has_next()? {
            self.open(VariantType::Dictionary, Form::Plain);
            return Ok(None);
        }
        let at = source.at();
        let name = source.name()?;
        match notation::tagged_type(&name, self.dialect) {
            Some(variant_type) => self.begin_tagged(variant_type, at, source),
            None if name.starts_with('$') => {
                Err(wrong_at(at, "$ and the name of a type", shortened(&name)))
            }
            None => {
                self.open(VariantType::Dictionary, Form::Plain);
                self.builder.put(Variant::String(name.into()));
                Ok(None)
            }
        }
    }

    fn begin_tagged(
        &mut self,
        variant_type: VariantType,
        at: u64,
        source: &mut Source<'_>,
    ) -> Result<Option<Variant<R>>> {
        let value = match notation::content(variant_type, self.dialect, source) {
            Ok(value) => value,
            Err(OwnType::Object) => match self.begin_engine_object(source) {
                Ok(None) => return Ok(None),
                Ok(Some(object)) => Ok(Variant::Object(object)),
                Err(error) => Err(error),
            },
            Err(OwnType::Nil | OwnType::Bool | OwnType::Int) => {
                let name = self.dialect.type_name(variant_type);
                return Err(wrong_at(at, format!("the plain form of {name}"), "its name"));
            }
            // An array of any kind, or a dictionary.
            Err(_) => {
                source.begin_list()?;
                self.open(variant_type, Form::Tagged);
                return Ok(None);
            }
        };
        let value = value.map_err(|error| error.within(variant_type.path_name()))?;
        source.end_object()?;
        Ok(Some(value))
    }

    /// Reads an object of an engine, or opens it if it is in full form.
    fn begin_engine_object(&mut self, source: &mut Source<'_>) -> Result<Option<Object<R>>> {
        if source.peek()? == ValueType::Null {
            source.null()?;
            return Ok(Some(Object::Null));
        }
        source.begin_object()?;
        let mut class = None;
        while source.has_next()? {
            let at = source.at();
            match source.name()?.as_str() {
                "id" if class.is_none() => {
                    let id = source.unsigned(ID)?;
                    source.end_object()?;
                    return Ok(Some(Object::Id(id)));
                }
                "class" if class.is_none() => class = Some(text::take(source)?),
                "properties" => {
                    source.begin_list()?;
                    let form = Form::Object(class.is_some());
                    let front = Front::object(class.unwrap_or_default());
                    self.builder.open(Making::new(front, 0, None), form);
                    return Ok(None);
                }
                other => return Err(wrong_at(at, OBJECT, shortened(other))),
            }
        }
        Err(source.wrong(OBJECT, "the end"))
    }

    /// Returns whether the innermost container has another value; if so, reads everything before it.
    fn goes_on(&mut self, source: &mut Source<'_>) -> Result<bool> {
        let Some((making, form)) = self.builder.innermost() else { return Ok(false) };
        if making.key().is_some() {
            return Ok(true);
        }
        if !source.has_next()? {
            return Ok(false);
        }
        let is_dictionary = making.front.variant_type == VariantType::Dictionary;
        match form {
            Form::Plain if is_dictionary => {
                let at = source.at();
                let name = source.name()?;
                if name.starts_with('$') {
                    let expected = "a key without $ in front (else the form with $dictionary)";
                    return Err(wrong_at(at, expected, shortened(&name)));
                }
                let key = Variant::String(VariantString::from(name.as_str()));
                if making.has_key(&key) {
                    return Err(wrong_at(at, "each key once", shortened(&name)));
                }
                making.put(key);
            }
            Form::Tagged if is_dictionary => source.begin_list()?,
            Form::Object(_) => {
                source.begin_list()?;
                making.name(text::take(source)?);
            }
            Form::Plain | Form::Tagged => {}
        }
        Ok(true)
    }

    /// Ends the pair whose value was read, if it is a list.
    fn end_pair(&mut self, source: &mut Source<'_>) -> Result<()> {
        match self.builder.innermost() {
            Some((_, Form::Object(_))) => source.end_list(),
            Some((making, Form::Tagged)) if making.key().is_some() => source.end_list(),
            Some((_, Form::Plain | Form::Tagged)) | None => Ok(()),
        }
    }

    /// Ends the innermost container.
    fn end(&mut self, source: &mut Source<'_>) -> Result<Variant<R>> {
        // Called only if there is an open container.
        let Some((mut making, form)) = self.builder.close() else { return Ok(Variant::Nil) };
        let front = &mut making.front;
        match form {
            Form::Plain if front.variant_type == VariantType::Dictionary => {}
            Form::Plain => source.end_list()?,
            Form::Tagged => {
                source.end_list()?;
                notation::read_attributes(front, self.dialect, source)?;
            }
            Form::Object(has_class) => {
                source.end_list()?;
                class(front, has_class, source)?;
            }
        }
        if form != Form::Plain || front.variant_type == VariantType::Dictionary {
            source.end_object()?;
        }
        Ok(making.finish())
    }
}

/// Reads the class of an object, if it comes after the properties, and the end of the object.
fn class(front: &mut Front, mut has_class: bool, source: &mut Source<'_>) -> Result<()> {
    if source.has_next()? {
        let at = source.at();
        let name = source.name()?;
        if name != "class" || has_class {
            return Err(wrong_at(at, OBJECT, shortened(&name)));
        }
        front.class = Some(Box::new(text::take(source)?));
        has_class = true;
    }
    source.end_object()?;
    if has_class { Ok(()) } else { Err(source.wrong("the member \"class\"", "none")) }
}

/// The forms of an object of an engine.
const OBJECT: &str = "null, {\"id\": ...} or {\"class\": ..., \"properties\": [...]}";

/// Parses a number without a tag.
fn number<R: Real>(token: &str) -> Result<Variant<R>, &'static str> {
    if token.contains(['.', 'e', 'E']) {
        formwork_records::json::number::parse(token).map(Variant::Float)
    } else {
        formwork_records::json::number::parse(token).map(Variant::Int)
    }
}
