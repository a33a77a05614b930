//! Parses text to values: the engines' `str2var` / `str_to_var`, and the other output of their printers.

use super::scan::{Number, Scanner};
use super::{KEPT, construct};
use crate::Dialect;
use crate::dialect::{ObjectForms, TextStyle};
use crate::{
    Builder, ElementType, Front, FullObject, Making, Object, Real, Variant, VariantString,
    VariantType,
};
use formwork::{Error, Result, Rule};
use formwork_records::limits::Limits;

/// The value that the whole text is.
pub(super) fn parse<R: Real>(
    text: &VariantString,
    dialect: Dialect,
    keeps_references: bool,
) -> Result<Variant<R>> {
    let limit = dialect.quirks().depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
    let scan = Scanner::new(text, dialect);
    let mut parser = Parser { scan, builder: Builder::new(), limit, keeps_references };
    parser.run().map_err(|error| error.under(parser.builder.path()))
}

/// The written form of a container.
struct Bracket {
    closing: u8,
    /// Whether the container is written `Array[...]([...])` or `Dictionary[...]({...})`.
    typed: bool,
    /// Whether an element was read, so that a comma must come before the next.
    after_element: bool,
}

struct Parser<'t, R: Real> {
    scan: Scanner<'t>,
    builder: Builder<R, Bracket>,
    limit: u32,
    keeps_references: bool,
}

impl<R: Real> Parser<'_, R> {
    fn run(&mut self) -> Result<Variant<R>> {
        let mut value = self.begin()?;
        loop {
            if let Some(value) = value.take()
                && let Some(whole) = self.hand_over(value)?
            {
                return self.end(whole);
            }
            value = self.proceed()?;
        }
    }

    /// Checks that only blanks follow the outermost value.
    fn end(&mut self, value: Variant<R>) -> Result<Variant<R>> {
        if self.scan.peek().is_none() {
            return Ok(value);
        }
        let found = formwork::wire::more_bytes(self.scan.left()).to_string();
        Err(Error::new(Rule::INPUT_TRAILING, self.scan.at as u64, "the end of the text", found))
    }

    /// Puts a finished value into the container around it; returns the value if there is none.
    fn hand_over(&mut self, value: Variant<R>) -> Result<Option<Variant<R>>> {
        let left = self.scan.left();
        let Some((making, bracket)) = self.builder.innermost() else { return Ok(Some(value)) };
        bracket.after_element = true;
        making.reserve(construct::most(left));
        making.put(value);
        if making.key().is_some() {
            self.scan.expect(b':')?;
        }
        Ok(None)
    }

    /// The next step in the innermost container: its end gives a value, and so may its next element.
    fn proceed(&mut self) -> Result<Option<Variant<R>>> {
        let Some((making, bracket)) = self.builder.innermost() else { return Ok(None) };
        if making.key().is_some() {
            return self.begin();
        }
        let closing = bracket.closing;
        if self.scan.take(closing) {
            return self.close().map(Some);
        }
        if std::mem::take(&mut bracket.after_element) {
            if !self.scan.take(b',') {
                return Err(self.scan.error(format!("',' or '{}'", char::from(closing))));
            }
            // The engines allow a comma before the end.
            if self.scan.take(closing) {
                return self.close().map(Some);
            }
        }
        if making.front.variant_type == VariantType::Object {
            let name = self.scan.string()?;
            self.scan.expect(b':')?;
            making.name(name);
        }
        self.begin()
    }

    /// The innermost container, whose closing bracket was just read.
    fn close(&mut self) -> Result<Variant<R>> {
        let Some((making, bracket)) = self.builder.close() else { return Ok(Variant::Nil) };
        if bracket.typed {
            self.scan.expect(b')')?;
        }
        let value = making.finish();
        if let Variant::Object(Object::Full(object)) = value {
            Ok(Variant::Object(stand_in(*object)))
        } else if let Variant::PackedTypedArray(mut typed) = value {
            if typed.element == ElementType::Builtin(VariantType::Nil) {
                // The engine prints the nulls of such an array as "false".
                typed.elements.fill(Variant::Nil);
            }
            Ok(Variant::PackedTypedArray(typed))
        } else {
            Ok(value)
        }
    }

    /// Reads a value, or opens it if it holds values.
    fn begin(&mut self) -> Result<Option<Variant<R>>> {
        if self.builder.depth() > self.limit as usize {
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
            b'[' => self.open(b'[', Front::new(VariantType::Array), false),
            b'{' => self.open(b'{', Front::new(VariantType::Dictionary), false),
            b',' | b':' | b']' | b'}' | b')' => Err(self.hole()),
            _ => match self.scan.number()? {
                Some(Number::Int(number)) => Ok(Some(Variant::Int(number))),
                Some(Number::Float(number)) => Ok(Some(Variant::Float(number))),
                None => self.named(),
            },
        }
    }

    /// Returns the error of a missing value: some printers omit values.
    #[cold]
    fn hole(&self) -> Error {
        self.scan.error(match self.scan.style().nothing_printed {
            true => "a value (a RID, Callable or Signal is printed as nothing and cannot be read)",
            false => "a value",
        })
    }

    fn string_name(&mut self, mark: u8) -> Result<Variant<R>> {
        if !self.scan.style().string_name_read.contains(&mark) {
            return Err(self.scan.error("a value"));
        }
        self.scan.at += 1;
        Ok(Variant::StringName(self.scan.string()?))
    }

    /// Opens a container, after the text before its elements.
    fn open(&mut self, before: u8, front: Front, typed: bool) -> Result<Option<Variant<R>>> {
        self.scan.expect(before)?;
        let closing = match before {
            b'[' => b']',
            b'{' => b'}',
            _ => b')',
        };
        let keys = Some(self.scan.dialect.quirks().same_keys);
        let bracket = Bracket { closing, typed, after_element: false };
        self.builder.open(Making::new(front, 0, keys), bracket);
        Ok(None)
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
            "Array" if self.scan.style().reads_typed_containers => return self.typed_array(),
            "Dictionary" if self.scan.style().reads_typed_containers => {
                return self.typed_dictionary();
            }
            "Object" if dialect.quirks().objects == ObjectForms::IdOrFull => return self.object(),
            "TypedArray" | "PackedTypedArray"
                if dialect.type_id(VariantType::TypedArray).is_some() =>
            {
                return self.pandemonium_typed_array(name == "PackedTypedArray");
            }
            _ if self.keeps_references && self.is_reference(name) => {
                return self.reference(start).map(Some);
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

    /// Returns whether a name is one of a reference, which only the file or engine around the text can follow.
    fn is_reference(&self, name: &str) -> bool {
        let of_godot2 = self.scan.dialect.quirks().text == TextStyle::Godot2;
        match name {
            "Resource" | "SubResource" | "ExtResource" => true,
            // Events of the input map in `engine.cfg`.
            "key" | "mbutton" | "jbutton" | "jaxis" => of_godot2,
            _ => false,
        }
    }

    /// Reads `ExtResource("1")`, after the name that begins at `start`, as its own text.
    fn reference(&mut self, start: usize) -> Result<Variant<R>> {
        let text = self.reference_text(start)?;
        let pair = (Variant::from(KEPT), Variant::String(owned(text)));
        Ok(Variant::Dictionary(std::iter::once(pair).collect()))
    }

    fn reference_text(&mut self, start: usize) -> Result<&[u8]> {
        self.scan.expect(b'(')?;
        while !self.scan.take(b')') {
            match self.scan.peek() {
                Some(b'"') => drop(self.scan.string()?),
                Some(byte) if byte.is_ascii_alphanumeric() || b"_,+-.".contains(&byte) => {
                    self.scan.at += 1;
                }
                _ => return Err(self.scan.error("')' behind a reference")),
            }
        }
        Ok(self.scan.since(start))
    }

    /// Reads `Array[int]([1, 2])`, after the name. Godot 4.
    fn typed_array(&mut self) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'[')?;
        let element = self.element_type(b"]")?;
        self.scan.expect(b']')?;
        self.scan.expect(b'(')?;
        self.open(b'[', Front::new(VariantType::Array).typed(element, None), true)
    }

    /// Reads `Dictionary[String, int]({...})`, after the name. Godot 4.4 and later.
    fn typed_dictionary(&mut self) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'[')?;
        let key = self.element_type(b",")?;
        self.scan.expect(b',')?;
        let value = self.element_type(b"]")?;
        self.scan.expect(b']')?;
        self.scan.expect(b'(')?;
        self.open(b'{', Front::new(VariantType::Dictionary).typed(key, value), true)
    }

    /// Reads the element type of a typed container.
    fn element_type(&mut self, end: &[u8]) -> Result<Option<ElementType>> {
        self.scan.peek();
        let start = self.scan.at;
        let is_script = matches!(self.scan.identifier(), "Resource" | "ExtResource");
        if is_script && self.keeps_references {
            let text = owned(self.reference_text(start)?);
            return Ok(Some(ElementType::Script(text)));
        }
        if is_script && self.scan.take(b'(') {
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

    /// Reads `Object(Class,"property":value,...)`, after the name.
    fn object(&mut self) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'(')?;
        let class = owned(self.scan.raw_until(b",)")?);
        self.open(b',', Front::object(class), false)
    }

    /// Reads `TypedArray( int , 1, 2 )`, after the name. The engine's own parser does not know it.
    fn pandemonium_typed_array(&mut self, packed: bool) -> Result<Option<Variant<R>>> {
        self.scan.expect(b'(')?;
        let element = match self.scan.raw_until(b",")? {
            b"EncodedObjectAsID" => ElementType::Builtin(VariantType::Object),
            b"Object" => ElementType::Class("Object".into()),
            name => self.builtin(name).unwrap_or_else(|| ElementType::Class(owned(name))),
        };
        let variant_type =
            if packed { VariantType::PackedTypedArray } else { VariantType::TypedArray };
        self.open(b',', Front::new(variant_type).typed(Some(element), None), false)
    }
}

fn owned(name: &[u8]) -> VariantString {
    VariantString::from_decoded(
        String::from_utf8(name.to_vec()).map_err(|error| error.into_bytes()),
    )
}

/// Converts an object of class EncodedObjectAsID to the placeholder; any other object is unchanged.
fn stand_in<R: Real>(object: FullObject<R>) -> Object<R> {
    match &object.properties[..] {
        // The number 0 is no object, and would be printed as null.
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
