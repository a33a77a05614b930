//! Files as Terrain Builder writes them: objects of the declared classes, with every field in order.

use arbitrary::{Arbitrary, Result, Unstructured};
use formwork_alb1::generate::Generator;
use formwork_alb1::terrain::{
    Attribute, Attributes, Class, Content, DATA, ITEM, KEY, ObjectLayer, PAIR, Project, Raster,
    Root, ShapeLayer, Tags, Typed, class,
};
use formwork_alb1::tree::{Colour, Grid, Object as Placed, Tree, Version};
use formwork_alb1::{Document, Field, FieldType, Object, Text, Value};
use formwork_variant::generate::Config;

/// The roots of the three kinds of files.
pub(super) const ROOTS: [&Class; 3] = [Project::CLASS, ObjectLayer::CLASS, ShapeLayer::CLASS];

/// A file with a root of a class.
///
/// But for one thing it is as Terrain Builder's: the quadtree of an object layer has fewer levels,
/// because one without any object takes 3.6 MB there.
pub(super) fn file(
    u: &mut Unstructured<'_>,
    config: &Config,
    root: &'static Class,
) -> Result<Document> {
    let mut document = Document::new(root.name);
    let config = Config { odd_values: false, ..config.clone() };
    let mut making = Making {
        generator: Generator::new(u, &config),
        document: &document,
        objects: config.max_nodes,
        count: config.max_count.min(3),
    };
    let fields = making.fields(root)?;
    document.root.fields = fields;
    // What these need is there: they were made by the same declarations.
    if let Ok(project) = Project::of(&document) {
        document.header.project_version = project.version_in_header();
    }
    if let Ok(layer) = ObjectLayer::of(&document) {
        let layer = with_objects(u, &config, layer)?;
        let _ = layer.store_in(&mut document);
    }
    Ok(document)
}

/// The layer with a quadtree, and with templates whose hashes agree.
fn with_objects(
    u: &mut Unstructured<'_>,
    config: &Config,
    mut layer: ObjectLayer,
) -> Result<ObjectLayer> {
    let tree = tree(u)?;
    layer.version = tree.version.layer_version();
    // A tree that was made can be written.
    let _ = layer.set_tree(&tree);
    layer.libraries = Default::default();
    layer.templates = Default::default();
    for _ in 0..u.int_in_range(0..=2_u8)? {
        let mut generator = Generator::new(u, config);
        let (template, library) = (generator.text()?, generator.text()?);
        layer.add_template(template, library);
    }
    Ok(layer)
}

/// A quadtree: laid out as Terrain Builder does it, with few levels, or of any nodes.
pub(super) fn tree(u: &mut Unstructured<'_>) -> Result<Tree> {
    if u.arbitrary()? {
        return Tree::arbitrary(u);
    }
    let root = *u.choose(&Grid::ROOTS)?;
    let cells = u.int_in_range(0..=2)?;
    let leaves = cells + u.int_in_range(1..=4)?;
    let grid = Grid::new(Version::arbitrary(u)?, root);
    let grid = grid.with_levels(cells, leaves).unwrap_or(grid);
    let mut objects = Vec::new();
    for id in 0..u.int_in_range(0..=4)? {
        let part = |u: &mut Unstructured<'_>| Ok(f64::from(u.arbitrary::<u16>()?) / 65_536.0);
        let (x, y) = (part(u)?, part(u)?);
        let yaw = f32::from(u.arbitrary::<u8>()?);
        let x = root.x0 + x * (root.x1 - root.x0);
        let y = root.y0 + y * (root.y1 - root.y0);
        let template = u.int_in_range(1..=3)?;
        objects.push((template, Placed { x, y, yaw, scale: 1.0, id, ..Placed::default() }));
    }
    // All of them are in the root box; if rounding put one out of it, there is none at all.
    Ok(Tree::build(&grid, objects, |_| Colour::from(0xFF80_8080))
        .unwrap_or_else(|_| Tree::empty(&grid)))
}

struct Making<'u, 'b, 'c, 'd> {
    generator: Generator<'u, 'b, 'c>,
    document: &'d Document,
    /// Objects that may still be made where none is needed.
    objects: usize,
    /// Elements of a list.
    count: usize,
}

impl Making<'_, '_, '_, '_> {
    fn field(&self, tag: &str, value: impl Into<Value>) -> Field {
        Field::new(self.document.tags.id(tag).unwrap_or_default(), value)
    }

    /// Every field of a class.
    fn fields(&mut self, class: &'static Class) -> Result<Vec<Field>> {
        let bools = self.generator.u.int_in_range(0..=self.count)?;
        let mut fields = Vec::with_capacity(class.fields.len());
        for field in class.fields {
            let value = match &field.content {
                // The masks of a map frame have one length.
                Content::List(Content::Plain(FieldType::Bool)) => {
                    self.list(&Content::Plain(FieldType::Bool), bools)?
                }
                content => self.value(content)?,
            };
            fields.push(self.field(field.tag, value));
        }
        for (position, field) in class.fields.iter().enumerate() {
            let counted = field.counts.and_then(|name| {
                let position = class.fields.iter().position(|field| field.name == name)?;
                fields.get(position).map(|field: &Field| field.value.fields().len())
            });
            if let (Some(count), Some(field)) = (counted, fields.get_mut(position)) {
                match &mut field.value {
                    Value::UnsignedInt(number) => *number = count as u32,
                    Value::SignedInt(number) => *number = count as i32,
                    _ => {}
                }
            }
        }
        if class.name == Attributes::CLASS.name {
            self.list_names(&mut fields);
        }
        Ok(fields)
    }

    /// Inserts the names of a shape's attributes before the attributes.
    fn list_names(&self, fields: &mut [Field]) {
        let [order, values, ..] = fields else { return };
        let mut names = Vec::new();
        let pairs = values.value.fields().iter().filter_map(|field| field.value.as_pair());
        for name in pairs.filter_map(|[key, _]| key.value.as_text()) {
            names.extend_from_slice(name.as_bytes());
            names.push(b';');
        }
        order.value = Value::String(Text::from_bytes(names));
    }

    fn value(&mut self, content: &'static Content) -> Result<Value> {
        match content {
            Content::Plain(_) | Content::Colour | Content::Path(_) => {
                self.generator.value(self.document, content.field_type(), 1)
            }
            Content::Numbers(field_type, count) => {
                let bits: Vec<u64> =
                    (0..*count).map(|_| self.generator.u.arbitrary()).collect::<Result<_>>()?;
                Ok(super::small::numbers(*field_type, &bits).unwrap_or(Value::Empty))
            }
            Content::Object(name) => self.object(name),
            Content::AnyOf(names) => {
                let name = *self.generator.u.choose(names)?;
                self.object(name)
            }
            Content::List(element) => {
                let count = self.count_of(element)?;
                self.list(element, count)
            }
            Content::Pairs(key, data) => self.pairs(key, data),
            // No file has an element there; the tree of a layer is made when the rest is.
            Content::Unknown | Content::Raw => Ok(Value::Array(Vec::new())),
        }
    }

    fn object(&mut self, name: &str) -> Result<Value> {
        self.objects = self.objects.saturating_sub(1);
        let class_id = self.document.classes.id(name).unwrap_or_default() as i16;
        let address = self.generator.address()?;
        let fields = class(name).map(|class| self.fields(class)).transpose()?;
        Ok(Object { class: class_id, address, fields: fields.unwrap_or_default() }.into())
    }

    /// How many elements a list has.
    fn count_of(&mut self, element: &Content) -> Result<usize> {
        let most = match element.field_type() {
            FieldType::Object => self.count.min(self.objects),
            _ => self.count,
        };
        self.generator.u.int_in_range(0..=most)
    }

    fn list(&mut self, element: &'static Content, count: usize) -> Result<Value> {
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            let value = self.value(element)?;
            elements.push(self.field(ITEM, value));
        }
        Ok(Value::Array(elements))
    }

    /// Pairs with ascending keys.
    fn pairs(&mut self, key: &'static Content, data: &'static Content) -> Result<Value> {
        let count = self.count_of(data)?;
        let mut keys = Vec::with_capacity(count);
        for _ in 0..count {
            let key = self.value(key)?;
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let text = |key: &Value| key.as_text().cloned();
        keys.sort_by_cached_key(|key| (key.as_integer(), text(key)));
        let mut pairs = Vec::with_capacity(keys.len());
        for key in keys {
            let mut value = self.value(data)?;
            self.repeat_key(&key, &mut value);
            let pair = [self.field(KEY, key), self.field(DATA, value)];
            pairs.push(self.field(PAIR, pair));
        }
        Ok(Value::Array(pairs))
    }

    /// Rasters and attributes hold the key that they are found by, too.
    fn repeat_key(&self, key: &Value, value: &mut Value) {
        let own = match key {
            Value::String(_) => Tags::<Attribute>::name,
            _ => Tags::<Raster>::id,
        };
        let own = self.document.tags.id(own);
        let held = value.fields_mut().iter_mut().find(|field| Some(field.tag) == own);
        match (key, held.map(|field| &mut field.value)) {
            (Value::String(name), Some(Value::String(held))) => *held = name.clone(),
            (Value::SignedInt(number), Some(Value::UnsignedInt(held))) => *held = *number as u32,
            _ => {}
        }
    }
}
