//! Whole documents: any fields in any order, with the odd things that a reader must keep.

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::terrain::{ObjectLayer, Project, ShapeLayer, Typed};
use crate::{
    Document, Field, FieldNumber, FieldType, Header, NumberSource, Object, ObjectPointer, OwnType,
    Table, Text, Value,
};
use formwork_records::generate::number::number;
use formwork_records::generate::{Config, choice::chance};

/// Makes a document: writing it succeeds, and reading that gives an identical one.
///
/// Applies these parts of the [`Config`]: the limits, `boundary_percent`, and `odd_values` (names that no table has,
/// repeated addresses, strings that are not ASCII).
///
/// # Errors
///
/// Those of [`Unstructured`]. A seed that is too short is no error: what is missing counts as zeros.
pub fn document(u: &mut Unstructured<'_>, config: &Config) -> Result<Document> {
    let root_class =
        *u.choose(&[Project::CLASS.name, ObjectLayer::CLASS.name, ShapeLayer::CLASS.name])?;
    let mut document = Document::new(root_class);
    let mut generator = Generator::new(u, config);
    generator.tables(&mut document)?;
    document.root.fields = generator.fields(&document, 1)?;
    Ok(document)
}

/// Returns the encoded type and value of a field, or nothing if no file can hold them.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub fn value_bytes(u: &mut Unstructured<'_>, config: &Config) -> Result<Option<Vec<u8>>> {
    // Terrain Builder's tables are long, and the same every time.
    static NAMES: LazyLock<Document> = LazyLock::new(|| Document::new(ObjectLayer::CLASS.name));
    let Field { value, .. } = Generator::new(u, config).field(&NAMES, 1)?;
    let mut document = Document {
        header: Header::default(),
        tags: Table::default(),
        classes: Table::default(),
        root: Object { class: 0, address: 0, fields: Vec::new() },
    };
    let written = |document: &Document| document.to_vec().ok();
    let Some(before) = written(&document) else { return Ok(None) };
    document.root.fields.push(Field::new(0, value));
    let value = written(&document)
        .and_then(|all| all.get(before.len() + size_of::<u16>()..).map(<[u8]>::to_vec));
    Ok(value)
}

impl<'a> Arbitrary<'a> for Document {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let config = Config::arbitrary(u)?;
        document(u, &config)
    }
}

/// Makes fields for a document.
pub struct Generator<'u, 'b, 'c> {
    /// The seed that is left.
    pub u: &'u mut Unstructured<'b>,
    config: &'c Config,
    /// The types of fields to use.
    types: Vec<FieldType>,
    /// Fields that may still be made.
    nodes: usize,
    /// Bytes of strings and raw arrays that may still be made.
    bytes: usize,
    /// The address given last.
    address: u32,
}

impl<'u, 'b, 'c> Generator<'u, 'b, 'c> {
    /// Makes fields as far as this configuration says.
    pub fn new(u: &'u mut Unstructured<'b>, config: &'c Config) -> Self {
        Self {
            u,
            config,
            types: FieldType::ALL.to_vec(),
            nodes: config.max_nodes,
            bytes: config.max_bytes,
            address: Document::FIRST_ADDRESS,
        }
    }

    /// Keeps to some of the types of fields. A subset that changes from document to document finds
    /// more than all types always (swarm testing).
    #[must_use]
    pub fn with_types(self, types: Vec<FieldType>) -> Self {
        Self { types, ..self }
    }

    fn tables(&mut self, document: &mut Document) -> Result<()> {
        if self.config.odd_values && chance(self.u, 20)? {
            document.header.project_version = number(self.u, self.config)?;
            document.header.reserved = number(self.u, self.config)?;
            let name = self.text()?;
            document.tags.push(self.u.arbitrary()?, name);
            let name = self.text()?;
            document.classes.push(self.u.arbitrary()?, name);
        }
        Ok(())
    }

    /// Makes fields of an object, or elements of an array.
    ///
    /// # Errors
    ///
    /// Those of [`Unstructured`].
    pub fn fields(&mut self, document: &Document, depth: u32) -> Result<Vec<Field>> {
        let mut fields = Vec::new();
        while fields.len() < self.config.max_count && self.nodes > 0 && chance(self.u, 80)? {
            fields.push(self.field(document, depth)?);
        }
        Ok(fields)
    }

    /// Makes a field.
    ///
    /// # Errors
    ///
    /// Those of [`Unstructured`].
    pub fn field(&mut self, document: &Document, depth: u32) -> Result<Field> {
        self.nodes = self.nodes.saturating_sub(1);
        let tag = self.tag(document)?;
        let leaf = depth >= self.config.max_depth;
        let types = self.types.iter().copied();
        let types: Vec<_> = types.filter(|one| !(leaf && one.nests())).collect();
        let field_type =
            if types.is_empty() { FieldType::Empty } else { *self.u.choose(&types)? };
        let value = self.value(document, field_type, depth)?;
        Ok(Field { tag, value })
    }

    /// A tag of the table; now and then one that it does not have.
    fn tag(&mut self, document: &Document) -> Result<u16> {
        if self.config.odd_values && chance(self.u, 3)? {
            return self.u.arbitrary();
        }
        let index = self.u.choose_index(document.tags.len())?;
        Ok(document.tags.entries().nth(index).map_or(0, |(id, _)| id))
    }

    fn class(&mut self, document: &Document) -> Result<i16> {
        if self.config.odd_values && chance(self.u, 3)? {
            return self.u.arbitrary();
        }
        let index = self.u.choose_index(document.classes.len())?;
        Ok(document.classes.entries().nth(index).map_or(0, |(id, _)| id as i16))
    }

    /// Makes a value of a type at a depth of `depth` containers.
    ///
    /// # Errors
    ///
    /// Those of [`Unstructured`].
    pub fn value(&mut self, document: &Document, kind: FieldType, depth: u32) -> Result<Value> {
        let config = self.config;
        Ok(match Value::from_numbers(kind, Numbers { u: self.u, config }) {
            Ok(value) => value?,
            Err(OwnType::Bool) => Value::Bool(match config.odd_values && chance(self.u, 5)? {
                true => self.u.arbitrary()?,
                false => self.u.arbitrary::<bool>()?.into(),
            }),
            Err(OwnType::String) => Value::String(self.text()?),
            Err(OwnType::Array) => self.array(document, depth)?,
            Err(OwnType::Object) => {
                let class = self.class(document)?;
                let address = self.address()?;
                let fields = self.fields(document, depth + 1)?;
                Object { class, address, fields }.into()
            }
            Err(OwnType::ObjectPointer) => Value::ObjectPointer(ObjectPointer {
                class: self.class(document)?,
                address: self.address()?,
            }),
            Err(OwnType::Pair) => {
                [self.field(document, depth + 1)?, self.field(document, depth + 1)?].into()
            }
            Err(OwnType::Empty) => Value::Empty,
        })
    }

    /// Elements of one tag and type, as all arrays of real files have; or of any; or raw bytes.
    fn array(&mut self, document: &Document, depth: u32) -> Result<Value> {
        if chance(self.u, 20)? {
            let bytes = self.some_bytes()?;
            // Of nothing, reading makes an array of fields.
            return Ok(if bytes.is_empty() {
                Value::Array(Vec::new())
            } else {
                Value::Raw(bytes.into())
            });
        }
        let mut elements = self.fields(document, depth + 1)?;
        let alike = !self.config.odd_values || chance(self.u, 80)?;
        if let (true, Some((first, rest))) = (alike, elements.split_first_mut()) {
            for other in rest {
                other.tag = first.tag;
                if other.value.field_type() != first.value.field_type() {
                    other.value = first.value.clone();
                }
            }
        }
        Ok(Value::Array(elements))
    }

    /// Returns the next address; now and then one that was there before, or none.
    ///
    /// # Errors
    ///
    /// Those of [`Unstructured`].
    pub fn address(&mut self) -> Result<u32> {
        if self.config.odd_values && chance(self.u, 5)? {
            return Ok(*self.u.choose(&[0, 1, self.address, u32::MAX])?);
        }
        self.address = self.address.wrapping_add(4);
        Ok(self.address)
    }

    /// Makes a text.
    ///
    /// # Errors
    ///
    /// Those of [`Unstructured`].
    pub fn text(&mut self) -> Result<Text> {
        let mut bytes = self.some_bytes()?;
        bytes.truncate(self.config.max_string_bytes.min(usize::from(u16::MAX)));
        if !self.config.odd_values || chance(self.u, 70)? {
            for byte in &mut bytes {
                *byte = b' ' + *byte % 95;
            }
        }
        Ok(Text::from_bytes(bytes))
    }

    fn some_bytes(&mut self) -> Result<Vec<u8>> {
        let most = self.config.max_string_bytes.min(self.bytes);
        let count = self.u.int_in_range(0..=most)?.min(self.u.len());
        self.bytes -= count;
        Ok(self.u.bytes(count)?.to_vec())
    }
}

/// Numbers by the profile.
struct Numbers<'u, 'b, 'c> {
    u: &'u mut Unstructured<'b>,
    config: &'c Config,
}

impl NumberSource for Numbers<'_, '_, '_> {
    type Error = arbitrary::Error;

    fn number<N: FieldNumber>(self) -> Result<N> {
        number(self.u, self.config)
    }

    fn numbers<N: FieldNumber>(self) -> Result<Box<[N]>> {
        let count = match self.u.int_in_range(0..=3_u8)? {
            0 => self.u.int_in_range(0..=self.config.max_count.min(u8::MAX.into()))?,
            _ => self.u.int_in_range(0..=4)?,
        };
        (0..count).map(|_| number(self.u, self.config)).collect()
    }
}
