//! Small files: few names in the tables, few fields in the root.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use formwork_alb1::generate::Generator;
use formwork_alb1::terrain::{Attribute, DATA, ITEM, KEY, ObjectLayer, PAIR, Tags, Typed};
use formwork_alb1::{
    Document, Field, FieldNumber, FieldType, NumberSource, Object, OwnType, Table, Text, Value,
    dictionary,
};
use formwork_records::generate::number;
use formwork_records::schema::{Layout, Occurs};
use formwork_variant::generate::Config;

use crate::case::{Broken, Made};

/// The tag table of small files: a part of the dictionary, with the ids that the names have there, so
/// that readers which know the ids by heart read the files, too.
static TAGS: LazyLock<Table> = LazyLock::new(|| {
    let names = [DATA, ITEM, PAIR, KEY, NAME, VALUE, VERSION, TREE];
    some(&dictionary::tags(), &names)
});

/// Their class table.
static CLASSES: LazyLock<Table> =
    LazyLock::new(|| some(&dictionary::classes(), &[CLASS, ROOT_CLASS]));

/// The class of the root.
pub(super) const ROOT_CLASS: &str = ObjectLayer::CLASS.name;
/// The class of other objects.
const CLASS: &str = Attribute::CLASS.name;

/// Name of the fields around the tested field.
pub(super) const NAME: &str = Tags::<ObjectLayer>::name;
/// Name of the tested field, if it has siblings.
pub(super) const VALUE: &str = Tags::<Attribute>::value;
/// Name of the field with the version of a quadtree.
pub(super) const VERSION: &str = Tags::<ObjectLayer>::version;
/// Name of the field with the quadtree.
pub(super) const TREE: &str = Tags::<ObjectLayer>::tree;

fn some(dictionary: &Table, names: &[&str]) -> Table {
    let entries = dictionary.entries().filter(|(_, name)| names.iter().any(|some| *name == some));
    entries.map(|(id, name)| (id, name.clone())).collect()
}

/// A document with small tables and a root without fields.
pub(super) fn document() -> Document {
    let classes = CLASSES.clone();
    let class = classes.id(ROOT_CLASS).unwrap_or_default() as i16;
    let root = Object { class, address: Document::FIRST_ADDRESS, fields: Vec::new() };
    Document { header: Default::default(), tags: TAGS.clone(), classes, root }
}

/// The id of a tag that small files have.
pub(super) fn tag(name: &str) -> u16 {
    TAGS.id(name).unwrap_or_default()
}

/// A field of a small file.
pub(super) fn field(name: &str, value: impl Into<Value>) -> Field {
    Field::new(tag(name), value)
}

/// A string of ASCII.
pub(super) fn text(letters: &str) -> Value {
    Value::String(Text::from_bytes(letters.as_bytes()))
}

/// An object of a class that small files have, beside the root.
pub(super) fn object(address: u32, fields: Vec<Field>) -> Value {
    let class = CLASSES.id(CLASS).unwrap_or_default() as i16;
    Object { class, address, fields }.into()
}

/// The bytes of a document. One that a generator made can always be written.
pub(super) fn written(document: &Document) -> Vec<u8> {
    document.to_vec().unwrap_or_default()
}

/// Returns a case whose fault is the one that our reader reports.
pub(super) fn judged(subject: &'static str, bytes: Vec<u8>) -> Made {
    let error = Document::from_slice(&bytes).err();
    let broken = error.map(|error| Broken { rule: error.rule(), offset: error.offset() });
    Made { bytes, subject, broken, pair: None }
}

/// The value of a type of single numbers with these bits, which may have more than the number.
pub(super) fn number(field_type: FieldType, bits: u64) -> Option<Value> {
    match Value::from_numbers(field_type, One(bits)) {
        Ok(value) => value.ok(),
        Err(OwnType::Bool) => Some(Value::Bool(bits as u8)),
        Err(
            OwnType::String
            | OwnType::Array
            | OwnType::Object
            | OwnType::ObjectPointer
            | OwnType::Pair
            | OwnType::Empty,
        ) => None,
    }
}

/// The value of a type of arrays of numbers with these bits.
pub(super) fn numbers(field_type: FieldType, bits: &[u64]) -> Option<Value> {
    Value::from_numbers(field_type, Several(bits)).ok()?.ok()
}

/// Something else is asked for.
struct Other;

/// The bits of a number.
struct One(u64);

impl NumberSource for One {
    type Error = Other;

    fn number<N: FieldNumber>(self) -> std::result::Result<N, Other> {
        Ok(N::of_low_bits(self.0))
    }

    fn numbers<N: FieldNumber>(self) -> std::result::Result<Box<[N]>, Other> {
        Err(Other)
    }
}

/// The bits of the numbers of an array.
struct Several<'b>(&'b [u64]);

impl NumberSource for Several<'_> {
    type Error = Other;

    fn number<N: FieldNumber>(self) -> std::result::Result<N, Other> {
        Err(Other)
    }

    fn numbers<N: FieldNumber>(self) -> std::result::Result<Box<[N]>, Other> {
        Ok(self.0.iter().map(|&bits| N::of_low_bits(bits)).collect())
    }
}

/// The shape of a number of the type, or of each number in an array of numbers.
pub(super) fn shape_of_number(field_type: FieldType) -> Option<Layout> {
    match field_type.layout()? {
        shape @ (Layout::Integer { .. } | Layout::Float(_)) => Some(shape),
        Layout::Record(record) if field_type.is_numbers() => {
            record.fields.last().map(|field| field.element())
        }
        _ => None,
    }
}

/// The boundary values of a number of the type, or of each number in an array of numbers.
pub(super) fn boundaries(field_type: FieldType) -> Vec<u64> {
    shape_of_number(field_type).map(number::boundaries).unwrap_or_default()
}

/// A file with one field, alone or in one object, array or pair.
pub(super) fn single(u: &mut Unstructured<'_>, config: &Config) -> Result<(FieldType, Document)> {
    let mut document = document();
    let field_type = *u.choose(FieldType::ALL)?;
    // What is in it holds nothing itself.
    let leaves = FieldType::ALL.iter().copied().filter(|one| !one.nests()).collect();
    let mut generator = Generator::new(u, config).with_types(leaves);
    let value = generator.value(&document, field_type, 1)?;
    document.root.fields.push(surround(u, field(DATA, value))?);
    Ok((field_type, document))
}

/// The field, or an object, array or pair with it.
fn surround(u: &mut Unstructured<'_>, inner: Field) -> Result<Field> {
    Ok(match u.int_in_range(0..=7_u8)? {
        5 => field(ITEM, object(Document::FIRST_ADDRESS + 4, vec![inner])),
        6 => field(NAME, vec![inner]),
        7 => field(PAIR, [field(KEY, text("key")), inner]),
        _ => inner,
    })
}
