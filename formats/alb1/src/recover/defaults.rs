//! Fields that an object lacks although its class has them: they get what they have in a new object.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::lost::{Lost, Reason, Recovered};
use crate::path::tag_step;
use crate::terrain::{
    CLASSES, Class, ClassField, Content, Making, ObjectLayer, ObjectManager, Polygon, Polyline,
    Project, Root, Shape, ShapeLayer, Tags, Typed, Vertex,
};
use crate::{
    Field, FieldNumber, FieldType, NumberSource, Object, ObjectPointer, OwnType, Table, Text,
    Value, dictionary,
};
use formwork::{Path, PathSegment};

/// Values of fields of the root, by their tags, where another one than that of a new file is right.
pub(super) type Known = Vec<(&'static str, Value)>;

/// Fills every object of the document, as deep as `depth` allows. What was filled in is listed, at
/// `range`.
pub(super) fn fill(recovered: &mut Recovered, known: &Known, depth: u32, range: Range<u64>) {
    let document = &mut recovered.document;
    let classes = known_classes(&document.tags, &document.classes);
    let tags = document.tags.clone();
    let (root, making) = Making::of(document);
    let mut filling = Filling {
        classes: &classes,
        known,
        tags: &tags,
        making,
        depth,
        // Only what was open where the file is damaged lacks fields: at most all that was read.
        left: recovered.fields.saturating_add(1024),
        is_damaged: recovered.error.is_some(),
        path: Vec::new(),
        lost: Vec::new(),
        range,
    };
    filling.object(root, 1);
    recovered.lost.append(&mut filling.lost);
}

/// The classes of which all is known, by their ids in a document; for the tables that nearly all have they
/// are found once.
fn known_classes(tags: &Table, classes: &Table) -> Arc<HashMap<i16, Slots>> {
    static KNOWN: LazyLock<Arc<HashMap<i16, Slots>>> =
        LazyLock::new(|| Slots::of_all(&dictionary::tags(), &dictionary::classes()).into());
    match dictionary::is(tags, classes) {
        true => KNOWN.clone(),
        false => Slots::of_all(tags, classes).into(),
    }
}

/// A class, and the tags of its fields in a document.
struct Slots {
    class: &'static Class,
    tags: Vec<u16>,
}

impl Slots {
    fn of_all(tags: &Table, classes: &Table) -> HashMap<i16, Self> {
        let declared = CLASSES.iter().filter(|class| !class.fields.is_empty());
        let of = |class: &&'static Class| {
            let id = classes.id(class.name)? as i16;
            let tags =
                class.fields.iter().map(|field| tags.id(field.tag)).collect::<Option<_>>()?;
            Some((id, Self { class, tags }))
        };
        declared.filter_map(of).collect()
    }

    /// The fields of the class with their tags.
    fn fields(&self) -> impl Iterator<Item = (&'static ClassField, u16)> {
        self.class.fields.iter().zip(self.tags.iter().copied())
    }

    /// How many elements the field has that another one counts.
    fn counted(&self, object: &Object, counting: &ClassField) -> Option<usize> {
        let (_, tag) = self.fields().find(|(field, _)| Some(field.name) == counting.counts)?;
        object.get(tag)?.as_array().map(<[Field]>::len)
    }

    /// Sets the fields that count the elements of another one to what was found; what they were.
    fn count(&self, object: &mut Object) -> Vec<String> {
        let mut changed = Vec::new();
        for (field, tag) in self.fields() {
            if let Some(count) = self.counted(object, field)
                && let Some(value) = object.get_mut(tag)
                && let Some(said) = value.as_integer()
                && usize::try_from(said) != Ok(count)
            {
                set(value, count);
                changed.push(format!("{} {count} instead of {said}", field.tag));
            }
        }
        changed
    }
}

/// Sets a whole number.
pub(super) fn set(value: &mut Value, number: usize) {
    let signed = i32::try_from(number).unwrap_or(i32::MAX);
    match value {
        Value::SignedInt(there) | Value::SignedLong(there) => *there = signed,
        Value::UnsignedInt(there) => *there = u32::try_from(number).unwrap_or(u32::MAX),
        _ => {}
    }
}

/// A step to what is being filled.
#[derive(Clone, Copy)]
enum Way {
    Tag(u16),
    Index(usize),
}

struct Filling<'f, 'd> {
    classes: &'f HashMap<i16, Slots>,
    known: &'f Known,
    tags: &'f Table,
    making: Making<'d>,
    depth: u32,
    /// How many fields may still be filled in.
    left: u64,
    /// Whether the file cannot be read as it is: then the elements that are counted may be damaged.
    is_damaged: bool,
    path: Vec<Way>,
    lost: Vec<Lost>,
    range: Range<u64>,
}

impl Filling<'_, '_> {
    /// Fills an object whose fields are so deep. It recurses, as deep as documents are.
    fn object(&mut self, object: &mut Object, depth: u32) {
        let mut filled = self.missing(object, depth);
        let slots = self.classes.get(&object.class);
        let is_damaged = self.is_damaged || !filled.is_empty();
        filled.extend(slots.filter(|_| is_damaged).into_iter().flat_map(|it| it.count(object)));
        if !filled.is_empty() {
            let class = slots.map_or("", |slots| slots.class.name);
            let steps = self.path.iter().map(|way| match way {
                Way::Tag(tag) => tag_step(self.tags, *tag),
                Way::Index(index) => PathSegment::Index(*index as u64),
            });
            self.lost.push(Lost {
                range: self.range.clone(),
                path: Path::from(steps.collect::<Vec<_>>()),
                reason: Reason::Default,
                thought: format!("{} of {class}", filled.join(", ")),
            });
        }
        self.inside(&mut object.fields, true, depth);
    }

    fn inside(&mut self, fields: &mut [Field], have_tags: bool, depth: u32) {
        for (index, field) in fields.iter_mut().enumerate() {
            self.path.push(if have_tags { Way::Tag(field.tag) } else { Way::Index(index) });
            match &mut field.value {
                Value::Object(object) => self.object(object, depth + 1),
                Value::Array(elements) => self.inside(elements, false, depth + 1),
                Value::Pair(pair) => self.inside(&mut pair[..], true, depth + 1),
                _ => {}
            }
            self.path.pop();
        }
    }

    /// Puts the fields into an object that it lacks, each at its place; their names and values.
    fn missing(&mut self, object: &mut Object, depth: u32) -> Vec<String> {
        let mut filled = Vec::new();
        let Some(slots) = self.classes.get(&object.class) else { return filled };
        let mut after = 0;
        for (field, tag) in slots.fields() {
            let there = object.fields.iter().enumerate().filter(|(_, it)| it.tag == tag);
            let there = there.map(|(position, _)| position).nth(field.occurrence);
            let position = match there {
                Some(position) => position,
                None if self.left == 0 => return filled,
                None => {
                    let count = slots.counted(object, field);
                    let Some(mut value) = self.value(slots.class, field, depth) else { continue };
                    if let Some(count) = count {
                        set(&mut value, count);
                    }
                    // What is in the value may have taken the last.
                    self.left = self.left.saturating_sub(1);
                    filled.push(format!("{} {}", field.tag, shown(&value)));
                    let position = after.min(object.fields.len());
                    object.fields.insert(position, Field { tag, value });
                    position
                }
            };
            after = position + 1;
        }
        filled
    }

    /// Returns the default value of a class's field; [`None`] if it would be too deep.
    fn value(&mut self, class: &Class, field: &ClassField, depth: u32) -> Option<Value> {
        let holds_fields =
            matches!(field.content.field_type(), FieldType::Object | FieldType::Array);
        if holds_fields && depth >= self.depth {
            return None;
        }
        if self.path.is_empty()
            && depth == 1
            && let Some((_, value)) = self.known.iter().find(|(tag, _)| *tag == field.tag)
        {
            return Some(value.clone());
        }
        Some(match field.content {
            Content::Object(name) => {
                let mut object = self.making.object(name).ok()?;
                self.path.push(Way::Index(0));
                self.missing(&mut object, depth + 1);
                self.path.pop();
                object.into()
            }
            Content::AnyOf(_) => return None,
            Content::List(_) | Content::Pairs(..) | Content::Unknown | Content::Raw => {
                Value::Array(Vec::new())
            }
            Content::Plain(FieldType::ObjectPointer) => {
                // No file has a pointer that leads nowhere: 0 is what no object has as its address.
                let is_area = field.tag == Tags::<ObjectManager>::active_area_layer;
                let name = if is_area { ShapeLayer::CLASS.name } else { ObjectLayer::CLASS.name };
                let id = |slots: (&i16, &Slots)| (slots.1.class.name == name).then_some(*slots.0);
                let class = self.classes.iter().find_map(id)?;
                Value::ObjectPointer(ObjectPointer { class, address: 0 })
            }
            _ => Self::of_new(class.name, field).or_else(|| blank(&field.content))?,
        })
    }

    /// The value that a field has in a new object of the class.
    fn of_new(class: &str, field: &ClassField) -> Option<Value> {
        static NEW: LazyLock<HashMap<&'static str, Object>> = LazyLock::new(new_objects);
        let id = dictionary::tags().id(field.tag)?;
        NEW.get(class)?.all(id).nth(field.occurrence).cloned()
    }
}

/// New objects by the names of their classes: those of which more is known than that all is empty.
fn new_objects() -> HashMap<&'static str, Object> {
    let mut shapes = ShapeLayer::new(Text::default());
    let corner = vec![Vertex::at(0.0, 0.0)];
    shapes.shapes = vec![
        Shape::Polygon(Polygon::new(Text::default(), corner)),
        Shape::Polyline(Polyline::new(Text::default(), Vec::new())),
    ];
    // A field `tree` gets what the layer around it needs.
    let layer = ObjectLayer::without_tree(Text::default(), 0);
    let project = Project::new(Text::default());
    let files = [project.to_document(), layer.to_document(), shapes.to_document()];
    let mut all = HashMap::new();
    for document in files.into_iter().flatten() {
        for object in document.walk().filter_map(|item| item.object()) {
            let name = document.class_name(object);
            if let Some(class) = CLASSES.iter().find(|class| class.name == name) {
                all.entry(class.name).or_insert_with(|| object.clone());
            }
        }
    }
    all
}

/// Returns a blank value for a field of which only the type is known.
fn blank(content: &Content) -> Option<Value> {
    Some(match content {
        Content::Colour => Value::UnsignedLong(0),
        Content::Path(_) | Content::Plain(FieldType::String) => Value::String(Text::default()),
        Content::Numbers(field_type, count) => {
            Value::from_numbers(*field_type, Zeros(*count)).ok()?.ok()?
        }
        Content::Plain(field_type) => match Value::from_numbers(*field_type, Zeros(0)) {
            Ok(value) => value.ok()?,
            Err(OwnType::Bool) => Value::Bool(0),
            Err(OwnType::Empty) => Value::Empty,
            Err(
                OwnType::String
                | OwnType::Array
                | OwnType::Object
                | OwnType::ObjectPointer
                | OwnType::Pair,
            ) => return None,
        },
        Content::Object(_)
        | Content::AnyOf(_)
        | Content::List(_)
        | Content::Pairs(..)
        | Content::Unknown
        | Content::Raw => return None,
    })
}

/// A source of `self.0` zeros.
struct Zeros(usize);

impl NumberSource for Zeros {
    type Error = std::convert::Infallible;

    fn number<N: FieldNumber>(self) -> Result<N, Self::Error> {
        Ok(N::of_low_bits(0))
    }

    fn numbers<N: FieldNumber>(self) -> Result<Box<[N]>, Self::Error> {
        Ok(vec![N::of_low_bits(0); self.0].into())
    }
}

/// A value in a list of what was filled in.
fn shown(value: &Value) -> String {
    match value {
        Value::Bool(byte) => (*byte != 0).to_string(),
        Value::Float(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::String(text) => format!("\"{}\"", text.to_str()),
        Value::Raw(_) => "without objects".to_owned(),
        Value::Array(_) => "empty".to_owned(),
        Value::Object(_) => "new".to_owned(),
        Value::ObjectPointer(_) => "to nothing".to_owned(),
        other => match other.as_integer() {
            Some(number) => number.to_string(),
            None => "0".to_owned(),
        },
    }
}
