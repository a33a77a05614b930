//! Text to values: the engines' `str2var` / `str_to_var`, and what their printers write besides.

use super::construct;
use super::scan::{Number, Scanner};
use crate::Dialect;
use crate::error::{Error, Path, Result, Rule, Step};
use crate::limits::Limits;
use crate::variant::dialect::Family;
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, KeySet, Object, Real, TypedArray, Variant,
    VariantString, VariantType,
};

/// The value that the whole text is.
pub(super) fn parse<R: Real>(text: &VariantString, dialect: Dialect) -> Result<Variant<R>> {
    let limit = dialect.rules().depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
    let mut parser = Parser { scan: Scanner::new(text, dialect), open: Vec::new(), limit };
    parser.run().map_err(|error| error.under(parser.path()))
}

/// A container whose end has not come yet. They wait in a list of their own, so that no nesting is
/// too deep for the thread's stack.
struct Open<R: Real> {
    content: Content<R>,
    /// An element was read, so that a comma must come before the next.
    after_element: bool,
}

enum Content<R: Real> {
    Array {
        elements: Vec<Variant<R>>,
        element_type: Option<ElementType>,
        /// It is written `Array[...]([...])`.
        typed: bool,
    },
    Dictionary {
        pairs: KeySet<R>,
        /// How many pairs were read, keys that came twice counted twice.
        count: u64,
        key: Option<Variant<R>>,
        /// What the keys and values are, where it is written `Dictionary[...]({...})`.
        types: Option<(Option<ElementType>, Option<ElementType>)>,
    },
    /// The last property is the one whose value is being read.
    Object(FullObject<R>),
    /// Pandemonium's `TypedArray( type , ... )`.
    TypedArray { elements: Vec<Variant<R>>, element: ElementType, packed: bool },
}

impl<R: Real> Content<R> {
    const fn closing(&self) -> u8 {
        match self {
            Self::Array { .. } => b']',
            Self::Dictionary { .. } => b'}',
            Self::Object(_) | Self::TypedArray { .. } => b')',
        }
    }
}

struct Parser<'t, R: Real> {
    scan: Scanner<'t>,
    open: Vec<Open<R>>,
    limit: u32,
}

impl<R: Real> Parser<'_, R> {
    fn run(&mut self) -> Result<Variant<R>> {
        let mut value = self.begin()?;
        loop {
            if let Some(value) = value.take() {
                if self.open.is_empty() {
                    return self.end(value);
                }
                self.hand_over(value)?;
            }
            value = self.proceed()?;
        }
    }

    /// Nothing but blanks may follow the outermost value.
    fn end(&mut self, value: Variant<R>) -> Result<Variant<R>> {
        if self.scan.peek().is_none() {
            return Ok(value);
        }
        let found = format!("{} more bytes", self.scan.left());
        Err(Error::new(Rule::INPUT_TRAILING, self.scan.at as u64, "the end of the text", found))
    }

    /// Gives a finished value to the container around it.
    fn hand_over(&mut self, value: Variant<R>) -> Result<()> {
        let left = self.scan.left();
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        open.after_element = true;
        match &mut open.content {
            Content::Array { elements, .. } | Content::TypedArray { elements, .. } => {
                construct::push(elements, value, left);
            }
            Content::Dictionary { pairs, count, key, .. } => match key.take() {
                Some(key) => {
                    *count += 1;
                    pairs.insert(key, value);
                }
                None => {
                    *key = Some(value);
                    self.scan.expect(b':')?;
                }
            },
            Content::Object(object) => {
                if let Some((_, last)) = object.properties.last_mut() {
                    *last = value;
                }
            }
        }
        Ok(())
    }

    /// The next step in the innermost container: its end gives a value, and so may its next element.
    fn proceed(&mut self) -> Result<Option<Variant<R>>> {
        let Some(open) = self.open.last_mut() else { return Ok(None) };
        if matches!(open.content, Content::Dictionary { key: Some(_), .. }) {
            return self.begin();
        }
        if self.scan.take(open.content.closing()) {
            return self.close().map(Some);
        }
        if std::mem::take(&mut open.after_element) {
            if !self.scan.take(b',') {
                let closing = char::from(open.content.closing());
                return Err(self.scan.error(format!("',' or '{closing}'")));
            }
            // The engines let a comma stand before the end.
            if self.scan.take(open.content.closing()) {
                return self.close().map(Some);
            }
        }
        if let Content::Object(object) = &mut open.content {
            let name = self.scan.string()?;
            self.scan.expect(b':')?;
            object.properties.push((name, Variant::Nil));
        }
        self.begin()
    }

    /// The innermost container, whose closing bracket was just read.
    fn close(&mut self) -> Result<Variant<R>> {
        let Some(open) = self.open.pop() else { return Ok(Variant::Nil) };
        match open.content {
            Content::Array { elements, element_type, typed } => {
                if typed {
                    self.scan.expect(b')')?;
                }
                let mut array = Array::from(elements);
                array.set_element_type(element_type);
                Ok(Variant::Array(array))
            }
            Content::Dictionary { pairs, types, .. } => {
                let mut dictionary = Dictionary::from(pairs.into_pairs());
                if let Some((key, value)) = types {
                    self.scan.expect(b')')?;
                    dictionary.set_types(key, value);
                }
                Ok(Variant::Dictionary(dictionary))
            }
            Content::Object(object) => Ok(Variant::Object(stand_in(object))),
            Content::TypedArray { mut elements, element, packed } => {
                if packed && element == ElementType::Builtin(VariantType::Nil) {
                    // The engine prints the nulls of such an array as "false".
                    elements.fill(Variant::Nil);
                }
                let typed = Box::new(TypedArray { element, elements: elements.into() });
                Ok(match packed {
                    true => Variant::PackedTypedArray(typed),
                    false => Variant::TypedArray(typed),
                })
            }
        }
    }

    /// Reads a value, or opens it if it holds values.
    fn begin(&mut self) -> Result<Option<Variant<R>>> {
        if self.open.len() > self.limit as usize {
            let at = self.scan.at as u64;
            let expected = format!("at most {} containers around a value", self.limit);
            return Err(Error::new(Rule::DEPTH_LIMIT, at, expected, "one more"));
        }
        let Some(first) = self.scan.peek() else {
            return Err(self.scan.error("a value"));
        };
        match first {
            b'"' => Ok(Some(Variant::String(self.scan.string()?))),
            b'#' => Ok(Some(Variant::Color(self.scan.color()?))),
            b'&' | b'@' => self.string_name(first).map(Some),
            b'[' => self.open_array(None, false),
            b'{' => self.open_dictionary(None),
            b',' | b':' | b']' | b'}' | b')' => Err(self.hole()),
            _ => match self.scan.number()? {
                Some(Number::Int(number)) => Ok(Some(Variant::Int(number))),
                Some(Number::Float(number)) => Ok(Some(Variant::Float(number))),
                None => self.named(),
            },
        }
    }

    /// No value where one should be: some printers leave such holes.
    #[cold]
    fn hole(&self) -> Error {
        self.scan.error(match self.scan.style().nothing_printed {
            true => "a value (a RID, Callable or Signal is printed as nothing and cannot be read)",
            false => "a value",
        })
    }

    fn string_name(&mut self, mark: u8) -> Result<Variant<R>> {
        // Godot 4 takes Pandemonium's mark too; the other engines have no StringName.
        let known = match self.scan.dialect.family() {
            Family::Godot4 => true,
            Family::Godot2 | Family::Godot3 => false,
            _ => mark == b'@',
        };
        if !known {
            return Err(self.scan.error("a value"));
        }
        self.scan.at += 1;
        Ok(Variant::StringName(self.scan.string()?))
    }

    fn push(&mut self, content: Content<R>) -> Result<Option<Variant<R>>> {
        self.open.push(Open { content, after_element: false });
        Ok(None)
    }

    /// The elements of an array, from its `[` on.
    fn open_array(
        &mut self,
        element_type: Option<ElementType>,
        typed: bool,
    ) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'[')?;
        self.push(Content::Array { elements: Vec::new(), element_type, typed })
    }

    /// The pairs of a dictionary, from its `{` on.
    fn open_dictionary(
        &mut self,
        types: Option<(Option<ElementType>, Option<ElementType>)>,
    ) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'{')?;
        let pairs = KeySet::with_capacity(0, self.scan.dialect.rules().same_keys);
        self.push(Content::Dictionary { pairs, count: 0, key: None, types })
    }

    /// A value that starts with a name.
    fn named(&mut self) -> Result<Option<Variant<R>>> {
        let start = self.scan.at;
        let name = self.scan.identifier();
        let dialect = self.scan.dialect;
        match name {
            "true" => return Ok(Some(Variant::Bool(true))),
            "false" => return Ok(Some(Variant::Bool(false))),
            "null" | "nil" => return Ok(Some(Variant::Nil)),
            "Array" if dialect.family() == Family::Godot4 => return self.typed_array(),
            "Dictionary" if dialect.family() == Family::Godot4 => return self.typed_dictionary(),
            "Object" if dialect.family() != Family::Godot2 => return self.object(),
            "TypedArray" | "PackedTypedArray" if dialect.family() == Family::Pandemonium5 => {
                return self.pandemonium_typed_array(name == "PackedTypedArray");
            }
            "Resource" | "SubResource" | "ExtResource" => {
                self.scan.at = start;
                return Err(self
                    .scan
                    .error("a value; what a resource file holds is not in the text"));
            }
            _ => {}
        }
        match construct::type_called(name, dialect) {
            Some(variant_type) => construct::read(&mut self.scan, variant_type).map(Some),
            None => {
                self.scan.at = start;
                Err(self.scan.error("a value"))
            }
        }
    }

    /// `Array[int]([1, 2])`, behind the name. Godot 4.
    fn typed_array(&mut self) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'[')?;
        let element = self.element_type(b"]")?;
        self.scan.expect(b']')?;
        self.scan.expect(b'(')?;
        self.open_array(element, true)
    }

    /// `Dictionary[String, int]({...})`, behind the name. Godot 4.4 on.
    fn typed_dictionary(&mut self) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'[')?;
        let key = self.element_type(b",")?;
        self.scan.expect(b',')?;
        let value = self.element_type(b"]")?;
        self.scan.expect(b']')?;
        self.scan.expect(b'(')?;
        self.open_dictionary(Some((key, value)))
    }

    /// What the elements of a typed container are.
    fn element_type(&mut self, end: &[u8]) -> Result<Option<ElementType>> {
        self.scan.peek();
        let start = self.scan.at;
        if matches!(self.scan.identifier(), "Resource" | "ExtResource") && self.scan.take(b'(') {
            let mut path = self.scan.string()?;
            if self.scan.take(b',') {
                // The first was the file's unique number (`uid://...`).
                path = self.scan.string()?;
            }
            self.scan.expect(b')')?;
            return Ok(Some(ElementType::Script(path)));
        }
        self.scan.at = start;
        let name = self.scan.raw_until(end)?;
        if name == b"Variant" {
            return Ok(None);
        }
        Ok(Some(self.builtin(name).unwrap_or_else(|| ElementType::Class(owned(name)))))
    }

    fn builtin(&self, name: &[u8]) -> Option<ElementType> {
        let name = std::str::from_utf8(name).ok()?;
        self.scan.dialect.type_named(name).map(ElementType::Builtin)
    }

    /// `Object(Class,"property":value,...)`, behind the name.
    fn object(&mut self) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'(')?;
        let class = owned(self.scan.raw_until(b",)")?);
        self.scan.expect(b',')?;
        self.push(Content::Object(FullObject { class, properties: Vec::new() }))
    }

    /// `TypedArray( int , 1, 2 )`, behind the name. The engine's own parser does not know it.
    fn pandemonium_typed_array(&mut self, packed: bool) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'(')?;
        let element = match self.scan.raw_until(b",")? {
            b"EncodedObjectAsID" => ElementType::Builtin(VariantType::Object),
            b"Object" => ElementType::Class("Object".into()),
            name => self.builtin(name).unwrap_or_else(|| ElementType::Class(owned(name))),
        };
        self.scan.expect(b',')?;
        self.push(Content::TypedArray { elements: Vec::new(), element, packed })
    }

    /// Where in the value the parser is.
    fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            match &open.content {
                Content::Array { elements, .. } => {
                    path.push(Step::Field("array"));
                    path.push(Step::Index(elements.len() as u64));
                }
                Content::TypedArray { elements, packed, .. } => {
                    path.push(Step::Field(if *packed {
                        "packed_typed_array"
                    } else {
                        "typed_array"
                    }));
                    path.push(Step::Index(elements.len() as u64));
                }
                Content::Dictionary { count, key, .. } => {
                    path.push(Step::Field("dictionary"));
                    path.push(Step::Index(*count));
                    path.push(Step::Field(if key.is_some() { "value" } else { "key" }));
                }
                Content::Object(object) => {
                    path.push(Step::Field("object"));
                    path.push(Step::Field("properties"));
                    path.push(Step::Index(object.properties.len().saturating_sub(1) as u64));
                }
            }
        }
        path
    }
}

fn owned(name: &[u8]) -> VariantString {
    VariantString::from_decoded(
        String::from_utf8(name.to_vec()).map_err(|error| error.into_bytes()),
    )
}

/// The stand-in that an object of class EncodedObjectAsID is; any other object as it is.
fn stand_in<R: Real>(object: FullObject<R>) -> Object<R> {
    match &object.properties[..] {
        // The number 0 is no object, which would be printed as null.
        [(id, Variant::Int(number)), (script, Variant::Nil)]
            if *number != 0
                && object.class == "EncodedObjectAsID"
                && *id == "object_id"
                && *script == "script" =>
        {
            Object::Id(number.cast_unsigned())
        }
        _ => Object::Full(Box::new(object)),
    }
}
