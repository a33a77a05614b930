//! Whole files to break one rule of.

use arbitrary::{Error, Result, Unstructured};
use formwork_alb1::generate::Generator;
use formwork_alb1::terrain::{DATA, ITEM, KEY, PAIR};
use formwork_alb1::{Document, Field, FieldType, Raw, Value};
use formwork_variant::generate::Config;

use super::super::place::{File, Place, SIZE};
use super::super::small;
use super::{Faulty, put};

/// A whole file with the field in it that is to be broken.
pub(super) struct Draft {
    pub(super) file: File,
    /// The field that is to be broken.
    pub(super) place: Place,
    /// Its position among those of the file.
    wanted: usize,
}

/// The kind of value that surrounds the field.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Around {
    /// Objects, arrays and pairs, or only the root.
    Any,
    /// An object or array at least.
    Blob,
    /// Only the root.
    Root,
}

impl Draft {
    /// A file with this value in some field. The last field of the root is a number, so that no
    /// object or array ends with the file.
    pub(super) fn around(
        u: &mut Unstructured<'_>,
        config: &Config,
        value: Value,
        around: Around,
    ) -> Result<Self> {
        let config = plain(config);
        let mut document = small::document();
        let mut generator = Generator::new(u, &config);
        let mut wanted = 0;
        let mut field = small::field(small::VALUE, value);
        let layers = match around {
            Around::Root => 0,
            _ => generator.u.int_in_range(0..=3_u8)?,
        };
        for layer in 0..layers.max(u8::from(around == Around::Blob)) {
            let first = layer == 0 && around == Around::Blob;
            let form = if first { 2 } else { generator.u.int_in_range(0..=2)? };
            field = match form {
                0 => {
                    wanted += 2;
                    small::field(PAIR, [small::field(KEY, small::text("k")), field])
                }
                1 => {
                    wanted += 1;
                    small::field(small::NAME, vec![field])
                }
                _ => {
                    let mut fields = some(&mut generator, &document)?;
                    wanted += 1 + count(&fields);
                    fields.push(field);
                    fields.extend(some(&mut generator, &document)?);
                    small::field(DATA, small::object(generator.address()?, fields))
                }
            };
        }
        let mut fields = some(&mut generator, &document)?;
        wanted += count(&fields);
        fields.push(field);
        fields.extend(some(&mut generator, &document)?);
        fields.push(small::field(small::VERSION, Value::SignedInt(4)));
        document.root.fields = fields;
        let file = File::of(&document);
        // It was put there.
        let place = file.place(wanted).copied().ok_or(Error::IncorrectFormat)?;
        Ok(Self { file, place, wanted })
    }

    /// A file with any value.
    pub(super) fn any(u: &mut Unstructured<'_>, config: &Config) -> Result<Self> {
        let value = any_value(u, config)?;
        Self::around(u, config, value, Around::Any)
    }

    /// The fields right in it.
    pub(super) fn inside(&self) -> impl Iterator<Item = &Place> {
        self.file.inside(Some(self.wanted))
    }

    /// The file with other bytes at a place.
    pub(super) fn with_bytes(&self, at: usize, new: &[u8]) -> Vec<u8> {
        let mut bytes = self.file.bytes.clone();
        put(&mut bytes, at, new);
        bytes
    }

    /// The file with another word in it.
    pub(super) fn with_word(&self, at: usize, word: u32) -> Vec<u8> {
        self.with_bytes(at, &word.to_le_bytes())
    }

    /// The file with the size of the object or array so that it ends at `end`.
    pub(super) fn ending_at(&self, end: usize) -> Vec<u8> {
        let start = self.place.value;
        self.with_word(start, (end - start - SIZE) as u32)
    }

    /// The file with another count of elements in the array.
    pub(super) fn with_count(&self, count: usize) -> Vec<u8> {
        self.with_word(self.place.array_words().0, count as u32)
    }

    /// These bytes, in which the field is broken.
    pub(super) fn faulty(&self, bytes: Vec<u8>) -> Option<Faulty> {
        Faulty::about(self.place.field_type, bytes)
    }
}

/// Few fields, nothing odd: all is to be right but for one thing.
fn plain(config: &Config) -> Config {
    let mut plain = config.clone();
    plain.max_depth = plain.max_depth.min(4);
    plain.max_nodes = plain.max_nodes.min(8);
    plain.max_bytes = plain.max_bytes.min(256);
    plain.max_string_bytes = plain.max_string_bytes.min(24);
    plain.max_count = plain.max_count.min(4);
    plain.odd_values = false;
    plain
}

/// No, one or two fields.
fn some(generator: &mut Generator<'_, '_, '_>, document: &Document) -> Result<Vec<Field>> {
    let count = generator.u.int_in_range(0..=2_u8)?;
    (0..count).map(|_| generator.field(document, 2)).collect()
}

/// How many fields there are, with those in them.
fn count(fields: &[Field]) -> usize {
    fields.iter().map(|field| 1 + count(field.value.fields())).sum()
}

/// A value of some type.
pub(super) fn any_value(u: &mut Unstructured<'_>, config: &Config) -> Result<Value> {
    let field_type = *u.choose(FieldType::ALL)?;
    value_of(u, config, field_type)
}

/// A value of a type.
pub(super) fn value_of(
    u: &mut Unstructured<'_>,
    config: &Config,
    field_type: FieldType,
) -> Result<Value> {
    Generator::new(u, &plain(config)).value(&small::document(), field_type, 2)
}

/// Returns an object with at least `least` fields.
pub(super) fn object(u: &mut Unstructured<'_>, config: &Config, least: usize) -> Result<Value> {
    let most = least.max(3);
    Ok(small::object(Document::FIRST_ADDRESS + 1024, some_fields(u, config, least, most)?))
}

/// Returns an array of at least `least` fields.
pub(super) fn list(u: &mut Unstructured<'_>, config: &Config, least: usize) -> Result<Value> {
    let count = u.int_in_range(least..=least.max(4))?;
    let element = small::field(ITEM, any_value(u, config)?);
    Ok(Value::Array(vec![element; count]))
}

/// Returns an array of at least `least` raw bytes.
pub(super) fn raw(u: &mut Unstructured<'_>, least: usize) -> Result<Value> {
    let count = u.int_in_range(least..=least.max(32))?;
    let mut bytes = vec![0; count];
    u.fill_buffer(&mut bytes)?;
    Ok(Value::Raw(Raw::from(bytes)))
}

fn some_fields(
    u: &mut Unstructured<'_>,
    config: &Config,
    least: usize,
    most: usize,
) -> Result<Vec<Field>> {
    let count = u.int_in_range(least..=most)?;
    (0..count).map(|_| Ok(small::field(DATA, any_value(u, config)?))).collect()
}
